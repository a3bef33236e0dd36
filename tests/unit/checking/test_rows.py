"""Which row of which step a labelled line is, and what brackets and later words say of a matrix."""

import pytest

from workings.checking.check import check
from workings.checking.claims import Report
from workings.checking.grammar import statements
from workings.checking.reading import paper_from_text
from workings.checking.vocabulary import array_of_words

GIVEN = "Q = [[1,2],[3,0]], K = [[2,1],[0,3]], V = [[1,1],[2,0]]\n\n"
ZEROS = "Q = [[0, 0], [2, 3]], K = [[1, 3], [3, 3]], V = [[3, 2], [3, 1]]\n\n"


def judged(text: str, name: str = "a.md") -> Report:
    paper = paper_from_text(text, name=name)
    return check(paper, statements(paper))


def said(text: str, name: str = "a.md") -> list[str]:
    """The claims on a text, each as its number, its address and its verdict."""
    return [f"{claim.number.text} {claim.address} {claim.verdict.value}" for claim in judged(text, name).claims]


def rows(lead: str, first: str, second: str, words: tuple[str, str] = ("cat", "dog")) -> str:
    return f"{lead}:\n- {words[0]}: [{first}]\n- {words[1]}: [{second}]\n\n"


def test_a_row_under_a_lead_is_that_steps_though_an_input_has_its_numbers() -> None:
    text = ZEROS + rows("Scaled scores (divided by √2)", "0.000, 0.000", "7.778, 10.607")
    text += rows("Softmax", "0.500, 0.500", "0.056, 0.944") + rows("Output", "3.000, 1.500", "3.000, 1.056")
    assert said(text) == [
        *("0.000 scaled[0,0] exact", "0.000 scaled[0,1] exact"),
        *("7.778 scaled[1,0] correctly_rounded", "10.607 scaled[1,1] correctly_rounded"),
        *("0.500 weight[0,0] exact", "0.500 weight[0,1] exact"),
        *("0.056 weight[1,0] correctly_rounded", "0.944 weight[1,1] correctly_rounded"),
        *("3.000 output[0,0] exact", "1.500 output[0,1] exact"),
        *("3.000 output[1,0] exact", "1.056 output[1,1] correctly_rounded"),
    ]


@pytest.mark.parametrize(
    "words", [("cat", "dog"), ("猫", "狗"), ("row 1", "row 2"), ("Row 0", "Row 1"), ("t_a", "t_b")]
)
def test_words_told_nowhere_else_label_rows_in_their_order(words: tuple[str, str]) -> None:
    text = GIVEN + "Scores are divided by √2.\n\n" + rows("Weights", "0.196, 0.999", "0.986, 0.014", words)
    assert said(text) == [
        *("0.196 weight[0,0] correctly_rounded", "0.999 weight[0,1] wrong"),
        *("0.986 weight[1,0] correctly_rounded", "0.014 weight[1,1] correctly_rounded"),
    ]


def test_rows_whose_numbers_contradict_their_order_are_unsure() -> None:
    text = GIVEN + "Scores are divided by √2.\n\n" + rows("Weights", "0.986, 0.014", "0.196, 0.804")
    assert [claim.rpartition(" ")[2] for claim in said(text)] == ["unsure"] * 4
    told = "Tokens: cat, dog.\n\n" + text
    assert [claim.rpartition(" ")[2] for claim in said(told)] == ["wrong"] * 4


def test_rows_that_are_not_as_many_as_the_tokens_are_listed_as_not_understood() -> None:
    text = (
        GIVEN
        + "Scores are divided by √2.\n\n"
        + rows("Weights", "0.196, 0.999", "0.056, 0.944")
        + "- owl: [0.5, 0.5]\n"
    )
    found = judged(text.replace("]\n\n- owl", "]\n- owl"))
    assert not found.claims
    assert [item.text for item in found.unread] == ["0.196 0.999", "0.056 0.944", "0.5 0.5"]


def test_rows_of_inputs_give_the_words() -> None:
    text = rows("Queries", "1, 0", "0, 1") + rows("Keys", "1, 2", "3, 4") + "Scores:\n- dog: [2, 5]\n- cat: [1, 3]\n"
    assert said(text) == [*("2 score[1,0] exact", "5 score[1,1] wrong", "1 score[0,0] exact", "3 score[0,1] exact")]


def test_a_words_vector_still_stands_for_its_word() -> None:
    assert said(rows("Embeddings", "1, 0", "1, 2") + "cat + dog = [2, 3]\n") == [*("2 None exact", "3 None wrong")]


SCALED = ["2.83 scaled[0,0] correctly_rounded", "4.24 scaled[0,1] correctly_rounded"]
SCALED += ["4.24 scaled[1,0] correctly_rounded", "0 scaled[1,1] exact"]
MATRIX = "[[2.83, 4.24], [4.24, 0]]"
LEADS = {
    "an aside before the value": "**Scores**:\n- row 1: 1×2+2×1 = 4, 1×0+2×3 = 6\n\n**Scaled** (divided by √2): ",
    "in Chinese": "**得分**：\n- 第1行：1×2+2×1 = 4，1×0+2×3 = 6\n\n**缩放**（除以 √2）：",
}


@pytest.mark.parametrize("lead", LEADS)
def test_a_bracket_between_a_name_and_its_value_is_part_of_the_words(lead: str) -> None:
    assert said(GIVEN + LEADS[lead] + MATRIX + "\n")[-4:] == SCALED


BECAME = {
    "注意力得分（缩放后）": "scaled",
    "Attention scores (scaled)": "scaled",
    "Scores (divided by √2)": "scaled",
    "得分（除以 √2）": "scaled",
    "Scores (after softmax)": "weight",
    "注意力分数（softmax 后）": "weight",
    "Scaled scores (after masking)": "masked",
    "Scores (before scaling)": "score",
    "得分（缩放前）": "score",
    "Scores (unscaled)": "score",
    "Scores (scaled later)": "score",
    "Attention weights (after masking)": "weight",
}


@pytest.mark.parametrize("words", BECAME)
def test_a_bracket_says_what_was_done_to_the_scores_already(words: str) -> None:
    assert array_of_words(words) == BECAME[words]


@pytest.mark.parametrize("lead", ["注意力得分（缩放后）= ", "Attention scores (scaled by √2): "])
def test_scores_that_are_scaled_already_are_the_scaled_ones(lead: str) -> None:
    text = GIVEN + "S = [[4, 6], [6, 0]]\n\n" + lead + MATRIX + "\n"
    assert said(text)[-4:] == SCALED


TEX = (
    "$Q = \\begin{pmatrix}1&2\\\\3&0\\end{pmatrix}$, $K = \\begin{pmatrix}2&1\\\\0&3\\end{pmatrix}$, "
    "$V=\\begin{pmatrix}1&1\\\\2&0\\end{pmatrix}$\n\n"
)


@pytest.mark.parametrize(
    "text",
    [
        TEX + "\\[ S = \\begin{pmatrix}2.83 & 4.24\\\\ 4.24 & 0\\end{pmatrix} "
        "\\quad\\text{where } S = QK^T/\\sqrt{d_k} \\]\n",
        TEX + "$S = \\begin{pmatrix}2.83 & 4.24\\\\ 4.24 & 0\\end{pmatrix}$, where $S = QK^T/\\sqrt{d_k}$.\n",
    ],
)
def test_a_definition_behind_its_value_counts(text: str) -> None:
    assert said(text, "a.tex") == SCALED


SIGMAS = {
    "\\[ \\sigma(QK^T/\\sqrt2) = \\begin{pmatrix}0.20 & 0.80\\\\ 0.99 & 0.02\\end{pmatrix} \\]\n",
    "\\[ A = \\sigma\\left(\\frac{QK^\\top}{\\sqrt{d_k}}\\right) = "
    "\\begin{pmatrix}0.20 & 0.80\\\\ 0.99 & 0.02\\end{pmatrix} \\]\n",
    "\\[ Z = QK^T/\\sqrt{2} \\]\n\n\\[ \\sigma(Z) = \\begin{pmatrix}0.20 & 0.80\\\\ 0.99 & 0.02\\end{pmatrix} \\]\n",
}


@pytest.mark.parametrize("text", sorted(SIGMAS))
def test_sigma_of_scores_is_the_softmax(text: str) -> None:
    assert said(TEX + text, "a.tex") == [
        *("0.20 weight[0,0] correctly_rounded", "0.80 weight[0,1] correctly_rounded"),
        *("0.99 weight[1,0] correctly_rounded", "0.02 weight[1,1] wrong"),
    ]


def test_sigma_of_a_layer_with_transposed_weights_is_the_sigmoid() -> None:
    text = "x = [[1, 0]]\n\nW = [[0, 2], [2, 0]]\n\ny = σ(x W^T) = [[0.5, 0.881]]\n"
    assert said(text) == ["0.5 None exact", "0.881 None correctly_rounded"]


WIDE = "Q = [[1,2],[3,0]], K = [[2,1],[0,3]], V = [[1,1,5],[2,0,5]], d_k=2\n\n"
NAMES = ("Attention", "attention", "attn", "W_{attn}", "注意力")


@pytest.mark.parametrize("name", NAMES)
def test_attention_is_what_its_shape_leaves_no_doubt_of(name: str) -> None:
    assert said(f"{WIDE}{name} = [[0.30, 0.80], [0.99, 0.01]]\n") == [
        *("0.30 weight[0,0] wrong", "0.80 weight[0,1] correctly_rounded"),
        *("0.99 weight[1,0] correctly_rounded", "0.01 weight[1,1] correctly_rounded"),
    ]
    made = said(f"{WIDE}{name} = [[1.80, 0.20, 5], [1.01, 0.90, 5]]\n")
    assert made[0] == "1.80 head_output[0,0] correctly_rounded"
    assert made[4] == "0.90 head_output[1,1] wrong"


@pytest.mark.parametrize("name", [*NAMES, "\\text{Attention}", "foo"])
def test_named_numbers_that_may_be_any_step_are_listed_as_not_understood(name: str) -> None:
    found = judged(f"{GIVEN}d_k=2\n\n${name} = [[0.30, 0.70], [0.99, 0.01]]$\n")
    assert (list(found.claims), [item.text for item in found.unread]) == ([], ["0.30 0.70 0.99 0.01"])


def test_a_named_matrix_that_is_used_is_given() -> None:
    found = judged(f"{GIVEN}d_k=2\n\nM = [[1, 0], [0, 2]]\n\n$M·Q$ = [[1, 2], [6, 1]]\n")
    assert [claim.number.text for claim in found.claims if claim.verdict.value == "wrong"] == ["1"]
    assert not found.unread


def test_a_steps_name_with_another_shape_is_listed() -> None:
    found = judged(f"{GIVEN}d_k=2\n\nA = [[0.30, 0.70, 0.1], [0.99, 0.01, 0.1], [1, 0, 0]]\n")
    assert [item.why for item in found.unread] == ["no-binding"]


STYLES = (
    *("- {}: {}", "* **{}**: {}", "1. {}: {}", "- {} → {}", "- {} = {}", "- {}: ${}$", "- `{}`: `{}`", '- "{}": {}'),
    *("- for {}: {}", "- token {}: {}", "{}: {}\n"),
)
LABELS = (("cat", "dog"), ("a", "b"), ("A", "B"), ("x1", "x2"), ("t1", "t2"), ("猫", "狗"))
WORD_STYLES = [(style, LABELS[0]) for style in STYLES] + [(STYLES[0], words) for words in LABELS[1:]]
WEIGHTS = [
    *("0.196 weight[0,0] correctly_rounded", "0.804 weight[0,1] correctly_rounded"),
    *("0.986 weight[1,0] correctly_rounded", "0.041 weight[1,1] wrong"),
]


def listed(lead: str, style: str, words: tuple[str, str]) -> str:
    lines = [style.format(word, row) for word, row in zip(words, ("[0.196, 0.804]", "[0.986, 0.041]"), strict=True)]
    return GIVEN + "The scores are scaled.\n\n" + lead + "\n".join(lines) + "\n"


@pytest.mark.parametrize(("style", "words"), WORD_STYLES)
@pytest.mark.parametrize("lead", ["Weights:\n", "## Attention weights\n\n", "**Attention weights**\n\n"])
def test_rows_are_labelled_in_many_ways(lead: str, style: str, words: tuple[str, str]) -> None:
    assert said(listed(lead, style, words)) == WEIGHTS


@pytest.mark.parametrize(
    "words", [("without mask", "with mask"), ("Head 1", "Head 2"), ("rounded", "exact"), ("前", "后")]
)
def test_labels_that_tell_versions_apart_are_no_words_of_rows(words: tuple[str, str]) -> None:
    found = judged(listed("Weights:\n", "- {}: {}", words))
    assert not [claim for claim in found.claims if claim.verdict.value == "wrong"]
    assert len(found.unread) or all(claim.verdict.value == "unsure" for claim in found.claims[2:])


def test_letters_of_arrays_in_a_list_stay_names() -> None:
    text = "Query and key:\n- q: [1, 2]\n- k: [3, 4]\n\nScores:\n\nq · k = 12\n"
    assert said(text) == ["12 score[0,0] wrong"]


def test_another_row_in_a_sentence_is_of_the_step_that_the_sentence_names() -> None:
    text = GIVEN + "Scaled scores (÷ √2):\n- cat: [2.83, 4.24]\n- dog: [4.24, 0]\n\n"
    text += "For **cat** the weights are [0.196, 0.804] and for **dog** [0.986, 0.041].\n"
    assert said(text)[4:] == WEIGHTS


@pytest.mark.parametrize("words", ["then", "for example", "which gives"])
def test_other_words_in_a_sentence_carry_no_step_on(words: str) -> None:
    text = GIVEN + f"Scaled by √2: for cat the scores are [4, 6], {words} [2.83, 4.24].\n"
    assert not [claim for claim in said(text) if claim.endswith("wrong")]


FOLLOWED = "Q = [[0, 3], [1, 2], [2, 2]], K = [[0, 1], [0, 1], [3, 2]], V = [[0, 3], [0, 4], [5, 5]]\n\n"
SENTENCES = (
    "We follow {word} (row 3). Its scores are [2, 2, 10]. Divided by √2 they are [1.414, 1.414, {scaled}]. "
    "The exponentials are e^1.414 ≈ 4.112, e^1.414 ≈ 4.112, e^{power} ≈ 1177.325. "
    "The weights are [0.003, 0.003, {weight}]. The output is [4.965, {output}]."
)
SENTENCES_ZH = (
    "来看「{word}」（第 3 行）。它的得分是 [2, 2, 10]。除以 √2 得 [1.414, 1.414, {scaled}]。取指数：e^1.414 ≈ 4.112，"
    "e^1.414 ≈ 4.112，e^{power} ≈ 1177.325。权重是 [0.003, 0.003, {weight}]。输出是 [4.965, {output}]。"
)
RIGHT = {"scaled": "7.071", "power": "7.071", "weight": "0.993", "output": "4.990"}


@pytest.mark.parametrize("sentences", [SENTENCES, SENTENCES_ZH])
def test_sentences_that_follow_a_row_are_read_to_the_end(sentences: str) -> None:
    found = judged(FOLLOWED + sentences.format(word="bird", **RIGHT))
    assert not found.unread
    assert {claim.verdict.value for claim in found.claims} == {"exact", "correctly_rounded", "consistent"}


@pytest.mark.parametrize("sentences", [SENTENCES, SENTENCES_ZH])
@pytest.mark.parametrize(
    ("slip", "number", "address"),
    [
        ("scaled", "7.011", "scaled[2,2]"),
        ("power", "7.011", "scaled[2,2]"),
        ("weight", "0.933", "weight[2,2]"),
        ("output", "4.930", "output[2,1]"),
    ],
)
def test_one_slip_in_sentences_that_follow_a_row_is_named_where_it_stands(
    sentences: str, slip: str, number: str, address: str
) -> None:
    found = judged(FOLLOWED + sentences.format(word="bird", **{**RIGHT, slip: number}))
    wrong = [claim for claim in found.claims if claim.verdict.value in ("wrong", "unsure")]
    assert [(claim.number.text, str(claim.address), claim.verdict.value) for claim in wrong] == [
        (number, address, "wrong")
    ]


@pytest.mark.parametrize(
    "turn", ["For the next word the weights are", "Without the scale the weights are", "若不缩放，权重是"]
)
def test_a_sentence_about_something_else_is_not_that_rows(turn: str) -> None:
    text = FOLLOWED + "We follow bird (row 3). Its scores are [2, 2, 10]. " + turn + " [0.101, 0.202, 0.697]."
    assert [claim.rpartition(" ")[2] for claim in said(text)[3:]] == ["unsure"] * 3


def test_a_number_put_in_that_several_cells_would_explain_is_not_named() -> None:
    found = judged(FOLLOWED + "The exponentials are e^1.454 ≈ 4.322.")
    assert [(claim.number.text, claim.address) for claim in found.claims] == [("4.322", None)]


def test_a_word_is_its_row_at_the_begin_of_a_sentence_too() -> None:
    text = "Tokens: sun, moon.\n\n" + GIVEN + "Scores are divided by √2.\n\n"
    listed = text + rows("Weights", "0.196, 0.999", "0.986, 0.014", ("Sun", "Moon"))
    assert said(listed)[1] == "0.999 weight[0,1] wrong"
    assert said(text + "The weights of Moon are [0.986, 0.044].")[1] == "0.044 weight[1,1] wrong"
    apart = "Tokens: sun, Sun.\n\n" + GIVEN + "Scores are divided by √2.\n\nThe weights of Sun are [0.986, 0.044]."
    assert said(apart)[1] == "0.044 weight[1,1] wrong"
