"""Dumps of a kernel that rotates the first dimensions of a head alone: right ones hold, in every form that is taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.rotary_kernel import HEADS, TOKENS, WIDTH, Kernel
from workings.checking.dumps.compare import Comparison, compare
from workings.render.words import LANGUAGES, Words
from workings.terms.errors import BadOption, OptionIdle, RotaryOption, TableShape, TensorShape

PAIRS = ("half", "interleaved")


def options(kernel: Kernel, begin: str = "q_proj", **more: Any) -> dict[str, Any]:
    """What the kernel was asked for."""
    out = {"rope": kernel.pairs, "rope_base": kernel.base, "qk_norm": kernel.norm, "rotary_dim": kernel.turned}
    return out | ({"heads": HEADS} if begin == "X" else {}) | more


def over(found: Comparison) -> dict[str, int]:
    return {census.name: census.over for census in found.arrays}


@pytest.mark.parametrize("turned", [2, 6, 8])
@pytest.mark.parametrize("norm", ["none", "rms", "rms-after-rope"])
@pytest.mark.parametrize("begin", ["q_proj", "X"])
@pytest.mark.parametrize("pairs", PAIRS)
def test_a_right_dump_holds(pairs: str, begin: str, norm: str, turned: int) -> None:
    kernel = Kernel(pairs, turned, norm=norm, at=(0, 0, 1, 2, 3, 4))
    found = compare(kernel.dump(begin=begin), options(kernel, begin))
    assert (found.holds, found.conclusive, set(over(found).values())) == (True, True, {0})
    assert {"Q", "K", "score", "weight", "head_output"} <= set(over(found))
    assert ("q_proj" in over(found)) == (begin == "X")
    told = compare(kernel.dump(begin=begin), options(kernel, begin, rotary_dim=None))
    assert told.holds == (turned == WIDTH)


@pytest.mark.parametrize("form", ["once", "twice", "more"])
@pytest.mark.parametrize("begin", ["q_proj", "X"])
@pytest.mark.parametrize("pairs", PAIRS)
def test_tables_are_as_wide_as_what_turns(pairs: str, begin: str, form: str) -> None:
    kernel = Kernel(pairs)
    dump = kernel.dump(begin=begin, tables=form)
    given = compare(dump, options(kernel, begin, rope_base=None))
    assert (given.holds, given.conclusive, "cos" in over(given)) == (True, True, False)
    judged = compare(dump, options(kernel, begin))
    assert (judged.holds, "cos" in over(judged), "sin" in over(judged)) == (True, True, True)
    other = compare(dump, options(kernel, begin, rope_base=500))
    assert (other.first_step, other.arrays[0].over > 0) == ("cos", True)
    wrong = compare({**dump, "Q": dump["Q"] + 1}, options(kernel, begin, rope_base=None))
    assert wrong.first_step == "Q"


@pytest.mark.parametrize("width", [1, 3, 6, 8])
def test_tables_of_another_width_are_refused(width: int) -> None:
    kernel = Kernel()
    with pytest.raises(TensorShape) as caught:
        compare({**kernel.dump(), "cos": np.ones((TOKENS, width))}, options(kernel))
    wanted = {"name": "cos", "axis": "pair", "size": width, "expected": 2, "other": "rotary_dim (4)"}
    assert {key: caught.value.values[key] for key in wanted} == wanted


def test_of_narrow_tables_it_is_said_what_they_may_mean() -> None:
    kernel = Kernel()
    with pytest.raises(TableShape) as caught:
        compare(kernel.dump(tables="once"), options(kernel, rotary_dim=None))
    assert (caught.value.values["size"], caught.value.values["expected"]) == (2, 4)
    for lang in LANGUAGES:
        assert "rotary_dim" in Words(lang).error(caught.value)
    wide = {**kernel.dump(), "cos": np.ones((TOKENS, WIDTH + 2))}
    with pytest.raises(TensorShape):
        compare(wide, options(kernel, rotary_dim=None))


def test_tables_of_the_other_pairing_are_refused() -> None:
    for pairs, other in (PAIRS, PAIRS[::-1]):
        with pytest.raises(BadOption):
            compare(Kernel(pairs).dump(tables="twice"), options(Kernel(other)))


@pytest.mark.parametrize("count", [1, 3, 10])
@pytest.mark.parametrize("tables", ["", "once"])
@pytest.mark.parametrize("begin", ["q_proj", "X"])
def test_a_number_of_dimensions_that_cannot_turn_is_refused(
    begin: str, tables: str, count: int, tmp_path: Path
) -> None:
    path = tmp_path / "kernel.npz"
    np.savez(path, **Kernel().dump(begin=begin, tables=tables))
    with pytest.raises(RotaryOption) as caught:
        compare(path, options(Kernel(), begin, rotary_dim=count))
    other = "W_Q (16 × 16)" if begin == "X" else "q_proj (2 × 6 × 8)"
    assert caught.value.values == {"rotary_dim": count, "d_k": WIDTH, "other": other}
    assert caught.value.where == str(path)
    for lang in LANGUAGES:
        said = Words(lang).error(caught.value)
        assert f"rotary_dim cannot be {count}:" in said or f"rotary_dim 不能是 {count}：" in said


@pytest.mark.parametrize("tables", [{}, {"cos": np.ones((5, 3))}], ids=["bare", "tables"])
def test_an_odd_width_turns_in_part_alone(tables: dict[str, Any]) -> None:
    vectors = np.random.default_rng(1).normal(size=(5, 3))
    dump = {"q_proj": vectors, "k_proj": vectors, "Q": vectors, **tables}
    with pytest.raises(RotaryOption) as caught:
        compare(dump, rope="half")
    assert caught.value.values == {"rotary_dim": None, "d_k": 3, "other": "q_proj (5 × 3)"}
    for lang in LANGUAGES:
        assert "rotary_dim" in Words(lang).error(caught.value)
    turned = Kernel(turned=2, at=(0, 1, 2, 3, 4)).rotated(vectors)
    assert compare({"q_proj": vectors, "k_proj": vectors, "Q": turned}, rope="half", rotary_dim=2).holds


def test_it_changes_nothing_where_nothing_is_rotated() -> None:
    dump = Kernel().dump()
    begun = {name: values for name, values in dump.items() if name not in ("q_proj", "k_proj")}
    with pytest.raises(OptionIdle) as caught:
        compare(begun, rotary_dim=4)
    assert caught.value.values == {"option": "rotary_dim", "why": "not-rotated"}
    assert compare(begun, {"rotary_dim": 4}).holds
    assert compare(dump, rope="half", rope_base=100, rotary_dim=4).holds
    whole = Kernel(turned=WIDTH)
    assert compare(whole.dump(), **options(whole)).holds


def ids(found: Comparison) -> list[str]:
    return [cause.id for cause in found.causes]


LATER = (0, 1, 2, 3, 5, 9)
SLIPS: dict[str, tuple[dict[str, Any], str]] = {  # how a kernel differs from what was asked, and what that is called
    "all": ({"turned": 8}, "rope-pairing:all"),
    "speeds": ({"speeds": 8}, "rope-pairing:speeds"),
    "base": ({"base": 10_000.0}, "rope-pairing:base-10000"),
    "missing": ({"turned": 0}, "rope-pairing:missing"),
    "plain positions": ({"at": tuple(range(TOKENS))}, "left-padding"),
    "shifted": ({"at": tuple(place + 1 for place in LATER)}, "left-padding:shifted"),
}


SHOWN = [
    ("q_proj", "none", ("Q", "K")),
    ("q_proj", "rms", ("score",)),
    ("q_proj", "rms-after-rope", ("Q", "K", "score")),
    ("X", "none", ("weight", "head_output")),
]


def slipped(right: Kernel, wrong: Kernel, begin: str, *shown: str) -> dict[str, Any]:
    """The inputs of one kernel with what another made of them; of what comes after the rotation as much as is shown."""
    given, made = right.dump(begin=begin), wrong.dump(begin=begin)
    after = [name for name in ("Q", "K", "score", "weight", "head_output") if name not in shown]
    out = {name: array for name, array in {**made, **given}.items() if name not in after}
    return out | {name: made[name] for name in shown}


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize(("begin", "norm", "shown"), SHOWN)
@pytest.mark.parametrize("pairs", PAIRS)
def test_a_slip_is_named(pairs: str, begin: str, norm: str, shown: tuple[str, ...], slip: str) -> None:
    right = Kernel(pairs, norm=norm, at=LATER)
    changed, cause = SLIPS[slip]
    found = compare(slipped(right, right.with_(**changed), begin, *shown), options(right, begin))
    if slip == "shifted" and "Q" not in shown:  # a product goes by how far apart two words stand
        assert found.holds
    else:
        assert (found.first_step, ids(found)) == (shown[0], [cause])


@pytest.mark.parametrize("shown", [("Q", "K"), ("score",), ("weight",)])
@pytest.mark.parametrize("pairs", PAIRS)
def test_the_other_pairing_is_named(pairs: str, shown: tuple[str, ...]) -> None:
    right, other = Kernel(pairs, at=LATER), next(kind for kind in PAIRS if kind != pairs)
    found = compare(slipped(right, right.with_(pairs=other), "q_proj", *shown), options(right))
    assert (found.first_step, ids(found)) == (shown[0], [f"rope-pairing:{other}"])


@pytest.mark.parametrize("norm", ["rms", "rms-after-rope"])
@pytest.mark.parametrize("turned", [4, 8])
@pytest.mark.parametrize("pairs", PAIRS)
def test_norm_and_rotation_in_the_wrong_order_are_named(pairs: str, turned: int, norm: str) -> None:
    right = Kernel(pairs, turned, norm=norm, at=LATER)
    other = right.with_(norm="rms" if norm != "rms" else "rms-after-rope")
    found = compare(slipped(right, other, "q_proj", "Q", "K"), options(right))
    assert (found.first_step, ids(found)) == ("Q", ["qk-norm:order"])


@pytest.mark.parametrize("speeds", [0, WIDTH], ids=["by-part", "by-all"])
@pytest.mark.parametrize("turned", [2, 4, 6])
@pytest.mark.parametrize(("begin", "norm", "shown"), SHOWN[1::2])
@pytest.mark.parametrize("pairs", PAIRS)
def test_rotation_in_part_where_all_should_turn_is_named(
    pairs: str, begin: str, norm: str, shown: tuple[str, ...], turned: int, speeds: int
) -> None:
    right = Kernel(pairs, WIDTH, norm=norm, at=LATER)
    dump = slipped(right, right.with_(turned=turned, speeds=speeds), begin, *shown)
    found = compare(dump, options(right, begin, rotary_dim=WIDTH if turned == 4 else None))
    assert (found.first_step, ids(found)) == (shown[0], ["rope-pairing:part"])


def test_rotation_in_part_by_tables_of_all_is_named() -> None:
    """The tables are the kernel's own: whatever their base, it took their first columns."""
    right = Kernel(turned=WIDTH, base=77.0)
    dump = {**right.dump(tables="once"), "Q": right.with_(turned=4, speeds=WIDTH).dump()["Q"]}
    found = compare(dump, options(right, rope_base=None))
    assert (found.first_step, ids(found)) == ("Q", ["rope-pairing:part"])


@pytest.mark.parametrize("slip", ["base", "missing", "plain positions", "shifted"])
@pytest.mark.parametrize("turned", [4, 8])
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_another_slip_is_not_called_one_of_how_many_dimensions(dtype: Any, turned: int, slip: str) -> None:
    right = Kernel(turned=turned, at=LATER)
    changed, cause = SLIPS[slip]
    dump = slipped(right, right.with_(**changed), "q_proj", "Q", "K")
    dump |= {name: dump[name].astype(dtype) for name in ("Q", "K")}
    assert ids(compare(dump, options(right))) == [cause]
