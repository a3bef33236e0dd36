"""`workings trace`: a real model run once, its attention recorded."""

from __future__ import annotations

import re
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from workings.cli.command import Verb
from workings.cli.misuse import Misuse
from workings.cli.options import OneOf, Places, Said, Settings, common, targets
from workings.cli.output import note
from workings.cli.progress import busy
from workings.cli.result import FINE, write_result
from workings.cli.speaking import Speak
from workings.models.scores import SCORES

if TYPE_CHECKING:
    from workings.models.sizes import Estimate

    Worded = click.ParamType[Any]
else:
    Worded = click.ParamType

EXAMPLES = (
    "workings trace model --text 'The cat ate because it was hungry.' -o recording --summary",
    "workings trace model --file notes.txt --layers 0,5 --heads 0-2 -o some",
    "workings trace model --file notes.txt -o whole --resume",
)
DTYPES = ("float32", "float64", "bfloat16", "float16")
MOST_TEXT = 64 * 1024 * 1024
MOST_NUMBERS = 65_536
MOST_CHUNK = 1_000_000
RANGES = re.compile(r"\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*")
MEGA = 1_000_000
IDS = "input_ids"  # what a text becomes


class Numbers(Worded):
    """Numbers and ranges with commas."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:
        if isinstance(value, list):
            return value
        option = max(param.opts, key=len) if param is not None else ""
        if RANGES.fullmatch(str(value)) is None:
            raise Misuse("not-layers", option=option, seen=str(value))
        out: set[int] = set()
        for piece in str(value).split(","):
            first, _, last = piece.partition("-")
            out.update(range(int(first), int(last or first) + 1))
        if not out or len(out) > MOST_NUMBERS:
            raise Misuse("not-layers", option=option, seen=str(value))
        return sorted(out)


def command(speak: Speak, lang: str) -> click.Command:
    """The verb, in a language."""

    def run(model: str, **given: Any) -> int:
        chosen = {name: given.pop(name) for name in ("dtype", "layers", "heads", "target", "chunk", "cached")}
        folder, resume, summary, score = (given.pop(name) for name in ("folder", "resume", "summary", "score"))
        read = {name: given.pop(name) for name in ("text", "file", "inputs")}
        settings = Settings.of({**given, "output": None}, lang)
        if folder is None:
            raise Misuse("where-to")
        if summary and score is not None:
            raise Misuse("exclude", first="--summary", second="--scores")
        text, inputs = _reading(**read)
        said, begun = [speak("cli.trace.stage.load")], [("load", monotonic())]

        def stage(name: str, done: int, of: int) -> None:
            now = monotonic()
            if begun[0][0] != name or done <= 1:
                begun[0] = name, now
            left = f"{(now - begun[0][1]) / max(1, done) * (of - done):,.0f}"
            if name == "run":
                said[0] = speak("cli.trace.stage.run", done=done, of=of, left=left)
            elif name == "load" and of > 1:
                said[0] = speak("cli.trace.stage.loading", done=done, of=of, left=left)
            else:
                said[0] = speak("cli.trace.stage.finish" if name == "finish" else "cli.trace.stage.load")

        def estimated(found: Estimate) -> None:
            if not settings.quiet:
                size, seconds = f"{found.bytes / MEGA:,.1f} MB", f"{found.seconds:,.1f}"
                note(speak("cli.note.estimate", bytes=size, seconds=seconds))

        def unpacking(place: str, count: int) -> None:
            if not settings.quiet:
                note(speak("cli.note.unpacking", path=place, bytes=f"{count / MEGA:,.1f} MB"))

        with busy(lambda: said[0], wanted=settings.progress):
            from workings.api.recorded import run_model
            from workings.models.record import Heard, Wish

            wish = Wish(text, inputs, **chosen)
            found = run_model(
                model, folder, wish, resume=resume, lang=settings.lang, heard=Heard(stage, estimated, unpacking)
            )
        for odd in found.data()["not_finite"]:
            first = ",".join(map(str, odd["first"]))
            note(speak("cli.note.not-finite", tensor=odd["tensor"], count=odd["nan"] + odd["inf"], first=f"[{first}]"))
        if score is not None:
            write_result(found.scores.by(score), settings, speak)
        elif summary or settings.to != "text":
            write_result(found, settings, speak)
        if not settings.quiet:
            note(speak("cli.note.wrote", path=folder))
        return FINE

    return Verb("trace", speak, run, _params(speak), EXAMPLES)


def _params(speak: Speak) -> list[click.Parameter]:
    def said(name: str) -> str:
        return speak(f"cli.option.{name}")

    told = speak("cli.option.scores", choices="|".join(SCORES))
    shared = [param for param in common(speak, targets(), precision=False) if param.name != "output"]
    return [
        click.Argument(["model"], metavar="MODEL"),
        click.Option(["--text"], type=Said(), metavar="TEXT", help=said("text")),
        click.Option(["--file"], metavar="FILE", help=said("file")),
        click.Option(["--target"], type=Said(), metavar="TEXT", help=said("target")),
        click.Option(["--inputs"], metavar="FILE", help=said("inputs")),
        click.Option(["-o", "--output", "folder"], metavar="FOLDER", help=said("folder")),
        click.Option(["--layers"], type=Numbers(), metavar="N,N-N", help=said("chosen-layers")),
        click.Option(["--heads"], type=Numbers(), metavar="N,N-N", help=said("chosen-heads")),
        click.Option(["--dtype"], type=OneOf(DTYPES), default="float32", metavar="TYPE", help=said("dtype")),
        click.Option(["--chunk"], type=Places(most=MOST_CHUNK), metavar="N", help=said("chunk")),
        click.Option(["--cache/--no-cache", "cached"], default=True, help=said("cache")),
        click.Option(["--resume"], is_flag=True, help=said("resume")),
        click.Option(["--summary"], is_flag=True, help=said("summary")),
        click.Option(["--scores", "score"], type=OneOf(SCORES), metavar="SCORE", help=told),
        *shared,
    ]


def _reading(text: str | None, file: str | None, inputs: str | None) -> tuple[str | None, dict[str, Any]]:
    """The text and the arrays that the model reads. Raises ``Misuse`` where none of them, or two texts, are given."""
    if (text is not None and file is not None) or (text is None and file is None and inputs is None):
        raise Misuse("what-to-read")
    if file is not None:
        from workings.examples.files import bytes_within
        from workings.terms.errors import NotText

        try:
            text = bytes_within(file, MOST_TEXT).decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotText(path=file, offset=error.start) from None
    if inputs is None:
        return text, {}
    from workings.api.recorded import read_inputs

    arrays = read_inputs(inputs)
    if text is not None and IDS in arrays:
        raise Misuse("exclude", first="--text" if file is None else "--file", second=f"--inputs ({IDS})")
    return text, arrays
