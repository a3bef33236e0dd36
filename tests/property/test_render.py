"""Whatever a user writes: nothing escapes its place, every target shows the same numbers, every line reads back."""

import json as standard
import re
import unicodedata
from fractions import Fraction
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token as Parsed
from mpmath import mp, mpf  # type: ignore[import-untyped]

from tests.support.calculator import evaluate
from workings.explaining.tree import (
    Code,
    Document,
    Equation,
    Heading,
    Items,
    Matrix,
    Named,
    Paragraph,
    Table,
    Text,
    Token,
)
from workings.render import json, markdown, text
from workings.render.inert import END_ISOLATE, ISOLATE, display_width, inert
from workings.render.maths import draw_expression
from workings.render.words import LANGUAGES, Words
from workings.steps.language import (
    Add,
    Const,
    Cos,
    Div,
    Erf,
    Exp,
    Expr,
    Larger,
    Log,
    Mul,
    Pi,
    Pow,
    Printed,
    Sigmoid,
    Sin,
    Sqrt,
    Sub,
    Tanh,
)
from workings.terms.digits import show
from workings.terms.numbers import Rational

NASTY = (
    "`|\\<>&*_[]()!#~$@:/.-+= \n\r\t\0\x1b\x7f\x9b\u00a0\u200b\u200d\u202e\u2066\u2069\ufeff\u0301\ud800אع٣…×√←小猫１"
)
WORD = st.one_of(
    st.text(max_size=8),
    st.text(NASTY, max_size=8),
    st.sampled_from(
        [
            "[x](javascript:1)",
            "![](http://evil/x)",
            "\\|",
            "<details>",
            "    four",
            "---",
            "www.evil.example",
            "a@b.example",
        ]
    ),
)
NUMBERS = re.compile(r"[−-]?\d+(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?")
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
LANG = st.sampled_from(LANGUAGES)


def document(words: list[str]) -> Document:
    """A document of every kind of block, with a user's words wherever they can stand."""
    tokens = tuple(map(Token, words))
    names = tuple(Named({"en": word, "zh": word}) for word in words)
    cells = tuple(tuple(f"{i}.{j}" for j in range(len(words))) for i in range(len(words)))
    line = Equation(tokens, "score[0,0]", None, (("=", Add(Printed("1", None), Printed("−2", None))),))
    return Document(
        names[0],
        (
            Heading(2, names[0]),
            Paragraph((names[0], Text("setting.tokens", {"n": len(words), "tokens": Items(tokens)}))),
            Matrix("S", "score", ("query", "key"), tokens, tokens, cells, names, names),
            line,
            line,
            Table((names[0], Code(words[0])), ((tokens[0], 7),)),
        ),
    )


WORDS = st.lists(WORD, min_size=1, max_size=3)


@given(WORDS, LANG)
def test_text_has_no_control_characters(words: list[str], lang: str) -> None:
    drawn = text.draw(document(words), Words(lang))
    hidden = {c for c in drawn if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp")}
    assert hidden <= {"\n", ISOLATE, END_ISOLATE}
    assert drawn.count(ISOLATE) == drawn.count(END_ISOLATE)
    drawn.encode()


@given(WORDS, LANG)
def test_text_columns_stand_below_each_other(words: list[str], lang: str) -> None:
    lines = text.draw(document(words), Words(lang)).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("S") and "score" in line) + 3
    ends = {
        display_width(line[: line.rindex(" ← ")])
        for line in lines[start : start + len(words)]
        if line.count(" ← ") == 1
    }
    assert len(ends) <= 1


@given(WORDS, LANG)
def test_text_and_markdown_show_the_same_numbers(words: list[str], lang: str) -> None:
    tree, spoken = document(words), Words(lang)
    drawn = [target.draw(tree, spoken).replace("\\", "") for target in (text, markdown)]  # Markdown escapes with it
    assert NUMBERS.findall(drawn[0]) == NUMBERS.findall(drawn[1])


def _all(tokens: list[Parsed]) -> list[Parsed]:
    return [inner for token in tokens for inner in (token, *_all(token.children or []))]


@given(WORDS, LANG)
def test_markdown_stays_what_it_is(words: list[str], lang: str) -> None:
    parsed = _all(MARKDOWN.parse(markdown.draw(document(words), Words(lang))))
    kinds = {token.type for token in parsed}
    assert not any(
        kind.startswith(("html", "link", "image", "em", "strong", "s_", "hr", "list", "bullet", "ordered"))
        for kind in kinds
    )
    assert not kinds & {"blockquote_open", "code_block"}
    assert [token.tag for token in parsed if token.type == "heading_open"] == ["h1", "h2"]
    size = len(words)
    assert sum(token.type == "table_open" for token in parsed) == 2
    assert sum(token.type in ("th_open", "td_open") for token in parsed) == (size + 2) * (size + 2) + 4
    (code,) = (token for token in parsed if token.type == "fence")
    assert code.content.count("\n") == 2
    spans = [token.content for token in parsed if token.type == "code_inline"]
    for word in words:
        shown = inert(word)
        assert shown in spans or shown.replace("\\|", "\\∣") in spans or "\\|" in shown


@given(WORD)
def test_inert_text_stays_as_it_is(word: str) -> None:
    drawn = inert(word)
    once = drawn.removeprefix(ISOLATE).removesuffix(END_ISOLATE)
    assert ISOLATE not in once
    assert inert(once) in (once, drawn)
    assert "\n" not in drawn
    assert drawn


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | WORD,
        lambda inner: st.lists(inner) | st.dictionaries(WORD, inner),
        max_leaves=8,
    )
)
def test_json_reads_back(value: Any) -> None:
    drawn = json.draw({"value": value})
    drawn.encode()
    assert standard.loads(drawn) == {"value": value}
    assert {c for c in drawn if unicodedata.category(c) == "Cc"} <= {"\n"}


# --- expressions ---


def _printed(value: Any) -> Printed:
    shown = show(Rational(value))
    return Printed(shown.text, shown.value)


LEAF: st.SearchStrategy[Expr] = st.one_of(
    st.fractions(min_value=-9, max_value=9, max_denominator=1000).map(_printed),
    st.fractions(min_value=-1, max_value=1).map(lambda x: _printed(x / 10**7)),
    st.fractions(min_value=-5, max_value=5, max_denominator=9).map(Const),
    st.just(Pi()),
)


def _grown(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    unary = [st.builds(kind, inner) for kind in (Exp, Log, Sqrt, Tanh, Erf, Sin, Cos, Sigmoid)]
    binary = [st.builds(kind, inner, inner) for kind in (Sub, Mul, Div)]
    several = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        *unary,
        *binary,
        st.builds(Pow, inner, st.sampled_from([Const(2), Const(3), Const(-1)])),
        several.map(lambda terms: Add(*terms)),
        several.map(lambda terms: Larger(*terms)),
    )


ONE = {Exp: lambda x: mp.e**x, Log: mp.log, Sqrt: mp.sqrt, Tanh: mp.tanh, Erf: mp.erf, Sin: mp.sin, Cos: mp.cos}


def value_of(node: Any) -> Any:
    """The value of an expression, worked from its tree; examples with values beyond all reason are passed over."""
    value = _value_of(node)
    assume(abs(value) < 10**6)
    return value


def _value_of(node: Any) -> Any:
    match node:
        case Printed() | Const():
            value = Fraction(node.value or 0)
            read, true = evaluate(draw_expression(node)), mpf(value.numerator) / value.denominator
            assert abs(read - true) <= mpf(10) ** -48 * abs(true)  # read and true are rounded at 50 digits
            return read
        case Pi():
            return +mp.pi
        case Add():
            return sum((value_of(term) for term in node.terms[1:]), value_of(node.terms[0]))
        case Larger():
            return max(map(value_of, node.terms))
        case Sub():
            return value_of(node.left) - value_of(node.right)
        case Mul():
            return value_of(node.left) * value_of(node.right)
        case Div():
            return value_of(node.left) / value_of(node.right)
        case Pow():
            return value_of(node.base) ** value_of(node.exponent)
        case Sigmoid():
            return 1 / (1 + mp.exp(-value_of(node.arg)))
        case _:
            return ONE[type(node)](value_of(node.arg))


@given(st.recursive(LEAF, _grown, max_leaves=8))
def test_a_line_reads_back(expression: Expr) -> None:
    with mp.workdps(50):
        try:
            expected = value_of(expression)
        except (ZeroDivisionError, TypeError, OverflowError):
            assume(False)
        # Where the line has the tree's structure, the same operations are done in the same order.
        assert evaluate(draw_expression(expression)) == expected
