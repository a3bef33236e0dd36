"""CSV in long form (RFC 4180): one record for each number, in the order of the matrices; a header says what is what.

A text that a spreadsheet could take for a formula gets an apostrophe before it, and so does one that begins with an
apostrophe; so whoever takes one away has the text again. Numbers are numbers: ``-0.5`` stays as it is. A number that
is shown beside the array's own, for comparison, has no address.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from workings.explaining.tree import Inline, Token
from workings.explaining.worked import Arrays, Part, Worked
from workings.render.inline import label
from workings.render.words import Words
from workings.terms.digits import ratio
from workings.terms.numbers import nearest_float

PLACE = ("address", "array", "layer", "head", "group")
COLUMNS = (*PLACE, "row_axis", "row", "row_word", "column_axis", "column", "column_word", "printed", "value", "exact")
RISKY = frozenset("=+-@'\t\r\n＝＋－＠")


def draw(arrays: Arrays, words: Words) -> str:
    """All numbers, those that stand in no matrix first."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(words[f"arrays.csv.{column}"] for column in COLUMNS)
    for _, worked in arrays.scalars:
        writer.writerow(_record(worked, ("", "", ""), ("", "", "")))
    for part in arrays.parts:
        writer.writerows(_records(part, words))
    return out.getvalue()


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in RISKY else text


def _word(item: Inline, words: Words) -> str:
    """The word that a row or column stands for; a dimension has none."""
    return guarded(label(item, words)) if isinstance(item, Token) else ""


def _records(part: Part, words: Words) -> Iterator[list[str]]:
    matrix = part.matrix
    for i, (name, row) in enumerate(zip(matrix.rows, part.cells, strict=True)):
        down = (matrix.corner[0], str(i), _word(name, words))
        for j, worked in enumerate(row):
            along = (matrix.corner[1], str(j), _word(matrix.columns[j], words)) if matrix.columns else ("", "", "")
            yield _record(worked, down, along, own=part.own)


def _record(worked: Worked, row: tuple[str, str, str], column: tuple[str, str, str], *, own: bool = True) -> list[str]:
    name, exact = worked.address.array, worked.value.exact
    address = str(worked.address) if own else ""
    place = ["" if number is None else str(number) for number in (name.layer, name.head, name.group)]
    value = ["-inf" if worked.value.infinite < 0 else repr(nearest_float(worked.value))]
    return [address, str(name), *place, *row, *column, worked.text, *value, "" if exact is None else ratio(exact)]
