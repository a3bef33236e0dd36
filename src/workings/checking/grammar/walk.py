"""Finds the statements in running text and code: tries a chain wherever one may begin."""

from __future__ import annotations

import re

from workings.checking.grammar.axes import label_end
from workings.checking.grammar.cursor import Unparsed
from workings.checking.grammar.expression import PRODUCTS, Parser
from workings.checking.grammar.labels import SENTENCE
from workings.checking.grammar.layout import arranged
from workings.checking.grammar.scan import MAX_RUN, Found, Scan, beside, counts, has_numbers, rows, worth
from workings.checking.grammar.tokens import Token, tokens
from workings.checking.grammar.vocabulary import FUNCTIONS
from workings.checking.notation import Call, Link, Mat, Neg, Node, Num, Op, Span, Sym, Unread
from workings.checking.paper import Run
from workings.checking.vocabulary import is_phrase

_COUNTED = frozenset(
    (
        *("row", "step", "layer", "head", "token", "dim", "dimension", "eq", "equation"),
        *("page", "chapter", "section", "figure", "fig", "table", "part"),
    )
)
_NUMBERS = ("第", "步骤", "阶段", "步", "层", "图", "表", "式")
_OPERANDS = frozenset(("name", "word", "num", "open", "close", "sup", "sub", "text", "cmd", "mopen", "mclose"))
_ASSERTS = re.compile(r"(?:assert|expect)\w*(?:close|equal|near|eq)\w*$|(?:all|is)_?close$|array_equal$", re.IGNORECASE)
_JOINTS = frozenset(("/", "-", "–", "—", "_", "#", "×", "°", "~"))
_ABOUT = frozenset(("约", "大约", "约为", "about", "approximately", "around", "roughly", "approx", "ca"))


def scan_text(run: Run, code: bool = False) -> list[Found | Unread]:
    """The statements of running text or of code."""
    scan = Scan(run, code)
    if len(run.text) > MAX_RUN:
        scan.unread("too-long", 0, len(run.text))
        return scan.found
    items, moved = arranged(_without_comments(_with_factors(tokens(run, False)), code))
    _Walker(scan, Parser(run, items, code, moved)).walk()
    return scan.found


def _with_factors(items: list[Token]) -> list[Token]:
    """The tokens with words of another script as names where they name an array that is multiplied: ``权重 × V``."""
    for at, token in enumerate(items):
        if token.kind == "word":
            beside = [items[place : place + 2] for place in (at + 1, at - 2) if place >= 0]
            if any(map(_is_factor, beside)) and is_phrase(token.text):
                token.kind = "name"
    return items


def _is_factor(pair: list[Token]) -> bool:
    """Whether a product sign and an operand stand beside each other, in either order."""
    kinds = {token.kind for token in pair}
    return any(token.kind == "op" and token.text in PRODUCTS for token in pair) and bool(kinds & _OPERANDS)


def _without_comments(items: list[Token], code: bool) -> list[Token]:
    """The tokens without remarks inside brackets; in code a comment begins a line of its own."""
    if {"/", "#"}.isdisjoint([token.text for token in items]):
        return items
    kept: list[Token] = []
    depth, remark, fresh = 0, False, True
    for at, token in enumerate(items):
        if token.kind == "nl":
            remark, fresh = False, True
        elif remark:
            continue
        elif token.text in ("/", "#") and not token.maths and _comments(items, at, code):
            remark = depth > 0 and not fresh  # where it begins a line, the line goes on with what stands above
            if code and depth == 0 and not fresh:
                kept.append(Token("nl", "", token.start, token.stop, token.gap, False))
            continue
        elif token.kind in ("open", "close") and token.text not in ("┌", "┐"):
            depth = max(0, depth + (1 if token.kind == "open" else -1))
        elif token.kind in ("mopen", "mclose"):
            depth = 0
        fresh = fresh and token.kind == "nl"
        kept.append(token)
    return kept


def _comments(items: list[Token], at: int, code: bool) -> bool:
    """Whether a slash or ``#`` is (a part of) the sign of a comment."""
    if items[at].text == "#":
        return code or not _numbers_a_word(items, at)
    doubled = _text(items, at + 1) == "/" or (at > 0 and items[at - 1].text == "/" and not items[at].gap)
    return doubled and (code or not _numbers_a_word(items, at))


def _numbers_a_word(items: list[Token], at: int) -> bool:
    """Whether a sign stands between a word and its number, and nothing between them: ``fox#2``."""
    beside = items[at - 1 : at + 2] if at else []
    return len(beside) == 3 and beside[0].kind in ("name", "word") and beside[2].kind == "num" and not beside[2].gap


def _text(items: list[Token], at: int) -> str:
    return items[at].text if at < len(items) else ""


class _Walker:
    """Goes through running text and tries a chain wherever one may begin."""

    def __init__(self, scan: Scan, parser: Parser) -> None:
        self.scan, self.parser, self.items = scan, parser, parser.items
        self.text = scan.run.text
        self.from_here = 0  # where the words that may label the next chain begin

    def walk(self) -> None:
        at, fresh = 0, True
        while at < len(self.items):
            token = self.items[at]
            if fresh and not token.maths:
                begun = self.bullet(at)
                if begun > at:
                    at = begun
                    self.from_here = self.items[at].start if at < len(self.items) else len(self.text)
                    fresh = False
                    continue
            fresh = token.kind == "nl" and not token.maths
            if fresh:
                self.from_here = token.stop
            if token.kind == "mopen":
                at = self.inline(at)
            elif token.kind == "junk" and self.operator(at + 1):
                at = self.past(at)
            elif self.may_begin(at):
                at = self.attempt(at)
            else:
                at += 1

    def bullet(self, at: int) -> int:
        """Past a bullet, a quotation sign or the number of an item at the begin of a line."""
        begun = at
        while at + 1 < len(self.items):
            token, after = self.items[at], self.items[at + 1]
            if token.text in ("-", "*", "+", "·", ">", "#", "//", "/") and (after.gap or after.text in "/*"):
                at += 1
            elif (
                token.kind == "num" and token.text.isdecimal() and after.text in (".", ")", "、", ":") and not after.gap
            ):
                at += 2
            elif (
                token.text == "("
                and after.kind == "num"
                and after.text.isdecimal()
                and self.texts(at + 2) == ")"
                and at == begun
            ):
                closing = self.items[at + 3] if at + 3 < len(self.items) else None
                if closing is None or closing.kind in ("op", "rel", "num", "open"):
                    return at
                at += 3
            else:
                return at
        return at

    def texts(self, at: int) -> str:
        return _text(self.items, at)

    def operator(self, at: int) -> bool:
        return at < len(self.items) and self.items[at].kind == "op"

    def past(self, at: int) -> int:
        """Past an expression that begins with digits that are no number: what is left of it is another one."""
        while at < len(self.items) and self.items[at].kind not in ("nl", "rel", "word", "mopen"):
            at += 1
        return at + 1 if at < len(self.items) and self.items[at].kind == "rel" else at

    def may_begin(self, at: int) -> bool:
        """Whether a chain may begin at a token of running text."""
        token = self.items[at]
        previous = self.items[at - 1] if at else None
        if token.kind in ("num", "vulgar", "begin"):
            return True
        if token.kind == "open":
            return at in self.parser.pairs and token.text in "[({" and self.holds_numbers(at)
        if token.kind == "rel":
            return self.parser_starts(at + 1) and (previous is None or previous.text not in ("|", "‖"))
        if token.kind == "op":
            after = self.items[at + 1] if at + 1 < len(self.items) else None
            if token.text in ("√", "∞"):
                return True
            free = previous is None or token.gap or previous.kind in ("nl", "open", "rel", "mclose", "punct")
            return token.text == "-" and after is not None and after.kind in ("num", "op") and not after.gap and free
        if token.kind == "name":
            return self.mathematical(at)
        return token.kind in ("cmd", "text") and not token.maths

    def parser_starts(self, at: int) -> bool:
        self.parser.end = len(self.items)
        at = self.parser.over_signs(at)
        return at < len(self.items) and self.parser.starts(at)

    def holds_numbers(self, at: int) -> bool:
        """Whether the brackets hold a list, or the first operand of an expression."""
        close = self.parser.pairs[at]
        head = self.items[at + 1 : min(close, at + 40)]
        if not any(token.kind in ("num", "vulgar") or token.text == "∞" for token in head):
            return self.items[at].text == "[" and any(token.kind == "comma" for token in head) and self.followed(close)
        if self.items[at].text == "[":
            return True
        first = next(token for token in [*head] if token.kind not in ("nl", "open"))
        return first.kind in ("num", "vulgar", "op", "cmd") or self.followed(close)

    def followed(self, at: int) -> bool:
        """Whether an operator or a relation follows."""
        after = self.items[at + 1] if at + 1 < len(self.items) else None
        return after is not None and (after.kind == "rel" or (after.kind == "op" and after.text in "*×·/÷^@+"))

    def mathematical(self, at: int) -> bool:
        """Whether a name in running text begins mathematics and not a word."""
        token, after = self.items[at], self.items[at + 1] if at + 1 < len(self.items) else None
        if after is None:
            return False
        function = token.text.lower() in FUNCTIONS
        if after.kind == "rel":
            previous = self.items[at - 1] if at else None
            alone = previous is None or previous.kind not in ("word", "name") or len(token.text) <= 2 or self.scan.code
            return alone and self.parser_starts(at + 2)
        if after.kind == "open" and at + 1 in self.parser.pairs:
            return function or not after.gap or (after.text == "[" and len(token.text) <= 3)
        if after.kind in ("sup", "sub"):
            return True
        if after.kind == "op" and after.text in "^_*×·/@√+-":
            short = len(token.text) <= 3 or "_" in token.text or self.scan.code
            spaced = after.text not in "-+/" or self.scan.code or after.gap or self.divided(at + 2)
            return self.words_joined(at) or (short and self.parser_starts(at + 2) and spaced)
        if after.text == ":" and len(token.text) <= 3 and self.texts(at + 2) == "[":
            return self.parser_starts(at + 2)
        if after.kind == "punct" and after.text == ".":
            return self.parser.dot_between(at + 1)
        if after.kind == "name" and (not after.gap or self.parser.factors(at)):
            return True
        return function and after.kind in ("num", "open")

    def divided(self, at: int) -> bool:
        """Whether a root stands here, or a number that is all before a relation: ``S/√2``, ``S/sqrt(2)``, ``S/2 =``."""
        return self.texts(at) in ("√", "sqrt") or [token.kind for token in self.items[at : at + 2]] == ["num", "rel"]

    def words_joined(self, at: int) -> bool:
        """Whether words with product signs between them are all that stands before a relation: ``runs · fox = …``."""
        items, joined = self.items, False
        while at + 2 < len(items) and items[at].kind == "name" and self.joins(at + 1):
            at, joined = at + 2, True
        return joined and [token.kind for token in items[at : at + 2]] == ["name", "rel"]

    def joins(self, at: int) -> bool:
        """Whether a product sign stands between two words with space on both sides."""
        sign = self.items[at]
        return sign.kind == "op" and sign.text in PRODUCTS and sign.gap and self.items[at + 1].gap

    def inline(self, at: int) -> int:
        """A stretch of inline mathematics; the chain may have begun before it, or go on behind it."""
        stop = at + 1
        while stop < len(self.items) and self.items[stop].kind != "mclose":
            stop += 1
        inside = self.items[at + 1 : stop]
        if any(
            token.kind in ("row", "begin", "comma", "semi", "quad", "other") for token in inside
        ) or not self.goes_on(stop):
            return self.closed(at, stop)
        return self.attempt(at + 1, until=stop)

    def goes_on(self, stop: int) -> bool:
        """Whether an operator or a relation follows inline mathematics."""
        at = self.parser.over_signs(stop) if stop < len(self.items) else stop
        if at >= len(self.items):
            return False
        token = self.items[at]
        if token.kind == "rel" or (token.kind == "op" and token.text in "*×·/+"):
            return self.parser_starts(at + 1)
        return token.kind == "punct" and token.text == ":" and self.parser_starts(at + 1)

    def closed(self, at: int, stop: int) -> int:
        """Inline mathematics that stands for itself: read as a display is, with the words before it as its label."""
        inside = Parser(self.scan.run, self.items[at + 1 : stop], moved=self.parser.moved)
        kept, self.scan.found = self.scan.found, []
        rows(self.scan, inside, 0, len(inside.items))
        made, self.scan.found = self.scan.found, kept
        if made:
            if isinstance(made[0], Found):
                made[0].before = self.label(self.items[at].start)
            self.scan.found += made
            self.from_here = self.items[min(stop, len(self.items) - 1)].stop
        return stop + 1

    def label(self, until: int) -> tuple[int, int]:
        """The stretch of words before an offset: from the last chain, line or sentence end."""
        start = self.from_here
        for end in SENTENCE.finditer(self.text, start, until):
            start = end.end()
        return start, until

    def attempt(self, at: int, until: int | None = None) -> int:
        """Tries a chain here; says where to go on."""
        parser, items = self.parser, self.items
        colon = label_end(items, at)
        if colon > at and self.parser_starts(colon + 1):
            return colon + 1
        parser.at, parser.end, parser.depth, parser.inside = at, len(items), 0, 0
        parser.beside = []
        begin = items[at].start
        relation = ""
        if items[at].kind == "rel":
            relation = parser.relation() or ""
        named = self.named(at)
        try:
            links = [*named, *parser.chain(":=" if named else relation)]
        except Unparsed as error:
            return self.failed(at, error, until)
        stop = parser.at
        if stop <= at:
            return at + 1
        links = _asserted(links)
        return self.accept(at, stop, begin, links, until)

    def named(self, at: int) -> list[Link]:
        """A name that a colon parts from its value: ``q1: [1, 0]``."""
        parser = self.parser
        try:
            if self.items[at].kind not in ("name", "text") and not self.items[at].maths:
                return []
            node = parser.postfix()
            colon = parser.over_signs(parser.at)
            if isinstance(node, Sym) and self.scan.code and self.texts(colon) == "(" and self.texts(colon + 1) == "{":
                parser.at = colon  # ``Tensor q({1.0f, 0.0f}, {1, 1, 2});``
                return [Link("", node)]
            if isinstance(node, Sym) and self.texts(colon) == ":" and self.parser_starts(colon + 1):
                parser.at = parser.over_signs(colon + 1)
                return [Link("", node)]
        except Unparsed:
            pass
        parser.at, parser.depth = at, 0
        if self.items[at].kind == "rel":
            parser.relation()
        return []

    def equality(self, at: int, close: int) -> bool:
        return any(token.kind == "rel" for token in self.items[at:close])

    def failed(self, at: int, error: Unparsed, until: int | None) -> int:
        token = self.items[at]
        close = self.parser.pairs.get(at)
        past = until + 1 if until is not None else None
        if past is None and token.text == "(" and close is not None and self.equality(at, close):
            past = at + 1  # a remark in brackets: ``(2/3 = 0.67)``
        elif past is None and token.kind in ("open", "begin") and close is not None:
            self.scan.unread(error.why, token.start, self.items[close].stop)
            past = close + 1
        elif past is None:
            past = max(at + 1, min(error.at, at + 200))
            if token.kind not in ("rel", "name") or error.why != "not-parsed":
                self.scan.unread(error.why, token.start, self.items[past - 1].stop)
            elif token.kind in ("rel", "name") and at + 1 < len(self.items):
                past = at + 1
        else:
            self.scan.unread(error.why, token.start, self.items[past - 2].stop)
        return past

    def accept(self, at: int, stop: int, begin: int, links: list[Link], until: int | None) -> int:
        """Keeps a chain that says something; a number alone is read only where it is no count."""
        numbers = any(has_numbers(link.node) for link in links)
        end = max(token.stop for token in self.items[at:stop]) if self.parser.moved else self.items[stop - 1].stop
        alone = links[0].node if len(links) == 1 else None
        if self.operator(stop) and stop + 1 < len(self.items) and self.items[stop + 1].kind == "junk":
            self.scan.unread("not-parsed", begin, self.items[stop + 1].stop)
            return stop + 2
        if isinstance(alone, Num) and at and self.items[at - 1].kind == "other":
            self.scan.unread("no-equality", self.items[at - 1].start, end)
            return stop
        if _range(alone) and until is None and not self.items[at].maths and not self.labelled(at):
            self.scan.unread("range", begin, end)
            return stop
        if isinstance(alone, Num) and self.labelled(at) and until is None:
            listed = self.listed(alone, stop)
            if listed is not None:
                links, stop = [Link("", listed)], self.parser.at
                alone, end = None, self.items[stop - 1].stop
        plain = isinstance(alone, Num) and alone.text.replace(",", "").isdecimal() and not links[0].relation
        if plain and until is None and self.counted(at, stop):
            return stop
        if plain and until is None and not self.labelled(at):
            self.scan.unread("bare-integer", begin, end)
            return stop
        if not self.kept(links, numbers, until is not None):
            return stop
        before = self.label(begin)
        if not links[0].relation and self.about(at):
            links[0] = Link("≈", links[0].node)
        if isinstance(alone, Num) and not links[0].relation and not self.labelled(at) and until is None:
            before = self.sentence(begin, end)
        span = Span(self.scan.run.offsets[begin], self.scan.run.end(end), self.scan.run.cell)
        if self.parser.moved:
            low = min(token.start for token in self.items[at:stop])
            span = Span(self.scan.run.offsets[low], span.stop, span.cell)
        self.scan.found += beside(self.parser)
        self.scan.found.append(Found(tuple(links), span, before, begin))
        self.from_here = end
        return stop

    def listed(self, first: Num, stop: int) -> Mat | None:
        """Numbers behind a label with commas between them: a vector; the parser then stands behind it."""
        parser, nodes, at = self.parser, [first], stop
        while self.texts(at) in (",", "、") and at + 1 < len(self.items) and self.items[at + 1].kind in ("num", "op"):
            parser.at, parser.end = at + 1, len(self.items)
            try:
                node = parser.prefix()
            except Unparsed:
                break
            following = self.items[parser.at] if parser.at < len(self.items) else None
            if not isinstance(node, Num) or (following is not None and following.kind in ("word", "name", "op", "rel")):
                break
            nodes.append(node)
            at = parser.at
        parser.at = at
        if len(nodes) < 2:
            return None
        span = Span(nodes[0].span.start, nodes[-1].span.stop, nodes[0].span.cell)
        return Mat((tuple(nodes),), span, flat=True)

    def kept(self, links: list[Link], numbers: bool, inline: bool) -> bool:
        if len(links) > 1 or links[0].relation:
            symbolic = (
                any(not isinstance(link.node, Sym) for link in links)
                and all(link.relation in ("", "=", ":=", "≈") for link in links)
                and len(links) > 1
            )
            return numbers or (symbolic and all(_is_formula(link.node) for link in links))
        return numbers and worth(links) and (inline or not isinstance(links[0].node, Op) or not counts(links[0].node))

    def counted(self, at: int, stop: int) -> bool:
        """Whether a whole number counts or numbers something, or is a year."""
        following = self.items[stop] if stop < len(self.items) else None
        previous = self.items[at - 1] if at else None
        if following is not None:
            if following.kind in ("word", "name") or following.text in _JOINTS:
                return True
            if (
                following.text == "."
                and not following.gap
                and stop + 1 < len(self.items)
                and not self.items[stop + 1].gap
            ):
                return True
        if previous is not None:
            word = previous.text.lower().rstrip("s.")
            named = previous.kind == "name" and (previous.text[:1].isupper() or word in _COUNTED or word == "x")
            if named or previous.text in _JOINTS or (previous.kind == "word" and previous.text.endswith(_NUMBERS)):
                return True
        return self.items[at].text.isdecimal() and 1900 <= int(self.items[at].text[:6]) <= 2100

    def labelled(self, at: int) -> bool:
        """Whether a colon stands right before."""
        back = at - 1
        while back >= 0 and self.items[back].kind in ("mopen", "mclose"):
            back -= 1
        return back >= 0 and self.items[back].text == ":" and self.items[back].start >= self.from_here

    def about(self, at: int) -> bool:
        """Whether a word right before says that the number is rounded."""
        back = self.items[at - 1] if at else None
        if back is None or back.kind not in ("word", "name"):
            return False
        return back.text.lower() in _ABOUT or (back.kind == "word" and back.text.endswith(("约", "约为")))

    def sentence(self, begin: int, end: int) -> tuple[int, int]:
        """The sentence around a number."""
        low = self.text.rfind("\n", 0, begin) + 1
        high = self.text.find("\n", end)
        high = len(self.text) if high < 0 else high
        low, high = max(low, begin - 300), min(high, end + 300)
        for stop in SENTENCE.finditer(self.text, low, high):
            if stop.end() <= begin:
                low = stop.end()
            elif stop.start() >= end:
                high = stop.start()
                break
        return low, high


def _is_formula(node: Node) -> bool:
    """Whether a chain without numbers is a formula of short names and not a sentence."""
    if isinstance(node, Sym):
        return len(node.name) <= 12 or "_" in node.name
    return isinstance(node, (Op, Call, Mat, Neg))


def _asserted(links: list[Link]) -> list[Link]:
    """What a test asserts to be equal: ``assert_allclose(weights, [[…]])``."""
    node = links[0].node
    if len(links) == 1 and isinstance(node, Call) and len(node.args) > 1 and _ASSERTS.match(node.name):
        return [Link("", node.args[0]), Link("=", node.args[1])]
    return links


def _range(node: Node | None) -> bool:
    """``0.1-0.2`` alone is a range."""
    return isinstance(node, Op) and node.op == "-" and isinstance(node.left, Num) and isinstance(node.right, Num)
