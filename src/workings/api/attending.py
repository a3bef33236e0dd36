"""Attention of any size from Python: streamed by torch, with what its weights say, and any weight on request."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from workings.api.shown import Shown
from workings.api.view import View
from workings.terms.arguments import count, place, stretch, whole
from workings.terms.errors import ArgumentForm, MissingExtra, UnknownChoice

if TYPE_CHECKING:
    from workings.explaining.tree import Document
    from workings.fast.result import Attended
    from workings.fast.weights import Cell
    from workings.steps.spec import AttentionSpec, Mask

CAUSAL = {False: "none", True: "causal", "bottom-right": "causal", "top-left": "causal-top-left"}
Sides = tuple[int | None, int | None]
Part = range | slice | int
WEIGHT, PAIR = "weight", ("query", "key")


class Attention(Shown):
    """The results of one attention; each is a tensor, with the batch before its other axes where the inputs had one.

    What ``workings.fast.result.Attended`` holds is here under the same name: ``output``, ``lse``, ``entropy``,
    ``top_weights``, ``top_keys``, ``rest``, ``sink_share``, ``column_mass``, ``mean_distance``, ``mass``, ``bounds``,
    and any weight by ``cell``, ``weights_row`` and ``weights_tile``.
    """

    def __init__(self, found: Attended, view: View) -> None:
        self._found, self._view = found, view

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._found, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *type(self._found).__dataclass_fields__})

    def cell(self, head: int, row: int, key: int, batch: int = 0) -> Cell:
        """One weight and what it is made of. Raises ``ArgumentForm`` or ``IndexOutside``."""
        here = self._place("batch", batch), self._place("head", head), self._place("query", row)
        return self._found.cell(here[1], here[2], self._place("key", key), here[0])

    def weights_row(self, head: int, row: int, batch: int = 0) -> Any:
        """The weights of one query [keys] in float64. Raises ``ArgumentForm`` or ``IndexOutside``."""
        at = self._place("batch", batch)
        return self._found.weights_row(self._place("head", head), self._place("query", row), at)

    def weights_tile(self, head: int, rows: Part, keys: Part, batch: int = 0) -> Any:
        """Weights [rows, keys] in float64, each a range, a slice or one place.

        Raises ``ArgumentForm`` or ``IndexOutside``.
        """
        parts = zip(PAIR, (rows, keys), strict=True)
        queries, columns = (stretch(WEIGHT, axis, self._size(axis), part) for axis, part in parts)
        at = self._place("batch", batch)
        return self._found.weights_tile(self._place("head", head), queries, columns, at)

    def _place(self, axis: str, given: Any) -> int:
        return place(WEIGHT, axis, self._size(axis), given)

    def _size(self, axis: str) -> int:
        of = self._found.operands
        return int({**dict(zip(("batch", "head", "query"), of.q.shape, strict=False)), "key": of.k.shape[2]}[axis])

    def document(self) -> Document:
        """A row for each head."""
        from workings.explaining.attended import overview

        return overview(self.data())

    def data(self) -> dict[str, Any]:
        """``workings.attention/1``: shapes, and of each head the means over its queries and the largest bounds."""
        found, of = self._found, self._found.operands
        batch, heads, queries, d_k = of.q.shape
        bounds = found.bounds

        def each(tensor: Any, reduced: str) -> list[float]:
            wide = tensor.double().reshape(batch * heads, -1)
            if not wide.shape[1]:
                return [0.0] * len(wide)
            return [float(one) for one in (wide.mean(1) if reduced == "mean" else wide.amax(1))]

        columns = {
            "entropy": each(found.entropy, "mean"),
            "largest_weight": each(found.top_weights[..., :1], "mean"),
            "sink_share": each(found.sink_share, "mean"),
            "output_bound": each(bounds.output, "most"),
            "lse_bound": each(bounds.lse, "most"),
            "weight_bound": each(bounds.weight, "most"),
        }
        shape = {"batch": batch, "heads": heads, "kv_heads": of.k.shape[1], "queries": queries, "keys": of.k.shape[2]}
        return {
            "schema": "workings.attention/1",
            "shape": {**shape, "d_k": d_k, "d_v": of.v.shape[3]},
            "dtype": str(of.q.dtype).removeprefix("torch."),
            "heads": [
                {
                    "batch": place // heads,
                    "head": place % heads,
                    **{name: values[place] for name, values in columns.items()},
                }
                for place in range(batch * heads)
            ],
        }

    def __repr__(self) -> str:
        _, heads, queries, _ = self._found.operands.q.shape
        return f"<Attention: {heads} heads, {queries} queries × {self._found.operands.k.shape[2]} keys>"


def attend(
    q: Any,
    k: Any,
    v: Any,
    *,
    causal: bool | str = False,
    window: Sides | None = None,
    offset: int | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    fully_masked: str = "zero",
    lse_base: str = "e",
    top: int = 8,
    column_mass: bool = False,
    mean_distance: bool = False,
    mass_on: Sequence[str] = (),
    lang: str | None = None,
    **extras: Any,
) -> Attention:
    """Softmax attention with what its weights say, in memory that grows with the tokens alone.

    Args:
        q: a torch tensor [batch?, heads, queries, d_k], as it enters the dot product; k: [batch?, kv_heads, keys, d_k],
            where kv_heads divides heads; v: [batch?, kv_heads, keys, d_v].
        causal: ``True`` or ``"bottom-right"``: aligned at the last key; ``"top-left"``: at the first.
        window: how many keys before and after its own a query may look at, None for all: ``(127, 0)``.
        offset: which key is the first query's own, counted from 0, in place of either alignment.
        scale: what the dot products are multiplied by; 1/√d_k if left out. softcap: c of c·tanh(s/c).
        fully_masked: the weights of a row with nothing allowed: ``zero``, ``uniform`` or ``nan``.
        lse_base: ``e`` or ``2``.
        top, column_mass, mean_distance, mass_on: as in ``workings.fast.streamed.attend``.
        lang: the language in which the result shows itself.
        extras: ``bias``, ``bias_by_distance``, ``allowed``, ``padding``, ``query_documents``, ``key_documents``,
            ``sinks``, ``alibi_slopes`` (``workings.fast.operands.Extras``).

    Raises:
        OperandShape, OperandType, OperandDevice, OperandMissing: tensors that do not fit together.
        UnknownChoice, UnknownMassKey, BadCount, ArgumentForm: an option that there is not.
        MissingExtra: without the packages of ``workings[models]``.
    """
    view = View().changed(lang=lang)
    spec = _spec(_mask(causal, window, offset), scale, softcap, (fully_masked, lse_base))
    try:
        from workings.fast.streamed import attend as streamed
    except ModuleNotFoundError:
        raise MissingExtra(feature="workings.attend", extra="models") from None
    wanted: dict[str, Any] = {
        "top": count("top", top),
        "column_mass": _yes("column_mass", column_mass),
        "mean_distance": _yes("mean_distance", mean_distance),
        "mass_on": _words("mass_on", mass_on),
    }
    return Attention(streamed(q, k, v, spec, **wanted, **extras), view)


def _mask(causal: Any, window: Any, offset: Any) -> Mask:
    from workings.steps.spec import Mask

    if not isinstance(causal, (bool, str)) or causal not in CAUSAL:
        raise UnknownChoice(seen=str(causal), choices=[str(choice) for choice in CAUSAL])
    kind = CAUSAL[causal]
    offset = None if offset is None else whole("offset", offset, "0", "-3")
    if window is None and kind == "none":
        return Mask()
    if window is None:
        return Mask(kind, offset=offset)
    if not isinstance(window, Sequence) or isinstance(window, str) or len(window) != 2:
        raise ArgumentForm(name="window", seen=repr(window), examples=["(127, 0)", "(127, None)"])
    left, right = (None if side is None else count("window", side) for side in window)
    return Mask(
        "band", left=left, right=right if kind == "none" else 0, top_left=kind == "causal-top-left", offset=offset
    )


def _spec(mask: Mask, scale: Any, softcap: Any, conventions: tuple[str, str]) -> AttentionSpec:
    from workings.steps.language import Const
    from workings.steps.literal import Literal
    from workings.steps.spec import FULLY_MASKED, LSE_BASES, AttentionSpec

    for wanted, choices in zip(conventions, (FULLY_MASKED, LSE_BASES), strict=True):
        if str(wanted) not in choices:
            raise UnknownChoice(seen=str(wanted), choices=list(choices))
    factor, limit = _number("scale", scale), _number("softcap", softcap)
    cap = None if limit is None else Literal(str(softcap), Const(limit))
    divisor = None if factor is None else Literal(f"1/{scale}", Const(1 / factor))
    return AttentionSpec(
        divide_by=divisor, mask=mask, softcap=cap, fully_masked=conventions[0], lse_base=conventions[1]
    )


def _number(name: str, given: Any) -> Fraction | None:
    """A finite number that is not 0, or None. Raises ``ArgumentForm``."""
    if given is None:
        return None
    try:
        value = 0.0 if isinstance(given, str) else float(given)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        value = 0.0
    if not 0 < abs(value) < math.inf:
        raise ArgumentForm(name=name, seen=repr(given), examples=["0.125", "30"])
    return Fraction(given if isinstance(given, (int, Fraction)) else value)


def _yes(name: str, given: Any) -> bool:
    """A truth value. Raises ``ArgumentForm``."""
    if type(given) is not bool:
        raise ArgumentForm(name=name, seen=repr(given), examples=["True", "False"])
    return given


def _words(name: str, given: Any) -> Sequence[str]:
    """Some words, or one alone. Raises ``ArgumentForm``."""
    if isinstance(given, str):
        return (given,)
    if not isinstance(given, Sequence):
        raise ArgumentForm(name=name, seen=repr(given), examples=['("first", "self")'])
    return given
