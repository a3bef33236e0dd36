"""Statements in one line each, so that a test of the grammar reads like the document."""

from __future__ import annotations

import html
from collections.abc import Iterator
from urllib.parse import unquote

from workings.checking.grammar import statements
from workings.checking.notation import Call, Mat, Neg, Node, Num, Op, Span, Statement, Sym, Unread
from workings.checking.paper import Paper
from workings.checking.reading import paper_from_text


def said(text: str, kind: str = "text", name: str = "") -> list[str]:
    """What a document says: label, chain; ``!`` and the reason for what is unread."""
    return [line(item) for item in statements(paper_from_text(text, kind, name))]


def line(item: Statement | Unread) -> str:
    """One statement."""
    if isinstance(item, Unread):
        return f"!{item.why} {item.text}"
    chain = " ".join(f"{link.relation} {node(link.node)}".strip() for link in item.links)
    return f"{item.label}: {chain}" if item.label else chain


def node(item: Node) -> str:
    """One expression: ``(…)`` a flat list, ``[…; …]`` a matrix, ``{…}`` an operation."""
    if isinstance(item, Num):
        infinite = {-1: "-oo", 0: "", 1: "oo"}[item.infinite]
        return infinite or item.text + ("…" if item.ellipsis else "")
    if isinstance(item, Sym):
        return item.name + (f"<{','.join(item.index)}>" if item.index else "")
    if isinstance(item, Mat):
        rows = "; ".join(" ".join(node(cell) for cell in row) for row in item.rows)
        labels = "".join(
            f" {sign}={','.join(of)}" for sign, of in (("r", item.row_labels), ("c", item.column_labels)) if of
        )
        return f"({rows}{labels})" if item.flat else f"[{rows}{labels}]"
    if isinstance(item, Op):
        return f"{{{node(item.left)} {item.op} {node(item.right)}}}"
    if isinstance(item, Neg):
        return f"-{node(item.arg)}"
    return f"{item.name}({', '.join(map(node, item.args))})"


def numbers(item: Statement) -> Iterator[Num]:
    """Every printed number of a statement."""
    stack = [link.node for link in item.links]
    while stack:
        inner = stack.pop()
        if isinstance(inner, Num):
            yield inner
        elif isinstance(inner, Mat):
            stack += [cell for row in inner.rows for cell in row]
        elif isinstance(inner, Op):
            stack += [inner.left, inner.right]
        elif isinstance(inner, Neg):
            stack.append(inner.arg)
        elif isinstance(inner, Call):
            stack += inner.args


def digits_stand_there(paper: Paper, item: Statement | Unread) -> bool:
    """Whether every span lies in its source with the digits of its number in it (entities and percent signs read)."""
    spans = [(item.span, "")]
    if isinstance(item, Statement):
        spans += [(number.span, number.text) for number in numbers(item)]
    return all(stands_there(paper, span, text) for span, text in spans)


def stands_there(paper: Paper, span: Span, text: str) -> bool:
    """Whether a span lies in its source with the digits of a text in it."""
    source = paper.sources[span.cell or 0]
    if not 0 <= span.start < span.stop <= len(source):
        return False
    found = iter(unquote(html.unescape(source[span.start : span.stop])))
    return all(digit in found for digit in text if digit in "0123456789")
