"""What follows an operand above and below the line: powers, indices, heads, transposes."""

from __future__ import annotations

from workings.checking.grammar import numbers, symbols
from workings.checking.grammar.cursor import MAX_DEPTH, Cursor
from workings.checking.grammar.tokens import Token
from workings.checking.notation import Call, Mat, Neg, Node, Num, Op, Span, Sym


class Scripts(Cursor):
    """Reads operands with their scripts."""

    def postfix(self) -> Node:
        """An operand with its powers, indices and transposes."""
        first = self.at
        node = self.primary()
        while self.at < self.end:
            token = self.items[self.at]
            if token.kind == "sup":
                self.at += 1
                node = self.raised_by_signs(node, token, first)
            elif token.kind == "op" and token.text in ("^", "**"):
                self.at += 1
                node = self.raised(node, first)
            elif token.kind == "sub":
                self.at += 1
                node = self.lowered(node, (symbols.subscript(token.text),), first)
            elif token.kind == "op" and token.text == "_" and not isinstance(node, (Num, Op)):
                self.at += 1
                node = self.lowered(node, self.script(), first)
            elif token.kind == "punct" and token.text == "'" and token.maths and isinstance(node, Sym):
                self.at += 1
                node = Sym(node.name + "'", node.index, self.span(first, self.at))
            elif token.kind == "op" and token.text == "°":
                self.at += 1
                node = Call("deg", (node,), self.span(first, self.at))
            elif token.kind == "punct" and (called := self.method(node, first)) is not None:
                node = called
            elif self.indexed(token, node):
                close = self.pairs[self.at]
                index = tuple(part.strip() for part in self.text(self.at + 1, close).split(","))
                self.at = close + 1
                node = self.lowered(node, index, first)
            else:
                return node
        return node

    def indexed(self, token: Token, node: Node) -> bool:
        """``Q[0]``, ``S[2, 1]``: brackets right behind a name, with no number that has a point inside."""
        if token.text != "[" or token.gap or token.kind != "open" or self.at not in self.pairs:
            return False
        if not isinstance(node, Sym) or self.pairs[self.at] - self.at > 6 or self.pairs[self.at] == self.at + 1:
            return False
        inside = self.items[self.at + 1 : self.pairs[self.at]]
        kinds = {item.kind for item in inside}
        commas = sum(item.kind == "comma" for item in inside)
        return (
            kinds <= {"num", "name", "comma", "punct", "op", "word"}
            and "." not in self.text(self.at, self.pairs[self.at])
            and commas < 2
        )

    def lowered(self, node: Node, below: tuple[str, ...], first: int) -> Node:
        span = self.span(first, self.at)
        if isinstance(node, Sym):
            heads = tuple(part[1:] for part in node.index if part.startswith("^"))
            plain = tuple(part for part in node.index if not part.startswith("^"))
            return symbols.joined(node.name, plain + below, heads, span)
        if isinstance(node, Call) and node.name == "transpose" and isinstance(node.args[0], Sym):
            inner = symbols.joined(node.args[0].name, node.args[0].index + below, (), node.args[0].span)
            return Call("transpose", (inner,), span)
        return node  # the index of a function or of a sum says over what it runs

    def raised_by_signs(self, node: Node, token: Token, first: int) -> Node:
        text = numbers.superscript(token.text)
        span = self.span(first, self.at)
        if text in ("ᵀ", "ᵗ"):
            return Call("transpose", (node,), span)
        text = text.replace("ᵀ", "").replace("ᵗ", "").replace("ⁿ", "n")
        if text.startswith("(") and isinstance(node, Sym):
            return symbols.joined(node.name, node.index, (text,), span)
        sign, digits = text[:1] == "-", text.lstrip("+-")
        place = Span(self.run.offsets[token.start], self.run.end(token.stop), self.run.cell)
        number = (
            numbers.number(digits, token.text, place, negative=sign) if digits.replace(".", "", 1).isdecimal() else None
        )
        if number is None:
            return Op("^", node, Sym(text, (), place), span)
        return _power(node, number, span)

    def raised(self, node: Node, first: int) -> Node:
        """Behind ``^``: a transpose, a head, an exponential, or a power."""
        begin = self.at
        said = self.plain_script()
        if said is not None and not (isinstance(node, Sym) and node.name == "e" and not node.index):
            text, stop = said
            span = self.span(first, stop)
            if text in ("T", "ᵀ", "t", "⊤", "{T}") or (text == "top"):
                self.at = stop
                flat = isinstance(node, Mat) and node.flat and node.numbers is not None
                return node if flat else Call("transpose", (node,), span)  # a vector written in a line is a list
            if isinstance(node, Sym) and _is_index(node, text):
                self.at = stop
                below = tuple(part for part in node.index if not part.startswith("^"))
                return symbols.joined(node.name, below, (text,), span)
        self.at = begin
        exponent = self.prefix_of_power()
        return _power(node, exponent, self.span(first, self.at))

    def prefix_of_power(self) -> Node:
        """What stands behind ``^``: a group, a sign with an operand, or an operand."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.depth -= 1
            raise self.fail("too-deep")
        try:
            return self._power()
        finally:
            self.depth -= 1

    def _power(self) -> Node:
        token = self.peek()
        if token is not None and token.kind == "open" and self.at in self.pairs:
            first, close = self.at, self.pairs[self.at]
            self.at = close + 1
            return self.whole(first + 1, close)
        if token is not None and token.kind == "op" and token.text in ("-", "+"):
            first = self.at
            self.at += 1
            following = self.peek()
            if following is not None and following.kind == "num":
                return self.number(first, token.text == "-")
            return Neg(self.prefix_of_power(), self.span(first, self.at))
        return self.postfix()

    def plain_script(self) -> tuple[str, int] | None:
        """The text of a script of one token or of a group of few, and where it ends."""
        if self.at >= self.end:
            return None
        token = self.items[self.at]
        if token.kind in ("name", "num", "text", "word", "sup"):
            return token.text, self.at + 1
        if token.kind == "cmd":
            return symbols.GREEK.get(token.text, token.text), self.at + 1
        if token.kind != "open" or token.text not in "{(" or self.at not in self.pairs:
            return None
        close = self.pairs[self.at]
        inside = self.items[self.at + 1 : close]
        if len(inside) > 6 or any(item.kind in ("begin", "rel", "cmd") for item in inside):
            return None
        text = "".join(item.text for item in inside if item.kind != "mopen")
        return (f"({text})" if token.text == "(" else text), close + 1

    def script(self) -> tuple[str, ...]:
        """What stands below a name: the parts between commas, freed from markup; a slice ``1:2`` as ``1…2``."""
        if self.at >= self.end:
            raise self.fail()
        token = self.items[self.at]
        if token.kind == "open" and token.text in "{(" and self.at in self.pairs:
            close = self.pairs[self.at]
            inside, self.at = self.items[self.at + 1 : close], close + 1
        elif token.kind in ("name", "num", "text", "word", "cmd"):
            inside, self.at = [token], self.at + 1
        else:
            raise self.fail()
        parts, current = [], ""
        for item in inside:
            if item.kind == "comma":
                parts.append(current)
                current = ""
            elif item.text not in ("{", "}"):
                said = symbols.GREEK.get(item.text, item.text) if item.kind == "cmd" else item.text
                current += (" " if item.gap and current and item.kind == "word" else "") + said
        trimmed = (part.strip() for part in (*parts, current))
        return tuple(part if part == ":" else part.replace(":", "…") for part in trimmed)


def _power(node: Node, exponent: Node, span: Span) -> Node:
    if isinstance(node, Sym) and node.name == "e" and not node.index:
        return Call("exp", (exponent,), span)
    return Op("^", node, exponent, span)


def _is_index(node: Sym, text: str) -> bool:
    """Whether what stands above a name is an index of it and not a power."""
    inside = text.strip("()")
    if node.name in ("W", "w") or node.name.startswith("W_"):
        return bool(inside) and inside.isalnum()
    if text.startswith("(") and text.endswith(")"):
        return inside.isalnum()
    if inside.isdecimal():
        return len(inside) > 1 and inside.startswith("0") and node.name.isupper()
    return (inside.isalnum() and not inside[0].isdecimal() and node.name.isupper()) or (
        inside.isalnum() and inside[:1] == "0"
    )
