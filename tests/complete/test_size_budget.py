"""Files and functions stay small enough to be seen whole, and every folder is one we decided on."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.complete.layers import layers
from tools.file_list import ROOT, first_line

FILE_LINES = 500
FUNCTION_LINES = 60
AUTHORED = ("src", "tests", "benchmarks", "conformance", "tools")
TOP_FOLDERS = {*AUTHORED, "docs", "frontend"}
BUILT_FOLDERS = {"build", "dist", "node_modules"}
TEST_FOLDERS = {
    "unit",
    "cases",
    "support",
    "property",
    "parity",
    "golden",
    "documents",
    "complete",
    "conformance",
    "browser",
    "web",
    "long",
    "opened",
}


def _files(*suffixes: str, under: tuple[str, ...] = AUTHORED) -> list[Path]:
    found = (path for folder in under for path in (ROOT / folder).rglob("*") if path.suffix in suffixes)
    return sorted(path.relative_to(ROOT) for path in found if "__pycache__" not in path.parts)


def _folders(parent: Path) -> set[str]:
    return {path.name for path in parent.iterdir() if path.is_dir() and path.name[0] not in "._"}


def _long_functions(source: str, limit: int) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > limit:
                yield f"{node.name}: {length} lines"


@pytest.mark.parametrize("path", _files(".py", ".pyi", ".toml"), ids=str)
def test_file_is_short(path: Path) -> None:
    assert len((ROOT / path).read_text(encoding="utf-8").splitlines()) <= FILE_LINES


@pytest.mark.parametrize("path", _files(".py"), ids=str)
def test_functions_are_short(path: Path) -> None:
    assert list(_long_functions((ROOT / path).read_text(encoding="utf-8"), FUNCTION_LINES)) == []


def test_a_long_function_is_noticed() -> None:
    source = "async def g():\n" + "    x = 1\n" * 3 + "def f():\n" + "    x = 1\n" * 2
    assert list(_long_functions(source, 3)) == ["g: 4 lines"]


@pytest.mark.parametrize("path", _files(".py", under=("src", "benchmarks", "conformance", "tools")), ids=str)
def test_module_says_what_it_is(path: Path) -> None:
    line = first_line(ROOT / path)
    assert len(line.split()) >= 3, "the first line of the docstring is the module's entry in ARCHITECTURE.md"
    assert line[0].isupper() or not line[0].isalpha()
    assert line.endswith("."), line


def test_every_folder_is_known() -> None:
    assert _folders(ROOT) - BUILT_FOLDERS <= TOP_FOLDERS
    assert _folders(ROOT / "src") == {"workings"}
    assert _folders(ROOT / "src/workings") <= {name for level in layers() for name in level}
    assert _folders(ROOT / "tests") <= TEST_FOLDERS


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {path.parent for path in _files(".py", under=("src",))}
    assert [str(folder) for folder in sorted(folders) if not (ROOT / folder / "__init__.py").exists()] == []
