"""One number of a recorded model: how far off it may be, and what the model itself made of it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from workings.api.number import Number
from workings.api.view import View

if TYPE_CHECKING:
    from workings.explaining.one import Run
    from workings.explaining.tree import Document
    from workings.models.whole import Told
    from workings.terms.address import Address


class RecordedNumber(Number):
    """One number of a recorded model; its JSON says besides in which type the model ran, and how far off it may be."""

    def __init__(self, told: Told, address: Address, view: View, dtype: str) -> None:
        super().__init__(told.trace, address, view)
        self._told, self._dtype = told, dtype

    def explain(self, *, lang: str | None = None, precision: str | int | None = None) -> RecordedNumber:
        """The same number told another way."""
        view = self._view.changed(lang=lang, precision=precision)
        return RecordedNumber(self._told, self._address, view, self._dtype)

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

        return explain_cell(self._trace, self._address, self._view.digits, self._run)

    def data(self) -> dict[str, Any]:
        """``workings.cell/1`` with ``dtype`` and ``bound``, and where there are such, ``worked`` and ``in_dtype``."""
        from workings.terms.digits import json_digits

        out = {**super().data(), "dtype": self._dtype, "bound": self.bound}
        made, own = self._told.made, self._run.own
        if made is not None:
            out["inputs"] = [{"address": one.address, "value": str(one)} for one in self.inputs]
            out["worked"] = json_digits(made.value(self._address))
        if own is not None:
            out["in_dtype"] = own
        return out
