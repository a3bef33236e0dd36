"""`workings cell`: one number, its arithmetic, what it is made from and what is made from it."""

from __future__ import annotations

from typing import Any

import click

from workings.cli.command import Verb
from workings.cli.options import ExampleSource, Settings, builtin_names, common, targets
from workings.cli.progress import busy
from workings.cli.result import FINE, WRONG, settle, write_result
from workings.cli.speaking import Speak

EXAMPLES = (
    "workings cell kitten 'weight[2,0]'",
    'workings cell kitten \'weight["它","小猫"]\'',
    "workings cell encoder-six 'L5.H1.weight[0,0]' --json",
)


def command(speak: Speak, lang: str) -> click.Command:
    """The verb, in a language."""

    def run(source: str, address: str, precision: Any, model: str | None, prove: bool, **shared: Any) -> int:
        from workings.api.door import number as number_of
        from workings.api.recorded_number import proven

        settings = Settings.of(shared, lang)
        with busy(speak("cli.busy"), wanted=settings.progress):
            number = number_of(source, address, model=model, lang=settings.lang, precision=precision)
            checked = proven(number) if prove else None
            write_result(checked or number, settings, speak)
        if checked is not None and not checked.is_proven:
            return WRONG
        unsure = [number.address] if settings.strict and number.is_unsure else []
        return settle(unsure, settings, speak) if settings.strict else FINE

    params = [
        click.Argument(["source"], type=ExampleSource(), metavar="EXAMPLE"),
        click.Argument(["address"], metavar="ADDRESS"),
        click.Option(["--prove"], is_flag=True, help=speak("cli.option.prove")),
        click.Option(["--model"], metavar="MODEL", help=speak("cli.option.model")),
        *common(speak, targets()),
    ]
    return Verb("cell", speak, run, params, EXAMPLES, more=lambda: builtin_names(speak))
