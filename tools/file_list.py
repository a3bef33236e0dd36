"""Writes the file list of ARCHITECTURE.md from the first line of every module's docstring."""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src/workings", "benchmarks", "tools")
BEGIN, END = "<!-- files:begin -->\n", "<!-- files:end -->\n"
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


def with_list(document: str, listing: str) -> str:
    """The document with what stands between the two markers replaced by the listing."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError("ARCHITECTURE.md has lost the markers of its file list")
    return before + begin + listing + end + after


def main() -> int:
    """Check (the default) or write; 1 where the list is out of date."""
    parser = argparse.ArgumentParser(prog="python -m tools.file_list", description=__doc__)
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="only say whether the list is current (the default)")
    choice.add_argument("--write", action="store_true", help="write the list")
    write: bool = parser.parse_args().write
    document = ROOT / "ARCHITECTURE.md"
    old = document.read_text(encoding="utf-8")
    new = with_list(old, file_list())
    if old == new:
        return 0
    if write:
        document.write_text(new, encoding="utf-8")
        return 0
    print("ARCHITECTURE.md: the file list is out of date; `make fix` writes it", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
