"""A source opened for its trace alone."""

from workings.api.opening import Openable, open_example, trace_of
from workings.traces.trace import Trace


def open_trace(source: Openable, carry: int | None = None) -> Trace:
    """The trace of an example; with ``carry``, every result rounded to so many decimals and carried on."""
    example, trace = open_example(source)
    return trace if carry is None else trace_of(example, carry)
