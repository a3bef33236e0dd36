"""Commands whose help is written in the user's language, with examples to copy."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any

import click

from workings.cli.misuse import Misuse, nearest
from workings.cli.options import language_option
from workings.cli.output import emit
from workings.cli.speaking import Speak
from workings.render.inert import display_width, pad_right

# One entry for each verb: the module that builds it. It is imported when the verb is used, not before.
VERBS = {
    "explain": "workings.cli.verbs.explain",
    "cell": "workings.cli.verbs.cell",
    "worksheet": "workings.cli.verbs.worksheet",
    "check": "workings.cli.verbs.check",
    "compare": "workings.cli.verbs.compare",
    "trace": "workings.cli.verbs.trace",
    "learn": "workings.cli.verbs.learn",
    "serve": "workings.cli.verbs.serve",
    "doctor": "workings.cli.verbs.doctor",
    "completion": "workings.cli.verbs.completion",
}
USAGE = 2
EXAMPLES = (
    "workings explain kitten",
    "workings cell kitten 'weight[2,0]'",
    "workings doctor",
)


def help_option(speak: Speak) -> click.Option:
    """``-h/--help``, on every command."""

    def show(context: click.Context, _: click.Parameter, asked: bool) -> None:
        if asked and not context.resilient_parsing:
            emit(context.command.get_help(context), None)
            context.exit(0)

    flag: dict[str, Any] = {"is_flag": True, "expose_value": False, "is_eager": True}
    return click.Option(["-h", "--help"], callback=show, help=speak("cli.option.help"), **flag)


class Verb(click.Command):
    """One verb of the command line.

    Args:
        name: the verb; its words stand under ``cli.<name>.…``.
        run: called with the parsed values; returns the exit code.
        params: arguments and options.
        examples: commands to copy; what each does stands under ``cli.<name>.example-<n>``.
        more: writes further lines of the help page.
    """

    def __init__(
        self,
        name: str,
        speak: Speak,
        run: Callable[..., int],
        params: Sequence[click.Parameter],
        examples: Sequence[str],
        more: Callable[[], list[str]] = list,
    ) -> None:
        super().__init__(
            name,
            callback=run,
            params=[*params, help_option(speak)],
            help=speak(f"cli.{name}.about"),
            add_help_option=False,
            context_settings={"allow_extra_args": True},
        )
        self.speak = speak
        self.examples = tuple(examples)
        self.more = more

    def invoke(self, ctx: click.Context) -> Any:
        if ctx.args:
            raise Misuse("extra", seen=ctx.args[0], command=ctx.command_path)
        return super().invoke(ctx)

    def get_help(self, ctx: click.Context) -> str:
        speak = self.speak
        named = (param.human_readable_name for param in self.params if isinstance(param, click.Argument))
        usage = " ".join([ctx.command_path, *named])
        arguments = [
            (param.human_readable_name, speak(f"cli.{self.name}.argument.{param.name}"))
            for param in self.params
            if isinstance(param, click.Argument)
        ]
        examples = examples_of(str(self.name), self.examples, speak)
        return page(
            [speak("cli.usage", command=f"{usage} {speak('cli.options-mark')}")],
            [str(self.help)],
            aligned(arguments),
            self.more(),
            [speak("cli.options"), *aligned(_options(self.params))],
            [speak("cli.examples"), *examples],
        )


class Program(click.Group):
    """The command itself; a verb is loaded when it is used."""

    def __init__(self, speak: Speak, lang: str, version: str) -> None:
        def show_version(context: click.Context, _: click.Parameter, asked: bool) -> None:
            if asked and not context.resilient_parsing:
                emit(f"workings {version}", None)
                context.exit(0)

        flag: dict[str, Any] = {"is_flag": True, "expose_value": False, "is_eager": True}
        super().__init__(
            "workings",
            params=[
                click.Option(["--version"], callback=show_version, help=speak("cli.option.version"), **flag),
                language_option(speak),
                help_option(speak),
            ],
            invoke_without_command=True,
            add_help_option=False,
        )
        self.speak = speak
        self.lang = lang

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = VERBS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = import_module(module).command(self.speak, self.lang)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        if not ctx._protected_args and not ctx.args:
            print(self.get_help(ctx), file=sys.stderr)
            return USAGE
        return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in VERBS and not ctx.resilient_parsing:
            near = nearest(args[0], VERBS)
            if near:
                raise Misuse("no-such-verb-near", seen=args[0], near=near)
            raise Misuse("no-such-verb", seen=args[0], verbs=tuple(VERBS))
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        speak = self.speak
        verbs = [(verb, speak(f"cli.{verb}.about")) for verb in VERBS]
        return page(
            [speak("cli.usage", command=f"workings {speak('cli.verb-mark')}")],
            [speak("cli.about")],
            [speak("cli.verbs"), *aligned(verbs)],
            [speak("cli.options"), *aligned(_options(self.params))],
            [speak("cli.examples"), *examples_of("top", EXAMPLES, speak)],
            [speak("cli.more")],
        )


# --- the help page -----------------------------------------------------------------------------------------------


def _options(params: Iterable[click.Parameter]) -> list[tuple[str, str]]:
    return [(_names(param), param.help or "") for param in params if isinstance(param, click.Option)]


def _names(option: click.Option) -> str:
    names = ", ".join(sorted(option.opts, key=len))
    if option.is_flag:
        return names
    return f"{names} {option.metavar or (option.name or '').upper()}"


def examples_of(name: str, commands: Iterable[str], speak: Speak) -> list[str]:
    """Commands to copy, each under a line that says what it does."""
    lines: list[str] = []
    for number, command in enumerate(commands, start=1):
        lines += [f"  # {speak(f'cli.{name}.example-{number}')}", f"  {command}"]
    return lines


def page(*parts: Sequence[str]) -> str:
    """Parts of a help page with an empty line between them; nothing is wrapped."""
    return "\n\n".join("\n".join(part) for part in parts if part)


def aligned(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Two columns, aligned by how wide a terminal draws them."""
    width = max((display_width(left) for left, _ in rows), default=0)
    return [f"  {pad_right(left, width)}  {right}".rstrip() for left, right in rows]
