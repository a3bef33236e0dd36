"""Finds the statements of mathematics as a whole: rows, aligned rows that go on, commas."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from workings.checking.grammar import matrices
from workings.checking.grammar.cursor import MAX_DEPTH, Unparsed
from workings.checking.grammar.expression import Parser
from workings.checking.grammar.tokens import Token, tokens
from workings.checking.grammar.vocabulary import ALIGNED
from workings.checking.notation import Link, Node, Num, Op, Span, Unread, nodes
from workings.checking.paper import Run

MAX_RUN = 200_000


@dataclass(slots=True)
class Found:
    """A chain, with the offsets in the run at which the words before it begin and end."""

    links: tuple[Link, ...]
    span: Span
    before: tuple[int, int]
    at: int


@dataclass(slots=True)
class Scan:
    """What one run yields: chains and stretches not understood, in reading order."""

    run: Run
    code: bool = False
    found: list[Found | Unread] = field(default_factory=list)

    def unread(self, why: str, start: int, stop: int) -> None:
        """Notes a stretch that holds numbers."""
        text = self.run.text[start:stop]
        if re.search(r"[0-9½⅓⅔¼¾]", text):
            span = Span(self.run.offsets[start], self.run.end(max(start + 1, stop)), self.run.cell)
            self.found.append(Unread(_cut(text), why, span))


def _cut(text: str) -> str:
    text = " ".join(text.replace("\ue000", "").replace("\ue001", "").split())
    return text if len(text) <= 300 else text[:299] + "…"


def scan_maths(run: Run) -> list[Found | Unread]:
    """The statements of a run that is mathematics as a whole."""
    scan = Scan(run)
    if len(run.text) > MAX_RUN:
        scan.unread("too-long", 0, len(run.text))
        return scan.found
    items = _continued(tokens(run, True))
    parser = Parser(run, items)
    rows(scan, parser, 0, len(items))
    return scan.found


def _continued(items: list[Token]) -> list[Token]:
    """The tokens without the row ends before a row that goes on: ``{} + 0.3`` after nothing but signs of alignment."""
    kept: list[Token] = []
    at = 0
    while at < len(items):
        if _is_nothing(items, at) and items[at + 2].kind in ("op", "rel"):
            back = len(kept)
            while back and kept[back - 1].kind in ("amp", "quad", "nl", "row"):
                back -= 1
            if any(token.kind == "row" for token in kept[back:]):
                del kept[back:]
                at += 2
                continue
        kept.append(items[at])
        at += 1
    return kept


def _is_nothing(items: list[Token], at: int) -> bool:
    """Whether ``{}`` stands before another token."""
    return items[at].text == "{" and at + 2 < len(items) and items[at + 1].text == "}"


def rows(scan: Scan, parser: Parser, first: int, last: int, depth: int = 0) -> None:
    """Chains row by row and comma by comma; an aligned row that begins with a relation goes on with the chain above."""
    if depth > MAX_DEPTH:
        if first < last:
            scan.unread("too-deep", parser.items[first].start, parser.items[last - 1].stop)
        return
    begin = at = first
    while at < last:
        if at not in parser.pairs or parser.pairs[at] >= last:
            at += 1
            continue
        close = parser.pairs[at]
        if parser.items[at].kind == "begin" and _is_aligned(parser, at):
            _plain_rows(scan, parser, begin, at)
            rows(scan, parser, at + 1, close, depth + 1)
            begin = close + 1
        at = close + 1
    _plain_rows(scan, parser, begin, last)


def _plain_rows(scan: Scan, parser: Parser, first: int, last: int) -> None:
    while first < last and parser.items[first].text == "{" and parser.pairs.get(first) == last - 1:
        first, last = first + 1, last - 1  # a box around the whole
    for begin, stop in matrices.parts(parser, first, last, "row"):
        _row(scan, parser, begin, stop)


def _row(scan: Scan, parser: Parser, first: int, last: int) -> None:
    """The chains of a row; words that end in a colon are the label of the chain behind them."""
    label: Token | None = None
    leads = True
    for start, end in matrices.parts(parser, first, last, "comma", "semi", "quad"):
        said = [token for token in parser.items[start:end] if token.kind not in ("amp", "nl", "mopen", "mclose")]
        if len(said) == 1 and said[0].kind == "text" and said[0].text.endswith((":", "：")):
            label = said[0]
            continue
        known = len(scan.found)
        _segment(scan, parser, start, end, leads)
        leads = leads and not said
        found = scan.found[known] if len(scan.found) > known else None
        if label is not None and isinstance(found, Found):
            found.before, label = (label.start, label.stop), None


def _is_aligned(parser: Parser, at: int) -> bool:
    """An aligned environment; an array counts as one if a cell of it begins with a relation."""
    if at not in parser.pairs:
        return False
    name = parser.items[at].text
    if name in ALIGNED:
        return True
    if name.rstrip("*") not in ("array", "matrix", "tabular"):
        return False
    close = parser.pairs[at]
    return any(
        parser.items[i].kind == "rel" and parser.items[i - 1].kind in ("amp", "row", "begin")
        for i in range(at + 1, close)
    )


def _segment(scan: Scan, parser: Parser, first: int, last: int, leads: bool) -> None:
    """One chain of a row."""
    chosen = [i for i in range(first, last) if parser.items[i].kind not in ("amp", "nl", "mopen", "mclose")]
    while len(chosen) > 2 and parser.items[chosen[0]].text == "{" and parser.items[chosen[1]].text == "}":
        chosen = chosen[2:]  # nothing, before a relation that begins a line
    if not chosen or not any(
        parser.items[i].kind in ("num", "vulgar", "rel") or parser.items[i].text == "∞" for i in chosen
    ):
        return
    start, stop = parser.items[chosen[0]].start, parser.items[chosen[-1]].stop
    if any(parser.items[i].kind == "amp" for i in range(first, last)):
        inner = Parser(scan.run, _without_amps(parser, chosen[0], last), moved=parser.moved)
        _one(scan, inner, 0, len(inner.items), leads, (start, stop))
    else:
        _one(scan, parser, chosen[0], last, leads, (start, stop))


def _without_amps(parser: Parser, first: int, last: int) -> list[Token]:
    """The tokens of a row without the alignment signs that stand in no matrix."""
    kept, at = [], first
    while at < last:
        stop = parser.pairs[at] + 1 if at in parser.pairs and parser.pairs[at] < last else at + 1
        if parser.items[at].kind not in ("amp", "nl"):
            kept += parser.items[at:stop]
        at = stop
    return kept


def _one(scan: Scan, parser: Parser, first: int, last: int, leads: bool, place: tuple[int, int]) -> None:
    kept = parser.at, parser.end
    parser.at, parser.end = first, last
    relation = ""
    if parser.items[first].kind == "rel":
        said = parser.relation()
        if said is None:
            parser.at, parser.end = kept
            return
        relation = said
    try:
        links = parser.chain(relation)
        rest = parser.peek()
        if (
            rest is not None
            and rest.kind in ("text", "word", "punct", "larrow", "rel", "close")
            and not _numbers_left(parser, last)
        ):
            rest = None
        if rest is not None:
            raise Unparsed("no-equality" if rest.kind == "other" else "not-parsed", parser.at)
    except Unparsed as error:
        scan.unread(error.why, *place)
        return
    finally:
        parser.at, parser.end = kept
    span = Span(scan.run.offsets[place[0]], scan.run.end(place[1]), scan.run.cell)
    previous = scan.found[-1] if scan.found else None
    if relation and leads and isinstance(previous, Found):
        joined = Span(previous.span.start, max(span.stop, previous.span.stop), span.cell)
        scan.found[-1] = Found((*previous.links, *links), joined, previous.before, previous.at)
    elif worth(links):
        scan.found += beside(parser)
        scan.found.append(Found(tuple(links), span, (place[0], place[0]), place[0]))


def beside(parser: Parser) -> list[Found | Unread]:
    """The chains that stood inside lists."""
    made: list[Found | Unread] = []
    for links, first, last in parser.beside:
        span, start = parser.span(first, last), parser.items[first].start
        made.append(Found(tuple(links), span, (start, start), start))
    parser.beside = []
    return made


def _numbers_left(parser: Parser, last: int) -> bool:
    return any(parser.items[i].kind in ("num", "vulgar", "begin") for i in range(parser.at, last))


def worth(links: list[Link]) -> bool:
    """Whether a chain says anything: an equality, or numbers that are no mere count or shape."""
    if len(links) > 1:
        return True
    node = links[0].node
    return has_numbers(node) and not (isinstance(node, Op) and node.op == "*" and counts(node))


def counts(node: Node) -> bool:
    """Whether an expression is a product of whole numbers, as a shape is."""
    if isinstance(node, Op):
        return counts(node.left) and counts(node.right)
    return isinstance(node, Num) and node.text.isdecimal()


def has_numbers(node: Node) -> bool:
    """Whether a number is printed anywhere in an expression."""
    return any(isinstance(part, Num) for part in nodes(node))
