"""What a comparison says: where differences begin, conventions, what is not finite; and the memory it takes."""

from __future__ import annotations

import json
import re
import tracemalloc
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.dumps import plain_dump, safetensors
from workings.checking.causes.registry import BY_ID, CAUSES
from workings.checking.dumps.compare import compare
from workings.checking.dumps.judge import BLOCK_CELLS
from workings.checking.dumps.options import READ, Options
from workings.checking.dumps.report import comparison_data
from workings.render.words import Words
from workings.terms.errors import (
    BadOption,
    MissingTensor,
    NothingJudged,
    NothingToCompare,
    OptionForm,
    OptionIdle,
    TensorRank,
    TensorShape,
    TensorType,
    UnknownOption,
    WorkingsError,
)


def test_causes_have_one_id_and_both_languages() -> None:
    assert len(BY_ID) == len(CAUSES)
    assert all(set(cause.title) == {"en", "zh"} and all(cause.title.values()) for cause in CAUSES)
    assert all((cause.changes is None) != (cause.pattern is None) for cause in CAUSES)


def test_followers_are_told_from_the_first_wrong_step() -> None:
    dump = plain_dump(tokens=6)
    scaled = dump["Q"] @ dump["K"].transpose(0, 2, 1) / 4
    weights = np.exp(scaled) / np.exp(scaled).sum(-1, keepdims=True)
    found = compare({**dump, "scaled": scaled, "weight": weights, "head_output": weights @ dump["V"]})
    counts = {census.name: (census.over > 0, census.begin > 0) for census in found.arrays}
    assert counts == {"scaled": (True, True), "weight": (True, False), "head_output": (True, False)}
    assert found.first_step == "scaled"
    assert "scale:d_k" in [cause.id for cause in found.causes]


def test_where_and_worst() -> None:
    dump = plain_dump(tokens=200)
    dump["weight"][1, 150, 7] += 0.5
    found = compare(dump)
    data = comparison_data(found, "en")
    assert data["where"]["weight"] == {
        "batches": [0],
        "heads": [1],
        "rows": 1,
        "first_rows": [150],
        "first": 150,
        "last": 150,
        "blocks_64": 1,
        "blocks_128": 1,
    }
    assert data["arrays"][0]["worst"][0]["index"] == [0, 1, 150, 7]
    assert data["causes"] == []


@pytest.mark.parametrize(
    ("fill", "kind"), [(0.0, "zero"), (np.nan, "nan"), (0.25, "uniform")], ids=["zero", "nan", "uniform"]
)
def test_conventions_of_rows_without_a_key_are_recognised(fill: float, kind: str) -> None:
    scores = np.zeros((1, 2, 4))
    mask = np.array([[[False] * 4, [True] * 4]])
    weight = np.array([[[fill] * 4, [0.25] * 4]], np.float32)
    dump = {"score": scores, "mask": mask, "weight": weight}
    found = compare(dump, multiply_by=1)
    assert found.conventions == {"weight": {kind: 1}}
    assert found.holds == (kind == "zero")
    assert compare(dump, multiply_by=1, fully_masked=kind).holds
    if kind != "zero":
        assert f"fully-masked-row:{kind}" in [cause.id for cause in found.causes]


def test_what_is_masked_never_reaches_the_output() -> None:
    dump = plain_dump(tokens=3)
    dump["V"][:, 2] = np.nan
    right = plain_dump(tokens=3)
    scores = right["Q"] @ right["K"].transpose(0, 2, 1) / 2
    scores[:, :, 2] = -np.inf
    weight = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    output = weight[:, :, :2] @ right["V"][:, :2]
    found = compare({**dump, "mask": np.array([True, True, False]), "weight": weight, "head_output": output})
    assert found.holds
    assert [(item.name, item.nan, item.first) for item in found.not_finite] == [("V", 8, (0, 0, 2, 0))]


@pytest.mark.parametrize("flushed", [False, True])
def test_weights_too_small_for_float32_may_be_kept_or_flushed(flushed: bool) -> None:
    """e^−88 to e^−103 are subnormal numbers, which some kernels keep, less exact than others, and some take for 0."""
    score = np.array([[0.0, -0.5, *np.arange(-88.0, -104, -0.25)]], np.float32)
    power = np.exp(score)
    if flushed:
        power[power < np.finfo(np.float32).tiny] = 0
    dump = {"score": score, "weight": power / power.sum(), "lse": np.log(power.sum(-1))}
    found = compare(dump, multiply_by=1)
    assert found.holds
    assert found.arrays[0].tells
    lost = compare({**dump, "weight": np.where(power < 1e-37, 0, dump["weight"]) + np.float32(2e-38)}, multiply_by=1)
    assert not lost.holds


def test_infinite_scores_in_half_precision_are_told() -> None:
    q = np.full((100, 64), 100, np.float16)
    score = np.full((100, 100), np.inf, np.float16)  # 640,000 is more than the type holds
    found = compare({"Q": q, "K": q, "score": score})
    (census,) = found.arrays
    assert (census.one_sided, census.first_nonfinite) == (10_000, (0, 0, 0, 0))
    assert census.worst[0].value == 640_000
    assert "fp16-overflow" in [cause.id for cause in found.causes]


@pytest.mark.parametrize("dtype", ["F32", "BF16"])
def test_files_of_either_kind_and_order(dtype: str, tmp_path: Path) -> None:
    dump = plain_dump(tokens=5, heads=3)
    arrays: dict[str, tuple[str, Any]] = {}
    for name, values in dump.items():
        turned = values if name == "weight" else values.swapaxes(0, 1)[None]
        bits = (np.ascontiguousarray(turned).view(np.uint32) >> 16).astype(np.uint16)
        arrays[name] = (dtype, bits if dtype == "BF16" else turned)
    if dtype == "BF16":
        arrays = {name: arrays[name] for name in ("Q", "K", "V")}
        arrays["lse"] = ("F32", np.zeros((3, 5), np.float32))
    path = safetensors(tmp_path / "a.safetensors", arrays, {"workings": '{"layout": "bthd"}'})
    assert compare(path).holds == (dtype == "F32")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"K": np.zeros((2, 5, 5))}, TensorShape),
        ({"V": np.zeros((2, 4, 4))}, TensorShape),
        ({"weight": np.zeros((2, 5, 4))}, TensorShape),
        ({"mask": np.ones((3, 5), bool)}, TensorShape),
        ({"lse": np.zeros((2, 5, 1, 1, 1))}, TensorRank),
    ],
)
def test_shapes_that_do_not_fit(changes: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        compare({**plain_dump(), **changes})


def test_row_25_names_both_shapes() -> None:
    with pytest.raises(TensorShape) as caught:
        compare({"Q": np.zeros((2, 4)), "K": np.zeros((3, 5)), "lse": np.zeros(2)})
    said = Words("en").error(caught.value)
    assert "3 × 5" in said
    assert "2 × 4" in said


def test_what_is_missing_and_what_is_not_known() -> None:
    dump = plain_dump()
    with pytest.raises(MissingTensor) as missing:
        compare({"query": dump["Q"], "weight": dump["weight"]})
    assert "This one holds query (2 × 5 × 4)" in Words("en").error(missing.value)
    with pytest.raises(MissingTensor) as empty:
        compare({})
    assert "holds Q, K and V, or score" in Words("en").error(empty.value)
    with pytest.raises(NothingToCompare) as inputs:
        compare({"Q": dump["Q"], "K": dump["K"], "my_weights": dump["weight"]})
    assert "my_weights (2 × 5 × 5)" in Words("en").error(inputs.value)
    assert "my_weights" in Words("zh").error(inputs.value)
    with pytest.raises(UnknownOption):
        compare(dump, mask="causal")
    with pytest.raises(OptionForm, match=re.escape("1/sqrt(16)")):
        compare({"score": dump["weight"], "weight": dump["weight"]})


def test_what_no_step_makes_is_not_within_tolerance() -> None:
    dump = plain_dump()
    for alone in ({"head_output": dump["head_output"]}, {"capped": dump["weight"], "masked": dump["weight"]}):
        with pytest.raises(NothingJudged) as refused:
            compare({"Q": dump["Q"], "K": dump["K"], **alone})
        assert all(name in Words(lang).error(refused.value) for name in alone for lang in ("en", "zh"))
    assert compare({"Q": dump["Q"], "K": dump["K"], "weight": dump["weight"], "capped": dump["weight"]}).not_judged


PROJECTED = {"X": (3, 6), "W_Q": (6, 4), "W_K": (6, 4), "W_V": (6, 4), "output": (3, 4)}


@pytest.mark.parametrize(
    ("changes", "options", "error", "said"),
    [
        ({"W_Q": (6, 5)}, {"heads": 2}, TensorShape, "W_Q is 6 × 5, so q_width would be 5; it is 2 × d_k by heads."),
        ({"W_K": (5, 4)}, {"heads": 2}, TensorShape, "W_K is 5 × 4, so d_model would be 5; it is 6 by X."),
        ({"W_Q": (6,)}, {"heads": 2}, TensorRank, "W_Q is 6, but its axes are d_model and q_width."),
        ({}, {"heads": 2, "kv_heads": 4}, BadOption, "The option kv_heads cannot be 4. It is one of 1 and 2."),
    ],
)
def test_weights_that_do_not_fit(
    changes: dict[str, Any], options: dict[str, Any], error: type[WorkingsError], said: str
) -> None:
    with pytest.raises(error) as refused:
        compare({name: np.ones(shape) for name, shape in {**PROJECTED, **changes}.items()}, options)
    assert said in Words("en").error(refused.value)


def test_positions_are_whole_numbers() -> None:
    turned = np.ones((3, 4))
    with pytest.raises(TensorType):
        compare({"q_proj": turned, "k_proj": turned, "Q": turned, "positions": np.array([0.5, 1, 2])}, rope="half")


@pytest.mark.parametrize("shape", [(0, 1, 3, 2), (1, 0, 3, 2), (1, 1, 0, 2), (1, 1, 1, 2)])
def test_empty_batches_and_sequences(shape: tuple[int, ...]) -> None:
    found = compare({name: np.zeros(shape) for name in ("Q", "K", "V", "head_output")})
    assert found.holds


def test_vectors_without_a_number_have_the_score_0() -> None:
    empty = np.zeros((2, 3, 0))
    assert compare({"Q": empty, "K": empty, "weight": np.full((2, 3, 3), 1 / 3)}, multiply_by=1).holds


def test_a_billion_tokens_of_nothing_are_refused() -> None:
    from workings.terms.errors import TensorFileTooLarge

    wide = np.broadcast_to(np.zeros((1, 1), np.float32), (10**9, 1))
    with pytest.raises(TensorFileTooLarge):
        compare({"Q": wide, "K": wide, "lse": np.broadcast_to(np.float32(0), (10**9,))})


def test_memory_is_bounded_by_blocks_of_rows() -> None:
    """What is held grows with the tokens, never with their square: blocks, and what was given, as float64."""
    tokens, heads, width = 2048, 4, 16
    dump = plain_dump(tokens, heads, width)
    compare(plain_dump())  # what is loaded and kept for good
    tracemalloc.start()
    found = compare(dump)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.holds
    given = 4 * heads * tokens * width * 8
    arrays_at_once = 40  # values, sizes, errors and scratch of the steps of one head
    assert peak < given * 4 + arrays_at_once * BLOCK_CELLS * 8
    assert tokens * tokens / 8 > BLOCK_CELLS


def _rotary(base: float, *, doubled: bool = False, rows: int = 5) -> dict[str, Any]:
    """Vectors turned by angles of a base, with the tables that turned them."""
    random = np.random.default_rng(2)
    before = random.normal(size=(2, 1, 5, 4))
    angle = np.arange(rows)[:, None] * base ** (-np.arange(2) / 2)
    first, second = before[..., :2], before[..., 2:]
    cos, sin = np.cos(angle), np.sin(angle)
    q, k = np.concatenate([first * cos[:5] - second * sin[:5], first * sin[:5] + second * cos[:5]], axis=-1)
    tables = {"cos": cos, "sin": sin}
    if doubled:
        tables = {name: np.concatenate([table, table], axis=1)[None] for name, table in tables.items()}
    return {"q_proj": before[0], "k_proj": before[1], "Q": q, "K": k, **tables}


@pytest.mark.parametrize("doubled", [False, True])
@pytest.mark.parametrize("rows", [5, 9])
def test_tables_of_a_kernel_are_used_as_they_are(doubled: bool, rows: int) -> None:
    dump = _rotary(77.0, doubled=doubled, rows=rows)
    found = compare(dump, rope="half")
    assert (found.holds, found.conclusive, [census.name for census in found.arrays]) == (True, True, ["Q", "K"])
    without = {name: values for name, values in dump.items() if name not in ("cos", "sin")}
    assert not compare(without, rope="half").holds
    dump["Q"] = dump["Q"] + 0.1
    assert compare(dump, rope="half").first_step == "Q"


def test_tables_are_judged_where_their_base_is_told() -> None:
    dump = _rotary(5e6)
    found = compare(dump, rope="half", rope_base=5_000_000)
    assert (found.holds, [census.name for census in found.arrays]) == (True, ["cos", "sin", "Q", "K"])
    found = compare(dump, rope="half", rope_base=10_000)
    assert [(census.name, census.over > 0) for census in found.arrays] == [
        ("cos", True),
        ("sin", True),
        ("Q", False),
        ("K", False),
    ]
    assert (found.first_step, [cause.id for cause in found.causes]) == ("cos", ["rope-pairing:base-5000000"])


def test_tables_that_fit_no_token_or_another_pairing_are_refused() -> None:
    dump = _rotary(77.0, doubled=True)
    with pytest.raises(BadOption):
        compare(dump, rope="interleaved")
    with pytest.raises(TensorShape):
        compare({**dump, "cos": dump["cos"][:, :3]}, rope="half")
    with pytest.raises(TensorShape):
        compare({**dump, "sin": dump["sin"][..., :3]}, rope="half")
    with pytest.raises(TensorRank):
        compare({**dump, "sin": dump["sin"][0, 0]}, rope="half")


@pytest.mark.parametrize("rope", ["none", "half"])
@pytest.mark.parametrize("shape", [(), (8,), (1, 8, 8)])
def test_weights_of_queries_that_are_no_matrix_are_refused(shape: tuple[int, ...], rope: str) -> None:
    eight = np.eye(8)
    dump = {"X": np.ones((5, 8)), "W_Q": np.ones(shape), "W_K": eight, "W_V": eight, "Q": np.ones((5, 8))}
    with pytest.raises(TensorRank) as caught:
        compare(dump, rope=rope)
    assert caught.value.values == {"name": "W_Q", "shape": list(shape), "axes": ["d_model", "q_width"]}


def test_the_output_projection_of_a_dump_that_begins_at_the_heads() -> None:
    dump = plain_dump()
    random = np.random.default_rng(3)
    w, b = random.normal(size=(8, 3)), random.normal(size=3)
    output = np.concatenate(list(dump["head_output"]), axis=1) @ w + b
    assert compare({**dump, "W_O": w, "b_O": b, "output": output}).holds
    assert compare({**dump, "W_O": w, "b_O": b, "output": output - b}).first_step == "output"


def test_what_was_not_read_or_judged_is_told() -> None:
    dump = plain_dump()
    assert compare(dump).conclusive
    found = compare({**dump, "masked": dump["weight"], "positions": np.arange(5), "X": dump["V"][0], "note": dump["V"]})
    assert (found.not_judged, found.unused, found.conclusive) == (["masked"], ["X", "note", "positions"], False)
    data = comparison_data(found, "en")
    assert (data["not_judged"], data["conclusive"], data["holds"]) == (["masked"], False, True)


def test_a_tolerance_as_large_as_its_numbers_tells_nothing() -> None:
    q = np.full((2, 4), 1000.0, np.float16)
    wide = {"Q": q, "K": q, "V": np.zeros((2, 4)), "weight": np.full((2, 2), 0.5, np.float16)}
    found = compare(wide, softmax_dtype="float16")
    assert (found.holds, [census.tells for census in found.arrays], found.conclusive) == (True, [False], False)
    exact = {"Q": q * 0, "K": q, "V": np.zeros((2, 4)), "head_output": np.zeros((2, 4))}
    assert compare(exact).conclusive


def test_a_cause_is_looked_for_on_few_rows_and_confirmed_on_all() -> None:
    dump = plain_dump(tokens=300)
    scores = dump["Q"] @ dump["K"].transpose(0, 2, 1)
    weight = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    found = compare({**dump, "weight": weight, "head_output": weight @ dump["V"]})
    assert [cause.id for cause in found.causes] == ["scale:missing"]
    assert (found.found.rows, found.found.of) == (600, 600)
    weight[1, 299, 0] += 0.5
    assert compare({**dump, "weight": weight}).causes == []


def test_of_very_many_rows_some_from_everywhere_are_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    from workings.checking.dumps import finding, judge

    dump = plain_dump(tokens=300)
    scores = dump["Q"] @ dump["K"].transpose(0, 2, 1)
    wrong = {**dump, "weight": np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)}
    monkeypatch.setattr(judge, "BLOCK_CELLS", 300 * 10)
    monkeypatch.setattr(finding, "MOST_CELLS", 300 * 100)
    found = compare(wrong)
    assert [cause.id for cause in found.causes] == ["scale:missing"]
    assert (found.found.rows, found.found.of) == (100, 600)
    assert comparison_data(found, "en")["causes_confirmed"] == {"rows": 100, "of": 600}


def test_the_work_of_a_search_grows_with_its_survivors_alone() -> None:
    """Twice the rows: what is tried on a few costs the same, what is confirmed on all twice as much."""
    from tests.support.effort import effort

    def work(tokens: int, share: float) -> int:
        dump = plain_dump(tokens=tokens, heads=1)
        dump["weight"] = (dump["weight"] * share).astype(np.float32)
        return effort(lambda: compare(dump))

    searched = [work(tokens, 0.9) - work(tokens, 1.0) for tokens in (256, 512)]
    assert searched[1] < 1.5 * searched[0]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1/sqrt(16)", Fraction(1, 4)),
        ("3/sqrt(4)", Fraction(3, 2)),
        ("1/16", Fraction(1, 16)),
        ("0.25", Fraction(1, 4)),
        (2, Fraction(2)),
    ],
)
def test_what_scores_are_multiplied_by(written: Any, value: Fraction) -> None:
    assert Options().changed({"multiply_by": written}).multiply_by == value


def test_a_root_that_never_ends_is_nearer_than_any_float() -> None:
    factor = Options().changed({"multiply_by": "1/sqrt(96)"}).multiply_by
    assert factor is not None
    assert float(factor) == pytest.approx(96**-0.5, rel=2**-53)
    assert abs(factor * factor * 96 - 1) < Fraction(1, 10**28)


@pytest.mark.parametrize("option", READ)
@pytest.mark.parametrize("seen", ["1/sqrt(0)", "1/sqrt(-4)", "1/0", "sqrt", "", "1/sqrt(16", [1], {}, float("nan")])
def test_examples_and_choices_of_an_option_are_taken_by_it(option: str, seen: Any) -> None:
    """What an error names is accepted; only where nothing else is, it says so."""
    with pytest.raises((BadOption, OptionForm)) as caught:
        Options().changed({option: seen})
    values = caught.value.values
    for told in values["examples" if "examples" in values else "choices"]:
        try:
            read: Any = json.loads(told)
        except ValueError:
            read = told
        Options().changed({option: read})
    endless = option in ("multiply_by", "window", "softcap", "rope_base", "rotary_dim", "eps", "heads", "kv_heads")
    assert ("examples" in values) == endless
    for lang in ("en", "zh"):
        assert option in Words(lang).error(caught.value)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("heads", 3), ("kv_heads", 1), ("rope", "half"), ("qk_norm", "rms"), ("rope_base", 500), ("rotary_dim", 2),
        ("eps", 0.5),
        ("lse_base", "2"),
    ],
)  # fmt: skip
def test_an_option_that_changes_nothing_is_refused(option: str, value: Any) -> None:
    """Where it is asked for by itself; a table that tells of a kernel may tell more than a dump shows."""
    dump = plain_dump(heads=2)
    with pytest.raises(OptionIdle) as caught:
        compare(dump, **{option: value})
    for lang in ("en", "zh"):
        said = Words(lang).error(caught.value)
        assert option in said
        assert f": {caught.value.values['why']}." not in said  # a sentence, and not its key
    assert compare(dump, {option: value}).holds
    usual = getattr(Options(), option)
    assert compare(dump, **{option: str(usual) if option == "eps" else usual}).holds


def test_an_option_may_say_what_the_arrays_say() -> None:
    assert compare(plain_dump(heads=2), heads=2, kv_heads=2).holds
