"""The layers of the project, read from the one place that enforces them."""

import tomllib
from typing import Any

from tools.file_list import ROOT


def contracts() -> list[dict[str, Any]]:
    """Every import contract in pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return found


def layers() -> list[list[str]]:
    """The names on each level, high to low."""
    (contract,) = (contract for contract in contracts() if contract["id"] == "layers")
    return [[name.strip(" ()") for name in level.split("|")] for level in contract["layers"]]
