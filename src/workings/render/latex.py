"""LaTeX: a part for a document of one's own, which needs amsmath alone, or a whole document.

The numbers are the plain target's, in its order. Whatever is the user's is printed and never obeyed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

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
from workings.render.inert import inert
from workings.render.inline import CODE, NAMED, NUMBER, TOKEN, equation_label, pictured, runs, said, with_title
from workings.render.latex_equations import DISPLAYS, displayed
from workings.render.latex_tables import BLANK, matrix_parts, table_lines
from workings.render.latex_text import GLYPH, breakable, code, escaped, is_latin, is_wide, maths, number, own
from workings.render.words import Words
from workings.render.written import Name

PART_EM, WHOLE_EM = 31.0, 41.0  # how wide a text is: of the usual classes at their narrowest, and of our own
LONG_DOCUMENT = 20  # headings from which a document of its own has a table of contents
SECTIONS = {1: "section", 2: "subsection", 3: "subsubsection"}
GLYPH_DEFINED = (  # \selectfont: after a Chinese character the font at hand is not yet the one for others
    f"\\providecommand{GLYPH}[1]{{%\n"
    '  {\\selectfont\\iffontchar\\font"#1 \\symbol{"#1}\\else$\\langle$U+#1$\\rangle$\\fi}}\n'
)
# A number in brackets and a box, with what is written into it.
BLANK_DEFINED = f"\\providecommand{BLANK}[2]{{(#1)~\\framebox[5em][l]{{\\strut\\ensuremath{{#2}}}}}}"


def draw(document: Document, words: Words, *, standalone: bool = False) -> str:
    """The document as LaTeX.

    Args:
        standalone: a whole document, for the engine that its first line names; else a part to be put into another
            with ``\\input``, which says what it needs in its first lines.
    """
    headed = with_title(document)
    first, *others = headed.blocks
    drawing = _Drawing(words, WHOLE_EM if standalone else PART_EM, sections=0 if standalone else 1)
    title = drawing.inline(first.text) if isinstance(first, Heading) else ""
    body = _joined(drawing.blocks(others if standalone else headed.blocks))
    headings = sum(isinstance(block, Heading) for block in others)
    return _whole(title, body, words, headings) if standalone else _part(body)


def equations(lines: Sequence[Equation], words: Words) -> str:
    """Equations alone, for a document of one's own."""
    return _joined(_Drawing(words, PART_EM, sections=1).blocks(lines)).strip("\n") + "\n" if lines else ""


def _joined(blocks: Iterable[str]) -> str:
    """Blocks with an empty line between them, but for displays: before one it would be an empty line in print too."""
    body = "".join(("\n" if block.startswith(DISPLAYS) else "\n\n") + block for block in blocks)
    return body.strip("\n") + "\n"


class _Drawing:
    """Draws blocks for a text of a width in em; ``sections`` is 0 where a heading of level 2 is a section."""

    def __init__(self, words: Words, width: float, *, sections: int) -> None:
        self.words, self.width, self.sections = words, width, sections
        self.chinese = words.lang == "zh"

    def blocks(self, blocks: Sequence[Block]) -> Iterator[str]:
        """Blocks in their order; equations that follow each other are aligned with one another."""
        for alike, group in groupby(blocks, lambda block: isinstance(block, Equation)):
            if alike:
                equations = [block for block in group if isinstance(block, Equation)]
                labels = [equation_label(block.label, self.words).rstrip() for block in equations]
                chains = [(block.left, block.chain) for block in equations]
                drawn = [(label, escaped(label, chinese=self.chinese)) for label in labels]
                yield displayed(list(zip(drawn, chains, strict=True)), self.width)
            else:
                yield from (self.block(block) for block in group)

    def block(self, block: Block) -> str:
        match block:
            case Heading():
                return f"\\{SECTIONS[block.level - 1 + self.sections]}{{{self.inline(block.text)}}}"
            case Paragraph():
                return self.words.sentence("target.sentences").join(map(self.inline, block.sentences))
            case Matrix():
                tables = matrix_parts(block, self.words, self.inline, self.width)
                return "\n\n".join([f"\\noindent {self._caption(block)}\\nopagebreak", *tables])
            case Table():
                return table_lines(block, self.words, self.inline, self.width)
            case Plot():
                return own(pictured(block, self.words), chinese=self.chinese)
            case Hidden():
                return f"% {block.text}"
            case PageBreak():
                return "\\clearpage"
            case Equation():
                return next(self.blocks([block]))

    def inline(self, item: Inline) -> str:
        """An inline part in running text."""
        return "".join(self._run(kind, text) for kind, text in runs(item, self.words))

    def _run(self, kind: str, text: str) -> str:
        if kind == CODE:
            return code(text)
        if kind == NUMBER:
            return text if text.isdecimal() else f"${number(text)}$"
        if kind in (TOKEN, NAMED):
            return breakable(said(kind, text, self.words), chinese=self.chinese)
        return own(text, chinese=self.chinese)

    def _caption(self, matrix: Matrix) -> str:
        address = code(inert(matrix.address))
        if matrix.symbol in ("", matrix.address):
            return self.words.sentence("target.caption.plain", {"address": address})
        symbol = f"${maths(Name(inert(matrix.symbol)))}$"
        return self.words.sentence("target.caption", {"symbol": symbol, "address": address})


# --- frames ------------------------------------------------------------------------------------------------------


def _needs(text: str) -> tuple[bool, bool]:
    """Whether a text has characters for ctex, and whether it has any that pdflatex does not set."""
    foreign = {character for character in text if not character.isascii() and not is_latin(character)}
    wide = any(map(is_wide, foreign))
    return wide, bool(foreign) or GLYPH in text


def _defined(text: str) -> list[str]:
    """The commands of our own that a text uses."""
    return [said.rstrip() for command, said in ((GLYPH, GLYPH_DEFINED), (BLANK, BLANK_DEFINED)) if command in text]


def _part(body: str) -> str:
    wide, foreign = _needs(body)
    packages = "amsmath and ctex" if wide else "amsmath"
    engine = "xelatex" if foreign else "pdflatex"
    lines = [f"% To be put into a document with \\input; needs the packages {packages}, and {engine}."]
    if not foreign:
        lines = ["% To be put into a document with \\input; needs the package amsmath; any engine will do."]
    elif not wide:
        lines = ["% To be put into a document with \\input; needs the package amsmath, and xelatex."]
    lines += _defined(body)
    return "\n".join([*lines, "", body])


def _whole(title: str, body: str, words: Words, headings: int) -> str:
    wide, foreign = _needs(title + body)
    engine = "xelatex" if foreign else "pdflatex"
    fonts = ["\\usepackage[T1]{fontenc}", "\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}"]
    if wide:
        fonts = ["\\usepackage{ctex}" if words.lang == "zh" else "\\usepackage[scheme=plain]{ctex}"]
    elif foreign:
        fonts = ["\\usepackage{fontspec}"]
    lines = [
        f"% !TeX program = {engine}",
        "\\documentclass[a4paper,11pt,fleqn]{article}",
        *fonts,
        "\\usepackage[margin=22mm]{geometry}",
        "\\usepackage{amsmath}",
        "\\allowdisplaybreaks",
        "\\setcounter{secnumdepth}{0}",
        "\\setlength{\\parindent}{0pt}",
        "\\setlength{\\parskip}{0.6\\baselineskip}",
        "\\setlength{\\emergencystretch}{4em}",
        "\\renewcommand{\\arraystretch}{1.2}",
        *_defined(title + body),
        f"\\title{{{title}}}",
        "\\author{}",
        "\\date{}",
        "\\begin{document}",
        "\\maketitle",
        *(["{\\setlength{\\parskip}{0pt}\\tableofcontents}"] if headings >= LONG_DOCUMENT else []),
        "",
        body,
        "\\end{document}",
    ]
    return "\n".join(lines) + "\n"
