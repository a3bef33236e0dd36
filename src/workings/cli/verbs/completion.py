"""`workings completion`: prints a script for a shell; it asks the command itself what there is to complete."""

from __future__ import annotations

import click

from workings.cli.command import Verb
from workings.cli.misuse import Misuse
from workings.cli.options import OneOf, language_option, output_option
from workings.cli.output import emit
from workings.cli.speaking import Speak

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_WORKINGS_COMPLETE"
EXAMPLES = (
    'eval "$(workings completion bash)"',
    "workings completion zsh > _workings",
    "workings completion fish",
)


class Shell(OneOf):
    """The name of a shell."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices:
            raise Misuse("not-shell", seen=value, choices=self.choices)
        return str(value)


def command(speak: Speak, lang: str) -> click.Command:
    """The verb, in a language."""
    params = [
        click.Argument(["shell"], type=Shell(SHELLS), metavar="SHELL"),
        output_option(speak),
        language_option(speak),
    ]
    return Verb("completion", speak, _run, params, EXAMPLES)


def _run(shell: str, output: str | None, lang: str | None) -> int:
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None:
        raise LookupError(shell)
    script = kind(click.Command("workings"), {}, "workings", VARIABLE)
    emit(script.source_template % script.source_vars(), output)  # source() would start a bash to ask for its version
    return 0
