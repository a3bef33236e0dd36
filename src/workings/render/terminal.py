"""The terminal: colours, sentences wrapped at its width, wide matrices in groups of columns; nothing is ever cut.

Colour is an aid and never the only sign. ``NO_COLOR`` beats ``FORCE_COLOR``. The user's texts are inert before they
get here, and markup is off, so that nothing in them is taken for a style.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import IO

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text as Styled

from workings.explaining.tree import (
    Block,
    Document,
    Equation,
    Heading,
    Hidden,
    Inline,
    Matrix,
    PageBreak,
    Paragraph,
    Plot,
    Table,
)
from workings.render.inert import display_width
from workings.render.inline import CODE, NUMBER, TOKEN, equation_label, pictured, runs, said, with_title
from workings.render.layout import GAP, Grid, caption, is_numeric, matrix_grid
from workings.render.maths import draw_chain
from workings.render.words import Words

INDENT = "  "
NARROWEST = 20
UNLIMITED = 10**5  # a pipe has no width, so nothing is wrapped for it
DECIDED = ("NO_COLOR", "FORCE_COLOR")  # what rich need not read for itself
HEADINGS = {1: "bold underline", 2: "bold cyan", 3: "bold"}
STYLES = {TOKEN: "green", CODE: "cyan", NUMBER: "yellow"}
LABEL, CELL, NOTE = "green", "yellow", "dim"


def open_console(
    file: IO[str] | None = None, color: str = "auto", environment: Mapping[str, str] = os.environ
) -> Console:
    """A console for a stream.

    Args:
        color: ``always`` and ``never`` decide by themselves; ``auto`` asks the environment, then the stream.
        environment: where ``NO_COLOR`` (which wins), ``FORCE_COLOR``, ``TERM`` and ``COLUMNS`` are looked up.
    """
    forced = color == "always" or (color == "auto" and bool(environment.get("FORCE_COLOR")))
    plain = color == "never" or (color == "auto" and bool(environment.get("NO_COLOR")))
    stream = file or sys.stdout
    measured = stream.isatty() or environment.get("COLUMNS", "").isdecimal()
    return Console(
        file=stream,
        width=None if measured else UNLIMITED,
        force_terminal=False if plain else forced or None,
        color_system=None if plain else "standard" if forced else "auto",
        no_color=plain,
        markup=False,
        emoji=False,
        highlight=False,
        _environ={name: value for name, value in environment.items() if name not in DECIDED},
    )


def draw(document: Document, words: Words, console: Console) -> None:
    """Print the document; blocks are apart by an empty line, equations that follow each other stay together."""
    before: Block | None = None
    for block in with_title(document).blocks:
        if before is not None and not (isinstance(block, (Equation, Hidden)) and isinstance(before, type(block))):
            console.print()
        _block(block, words, console)
        before = block


def _block(block: Block, words: Words, console: Console) -> None:
    match block:
        case Heading():
            text = Styled(style=HEADINGS.get(block.level, "bold"))
            text.append_text(_inline(block.text, words, colours=False))
            console.print(text, overflow="fold")
        case Paragraph():
            joint = Styled(words.sentence("target.sentences"))
            console.print(joint.join(_inline(item, words) for item in block.sentences), overflow="fold")
        case Equation():
            text = Styled(INDENT)
            text.append(equation_label(block.label, words), LABEL)
            text.append(draw_chain(block.left, block.chain))
            console.print(text, soft_wrap=True)
        case Matrix():
            for line in _matrix(block, words, console.width):
                console.print(line, soft_wrap=True)
        case Table():
            console.print(_table(block, words))
        case Plot():
            console.print(Styled(pictured(block, words), NOTE), overflow="fold")
        case Hidden():
            console.print(Styled(f"# {block.text}", NOTE), soft_wrap=True)
        case PageBreak():
            console.rule(characters="=", style=NOTE) if console.width < UNLIMITED else console.print("=" * NARROWEST)


def _inline(item: Inline, words: Words, *, colours: bool = True) -> Styled:
    out = Styled()
    for kind, text in runs(item, words):
        out.append(said(kind, text, words), STYLES.get(kind) if colours else None)
    return out


def _matrix(matrix: Matrix, words: Words, width: int) -> Iterator[Styled]:
    """The caption and the lines of a matrix, in as many groups of columns as the width needs."""
    yield Styled(caption(matrix, words))
    grid = matrix_grid(matrix, words)
    groups = _groups(grid, width)
    for number, (first, last) in enumerate(groups):
        if number:
            yield Styled("")
        for place, (name, cells, note) in enumerate(grid.lines(first, last)):
            line = Styled(INDENT)
            line.append(name, LABEL)
            for cell in cells:
                line.append(" " * GAP)
                line.append(cell, LABEL if place < grid.headings else CELL)
            if note and number == len(groups) - 1:
                line.append(" " * GAP + note, NOTE)
            line.rstrip()
            yield line


def _groups(grid: Grid, width: int) -> list[tuple[int, int]]:
    """Ranges of columns that fit beside the row labels; a column that fits nowhere stands alone.

    Notes follow the last group, and count for its width only where they can be had without another group.
    """
    label = display_width(grid.labels[0]) if grid.labels else 0
    room = max(width, NARROWEST) - len(INDENT) - label
    groups: list[tuple[int, int]] = []
    first, used = 0, 0
    for place, column in enumerate(grid.columns):
        taken = GAP + display_width(column[0] if column else "")
        if used + taken > room and place > first:
            groups.append((first, place))
            first, used = place, 0
        used += taken
    groups.append((first, len(grid.columns)))
    return groups


def _table(table: Table, words: Words) -> RichTable:
    out = RichTable(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold", show_edge=False)
    for place, heading in enumerate(table.header):
        justify = "right" if is_numeric(table, place) else "left"
        out.add_column(_inline(heading, words, colours=False), justify=justify, overflow="fold")  # type: ignore[arg-type]
    for row in table.rows:
        out.add_row(*(_inline(cell, words) for cell in row))
    return out
