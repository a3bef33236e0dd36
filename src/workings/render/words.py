"""Looks up what is said in a language: sentences by key, lists, names, quotation marks, and errors.

The sentences themselves stand in ``words_xx.py`` (what explaining says), ``errors_xx.py`` (errors, and the words that
targets need), ``arrays_xx.py`` (targets that draw arrays alone), ``cli_xx.py`` (the command line), ``compare_xx.py``
(dumps), ``worksheet_xx.py`` (exercises), ``models_xx.py`` (recorded models), ``learning_xx.py`` (training) and
``web_xx.py`` (the web app), under the same keys with the same fields in every language. A field is written ``{name}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from workings.render.inert import display_width, inert, seen
from workings.terms.errors import WorkingsError

LANGUAGES = ("en", "zh")
UNSPACED = ("zh",)  # languages that write no spaces between words
# file by the first word of a key; else ``words``
PARTS = {
    "error": "errors",
    "target": "errors",
    "cli": "cli",
    "compare": "compare",
    "worksheet": "worksheet",
    "arrays": "arrays",
    "models": "models",
    "learning": "learning",
    "web": "web",
    "map": "map",
    "spoken": "web",
}
MOST_LISTED = 12  # an error lists no more than these
GROUPED_FROM = 10_000  # whole numbers from here on are written with commas
KIBI, UNITS = 1024, ("KiB", "MiB", "GiB")
BYTES = {"too-large": ("needed",), "file-too-large": ("size", "limit")}


class Words:
    """One language.

    Args:
        lang: one of ``LANGUAGES``.
    """

    def __init__(self, lang: str) -> None:
        if lang not in LANGUAGES:
            raise ValueError(f"no words for {lang!r}; there are {LANGUAGES}")
        self.lang = lang
        self.spaced = lang not in UNSPACED
        self._parts: dict[str, Mapping[str, str]] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._part(key)

    def __getitem__(self, key: str) -> str:
        """A sentence as it stands in its file, with its fields."""
        return self._part(key)[key]

    def beginning(self, start: str) -> Iterator[tuple[str, str]]:
        """Every sentence whose key begins so, as it stands in its file."""
        return ((key, text) for key, text in self._part(start).items() if key.startswith(start))

    def _part(self, key: str) -> Mapping[str, str]:
        """The file that a key belongs to; loaded when first asked for."""
        name = PARTS.get(key.partition(".")[0], "words")
        if name not in self._parts:
            self._parts[name] = import_module(f"workings.render.{name}_{self.lang}").WORDS
        return self._parts[name]

    def pieces(self, key: str) -> Sequence[tuple[str, str]]:
        """A sentence in pieces: its own words, and the field that follows them (empty after the last)."""
        return _pieces(self[key])

    def sentence(self, key: str, args: Mapping[str, str] | None = None) -> str:
        """A sentence with its fields filled in; ``args`` are already drawn."""
        filled = args or {}
        return "".join(own + (filled[name] if name else "") for own, name in self.pieces(key))

    def joints(self, parts: Sequence[str]) -> list[str]:
        """What stands after each part of a list: commas, "and" before the last, nothing at the end.

        A word such as 和 has a space on a side where digits, code or letters of another script stand.
        """
        comma, final = self["target.list.comma"], self["target.list.and"]
        out = [comma] * (len(parts) - 2) + [final] * (len(parts) > 1) + [""] * bool(parts)
        if len(parts) > 1 and final.isalpha():
            before, after = (" " * (bool(end) and display_width(end) < 2) for end in (parts[-2][-1:], parts[-1][:1]))
            out[-2] = f"{before}{final}{after}"
        return out

    def list(self, parts: Sequence[str]) -> str:
        """Parts as a list in running text."""
        return "".join(part + joint for part, joint in zip(parts, self.joints(parts), strict=True))

    def named(self, by_language: Mapping[str, str]) -> str:
        """A name in this language; in English, or in whatever there is, where it has none."""
        return by_language.get(self.lang) or by_language.get("en") or next(iter(by_language.values()), "")

    def quote(self, text: str) -> str:
        """A word of the user's between quotation marks."""
        return self.sentence("target.quote", {"text": text})

    def error(self, error: WorkingsError) -> str:
        """What was seen, where, and what to do next."""
        key = f"error.{error.code}"
        drawn = {name: self._value(error, name, value) for name, value in error.values.items()}
        for name, text in drawn.items():
            if not text and f"{key}.without-{name}" in self:
                key = f"{key}.without-{name}"
        said = {name: self._key_or_text(name, drawn) for name in drawn}
        sentence = self.sentence(key, said)
        path = drawn.get("path", "")
        if not error.where or (path and inert(error.where).startswith(path)):
            return sentence
        return self.sentence("target.where", {"where": self._where(error.where), "said": sentence})

    def _key_or_text(self, name: str, drawn: Mapping[str, str]) -> str:
        """What a value stands for where it is a key of our sentences, else the value itself."""
        key = f"error.{name}.{drawn[name]}"
        return self.sentence(key, drawn) if key in self else drawn[name]

    def _where(self, where: str) -> str:
        """The place of an error; a line of a file as this language says it."""
        before, found, rest = where.partition("line ")
        line, _, after = rest.partition(",")
        if found and line.isdecimal() and (not before or before.endswith(", ")):
            said = self.sentence("target.line", {"line": line})
            return ", ".join(part for part in (inert(before[:-2]) if before else "", said, seen(after.strip())) if part)
        return inert(where)

    def _value(self, error: WorkingsError, name: str, value: Any) -> str:
        """A value of an error: shapes as ``3 × 2``, lists with commas, and never anything endless."""
        if name in BYTES.get(error.code, ()):
            return _bytes(value)
        if isinstance(value, int):
            return f"{value:,}" if abs(value) >= GROUPED_FROM else str(value)
        if isinstance(value, (str, Mapping)) or not isinstance(value, Sequence):
            return seen(str(value), name)
        if name == "shape":
            return " × ".join(map(str, value))
        shown = [seen(str(part)) for part in value[:MOST_LISTED]]
        if len(value) <= MOST_LISTED:
            return self.list(shown)
        parts = self["target.list.comma"].join(shown)
        return self.sentence("target.list.more", {"parts": parts, "count": f"{len(value):,}"})


@cache
def _pieces(sentence: str) -> Sequence[tuple[str, str]]:
    cut = [piece.partition("}") for piece in f"}}{sentence}".split("{")]
    names = [*(name for name, _, _ in cut[1:]), ""]
    return [(own, name) for (_, _, own), name in zip(cut, names, strict=True)]


def _bytes(count: int) -> str:
    """A number of bytes as people say it; nothing where it is 0."""
    if count < KIBI:
        return f"{count} bytes" if count else ""
    size, unit = float(count), 0
    while size >= KIBI and unit < len(UNITS):
        size, unit = size / KIBI, unit + 1
    return f"{size:.3g} {UNITS[unit - 1]}" if size < KIBI else f"{size:,.0f} {UNITS[-1]}"
