"""`workings cell`: one number, its arithmetic, what it is made from and what is made from it."""

from __future__ import annotations

from typing import Any

import click

from workings.cli.command import Verb
from workings.cli.forms import Form, refuse_idle, refuse_other
from workings.cli.misuse import Misuse
from workings.cli.options import ExampleSource, Said, Settings, builtin_names, common, targets
from workings.cli.progress import busy
from workings.cli.result import FINE, WRONG, settle, write_result
from workings.cli.speaking import Speak

EXAMPLES = (
    "workings cell kitten 'weight[2,0]'",
    'workings cell kitten \'weight["它","小猫"]\'',
    'workings cell story-en \'L1.H1.weight["it","kitten"]\' --over-time',
)

OWN = ("precision", "model", "prove", "over_time", "text")
FIGURES = ("svg", "csv")  # of a number through time
NUMBER = Form("number", ("precision",))
RECORDED = Form("recorded-number", ("precision", "prove", "model"))
OVER_TIME = Form("over-time", ("precision", "over_time", "text"))
FORMS = (NUMBER, RECORDED, OVER_TIME)


def command(speak: Speak, lang: str) -> click.Command:
    """The verb, in a language."""

    def run(source: str, address: str, **given: Any) -> int:
        from workings.api.door import number as number_of
        from workings.api.recorded import looks_recorded
        from workings.api.recorded_number import proven

        precision, model, prove, over_time, text = (given.pop(name) for name in OWN)
        settings, of_a_model = Settings.of(given, lang), looks_recorded(source)
        refuse_idle(OVER_TIME if over_time else RECORDED if of_a_model else NUMBER, FORMS, settings.to, speak)
        if over_time:
            return _over_time(source, address, text, settings, speak)
        if settings.to in FIGURES:
            raise Misuse("only-with", option=f"--to {settings.to}", other="--over-time")
        if not of_a_model:
            refuse_other(source)
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
        click.Argument(["address"], type=Said(), metavar="ADDRESS"),
        click.Option(["--prove"], is_flag=True, help=speak("cli.option.prove")),
        click.Option(["--model"], metavar="MODEL", help=speak("cli.option.model")),
        click.Option(["--over-time"], is_flag=True, help=speak("cli.option.over-time")),
        click.Option(["--text"], type=Said(), metavar="TEXT", help=speak("cli.option.cell-text")),
        *common(speak, (*targets(), *FIGURES)),
    ]
    return Verb("cell", speak, run, params, EXAMPLES, more=lambda: builtin_names(speak))


def _over_time(source: str, address: str, text: str | None, settings: Settings, speak: Speak) -> int:
    """A number of a trained model at each snapshot of its training."""
    from workings.learning.over_time import over_time

    said = [speak("cli.busy")]

    def heard(done: int, of: int) -> None:
        said[0] = speak("cli.learn.stage.report", done=done, of=of)

    with busy(lambda: said[0], wanted=settings.progress):
        found = over_time(source, address, text=text, lang=settings.lang, heard=heard)
    write_result(found, settings, speak)
    return FINE
