"""`workings worksheet`: a worked example with blanks, and the answers on a page of their own."""

from __future__ import annotations

from typing import Any

import click

from workings.cli.command import Verb
from workings.cli.options import Count, ExampleSource, Said, Settings, builtin_names, common, targets
from workings.cli.progress import busy
from workings.cli.result import FINE, write_result
from workings.cli.speaking import Speak

EXAMPLES = (
    "workings worksheet kitten",
    "workings worksheet causal --seed 7 --blanks 6 --steps weight,output --to md -o sheet.md",
    "workings worksheet two-heads --no-key --to html --lang zh -o sheet.html",
)
SHEETS = ("text", "md", "tex", "html", "json")  # targets in which an answer can be written


def command(speak: Speak, lang: str) -> click.Command:
    """The verb, in a language."""

    def run(
        source: str, seed: int, blanks: int | None, steps: tuple[str, ...], key: bool, precision: Any, **shared: Any
    ) -> int:
        from workings.api.worksheet import worksheet

        settings = Settings.of(shared, lang)
        names = [name for each in steps for name in each.split(",") if name]
        with busy(speak("cli.busy"), wanted=settings.progress):
            sheet = worksheet(
                source, seed=seed, blanks=blanks, steps=names, key=key, lang=settings.lang, precision=precision
            )
            write_result(sheet, settings, speak)
        return FINE

    params = [
        click.Argument(["source"], type=ExampleSource(), metavar="EXAMPLE"),
        click.Option(["--seed"], type=Count(0), default=1, metavar="N", help=speak("cli.option.seed")),
        click.Option(["--blanks"], type=Count(1), metavar="N", help=speak("cli.option.blanks")),
        click.Option(["--steps"], type=Said(), multiple=True, metavar="NAME", help=speak("cli.option.steps")),
        click.Option(["--key/--no-key"], default=True, help=speak("cli.option.key")),
        *common(speak, [name for name in targets() if name in SHEETS]),
    ]
    return Verb("worksheet", speak, run, params, EXAMPLES, more=lambda: builtin_names(speak))
