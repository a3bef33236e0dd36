"""The options of a dump, `workings.dump/1`: read and checked here, and turned into the one description of attention."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import isqrt
from typing import Any

from workings.steps.language import Const
from workings.steps.literal import Literal
from workings.steps.spec import FULLY_MASKED, LSE_BASES, PAIRS, QK_NORMS, AttentionSpec, Mask, Rope
from workings.terms.errors import BadOption, OptionForm, UnknownOption
from workings.terms.numbers import FORMATS

SCHEMA = "workings.dump/1"
ROOT = "1/sqrt(d)"
LAYOUTS = ("bhtd", "bthd")
CAUSAL = ("none", "top-left", "bottom-right")
ROPES = ("none", *PAIRS)
CHOICES: Mapping[str, tuple[str, ...]] = {  # options that take one of a few words, and these
    "layout": LAYOUTS,
    "causal": CAUSAL,
    "softmax_dtype": tuple(FORMATS),
    "lse_base": LSE_BASES,
    "fully_masked": FULLY_MASKED,
    "rope": ROPES,
    "qk_norm": QK_NORMS,
}
USUAL_BASE = Fraction(10_000)
USUAL_EPS = Fraction(1, 100_000)
LARGEST = 2**31
OF_ROOT = re.compile(r"(\d{1,9})/sqrt\(([1-9]\d{0,8})\)")
ROOT_PLACES = 10**30  # a root that never ends is told to so many places; float64 has room for 16 digits


@dataclass(frozen=True)
class Options:
    """What a kernel was asked for; what is left out means plain attention.

    Attributes:
        multiply_by: the number scores are multiplied by; None for 1/√d.
        window: keys to the left and to the right of the query's own; None for no limit.
        softmax_dtype: None for float32, or float64 in a dump of float64.
        rope_base: None for the usual one; where it is told, cosines and sines in the dump are judged by it.
        rotary_dim: how many dimensions are rotated, the first ones; None for all.
        qk_norm, eps: whether queries and keys are normalised, before the rotation or after it, and the ε of that norm.
        alibi: whether slopes that are not in the dump are the published ones.
        heads, kv_heads: needed only where a dump begins at X.
    """

    layout: str = "bhtd"
    causal: str = "none"
    multiply_by: Fraction | None = None
    window: tuple[int | None, int | None] = (None, None)
    softcap: Fraction | None = None
    softmax_dtype: str | None = None
    lse_base: str = "e"
    fully_masked: str = "zero"
    rope: str = "none"
    rope_base: Fraction | None = None
    rotary_dim: int | None = None
    qk_norm: str = "none"
    eps: Fraction = USUAL_EPS
    alibi: bool = False
    heads: int = 1
    kv_heads: int | None = None

    def changed(self, written: Mapping[str, Any]) -> Options:
        """With options as they stand in a file or behind flags. Raises ``UnknownOption`` or ``BadOption``."""
        changes: dict[str, Any] = {}
        for name, value in written.items():
            if name == "schema":
                _choice(SCHEMA)("schema", value)
            elif name not in READ:
                raise UnknownOption(option=str(name), known=list(READ))
            else:
                changes[name] = READ[name](name, value)
        return replace(self, **changes)

    def mask(self, *, table: bool) -> Mask:
        """Who may look at whom, the mask of the dump (``table``) besides."""
        left, right = self.window
        if self.causal != "none":
            right = 0 if right is None else min(right, 0)
        if left is None and right is None and not table:
            return Mask()
        return Mask("band", left=left, right=right, top_left=self.causal == "top-left", table=table)

    def spec(self, heads: int, kv_heads: int, *, table: bool, bias: bool, sink: bool, slopes: bool) -> AttentionSpec:
        """The description that recipes are built from, with what stands in the dump as arrays."""
        position = "alibi" if slopes or self.alibi else "none"
        return AttentionSpec(
            heads=heads,
            kv_heads=kv_heads,
            divide_by=None if self.multiply_by is None else literal(1 / self.multiply_by),
            softmax="shifted",
            mask=self.mask(table=table),
            softcap=None if self.softcap is None else literal(self.softcap),
            sink=sink,
            bias=bias,
            position=position if self.rope == "none" else "rope",
            rope=Rope(PAIRS[0] if self.rope == "none" else self.rope, rotary_dim=self.rotary_dim),
            qk_norm=self.qk_norm,
            fully_masked=self.fully_masked,
            lse_base=self.lse_base,
        )

    def data(self) -> dict[str, Any]:
        """As they would stand in a dump, all of them."""
        out: dict[str, Any] = {"schema": SCHEMA}
        for item in fields(self):
            value = getattr(self, item.name)
            out[item.name] = float(value) if isinstance(value, Fraction) else value
        out["multiply_by"] = ROOT if self.multiply_by is None else float(self.multiply_by)
        out["window"] = list(self.window)
        return out


def literal(value: Fraction) -> Literal:
    """A number of the options as recipes hold it."""
    return Literal(str(value), Const(value))


# --- what each option takes ------------------------------------------------------------------------------------------


def _refuse(option: str, seen: object, *choices: str) -> BadOption:
    return BadOption(option=option, seen=str(seen), choices=list(choices))


def _like(option: str, seen: object, *examples: str) -> OptionForm:
    return OptionForm(option=option, seen=str(seen), examples=list(examples))


def _choice(*choices: str) -> Callable[[str, Any], str]:
    def read(option: str, value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise _refuse(option, value, *choices)
        return value

    return read


def _number(value: Any) -> Fraction | None:
    """A finite number, written as one or as text (``0.125``, ``1/3``)."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)) or len(str(value)) > 40:
        return None
    try:
        number = Fraction(value)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return number if Fraction(1, 10**30) < abs(number) < 10**30 else None


def _of_root(value: Any) -> Fraction | None:
    """A number over a root, ``1/sqrt(16)``; exact where the root is."""
    found = OF_ROOT.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    above, square = _number(found[1]), _number(found[2])
    if above is None or square is None:
        return None
    return above * ROOT_PLACES / isqrt(int(square * ROOT_PLACES**2))


def _scale(option: str, value: Any) -> Fraction | None:
    if value is None or value == ROOT:
        return None
    number = _number(value) or _of_root(value)
    if number is None:
        raise _like(option, value, ROOT, "1/sqrt(16)", "1/3", "0.125")
    return number


def _positive(option: str, value: Any) -> Fraction:
    number = _number(value)
    if number is None or number <= 0:
        raise _like(option, value, "50.0", "10000")
    return number


def _eps(option: str, value: Any) -> Fraction:
    return Fraction(0) if type(value) in (int, float) and value == 0 else _positive(option, value)


def _or_none(read: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
    return lambda option, value: None if value is None else read(option, value)


def _window(option: str, value: Any) -> tuple[int | None, int | None]:
    if value is None:
        return (None, None)
    sizes = list(value) if isinstance(value, (list, tuple)) else []
    if len(sizes) != 2 or not all(size is None or (type(size) is int and 0 <= size < LARGEST) for size in sizes):
        raise _like(option, value, "[127, 0]", "[127, null]")
    return sizes[0], sizes[1]


def _count(*examples: str) -> Callable[[str, Any], int]:
    def read(option: str, value: Any) -> int:
        if type(value) is not int or not 0 < value < 2**16:
            raise _like(option, value, *examples)
        return value

    return read


def _truth(option: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _refuse(option, value, "true", "false")
    return value


def _base(option: str, value: Any) -> str:
    return _choice(*CHOICES["lse_base"])(option, str(value) if type(value) is int else value)


READ: dict[str, Callable[[str, Any], Any]] = {
    **{name: _choice(*choices) for name, choices in CHOICES.items()},
    "multiply_by": _scale,
    "window": _window,
    "softcap": _or_none(_positive),
    "softmax_dtype": _or_none(_choice(*CHOICES["softmax_dtype"])),
    "lse_base": _base,
    "rope_base": _or_none(_positive),
    "eps": _eps,
    "alibi": _truth,
    "rotary_dim": _or_none(_count("32", "64")),
    "heads": _count("1", "12"),
    "kv_heads": _or_none(_count("1", "12")),
}
