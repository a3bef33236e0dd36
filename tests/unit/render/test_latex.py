"""The LaTeX target: exact strings, and what is said in the first lines."""

from importlib import import_module
from pkgutil import iter_modules

import pytest

from tests.unit.render.sample import DOCUMENT, SampleWords, named
from workings import steps
from workings.explaining.tree import Document, Equation, Matrix, Paragraph, Token
from workings.render.latex import draw
from workings.render.latex_text import GLYPH, breakable, code, escaped, maths, measured, number, own
from workings.render.words import Words
from workings.render.written import Name, on_page
from workings.steps.inputs import GIVEN
from workings.steps.language import Add, Const, Div, Exp, Expr, Mul, Pow, Printed, Sqrt, Sum, Symbol
from workings.steps.step import Step

PART = r"""% To be put into a document with \input; needs the packages amsmath and ctex, and xelatex.

\section{Who?}

Tokens (3): 小猫, \textquotedblleft{}a\textbar{}\textasciigrave{}b\textquotedblright{} and """ + (
    r"""\textquotedblleft{}\textvisiblespace{}it\textquotedblright{}. 1. rows; 2 {*} \texttt{d\_k}.

\subsection{What is given}

\subsubsection{values}

\noindent \texttt{V}:\nopagebreak

\noindent\begin{tabular}{l|rrl}
token \textbackslash{} d\_v & 0 & 1 &  \tabularnewline
 & (who) & (what) &  \tabularnewline \hline
小猫 & $5.0\hphantom{5}$ & $1$ & $\leftarrow$ subject \tabularnewline
a\textbar{}\textasciigrave{}b & ${-0.25}$ & ${-\infty }$ & $\leftarrow$ {*}none{*} \tabularnewline
\textvisiblespace{}it & $1.2\times 10^{-5}$ & $1/3$ & $\leftarrow$ pronoun \tabularnewline
\end{tabular}
\begin{alignat*}{2}
& & S[i,j] &= \sum_{d} Q[i,d] \times K[j,d] \\
&\text{小猫:}\quad & 0.9 \times 1.0 + 0.1 \times ({-0.2}) &= 0.88
\end{alignat*}

\noindent $Z$ (\texttt{exp\_sum}):\nopagebreak

\noindent\begin{tabular}{l|r}
小猫 & $5.0$ \tabularnewline
a\textbar{}\textasciigrave{}b & $10\hphantom{.0}$ \tabularnewline
\end{tabular}

\noindent\begin{tabular}{lr}
what & here \tabularnewline \hline
heads & 2 \tabularnewline
layers & $10.5$ \tabularnewline
\end{tabular}
"""
)


def p(text: str) -> Printed:
    return Printed(text, None)


def drawn(*blocks: object, lang: str = "en", **style: bool) -> str:
    return draw(Document(named("T", "T"), blocks), Words(lang), **style)  # type: ignore[arg-type]


def test_a_part() -> None:
    assert draw(DOCUMENT, SampleWords("en")) == PART


def test_the_first_lines_say_what_is_needed() -> None:
    assert drawn().startswith(
        "% To be put into a document with \\input; needs the package amsmath; any engine will do.\n"
    )
    russian = drawn(Paragraph((Token("ёж"),)))
    assert "needs the package amsmath, and xelatex" in russian
    assert "\\providecommand\\workingsglyph" in russian
    assert drawn(standalone=True).startswith("% !TeX program = pdflatex\n")
    assert "\\usepackage[scheme=plain]{ctex}" in drawn(Paragraph((Token("猫"),)), standalone=True)
    assert "\\usepackage{ctex}" in drawn(Paragraph((Token("猫"),)), standalone=True, lang="zh")


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("\\input{/etc/passwd}", "\\textbackslash{}input\\{/etc/passwd\\}"),
        ("$x$ % # & _ ^ ~", "\\$x\\$ \\% \\# \\& \\_ \\textasciicircum{} \\textasciitilde{}"),
        ("[1em]*", "{[}1em{]}{*}"),
        ("--- ,, -", "-{}-{}- ,{}, -"),
        ("\u2068\u05d0\u2069", "$\\langle$U+05D0$\\rangle$"),
        ("⟨U+202E⟩", "$\\langle$U+202E$\\rangle$"),
        ("␛[31m", "$\\langle$ESC$\\rangle${[}31m"),
        ("é猫ё", "é猫\\workingsglyph{0451}"),
        ("1.2×10⁻⁵", "1.2$\\times$10$^{-5}$"),
    ],
)
def test_escaped(text: str, printed: str) -> None:
    assert escaped(text) == printed


def test_long_words_break_and_short_ones_do_not() -> None:
    assert breakable("sleeps") == "sleeps"
    assert "\\allowbreak{}" in breakable("x" * 40)
    assert "\\allowbreak{}" in code("L0.H0.head_output")
    assert measured("\u05d0") > measured("猫")


def test_own_words_have_their_symbols_drawn() -> None:
    assert own("divided by √d_k, e^0 = 1; don't") == "divided by $\\sqrt{d_k}$, $e^{0}$ = 1; don't"


EXPRESSIONS: list[tuple[Expr, str]] = [
    (Div(p("0.92"), Sqrt(p("2"))), "\\frac{0.92}{\\sqrt{2}}"),
    (Mul(p("2"), Div(p("1"), p("3"))), "2 \\times \\frac{1}{3}"),
    (Exp(p("−0.3")), "e^{{-0.3}}"),
    (Exp(Div(p("1"), p("3"))), "e^{1 \\div 3}"),
    (Pow(Div(p("1"), p("3")), Const(2)), "\\left(\\frac{1}{3}\\right)^{2}"),
    (Pow(Symbol("σ²₁", ("i",)), Const(2)), "{\\sigma ^{2}_1[i]}^{2}"),
    (Div(Sum("j", Symbol("E", ("i", "j"))), p("−4")), "\\frac{\\sum_{j} E[i,j]}{{-4}}"),
    (Add(p("0.5"), p("−0.2")), "0.5 + ({-0.2})"),
    (Mul(p("1.2×10⁻⁵"), p("2")), "(1.2\\times 10^{-5}) \\times 2"),
    (p("40.3 %"), "40.3\\,\\%"),
]


@pytest.mark.parametrize(("expression", "written"), EXPRESSIONS, ids=[written for _, written in EXPRESSIONS])
def test_expression(expression: Expr, written: str) -> None:
    assert maths(on_page(expression)) == written


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("S′[i,j]", "S'[i,j]"),
        ("W_Q[m,h·d_k+d]", "W_Q[m,h\\cdot d_k+d]"),
        ("H^(c//d_v)[i]", "H^{(c/\\!/d_v)}[i]"),
        ("token_id", "\\mathrm{token\\_id}"),
        ("%{x}", "\\text{\\%}\\text{\\{}x\\text{\\}}"),
    ],
)
def test_name(name: str, written: str) -> None:
    assert maths(Name(name)) == written


def test_rows_of_numbers() -> None:
    assert number("[−1.98, 1.2×10⁻⁵]") == "[{-1.98},\\allowbreak 1.2\\times 10^{-5}]"
    assert number("1.877×10⁻¹⁷ %") == "1.877\\times 10^{-17}\\,\\%"
    assert number("40.3 %") == "40.3\\,\\%"


def test_a_long_sum_is_broken_and_a_wide_quotient_is_a_line() -> None:
    terms = [Mul(p(f"0.{place}1234"), p(f"−1.{place}678")) for place in range(9)]
    text = drawn(Equation((), "x", None, (("=", Div(Add(*terms), p("9"))), ("≈", p("1")))))
    lines = text[text.index("\\begin{alignat*}") :].splitlines()
    assert len(lines) > 5
    assert max(map(len, lines)) < 130
    assert "\\frac" not in text
    assert text.count("(") == text.count(")")


def test_a_wide_matrix_is_set_smaller_and_then_in_parts() -> None:
    def wide(count: int) -> str:
        columns = tuple(Token(f"w{place}") for place in range(count))
        return drawn(Matrix("S", "score", ("query", "key"), (Token("a"),), columns, (("−0.1234",) * count,)))

    assert "\\small" not in wide(4)
    assert wide(9).count("\\begin{tabular}") == 1
    assert "tabcolsep" in wide(9)
    assert wide(40).count("\\begin{tabular}") > 1
    assert wide(40).count("0.1234") == 40


def test_a_long_matrix_is_set_in_parts() -> None:
    rows = tuple(Token(f"w{place}") for place in range(100))
    text = drawn(Matrix("Z", "sum", ("query", ""), rows, (), (("1",),) * 100))
    assert text.count("\\begin{tabular}") == 3


def test_every_declared_symbol_is_set_by_every_engine() -> None:
    """A character that is not known to LaTeX is drawn as a box with its number."""
    declared = [_steps(module.name) for module in iter_modules(steps.__path__, "workings.steps.")]
    symbols = {given.symbol for given in GIVEN.values()} | {step.symbol for group in declared for step in group}
    assert {"γ_H", "κ cos θ", "η"} <= symbols
    assert {symbol for symbol in symbols if GLYPH in maths(Name(symbol))} == set()
    assert GLYPH in maths(Name("ж"))


def _steps(module: str) -> list[Step]:
    """The steps that a file declares."""
    return [one for one in vars(import_module(module)).values() if isinstance(one, Step)]
