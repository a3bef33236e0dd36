"""Stands in for attention while a model of transformers runs, and hands out Q, K, V and the facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from workings.models.facts import Band, Bias, ByDistance, Facts, Sizes, band_of
from workings.models.family import CROSS, Family
from workings.terms.address import Name
from workings.terms.model_errors import MaskNotUnderstood

if TYPE_CHECKING:
    from workings.fast.streamed import Begun

KEY = "workings"
NUMBER = re.compile(r"(?:^|\.)(\d+)(?:\.|$)")


@dataclass(frozen=True)
class Call:
    """One attention as it happened, batch of one.

    Attributes:
        place: its layer, and its stack where there are several; ``name`` is empty.
        query: heads × queries × d_k, as it enters the dot product, after any rotation.
        key, value: key heads × keys × d_k, d_v.
        begun: streamed attention, with a batch of one, of which the output is there; None where something else attends.
    """

    place: Name
    query: Any
    key: Any
    value: Any
    facts: Facts
    begun: Begun | None = None


Take = Callable[[Call], None]
Wanted = Callable[[Call], Mapping[str, Any]]


class Capture:
    """Everything that a run of a model asks of attention.

    Args:
        model: loaded with ``attn_implementation`` = ``KEY``.
        take: is handed each call, in the order of computation.
        output: what attention gives back; ours by default. A test hands in the model's own.
        wanted: what streamed attention is asked for besides its output, for a call as it comes.
    """

    def __init__(
        self,
        model: Any,
        family: Family,
        take: Take,
        output: Callable[..., Any] | None = None,
        wanted: Wanted = lambda call: {"top": 0},
    ) -> None:
        self.family = family
        self.take = take
        self.output = output
        self.wanted = wanted
        self.places = {module: place_of(name, family) for name, module in model.named_modules()}
        if family.prepare is not None:
            family.prepare(model, self.attention)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While this lasts, attention asks here."""
        _LISTENING.append(self)
        try:
            yield
        finally:
            _LISTENING.remove(self)

    def attention(
        self, module: Any, query: Any, key: Any, value: Any, attention_mask: Any = None, **how: Any
    ) -> tuple[Any, None]:
        """The registered function; the output is batch × queries × heads × d_v, and no weights.

        Args:
            query: batch × heads × queries × d_k; key, value: batch × key heads × keys × d_k or d_v.

        Raises ``MaskNotUnderstood`` for a mask that did not come from ``mask``.
        """
        if attention_mask is not None and not isinstance(attention_mask, Band):
            raise MaskNotUnderstood(row=0)
        band = attention_mask or Band()
        asked = how.get("is_causal")
        if attention_mask is None and (getattr(module, "is_causal", False) if asked is None else asked):
            band = Band(None, 0, key.shape[2] - query.shape[2])
        scale = how.get("scaling")
        facts = Facts(
            float(query.shape[3] ** -0.5 if scale is None else scale),
            band,
            how.get("softcap"),
            how.get("s_aux"),
            how.get("position_bias"),
        )
        call = Call(self.places[module], query[0], key[0], value[0], facts)
        if self.output is not None:
            self.take(call)
            return self.output(module, query, key, value, facts), None
        found = begun(query, key, value, facts, self.wanted(call))
        self.take(replace(call, begun=found))
        return found.output.transpose(1, 2).contiguous(), None

    def mask(
        self,
        batch_size: int,
        q_length: int,
        kv_length: int,
        q_offset: int = 0,
        kv_offset: int = 0,
        mask_function: Any = None,
        attention_mask: Any = None,
        **how: Any,
    ) -> Band:
        """The registered mask: a description in place of a tensor. Raises ``MaskNotUnderstood`` for padding."""
        if attention_mask is not None and not bool(attention_mask.all()):
            raise MaskNotUnderstood(row=0)
        return band_of(mask_function, q_length, kv_length, int(q_offset), int(kv_offset))


def ready() -> None:
    """Has what streamed attention compiles loaded before a model runs."""
    import torch

    from workings.fast.streamed import attend

    with torch.inference_mode():
        one = torch.ones(1, 1, 1, 1)
        attend(one, one, one, mean_distance=True)


def begun(query: Any, key: Any, value: Any, facts: Facts, wanted: Mapping[str, Any]) -> Begun:
    """Streamed attention, as a call of a model asks for it; no tensor grows with queries × keys."""
    from workings.fast.streamed import begin

    spec = facts.spec(Sizes(query.shape[-2], key.shape[-2], query.shape[-1]))
    return begin(query, key, value, spec, sinks=facts.sinks, **_biases(facts.bias), **wanted)


def _biases(bias: Bias | None) -> dict[str, Any]:
    if bias is None:
        return {}
    return {"bias_by_distance": bias.values} if isinstance(bias, ByDistance) else {"bias": bias.values[:, None]}


_LISTENING: list[Capture] = []


def make_known() -> None:
    """Tells transformers of our attention, so that models can be loaded with it; twice does no harm."""
    from transformers import AttentionInterface, AttentionMaskInterface

    AttentionInterface.register(KEY, lambda *asked, **how: _LISTENING[-1].attention(*asked, **how))
    AttentionMaskInterface.register(KEY, lambda *asked, **how: _LISTENING[-1].mask(*asked, **how))


def place_of(module: str, family: Family) -> Name:
    """Where a module's attention stands: the first number of its name is the layer."""
    number = NUMBER.search(module)
    words = module.split(".")
    part = next((family.parts[word] for word in words if word in family.parts), "")
    return Name("", int(number[1]) if number else 0, part=part, cross=any(word in CROSS for word in words))
