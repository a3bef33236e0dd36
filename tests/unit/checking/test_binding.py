"""What a document's numbers are bound to: marks, and the rules about names, words and chains."""

from pathlib import Path

import pytest

import workings as w

HEAD = """# A head

Q = [[1, 0], [0, 1]]

K = [[1, 2], [3, 4]]

V = [[1, 0], [0, 1]]

"""
MARKDOWN = ("<!-- workings: {} -->", "a.md")
TEXT = ("# workings: {}", "a.txt")
LATEX = ("% workings: {}", "a.tex")


def said(folder: Path, text: str, name: str = "a.md") -> list[str]:
    """The claims on a text, each as its number, its address and its verdict."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    report = w.check(path)
    return [f"{claim.number.text} {claim.address} {claim.verdict.value}" for claim in report.claims]


@pytest.mark.parametrize(("mark", "name"), [MARKDOWN, TEXT])
def test_a_mark_binds_a_name_to_an_array(mark: str, name: str, tmp_path: Path) -> None:
    text = HEAD + mark.format("bind F = score") + "\n\nF = [[1, 3], [2, 5]]\n"
    assert said(tmp_path, text, name) == [
        *("1 score[0,0] exact", "3 score[0,1] exact", "2 score[1,0] exact", "5 score[1,1] wrong")
    ]


def test_without_a_mark_such_a_name_is_bound_to_nothing(tmp_path: Path) -> None:
    assert said(tmp_path, HEAD + "F = [[1, 3], [2, 5]]\n") == []


def test_a_matrix_is_no_row_that_has_its_numbers_in_a_line(tmp_path: Path) -> None:
    text = "X = [[1, 0], [1, 1]]\nW_Q = [[1, 0, 1, 0], [0, 1, 0, 1]]\nW_K = [[1, 1, 0, 1], [0, 1, 1, 0]]\n"
    assert said(tmp_path, text + "W_K = [[1, 1], [0, 1]]\n") == []


def test_a_mark_binds_rows_and_cells(tmp_path: Path) -> None:
    text = (
        HEAD + "<!-- workings: bind F = score[1] -->\n\nF = [2, 5]\n\n<!-- workings: bind g = score[1,1] -->\n\ng = 4\n"
    )
    assert said(tmp_path, text) == ["2 score[1,0] exact", "5 score[1,1] wrong", "4 score[1,1] exact"]


ROWS = "\n".join(f"| {word} | [{row}, 1] |" for row, word in enumerate(["the cat", "它", "it", 'a]b, "c"', "it"]))
WORDS = "\n\n".join(f"| token | {name} |\n|---|---|\n{ROWS}" for name in "QKV")
BY_WORD = {
    'score["the cat"]': ("[1, 1, 1, 1, 1]", ["0,0", "0,1", "0,2", "0,3", "0,4"]),
    'score["它", :]': ("[1, 2, 3, 4, 5]", ["1,0", "1,1", "1,2", "1,3", "1,4"]),
    'score[:,"它"]': ("[1, 2, 3, 4, 5]", ["0,1", "1,1", "2,1", "3,1", "4,1"]),
    'score["它", "it"#2]': ("5", ["1,4"]),
    r'score["a]b, \"c\"",-1]': ("13", ["3,4"]),
    'score["it"]': ("[1, 3, 5, 7, 9]", []),  # there are two, and which of them is not said
    'score["it"#3]': ("[1, 3, 5, 7, 9]", []),
    'score["nobody"]': ("[1, 1, 1, 1, 1]", []),
    "score[它]": ("[1, 2, 3, 4, 5]", []),
    'score["它': ("[1, 2, 3, 4, 5]", []),
}


@pytest.mark.parametrize(("mark", "name"), [MARKDOWN, TEXT])
@pytest.mark.parametrize("address", BY_WORD)
def test_a_mark_binds_rows_by_their_words(address: str, mark: str, name: str, tmp_path: Path) -> None:
    printed, cells = BY_WORD[address]
    text = f"{WORDS}\n\n{mark.format(f'bind F = {address}')}\n\nF = {printed}\n"
    assert [line.split()[1:] for line in said(tmp_path, text, name)] == [[f"score[{at}]", "exact"] for at in cells]


@pytest.mark.parametrize("address", ["score[7]", "score[0,9]", "nothing", "score[", "[1]", "score[-3]"])
def test_a_mark_that_binds_to_nothing_claims_nothing(address: str, tmp_path: Path) -> None:
    assert said(tmp_path, HEAD + f"<!-- workings: bind F = {address} -->\n\nF = [2, 5]\n") == []


@pytest.mark.parametrize(("mark", "name"), [MARKDOWN, TEXT])
def test_what_is_marked_as_no_claim_is_none(mark: str, name: str, tmp_path: Path) -> None:
    text = HEAD + mark.format("not-a-claim") + "\nQ Kᵀ = [[9, 3], [2, 5]]\n\nQ Kᵀ = [[1, 3], [2, 5]]\n"
    verdicts = [line.split()[-1] for line in said(tmp_path, text, name)]
    assert verdicts == ["not_a_claim"] * 4 + ["exact"] * 3 + ["wrong"]


@pytest.mark.parametrize(("mark", "name"), [MARKDOWN, TEXT])
def test_what_is_ignored_is_no_claim(mark: str, name: str, tmp_path: Path) -> None:
    inside = "\n\nQ Kᵀ = [[9, 3], [2, 5]]\n\nS = Q Kᵀ = [[9, 3], [2, 5]]\n\n"
    text = HEAD + mark.format("ignore") + inside + mark.format("end") + "\n\nQ Kᵀ = [[1, 3], [2, 4]]\n"
    verdicts = [line.split()[-1] for line in said(tmp_path, text, name)]
    assert verdicts == ["not_a_claim"] * 8 + ["exact"] * 4


def test_marks_in_latex_are_comments(tmp_path: Path) -> None:
    text = "\\[ Q = \\begin{pmatrix}1 & 0\\end{pmatrix}, K = \\begin{pmatrix}1 & 2\\end{pmatrix} \\]\n"
    text += LATEX[0].format("not-a-claim") + "\n\\[ 1 + 1 = 3 \\]\n\n\\[ 1 + 1 = 3 \\]\n"
    assert [line.split()[-1] for line in said(tmp_path, text, LATEX[1])] == ["not_a_claim", "wrong"]


@pytest.mark.parametrize("call", ["softmax()", "transpose()", "concat([1], [[1], [2]])", "max()", "layernorm()"])
def test_calls_that_work_nothing_out(call: str, tmp_path: Path) -> None:
    assert said(tmp_path, f"```\n{call} = [1, 2]\n```\n") == []


RULES = {
    "a layer norm is worked out where the document adds no epsilon": (
        "Layer norm, no epsilon:\n\n```\nz = [1, 3]\nlayer_norm_z = [-1.0, 1.1]\n```\n",
        ["-1.0 None exact", "1.1 None wrong"],
    ),
    "a line that begins with a relation goes on with the chain above": (
        "```\nf = sin(1)\n  = 0.842\n```\n",
        ["0.842 None wrong"],
    ),
    "parts that the next member of a chain has as numbers are claims": (
        "2 × (3 + 4) = 2 × 8 = 16\n",
        ["8 None wrong", "16 None follows"],
    ),
    "what a test asserts to be equal is an equality": (
        "```python\nassert_allclose(1 / 3 + 1 / 3, 0.67)\n```\n",
        ["0.67 None correctly_rounded"],
    ),
    "a column headed by a formula of what labels its rows": (
        "| Position | `sin(pos)` |\n|---|---|\n| 0 | 0.00 |\n| 1 | 0.85 |\n",
        ["0.00 None exact", "0.85 None wrong"],
    ),
    "a sum written row under row": (
        "```\n  x   1.5  2.5\n+ y   1.0  0.5\n--------------\n  z   2.5  3.5\n```\n",
        ["2.5 None exact", "3.5 None wrong"],
    ),
    "a fraction before a relation is a division": ("3 / 2 = 1.4\n", ["1.4 None wrong"]),
    "so is one cut short": ("2/3 = 0.66\n", ["0.66 None truncated"]),
    "in a sentence": ("So it gets 2/3 = 0.66 of it.\n", ["0.66 None truncated"]),
    "by another sign": ("2 ÷ 3 = 0.66\n", ["0.66 None truncated"]),
    "in one character": ("⅔ = 0.66\n", ["0.66 None truncated"]),
    "by a command": (
        "$2 \\div 3 = 0.66$, $\\cfrac{1}{3} = 0.33$\n",
        ["0.66 None truncated", "0.33 None correctly_rounded"],
    ),
    "as a percent": ("3/4 = 75%\n", ["75% None exact"]),
    "in a list": ("[1/3, 2/3] = [0.33, 0.66]\n", ["0.33 None correctly_rounded", "0.66 None truncated"]),
    "in brackets": (
        "That share (2/3 = 0.66) is cut, and（2 × 3 = 7）is wrong.\n",
        ["0.66 None truncated", "7 None wrong"],
    ),
    "commas that part thousands": (
        "1,000 × 3 = 3,000\n\n65,536 × 2 = 131,071\n",
        ["3,000 None exact", "131,071 None wrong"],
    ),
    "commas that may part anything claim nothing": (
        "2/3 = 0,66\n\n1,5 × 2 = 4\n\n0,5 + 1 × 2 + 4 = 7\n\n2 + 2 = 1 + 3,0\n\n2 × 3 + 0,5 = 7\n",
        [],
    ),
    "a number beyond all floats": (
        "Q = [[1, 0], [0, 1]]\n\nK = [[1, 2], [3, 4]]\n\nS = QK^T = [[1, 1e399], [-1e399, 4]]\n",
        ["1 score[0,0] exact", "1e399 score[0,1] wrong", "-1e399 score[1,0] wrong", "4 score[1,1] exact"],
    ),
    "fractions and dates alone claim nothing": ("Either 2/3 or 3/4, on 5/10/2024 or 2/3. A list: [1/3, 2/3].\n", []),
    "a name in another script is a factor": (
        "Q = [[1, 0], [0, 1]]\n\nK = [[0, 0], [0, 0]]\n\nV = [[1, 0], [0, 2]]\n\n"
        "Output = 权重 × V = [[0.5, 1.0], [0.5, 1.5]]\n",
        [
            *("0.5 head_output[0,0] exact", "1.0 head_output[0,1] exact"),
            *("0.5 head_output[1,0] exact", "1.5 head_output[1,1] wrong"),
        ],
    ),
    "σ without a value is the sigmoid": (
        "z = [0, 2.0]\n\ny = σ(z) = [0.5, 0.7]\n",
        ["0.5 None exact", "0.7 None wrong"],
    ),
    "a named step without an expression is the usual one": (
        "$$S = \\begin{pmatrix}1 + 1 & 0\\end{pmatrix} = \\begin{pmatrix}2 & 0\\end{pmatrix}$$\n\n"
        "$$A = \\begin{pmatrix}0.88 & 0.22\\end{pmatrix}$$\n",
        ["2 None exact", "0 None exact", "0.88 None correctly_rounded", "0.22 None wrong"],
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_rules(rule: str, tmp_path: Path) -> None:
    text, wanted = RULES[rule]
    assert said(tmp_path, text) == wanted


def test_a_matrix_of_that_shape_alone_is_bound_to_nothing(tmp_path: Path) -> None:
    assert said(tmp_path, HEAD + "Such a table could look like this:\n\n[[0.5, 0.5], [0.1, 0.9]]\n") == []


SEEDS = Path(__file__).parents[3].parent / "shared" / "seeds"
PUBLISHED = Path(__file__).parents[2] / "documents" / "published"
OURS = (PUBLISHED / "01.txt", PUBLISHED / "02.md")  # the same figures in our own words


@pytest.mark.parametrize("pair", [OURS, tuple(sorted(SEEDS.glob("*.txt"))) or OURS], ids=["ours", "seeds"])
def test_the_seeds(pair: tuple[Path, Path]) -> None:
    first, second = pair
    report = w.check(first)
    assert [f"{claim.address} {claim.number.text}" for claim in report.claims if claim.verdict.value == "wrong"] == [
        "Q[1,0] 1"
    ]
    assert report.counts["follows"] > 0
    wrong = [str(claim.address) for claim in w.check(second).claims if claim.verdict.value == "wrong"]
    assert wrong == [f"weight[{row},{column}]" for row in (0, 1) for column in (0, 1, 2)]


def test_a_stated_size_is_no_result_and_the_root_of_it_is_the_recipes(tmp_path: Path) -> None:
    stated = "Real models have d_k = 64; here d_k = 2.\n\n"
    softmax = "A = softmax(QK^T / sqrt(d_k)) = [[0.196, 0.804], [0.329, 0.671]]\n"
    assert said(tmp_path, stated + HEAD.replace("# A head", "") + softmax) == [
        *("0.196 weight[0,0] correctly_rounded", "0.804 weight[0,1] correctly_rounded"),
        *("0.329 weight[1,0] wrong", "0.671 weight[1,1] wrong"),
    ]


def test_a_share_in_html_is_told_by_its_sentence_and_not_by_the_table_before_it(tmp_path: Path) -> None:
    head = "<p>Tokens: tea, milk.</p>" + "".join(
        f"<h2>{name}</h2><table><tr><th>token</th><th>dim 1</th><th>dim 2</th></tr>"
        f"<tr><td>tea</td><td>{a}</td><td>{b}</td></tr><tr><td>milk</td><td>{c}</td><td>{d}</td></tr></table>"
        for name, a, b, c, d in (
            ("Query", 1, 0, 0, 1),
            ("Key", 1, 2, 3, 4),
            ("Value", 1, 0, 0, 1),
            ("Scaled scores", 0.71, 2.12, 1.41, 2.83),
            ("Attention weights", 0.196, 0.804, 0.196, 0.804),
        )
    )
    text = head + "<p>So &quot;milk&quot; pays 19.6% of its attention to &quot;tea&quot;, which is little.</p>"
    assert said(tmp_path, text, "a.html")[-1] == "19.6% None correctly_rounded"
    path = tmp_path / "b.html"
    path.write_text(text.replace("19.6%", "16.9%"), encoding="utf-8")
    assert "a number printed before" in w.check(path, lang="en").to_text()


BY_HAND = """The dot products are:

- $q \\cdot k_1 = 1 \\times 1 + 2 \\times 0 = 1$
- $q \\cdot k_2 = 1 \\times 0 + 2 \\times 1 = 2$

Dividing by $\\sqrt{2} \\approx 1.414$ gives 0.707 and 1.414.

Now exponentiate: $e^{0.707} \\approx 2.028$, $e^{1.414} \\approx 4.112$.

The sum is $2.028 + 4.112 = 6.140$.
"""


def test_a_sum_of_results_is_judged_as_it_stands_and_no_digit_of_a_number_is_a_word(tmp_path: Path) -> None:
    given = "Suppose $q = [1, 2]$, and keys $k_1 = [1, 0]$, $k_2 = [0, 1]$.\n\n"
    claims = said(tmp_path, given + BY_HAND)
    assert claims[-3:] == [
        "2.028 exp[0,0] correctly_rounded",
        "4.112 exp[0,1] consistent",
        "6.140 exp_sum[0] consistent",
    ]
    assert not [claim for claim in claims if "unsure" in claim or "wrong" in claim]


LISTS = (
    "Tokens: tea, milk.\n\n",
    "The words (tea, milk) have these vectors.\n\n",
    "每行一个词：tea、milk。\n\n",
)


@pytest.mark.parametrize("words", LISTS)
def test_words_that_a_sentence_lists_are_those_of_the_rows(words: str, tmp_path: Path) -> None:
    text = words + HEAD.replace("# A head", "") + "Scores:\n\nmilk: [2, 5]\n"
    assert said(tmp_path, text) == ["2 score[1,0] exact", "5 score[1,1] wrong"]


def test_a_softmax_of_written_numbers_is_judged_as_it_stands(tmp_path: Path) -> None:
    given = ("([2, 1]) = [0.731, 0.269]", "([1, 3]) = [0.119, 0.881]", "([0, 0]) = [0.6, 0.4]")
    text = "# Softmax\n\n" + "".join(f"softmax{item}\n\n" for item in given)
    assert [claim.rpartition(" ")[2] for claim in said(tmp_path, text)] == [*["correctly_rounded"] * 4, *["wrong"] * 2]


def test_columns_of_vectors_headed_q_k_v_are_inputs_and_a_column_may_be_headed_weight(tmp_path: Path) -> None:
    text = (
        "| token | q | k | v |\n|---|---|---|---|\n"
        "| tea | [1, 0] | [1, 2] | [1, 0] |\n| milk | [0, 1] | [3, 4] | [0, 1] |\n\n"
        "For **tea**, divided by √2:\n\n| key | score | weight |\n|---|---|---|\n"
        "| tea | 1 | 0.196 |\n| milk | 3 | 0.804 |\n"
    )
    assert said(tmp_path, text) == [
        *("1 score[0,0] exact", "0.196 weight[0,0] correctly_rounded"),
        *("3 score[0,1] exact", "0.804 weight[0,1] correctly_rounded"),
    ]


SPLIT = "X = [[1, 2, 3, 4], [5, 6, 7, 8]]\n\nW_Q = [[1], [0], [0], [0]]\n\nW_K = [[1], [0], [0], [0]]\n\n"
SLICES = {  # both ends belong to a subscript's slice; Python's brackets leave the last one out
    "$B = X_{:,1:2} = [[1, 2], [5, 9]]$": ["1 exact", "2 exact", "5 exact", "9 wrong"],
    "$B = X_{:,3:4} = [[3, 4], [7, 8]]$": ["3 exact", "4 exact", "7 exact", "8 exact"],
    "$B = X_{2,:} = (5, 6, 7, 9)$": ["5 exact", "6 exact", "7 exact", "9 wrong"],
    "```\nB = X[:, :2] = [[1, 2], [5, 6]]\n```": ["1 exact", "2 exact", "5 exact", "6 exact"],
    "```\nB = X[:, 2:4] = [[3, 4], [7, 9]]\n```": ["3 exact", "4 exact", "7 exact", "9 wrong"],
    "```\nB = X[:, -1:] = [[4], [9]]\n```": ["4 exact", "9 wrong"],
    "$B = X_{:,4:9} = [[1, 2], [5, 6]]$": [],  # there is no column 9
}


@pytest.mark.parametrize("text", SLICES)
def test_a_slice_names_its_rows_and_columns(text: str, tmp_path: Path) -> None:
    found = [" ".join((number, verdict)) for number, _, verdict in map(str.split, said(tmp_path, SPLIT + text + "\n"))]
    assert found == SLICES[text]


def test_an_equality_told_again_follows_the_first(tmp_path: Path) -> None:
    first, again = "$\\cos(1/100) = 0.9999$\n\n", "$\\cos(\\frac{1}{100}) = 0.9999$\n"
    assert said(tmp_path, first + again) == ["0.9999 None truncated", "0.9999 None consistent"]
    assert said(tmp_path, "$2 + 3 = 6$\n\n$3 + 2 = 6$\n\n$3 + 2 = 7$\n") == [
        *("6 None wrong", "6 None follows", "7 None wrong")
    ]


def test_two_equal_sums_of_one_matrix_are_two_numbers(tmp_path: Path) -> None:
    assert said(tmp_path, "$[[2 + 3, 3 + 2]] = [[6, 6]]$\n") == ["6 None wrong", "6 None wrong"]


def test_the_transpose_of_a_square_matrix_is_turned(tmp_path: Path) -> None:
    text = "Q = [[1, 2], [3, 0]], K = [[2, 1], [0, 3]]\n\nKᵀ = [[2, 0], [1, 4]]\n"
    assert said(tmp_path, text) == ["2 K[0,0] exact", "0 K[1,0] exact", "1 K[0,1] exact", "4 K[1,1] wrong"]


SCALED = [
    "S/sqrt(2) = [[2.12, 4.24], [4.24, 0.10]]",
    "Scaled by √2\n\n| 2.12 | 4.24 |\n|---|---|\n| 4.24 | 0.10 |",
    "Divide by √2:\n\n[[2.12, 4.24], [4.24, 0.10]]",
    "Divided by sqrt(2):\n\n| 2.12 | 4.24 |\n|---|---|\n| 4.24 | 0.10 |",
    "缩放（除以 √2）：\n\n| 2.12 | 4.24 |\n|---|---|\n| 4.24 | 0.10 |",
    "除以 √2：\n\n[[2.12, 4.24], [4.24, 0.10]]",
]


@pytest.mark.parametrize("text", SCALED)
def test_what_a_division_by_a_root_is_said_to_give_is_scaled(text: str, tmp_path: Path) -> None:
    head = "Q = [[1,2],[3,0]], K = [[2,1],[0,3]], V = [[1,1],[2,0]]\n\nS = [[4, 6], [6, 0]]\n\n"
    assert said(tmp_path, head + text + "\n")[4:] == [
        *("2.12 scaled[0,0] wrong", "4.24 scaled[0,1] correctly_rounded"),
        *("4.24 scaled[1,0] correctly_rounded", "0.10 scaled[1,1] wrong"),
    ]


SUBJECTS = [
    ("sun gives 80.4 % to moon, moon gives 98.6 % to sun.", [(0, 1), (1, 0)]),
    ("sun gives 80.4 % to moon and 19.6 % to itself, while moon gives 98.6 % to sun.", [(0, 1), (0, 0), (1, 0)]),
    ("sun gives 80.4 % to moon, moon gives 98.6 % to sun and 1.4 % to itself.", [(0, 1), (1, 0), (1, 1)]),
    ("sun 给 moon 80.4 %，moon 给 sun 98.6 %。", [(0, 1), (1, 0)]),
    ("sun looks 80.4 % at moon, and 19.6 % at sun.", [(0, 1), (0, 0)]),
]


@pytest.mark.parametrize(("text", "cells"), SUBJECTS)
def test_who_looks_is_said_anew_within_a_clause(text: str, cells: list[tuple[int, int]], tmp_path: Path) -> None:
    rows = "| sun | [1, 2] | [2, 1] | [1, 1] |\n| moon | [3, 0] | [0, 3] | [2, 0] |\n"
    found = said(tmp_path, f"| word | Q | K | V |\n|---|---|---|---|\n{rows}\n{text}\n")
    assert [line.split()[2] for line in found] == [f"weight[{row},{column}]" for row, column in cells]
