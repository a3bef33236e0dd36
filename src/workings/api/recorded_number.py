"""One number of a recorded model: how far off it may be, and what the model itself made of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

from workings.api.array import Array
from workings.api.number import Number
from workings.api.view import View
from workings.terms.model_errors import NotProvable, TooManyNumbers

if TYPE_CHECKING:
    from workings.explaining.one import Run
    from workings.explaining.tree import Document
    from workings.models.proof import Proof
    from workings.models.recording import Recording
    from workings.models.whole import Told
    from workings.terms.address import Address

MOST_NUMBERS = 16_384  # of an array that is printed whole


class RecordedNumber(Number):
    """One number of a recorded model; its JSON says besides in which type the model ran, and how far off it may be."""

    def __init__(self, told: Told, address: Address, view: View, recording: Recording) -> None:
        super().__init__(told.trace, address, view)
        self._told, self._recording = told, recording
        self._dtype = str(recording.told.get("dtype", ""))
        self._proof: Proof | None = None

    def explain(self, *, lang: str | None = None, precision: str | int | None = None) -> RecordedNumber:
        """The same number told another way."""
        view = self._view.changed(lang=lang, precision=precision)
        out = RecordedNumber(self._told, self._address, view, self._recording)
        out._proof = self._proof
        return out

    def prove(self) -> RecordedNumber:
        """The same number, its whole row worked again in balls from the recorded Q, K and V.

        Its page and its JSON then say which digits are proven, and how far off float64 was. Raises ``NotProvable``
        for a number that does not stand in a row of a head.
        """
        from workings.models.proof import prove

        out = self.explain()
        out._proof = self._proof or prove(self._recording, self._trace, self._address)
        return out

    @property
    def is_proven(self) -> bool:
        """Whether its row was worked in balls, every printed digit of the row held, and every bound."""
        return self._proof is not None and self._proof.holds

    @property
    def bound(self) -> float:
        """How far the printed value may lie from what the recorded operands give exactly."""
        value = self._value
        if value.infinite or value.exact is not None:
            return 0.0
        low, high = value.bounds(64)
        return float((high - low) / 2)

    @property
    def is_unsure(self) -> bool:
        """Whether not even one digit of it is sure."""
        from workings.terms.digits import sure_digits

        return sure_digits(self._value) == 0

    @property
    def inputs(self) -> list[Number]:
        """The numbers it is made from, in the order of its formula."""
        trace = self._told.made or self._trace
        return [Number(trace, address, self._view) for address in trace.inputs(self._address)]

    @cached_property
    def _run(self) -> Run:
        from workings.explaining.one import Run

        value, own = self._value, None
        if self._told.own is not None and value.exact is None and not value.infinite and self._dtype != "float64":
            own = self._told.own(self._address.array, self._address.index)
        return Run(self._dtype, self._told.made, own)

    def document(self) -> Document:
        """Its arithmetic, what the model itself made of it, what it is made from and what is made from it."""
        from workings.explaining.one import explain_cell

        told = explain_cell(self._trace, self._address, self._view.digits, self._run)
        if self._proof is None:
            return told
        from workings.explaining.proof import proof_blocks

        words, row = self._trace.words("query"), self._proof.query
        return replace(told, blocks=(*told.blocks, *proof_blocks(self._proof, words[row] if words else "")))

    def data(self) -> dict[str, Any]:
        """``workings.cell/1`` with ``dtype``, ``bound``, and what is known of ``worked``, ``in_dtype``, ``proof``."""
        from workings.terms.digits import json_digits

        out = {**super().data(), "dtype": self._dtype, "bound": self.bound}
        made, own = self._told.made, self._run.own
        if made is not None:
            out["inputs"] = [{"address": one.address, "value": str(one)} for one in self.inputs]
            out["worked"] = json_digits(made.value(self._address))
        if own is not None:
            out["in_dtype"] = own
        if self._proof is not None:
            from workings.explaining.proof import proof_data

            out["proof"] = proof_data(self._proof)
        return out


class RecordedArray(Array):
    """An array of a recorded model, whose numbers say how far off they may be."""

    def __init__(self, told: Told, view: View, recording: Recording) -> None:
        super().__init__(told.trace, told.trace.find(told.address)[0], view)
        self._told, self._recording = told, recording

    def _number(self, address: Address) -> RecordedNumber:
        return RecordedNumber(self._told, address, self._view, self._recording)

    def document(self) -> Document:
        """The whole array as it is printed. Raises ``TooManyNumbers``."""
        self._check_size()
        return super().document()

    def data(self) -> dict[str, Any]:
        """Its entry in ``workings.trace/1``. Raises ``TooManyNumbers``."""
        self._check_size()
        return super().data()

    def _check_size(self) -> None:
        """Each number is worked with its bound, so an array that nobody reads through would take hours."""
        if prod(self.shape) > MOST_NUMBERS:
            raise TooManyNumbers(address=self.address, seen=prod(self.shape), limit=MOST_NUMBERS)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a notebook shows: of an array that is not printed whole, what it is."""
        if prod(self.shape) > MOST_NUMBERS:
            return {"text/plain": repr(self)}
        return super()._repr_mimebundle_(include, exclude)


def proven(number: Number) -> RecordedNumber:
    """A number with its row proven. Raises ``NotProvable`` for a number of no recording, or of no row of a head."""
    if not isinstance(number, RecordedNumber):
        raise NotProvable(address=number.address)
    return number.prove()
