"""The names of all that is declared: every array that a recipe may be given or work out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from workings.steps import attention, block, loss, of_models, online, position, projection, qk_norm, softmax
from workings.steps.inputs import GIVEN, INPUTS
from workings.steps.step import Step

MODULES = (projection, position, attention, softmax, block, online, qk_norm, loss)
BUILT = ("masked", "capped", "biased", "concat", "block_exp", "rescale")  # steps that a recipe makes as it needs them
DIGITS = re.compile(r"[0-9]+")


@cache
def names() -> frozenset[str]:
    """The names of everything that the recipe of an example may work out or be given, without their numbers."""
    steps = _steps([value for module in MODULES for value in vars(module).values()])
    return frozenset((*map(plain, INPUTS), *BUILT, *(step.name for step in steps)))


@cache
def names_of_models() -> frozenset[str]:
    """Those and what models of families have besides, without their numbers."""
    steps = [plain(step.name) for step in _steps(vars(of_models).values())]
    given = [plain(name) for name in GIVEN]
    norms = [name.removesuffix("_gain") for name in given if name.endswith("_gain")]
    parts = [name.removeprefix("norm") for name in names() if name.startswith("norm_")]
    normed = [norm + part for norm in norms for part in ("", "ed", *parts)]
    return names() | frozenset((*given, *steps, *normed))


def plain(name: str) -> str:
    """A name without its numbers: ``norm`` of ``norm2``."""
    return DIGITS.sub("", name)


def _steps(values: Iterable[object]) -> Iterator[Step]:
    """The steps among values, and in the tuples and the tables among them."""
    for value in values:
        if isinstance(value, Step):
            yield value
        elif isinstance(value, (tuple, dict)):
            yield from _steps(value.values() if isinstance(value, dict) else value)
