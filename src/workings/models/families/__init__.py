"""The families of models, one file each, found by scanning this folder."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from workings.models.family import ENCODER_DECODER, Family


@cache
def families() -> dict[str, Family]:
    """Every family by each of its kinds."""
    found: dict[str, Family] = {}
    for module in iter_modules(__path__):
        family: Family = import_module(f"{__name__}.{module.name}").FAMILY
        found.update(dict.fromkeys(family.kinds, family))
    return found


def family_of(kind: str, *, encoder_decoder: bool = False) -> Family:
    """The family of a ``model_type``; for one that nobody declared, what transformers' own conventions tell."""
    known = families().get(kind)
    return known or Family(kind, (kind,), (), "unknown", parts=ENCODER_DECODER if encoder_decoder else {})
