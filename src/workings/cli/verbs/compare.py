"""`workings compare`: tensors that a kernel wrote, judged against the declared steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from workings.cli.command import Verb
from workings.cli.misuse import Misuse
from workings.cli.options import OneOf, Places, Said, Settings, common, targets
from workings.cli.progress import busy
from workings.cli.result import FINE, UNSURE, write_result
from workings.cli.speaking import Speak

if TYPE_CHECKING:
    Worded = click.ParamType[Any]
else:
    Worded = click.ParamType

OVER = 1
MOST_LISTED = 3
EXAMPLES = (
    "workings compare kernel.safetensors",
    "workings compare kernel.npz --causal bottom-right --window 127,0 --softcap 50",
    "workings compare kernel.npz --options options.json --json",
)
CHOSEN = ("layout", "causal", "softmax_dtype", "lse_base", "fully_masked", "rope", "qk_norm")
PLAIN = {"multiply_by": "NUMBER", "softcap": "NUMBER", "rope_base": "NUMBER", "eps": "NUMBER"}
COUNTS = ("rotary_dim", "heads", "kv_heads")


class Window(Worded):
    """Two numbers of keys with a comma; an empty one has no limit."""

    name = "window"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int | None]:
        if isinstance(value, list):
            return value
        sides = str(value).split(",")
        if len(sides) != 2 or not all(not side or (side.isascii() and side.isdecimal()) for side in sides):
            raise Misuse("not-window", option="--window", seen=str(value))
        if any(len(side) > 9 for side in sides):
            raise Misuse("not-window", option="--window", seen=str(value))
        return [int(side) if side else None for side in sides]


def command(speak: Speak, lang: str) -> click.Command:
    """The verb, in a language."""
    from workings.checking.dumps.options import CHOICES

    def run(dump: str, options: str | None, **given: Any) -> int:
        from workings.api.comparison import compare

        names = (*CHOSEN, *PLAIN, *COUNTS, "window", "alibi")
        said = {name: given.pop(name) for name in names}
        flags = {name: value for name, value in said.items() if value is not None and value is not False}
        settings = Settings.of(given, lang)
        _check(flags)
        with busy(speak("cli.busy"), wanted=settings.progress):
            found = compare(dump, options, lang=settings.lang, **flags)
            write_result(found, settings, speak)
        if not found.holds:
            return OVER
        return UNSURE if settings.strict and not found.conclusive else FINE

    params: list[click.Parameter] = [
        click.Argument(["dump"], metavar="DUMP"),
        click.Option(["--options"], metavar="FILE", help=speak("cli.option.options")),
        *(
            click.Option(
                [_flag(name)], type=OneOf(CHOICES[name]), metavar=_listed(CHOICES[name]), help=_said(speak, name)
            )
            for name in CHOSEN
        ),
        *(
            click.Option([_flag(name)], type=Said(), metavar=kind, help=_said(speak, name))
            for name, kind in PLAIN.items()
        ),
        click.Option(["--window"], type=Window(), metavar="LEFT,RIGHT", help=_said(speak, "window")),
        click.Option(["--alibi"], is_flag=True, help=_said(speak, "alibi")),
        *(click.Option([_flag(name)], type=Places(), metavar="N", help=_said(speak, name)) for name in COUNTS),
        *common(speak, targets(), precision=False),
    ]
    return Verb("compare", speak, run, params, EXAMPLES)


def _check(flags: Mapping[str, Any]) -> None:
    """Refuses a flag whose value cannot be meant, before any file is read."""
    from workings.checking.dumps.options import Options
    from workings.terms.errors import OptionForm

    try:
        Options().changed(flags)
    except OptionForm as error:
        option, seen, examples = (error.values[name] for name in ("option", "seen", "examples"))
        raise Misuse("not-like", option=_flag(option), seen=seen, examples=examples) from None


def _listed(words: tuple[str, ...]) -> str:
    return "|".join(words) if len(words) <= MOST_LISTED else "TYPE"


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _said(speak: Speak, name: str) -> str:
    return speak(f"cli.option.{name}")
