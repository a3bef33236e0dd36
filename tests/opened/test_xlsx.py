"""Workbooks as LibreOffice works them: every formula anew, and the numbers are ours.

The values beside the formulas are made wrong first, so what comes back was worked there. How far it may be from the
true value follows from the formulas of the cells, by the running error bound of ``tests/support/bounds.py`` with the
unit 2⁻⁴⁸: LibreOffice takes a sum or difference for 0 where it is smaller than its operands by 2⁻⁴⁸
(``rtl::math::approxAdd``, ``approxSub``), which is coarser than any rounding. Its files hold 15 significant digits, so
half a unit of the fifteenth is added.
"""

import io
import re
import subprocess
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from mpmath import mpf, workdps  # type: ignore[import-untyped]

import workings as w
from tests.support.bounds import DIGITS, Bounds
from tests.support.reading_arrays import BELOW, Cell, cells, numbers_of
from tools.showcase import SHOWCASE
from workings.examples import library
from workings.render.inert import inert
from workings.terms.numbers import nearest_float

UNIT = 2.0**-48
WRITTEN = 5e-15  # relative: half a unit of the fifteenth significant digit
ALWAYS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""
NOTHING = {
    "tokens": ["a", "b", "c"],
    "inputs": {"Q": [["1/3"], [2], [1]], "K": [["sqrt(2)"], [1], ["ln(2)"]], "V": [[1], [2], [3]]},
    "attention": {"mask": [[0, 0, 0], [1, 1, 0], [0, 1, 1]], "softmax": "shifted"},
}
WORDS = (
    "=1+1",
    "+1+1",
    "-1",
    "@SUM(1)",
    "=cmd|' /C calc'!A0",
    "{=1+1}",
    '=HYPERLINK("http://x.example")',
    "<b>",
    "שלום",
)
ROWS = [[place % 3, place % 2] for place in range(len(WORDS))]
HOSTILE = {"tokens": WORDS, "inputs": {"Q": ROWS, "K": ROWS, "V": ROWS}}
SOURCES: dict[str, Any] = {
    **{name: name for name in library.names()},
    **{f"showcase-{place}": tomllib.loads(text) for place, text in enumerate(SHOWCASE)},
    "nothing": NOTHING,
    "online-nothing": {**NOTHING, "attention": {**NOTHING["attention"], "softmax": "online", "block_size": 1}},  # type: ignore[dict-item]
    "hostile": HOSTILE,
}


CARRIED = {f"{name}-{carry}": (name, carry) for name in ("kitten", "causal", "encoder-six") for carry in (2, 4)}


def emptied(book: bytes) -> bytes:
    """A workbook with a wrong value beside every formula."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            text = old.read(name).decode("utf-8")
            new.writestr(name, re.sub(r"(</f>)<v>[^<]*</v>", r"\1<v>77</v>", text))
    return out.getvalue()


@pytest.fixture(scope="module")
def recalculated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Every workbook as LibreOffice saves it after it has worked every formula."""
    folder = tmp_path_factory.mktemp("books")
    profile = folder / "profile/user"
    profile.mkdir(parents=True)
    (profile / "registrymodifications.xcu").write_text(ALWAYS, encoding="utf-8")
    for name, source in SOURCES.items():
        (folder / f"{name}.xlsx").write_bytes(emptied(w.explain(source, lang="en").to_xlsx()))
    for file, (name, carry) in CARRIED.items():
        (folder / f"{file}.xlsx").write_bytes(emptied(w.explain(name, lang="en", carry=carry).to_xlsx()))
    command = [
        "soffice",
        f"-env:UserInstallation={(folder / 'profile').as_uri()}",
        "--headless",
        "--convert-to",
        "xlsx",
    ]
    files = [str(folder / f"{name}.xlsx") for name in (*SOURCES, *CARRIED)]
    subprocess.run([*command, "--outdir", str(folder / "out"), *files], capture_output=True, check=True, timeout=600)
    return {name: Path(folder / "out" / f"{name}.xlsx").read_bytes() for name in (*SOURCES, *CARRIED)}


@pytest.mark.parametrize("name", SOURCES)
def test_worked_anew_the_numbers_are_ours(name: str, recalculated: dict[str, bytes]) -> None:
    trace = w.explain(SOURCES[name], lang="en")
    told = trace._told()
    bounds = Bounds(told.recipe, told.engine, UNIT)  # type: ignore[arg-type]
    found = numbers_of(recalculated[name])
    wanted = [(part, worked) for part in trace.arrays().parts for row in part.cells for worked in row]
    assert len(found) == len(wanted)
    assert sum(bool(cell.formula) for cell in found) >= sum(not part.given for part, _ in wanted)
    with workdps(DIGITS):
        for cell, (part, worked) in zip(found, wanted, strict=True):
            assert cell.kind == "n", cell
            value = mpf(float(cell.value))
            if worked.value.infinite:
                assert value < BELOW, (worked.address, cell)
                continue
            true = bounds.cell(worked.address) if part.own or worked.formula is None else bounds.of(worked.formula)
            allowed = true.error + WRITTEN * abs(true.value)
            assert abs(value - true.value) <= allowed, (worked.address, cell, float(true.value), float(allowed))


@pytest.mark.parametrize("name", CARRIED)
def test_hand_mode_carries_the_same_decimals(name: str, recalculated: dict[str, bytes]) -> None:
    source, carry = CARRIED[name]
    wanted = [worked for part in w.explain(source, carry=carry).arrays().parts for row in part.cells for worked in row]
    for cell, worked in zip(numbers_of(recalculated[name]), wanted, strict=True):
        if worked.value.infinite:
            assert float(cell.value) < BELOW
        else:
            assert float(cell.value) == pytest.approx(nearest_float(worked.value), rel=2 * WRITTEN), (cell, worked)


def test_no_word_has_become_a_formula(recalculated: dict[str, bytes]) -> None:
    found = list(cells(recalculated["hostile"]))
    texts: dict[str, Cell] = {cell.value: cell for cell in found if cell.kind == "s"}
    assert [word for word in WORDS if inert(word) not in texts] == []
    assert not any(cell.formula for cell in texts.values())
    assert all(cell.kind in ("n", "s") for cell in found)
