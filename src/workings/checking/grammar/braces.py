r"""Expressions over a brace with a name below it: ``\underbrace{QK^T}_{\text{scores}}``."""

from __future__ import annotations

from workings.checking.grammar import symbols
from workings.checking.grammar.scripts import Scripts
from workings.checking.notation import Link, Mat, Node

NAMES = frozenset(("underbrace", "overbrace"))


def under(parser: Scripts, inner: Node, first: int) -> Node:
    """What stands over a brace; that a matrix has the name below it is noted beside."""
    token = parser.items[parser.at] if parser.at < parser.end else None
    if token is not None and token.kind == "op" and token.text in ("_", "^"):
        parser.at += 1
        name = symbols.written("".join(parser.script()), parser.span(first, parser.at))
        if isinstance(inner, Mat):
            parser.beside.append(([Link("", name), Link("=", inner)], first, parser.at))
    return inner


def without_own(parser: Scripts, links: list[Link]) -> list[Link]:
    """A chain, the notes on its own members left out; a matrix over a brace and nothing else is one with a name."""
    members = [id(link.node) for link in links]
    own = [noted for noted, _, _ in parser.beside if id(noted[-1].node) in members]
    parser.beside = [item for item in parser.beside if id(item[0][-1].node) not in members]
    return own[0] if own and len(links) == 1 and not links[0].relation else links
