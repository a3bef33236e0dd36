"""Text to nested data: TOML or JSON, with every number kept as it was written."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from workings.examples.limits import MAX_DEPTH, MAX_WRITTEN, within
from workings.examples.place import Place, Source, inert
from workings.terms.errors import DuplicateKey, NotParsed, NotText, TooDeep

_LINE = re.compile(r"\(at line (\d+), column \d+\)$")
_TOML_PIECE = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*+"|\'[^\'\n]*+\'|#[^\n]*+|[\w-]++|[ \t]++|.', re.DOTALL
)


class Written(str):
    """A number as its author wrote it."""

    __slots__ = ()


def decode(data: bytes, path: str) -> str:
    """UTF-8 text; raises ``NotText`` with the offset of the first byte that is not."""
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise NotText(path=path, offset=error.start).at(inert(path)) from None


def kind_of(path: str, text: str) -> str:
    """``json`` or ``toml``, by the name of the file or else by the first character."""
    for kind in ("json", "toml"):
        if path.lower().endswith(f".{kind}"):
            return kind
    return "json" if text.lstrip()[:1] in ("{", "[") and not re.match(r"\s*\[+[\w\s.]+\]", text) else "toml"


def parse(source: Source) -> Any:
    """The data of a text. Raises ``NotParsed``, ``DuplicateKey``, ``TooDeep`` or ``TooLarge``."""
    within("items", source.text.count(","), 2 * MAX_WRITTEN, Place(source))  # before they become objects
    try:
        data = _json(source) if source.kind == "json" else _toml(source)
    except RecursionError:
        raise TooDeep(limit=MAX_DEPTH).at(inert(source.path)) from None
    check_depth(data, source)
    return data


def check_depth(data: Any, source: Source) -> None:
    """Raises ``TooDeep`` for data nested deeper than ``MAX_DEPTH``; a list inside itself included."""
    level = [data]
    for _ in range(MAX_DEPTH + 1):
        inside: list[Any] = []
        for item in level:
            if isinstance(item, (dict, list, tuple)):
                children = item.values() if isinstance(item, dict) else item
                inside += [child for child in children if isinstance(child, (dict, list, tuple))]
        level = inside
        if not level:
            return
    raise TooDeep(limit=MAX_DEPTH).at(inert(source.path))


def _toml(source: Source) -> dict[str, Any]:
    text = source.text
    if any(line.count(".") > MAX_DEPTH for line in text.split("\n")):
        _check_dotted_keys(source)
    try:
        return tomllib.loads(text, parse_float=lambda number: Written(number.replace("_", "")))
    except ValueError as error:
        reason = str(error)
        found = _LINE.search(reason)
        line = int(found[1]) if found else text.count("\n") + 1
        reason = re.sub(r"\s*\(at [^()]*\)$", "", reason)
        raise NotParsed(path=source.path, line=line, reason=inert(reason)).at(inert(source.path)) from None


def _check_dotted_keys(source: Source) -> None:
    """Refuses ``a.a.a…``: tomllib takes a time that grows with the square of its length."""
    dots = 0
    for match in _TOML_PIECE.finditer(source.text):
        piece = match[0]
        if piece == ".":
            dots += 1
            if dots > MAX_DEPTH:
                raise TooDeep(limit=MAX_DEPTH).at(inert(source.path))
        elif piece[0] in "=,[]{}\n#":
            dots = 0


def _json(source: Source) -> Any:
    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            seen: set[str] = set()
            twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            raise DuplicateKey(path=source.path, line=_second_line(source.text, twice), key=inert(twice)).at(
                inert(source.path)
            )
        return found

    try:
        return json.loads(
            source.text,
            parse_float=Written,
            parse_int=Written,
            parse_constant=Written,
            object_pairs_hook=no_duplicates,
        )
    except json.JSONDecodeError as error:
        raise NotParsed(path=source.path, line=error.lineno, reason=error.msg).at(inert(source.path)) from None


def _second_line(text: str, key: str) -> int:
    """The line where a key stands for the second time."""
    first = text.find(json.dumps(key, ensure_ascii=False))
    second = text.find(json.dumps(key, ensure_ascii=False), first + 1)
    return text.count("\n", 0, max(second, 0)) + 1
