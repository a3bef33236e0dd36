"""Cuts LaTeX, Unicode and ASCII mathematics, and the words around it, into tokens.

Full-width signs, dashes, spaces and look-alikes are levelled first, one character for one, so that places stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from workings.checking.grammar.vocabulary import (
    CLOSE,
    COMMANDS,
    FUNCTIONS,
    KNOWN,
    LEVEL,
    OPEN,
    SKIPPED,
    SPACES,
    WORDS,
)
from workings.checking.paper import Run

_COMMON = r"""
  (?P<nl>\n)
| (?P<junk>[vV]?[0-9]+(?:\.[0-9]+){2,}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|(?<!\#)[0-9]{1,2}:[0-9]{2}(?!\.?[0-9]))
| (?P<num>[0-9]+\{,\}[0-9]+(?![0-9{.])|(?:[0-9]{1,3}(?:\{,\}[0-9]{3})+|[0-9]+(?:_[0-9]{3})*)(?:\.[0-9]+|\.(?![.\w]))?
   (?:[eE][+-]?[0-9]+(?![0-9A-Za-z.]))?
   |\.[0-9]+(?:[eE][+-]?[0-9]+)?)
| (?P<begin>\\begin\s?\{(?P<env>[a-zA-Z]+\*?)\}) | (?P<end>\\end\s?\{[a-zA-Z]*\*?\})
| (?P<text>\\(?:text|mathrm|operatorname\*?|mbox|textrm|textbf|textit|mathit|mathsf|mathtt|texttt|textsf)
   \s?\{(?P<words>[^{}]*[^\W\d_][^{}]*)\})
| (?P<row>\\\\\\\\|\\\\(?:\[[0-9.]+(?:pt|em|ex|mm)\])?|\\cr\b|\\newline\b)
| (?P<cmd>\\(?:[a-zA-Z]+\*?|[^a-zA-Z]))
| (?P<ell>\.{3,}|…+)
| (?P<rel>:=|==|=>|-{1,3}>|→|≈|~=|=~|=)
| (?P<other><-{1,3}|<=|>=|!=|[<>≤≥≠∈∝≪≫])
| (?P<sup>[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ᵀᵗⁿ]+(?:[·˙.][⁰¹²³⁴⁵⁶⁷⁸⁹]+)?) | (?P<sub>[₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ]+)
| (?P<vulgar>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])
| (?P<op>\*\*|[-+*/^_×·÷@√°∞%⊙∘])
| (?P<open>[(\[{┌]) | (?P<close>[)\]}┐])
| (?P<comma>,) | (?P<semi>;) | (?P<amp>&) | (?P<larrow>←)
"""
_LAST = r"(?P<word>[^\W\d_]+) | (?P<punct>[^\n ])"
_FIRST = r"[ ]*(?:(?P<name>(?![vV][0-9]+(?:\.[0-9]+){2})"  # names are the commonest; a version, ``v1.2.3``, is none
_MATHS = re.compile(rf"{_FIRST}[A-Za-z\u0370-\u03ff]+'*) | {_COMMON} | {_LAST})", re.VERBOSE)
_PROSE = re.compile(
    rf"{_FIRST}[A-Za-z\u0370-\u03ff][A-Za-z0-9\u0370-\u03ff]*(?:_[A-Za-z0-9]+|\.[A-Za-z_]\w*)*)"
    rf" | {_COMMON} | {_LAST})",
    re.VERBOSE,
)
_PLAIN = frozenset(  # kinds whose tokens are what is written
    ("nl", "junk", "row", "ell", "rel", "other", "sup", "sub", "vulgar", "op", "comma", "semi", "amp", "larrow", "word")
)

MOST_NAMES = 4_096  # remembered as they were split

_DOUBLED = re.compile(  # commands inside a string of a program
    r"(?<!\\)\\\\(?=(?:begin|end|d?frac|text|mathrm|cdot|times|approx|sqrt|left|right|top|quad|exp|operatorname)\b)"
)
_COMMAS = re.compile(  # whole numbers with commas between their digits: in groups of three, or not to be told
    r"[ ]*(?:(?P<num>[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9,]))|(?P<junk>[0-9]+(?:,[0-9]+)+(?!\.?[0-9]|,)))"
)
_WIDE = re.compile(r"(?<![０-９])，")  # a full-width comma that stands behind no full-width digit
_GOES_ON = re.compile(r"[ ]*(?:[-+*/×·÷=≈^√%]|\\(?:times|cdot|div|approx)\b)")
_DIGITS = re.compile(r"\s*([0-9])\s*([0-9])?")  # the two arguments of a fraction without braces


@dataclass(slots=True)
class Token:
    """A token: its kind (a group of the patterns above), its levelled text, and where it stands in the run.

    ``gap`` says whether space precedes it, ``maths`` whether it stands in mathematics.
    """

    kind: str
    text: str
    start: int
    stop: int
    gap: bool
    maths: bool


def tokens(run: Run, maths: bool) -> list[Token]:
    """The tokens of a run; ``maths`` if the whole of it is mathematics, else only what stands between the signs."""
    text = run.text
    if "\t" in text or not text.isascii():  # all that is levelled
        text = text.translate(LEVEL)
    if "\\\\" in text:
        text = _DOUBLED.sub(" \\\\", text)
    made: list[Token] = []
    position, inside = 0, False
    while position < len(text):
        sign = text.find(CLOSE if inside else OPEN, position)
        _stretch(made, run.text, text, position, sign if sign >= 0 else len(text), maths or inside)
        if sign < 0:
            break
        inside = not inside
        made.append(Token("mopen" if inside else "mclose", "", sign, sign + 1, False, True))
        position = sign + 1
    return made


def _stretch(made: list[Token], printed: str, text: str, start: int, stop: int, maths: bool) -> None:
    """Adds the tokens of a stretch; ``printed`` is the text before it was levelled."""
    gap, depth, nested, position = False, 0, 0, start
    pattern = _MATHS if maths else _PROSE
    while position < stop:
        at = position
        found = pattern.match(text, at, stop)
        if found is None:  # a space at the end, or a character no group takes
            position += 1
            continue
        kind = found.lastgroup or "punct"
        if kind == "num" and not nested and text.startswith(",", found.end()):
            found = _with_commas(printed, text, found, stop) or found
            kind = found.lastgroup or "punct"
        begin, position = found.span(found.lastindex or 0)
        said, gap = text[begin:position], gap or begin > at
        if kind == "name":
            for part in _split(said, maths):
                made.append(Token("name", part, begin, begin + len(part), gap, maths))
                begin, gap = begin + len(part), False
            continue
        if kind in _PLAIN:
            made.append(Token(kind, said, begin, position, gap, maths))
            gap = kind == "nl"
            continue
        if kind == "num":
            if said.endswith(".") and not depth:
                said, position = said[:-1], position - 1
        elif kind in ("open", "close"):
            if said in "[]":
                depth = max(0, depth + (1 if kind == "open" else -1))
        elif kind == "cmd":
            kind, said, position = _command(text, said[1:], position, stop)
            if kind == "skip":
                gap = gap or not said
                continue
            if said in ("frac", "dfrac", "tfrac") and (digits := _DIGITS.match(text, position, stop)):
                made.append(Token(kind, said, begin, position, gap, maths))
                for group in (1, 2):
                    if digits[group]:
                        made.append(Token("num", digits[group], digits.start(group), digits.end(group), False, maths))
                position, gap = digits.end(), False
                continue
        elif kind == "text":
            said = found["words"].strip()
        elif kind == "begin":
            said, position = found["env"], _past_columns(text, found["env"], position, stop)
        elif kind == "end":
            said = said[said.index("{") + 1 : -1]
        elif kind == "punct" and said == "~":
            if maths:
                gap = True
                continue
            spaced = gap or not text[begin - 1 : begin].isalnum()
            kind, said = ("rel", "≈") if spaced else ("punct", "~")  # 64~128 is a range
        if kind in ("open", "begin", "close", "end"):
            nested = max(0, nested + (1 if kind in ("open", "begin") else -1))
        made.append(Token(kind, said, begin, position, gap, maths))
        gap = False


def _with_commas(printed: str, text: str, first: re.Match[str], stop: int) -> re.Match[str] | None:
    """A number with commas between its digits, the first of them behind ``first``; None where that parts two numbers.

    A full-width comma does, but for groups of three digits that nothing goes on behind.
    """
    found = _COMMAS.match(text, first.start(), stop)
    if found is None or not _WIDE.match(printed, first.end()):
        return found
    return found if found.lastgroup == "num" and not _GOES_ON.match(text, found.end()) else None


def _command(text: str, name: str, position: int, stop: int) -> tuple[str, str, int]:
    """Kind, text and end of a command; ``skip`` for what only moves or colours."""
    bare = name.rstrip("*")
    if bare in COMMANDS:
        kind, said = COMMANDS[bare]
        if bare.startswith("x"):  # an arrow with words above it
            over = re.compile(r"\s*(?:\[[^\[\]]*\])?\s*\{[^{}]*\}").match(text, position, stop)
            nested = re.compile(r"\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}").match(text, position, stop)
            position = over.end() if over else nested.end() if nested else position
        return kind, said, position
    if bare in ("quad", "qquad"):
        return "quad", "", position
    if bare in SPACES:
        return "skip", "", position
    if bare in SKIPPED:
        if bare in ("color", "hphantom", "vphantom", "phantom"):
            past = re.compile(r"\s*\{[^{}]*\}").match(text, position, stop)
            position = past.end() if past else position
        if bare in ("left", "right") and text.startswith(".", position):
            position += 1
        return "skip", "x", position
    if bare.lower() in FUNCTIONS:
        return "name", bare.lower(), position
    return "cmd", bare, position


def _past_columns(text: str, environment: str, position: int, stop: int) -> int:
    """Past the column specification of an array."""
    if environment.rstrip("*") not in ("array", "tabular", "alignat"):
        return position
    found = re.compile(r"\s*(?:\[[a-z]\])?\s*\{[^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*\}").match(text, position, stop)
    return found.end() if found else position


@lru_cache(MOST_NAMES)
def _split(said: str, maths: bool) -> Sequence[str]:
    """Letters as one name or as a product of names: ``QK`` is Q times K, ``Scores`` is a word."""
    letters = said.rstrip("'")
    if len(letters) == 1 or letters.lower() in FUNCTIONS or letters in KNOWN or not letters.isalpha():
        return (said,)
    if letters in ("QKT", "QKt") or (letters.isupper() and len(letters) <= 3 and set(letters) <= set("QKVXWASOTPHZE")):
        return letters
    if re.fullmatch(r"[Ww][QKVOqkvo]|d[kvqm]|[A-Z]T", letters):
        return (said,)
    if re.fullmatch(r"[XH]W[qkvoQKVO]", letters):
        return (letters[0], letters[1:])
    if maths and (len(letters) == 2 or (len(letters) == 3 and letters.islower())) and letters.lower() not in WORDS:
        return (*letters[:-1], said[len(letters) - 1 :])
    return (said,)
