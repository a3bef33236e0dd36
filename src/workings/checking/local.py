"""Cells of a document's own, beside those of a computation: equalities that none of its steps works out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from workings.checking.judging import Judge
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

    @cache  # what a local cell holds never changes
    def held(address: Address, bits: int) -> Span:
        own = judge.formula(address) if address.array.name == LOCAL else None
        if own is not None:
            return own.apply({at: held(at, bits) for at in own.cells}, bits)
        return spans.NOTHING if trace is None else spans.of(trace.engine, address, bits)

    @cache
    def true(address: Address) -> Value:
        if address.array.name == LOCAL or trace is None:
            return spans.value(lambda bits: held(address, bits))
        return trace.value(address)

    judge = Judge(formula, true, lenient)
    return judge
