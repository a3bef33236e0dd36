"""Finds what a folder holds of one kind: its modules that have a function `run`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any


def runs(package: ModuleType) -> Iterator[tuple[str, Callable[[], list[Any]]]]:
    """Every module of a package that has a function `run`, in the order of the names."""
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        if not info.name.startswith("_"):
            module = importlib.import_module(f"{package.__name__}.{info.name}")
            if hasattr(module, "run"):
                yield info.name, module.run
