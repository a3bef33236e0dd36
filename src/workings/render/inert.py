"""User text made inert for text-like targets: nothing invisible, nothing that moves the cursor or turns the line.

- Control characters become their pictures (ESC is ``␛``, NUL ``␀``, a line feed ``␊``, a tab ``␉``).
- Whatever else has no shape of its own becomes a chip with its code point, ``⟨U+202E⟩``: C1 controls, bidi controls,
  zero-width characters, variation selectors, fillers, lone surrogates, private and unassigned code points, and every
  space but the plain one.
- A plain space shows as ``␣`` where it could be missed: at either end, or beside another one.
- A combining mark with nothing to sit on gets a dotted circle.
- A word with right-to-left letters stands between U+2068 and U+2069, so that its letters cannot pull the numbers of
  its line to the other side. These two are the only invisible characters that are ever written; they take no width.
- An empty text shows as ``⟨⟩``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

EMPTY = "⟨⟩"
SPACE = "␣"
CIRCLE = "◌"
ISOLATE, END_ISOLATE = "\u2068", "\u2069"
_PICTURES = {**{code: chr(0x2400 + code) for code in range(0x20)}, 0x7F: "␡"}
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
_MARKS = frozenset({"Mn", "Me"})
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_PLAIN = re.compile("[!-~−×⁻⁰¹²³⁴⁵⁶⁷⁸⁹∞]+")  # numbers and names: most of what is ever asked
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u180b\u180c\u180d\u180f")


def inert(text: str) -> str:
    """A user's text as it can be shown anywhere in a line."""
    if _PLAIN.fullmatch(text) or (text.isascii() and text.isprintable() and text and not _loose_space(text)):
        return text
    if not text:
        return EMPTY
    out: list[str] = []
    stands = False  # whether there is a letter for a combining mark to sit on
    for place, character in enumerate(text):
        shown = _shown(character)
        if character == " " and _is_loose(text, place):
            shown = SPACE
        elif shown == character and not stands and unicodedata.category(character)[0] == "M":
            shown = CIRCLE + character
        out.append(shown)
        stands = shown.endswith(character) and character != " "
    drawn = "".join(out)
    return f"{ISOLATE}{drawn}{END_ISOLATE}" if _turns(drawn) else drawn


def inert_lines(text: str) -> str:
    """A user's text over several lines: spaces, tabs and line feeds stay, whatever else is invisible is shown."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    plain = text.replace("\r\n", "\n")
    return "".join(character if character in "\n\t" else _shown(character) for character in plain)


def display_width(text: str) -> int:
    """Columns that a text takes: wide and full-width characters count 2, marks and invisible ones 0."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def pad_right(text: str, width: int) -> str:
    """The text with spaces after it."""
    return text + " " * (width - display_width(text))


def pad_left(text: str, width: int) -> str:
    """The text with spaces before it."""
    return " " * (width - display_width(text)) + text


@lru_cache(maxsize=4096)
def _width(character: str) -> int:
    if character in (ISOLATE, END_ISOLATE) or unicodedata.category(character) in _MARKS:
        return 0
    if "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7ff":
        return 0  # vowels and finals that join the syllable before them
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _shown(character: str) -> str:
    code = ord(character)
    if code in _PICTURES:
        return _PICTURES[code]
    if character == " " or 0x20 < code < 0x7F:
        return character
    if unicodedata.category(character) in _HIDDEN or character in _BLANK or _selects_variant(code):
        return f"⟨U+{code:04X}⟩"
    return character


def _selects_variant(code: int) -> bool:
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF


def _turns(text: str) -> bool:
    return not text.isascii() and any(unicodedata.bidirectional(c) in _RIGHT_TO_LEFT for c in text)


def _loose_space(text: str) -> bool:
    return " " in text and any(_is_loose(text, place) for place, c in enumerate(text) if c == " ")


def _is_loose(text: str, place: int) -> bool:
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    return before in ("", " ") or after in ("", " ")


LONGEST_SEEN = 80  # characters of a value seen in a message
LONGEST_PATH = 1_000  # a path is worth nothing without its end


def seen(text: str, name: str = "") -> str:
    """A value in a message: inert, and cut where it goes on for ever; ``name`` says which value it is."""
    limit = LONGEST_PATH if name == "path" else LONGEST_SEEN
    cut = text if len(text) <= limit else text[: limit - 1]
    return (inert(cut) if cut else "") + ("…" if cut != text else "")
