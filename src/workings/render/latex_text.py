"""Texts and expressions as LaTeX: what means something to TeX becomes the command that prints it.

What is left beyond ASCII are letters that pdflatex knows, characters that ctex sets, and calls of ``GLYPH``, which
prints a character where the font has it and its code point where it has not, so that nothing is lost in silence.
"""

from __future__ import annotations

import re
import unicodedata

from workings.render.inert import END_ISOLATE, ISOLATE, display_width
from workings.render.written import (
    Applied,
    Brackets,
    Fence,
    Letters,
    Name,
    Numeral,
    Operator,
    Over,
    Quotient,
    Raised,
    Root,
    Row,
    Written,
    is_tall,
    letters,
    power_of_ten,
    text_width,
)

GLYPH = "\\workingsglyph"
LONG, STRETCH = 9.5, 4.0  # em: a word wider than this may break wherever it has grown by so much
CODE_POINT = 5.0
PLAIN = {
    **{"\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "%": "\\%", "_": "\\_"},
    **{"^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "<": "\\textless{}", ">": "\\textgreater{}"},
    **{"|": "\\textbar{}", '"': "{\\ttfamily\\char34}", "'": "\\textquotesingle{}", "`": "\\textasciigrave{}"},
    **{"[": "{[}", "]": "{]}", "*": "{*}"},  # the end of a row would take them for its own
    **{"␣": "\\textvisiblespace{}", "–": "\\textendash{}", "—": "\\textemdash{}", "…": "\\ldots{}"},
    **{"“": "\\textquotedblleft{}", "”": "\\textquotedblright{}", "‘": "\\textquoteleft{}", "’": "\\textquoteright{}"},
}
GREEK = {
    **{"α": "\\alpha", "β": "\\beta", "γ": "\\gamma", "δ": "\\delta", "ε": "\\varepsilon", "θ": "\\theta"},
    **{"η": "\\eta", "κ": "\\kappa", "λ": "\\lambda", "μ": "\\mu", "π": "\\pi", "ρ": "\\rho"},
    **{"σ": "\\sigma", "τ": "\\tau", "φ": "\\varphi"},
    **{"ω": "\\omega", "Σ": "\\Sigma", "Δ": "\\Delta"},
}
SIGNS = {
    **{"−": "-", "×": "\\times", "÷": "\\div", "√": "\\surd", "≈": "\\approx", "≤": "\\le", "≥": "\\ge", "·": "\\cdot"},
    **{
        "∞": "\\infty",
        "∇": "\\nabla",
        "ℓ": "\\ell",
        "′": "{}'",
        "←": "\\leftarrow",
        "→": "\\rightarrow",
        "∣": "\\mid",
        "≠": "\\ne",
        "±": "\\pm",
    },
    **{"⟨": "\\langle", "⟩": "\\rangle", "◌": "\\circ", "✓": "\\surd", **GREEK},
}
SMALL = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀₁₂₃₄₅₆₇₈₉", "0123456789-0123456789")
PIECE = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+|[₀₁₂₃₄₅₆₇₈₉]+|.", re.DOTALL)
MATHS = re.compile(r"√?(?<![A-Za-z])[A-Za-z]_[A-Za-z0-9]+|√[0-9]+|(?<![A-Za-z])e\^[A-Za-z0-9]+")
CHINESE = "“”‘’—…"  # signs that are as wide as a character in Chinese
RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
CONTROLS = "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC"
NAMES_OF_CONTROLS = dict(enumerate([*CONTROLS.split(), "FS", "GS", "RS", "US", "SP", "DEL"]))


# --- texts -------------------------------------------------------------------------------------------------------


def escaped(text: str, *, chinese: bool = False) -> str:
    """A text, already inert, that prints as it is; ``chinese`` keeps the signs that Chinese sets its own way."""
    drawn = "".join(_printed(piece, chinese=chinese) for piece in PIECE.findall(text))
    return re.sub(r"([-,])(?=\1)", r"\1{}", drawn)  # two of these would become one sign


def breakable(text: str, *, chinese: bool = False) -> str:
    """A text of the user's; one long word may break, so that it runs off no page."""
    return "".join(_stretches(part, chinese=chinese) for part in re.split("( )", text))


def _stretches(word: str, *, chinese: bool) -> str:
    if measured(word) <= LONG:
        return escaped(word, chinese=chinese)
    parts = [""]
    for character in word:
        if measured(parts[-1] + character) > STRETCH and parts[-1]:
            parts.append("")
        parts[-1] += character
    return "\\allowbreak{}".join(escaped(part, chinese=chinese) for part in parts)


def measured(text: str) -> float:
    """About how wide a text is, in em, where a character that no font may have stands as its code point."""
    return text_width(text) + CODE_POINT * sum(_may_be_code(character) for character in text)


def _may_be_code(character: str) -> bool:
    return not character.isascii() and _printed(character, chinese=False)[:3] in ("$\\l", GLYPH[:3])


def code(text: str) -> str:
    """A name or an address; a long one may break after its dots and before its brackets."""
    drawn = [breakable(part) for part in re.split(r"(?<=[.,_])|(?=\[)", text)]
    joint = "\\allowbreak{}" if measured(text) > LONG / 2 else ""
    return f"\\texttt{{{joint.join(drawn)}}}"


def own(text: str, *, chinese: bool = False) -> str:
    """A sentence of ours: a symbol in it, such as ``√d_k``, is drawn as in a formula."""
    out, at = [], 0
    for found in MATHS.finditer(text):
        out += [_prose(text[at : found.start()], chinese=chinese), f"${_symbol(found[0])}$"]
        at = found.end()
    return "".join([*out, _prose(text[at:], chinese=chinese)])


def _prose(text: str, *, chinese: bool) -> str:
    """Our own words, whose apostrophes are the usual ones."""
    return escaped(text, chinese=chinese).replace("\\textquotesingle{}", "'")


def _symbol(text: str) -> str:
    if text.startswith("√"):
        return f"\\sqrt{{{_symbol(text[1:])}}}"
    base, mark, raised = text.partition("^")
    return f"{base}^{{{_word(raised)}}}" if mark else _name(text)


def _printed(piece: str, *, chinese: bool) -> str:
    if len(piece) > 1 or piece in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀₁₂₃₄₅₆₇₈₉":
        return f"${'_' if piece[0] in '₀₁₂₃₄₅₆₇₈₉' else '^'}{{{piece.translate(SMALL)}}}$"
    if (piece.isascii() and piece not in PLAIN) or (chinese and piece in CHINESE):
        return piece
    if piece in PLAIN:
        return PLAIN[piece]
    if piece in SIGNS:
        return f"${SIGNS[piece]}$"
    if piece in (ISOLATE, END_ISOLATE):
        return ""
    return _character(piece)


def _character(character: str) -> str:
    number = ord(character)
    if 0x2400 <= number <= 0x2421:
        return f"$\\langle${NAMES_OF_CONTROLS[number - 0x2400]}$\\rangle$"
    if is_latin(character) or is_wide(character):
        return character
    if unicodedata.bidirectional(character) in RIGHT_TO_LEFT:
        return f"$\\langle$U+{number:04X}$\\rangle$"
    return f"{GLYPH}{{{number:04X}}}"


def is_latin(character: str) -> bool:
    """Whether every engine sets a letter as it stands."""
    return "À" <= character <= "ÿ" and character not in "×÷"


def is_wide(character: str) -> bool:
    """Whether ctex sets a character, in its fonts for Chinese."""
    return (display_width(character) > 1 and ord(character) < 0x1F000) or character in CHINESE


# --- expressions -------------------------------------------------------------------------------------------------

OPERATORS = {"−": "-", "×": "\\times", "÷": "\\div", "≈": "\\approx", "≠": "\\ne", "≤": "\\le", "≥": "\\ge"}
KNOWN = {"ln": "\\ln", "tanh": "\\tanh", "sin": "\\sin", "cos": "\\cos", "max": "\\max", "σ": "\\sigma"}
OVER = {"Σ": "\\sum", "max": "\\max"}


def maths(node: Written) -> str:
    """An expression in math mode."""
    match node:
        case Numeral():
            return number(node.text)
        case Name():
            return _name(node.text)
        case Operator():
            return OPERATORS.get(node.sign, node.sign)
        case Fence():
            return node.sign
        case Row():
            return " ".join(map(maths, node.parts))
        case Brackets():
            left, right = ("\\left(", "\\right)") if is_tall(node.inner) else ("(", ")")
            return f"{left}{maths(node.inner)}{right}"
        case Quotient():
            return f"\\frac{{{maths(node.above)}}}{{{maths(node.below)}}}"
        case Raised():
            base = "e" if node.base is None else maths(node.base)
            return f"{{{base}}}^{{{maths(node.exponent)}}}" if isinstance(node.base, Name) else _power(base, node)
        case Root():
            return f"\\sqrt{{{maths(node.inner)}}}"
        case Over():
            return f"{OVER[node.sign]}_{{{_name(node.axis)}}} {maths(node.body)}"
        case Applied():
            name = KNOWN.get(node.name) or f"\\operatorname{{{_word(node.name)}}}"
            left, right = ("\\left(", "\\right)") if any(map(is_tall, node.arguments)) else ("(", ")")
            return f"{name}{left}{', '.join(map(maths, node.arguments))}{right}"


def _power(base: str, node: Raised) -> str:
    return f"{base}^{{{maths(node.exponent)}}}"


def number(text: str) -> str:
    """A printed number, or a row of them in brackets, in math mode; a sign stays with its digits."""
    if text.startswith("[") and text.endswith("]"):
        parts = map(number, text[1:-1].split(", "))
        return "[" + ",\\allowbreak ".join(parts) + "]"
    if text.endswith(" %"):
        return f"{number(text[:-2])}\\,\\%"
    base, power = power_of_ten(text)
    drawn = "".join(_in_number(character) for character in base)
    if power:
        drawn += f"\\times 10^{{{power.replace('−', '-')}}}"
    return f"{{{drawn}}}" if drawn.startswith("-") else drawn


def _in_number(character: str) -> str:
    if character == " ":
        return "\\,"
    if character in "−∞":
        return SIGNS[character] + (" " if character == "∞" else "")
    return character if character in "0123456789./-+" else "\\%" if character == "%" else _quoted(character)


def _name(name: str) -> str:
    return "".join(map(_letters, letters(name)))


def _letters(part: Letters) -> str:
    below = _below(part.below)
    above = f"^{{{_name(part.above)}}}" if part.above else ""
    return _stretch(part.text) + above + below


def _below(text: str) -> str:
    if not text:
        return ""
    plain = text.isascii() and text.isdecimal()
    return f"_{text}" if len(text) == 1 and text.isascii() else f"_{{{text if plain else _word(text)}}}"


def _stretch(text: str) -> str:
    if text in SIGNS:
        return {"′": "'", "−": "-", "·": "\\cdot "}.get(text) or f"{SIGNS[text]} "
    if text == "//":
        return "/\\!/"
    if text in "[](),+-=/*.:<>|" or (text.isascii() and text.isdecimal()):
        return text
    return "\\ " if text == " " else _word(text)


def _word(text: str) -> str:
    """Letters: one slanted, as symbols are, several upright."""
    if text in GREEK:
        return GREEK[text]
    if text.isascii() and text.isalnum():
        return text if len(text) == 1 else f"\\mathrm{{{text}}}"
    if text.isascii() and text.replace("_", "").isalnum():
        return "\\mathrm{" + text.replace("_", "\\_") + "}"
    return _quoted(text)


def _quoted(text: str) -> str:
    return f"\\text{{{escaped(text)}}}"
