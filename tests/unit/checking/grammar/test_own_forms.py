"""Forms that our own documents have: counted columns, labels with places along axes, formulas and tables cut in two."""

import pytest

from tests.support.statements import said

TABLES = [
    (  # columns that are counted, under a corner that names both axes
        "| token \\ d_k | `0` | `1` |\n|---|---|---|\n| cat | 1 | 2 |\n| sat | 3 | 4 |",
        ["[1 2; 3 4 r=cat,sat c=0,1]"],
    ),
    ("| token \\ d_k | 0 |\n|---|---|\n| cat | 1 |\n| sat | 3 |", ["[1; 3 r=cat,sat c=0]"]),
    (  # a row of units belongs to the head
        "| token \\ d_v | 0 |\n|---|---|\n| | (degrees) |\n| cat | 1 |\n| sat | 3 |",
        ["[1; 3 r=cat,sat c=0]"],
    ),
    ("| a | 0 | 1 |\n|---|---|---|\n| cat | 1 | 2 |", ["(0 1 c=a,cat)", "(1 2 c=a,cat)"]),  # no axes: numbers
    (  # a wide table cut in two
        "W:\n\n| d \\ e | 0 | 1 |\n|---|---|---|\n| 0 | 1 | 2 |\n| 1 | 3 | 4 |\n\n"
        "W:\n\n| d \\ e | 2 |\n|---|---|\n| 0 | 5 |\n| 1 | 6 |",
        ["W: [1 2 5; 3 4 6 r=0,1 c=0,1,2]"],
    ),
]


@pytest.mark.parametrize(("source", "expected"), TABLES)
def test_tables_with_both_axes(source: str, expected: list[str]) -> None:
    assert said(source, "markdown") == expected


def test_a_table_of_plain_text() -> None:
    text = "Q:\n  token \\ d_k    0    1\n  cat          1.0  0.0  ← sleepy\n  the dog      0.9  0.1\n\nThat is all.\n"
    assert said(text) == ["Q: [1.0 0.0; 0.9 0.1 r=cat,the dog c=0,1]"]


def test_a_column_of_plain_text_under_a_colon() -> None:
    assert said("Z (exp_sum):\n  cat  4.86\n  sat  4.42\n") == ["Z (exp_sum): (4.86 4.42 c=cat,sat)"]
    assert said("Two lines.\n  cat  4.86\n  sat  4.42\n") != ["Two lines.: (4.86 4.42 c=cat,sat)"]


ROWS = r"""\begin{alignat*}{2}
&\text{cat, sat:}\quad & 1 \times 0.1 &= 0.1 \\
&\text{cat, d\_v=0:}\quad && 0.4 \times 10 + 0.6 \times 1 \\
&&& \quad {} + 0.1 \times ({-2}) \\
&&& \quad {} = 4 + 0.6 + ({-0.2}) = 4.4
\end{alignat*}"""


def test_labels_and_broken_rows_of_latex() -> None:
    assert said(ROWS, "latex") == [
        "cat, sat: {1 * 0.1} = 0.1",
        "cat, d_v=0: {{{0.4 * 10} + {0.6 * 1}} + {0.1 * -2}} = {{4 + 0.6} + -0.2} = 4.4",
    ]


def test_rows_of_a_latex_table() -> None:
    rows = r"token \textbackslash{} d\_k & 0 & 1 \tabularnewline \hline cat & $1$ & ${-\infty }$ \tabularnewline "
    table = rf"\begin{{tabular}}{{l|rr}} {rows} sat & $3\hphantom{{.5}}$ & $4$ \tabularnewline \end{{tabular}}"
    assert said(table, "latex") == ["[1 -oo; 3 4 r=cat,sat c=0,1]"]


MATHS = "<math><mrow><mn>1</mn><mo>÷</mo><msqrt><mn>2</mn></msqrt></mrow></math>"
IS = '<math><mo form="infix">≈</mo><mn>0.7071</mn></math>'


def test_formulas_side_by_side_are_one() -> None:
    assert said(f"<p>cat, sat: {MATHS} {IS}</p>", "html") == ["cat, sat: {1 / sqrt(2)} ≈ 0.7071"]
    assert said(f"<p>cat: {MATHS} and {IS}</p>", "html") == ["cat: {1 / sqrt(2)}", "and: ≈ 0.7071"]


def test_invisible_signs_of_mathml() -> None:
    call = "<math><mi>ln</mi><mo>&#x2061;</mo><mrow><mo>(</mo><mn>2</mn><mo>)</mo></mrow></math>"
    assert said(f"<p>{call} {IS}</p>", "html") == ["ln(2) ≈ 0.7071"]


def test_captions_and_contents_of_a_page() -> None:
    rows = "<tr><td>cat</td><td>0.25</td></tr><tr><td>sat</td><td>0.75</td></tr>"
    table = f"<table><caption>A (weight):</caption>{rows}</table>"
    assert said(f"<nav>Step 2: 0.5</nav>{table}", "html") == ["A (weight): (0.25 0.75 c=cat,sat)"]


LABELS = [
    ("cat, d_k=0: 2 × 3 = 6", ["cat, d_k=0: {2 * 3} = 6"]),
    ("T=1/2, tea: 2 × 3 = 6", ["T=1/2, tea: {2 * 3} = 6"]),
    ("fox#2, fox#1: 14.88 ÷ 19.74 ≈ 0.754", ["fox#2, fox#1: {14.88 / 19.74} ≈ 0.754"]),
    ("狐#2，狐#1：14.88 ÷ 19.74 ≈ 0.754", ["狐#2，狐#1: {14.88 / 19.74} ≈ 0.754"]),
    ("d_k=64: √d_k = 8", ["d_k = 64", "sqrt(d_k) = 8"]),  # a setting: no words beside it
]


@pytest.mark.parametrize(("source", "expected"), LABELS)
def test_labels_that_name_places(source: str, expected: list[str]) -> None:
    assert said(source) == expected


def test_a_bracket_that_begins_with_a_function_before_a_division() -> None:
    line = "a, b: (ln(3) × 0 + √2 × 1) ÷ √2 ≈ 1"
    assert said(line) == ["a, b: {{{ln(3) * 0} + {sqrt(2) * 1}} / sqrt(2)} ≈ 1"]


def test_a_list_in_escaped_brackets_may_hold_fractions() -> None:
    line = r"Input: \[1/3, 2\] (I am c). Then the key of c is \[1/7, 1.5×10⁻⁵\]."
    assert said(line, "markdown") == ["Input: (1/3 2)", "Then the key of c is: (1/7 1.5×10⁻⁵)"]


CUT = r"""\subsection{Step 1}
\noindent $A$ (\texttt{weight}):

\begin{tabular}{l|rr}
query \textbackslash{} key & a & b \\ \hline
a & $0.2$ & $0.3$ \\
b & $0.5$ & $0.1$ \\
\end{tabular}
%s
\begin{tabular}{l|r}
query \textbackslash{} key & c \\ \hline
a & $0.5$ \\
b & $0.4$ \\
\end{tabular}
"""


def test_a_table_cut_in_two_is_one() -> None:
    whole = ["A (weight): [0.2 0.3 0.5; 0.5 0.1 0.4 r=a,b c=a,b,c]"]
    assert said(CUT % "", "latex") == whole
    assert said(CUT % "\\noindent", "latex") == whole
    assert len(said(CUT % "Then $B$ (\\texttt{score}):", "latex")) == 2
    assert len(said(CUT % "\\subsection{Step 2}", "latex")) == 2


def test_an_address_is_a_name() -> None:
    assert said("In `H0.score` and `exp_sum[0]` the numbers are right.", "markdown") == []
    assert said("exp[0,1] = 2.5")[0] == "exp<0,1> = 2.5"


def test_a_fence_of_text_holds_no_comments() -> None:
    assert said("```text\nfox#2, a: 1 + 2 = 3\n```", "markdown") == ["fox#2, a: {1 + 2} = 3"]
