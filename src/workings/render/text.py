"""Plain text, written where the output is piped: never cut, never wrapped, no colour, no boxes."""

from __future__ import annotations

from collections.abc import Iterator

from workings.explaining.tree import (
    Block,
    Document,
    Equation,
    Heading,
    Hidden,
    Matrix,
    PageBreak,
    Paragraph,
    Plot,
    Table,
)
from workings.render.inert import display_width
from workings.render.inline import equation_line, pictured, sentence, with_title
from workings.render.layout import GAP, caption, matrix_grid, table_columns
from workings.render.words import Words

INDENT = "  "
BREAK = "=" * 60
UNDERLINES = {1: "=", 2: "-"}


def draw(document: Document, words: Words) -> str:
    """The document as lines of text, blocks apart by an empty line; equations that follow each other stay together."""
    out: list[str] = []
    before: Block | None = None
    for block in with_title(document).blocks:
        if before is not None and not (isinstance(block, (Equation, Hidden)) and isinstance(before, type(block))):
            out.append("")
        out.extend(line.rstrip(" ") for line in _lines(block, words))
        before = block
    return "\n".join(out) + "\n"


def _lines(block: Block, words: Words) -> Iterator[str]:
    match block:
        case Heading():
            text = sentence(block.text, words)
            yield text
            if block.level in UNDERLINES:
                yield UNDERLINES[block.level] * display_width(text)
        case Paragraph():
            for item in block.sentences:
                yield sentence(item, words)
        case Equation():
            yield INDENT + equation_line(block, words)
        case Matrix():
            yield caption(block, words)
            for name, cells, note in matrix_grid(block, words).lines():
                yield INDENT + (" " * GAP).join([name, *cells, note])
        case Table():
            for cells in zip(*table_columns(block, words), strict=True):
                yield INDENT + (" " * GAP).join(cells)
        case Plot():
            yield pictured(block, words)
        case Hidden():
            yield f"# {block.text}"
        case PageBreak():
            yield BREAK
