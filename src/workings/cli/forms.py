"""What an option is for: each use of a command has options that mean something in it, and all others are refused."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import click
from click.core import ParameterSource

from workings.cli.misuse import Misuse
from workings.cli.speaking import Speak

TENSORS = (".npz", ".safetensors")
# options that every use takes, so that a script may write the same for all: the result's form, place and language,
# what is said beside it, and what its exit code tells
SHARED = ("to", "standalone", "as_json", "output", "lang", "color", "quiet", "no_progress", "strict")


@dataclass(frozen=True)
class Form:
    """One use of a command, by what it is given; its words stand under ``cli.form.<name>``.

    Attributes:
        options: parameters that mean something in it, besides ``SHARED``.
        idle: of those, by format which mean nothing in it. JSON is the whole by contract, whatever of it is shown.
    """

    name: str
    options: tuple[str, ...]
    idle: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def refuse_idle(form: Form, forms: Collection[Form], to: str, speak: Speak) -> None:
    """Raises ``Misuse`` for an option that was written and does nothing here; it says where it does something."""
    context = click.get_current_context()
    for option in context.command.params:
        name = option.name or ""
        written = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if not isinstance(option, click.Option) or not written or name in SHARED:
            continue
        spelled = max(option.opts, key=len)
        if name not in form.options:
            known = [speak(f"cli.form.{other.name}") for other in forms if name in other.options]
            raise Misuse("idle", option=spelled, form=speak(f"cli.form.{form.name}"), forms=known)
        if name in form.idle.get(to, ()):
            raise Misuse("idle-format", option=spelled, to=to)


def refuse_other(source: str) -> None:
    """Raises ``Misuse`` for what is no example: a model, which is to be run first, or a file of tensors."""
    from workings.api.stories import looks_like_model

    if looks_like_model(source):
        raise Misuse("a-model", seen=source)
    if source.endswith(TENSORS) and os.path.isfile(source):
        raise Misuse("a-dump", seen=source)
