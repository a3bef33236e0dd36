"""Opens an example, or one number of an example or a recording."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from workings.api.opening import Openable, open_example
from workings.api.trace import Trace
from workings.api.view import View

if TYPE_CHECKING:
    from workings.api.number import Number


def explain(
    source: Openable,
    *,
    show: str | None = None,
    token: str | None = None,
    lang: str | None = None,
    precision: str | int | None = None,
    carry: int | None = None,
) -> Trace:
    """A worked example, every number of it exact, ready to explain itself.

    Args:
        source: a built-in name such as ``kitten``, the path of a TOML or JSON file, ``-`` for standard input, or an
            example as nested data.
        show, token, lang, precision, carry: how it is told, as in ``Trace.explain``.

    Raises:
        UnknownExample, FileError, ExampleError: what cannot be opened, read or worked.
        UnknownChoice: for a way of telling that there is not.
    """
    view = View().changed(show=show, token=token, lang=lang, precision=precision, carry=carry)
    return Trace(*open_example(source), view, source)


def number(
    source: Openable,
    address: str,
    *,
    model: str | os.PathLike[str] | None = None,
    lang: str | None = None,
    precision: str | int | None = None,
) -> Number:
    """One number by its address, of an example or of a recording.

    Args:
        model: where the model of a recording lies now.

    Raises what ``explain`` and ``recorded`` raise, and what their ``number`` does.
    """
    from workings.api.recorded import looks_recorded, recorded

    if looks_recorded(source):
        found = recorded(os.fspath(source), model=model, lang=lang)  # type: ignore[arg-type]
        return found.number(address).explain(precision=precision)
    return explain(source, lang=lang, precision=precision).number(address)
