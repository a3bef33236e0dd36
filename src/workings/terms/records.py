"""Small immutable records that are made by the thousand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True)
def record(kind: type[Kind]) -> type[Kind]:
    """A dataclass with slots that is frozen for whoever checks types: to freeze it at run time as well takes each of
    its instances three times as long to make.
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)


@dataclass_transform(frozen_default=True)
def keeping(kind: type[Kind]) -> type[Kind]:
    """The same for a record that keeps what was worked out of it, as ``cached_property`` does."""
    return dataclass(unsafe_hash=True)(kind)
