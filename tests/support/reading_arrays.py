"""Reads back what was drawn of arrays, by a reader for each target that does not know how it was drawn."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import NamedTuple
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
BOOK = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
BUILT_IN = {0: "General", 1: "0", 2: "0.00", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??"}
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
BELOW = -1e290


class Read(NamedTuple):
    """A number: as a reader sees it, and what stands behind it."""

    text: str
    value: float
    address: str = ""


# --- SVG ---------------------------------------------------------------------------------------------------------


def read_svg(drawn: str) -> list[Read]:
    cells = [node for node in ElementTree.fromstring(drawn).iter(f"{SVG}text") if "data-value" in node.attrib]  # noqa: S314
    return [Read(c.text or "", float(c.attrib["data-value"]), c.attrib.get("data-address", "")) for c in cells]


# --- CSV ---------------------------------------------------------------------------------------------------------

ADDRESS, ROW, PRINTED, VALUE = 0, 6, 11, 12


def records(drawn: str) -> list[list[str]]:
    """Every record, the header first."""
    return list(csv.reader(io.StringIO(drawn, newline=""), strict=True))


def read_csv(drawn: str) -> list[Read]:
    """The numbers of matrices; those of the setting stand in no row."""
    return [Read(r[PRINTED], float(r[VALUE]), r[ADDRESS]) for r in records(drawn)[1:] if r[ROW]]


# --- workbooks ---------------------------------------------------------------------------------------------------


class Cell(NamedTuple):
    """A cell of a workbook as its file has it."""

    sheet: str
    place: str
    kind: str  # "n" a number, "s" a text, or what else the file says
    value: str
    formula: str
    format: str
    quoted: bool

    @property
    def column(self) -> str:
        return self.place.rstrip("0123456789")


def cells(data: bytes) -> Iterator[Cell]:
    """Every cell that holds something, sheet by sheet, row by row."""
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        texts = ["".join(part.text or "" for part in item.iter(f"{BOOK}t")) for item in _xml(book, "sharedStrings")]
        formats = _formats(book)
        for number, sheet in enumerate(_xml(book, "workbook").iter(f"{BOOK}sheet"), start=1):
            for cell in _xml(book, f"worksheets/sheet{number}").iter(f"{BOOK}c"):
                value, formula = (cell.findtext(f"{BOOK}{name}", "") for name in "vf")
                kind = cell.get("t", "n")
                if value or formula:
                    shown = texts[int(value)] if kind == "s" else value
                    code, quoted = formats[int(cell.get("s", "0"))]
                    yield Cell(sheet.attrib["name"], cell.attrib["r"], kind, shown, formula, code, quoted)


def _xml(book: zipfile.ZipFile, name: str) -> ElementTree.Element:
    return ElementTree.fromstring(book.read(f"xl/{name}.xml"))  # noqa: S314


def _formats(book: zipfile.ZipFile) -> list[tuple[str, bool]]:
    """Of every style: its number format, and whether its texts stay texts when they are typed again."""
    styles = _xml(book, "styles")
    own = {int(item.attrib["numFmtId"]): item.attrib["formatCode"] for item in styles.iter(f"{BOOK}numFmt")}
    (used,) = styles.iter(f"{BOOK}cellXfs")
    return [({**BUILT_IN, **own}[int(item.attrib["numFmtId"])], item.get("quotePrefix") == "1") for item in used]


def shown(value: float, code: str) -> str:
    """A number as a spreadsheet shows it, in the signs of our texts."""
    if code.startswith("[<"):
        return "−∞" if value < BELOW else shown(value, "General")
    if code.endswith("/" + "?" * code.count("?", code.find("/"))) and "/" in code:
        digits = len(code.rpartition("/")[2])
        return str(Fraction(value).limit_denominator(10**digits - 1)).replace("-", "−")
    kept = Decimal(f"{value:.15g}")
    if code == "General":
        return f"{kept:f}".replace("-", "−")
    mantissa, power, _ = code.partition("E")
    places = Decimal(1).scaleb(-len(mantissa.partition(".")[2]))
    if not power:
        return f"{kept.quantize(places, ROUND_HALF_UP):f}".replace("-", "−")
    exponent = kept.adjusted()
    written = kept.scaleb(-exponent).quantize(places, ROUND_HALF_UP)
    return f"{written:f}×10{str(exponent).translate(RAISED)}".replace("-", "−")


def numbers_of(data: bytes) -> list[Cell]:
    """The numbers of matrices: those of the setting have the address of their array before them, and a colon."""
    out: list[Cell] = []
    label = ""
    for cell in cells(data):
        if cell.column == "A":
            label = cell.value
        elif cell.kind == "n" and not re.match(r"\w+: ", label):
            out.append(cell)
    return out


def read_xlsx(drawn: bytes) -> list[Read]:
    return [
        Read(shown(float(cell.value), cell.format), float("-inf") if float(cell.value) < BELOW else float(cell.value))
        for cell in numbers_of(drawn)
    ]


READERS: dict[str, Callable[..., list[Read]]] = {"svg": read_svg, "csv": read_csv, "xlsx": read_xlsx}
