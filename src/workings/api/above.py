"""The way from what a user holds to the pages that show it, which know this package and are not known by it."""

from importlib import import_module
from typing import Any


def above(name: str) -> Any:
    """A module of a higher layer, loaded when it is first asked for."""
    return import_module(f"workings.{name}")
