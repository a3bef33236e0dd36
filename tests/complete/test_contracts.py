"""The import contracts hold, and each of them can fail."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.complete.layers import contracts
from tools.file_list import ROOT

LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"
PLANTED = [
    ("layers", "terms/planted.py", "import workings.steps"),
    ("layers", "terms/planted.py", "def later() -> None:\n    from workings.cli import main"),
    ("layers", "helpers.py", '"""A stray module."""'),
    ("flint", "terms/planted.py", "from flint import arb"),
    ("rich", "explaining/planted.py", "from rich.table import Table"),
    ("xlsxwriter", "api/planted.py", "import xlsxwriter"),
    ("numpy", "exact/planted.py", "def later() -> None:\n    import numpy as np"),
    ("torch", "arrays/planted.py", "import torch.nn"),
    ("numba", "fast/planted.py", "import numba"),
    ("transformers", "api/planted.py", "import transformers"),
    ("starlette", "cli/planted.py", "from starlette.applications import Starlette"),
]


def _lint(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "COLUMNS": "200"}
    command = [sys.executable, "-c", LINT, "--no-cache", "--no-logo", *options]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, check=False, encoding="utf-8", timeout=300
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of what the contracts speak about."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_contracts_hold(copy: Path) -> None:
    done = _lint(copy)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Contracts: {len(contracts())} kept, 0 broken." in done.stdout


@pytest.mark.parametrize(("contract", "file", "source"), PLANTED)
def test_a_planted_import_breaks_its_contract(copy: Path, contract: str, file: str, source: str) -> None:
    (copy / "src/workings" / file).write_text(source + "\n", encoding="utf-8")
    done = _lint(copy, "--contract", contract)
    assert done.returncode == 1
    assert "Contracts: 0 kept, 1 broken." in done.stdout, done.stdout + done.stderr
    assert file.removesuffix(".py").replace("/", ".") in done.stdout


def test_each_contract_has_a_planted_import() -> None:
    assert {contract for contract, _, _ in PLANTED} == {contract["id"] for contract in contracts()}
