"""The file list of ARCHITECTURE.md, from the first line of every module's docstring."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src/workings", "benchmarks", "conformance", "tools")
COLUMN = 30


def first_line(module: Path) -> str:
    """The first line of a module's docstring, or an empty string where there is none."""
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8")))
    return text.splitlines()[0].strip() if text else ""


def _entry(depth: int, name: str, text: str) -> str:
    return f"{'  ' * depth + name:<{COLUMN}} {text}".rstrip()


def _folder_lines(folder: Path, name: str, depth: int) -> Iterator[str]:
    package = folder / "__init__.py"
    yield _entry(depth, f"{name}/", first_line(package) if package.exists() else "")
    for module in sorted(folder.glob("*.py")):
        if module != package:
            yield _entry(depth + 1, module.name, first_line(module))
    for child in sorted(folder.iterdir()):
        if child.is_dir() and any(child.rglob("*.py")):
            yield from _folder_lines(child, child.name, depth + 1)


def file_list(root: Path = ROOT) -> str:
    """The whole list as a code block, one line for each module and each package."""
    lines = [line for name in FOLDERS for line in _folder_lines(root / name, name, 0)]
    return "\n".join(["```text", *lines, "```", ""])
