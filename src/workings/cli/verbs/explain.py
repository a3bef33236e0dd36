"""`workings explain`: every step of a worked example, written out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from workings.cli.command import Verb
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
WHOLE = ("show", "token", "carry")  # what has no meaning for a single array
STILL = ("array", "show", "token", "standalone")  # what has no meaning where every number can be pointed at


def command(speak: Speak, lang: str) -> click.Command:
    """The verb, in a language."""

    def run(source: str, array: str | None, head: str | None, precision: Any, interactive: bool, **given: Any) -> int:
        from workings.api.door import explain
        from workings.api.recorded import looks_recorded

        if interactive:
            _refuse_still({"array": array, **given})
            if head is not None or looks_recorded(source):
                return _interactive_head(source, head, Settings.of(given, lang), precision, given["carry"], speak)
            return _interactive(source, Settings.of(given, lang), precision, given["carry"], speak)
        settings = Settings.of(given, lang)
        if head is not None or (array is None and looks_recorded(source)):
            for name, value in {"array": array, **{name: given[name] for name in ("show", "carry")}}.items():
                if head is not None and value is not None:
                    raise Misuse("exclude", first="--head", second=f"--{name}")
            return _of_a_model(source, head, given["token"], precision, settings, speak)
        show, token, carry = (given[name] for name in WHOLE)
        for name in WHOLE:
            if array is not None and given[name] is not None:
                raise Misuse("exclude", first="--array", second=f"--{name}")
        with busy(speak("cli.busy"), wanted=settings.progress):
            trace = explain(source, show=show, token=token, lang=settings.lang, precision=precision, carry=carry)
            unsure = trace.unsure() if settings.strict else []
            write_result(trace if array is None else trace.array(array), settings, speak)
        return settle(unsure, settings, speak) if settings.strict else FINE

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


def _of_a_model(
    source: str, head: str | None, token: str | None, precision: Any, settings: Settings, speak: Speak
) -> int:
    """A head of a recording, or what was recorded."""
    from workings.api.recorded import recorded

    with busy(speak("cli.busy"), wanted=settings.progress):
        run = recorded(source, lang=settings.lang)
        write_result(run if head is None else run.head(head).explain(token=token, precision=precision), settings, speak)
    return FINE


def _refuse_still(given: Mapping[str, Any]) -> None:
    """What cannot be meant together with ``--interactive``."""
    for name in STILL:
        if given[name]:
            raise Misuse("exclude", first="--interactive", second=f"--{name}")
    to = "json" if given["as_json"] else given["to"] or "text"
    if to != "html":
        raise Misuse("interactive", to=to)


def _interactive(source: str, settings: Settings, precision: Any, carry: int | None, speak: Speak) -> int:
    """The page of `workings serve` as one file."""
    from workings.api.view import View
    from workings.web.standalone import draw, opened, unsure

    with busy(speak("cli.busy"), wanted=settings.progress):
        one = opened(source, View().changed(lang=settings.lang, precision=precision, carry=carry))
        blamed = unsure(one) if settings.strict else []
        put(draw(one), settings, speak)
    return settle(blamed, settings, speak) if settings.strict else FINE


def _interactive_head(
    source: str, head: str | None, settings: Settings, precision: Any, carry: int | None, speak: Speak
) -> int:
    """The map of one head of a recording as one file."""
    if head is None:
        raise Misuse("interactive-head")
    chosen = None if precision == "auto" else precision
    for name, value in {"precision": chosen, "carry": carry}.items():
        if value is not None:
            raise Misuse("exclude", first="--head", second=f"--{name}")
    from workings.api.view import View
    from workings.web.alone import alone

    with busy(speak("cli.busy"), wanted=settings.progress):
        put(alone(source, head, View().changed(lang=settings.lang)), settings, speak)
    return FINE
