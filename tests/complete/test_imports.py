"""Light commands stay light: what a fresh interpreter has loaded after each of them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"torch", "transformers", "numba", "numpy"}
CHILD = """
import json, sys
listing = sys.argv.pop()
code = 0
try:
    exec(sys.argv.pop())
except SystemExit as stop:
    code = stop.code or 0
finally:
    with open(listing, "w", encoding="utf-8") as file:
        json.dump(sorted(name.partition(".")[0] for name in sys.modules), file)
sys.exit(code)
"""
COMMAND = "from workings.cli.main import main; sys.argv = ['workings', *{arguments!r}]; main()"


def _loaded(program: str, folder: Path) -> set[str]:
    """The top-level packages that a child holds after it ran the program with its output piped."""
    listing = folder / "modules.json"
    child = [sys.executable, "-W", "error", "-c", CHILD, program, str(listing)]
    done = subprocess.run(child, capture_output=True, check=False, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr
    return set(json.loads(listing.read_text(encoding="utf-8")))


LIGHT = {
    "import": "import workings",
    "help": COMMAND.format(arguments=["--help"]),
    "explain": COMMAND.format(arguments=["explain", "kitten"]),
    "explain-json": COMMAND.format(arguments=["explain", "kitten", "--to", "json", "--lang", "zh"]),
    "cell": COMMAND.format(arguments=["cell", "kitten", "score[2,0]"]),
}


@pytest.mark.parametrize("program", LIGHT.values(), ids=LIGHT)
def test_loads_nothing_heavy(program: str, tmp_path: Path) -> None:
    loaded = _loaded(program, tmp_path)
    assert "workings" in loaded
    assert loaded & HEAVY == set()


@pytest.mark.parametrize("program", LIGHT.values(), ids=LIGHT)
def test_loads_no_rich_when_piped(program: str, tmp_path: Path) -> None:
    assert "rich" not in _loaded(program, tmp_path)


def test_a_heavy_import_is_noticed(tmp_path: Path) -> None:
    assert _loaded("import workings, numpy.linalg", tmp_path) & HEAVY == {"numpy"}


def test_a_heavy_import_before_an_exit_is_noticed(tmp_path: Path) -> None:
    assert "numpy" in _loaded("import numpy; sys.exit(0)", tmp_path)
