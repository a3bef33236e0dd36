"""Mistakes in the use of the command itself, and click's own errors in our words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click


class Misuse(click.UsageError):
    """A command line that cannot be meant: the key of its sentence, and the values seen in it."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self.key = f"cli.error.{key}"
        self.values = values


def understood(error: click.UsageError) -> Misuse:
    """The same mistake with a sentence of ours."""
    if isinstance(error, Misuse):
        return error
    if isinstance(error, click.NoSuchOption):
        close = error.possibilities or []
        longer = [name for name in close if name.startswith(error.option_name)]
        near = next(iter([*longer, *close]), "")
        key = "no-such-option-near" if near else "no-such-option"
        return Misuse(key, option=error.option_name, **({"near": near} if near else {}))
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return Misuse("missing", what=error.param.human_readable_name, command=_path(error))
    if isinstance(error, click.BadOptionUsage):
        return Misuse("option-value", option=error.option_name)
    if isinstance(error, click.BadParameter) and error.param is not None:
        return Misuse("option-value", option=max(error.param.opts, key=len))
    return Misuse("other", command=_path(error))


def _path(error: click.UsageError) -> str:
    return error.ctx.command_path if error.ctx is not None else "workings"


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word most like one that is not known, or an empty string."""
    import difflib

    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return found[0] if found else ""
