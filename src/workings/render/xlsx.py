"""A workbook whose numbers are live: given numbers as numbers, every worked one a formula with its value beside it.

One sheet for what is given and one for each head, layer or group of steps, in the order of the explanation. The user's
words are strings and nothing else. There are no macros, no links and nothing from outside, and the same arrays always
give the same bytes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from math import isfinite
from typing import Any

from workings.explaining.tree import Inline
from workings.explaining.worked import Arrays, Part, Worked
from workings.render.inert import display_width
from workings.render.inline import equation_line, label, sentence
from workings.render.words import Words
from workings.render.xlsx_formulas import BELOW, LOW, NAME, Formulas, NotWritten, Place
from workings.steps.language import Const
from workings.terms.address import Address
from workings.terms.numbers import nearest_float

MOST_CHARACTERS = 32_767  # of a cell
MOST_IN_NAME = 31  # characters of the name of a sheet
NARROWEST, WIDEST_LABEL, WIDEST_COLUMN, ROOM = 9, 40, 24, 2
BEGINNINGS = ("=", "+", "-", "@", "'")  # a text that begins so stays a text even when it is typed again
GIVEN = "#FFF6D6"  # behind numbers that come from outside
CREATED = datetime(2000, 1, 1)
DIGITS_KEPT = 15  # digits that a spreadsheet keeps of a number that is written out
INFINITY_FORMAT = f'[<{BELOW}]"−∞";General'
DECIMALS, POWER_OF_TEN, RATIO = (
    re.compile(r"−?\d+(?:\.(\d+))?"),
    re.compile(r"−?\d(?:\.(\d+))?×10.*"),
    re.compile(r"−?\d+/(\d{1,3})"),
)
LOOKS: dict[str, dict[str, Any]] = {
    "title": {"bold": True, "font_size": 14},
    "heading": {"bold": True},
    "soft": {"font_color": "#5B5F66"},
    "note": {"font_color": "#5B5F66", "indent": 1},
    "symbols": {"italic": True},
    "axis": {"font_color": "#5B5F66", "bottom": 1},
    "column": {"bold": True, "align": "right", "bottom": 1, "text_wrap": True, "valign": "bottom"},
    "note-above": {"align": "right", "font_color": "#5B5F66", "text_wrap": True},
    "row": {"bold": True, "text_wrap": True, "valign": "top"},
}


def draw(arrays: Arrays, words: Words) -> bytes:
    """The workbook, as the bytes of its file."""
    return _Book(arrays, words).draw()


def number_format(text: str) -> str:
    """The number format under which a value shows the digits that were printed."""
    if text.endswith("∞"):
        return INFINITY_FORMAT
    for pattern, form in ((DECIMALS, "0{}"), (POWER_OF_TEN, "0{}E+00")):
        found = pattern.fullmatch(text)
        if found is not None:
            return form.format("." + "0" * len(found[1]) if found[1] else "")
    found = RATIO.fullmatch(text)
    return "General" if found is None else f"{'?' * len(found[1])}/{'?' * len(found[1])}"


class _Sheet:
    """A sheet that is being laid out: parts in their order, and the row at which each begins."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.parts: list[tuple[int, Part]] = []
        self.scalars = 0
        self.next = 0


class _Book:
    """Lays a book out first, so that a formula can name any cell, and then writes it."""

    def __init__(self, arrays: Arrays, words: Words) -> None:
        import xlsxwriter  # type: ignore[import-untyped]

        self.arrays, self.words = arrays, words
        self.file = io.BytesIO()
        options = {
            "in_memory": True,
            **dict.fromkeys(("strings_to_formulas", "strings_to_urls", "strings_to_numbers"), False),
        }
        self.book = xlsxwriter.Workbook(self.file, options)
        self.places: dict[Address, Place] = {}
        self.sheets = self._laid_out()
        own = [worked for part in arrays.parts if part.own for row in part.cells for worked in row]
        cells = {worked.address: worked for worked in (*(worked for _, worked in arrays.scalars), *own)}
        self.formulas = Formulas(self.places, cells)
        self._formats: dict[tuple[tuple[str, Any], ...], Any] = {}

    # --- laying out ---

    def _laid_out(self) -> list[_Sheet]:
        sheets: list[_Sheet] = []
        place: tuple[object, ...] = ()
        for part in self.arrays.parts:
            here = (part.given, *part.name._replace(name=""))
            if here != place or not sheets:
                place = here
                sheets.append(_Sheet(self._tab(part, [sheet.name for sheet in sheets])))
                sheets[-1].next = self._opening(sheets[-1], first=len(sheets) == 1)
            self._lay(sheets[-1], part)
        return sheets

    def _tab(self, part: Part, taken: Sequence[str]) -> str:
        """The name of a sheet: where its arrays stand."""
        prefix = str(part.name._replace(name="")).rstrip(".")
        if part.given:
            name = (
                self.words.sentence("arrays.xlsx.given-in", {"place": prefix})
                if prefix
                else self.words["arrays.xlsx.given"]
            )
        else:
            name = prefix or self.words["arrays.xlsx.steps"]
        number, wanted = 1, name
        while wanted in taken:
            number += 1
            wanted = f"{name} ({number})"
        return wanted[:MOST_IN_NAME]

    def _opening(self, sheet: _Sheet, *, first: bool) -> int:
        """How many rows stand above the first part; on the first sheet the notes and the numbers of the setting."""
        if not first:
            return 2
        above = 1 + len(list(self._notes())) + 1
        if not self.arrays.scalars:
            return above
        sheet.scalars = above + 1
        for number, (_, worked) in enumerate(self.arrays.scalars):
            self.places[worked.address] = Place(sheet.name, sheet.scalars + number, 1)
        return sheet.scalars + len(self.arrays.scalars) + 1

    def _lay(self, sheet: _Sheet, part: Part) -> None:
        sheet.parts.append((sheet.next, part))
        top = sheet.next + self._above(part)
        if part.own:
            for i, row in enumerate(part.cells):
                for j, worked in enumerate(row):
                    self.places[worked.address] = Place(sheet.name, top + i, 1 + j)
        sheet.next = top + len(part.cells) + 1

    def _above(self, part: Part) -> int:
        """Rows above the numbers of a part."""
        return 2 + len(part.general) + bool(part.source) + bool(part.matrix.column_notes)

    def _notes(self) -> Iterator[str]:
        yield self.words["arrays.xlsx.live"]
        if any(worked.value.infinite for worked in self.arrays.cells()):
            yield self.words["arrays.xlsx.infinity"]
        if self.arrays.carry is not None:
            yield self.words.sentence("arrays.xlsx.carry", {"places": str(self.arrays.carry)})

    def _label_width(self, sheet: _Sheet) -> int:
        names = [label(row, self.words) for _, part in sheet.parts for row in part.matrix.rows]
        corners = [" \\ ".join(part.matrix.corner) for _, part in sheet.parts]
        scalars = [f"{worked.address}: {sentence(title, self.words)}" for title, worked in self.arrays.scalars]
        return (
            min(max(map(display_width, [*names, *corners, *(scalars if sheet.scalars else ())])), WIDEST_LABEL) + ROOM
        )

    def _widths(self, sheet: _Sheet) -> list[int]:
        """The widths of the columns of numbers."""
        widths: list[int] = []
        for _, part in sheet.parts:
            heads = [label(column, self.words) for column in part.matrix.columns] or [str(part.name)]
            for place, head in enumerate(heads):
                texts = [head, *(row[place].text for row in part.cells)]
                widths += [NARROWEST] * (place + 1 - len(widths))
                widths[place] = max(widths[place], min(max(map(display_width, texts)), WIDEST_COLUMN) + ROOM)
        return widths

    # --- writing ---

    def draw(self) -> bytes:
        self.book.set_properties({"title": sentence(self.arrays.title, self.words)[:255], "created": CREATED})
        if any(worked.value.infinite for worked in self.arrays.cells()):
            self.book.define_name(NAME, f"={LOW:.0E}")
        for number, sheet in enumerate(self.sheets):
            self._sheet(sheet, first=number == 0)
        self.book.close()
        return self.file.getvalue()

    def _sheet(self, sheet: _Sheet, *, first: bool) -> None:
        page = self.book.add_worksheet(sheet.name)
        page.set_paper(9)
        page.fit_to_pages(1, 0)
        page.hide_gridlines(1)
        page.set_column(0, 0, self._label_width(sheet))
        for column, width in enumerate(self._widths(sheet), start=1):
            page.set_column(column, column, width)
        if first:
            self._text(page, 0, 0, self._said(self.arrays.title), "title")
            for row, note in enumerate(self._notes(), start=1):
                self._text(page, row, 0, note, "soft")
            self._scalars(page, sheet)
        else:
            self._text(page, 0, 0, sheet.name, "title")
        for top, part in sheet.parts:
            self._part(page, sheet, top, part)

    def _scalars(self, page: Any, sheet: _Sheet) -> None:
        if sheet.scalars:
            self._text(page, sheet.scalars - 1, 0, self.words["arrays.xlsx.scalars"], "heading")
        for number, (title, worked) in enumerate(self.arrays.scalars):
            row = sheet.scalars + number
            self._text(page, row, 0, f"{worked.address}: {sentence(title, self.words)}", "row")
            self._number(page, Place(sheet.name, row, 1), worked, given=True)

    def _part(self, page: Any, sheet: _Sheet, top: int, part: Part) -> None:
        matrix, row = part.matrix, top
        carry = self.arrays.carry if part.own and not part.given else None
        self._text(page, row, 0, self._said(part.title), "heading")
        for equation in part.general:
            row += 1
            self._text(page, row, 0, equation_line(equation, self.words), "symbols")
        if part.source:
            row += 1
            self._text(page, row, 0, self.words.sentence("arrays.xlsx.source", {"source": part.source}), "soft")
        row += 1
        self._text(page, row, 0, " \\ ".join(corner for corner in matrix.corner if corner), "axis")
        heads = [label(column, self.words) for column in matrix.columns] or [str(part.name)]
        for column, text in enumerate(heads, start=1):
            self._text(page, row, column, text, "column")
        if matrix.column_notes:
            row += 1
            for column, note in enumerate(matrix.column_notes, start=1):
                self._text(page, row, column, label(note, self.words), "note-above")
        for place, (name, cells) in enumerate(zip(matrix.rows, part.cells, strict=True)):
            row += 1
            self._text(page, row, 0, label(name, self.words), "row")
            for column, worked in enumerate(cells, start=1):
                self._number(page, Place(sheet.name, row, column), worked, given=part.given, carry=carry)
            if matrix.row_notes:
                self._text(page, row, 1 + len(cells), "← " + label(matrix.row_notes[place], self.words), "note")

    def _number(self, page: Any, at: Place, worked: Worked, *, given: bool, carry: int | None = None) -> None:
        """A number as it was given, or the formula that works it, with its value for whoever does not recalculate.

        A number that is too large for a spreadsheet is a text.
        """
        sheet, row, column = at
        value = LOW if worked.value.infinite else nearest_float(worked.value)
        shade = {"bg_color": GIVEN} if given else {}
        form = self._format(num_format=number_format(worked.text), align="right", **shade)
        formula = worked.formula
        if not isfinite(value):
            page.write_string(row, column, worked.text, form)
            return
        try:
            if formula is None or (given and isinstance(formula, Const) and float(f"{value:.{DIGITS_KEPT}G}") == value):
                page.write_number(row, column, value, form)
            else:
                page.write_formula(row, column, self.formulas.formula(formula, sheet, carry), form, value)
        except NotWritten:
            page.write_number(row, column, value, form)

    def _text(self, page: Any, row: int, column: int, text: str, look: str) -> None:
        """A string that is never anything else."""
        guard = {"quote_prefix": True} if text.startswith(BEGINNINGS) else {}
        cut = text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
        page.write_string(row, column, cut, self._format(**LOOKS[look], **guard))

    def _said(self, item: Inline) -> str:
        return sentence(item, self.words)

    def _format(self, **look: Any) -> Any:
        key = tuple(sorted(look.items()))
        if key not in self._formats:
            self._formats[key] = self.book.add_format(look)
        return self._formats[key]
