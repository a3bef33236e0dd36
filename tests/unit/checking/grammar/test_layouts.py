"""Every layout in which published examples print matrices, lists and tables, and how names are written."""

import pytest

from tests.support.statements import said

LATEX = [
    (r"$A=\left[\begin{array}{cc}1&0\\0&1\end{array}\right]$", "A = [1 0; 0 1]"),
    (r"$A=\begin{pmatrix}1.0&2\\3&4\\\end{pmatrix}$", "A = [1.0 2; 3 4]"),
    (r"$A=\begin{bmatrix}1&0\\\\0&1\\\\\end{bmatrix}$", "A = [1 0; 0 1]"),
    (r"$A=\begin{bmatrix}1\,&\;0\\ \frac13&-\infty\end{bmatrix}$", r"A = [1 0; \frac13 -oo]"),
    (r"\[A=\begin{bmatrix}" + "\n1 & 0 \\\\\n0 & 1\n" + r"\end{bmatrix}\]", "A = [1 0; 0 1]"),
    (r"$\boxed{\begin{bmatrix}0.5\\0.5\end{bmatrix}}$", "[0.5; 0.5]"),
    (
        r"$X=\left[\begin{array}{c}1\\2\end{array}\right]"
        r"\begin{array}{c}\leftarrow \text{cat}\\ \leftarrow \text{dog}\end{array}$",
        "X = [1; 2 r=cat,dog]",
    ),
    (
        r"$X=\begin{bmatrix}1\\2\end{bmatrix}\begin{matrix}\leftarrow\text{cat}\\ \leftarrow\text{dog}\end{matrix}$",
        "X = [1; 2 r=cat,dog]",
    ),
    (r"$S\xrightarrow{\text{softmax}}[0.1, 0.9]$", "S → (0.1 0.9)"),
    (
        r"$\begin{pmatrix}1&2\end{pmatrix}\begin{pmatrix}3\\4\end{pmatrix}=11$",
        "{[1 2] * [3; 4]} = 11",
    ),
    (r"$A=B=[1, 2]=C$", "A = B = (1 2) = C"),
    (
        r"$c=\begin{bmatrix}(1*1)+(0*0) & 3.0 \times 10^{-5}\end{bmatrix}$",
        r"c = [{{1 * 1} + {0 * 0}} 3.0 \times 10^{-5}]",
    ),
    (r"$v = (0.67,\;0.33)$", "v = (0.67 0.33)"),
    (r"$\begin{bmatrix}1&\ldots&3\end{bmatrix}$", r"!ellipsis-matrix \begin{bmatrix}1&\ldots&3\end{bmatrix}"),
    (r"$\begin{bmatrix}1&2\\3\end{bmatrix}$", r"!ragged \begin{bmatrix}1&2\\3\end{bmatrix}"),
]


@pytest.mark.parametrize(("source", "expected"), LATEX)
def test_latex_matrices(source: str, expected: str) -> None:
    assert said(source) == [expected]


NAMES = [
    (r"$W_Q^{(1)}=1.5$", "W_Q<^1> = 1.5"),
    (r"$W^{(1)}_Q=1.5$", "W_Q<^1> = 1.5"),
    (r"$W^Q=1.5$", "W_Q = 1.5"),
    ("Wq = 1.5", "W_Q = 1.5"),
    (r"$S^{02}=1.5$", "S<^02> = 1.5"),
    (r"$A^{0j}=1.5$", "A<^0j> = 1.5"),
    (r"$Q_{\text{ship}}\cdot K_{猫}=1.5$", "{Q<ship> * K<猫>} = 1.5"),
    (r"$S_{1,2}=1.5$", "S<1,2> = 1.5"),
    ("Q₂₁ = 1.5", "Q<21> = 1.5"),
    ("Q₁·K₂ᵀ = 1.5", "{Q<1> * transpose(K<2>)} = 1.5"),
    ("q1 . k1 = 1.5", "{q<1> * k<1>} = 1.5"),
    (r"$QK^\top=QK^{T}=1.5$", "{Q * transpose(K)} = {Q * transpose(K)} = 1.5"),
    ("QKᵀ / √d_k = 1.5", "{{Q * transpose(K)} / sqrt(d_k)} = 1.5"),
    (r"$\text{Scores}=1.5$", "Scores = 1.5"),
    (r"$d_{model}=512$", "d_model = 512"),
    (r"$z'_0=1.5$", "z'<0> = 1.5"),
    ("Q[0] = 1.5", "Q<0> = 1.5"),
    ("PE(1, 0) = sin(1) = 0.841", "PE(1, 0) = sin(1) = 0.841"),
    (
        r"$\mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)V=[1.5]$",
        "{softmax({{Q * transpose(K)} / sqrt(d_k)}) * V} = (1.5)",
    ),
    ("softmax(q @ k.T / np.sqrt(2)) = 0.5", "softmax({{q * transpose(k)} / sqrt(2)}) = 0.5"),
]


@pytest.mark.parametrize(("source", "expected"), NAMES)
def test_names(source: str, expected: str) -> None:
    assert said(source) == [expected]


BLOCKS = [
    ("Q =\n[ 0.1 0.9\n  0.5 -0.5 ]", ["Q: [0.1 0.9; 0.5 -0.5]"]),
    ("[0.1 0.9]\n[0.5 0.5]", ["[0.1 0.9; 0.5 0.5]"]),
    ("A = [1.0, 0.5]\n    [0.5, 1.0]", ["A = [1.0 0.5; 0.5 1.0]"]),
    ("A = [[1., 2.],\n [3.5, -4.]]", ["A = [1. 2.; 3.5 -4.]"]),
    ("[[ 1.  -2.]\n [ 3.5  4. ]]", ["[1. -2.; 3.5 4.]"]),
    ("tensor([[[6.3379e-02, 4.6831e-01],\n         [0.5, 0.25]]])", ["[6.3379e-02 4.6831e-01; 0.5 0.25]"]),
    ("w = np.array([[0.5, 0.25],\n              [1, 0]])", ["w = [0.5 0.25; 1 0]"]),
    (
        "Q = [[1, 0],    K = [[1, 1],   V = [[5, 0],\n     [0, 1]]         [0, 2]]        [0, 6]]",
        ["Q = [1 0; 0 1]", "K = [1 1; 0 2]", "V = [5 0; 0 6]"],
    ),
    (
        "Q = [1, 1], K = [1, 0], V = [2, 3]\n    [0, 1]      [0, 1]      [4, 5]",
        ["Q = [1 1; 0 1]", "K = [1 0; 0 1]", "V = [2 3; 4 5]"],
    ),
    (
        "    ┌ 1.0 0.5 ┐      ┌ 2 3 ┐\nK = │ 0.2 -0.7 │  V = │ 4 5 │\n    └ 0.3 0.1 ┘      └ 6 7 ┘",
        ["┌ 1.0 0.5 ┐ ┌ 2 3 ┐: K = [1.0 0.5; 0.2 -0.7; 0.3 0.1]", "V = [2 3; 4 5; 6 7]"],
    ),
    ("K = ┌         ┐\n    │ 1.0 0.5 │\n    │ 0.2 0.7 │\n    └         ┘", ["K = [1.0 0.5; 0.2 0.7]"]),
    ("K = ⎡1.0 0.5⎤\n    ⎣0.2 0.7⎦", ["K = [1.0 0.5; 0.2 0.7]"]),
    ("row = 0.7 * (10, 20) + 0.3 * (30, 40)", ["row = {{0.7 * (10 20)} + {0.3 * (30 40)}}"]),
    ("[[1/1.414, 0], [0, 1/1.414]] = S", ["[{1 / 1.414} 0; 0 {1 / 1.414}] = S"]),
    ("[0.22/1.41=0.16, 0.3/1.41=0.21]", ["{0.22 / 1.41} = 0.16", "{0.3 / 1.41} = 0.21", "(0.16 0.21)"]),
    ("Out = [6.7+9.9, 13.4+13.2]", ["Out = ({6.7 + 9.9} {13.4 + 13.2})"]),
    ("V: [[ 2,20], [ 3,30]]", ["V := [2 20; 3 30]"]),
]


@pytest.mark.parametrize(("source", "expected"), BLOCKS)
def test_blocks_of_text(source: str, expected: list[str]) -> None:
    assert said(source) == expected


CODE = [
    ("Q = [[1, 0],  # first\n     [0, 1]]  # second", "a.py", ["Q = [1 0; 0 1]"]),
    (
        "float w[] = {0.1f, 0.2f};\n// q·k = 0.5*1 + 0.5*0 = 0.5",
        "a.cpp",
        ["float w[]: = (0.1 0.2)", "{q * k} = {{0.5 * 1} + {0.5 * 0}} = 0.5"],
    ),
    ("// MASKED -> -∞", "a.cu", ["MASKED → -oo"]),
    (
        'const s = "Q = [1, 0]\\nScale by sqrt(2)=1.414 -> [0.707, 0]";',
        "a.js",
        ['const s = ": Q = (1 0)', "Scale by: sqrt(2) = 1.414 → (0.707 0)"],
    ),
    ('s = r"\\\\begin{bmatrix}1 & 0\\\\\\\\0 & 1\\\\end{bmatrix}"', "a.py", ['s = r": [1 0; 0 1]']),
]


@pytest.mark.parametrize(("source", "name", "expected"), CODE)
def test_code(source: str, name: str, expected: list[str]) -> None:
    assert said(source, name=name) == expected


TABLES = [
    ("| | |\n|---|---|\n| 3 | 2 |\n| 1 | 0 |", ["[3 2; 1 0 c=,]"]),
    (
        "|  | I | drink |\n|---|---|---|\n| je | 0.7 | 0.3 |\n| bois | 0.2 | 0.8 |",
        ["[0.7 0.3; 0.2 0.8 r=je,bois c=I,drink]"],
    ),
    (
        "| query \\\\ key | I | drink |\n|---|---|---|\n| je | 0.7 | 0.3 |\n| bois | 0.2 | 0.8 |",
        ["[0.7 0.3; 0.2 0.8 r=je,bois c=I,drink]"],
    ),
    ("|  | v1 | v2 |\n|---|---|---|\n| je | 1 | 2 |\n| bois | 3 | 4 |", ["[1 2; 3 4 r=je,bois c=v1,v2]"]),
    (
        "| t | $Q$ |\n|---|---|\n| cat | $[1.0, 0.5]$ |\n| dog | $[0.0, 2.0]$ ← hm |",
        ["Q: Q := [1.0 0.5; 0.0 2.0 r=cat,dog]"],
    ),
    (
        "| t | scaled | weight |\n|---|---|---|\n| cat | 1.0 | 0.10 |\n| dog | **2.0** | 0.90 |",
        ["scaled: (1.0 2.0 c=cat,dog)", "weight: (0.10 0.90 c=cat,dog)"],
    ),
    ("| t | cat | dog |\n|---|---|---|\n| weight | 40.3% | 59.7% |", ["weight: (40.3% 59.7% c=cat,dog)"]),
    (
        "| | cat | dog |\n|---|---|---|\n| cat | 0.4 | 0.6 |\n| dog | 0.3 | 0.7 |",
        ["[0.4 0.6; 0.3 0.7 r=cat,dog c=cat,dog]"],
    ),
    (
        "| | cat | fox |\n|---|---|---|\n| score | 1.25 | 0.75 |\n| weight | 62% | 38% |",
        ["score: (1.25 0.75 c=cat,fox)", "weight: (62% 38% c=cat,fox)"],
    ),
    ("| p | f |\n|---|---|\n| A | e^1.0 / (e^1.0 + e^0) = 0.731 |", ["A f: {exp(1.0) / {exp(1.0) + exp(0)}} = 0.731"]),
    (
        "| pos | s | c |\n|---|---|---|\n| 0 | 0.0 | 1.0 |\n| 1 (am) | 0.841 | 0.540 |",
        ["s: (0.0 0.841 c=0,1 (am))", "c: (1.0 0.540 c=0,1 (am))"],
    ),
    (
        "| what | is | |\n|---|---|---|\n| old $V_{it}$ | [1, 1] | words |\n| new | [4.39, 2.76] | |",
        ["old V_it: V<it> := (1 1)", "new: (4.39 2.76)"],
    ),
]


@pytest.mark.parametrize(("source", "expected"), TABLES)
def test_tables(source: str, expected: list[str]) -> None:
    assert said(source, "markdown") == expected


def test_html_table_and_breaks() -> None:
    page = (
        "<table><tr><th>词</th><th>权重</th></tr><tr><td>我</td><td>0.25</td></tr><tr><td>你</td><td>0.75</td></tr></table>"
        '<p class="mono">e^0.5 ≈ 1.649<br>1.649 ÷ 2.649\u3000→\u30000.62</p>'
    )
    assert said(page, "html") == ["权重: (0.25 0.75 c=我,你)", "exp(0.5) ≈ 1.649", "{1.649 / 2.649} → 0.62"]


def test_aligned_rows_go_on() -> None:
    rows = "\\begin{aligned} s_1 &= 0.5\\cdot2 + 1 \\\\\n &= 1 + 1 \\\\\n &= 2 \\\\ t &\\approx 0.3 \\end{aligned}"
    expected = ["s<1> = {{0.5 * 2} + 1} = {1 + 1} = 2", "t ≈ 0.3"]
    assert said(f"$${rows}$$") == expected
    assert (
        said("$" + rows.replace("{aligned}", "{array}").replace("\\begin{array}", "\\begin{array}{rl}") + "$")
        == expected
    )


def test_several_statements_of_a_display() -> None:
    assert said(r"\[ Q=[1, 0],\; K=[0, 1] \quad V=[2, 3] \]") == ["Q = (1 0)", "K = (0 1)", "V = (2 3)"]


BARE = [
    ("0.5 0.5 -1\n0.1 0.9 2", ["[0.5 0.5 -1; 0.1 0.9 2]"]),
    ("| 0.5 0.5 |\n| 0.1 0.9 |", ["[0.5 0.5; 0.1 0.9]"]),
    ("    x     1.8   -0.3\n  + a     1.36   0.91", ["x: (1.8 -0.3)", "a: (1.36 0.91)"]),
    ("scores: 0.92, 0.19, 0.75", ["scores: (0.92 0.19 0.75)"]),
    ("权重：40.3%、24.0%", ["权重: (40.3% 24.0%)"]),
    ("tensor({ 1.0f,0.0f, 0.0f,1.0f }, {1, 2, 2})", ["[1.0 0.0; 0.0 1.0]"]),
    ("//  [ [ 0.7071, MASKED → -∞ ],\n//    [ 0,      0.7071 ] ]", ["MASKED → -oo", "[0.7071 -oo; 0 0.7071]"]),
    ("a range of 0.1-0.2 here", ["!range 0.1-0.2"]),
]


@pytest.mark.parametrize(("source", "expected"), BARE)
def test_rows_without_brackets_and_in_comments(source: str, expected: list[str]) -> None:
    assert said(source) == expected


def test_box_around_a_chain() -> None:
    assert said(r"\[\boxed{ O = AV \approx \begin{bmatrix}1.5\end{bmatrix} }\]") == ["O = {A * V} ≈ [1.5]"]
    assert said(r"$z_i = \frac{e^{z_i}}{\sum_{j=1}^{n} e^{z_j}}$") == ["z<i> = {exp(z<i>) / sum(exp(z<j>))}"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("O = A V = [1, 2]", ["O = {A * V} = (1 2)"]),
        ("Q = X W_Q = [1, 2] and K = X W_K = [3, 4]", ["Q = {X * W_Q} = (1 2)", "and: K = {X * W_K} = (3 4)"]),
        ("so q = I am = [1, 2]", ["so q = I: am = (1 2)"]),
    ],
)
def test_names_between_two_relations_are_a_product(source: str, expected: list[str]) -> None:
    assert said(source, "text") == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("    | 1 0 |\nQ = | 0 1 |\n    | 1 1 |", "Q = [1 0; 0 1; 1 1]"),
        ("    | 1 0 |      | 1  2 |\nQ = | 0 1 |, K =| 3 -4 |", "Q = [1 0; 0 1] | K = [1 2; 3 -4]"),
        ("S:\n| 1 0 |\n| 0 1 |", "[1 0; 0 1]"),
        ("| 1 | 2 |\n| 3 | 4 |", "!bare-integer 1 | !bare-integer 2 | !bare-integer 3 | !bare-integer 4"),
        ("the norm |3|", "!bare-integer 3"),
    ],
)
def test_upright_bars_around_rows(source: str, expected: str) -> None:
    found = [item.rpartition(":")[2].strip() for item in said(source)]
    assert found == [part.strip() for part in expected.split("|")]
