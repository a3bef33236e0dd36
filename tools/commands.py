"""The reference of the command line, from the commands themselves: verbs, arguments, options, defaults, examples."""

from __future__ import annotations

from collections.abc import Iterator

import click

from tools.steps import table
from workings import __version__
from workings.cli.command import EXAMPLES, VERBS, Program, Verb, examples_of
from workings.cli.speaking import speaker

WORDS = {
    "en": {
        "title": "The command line",
        "other": "[中文](cli.zh.md)",
        "about": "What `-h` shows, on one page; made from the commands by `make fix`.",
        "options": "option | default | what it does",
        "arguments": "argument | what it is",
        "shared": "Options of the command itself",
        "codes": "Exit codes",
        "code": "code | when",
        "several": "Where several apply, the first of 2, 3, 1, 4 counts.",
        "none": "–",
    },
    "zh": {
        "title": "命令行",
        "other": "[English](cli.md)",
        "about": "把 `-h` 显示的内容收在一页上，由 `make fix` 根据命令本身生成。",
        "options": "选项 | 默认值 | 作用",
        "arguments": "参数 | 是什么",
        "shared": "命令本身的选项",
        "codes": "退出码",
        "code": "码 | 什么时候",
        "several": "同时符合几种情况时，按 2、3、1、4 的次序取第一个。",
        "none": "–",
    },
}
CODES = {
    0: {"en": "all is well, all hold", "zh": "一切正常，全部成立"},
    1: {
        "en": "a number is wrong or over its tolerance; with `--strict` also one that is truncated",
        "zh": "有数是错的，或超出容差；加 `--strict` 时，被截断的也算",
    },
    2: {"en": "a mistake in the command, or in a field of an example", "zh": "命令写错了，或例子的某个字段有错"},
    3: {
        "en": "a file that cannot be read, written or understood, a missing library, or nothing to check",
        "zh": "文件无法读写或读不懂、缺少需要的库，或没有可检查的数",
    },
    4: {"en": "something is left undecided; only with `--strict`", "zh": "有拿不准的地方；仅在加 `--strict` 时"},
    130: {"en": "interrupted with Ctrl-C", "zh": "被 Ctrl-C 中断"},
}


def page(lang: str) -> str:
    """The reference in a language."""
    said, speak = WORDS[lang], speaker(lang)
    program = Program(speak, lang, __version__)
    parts = [f"# {said['title']}", said["other"], said["about"], _examples("top", EXAMPLES, lang)]
    for name in VERBS:
        parts += _verb(program, name, lang)
    parts += [f"## {said['shared']}", table(said["options"], _options(program, lang))]
    codes = [(str(code), text[lang]) for code, text in CODES.items()]
    parts += [f"## {said['codes']}", table(said["code"], codes), said["several"]]
    return "\n\n".join(parts) + "\n"


def _verb(program: Program, name: str, lang: str) -> Iterator[str]:
    said, speak = WORDS[lang], speaker(lang)
    verb = program.get_command(click.Context(program), name)
    if not isinstance(verb, Verb):
        raise TypeError(f"{name} is no verb")
    arguments = [param for param in verb.params if isinstance(param, click.Argument)]
    yield f"## `workings {name}`"
    yield str(verb.help)
    if arguments:
        rows = [(f"`{one.human_readable_name}`", speak(f"cli.{name}.argument.{one.name}")) for one in arguments]
        yield table(said["arguments"], rows)
    if verb.more():
        yield " ".join(" ".join(verb.more()).split())
    yield table(said["options"], _options(verb, lang))
    yield _examples(name, verb.examples, lang)


def _examples(name: str, commands: tuple[str, ...], lang: str) -> str:
    lines = [line.removeprefix("  ") for line in examples_of(name, commands, speaker(lang))]
    return "```sh\n" + "\n".join(lines) + "\n```"


def _options(command: click.Command, lang: str) -> Iterator[tuple[str, ...]]:
    for option in command.params:
        if isinstance(option, click.Option):
            names = " / ".join([", ".join(sorted(option.opts, key=len)), *option.secondary_opts])
            value = "" if option.is_flag else f" {option.metavar or (option.name or '').upper()}"
            default = option.default if isinstance(option.default, (str, int)) and option.default else None
            shown = f"`{default}`" if default is not None and not option.is_flag else WORDS[lang]["none"]
            yield f"`{names}{value}`", str(shown), option.help or ""
