"""Cells of a document's own, beside those of a computation: equalities that none of its steps works out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

from workings.checking.judging import Judge, Reading, reading
from workings.exact import spans
from workings.exact.spans import Span
from workings.steps.language import Expr
from workings.terms.address import Address
from workings.terms.numbers import Value
from workings.traces.trace import Trace

LOCAL = "equality"  # the array that they are in


def judge_of(trace: Trace | None, local: Mapping[Address, Expr], lenient: bool) -> Judge:
    """A judge of the cells of a computation, if there is one, and of a document's own, which may become more."""

    def formula(address: Address) -> Expr | None:
        if address.array.name == LOCAL:
            return local[address]
        return None if trace is None else trace.expansion.cell(address)

    read = reading(formula)
    return Judge(formula, cache(_Truths(trace, read).value), lenient, read=read)


class _Truths:
    """True values; the document's own cells, which never change, are worked as spans at a precision."""

    def __init__(self, trace: Trace | None, read: Reading) -> None:
        self._trace, self._read = trace, read
        self._held: dict[tuple[Address, int], Span] = {}

    def value(self, address: Address) -> Value:
        if address.array.name == LOCAL or self._trace is None:
            return spans.value(partial(self._span, address))
        return self._trace.value(address)

    def _span(self, address: Address, bits: int) -> Span:
        known = self._held.get((address, bits))
        if known is None:
            known = self._held[address, bits] = self._worked(address, bits)
        return known

    def _worked(self, address: Address, bits: int) -> Span:
        own = self._read(address) if address.array.name == LOCAL else None
        if own is not None:
            return own.apply({at: self._span(at, bits) for at in own.cells}, bits)
        return spans.NOTHING if self._trace is None else spans.of(self._trace.engine, address, bits)
