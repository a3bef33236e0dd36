"""The tables [attention] and [block] of an example: what kind of attention, and what surrounds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workings.examples.fields import ATTENTION, BLOCK, SIZES
from workings.examples.limits import MAX_CELLS, MAX_HEADS, MAX_LAYERS, MAX_POSITION, MAX_TOKENS, within
from workings.examples.place import Place
from workings.examples.values import (
    choice,
    describe,
    flag,
    number,
    plain_list,
    positive,
    sign,
    table,
    whole,
    wrong_type,
)
from workings.steps.literal import Literal, read_literal
from workings.steps.spec import (
    FEED_FORWARD,
    NORMS,
    PAIRS,
    POSITIONS,
    QK_NORMS,
    SOFTMAX,
    AttentionSpec,
    BlockSpec,
    Mask,
    Rope,
)
from workings.terms.errors import (
    DivideByZero,
    FieldConflict,
    HeadsNotGrouped,
    MissingField,
    RaggedMatrix,
    ShapeMismatch,
    UnknownChoice,
)

TRUE_ROOT = ("sqrt(d_k)", "√d_k", "√(d_k)", "sqrt(dk)")
MASK_CHOICES = ("none", "causal", "window:N", "causal-top-left", "[[1, 0], …]")
DEFAULT_BASE, DEFAULT_EPS = "10000", "1e-5"


@dataclass(frozen=True)
class Settings:
    """What the two tables say.

    Attributes:
        spec, block: the description that the recipe is built from.
        scalars: single numbers given besides (``divide_by``, ``eps`` …), by array name.
        sizes: axis lengths that the author states (``d_k`` …).
        softmax_stated: whether the author chose the form of the softmax.
    """

    spec: AttentionSpec
    block: BlockSpec
    scalars: Mapping[str, Literal]
    sizes: Mapping[str, int]
    softmax_stated: bool

    def learning(self, rate: Literal) -> Settings:
        """The same with one step of training behind it."""
        return replace(self, block=replace(self.block, learn=True), scalars={**self.scalars, "rate": rate})


def read_settings(attention: Any, block: Any, layer_tables: int, root: Place) -> Settings:
    """Both tables; ``layer_tables`` is the number of [[layer]] tables, for when ``layers`` is not stated."""
    place, around_place = root / "attention", root / "block"
    given = table(attention, place, ATTENTION)
    around = table(block, around_place, BLOCK)
    scalars: dict[str, Literal] = {}
    spec = _attention(given, place, scalars)
    block_spec = _block(around, around_place, layer_tables, root)
    eps = positive(around.get("eps", DEFAULT_EPS), around_place / "eps", zero=True)
    if block_spec.norm != "none" or spec.qk_norm != "none":
        scalars["eps"] = eps
    sizes = {name: whole(given[name], place / name, 1, MAX_CELLS, name) for name in SIZES if name in given}
    if "d_ff" in around:
        sizes["d_ff"] = whole(around["d_ff"], around_place / "d_ff", 1, MAX_CELLS, "d_ff")
    return Settings(spec, block_spec, scalars, sizes, "softmax" in given)


def _attention(given: Mapping[str, Any], place: Place, scalars: dict[str, Literal]) -> AttentionSpec:
    heads = whole(given.get("heads", 1), place / "heads", 1, MAX_HEADS, "heads")
    kv_heads = whole(given.get("n_kv_heads", heads), place / "n_kv_heads", 1, MAX_HEADS, "heads")
    if heads % kv_heads:
        raise HeadsNotGrouped(heads=heads, n_kv_heads=kv_heads).at(str(place / "n_kv_heads"))
    divide_by = _divisor(given, "divide_by", place)
    softcap = _divisor(given, "softcap", place)
    for name, literal in (("divide_by", divide_by), ("softcap", softcap)):
        if literal is not None:
            scalars[name] = literal
    softmax, block_size = _softmax(given, place)
    position, rope = _position(given, place)
    if position in ("rope", "sinusoidal"):
        scalars["position_base"] = rope.base or read_literal(DEFAULT_BASE)
    return AttentionSpec(
        heads=heads,
        kv_heads=kv_heads,
        divide_by=divide_by,
        softmax=softmax,
        block_size=block_size,
        mask=_mask(given.get("mask", "none"), place / "mask"),
        softcap=softcap,
        sink="sink" in given,
        bias="bias" in given,
        position=position,
        rope=rope,
        qk_norm=_qk_norm(given, place, position),
    )


def _qk_norm(given: Mapping[str, Any], place: Place, position: str) -> str:
    """Whether queries and keys are normalised, and where; after a rotation only where there is one."""
    kind = choice(given.get("qk_norm", "none"), QK_NORMS, place / "qk_norm")
    if kind == "rms-after-rope" and position != "rope":
        raise FieldConflict(field="qk_norm", other="position", why="norm-after-rope").at(str(place / "qk_norm"))
    return kind


def _softmax(given: Mapping[str, Any], place: Place) -> tuple[str, int]:
    """How the softmax is worked, and how many keys a block has; 0 where it does not go by blocks."""
    softmax = choice(given.get("softmax", "plain"), SOFTMAX, place / "softmax")
    stated = "block_size" in given
    if softmax == "online" and not stated:
        raise MissingField(field="block_size", why="online").at(str(place / "block_size"))
    if softmax != "online" and stated:
        raise FieldConflict(field="block_size", other="softmax", why="not-online").at(str(place / "block_size"))
    return softmax, whole(given["block_size"], place / "block_size", 1, MAX_TOKENS, "block_size") if stated else 0


def _divisor(given: Mapping[str, Any], key: str, place: Place) -> Literal | None:
    """A number that is divided by; None where it is not stated (for the scores that means √d_k)."""
    value = given.get(key)
    if value is None and key not in given:
        return None
    if key == "divide_by" and isinstance(value, str) and value.replace(" ", "") in TRUE_ROOT:
        return None
    literal = number(value, place / key)
    if sign(literal.value) == 0:
        raise DivideByZero(address=key).at(str(place / key))
    return literal


def _mask(value: Any, place: Place) -> Mask:
    rows = plain_list(value)
    if rows is not None:
        return Mask("matrix", allowed=_allowed(rows, place))
    if isinstance(value, str) and value.startswith("window:"):
        width = value.removeprefix("window:").strip()
        if not (width.isascii() and width.isdigit()) or int(width[:10]) < 1:
            raise UnknownChoice(seen=describe(value), choices=list(MASK_CHOICES)).at(str(place))
        return Mask("window", window=within("window", int(width[:100]), MAX_TOKENS, place))
    if value not in ("none", "causal", "causal-top-left"):
        raise UnknownChoice(seen=describe(value), choices=list(MASK_CHOICES)).at(str(place))
    return Mask(value)


def _allowed(rows: Sequence[Any], place: Place) -> tuple[tuple[int, ...], ...]:
    """A matrix of 0 and 1."""
    within("tokens", len(rows), MAX_TOKENS, place)
    out: list[tuple[int, ...]] = []
    for i, row in enumerate(rows):
        items = plain_list(row)
        if not items:
            wrong_type(row, "row", place / i)
        within("tokens", len(items), MAX_TOKENS, place / i)
        if out and len(items) != len(out[0]):
            raise RaggedMatrix(row=i, seen=len(items), expected=len(out[0])).at(str(place / i))
        for j, item in enumerate(items):
            if isinstance(item, bool) or str(item) not in ("0", "1"):
                wrong_type(item, "zero-or-one", place / i / j)
        out.append(tuple(int(item) for item in items))
    if not out:
        wrong_type(rows, "matrix", place)
    return tuple(out)


def check_mask(mask: Mask, tokens: int, keys: int, place: Place) -> None:
    """A matrix mask has a row for each query and a column for each key."""
    if mask.kind != "matrix":
        return
    shape = [len(mask.allowed), len(mask.allowed[0])]
    for axis, size, expected in (("query", shape[0], tokens), ("key", shape[1], keys)):
        if size != expected:
            raise ShapeMismatch(name="mask", shape=shape, axis=axis, size=size, expected=expected, because="tokens").at(
                str(place)
            )


def _position(given: Mapping[str, Any], place: Place) -> tuple[str, Rope]:
    kind = choice(given.get("position", "rope" if "rope" in given else "none"), POSITIONS, place / "position")
    if "rope" not in given:
        return kind, Rope()
    at = place / "rope"
    if kind != "rope":
        raise FieldConflict(field="rope", other="position", why="not-rope").at(str(at))
    told = table(given["rope"], at, ("pairs", "base", "position", "rotary_dim"))
    positions = None
    if "position" in told:
        items = plain_list(told["position"])
        if items is None:
            wrong_type(told["position"], "list-of-numbers", at / "position")
        positions = tuple(
            whole(item, at / "position" / i, -MAX_POSITION, MAX_POSITION, "position") for i, item in enumerate(items)
        )
    base = positive(told["base"], at / "base") if "base" in told else None
    turned = whole(told["rotary_dim"], at / "rotary_dim", 1, MAX_CELLS, "rotary_dim") if "rotary_dim" in told else None
    return kind, Rope(choice(told.get("pairs", "half"), PAIRS, at / "pairs"), base, positions, turned)


def _block(given: Mapping[str, Any], place: Place, layer_tables: int, root: Place) -> BlockSpec:
    layers = whole(given.get("layers", layer_tables or 1), place / "layers", 1, MAX_LAYERS, "layers")
    if layer_tables not in (0, layers):
        raise FieldConflict(field="layer", other="layers", why="count").at(str(root / "layer"))
    return BlockSpec(
        residual=flag(given.get("residual", False), place / "residual"),
        norm=choice(given.get("norm", "none"), NORMS, place / "norm"),
        feed_forward=choice(given.get("ffn", "none"), FEED_FORWARD, place / "ffn"),
        layers=layers,
    )
