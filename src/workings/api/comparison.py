"""What a user holds of a compared dump."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from workings.api.shown import Shown
from workings.api.view import View
from workings.terms import arguments

if TYPE_CHECKING:
    from workings.checking.dumps import compare as dumps
    from workings.explaining.tree import Document


class Comparison(Shown):
    """Tensors of a kernel judged: how many numbers are off, where that begins, and why."""

    def __init__(self, found: dumps.Comparison, view: View) -> None:
        self._found = found
        self._view = view

    @property
    def holds(self) -> bool:
        """Whether every number is within tolerance."""
        return self._found.holds

    @property
    def conclusive(self) -> bool:
        """Whether everything in the dump was read and judged, by tolerances that tell right from wrong."""
        return self._found.conclusive

    @property
    def causes(self) -> list[str]:
        """Ids of all slips that give exactly the wrong numbers of the first wrong array."""
        return [cause.id for cause in self._found.causes]

    @property
    def first_step(self) -> str | None:
        """The first array that does not follow from those before it."""
        return self._found.first_step

    def document(self) -> Document:
        """The whole report, as a display tree."""
        from workings.explaining.comparison import explain_comparison

        return explain_comparison(self._found)

    def data(self) -> dict[str, Any]:
        """``workings.compare/1``."""
        from workings.checking.dumps.report import comparison_data

        return comparison_data(self._found, self._view.language)

    def __repr__(self) -> str:
        said = "holds" if self.holds else f"first wrong: {self.first_step}"
        return f"<Comparison of {len(self._found.arrays)} arrays: {said}>"


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
        ArgumentForm: what is neither a path nor a table.
    """
    from workings.checking.dumps.compare import compare as judged

    if isinstance(dump, Mapping):
        arguments.names("dump", dump, "Q", "weight")
    else:
        dump = arguments.path("dump", dump)
    if options is not None and not isinstance(options, Mapping):
        options = arguments.path("options", options)
    return Comparison(judged(dump, options, **more), View().changed(lang=lang))
