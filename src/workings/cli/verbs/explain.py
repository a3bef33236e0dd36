"""`workings explain`: every step of a worked example, written out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from workings.cli.command import Verb
from workings.cli.forms import Form, refuse_idle, refuse_other
from workings.cli.misuse import Misuse
from workings.cli.options import ExampleSource, OneOf, Places, Said, Settings, builtin_names, common, targets
from workings.cli.progress import busy
from workings.cli.result import FINE, put, settle, write_result
from workings.cli.speaking import Speak

EXAMPLES = (
    "workings explain kitten",
    "workings explain kitten --token 它 --show row",
    "workings explain two-heads --to md --lang zh --precision 6 -o two-heads.md",
)
SHOW = ("cell", "row", "all")
EXAMPLE = Form(
    "example",
    ("precision", "show", "token", "carry"),
    dict.fromkeys(("svg", "csv", "xlsx"), ("show", "token")),
)
ARRAY = Form("array", ("precision", "array"))
PAGE = Form("page", ("precision", "interactive", "carry"))
RECORDING = Form("recording", ("precision",))
HEAD = Form("head", ("precision", "head", "token"), {"svg": ("token",)})
RECORDED_ARRAY = Form("recorded-array", ("precision", "array"))
MAP = Form("map", ("head", "interactive"))  # a map has the digits that its cells have room for
FORMS = (EXAMPLE, ARRAY, PAGE, RECORDING, HEAD, RECORDED_ARRAY, MAP)


def command(speak: Speak, lang: str) -> click.Command:
    """The verb, in a language."""

    def run(source: str, array: str | None, head: str | None, precision: Any, interactive: bool, **given: Any) -> int:
        from workings.api.recorded import looks_recorded

        settings, of_a_model = Settings.of(given, lang), head is not None or looks_recorded(source)
        if interactive and settings.to != "html":
            raise Misuse("interactive", to=settings.to)
        if interactive and of_a_model and head is None:
            raise Misuse("interactive-head")
        form = _form(of_a_model=of_a_model, head=head, array=array, interactive=interactive)
        refuse_idle(form, FORMS, settings.to, speak)
        if form is MAP:
            return _map(source, str(head), settings, speak)
        if form is PAGE:
            return _page(source, settings, precision, given["carry"], speak)
        if of_a_model:
            part = {"head": head, "array": array, "token": given["token"]}
            return _of_a_model(source, part, precision, settings, speak)
        refuse_other(source)
        how = {name: given[name] for name in ("show", "token", "carry")}
        return _example(source, array, {**how, "precision": precision}, settings, speak)

    params = [
        click.Argument(["source"], type=ExampleSource(), metavar="EXAMPLE"),
        click.Option(["--head"], type=Said(), metavar="L<n>.H<n>", help=speak("cli.option.head")),
        click.Option(["--array"], type=Said(), metavar="NAME", help=speak("cli.option.array")),
        click.Option(["--show"], type=OneOf(SHOW), metavar="|".join(SHOW), help=speak("cli.option.show")),
        click.Option(["--token"], type=Said(), metavar="WORD", help=speak("cli.option.token")),
        click.Option(["--carry"], type=Places(), metavar="N", help=speak("cli.option.carry")),
        click.Option(["--interactive"], is_flag=True, help=speak("cli.option.interactive")),
        *common(speak, targets(arrays=True)),
    ]
    return Verb("explain", speak, run, params, EXAMPLES, more=lambda: builtin_names(speak))


def _form(*, of_a_model: bool, head: str | None, array: str | None, interactive: bool) -> Form:
    """What is asked for."""
    if of_a_model:
        whole = RECORDING if array is None else RECORDED_ARRAY
        return MAP if interactive else whole if head is None else HEAD
    return PAGE if interactive else EXAMPLE if array is None else ARRAY


def _example(source: str, array: str | None, how: Mapping[str, Any], settings: Settings, speak: Speak) -> int:
    """A worked example, or one array of it."""
    from workings.api.door import explain

    with busy(speak("cli.busy"), wanted=settings.progress):
        trace = explain(source, lang=settings.lang, **how)
        unsure = trace.unsure() if settings.strict else []
        write_result(trace if array is None else trace.array(array), settings, speak)
    return settle(unsure, settings, speak) if settings.strict else FINE


def _of_a_model(source: str, part: Mapping[str, Any], precision: Any, settings: Settings, speak: Speak) -> int:
    """A head of a recording, an array of it, or what was recorded."""
    from workings.api.recorded import recorded

    head, array, token = (part[name] for name in ("head", "array", "token"))
    with busy(speak("cli.busy"), wanted=settings.progress):
        run = recorded(source, lang=settings.lang)
        if head is not None:
            write_result(run.head(head).explain(token=token, precision=precision), settings, speak)
        elif array is not None:
            write_result(run.array(array).explain(precision=precision), settings, speak)
        else:
            write_result(run, settings, speak)
    return FINE


def _page(source: str, settings: Settings, precision: Any, carry: int | None, speak: Speak) -> int:
    """The page of `workings serve` as one file."""
    from workings.api.view import View
    from workings.web.standalone import draw, opened, unsure

    with busy(speak("cli.busy"), wanted=settings.progress):
        one = opened(source, View().changed(lang=settings.lang, precision=precision, carry=carry))
        blamed = unsure(one) if settings.strict else []
        put(draw(one), settings, speak)
    return settle(blamed, settings, speak) if settings.strict else FINE


def _map(source: str, head: str, settings: Settings, speak: Speak) -> int:
    """The map of one head of a recording as one file."""
    from workings.api.view import View
    from workings.web.alone import alone

    with busy(speak("cli.busy"), wanted=settings.progress):
        put(alone(source, head, View().changed(lang=settings.lang)), settings, speak)
    return FINE
