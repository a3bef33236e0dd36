"""Words around statements: labels freed from markup, headings and lines that serve as headings."""

from __future__ import annotations

import re

MAX_HEADING = 90
SENTENCE = re.compile(  # a point behind a digit ends one before a capital, or where a word ends with that digit: "t0."
    r"[。！？；!?]|\.(?=\s|$)(?:(?<![0-9]\.)|(?=\s+[A-Z])|(?<=[A-Za-z#][0-9]\.)|(?<=[A-Za-z#][0-9]{2}\.))|;\s"
)
LINE = 9  # the rank of a line above a list
_MARKUP = re.compile(r"\\(?:text|mathrm|operatorname|mathbf|textbf|textit|mbox|emph)\s?\{([^{}]*)\}")
QUOTES = frozenset(("“”", "「」", "『』", "‘’", '""'))
_ESCAPED = re.compile(r"\\([_#&])")
_SCRIPT = re.compile(r"([_^])\{([^{}]*)\}")
_SIGNS = {
    "\\top": "ᵀ",
    "\\cdot": "·",
    "\\times": "×",
    "\\approx": "≈",
    "\\sqrt": "√",
    "\\alpha": "α",
    "\\leftarrow": "←",
}
_BULLET = re.compile(r"^(?:[-*+•>#·]+\s+|\d+\s*[.)、](?!\d)\s*|\(\d+\)\s*|[①-⑳]\s*|//+\s*|>+\s*)+")
_STEP = re.compile(
    r"^(?:#+\s*)?(?:(?:步骤|阶段|练习|例)\s*[0-9一二三四五六七八九十]+|第\s*[0-9一二三四五六七八九十]+\s*(?:阶段|步|部分|节|章)"
    r"|(?:step|stage|phase|part|example)\s+[0-9]+|[一二三四五六七八九十]+、)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(?:[0-9]+\s*[.)、]|[①-⑳])")


def plain(text: str) -> str:
    """Words freed from markup and from the signs at their ends."""
    text = text[-400:].replace("\ue000", "").replace("\ue001", "")
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", text)
        text = _MARKUP.sub(r"\1", text)
        for command, sign in _SIGNS.items():
            text = text.replace(command, sign)
    if "{" in text:
        text = _SCRIPT.sub(r"\1\2", text)
    text = " ".join(text.replace("^ᵀ", "ᵀ").split())
    text = _BULLET.sub("", text)
    text = text.strip(" \t:：,，;；=*|、.。`\\\u3000")
    return text if any(letter.isalnum() for letter in text) else ""


def unquoted(words: str) -> str:
    """A word without the quotation marks around it."""
    inner = words[1:-1]
    return inner if words[:1] + words[-1:] in QUOTES and not any(sign in inner for sign in '“”「」"') else words


def rank(line: str) -> int:
    """How high a line stands that serves as a heading (a low number is high); 0 for a line that does not.

    Headings proper have the ranks 1 to 6.
    """
    said = line.strip().replace("\ue000", "").replace("\ue001", "").strip("*_ ")
    if not said or len(said) > MAX_HEADING:
        return 0
    if _STEP.match(said):
        return 7
    if said.endswith((":", "：")):
        if _NUMBERED.match(said):
            return 8
        return LINE + 1 if line[:1].isspace() or said[0] in "-•*+" else LINE
    return 0
