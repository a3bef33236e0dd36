"""Attention of any size from Python: streamed by torch, with what its weights say, and any weight on request."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from workings.api.shown import Shown
from workings.api.view import View
from workings.terms.errors import BadCount, MissingExtra, UnknownChoice

if TYPE_CHECKING:
    from workings.explaining.tree import Document
    from workings.fast.result import Attended
    from workings.steps.spec import AttentionSpec, Mask

CAUSAL = {False: "none", True: "causal", "bottom-right": "causal", "top-left": "causal-top-left"}
Sides = tuple[int | None, int | None]


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
        UnknownChoice, UnknownMassKey, BadCount: an option that there is not.
        MissingExtra: without the packages of ``workings[models]``.
    """
    view = View().changed(lang=lang)
    spec = _spec(_mask(causal, window, offset), scale, softcap, (fully_masked, lse_base))
    try:
        from workings.fast.streamed import attend as streamed
    except ModuleNotFoundError:
        raise MissingExtra(feature="workings.attend", extra="models") from None
    wanted: dict[str, Any] = {
        "top": top,
        "column_mass": column_mass,
        "mean_distance": mean_distance,
        "mass_on": mass_on,
    }
    return Attention(streamed(q, k, v, spec, **wanted, **extras), view)


def _mask(causal: bool | str, window: Sides | None, offset: int | None) -> Mask:
    from workings.steps.spec import Mask

    if causal not in CAUSAL:
        raise UnknownChoice(seen=str(causal), choices=[str(choice) for choice in CAUSAL])
    kind = CAUSAL[causal]
    if window is None and kind == "none":
        return Mask()
    if window is None:
        return Mask(kind, offset=offset)
    for side in window:
        if side is not None and side < 0:
            raise BadCount(name="window", seen=side, least=0)
    left, right = window
    return Mask(
        "band", left=left, right=right if kind == "none" else 0, top_left=kind == "causal-top-left", offset=offset
    )


def _spec(mask: Mask, scale: float | None, softcap: float | None, conventions: tuple[str, str]) -> AttentionSpec:
    from workings.steps.language import Const
    from workings.steps.literal import Literal
    from workings.steps.spec import FULLY_MASKED, LSE_BASES, AttentionSpec

    for wanted, choices in zip(conventions, (FULLY_MASKED, LSE_BASES), strict=True):
        if wanted not in choices:
            raise UnknownChoice(seen=wanted, choices=list(choices))
    for given in (scale, softcap):
        if given is not None and not 0 < abs(given) < float("inf"):
            raise UnknownChoice(seen=str(given), choices=["≠ 0", "< ∞"])
    cap = None if softcap is None else Literal(str(softcap), Const(Fraction(softcap)))
    divisor = None if scale is None else Literal(f"1/{scale}", Const(1 / Fraction(scale)))
    return AttentionSpec(
        divide_by=divisor, mask=mask, softcap=cap, fully_masked=conventions[0], lse_base=conventions[1]
    )
