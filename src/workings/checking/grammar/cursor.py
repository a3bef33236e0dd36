"""A place among tokens, with what brackets match, where things are printed, and how deep one stands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from workings.checking.grammar import numbers
from workings.checking.grammar.tokens import Token
from workings.checking.notation import Link, Node, Num, Span
from workings.checking.paper import Run

MAX_DEPTH = 48  # expressions and operands within one another
_PASSED = frozenset(("mopen", "mclose", "nl"))
_BRACKETS = frozenset(("open", "begin", "close", "end"))
_PAIRS = {"(": ")", "[": "]", "{": "}", "┌": "┐"}


class Unparsed(Exception):
    """What stood there is no expression: a reason key, and the token at which that showed."""

    def __init__(self, why: str, at: int) -> None:
        super().__init__(why)
        self.why, self.at = why, at


def matching(items: list[Token]) -> dict[int, int]:
    """Which token closes which; brackets that do not match are left out."""
    pairs: dict[int, int] = {}
    stack: list[int] = []
    for i in [at for at, token in enumerate(items) if token.kind in _BRACKETS]:
        token = items[i]
        if token.kind in ("open", "begin"):
            stack.append(i)
        else:
            for back in range(len(stack) - 1, max(-1, len(stack) - 4), -1):
                begun = items[stack[back]]
                wanted = begun.text if begun.kind == "begin" else _PAIRS[begun.text]
                if wanted == token.text and (begun.kind == "begin") == (token.kind == "end"):
                    pairs[stack[back]] = i
                    del stack[back:]
                    break
    return pairs


class Cursor(ABC):
    """One list of tokens over one run, and where reading stands; ``Parser`` reads."""

    def __init__(self, run: Run, items: list[Token], code: bool = False, moved: bool = False) -> None:
        self.run, self.items, self.code, self.moved = run, items, code, moved
        self.height = 0
        self.beside: list[tuple[list[Link], int, int]] = []  # chains inside lists, with their tokens
        self.pairs = matching(items)
        self.at, self.end, self.depth, self.inside = 0, len(items), 0, 0

    def span(self, first: int, last: int) -> Span:
        """From the first token to before the last; tokens of blocks side by side may stand in any order."""
        if last <= first:
            last = first + 1
        start, stop, run = self.items[first].start, self.items[last - 1].stop, self.run
        if self.moved:
            start = min(token.start for token in self.items[first:last])
            stop = max(token.stop for token in self.items[first:last])
        return Span(run.offsets[start], run.end(stop), run.cell)

    def text(self, first: int, last: int) -> str:
        """What is printed from the first token to before the last."""
        return self.run.text[self.items[first].start : self.items[last - 1].stop] if first < last else ""

    def within(self, first: int, last: int, read: Callable[[], Node]) -> Node:
        """Reads a slice to its end."""
        kept, height = (self.at, self.end), self.height
        self.at, self.end = first, last
        self.inside += 1
        try:
            node = read()
            if self.peek() is not None:
                raise Unparsed("not-parsed", self.at)
        finally:
            self.inside -= 1
            self.height = max(height, self.height)
            self.at, self.end = kept
        return node

    def whole(self, first: int, last: int) -> Node:
        """The expression that a slice is; most are a number alone, with a sign at most."""
        count = last - first
        if 1 <= count <= 2 and self.items[last - 1].kind == "num" and self.depth < MAX_DEPTH - 1:
            sign = self.items[first].text if count == 2 and self.items[first].kind == "op" else ""
            if count == 1 or sign in ("-", "+"):
                return self._number_alone(first, last, sign == "-")
        return self.within(first, last, self.expression)

    def _number_alone(self, first: int, last: int, negative: bool) -> Num:
        """The number that a slice is, its digits the last token."""
        digits = self.items[last - 1].text
        made = numbers.number(digits, self.text(first, last), self.span(first, last), negative=negative)
        if made is None:
            raise Unparsed("too-long", first)
        return made

    def peek(self) -> Token | None:
        """The next token; line ends within a slice are spaces."""
        at, end, items = self.at, self.end, self.items
        while at < end and items[at].kind == "nl" and self.is_space(items[at]):
            at = self.at = at + 1
        return items[at] if at < end else None

    def is_space(self, token: Token) -> bool:
        """Whether a line end is a space: in mathematics and inside brackets."""
        return token.maths or self.inside > 0

    def fail(self, why: str = "not-parsed") -> Unparsed:
        return Unparsed(why, min(self.at, len(self.items) - 1))

    def over_signs(self, at: int) -> int:
        """Past the signs around inline mathematics, and past line ends where they are spaces."""
        while (
            at < self.end and (token := self.items[at]).kind in _PASSED and (token.kind != "nl" or self.is_space(token))
        ):
            at += 1
        return at

    def starts(self, at: int) -> bool:
        """Whether an expression can begin at a token."""
        token = self.items[at]
        if token.kind in ("num", "vulgar", "name", "text", "begin", "cmd"):
            return True
        if token.kind == "word":
            return token.maths
        if token.kind == "op":
            return token.text in ("-", "+", "√", "∞", "±")
        return token.kind == "open" and at in self.pairs

    @abstractmethod
    def expression(self, power: int = 0) -> Node:
        """An expression; the parser says how."""

    @abstractmethod
    def primary(self) -> Node:
        """An operand; the parser says how."""

    @abstractmethod
    def chain(self, relation: str = "") -> list[Link]:
        """A chain of equalities; the parser says how."""

    @abstractmethod
    def method(self, node: Node, first: int) -> Node | None:
        """A method of an operand, if one follows; the parser says how."""

    @abstractmethod
    def number(self, first: int, negative: bool) -> Num:
        """A number; the parser says how."""
