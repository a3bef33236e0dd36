"""The public functions, behind the module `workings`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workings.api.language import preferred
from workings.api.opening import Openable, open_example
from workings.api.trace import Trace
from workings.api.view import View
from workings.terms.errors import WorkingsError

if TYPE_CHECKING:
    from workings.api.checking import Report
    from workings.api.comparison import Comparison
    from workings.api.worksheet import Worksheet


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
    return Trace(*open_example(source), view)


def _sentence(error: WorkingsError) -> str:
    """An error in the language of the environment."""
    from workings.render.words import Words

    return Words(preferred()).error(error)


WorkingsError.speak = _sentence


def check(path: str | os.PathLike[str], *, lenient: bool = False, lang: str | None = None) -> Report:
    """Every printed number of a document judged; of an example file its claims, of a filled-in worksheet its answers.

    Args:
        path: Markdown, LaTeX, text, HTML, a notebook, or an example file.
        lenient: give every earlier number half a unit of its last place to either side.
        lang: the language in which the report is told.

    Raises:
        FileError, ExampleError: what cannot be read.
    """
    from workings.api.checking import check as judge

    return judge(path, lenient=lenient, lang=lang)


def worksheet(
    example: Openable,
    *,
    seed: int = 1,
    blanks: int | None = None,
    steps: Sequence[str] = (),
    key: bool = True,
    lang: str | None = None,
    precision: str | int | None = None,
) -> Worksheet:
    """A worked example as an exercise: some results are left blank, and the answers stand on a page of their own.

    Args:
        example: as for ``explain``.
        seed: decides which cells are blank; the same seed gives the same sheet everywhere.
        blanks: how many; about a dozen where it is not said.
        steps: the arrays to which they are kept, ``score`` or ``L0.H1.score``; all where none is named.
        key: whether the sheet has its answers.
        lang, precision: how it is told, as in ``explain``.

    Raises:
        UnknownExample, FileError, ExampleError: what cannot be opened, read or worked.
        UnknownChoice: for a step, or a number of blanks, that there is not.
    """
    from workings.api.worksheet import worksheet as make

    return make(example, seed=seed, blanks=blanks, steps=steps, key=key, lang=lang, precision=precision)


def compare(
    dump: str | os.PathLike[str] | Mapping[str, Any],
    options: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    *,
    lang: str | None = None,
    **more: Any,
) -> Comparison:
    """Tensors that a kernel wrote, judged against the declared steps.

    Args:
        dump: the path of a ``.safetensors`` or ``.npz`` file, or arrays by name (``Q``, ``K``, ``V``, ``weight`` …).
        options: a table such as ``{"causal": "bottom-right"}``, or the path of a JSON file.
        lang: the language in which the report is told.
        more: single options, which win over all others.

    Raises:
        FileError: what cannot be read, or holds nothing to compare.
    """
    from workings.api.comparison import compare as judge

    return judge(dump, options, lang=lang, **more)


__all__ = ["Trace", "WorkingsError", "check", "compare", "explain", "worksheet"]
