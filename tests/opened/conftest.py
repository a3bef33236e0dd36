"""Programs that are not ours, as these tests call them."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

OVERFULL = re.compile(r"Overfull \\hbox \(([0-9.]+)pt too wide\)")


@dataclass(frozen=True)
class Compiled:
    """What became of a LaTeX document."""

    log: str
    text: str

    @property
    def overfull(self) -> list[float]:
        """How far lines stand out into the margin, in points."""
        return [float(found) for found in OVERFULL.findall(self.log)]


Compile = Callable[[str, str], Compiled]


@pytest.fixture
def compiled(tmp_path: Path) -> Compile:
    """Compiles a document with an engine, as strictly as can be; raises where it does not compile."""

    def compile_one(source: str, engine: str) -> Compiled:
        (tmp_path / "document.tex").write_text(source, encoding="utf-8")
        environment = {**os.environ, "openin_any": "p", "openout_any": "p", "max_print_line": "1000"}
        command = [engine, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "document.tex"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False, timeout=300)
        log = (tmp_path / "document.log").read_text(encoding="utf-8", errors="replace")
        assert done.returncode == 0, log[-3000:]
        text = subprocess.run(["pdftotext", "document.pdf", "-"], cwd=tmp_path, capture_output=True, check=True).stdout
        return Compiled(log, text.decode("utf-8"))

    return compile_one


@pytest.fixture(autouse=True, scope="session")
def programs() -> None:
    """They are there: ``make test-documents`` sees to that."""
    missing = [name for name in ("pdflatex", "xelatex", "pdftotext", "soffice") if shutil.which(name) is None]
    assert missing == [], "run `make test-documents`, which installs them"
