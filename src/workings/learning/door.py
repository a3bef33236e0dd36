"""What a user holds of training: a run by its folder, its report, and a number of it through time."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workings.api.shown import Shown
from workings.api.stories import STORIES, folder_of
from workings.api.view import View
from workings.learning.plan import Plan
from workings.terms.errors import NotText
from workings.terms.model_errors import NothingToPlot, WidthNotHeads

if TYPE_CHECKING:
    from workings.explaining.tree import Document
    from workings.learning.train import Heard

MOST_TEXT = 64 * 1024 * 1024


class Learned(Shown):
    """The report of a run. Making it measures every snapshot; drawing it measures nothing."""

    _figures = ("svg",)

    def __init__(self, folder: str | os.PathLike[str], view: View, heard: Callable[[int, int], None]) -> None:
        from workings.learning.report import report

        self._view = view
        self._found = report(folder_of(folder), heard)

    def document(self) -> Document:
        """What was learned, beside the untrained model and beside guessing."""
        from workings.learning.told import document

        return document(self._found)

    def data(self) -> dict[str, Any]:
        """``workings.learning-report/1``."""
        return self._found

    def draw(self, target: str, **style: Any) -> str | bytes:
        """As ``Shown`` draws it, or ``svg``: every head at every snapshot. Raises ``NothingToPlot``."""
        if target != "svg":
            return super().draw(target, **style)
        from workings.learning.told import plot
        from workings.render.plot import draw
        from workings.render.words import Words

        if self._found["stories"] is None:
            raise NothingToPlot(path=self._found["run"])
        return draw(plot(self._found["stories"], self._found["plan"]["heads"]), Words(self._view.language))

    def to_svg(self) -> str:
        """Every head at every snapshot, as a picture."""
        return self._text("svg")

    def __repr__(self) -> str:
        return f"<Learned {self._found['plan']['source']!r}>"


def plan_for(source: str, **wanted: Any) -> tuple[Plan, str]:
    """The plan for built-in stories or a text file, and the text; None keeps a default.

    Raises:
        FileMissing, FileUnreadable, FileTooLarge, NotText: a text that cannot be read.
        WidthNotHeads: a width that the heads cannot share.
    """
    text, sha256 = "", ""
    if source not in STORIES:
        from workings.examples.files import bytes_within

        data = bytes_within(source, MOST_TEXT)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotText(path=source, offset=error.start) from None
        sha256, source = hashlib.sha256(data).hexdigest(), os.path.basename(source)
    changes = {name: value for name, value in wanted.items() if value is not None}
    plan = replace(Plan(source=source, sha256=sha256), **changes)
    if "inner" not in changes:
        plan = replace(plan, inner=2 * plan.width)
    if plan.width % (2 * plan.heads):
        raise WidthNotHeads(width=plan.width, heads=plan.heads)
    return plan, text


def learn(
    source: str = "story-en",
    folder: str | os.PathLike[str] = "learned",
    *,
    resume: bool = False,
    heard: Heard = lambda progress, steps: None,
    **wanted: Any,
) -> str:
    """Train a small transformer, so that W_Q, W_K and W_V are learned; returns the folder, an ordinary model's.

    Args:
        source: ``story-en``, ``story-zh``, or a UTF-8 text file.
        folder: where the run will stand; nothing stands there yet.
        resume: go on with what a run that was stopped has left.
        heard: is told after each step how far it is.
        wanted: fields of ``Plan``, such as ``seed``, ``steps``, ``layers``, ``heads``, ``width``.

    Raises what ``plan_for`` and ``train.learn`` raise.
    """
    from workings.learning.train import learn as train

    plan, text = plan_for(source, **wanted)
    return train(plan, folder, text=text, resume=resume, heard=heard)


def learned(
    folder: str | os.PathLike[str],
    *,
    lang: str | None = None,
    heard: Callable[[int, int], None] = lambda done, of: None,
) -> Learned:
    """The report of a run. Raises ``NoRun``."""
    return Learned(folder, View().changed(lang=lang), heard)
