"""`workings learn`: trains a small transformer, and reports what it has learned."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from workings.api.stories import STORIES
from workings.cli.command import Verb
from workings.cli.misuse import Misuse
from workings.cli.options import Count, Settings, common, targets
from workings.cli.output import note
from workings.cli.progress import busy
from workings.cli.result import FINE, write_result
from workings.cli.speaking import Speak
from workings.cli.verbs.trace import Numbers

if TYPE_CHECKING:
    from workings.learning.state import Progress

EXAMPLES = (
    "workings learn -o learned --steps 100",
    "workings learn --report story-en",
    "workings learn my-text.txt -o mine --steps 30 --layers 3 --heads 4",
)
# option: its least value, and what says it in the help
COUNTS = {
    "seed": (1, "learn-seed"),
    "steps": (1, "learn-steps"),
    "layers": (1, "learn-layers"),
    "heads": (1, "learn-heads"),
    "width": (4, "learn-width"),
    "batch": (1, "learn-batch"),
    "threads": (1, "learn-threads"),
}
MINUTE = 60
FIGURE = "svg"  # every head at every snapshot


def command(speak: Speak, lang: str) -> click.Command:
    """The verb, in a language."""

    def run(source: str | None, report: bool, resume: bool, folder: str | None, **given: Any) -> int:
        wanted = {name: given.pop(name) for name in (*COUNTS, "snapshots")}
        settings = Settings.of({**given, "output": folder if report else None}, lang)
        if report:
            _report_alone({**wanted, "resume": resume or None})
            return _report(source, settings, speak)
        if folder is None:
            raise Misuse("where-run")
        if wanted["snapshots"] is not None:
            wanted["snapshots"] = tuple(wanted["snapshots"])
        return _learn(source or f"story-{settings.lang}", folder, wanted, settings, speak, resume=resume)

    return Verb("learn", speak, run, _params(speak), EXAMPLES)


def _learn(source: str, folder: str, wanted: dict[str, Any], settings: Settings, speak: Speak, *, resume: bool) -> int:
    said = [speak("cli.learn.stage.begin")]
    begun: list[float] = []

    def heard(progress: Progress, steps: int) -> None:
        if not begun:
            begun.extend((monotonic(), progress.step))
        done = progress.step - begun[1]
        left = (monotonic() - begun[0]) / done * (steps - progress.step) if done else 0.0
        loss = f"{progress.losses[-1]:.3f}"
        said[0] = speak("cli.learn.stage.step", step=progress.step, of=steps, loss=loss, left=_clock(left))

    from workings.learning.door import learn

    try:
        with busy(lambda: said[0], wanted=settings.progress):
            learn(source, folder, resume=resume, heard=heard, **wanted)
    except KeyboardInterrupt:
        if begun and not settings.quiet:
            note(speak("cli.learn.stopped"))
        raise
    if settings.to != "text":
        return _report(folder, settings, speak)
    if not settings.quiet:
        note(speak("cli.note.wrote", path=folder))
        note(speak("cli.learn.next", path=folder))
    return FINE


def _report_alone(training: Mapping[str, Any]) -> None:
    """A report trains nothing: what says how to train is not passed over. Raises ``Misuse``."""
    for name, value in training.items():
        if value is not None:
            raise Misuse("exclude", first="--report", second=f"--{name}")


def _report(folder: str | None, settings: Settings, speak: Speak) -> int:
    from workings.learning.door import learned

    said = [speak("cli.busy")]

    def heard(done: int, of: int) -> None:
        said[0] = speak("cli.learn.stage.report", done=done, of=of)

    with busy(lambda: said[0], wanted=settings.progress):
        found = learned(folder or f"story-{settings.lang}", lang=settings.lang, heard=heard)
    write_result(found, settings, speak)
    return FINE


def _clock(seconds: float) -> str:
    """Minutes and seconds, ``3:07``."""
    whole = round(seconds)
    return f"{whole // MINUTE}:{whole % MINUTE:02d}"


def _params(speak: Speak) -> list[click.Parameter]:
    def said(name: str) -> str:
        return speak(f"cli.option.{name}")

    every = common(speak, (*targets(), FIGURE), precision=False)
    shared = [param for param in every if param.name != "output"]
    return [
        click.Argument(["source"], metavar=f"[{'|'.join(STORIES)}|TEXT]", required=False),
        click.Option(["-o", "--output", "folder"], metavar="FOLDER", help=said("run-folder")),
        click.Option(["--report"], is_flag=True, help=said("report")),
        *(
            click.Option([f"--{name}"], type=Count(least), metavar="N", help=said(words))
            for name, (least, words) in COUNTS.items()
        ),
        click.Option(["--snapshots"], type=Numbers(), metavar="N,N-N", help=said("snapshots")),
        click.Option(["--resume"], is_flag=True, help=said("resume")),
        *shared,
    ]
