"""A Pratt parser from tokens to the nodes of ``checking/notation``.

It reads a slice of the tokens and says where it stopped; nesting is bounded, every failure is an ``Unparsed``.
"""

from __future__ import annotations

from fractions import Fraction

from workings.checking.grammar import braces, calls, matrices, numbers, symbols
from workings.checking.grammar.cursor import MAX_DEPTH, Unparsed
from workings.checking.grammar.scripts import Scripts
from workings.checking.grammar.tokens import Token
from workings.checking.grammar.vocabulary import ALIGNED, FUNCTIONS, MATRICES
from workings.checking.notation import Call, Link, Neg, Node, Num, Op, Span, Sym

MAX_HEIGHT = 150  # of an expression as a tree: 150 terms in one sum
PRODUCTS = frozenset(("*", "×", "·", "@", "⊙", "∘"))
_ACCENTS = frozenset(("hat", "bar", "tilde", "vec", "overline", "widehat", "widetilde", "dot", "mathring", "underline"))
_FRACTIONS = frozenset(("frac", "dfrac", "tfrac", "cfrac"))
_OPERANDS = frozenset((*_FRACTIONS, *braces.NAMES, "sqrt", "sum", *symbols.GREEK, *_ACCENTS))  # commands


class Parser(Scripts):
    """Reads expressions out of one list of tokens over one run."""

    # --- chains ---

    def chain(self, relation: str = "") -> list[Link]:
        """``a = b ≈ c``; begins behind a relation if one is handed in."""
        links = [Link(relation, self.expression())]
        while True:
            said = self.relation()
            if said is None:
                return braces.without_own(self, links)
            links.append(Link(said, self.expression()))

    def relation(self) -> str | None:
        """A relation that is followed by something; the signs around inline mathematics are passed over."""
        at = self.over_signs(self.at)
        if at >= self.end or self.items[at].kind != "rel":
            return None
        said = self.items[at].text
        while at + 1 < self.end and self.items[at + 1].kind == "rel":
            at += 1
            said = "≈" if "≈" in (said, self.items[at].text) else said
        at = self.over_signs(at + 1)
        if at >= self.end or not self.starts(at) or (said.endswith((">", "→")) and self.is_word(at)):
            return None
        self.at = at
        return {"==": "=", "=>": "→", "->": "→", "~=": "≈", "=~": "≈"}.get(said, "→" if said.endswith(">") else said)

    def is_word(self, at: int) -> bool:
        """Whether a name outside mathematics is a word of a sentence: nothing mathematical follows it."""
        token = self.items[at]
        if token.kind != "name" or token.maths or len(token.text) < 2 or not token.text.isalpha():
            return False
        following = self.items[at + 1] if at + 1 < self.end else None
        if following is None or following.kind in ("rel", "sup", "sub"):
            return following is None
        return following.gap or following.text not in ("(", "[", "_", "^")

    # --- operators ---

    def expression(self, power: int = 0) -> Node:
        """An expression whose operators bind at least as strongly as ``power``."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.depth -= 1
            raise self.fail("too-deep")
        try:
            first = self.at
            self.height = 0
            left = self.prefix()
            height = self.height
            while True:
                self.height = 0
                step = self.infix(left, first, power)
                if step is None:
                    self.height = height
                    return left
                left, height = step, max(height, self.height) + 1
                if height > MAX_HEIGHT:
                    raise self.fail("too-deep")
        finally:
            self.depth -= 1

    def prefix(self) -> Node:
        token = self.peek()
        if token is not None and token.kind == "op" and token.text in ("-", "+", "±"):
            first = self.at
            self.at += 1
            following = self.peek()
            if following is None:
                raise self.fail()
            signed = self.signed(first, following, token.text)
            if signed is not None:
                return signed
            inner = self.expression(15)
            return inner if token.text == "+" else Neg(inner, self.span(first, self.at))
        return self.postfix()

    def signed(self, first: int, following: Token, sign: str) -> Node | None:
        """A number or an infinity with its sign."""
        if following.kind == "num" and sign != "±":
            number = self.number(first, sign == "-")
            after = self.items[self.at] if self.at < self.end else None
            if after is not None and ((after.kind == "op" and after.text in ("^", "**")) or after.kind == "sup"):
                self.at = first + 1
                return None
            return number
        if (following.kind == "op" and following.text == "∞") or following.text in ("inf", "np.inf", "math.inf"):
            self.at += 1
            return self.infinity(first, -1 if sign == "-" else 1)
        return None

    def infinity(self, first: int, sign: int) -> Num:
        return Num(self.text(first, self.at), Fraction(0), Fraction(0), self.span(first, self.at), infinite=sign)

    def infix(self, left: Node, first: int, power: int) -> Node | None:
        """The left side with one operator more, or None."""
        at = self.over_signs(self.at) if self.at < self.end else self.at
        crossed = at != self.at
        if at >= self.end:
            return None
        token = self.items[at]
        if token.kind == "op" and token.text in ("+", "-"):
            if self.sign_of_next(at):
                return None
            return self.binary(token.text, left, first, at, 10) if power <= 10 and self.operand(at) else None
        if token.kind == "op" and (token.text in PRODUCTS or token.text in ("/", "÷")):
            sign = "/" if token.text in ("/", "÷") else "*"
            return self.binary(sign, left, first, at, 20) if power <= 20 and self.operand(at) else None
        if self.dot_between(at):
            return self.binary("*", left, first, at, 20) if power <= 20 else None
        if crossed and self.items[self.at].kind != "nl":
            return None
        if power <= 20 and self.implicit(token):
            right = self.expression(21)
            return Op("*", left, right, self.span(first, self.at))
        return None

    def operand(self, at: int) -> bool:
        """Whether an operand follows an operator (outside mathematics a hyphen or a slash may be none)."""
        token, after = self.items[at], self.over_signs(at + 1)
        if after >= self.end or not self.starts(after):
            return False
        following = self.items[after]
        if token.maths or following.maths:
            return True
        if following.kind == "name" and token.text in ("-", "/", "+"):
            called = self.items[after + 1].text == "(" if after + 1 < self.end else False
            known = following.text.lower() in FUNCTIONS or not following.text.isalpha()
            return len(following.text) <= 3 or known or called or self.code
        return True

    def sign_of_next(self, at: int) -> bool:
        """Whether a sign outside mathematics belongs to the number behind it: ``1.8 -0.3`` are two numbers."""
        token, following = self.items[at], self.items[at + 1] if at + 1 < self.end else None
        return not token.maths and token.gap and following is not None and following.kind == "num" and not following.gap

    def dot_between(self, at: int) -> bool:
        """A full stop with spaces on both sides between two operands is a dot product."""
        token = self.items[at]
        if token.kind != "punct" or token.text != "." or not token.gap or at + 1 >= self.end:
            return False
        following = self.items[at + 1]
        return (
            following.gap
            and following.kind in ("name", "open", "num")
            and self.starts(at + 1)
            and not following.text[:1].isupper()
        )

    def binary(self, sign: str, left: Node, first: int, at: int, power: int) -> Node:
        self.at = self.over_signs(at + 1)
        right = self.expression(power + 1)
        span = self.span(first, self.at)
        fraction = _fraction(left, right, self.text(first, self.at), span) if sign == "/" else None
        return fraction or Op(sign, left, right, span)

    def implicit(self, token: Token) -> bool:
        """Whether two operands side by side are a product."""
        if token.kind not in ("name", "text", "open", "begin", "cmd", "op") or not self.starts(self.at):
            return False
        if token.kind == "op" and token.text not in ("√", "∞"):
            return False
        if token.kind == "cmd" and token.text not in (
            *_FRACTIONS,
            *braces.NAMES,
            "sqrt",
            "sum",
            *symbols.GREEK,
            *_ACCENTS,
        ):
            return False
        if token.maths:
            return True
        if token.gap:
            return self.at > 0 and self.factors(self.at - 1)
        if token.kind == "open":  # a remark in brackets is no factor
            inner = self.items[self.at + 1]
            return inner.kind in ("num", "vulgar", "op", "open") or (inner.kind == "name" and len(inner.text) <= 3)
        return token.kind in ("name", "op") and (len(token.text) == 1 or token.text.startswith("W"))

    def factors(self, at: int) -> bool:
        """Whether two short names with space between them are a product.

        They are where the second is transposed (``Q K^T``), or where they are all that stands between two relations
        (``O = A V = …``).
        """
        left, right = self.items[at], self.items[at + 1] if at + 1 < len(self.items) else None
        if left.kind == "num" and "." in left.text and right is not None and right.kind == "name":
            return self._is_weighted(at + 1)
        if right is None or right.kind != "name" or left.kind not in ("name", "sub") or len(left.text) > 3:
            return False
        if self._names_up_to_relation(at, -1) and self._names_up_to_relation(at + 1, 1):
            return True
        if left.text in ("a", "I") or right.text.endswith(".T"):
            return left.text not in ("a", "I")
        script = self.items[at + 2] if at + 2 < len(self.items) else None
        if script is None or script.gap or len(right.text) > 3:
            return False
        raised = self.items[at + 3].text if script.text == "^" and at + 3 < len(self.items) else script.text
        return raised in ("T", "ᵀ", "ᵗ") and (script.text == "^" or script.kind == "sup")

    def _is_weighted(self, at: int) -> bool:
        """Whether a name behind a decimal and a space is what it weighs: ``0.67 v₁ + 0.33 v₂ = …``."""
        name, after = self.items[at], self.items[at + 1] if at + 1 < len(self.items) else None
        return len(name.text) == 1 and after is not None and (after.kind == "sub" or after.text == "_")

    def _names_up_to_relation(self, at: int, step: int) -> bool:
        """Whether nothing but names of matrices stands from a token to the next relation on one side."""
        while 0 <= at < len(self.items) and self.items[at].kind in ("name", "sub"):
            text = self.items[at].text
            if self.items[at].kind == "name" and len(text) > 1 and not (text[0].isupper() and len(text) <= 3):
                return False
            at += step
        return 0 <= at < len(self.items) and self.items[at].kind == "rel"

    # --- operands ---

    def primary(self) -> Node:
        """A number, a name, a call, a matrix, or something in brackets."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.depth -= 1
            raise self.fail("too-deep")
        try:
            return self.operand_here()
        finally:
            self.depth -= 1

    def operand_here(self) -> Node:
        """The operand at the next token."""
        token = self.peek()
        if token is None:
            raise self.fail()
        first = self.at
        if token.kind == "num":
            return self.number(first, False)
        if token.kind == "vulgar":
            self.at += 1
            return numbers.vulgar(token.text, self.text(first, self.at), self.span(first, self.at))
        if token.kind == "name":
            return self.name(token)
        if token.kind in ("text", "word"):
            self.at += 1
            return self.call_or_symbol(token.text, first)
        if token.kind == "begin":
            return self.environment(token, first)
        if token.kind == "cmd":
            return self.command(token, first)
        if token.kind == "open" and first in self.pairs:
            self.at = self.pairs[first] + 1
            return matrices.bracketed(self, first, self.pairs[first])
        if token.kind == "op" and token.text == "√":
            self.at += 1
            inner = self.postfix() if self.at < self.end else None
            if inner is None:
                raise self.fail()
            return Call("sqrt", (inner,), self.span(first, self.at))
        if token.kind == "op" and token.text == "∞":
            self.at += 1
            return self.infinity(first, 1)
        raise self.fail("ellipsis" if token.kind == "ell" else "not-parsed")

    def number(self, first: int, negative: bool) -> Num:
        """A number with the power of ten, the percent sign or the ellipsis behind it."""
        token = self.items[self.at]
        self.at += 1
        power = self.power_of_ten() if self.at < self.end else None
        percent = ellipsis = False
        if self.at < self.end:
            after = self.items[self.at]
            if after.kind == "op" and after.text == "%" and not self.modulo(after):
                percent = True
                self.at += 1
            elif after.kind == "ell" and "." in token.text and (not after.gap or after.maths):
                ellipsis = True
                self.at += 1
            elif after.kind == "name" and after.text in ("f", "F") and not after.gap and (self.code or not after.maths):
                self.at += 1
        stop = self.at - (1 if ellipsis or (self.items[self.at - 1].text in ("f", "F")) else 0)
        made = numbers.number(
            token.text,
            self.text(first, stop),
            self.span(first, stop),
            percent=percent,
            ellipsis=ellipsis,
            negative=negative,
            power=power,
        )
        if made is None:
            raise Unparsed("too-long", first)
        return made

    def modulo(self, sign: Token) -> bool:
        following = self.items[self.at + 1] if self.at + 1 < self.end else None
        return self.code and sign.gap and following is not None and following.kind in ("num", "name")

    def power_of_ten(self) -> int | None:
        """The exponent of ``× 10^n`` behind a number."""
        at = self.at
        if at + 2 >= self.end or self.items[at].text not in ("×", "·", "*") or self.items[at + 1].text != "10":
            return None
        after = self.items[at + 2]
        if after.kind == "sup" and (digits := numbers.superscript(after.text)).lstrip("+-").isdecimal():
            self.at = at + 3
            return max(-9999, min(9999, int(digits[:6])))
        if after.text not in ("^", "**"):
            return None
        at += 3
        group = at < self.end and self.items[at].text in ("{", "(")
        at += 1 if group else 0
        sign = 1
        if at < self.end and self.items[at].kind == "op" and self.items[at].text in "+-":
            sign = -1 if self.items[at].text == "-" else 1
            at += 1
        if at >= self.end or not self.items[at].text.isdecimal() or (group and at + 1 not in self.pairs.values()):
            return None
        self.at = at + (2 if group else 1)
        return sign * int(self.items[at].text[:6])

    def name(self, token: Token) -> Node:
        first = self.at
        self.at += 1
        parts = token.text.split(".")
        if len(parts) > 1 and not token.maths:
            if parts[-1] in ("T", "mT"):
                return Call(
                    "transpose",
                    (symbols.written(".".join(parts[:-1]), self.span(first, self.at)),),
                    self.span(first, self.at),
                )
            if token.text in ("np.inf", "math.inf"):
                return self.infinity(first, 1)
            called = calls.of_name(self, parts, first)
            if called is not None:
                return called
            return self.call_or_symbol(parts[-1] if parts[0] != "self" else token.text, first)
        if token.text == "inf" and not token.maths:
            return self.infinity(first, 1)
        return self.call_or_symbol(token.text, first)

    def call_or_symbol(self, text: str, first: int) -> Node:
        """A function with its arguments, or a name."""
        function = FUNCTIONS.get(text.lower())
        self.skip_scripts(function)
        token = self.items[self.at] if self.at < self.end else None
        opened = token is not None and token.kind == "open" and token.text in "([{" and self.at in self.pairs
        called = opened and token is not None and token.text == "(" and (not token.gap or token.maths)
        if function is None:
            if called and self.pairs[self.at] == self.at + 2 and self.items[self.at + 1].kind == "text":
                self.at += 3  # ``P(\\text{Paris})``
                return symbols.joined(text, (self.items[self.at - 2].text,), (), self.span(first, self.at))
            if called and len(text) > 1 and not text.isupper() | (text.startswith(("W_", "d_"))):
                return calls.call(self, text, first)
            if called and text in ("PE", "LN", "FFN", "MHA"):
                return calls.call(self, text, first)
            return symbols.written(text, self.span(first, self.at))
        if opened and self.is_address(function):
            return symbols.written(text, self.span(first, self.at))  # the index is read as of any other name
        if opened:
            return calls.call(self, function, first)
        said = token is not None and not token.maths and function in ("sum", "mean", "max", "min")  # "(sum 7.1)"
        if token is not None and not said and self.starts(self.at) and (token.maths or token.kind in ("num", "op")):
            return Call(function, (self.expression(20),), self.span(first, self.at))
        written = symbols.written(text, self.span(first, self.at))
        if self.between_relations(first):  # ``out = softmax v = […]``
            return Op("*", written, self.postfix(), self.span(first, self.at))
        return written

    def is_address(self, function: str) -> bool:
        """Whether two whole numbers in square brackets follow a function of one number: ``exp[0,1]`` is a cell."""
        inside = self.items[self.at : self.pairs[self.at]]
        kinds = [token.kind for token in inside]
        whole = all(token.text.isdecimal() for token in inside if token.kind == "num")
        alone = function in ("exp", "ln", "sqrt", "sin", "cos") and not inside[0].gap
        return alone and inside[0].text == "[" and kinds == ["open", "num", "comma", "num"] and whole

    def between_relations(self, first: int) -> bool:
        """Whether two names are all that stands between one relation and the next."""
        if not 0 < first < self.end - 2 or self.items[first - 1].kind != "rel" or self.at != first + 1:
            return False
        return self.items[first + 1].kind == "name" and self.items[first + 2].kind == "rel"

    def skip_scripts(self, function: str | None) -> None:
        """Past what stands below a function (and above a sum): it says over what it runs."""
        signs = ("_", "^") if function in ("sum", "max", "min", "mean") else ("_",)
        while function and self.at + 1 < self.end:
            token = self.items[self.at]
            if token.kind != "op" or token.text not in signs:
                return
            self.at += 1
            if token.text == "_":
                self.script()
            else:
                self.at = self.pairs[self.at] + 1 if self.at in self.pairs else self.at + 1

    def method(self, node: Node, first: int) -> Node | None:
        """A method of an operand, if one follows: ``(Q @ K.T).softmax(-1)``."""
        return calls.method(self, node, first)

    def environment(self, token: Token, first: int) -> Node:
        if first not in self.pairs:
            raise self.fail()
        close = self.pairs[first]
        if token.text.rstrip("*") not in MATRICES:
            raise self.fail("not-parsed" if token.text not in ALIGNED else "aligned-inside")
        self.at = close + 1
        return matrices.environment(self, first, close)

    def command(self, token: Token, first: int) -> Node:
        self.at += 1
        if token.text in _FRACTIONS:
            top, bottom = self.argument(), self.argument()
            span = self.span(first, self.at)
            return _fraction(top, bottom, self.text(first, self.at), span) or Op("/", top, bottom, span)
        if token.text == "sqrt":
            root: Node | None = None
            opened = self.at
            if opened in self.pairs and self.items[opened].text == "[":
                root = self.whole(opened + 1, self.pairs[opened])
                self.at = self.pairs[opened] + 1
            inner = self.argument()
            span = self.span(first, self.at)
            one = Num("1", Fraction(1), Fraction(0), span)
            return Call("sqrt", (inner,), span) if root is None else Op("^", inner, Op("/", one, root, span), span)
        if token.text in braces.NAMES:
            return braces.under(self, self.argument(), first)
        if token.text == "sum":
            self.limits()
            return Call("sum", (self.expression(20),), self.span(first, self.at))
        if token.text in symbols.GREEK:
            return Sym(symbols.GREEK[token.text], (), self.span(first, self.at))
        if token.text in _ACCENTS:
            inner = self.argument()
            if isinstance(inner, Sym):
                return Sym(f"{token.text} {inner.name}", inner.index, self.span(first, self.at))
            return inner
        raise Unparsed("not-parsed", first)

    def limits(self) -> None:
        """Past the limits of a sum."""
        while self.at + 1 < self.end and self.items[self.at].kind == "op" and self.items[self.at].text in ("_", "^"):
            self.at += 1
            self.at = self.pairs[self.at] + 1 if self.at in self.pairs else self.at + 1

    def argument(self) -> Node:
        r"""The argument of a command: a group, or one digit or letter (``\frac13``)."""
        token = self.peek()
        if token is None:
            raise self.fail()
        first = self.at
        if token.kind == "open" and token.text == "{" and first in self.pairs:
            self.at = self.pairs[first] + 1
            return self.whole(first + 1, self.pairs[first])
        return self.postfix() if token.kind == "name" else self.primary()


def _fraction(top: Node, bottom: Node, text: str, span: Span) -> Num | None:
    """A printed fraction of two whole numbers without sign, percent or ellipsis; None for any other quotient."""
    if not isinstance(top, Num) or not isinstance(bottom, Num) or not bottom.value:
        return None
    if not (top.text.isdecimal() and bottom.text.isdecimal()):
        return None
    return Num(text, top.value / bottom.value, Fraction(0), span)
