"""Opens a source: reads the example, builds its recipe and hands it to the exact engine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from workings.terms import arguments
from workings.terms.errors import ExampleError

if TYPE_CHECKING:
    from workings.examples.example import Example
    from workings.terms.numbers import Value
    from workings.traces.trace import Trace

Openable = str | os.PathLike[str] | Mapping[str, Any]
STANDARD_INPUT = "-"
LARGEST_EXPONENTIAL = 10**6
SURELY_SMALL = 13  # less than ln of it


def open_example(source: Openable) -> tuple[Example, Trace]:
    """The example with its softmax settled, and its exact trace.

    Args:
        source: a built-in name, a path, ``-`` for standard input, or an example as nested data.

    Raises:
        UnknownExample, FileError, ExampleError: what cannot be opened, read or worked.
    """
    return settled(read_source(source))


def settled(example: Example) -> tuple[Example, Trace]:
    """An example with its softmax settled, and its exact trace."""
    with placed(example):
        trace = trace_of(example)
        free = not (example.softmax_stated or example.block.learn)  # a maximum has no derivative
        if free and example.spec.softmax == "plain" and _leaves_plain(trace):
            example = replace(example, spec=replace(example.spec, softmax="shifted"))
            trace = trace_of(example)
    return example, trace


def read_source(source: Openable) -> Example:
    """The example that a source names or holds."""
    from workings.examples import read

    if isinstance(source, Mapping):
        return read.read_mapping(source)
    path = arguments.path("source", source)
    if source == STANDARD_INPUT:
        return read.read_bytes(standard_input(), STANDARD_INPUT)
    if isinstance(source, str) and not _looks_like_path(source):
        from workings.examples import library

        if source in library.names() or not os.path.exists(path):
            return library.load(source)
    return read.read_file(path)


def trace_of(example: Example, carry: int | None = None) -> Trace:
    """An example's recipe, worked by the exact engine on request."""
    from workings.exact.run import Exact
    from workings.terms.address import Address
    from workings.traces.trace import Source, Trace

    recipe = example.recipe()
    written = {Address(n, at): literal for n, given in example.given.items() for at, literal in given.cells.items()}
    source = Source(example.title, example.labels(), example.notes, written, example.comments, example.focus)
    return Trace(recipe, Exact(recipe, example.values(), carry), source)


@contextmanager
def placed(example: Example) -> Iterator[None]:
    """Errors about the example name its file."""
    try:
        yield
    except ExampleError as error:
        error.at(example.path)
        raise


def _looks_like_path(text: str) -> bool:
    return os.sep in text or "/" in text or text.lower().endswith((".toml", ".json"))


def standard_input() -> bytes:
    """What stands there, and no more than is needed to see that it is too long."""
    from workings.examples.limits import MAX_FILE_BYTES

    if sys.stdin is None:
        return b""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        return sys.stdin.read().encode("utf-8", "surrogatepass")
    data: bytes = stream.read(MAX_FILE_BYTES + 1)
    return data


def _leaves_plain(trace: Trace) -> bool:
    """Whether the maximum is better subtracted first, as sure bounds decide.

    That is where some e^score passes a million, and where all of a row's are too small to be told from nothing.
    """
    from workings.steps.language import Const, Log

    limit = trace.engine.evaluate(Log(Const(LARGEST_EXPONENTIAL)))
    logits = dict.fromkeys(trace.recipe.source(op, "logit") for op in trace.ops() if op.step.name == "exp")
    for name in logits:
        for _, row in groupby(trace.cells(name), key=lambda address: address.index[:-1]):
            values = [trace.value(address) for address in row]
            if any(_is_above(value, limit) for value in values) or _vanish(values):
                return True
    return False


def _vanish(values: Sequence[Value]) -> bool:
    """Whether the exact engine has no digits of any e^score of a row that may look at something."""
    from workings.exact.values import LEAST_EXPONENT
    from workings.terms.numbers import MIN_BITS

    seen = [value for value in values if not value.infinite]
    return bool(seen) and all(value.bounds(MIN_BITS)[1] <= LEAST_EXPONENT for value in seen)


def _is_above(value: Value, limit: Value) -> bool:
    from workings.terms.numbers import MAX_BITS, MIN_BITS

    if value.infinite:
        return value.infinite > 0
    bits = MIN_BITS
    while bits <= MAX_BITS:
        low, high = value.bounds(bits)
        if high <= SURELY_SMALL:
            return False
        least, most = limit.bounds(bits)
        if low > most:
            return True
        if high <= least:
            return False
        bits *= 2
    return False
