"""GitHub-flavoured Markdown: matrices as tables, equations in code blocks, the user's words in code spans.

The texts are the plain target's, number for number. Nothing of the user's can become a link, a tag or a table's edge:
tokens stand in code spans, whose fences are longer than any run of backticks in them; other texts have every character
escaped that means something to Markdown. Inside a table a pipe is escaped, and one that follows a backslash, which
parsers read differently, is drawn as the look-alike ``∣`` (U+2223).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence

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
from workings.render import plot
from workings.render.inert import inert
from workings.render.inline import CODE, NAMED, TOKEN, cell_text, equation_line, sentence, with_title
from workings.render.layout import is_numeric
from workings.render.words import Words

SPECIAL = frozenset("\\`*[]<>&~$")
LINKED = ("@", "://", "www.", "#")  # GitHub turns a bare address, a name or a number of an issue into a link
PIPE_LOOK_ALIKE = "∣"
RULE = "---"
LEFT, RIGHT = "---", "---:"


def draw(document: Document, words: Words) -> str:
    """The document as Markdown, blocks apart by an empty line; equations that follow each other share a code block."""
    out: list[str] = []
    group: list[str] = []
    for block in with_title(document).blocks:
        if isinstance(block, Equation):
            group.append(equation_line(block, words))
            continue
        out += _code_block(group)
        group = []
        out.append(_block(block, words))
    out += _code_block(group)
    return "\n\n".join(out) + "\n"


def code_span(text: str) -> str:
    """A text in a code span, whatever backticks it holds."""
    fence = "`" * (_longest_run(text) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def escaped(text: str) -> str:
    """A text outside code spans: what means something to Markdown is escaped, what GitHub would link is made code."""
    if any(mark in text for mark in LINKED):
        return code_span(text)
    return "".join(
        f"\\{character}" if character in SPECIAL or (character == "_" and not _within_word(text, place)) else character
        for place, character in enumerate(text)
    )


def _block(block: Block, words: Words) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {_inline(block.text, words)}"
        case Paragraph():
            said = words.sentence("target.sentences").join(_inline(item, words) for item in block.sentences)
            return _no_block_mark(said)
        case Matrix():
            return "\n".join([_caption(block, words), "", *_matrix(block, words)])
        case Table():
            kinds = [RIGHT if is_numeric(block, place) else LEFT for place in range(len(block.header))]
            rows = [[_inline(cell, words) for cell in row] for row in (block.header, *block.rows)]
            return "\n".join(_table(rows, kinds))
        case Plot():
            drawn = b64encode(plot.draw(block, words).encode("utf-8")).decode("ascii")
            return f"![{_own(sentence(block.title, words))}](data:image/svg+xml;base64,{drawn})"
        case Hidden():
            return f"<!-- {block.text} -->"
        case PageBreak():
            return RULE
        case Equation():
            return "".join(_code_block([equation_line(block, words)]))


def _inline(item: Inline, words: Words) -> str:
    return sentence(item, words, _run)


def _run(kind: str, text: str, words: Words) -> str:
    """A run in Markdown: what is the user's own is code."""
    return code_span(text) if kind in (TOKEN, CODE) else escaped(text) if kind == NAMED else _own(text)


def _own(text: str) -> str:
    return "".join(f"\\{character}" if character in SPECIAL else character for character in text)


def _caption(matrix: Matrix, words: Words) -> str:
    address = code_span(inert(matrix.address))
    if matrix.symbol in ("", matrix.address):
        return words.sentence("target.caption.plain", {"address": address})
    return words.sentence("target.caption", {"symbol": escaped(inert(matrix.symbol)), "address": address})


def _matrix(matrix: Matrix, words: Words) -> Iterator[str]:
    width = max((len(row) for row in matrix.cells), default=len(matrix.columns))
    noted = bool(matrix.row_notes)
    corner = _own(" \\ ".join(name for name in matrix.corner if name))
    heading = [corner, *(_inline(column, words) for column in matrix.columns)]
    heading += [""] * (1 + width - len(heading))
    rows = [heading + [words.sentence("target.notes")] * noted]
    if matrix.column_notes:
        notes = (_inline(note, words) for note in matrix.column_notes)
        rows.append(["", *(words.sentence("target.column-note", {"note": note}) for note in notes), *[""] * noted])
    for place, (name, cells) in enumerate(zip(matrix.rows, matrix.cells, strict=True)):
        note = [_inline(matrix.row_notes[place], words)] if noted else []
        rows.append([_inline(name, words), *(_own(cell_text(cell)) for cell in cells), *note])
    return _table(rows, [LEFT, *[RIGHT] * width, *[LEFT] * noted])


def _table(rows: Sequence[Sequence[str]], kinds: Sequence[str]) -> Iterator[str]:
    heading, *others = rows
    yield _row(heading)
    yield _row(kinds)
    for row in others:
        yield _row(row)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_in_table, cells))} |"


def _in_table(cell: str) -> str:
    """A drawn cell whose pipes cannot end it."""
    out: list[str] = []
    for character in cell:
        if character != "|":
            out.append(character)
        elif out and out[-1] == "\\":
            out.append(PIPE_LOOK_ALIKE)
        else:
            out.append("\\|")
    return "".join(out)


def _code_block(lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    fence = "`" * max(3, *(_longest_run(line) + 1 for line in lines))
    return ["\n".join([f"{fence}text", *lines, fence])]


def _longest_run(text: str) -> int:
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return longest


def _within_word(text: str, place: int) -> bool:
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    return bool(before) and before.isalnum() and after.isalnum()


def _no_block_mark(line: str) -> str:
    """A paragraph that cannot be taken for a list, a quotation, a rule or a heading."""
    digits = len(line) - len(line.lstrip("0123456789"))
    if digits and line[digits : digits + 1] in (".", ")"):
        return f"{line[:digits]}\\{line[digits:]}"
    return f"\\{line}" if line[:1] in ("-", "+", "=", "#", "_") else line
