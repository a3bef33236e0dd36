"""What the words around a value are to it: the label of a row, an aside in brackets, a definition told behind."""

from __future__ import annotations

import re
from dataclasses import replace

from workings.checking.grammar.labels import plain
from workings.checking.grammar.scan import Found
from workings.checking.notation import Link, Mat, Node, Op, Statement, Sym
from workings.checking.paper import Run
from workings.checking.vocabulary import array_of, array_of_words

LONGEST_ROW = 40  # characters of a row's label
_COLON = re.compile(r"[:：][\s*_\ue000]*$")
_FIRST_COLON = re.compile(r"\s*[:：]")
_CLOSES = re.compile(r"[\s\ue000\ue001]*[)）][\s\ue000\ue001:：=≈*_]*$")
_DEFINING = frozenset(("where", "with", "其中"))


def row_of(run: Run, start: int, found: Found, heading: str) -> tuple[Found, str]:
    """What a line says of one row, and what it calls that row: ``- cat: [0.2, 0.8]`` under a lead that names an array.

    The word is a label even where it could be a name; one that names an array itself stays what it is.
    """
    first, head = found.links[0].node, run.text[start : found.at]
    if array_of_words(heading) is None:
        return found, ""
    if not isinstance(first, Sym):
        word = plain(head) if len(head) <= 2 * LONGEST_ROW and _COLON.search(head) else ""
        fits = word and len(word) <= LONGEST_ROW and _is_list(first) and array_of_words(word) is None
        return found, word if fits else ""
    if plain(head) or len(found.links) != 2 or found.links[1].relation != ":=" or not _is_list(found.links[1].node):
        return found, ""
    if array_of(first.name, first.index)[0] is not None:
        return found, ""
    word = plain(_FIRST_COLON.split(run.text[found.at : found.at + 2 * LONGEST_ROW], maxsplit=1)[0])
    return replace(found, links=(Link("", found.links[1].node),)), word


def _is_list(node: Node) -> bool:
    return isinstance(node, Mat) and len(node.rows) == 1 and node.numbers is not None


def words_before(run: Run, found: Found, before: Found | None) -> str:
    """The words before a value; a bracket before it that holds another expression is part of them."""
    words = run.text[slice(*found.before)]
    if before is not None and _CLOSES.match(words):
        opened = run.text[slice(*before.before)]
        if max(opened.count("("), opened.count("（")) > max(opened.count(")"), opened.count("）")):
            words = run.text[before.before[0] : found.before[1]]
    return plain(words)


def without_where(links: tuple[Link, ...], label: str) -> tuple[tuple[Link, ...], bool]:
    """The members of a chain without the word "where" before them, and whether they stand behind one."""
    first = links[0].node
    if isinstance(first, Op) and first.op == "*" and isinstance(first.left, Sym) and first.left.name in _DEFINING:
        return (links[0]._replace(node=first.right), *links[1:]), True
    return links, label.strip().lower() in _DEFINING


def is_defined_behind(before: Statement, links: tuple[Link, ...]) -> bool:
    """Whether a chain without a value says what the name is whose value stands right before it."""
    name, again = before.links[0].node, links[0].node
    if not isinstance(name, Sym) or not isinstance(again, Sym) or (name.name, name.index) != (again.name, again.index):
        return False
    valued = [isinstance(link.node, Mat) and link.node.numbers is not None for link in (*before.links[1:], *links)]
    return any(valued[: len(before.links) - 1]) and len(links) > 1 and not any(valued[len(before.links) - 1 :])
