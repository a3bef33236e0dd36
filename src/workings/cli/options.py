"""Options that every verb shares, the kinds of value they take, and what they settle."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from workings.api.language import LANGUAGES
from workings.cli.misuse import Misuse
from workings.cli.speaking import Speak

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Worded = click.ParamType[str]
    Counted = click.ParamType[str | int]
else:  # older versions of click have no type parameter here
    Worded = Counted = click.ParamType

MOST_PLACES = 1000
LONGEST_COUNT = 18  # digits
WIDEST = 90  # columns of a line of names
COLORS = ("auto", "always", "never")


class OneOf(Worded):
    """One of a few words."""

    name = "word"

    def __init__(self, choices: Iterable[str]) -> None:
        self.choices = tuple(choices)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices:
            raise Misuse("not-one-of", option=_spelled(param), seen=value, choices=self.choices)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(choice) for choice in self.choices if choice.startswith(incomplete)]


class Said(Worded):
    """A text, not the name of a file: bytes that are not UTF-8 are refused."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            str(value).encode("utf-8")
        except UnicodeEncodeError as error:
            raise Misuse("not-utf8", option=_spelled(param), seen=error.object[error.start : error.end]) from None
        return str(value)


class Places(Counted):
    """A number of decimals (or of something else, up to ``most``), or one of a few words instead."""

    name = "places"

    def __init__(self, *words: str, most: int = MOST_PLACES) -> None:
        self.words, self.most = words, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str | int:
        if value in self.words:
            return str(value)
        text = str(value)
        if text.isascii() and text.isdecimal() and len(text) <= len(str(self.most)) and int(text) <= self.most:
            return int(text)
        key = "not-places-or" if self.words else "not-places"
        words = {"words": self.words} if self.words else {}
        raise Misuse(key, option=_spelled(param), seen=text, most=self.most, **words)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(word) for word in self.words if word.startswith(incomplete)]


class Count(Counted):
    """A whole number from a least one on."""

    name = "count"

    def __init__(self, least: int) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        if text.isascii() and text.isdecimal() and len(text) <= LONGEST_COUNT and int(text) >= self.least:
            return int(text)
        raise Misuse("not-count", option=_spelled(param), seen=text, least=self.least)


class ExampleSource(Worded):
    """A built-in example, a file or ``-``."""

    name = "example"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        from click.shell_completion import CompletionItem

        from workings.examples.library import names

        found = [CompletionItem(name) for name in names() if name.startswith(incomplete)]
        return found or [CompletionItem(incomplete, type="file")]


def targets(*, arrays: bool = False) -> tuple[str, ...]:
    """What ``--to`` takes; ``arrays`` where the result is made of arrays."""
    from workings.render.targets import ARRAYS, TARGETS

    return (*TARGETS, *(ARRAYS if arrays else ()), "json")


def whole_documents() -> list[str]:
    """The targets that ``--standalone`` is for."""
    from workings.render.targets import TARGETS

    return [name for name, target in TARGETS.items() if target.standalone]


def _is_binary(to: str) -> bool:
    from workings.render.targets import ARRAYS, TARGETS

    target = {**TARGETS, **ARRAYS}.get(to)
    return target is not None and target.binary


def builtin_names(speak: Speak) -> list[str]:
    """Lines of help that list the built-in examples."""
    from textwrap import wrap

    from workings.examples.library import names

    lines = wrap(", ".join(names()), WIDEST, break_on_hyphens=False)
    return [speak("cli.builtin"), *(f"  {line}" for line in lines)]


def _spelled(param: click.Parameter | None) -> str:
    if isinstance(param, click.Argument):
        return param.human_readable_name
    return max(param.opts, key=len) if param is not None else ""


@dataclass(frozen=True)
class Settings:
    """What the shared options settle."""

    lang: str
    to: str
    output: str | None
    color: str
    quiet: bool
    progress: bool
    strict: bool
    style: Mapping[str, Any]

    @classmethod
    def of(cls, given: Mapping[str, Any], default_lang: str) -> Settings:
        """From parsed options; raises ``Misuse`` where two of them exclude each other, or a terminal cannot show it."""
        if given["as_json"] and given["to"] not in (None, "json"):
            raise Misuse("exclude", first="--json", second=f"--to {given['to']}")
        output, to = given["output"], "json" if given["as_json"] else given["to"] or "text"
        standalone = given.get("standalone", False)
        if standalone and to not in whole_documents():
            raise Misuse("standalone", to=to, targets=whole_documents())
        if output is None and _is_binary(to) and sys.stdout is not None and sys.stdout.isatty():
            raise Misuse("binary", to=to)
        return cls(
            lang=given["lang"] or default_lang,
            to=to,
            output=None if output == "-" else output,
            color=given["color"],
            quiet=given["quiet"],
            progress=not given["no_progress"] and not given["quiet"],
            strict=given["strict"],
            style={"standalone": True} if standalone else {},
        )


def output_option(speak: Speak) -> click.Option:
    """Where the result goes."""
    return click.Option(["-o", "--output"], metavar="FILE", help=speak("cli.option.output"))


def language_option(speak: Speak) -> click.Option:
    """The language; it may stand before the verb or after it."""
    return click.Option(["--lang"], type=OneOf(LANGUAGES), metavar="|".join(LANGUAGES), help=speak("cli.option.lang"))


def common(speak: Speak, targets: Iterable[str], *, precision: bool = True) -> list[click.Parameter]:
    """The shared options, in the order in which help shows them."""
    names = tuple(targets)
    whole = not set(whole_documents()).isdisjoint(names)

    def said(name: str) -> str:
        return speak(f"cli.option.{name}")

    digits = click.Option(
        ["--precision"], type=Places("auto", "exact"), default="auto", metavar="N|auto|exact", help=said("precision")
    )
    return [
        *([digits] if precision else []),
        click.Option(
            ["--to"], type=OneOf(names), metavar="FORMAT", help=speak("cli.option.to", formats="|".join(names))
        ),
        *([click.Option(["--standalone"], is_flag=True, help=said("standalone"))] if whole else []),
        click.Option(["--json", "as_json"], is_flag=True, help=said("json")),
        output_option(speak),
        language_option(speak),
        click.Option(["--color"], type=OneOf(COLORS), default="auto", metavar="|".join(COLORS), help=said("color")),
        click.Option(["--quiet"], is_flag=True, help=said("quiet")),
        click.Option(["--no-progress"], is_flag=True, help=said("no-progress")),
        click.Option(["--strict"], is_flag=True, help=said("strict")),
    ]
