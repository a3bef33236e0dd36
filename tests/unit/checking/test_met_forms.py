"""Documents in the forms that people publish: a right one raises no alarm, and a slip in it is found."""

import pytest

from workings.checking.check import check
from workings.checking.claims import Report
from workings.checking.grammar import statements
from workings.checking.reading import paper_from_text

GIVEN = "Q = [[1, 0], [0, 2], [1, 1]], K = [[1, 1], [0, 1], [2, 0]], V = [[1, 0], [0, 1], [2, 2]]\n\n"
CODE = """```python
Q = torch.tensor([[1, 0], [0, 2], [1, 1]])
K = torch.tensor([[1, 1], [0, 1], [2, 0]])
V = torch.tensor([[1, 0], [0, 1], [2, 2]])
scores = Q @ K.T / 2 ** 0.5
attn = {softmax}
# tensor([[0.2840, 0.1400, 0.5760],
#         [0.4458, 0.4458, 0.1084],
#         [0.4011, 0.1978, 0.4011]])
out = attn @ V
# tensor([[1.4359, 1.2920],
#         [0.6626, 0.6626],
#         [1.2033, 1.0000]])
```
"""


def judged(text: str, name: str = "a.md") -> Report:
    paper = paper_from_text(text, name=name)
    return check(paper, statements(paper))


def off(text: str, name: str = "a.md") -> list[str]:
    """The numbers of a text that are not right, each with its address and its verdict."""
    spoken = ("wrong", "truncated", "follows", "unsure")
    claims = [claim for claim in judged(text, name).claims if claim.verdict.value in spoken]
    return [f"{claim.number.text} {claim.address} {claim.verdict.value}" for claim in claims]


def unread(text: str, name: str = "a.md") -> list[str]:
    return [item.text for item in judged(text, name).unread]


@pytest.mark.parametrize(
    "softmax",
    [
        "scores.softmax(dim=-1)",
        "torch.softmax(scores, dim=1)",
        "np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)",
        "scores.exp() / scores.exp().sum(-1, keepdim=True)",
    ],
)
def test_methods_of_code_are_read(softmax: str) -> None:
    code = CODE.format(softmax=softmax)
    assert off(code) == unread(code) == []
    assert off(code.replace("0.5760", "0.5360")) == ["0.5360 None wrong"]


def test_a_softmax_along_the_first_axis_is_worked_so() -> None:
    text = "S = [[0, 1], [0, 3]]\n\nA = softmax(S, dim=0) = [[{}, 0.119], [0.500, 0.881]]"
    assert off(text.format("0.500")) == []
    assert off(text.format("0.269")) == ["0.269 None wrong"]


HEADS = """### Head 1

Q1 = [[1, 0], [0, 1]], K1 = [[1, 1], [0, 1]], V1 = [[1, 2], [3, 0]]

S1 = Q1 K1ᵀ / √2 = [[0.707, 0.000], [0.707, 0.707]]

A1 = softmax(S1) = [[0.670, 0.330], [0.500, 0.500]]

### Head 2

Q2 = [[0, 1], [2, 1]], K2 = [[1, 0], [1, 1]], V2 = [[0, 1], [2, 2]]

S2 = Q2 K2ᵀ / √2 = [[0.000, 0.707], [1.414, 2.121]]

A2 = softmax(S2) = [[0.330, 0.670], [0.330, 0.670]]
"""
PROSE = """Say the queries are cats = [1, 0], chase = [0, 2], mice = [1, 1], the keys are cats = [1, 1], chase = [0, 1],
mice = [2, 0], and the values are cats = [1, 0], chase = [0, 1], mice = [2, 2].

Take the word *chase*. Comparing its query with every key gives the scores 2, 2, 0. We divide by √2 ≈ 1.414
to keep things tame: 1.414, 1.414, 0.000. Exponentiating gives 4.113, 4.113, 1.000. Dividing each by the sum, the
attention weights are 0.446, 0.446 and 0.108.

So *chase* ends up as 0.446 × [1, 0] + 0.446 × [0, 1] + 0.108 × [2, 2] = [0.663, 0.663].
"""
CROSSED = """# Cross-attention

Queries (le, chat): Q = [[1, 0], [0, 1]]

Keys (the, black, cat): K = [[1, 2], [0, 1], [1, 1]]

V = [[1, 0], [0, 3], [2, 1]]

We divide the scores QKᵀ by √2, so the softmax is that of QKᵀ/√2. Its rows are the attention weights:

| | the | black | cat |
|---|---|---|---|
| le | 0.401 | 0.198 | 0.401 |
| chat | 0.503 | 0.248 | 0.248 |

Output: le = [1.203, 0.994], chat = [1.000, 0.993].
"""
STEPS = """We follow the query of "chase", q = [0, 2], against K = [[1, 1], [0, 1], [2, 0]].
V = [[1, 0], [0, 1], [2, 2]].

| key | score | score / √2 | exp | weight |
|---|---|---|---|---|
| cats | 2 | 1.414 | 4.113 | 0.446 |
| chase | 2 | 1.414 | 4.113 | 0.446 |
| mice | 0 | 0.000 | 1.000 | 0.108 |
| sum | | | 9.227 | 1.000 |

Output = [0.663, 0.663]
"""
WORDS = """- Query of cats: (1, 0); query of chase: (0, 2); query of mice: (1, 1)
- Key of cats: (1, 1); key of chase: (0, 1); key of mice: (2, 0)
- Value of cats: (1, 0); value of chase: (0, 1); value of mice: (2, 2)

The scores are divided by √2.

## Softmax

cats → cats: 0.284, cats → chase: 0.140, cats → mice: 0.576

## Output of cats

[1.436, 1.292]
"""
NAMES = """Q = [[4, 0], [0, 5]]
K = [[5, 0], [0, 4]]
V = [[1, 0], [0, 1]]
scores = Q K^T = [[20, 0], [0, 20]]
scaled = scores / sqrt(2) = [[1.4142e+01, 0.0000e+00], [0.0000e+00, 1.4142e+01]]
weights = softmax(scaled) = [[1.0000e+00, 7.2135e-07], [7.2135e-07, 1.0000e+00]]
output = weights V = [[1.0000e+00, 7.2135e-07], [7.2135e-07, 1.0000e+00]]
"""
UNSCALED = GIVEN + "Weights: [[0.245, 0.090, 0.665], [0.468, 0.468, 0.063], [0.422, 0.155, 0.422]]\n"


@pytest.mark.parametrize(
    ("text", "printed", "slip", "found"),
    [
        (HEADS, "0.670, 0.330], [0.500", "0.670, 0.370], [0.500", ["0.370 None wrong"]),
        (PROSE, "1.414, 0.000", "1.454, 0.000", ["1.454 scaled[1,1] wrong"]),
        (PROSE, "0.446 and 0.108", "0.446 and 0.148", ["0.148 weight[1,2] wrong"]),
        (CROSSED, "0.994", "0.954", ["0.954 output[0,1] wrong"]),
        (STEPS, "| 4.113 | 0.446 |\n| mice", "| 4.153 | 0.446 |\n| mice", ["4.153 exp[0,1] wrong"]),
        (STEPS, "| 0.000 |", "| 0.040 |", ["0.040 scaled[0,2] wrong"]),
        (WORDS, "1.436", "1.476", ["1.476 output[0,0] wrong"]),
        (NAMES, "[[20, 0]", "[[21, 0]", None),
    ],
)
def test_a_right_document_raises_no_alarm_and_a_slip_is_found(
    text: str, printed: str, slip: str, found: list[str] | None
) -> None:
    assert off(text) == []
    assert printed in text
    altered = off(text.replace(printed, slip, 1))
    assert altered == found if found is not None else altered[0] == "21 score[0,0] wrong"


@pytest.mark.parametrize(
    "said",
    ["We leave out the scaling.", "For simplicity we skip scaling.", "Ignoring the scaling:", "为简单起见，省略缩放。"],
)
def test_a_document_that_leaves_out_the_scale_is_worked_without_it(said: str) -> None:
    assert off(said + "\n\n" + UNSCALED) == []
    assert off("We scale the scores.\n\n" + UNSCALED) != []


def test_steps_that_nothing_tells_the_worth_of_are_listed() -> None:
    assert unread("scores1 = [[1, 0], [1, 1]]; weights1 = [[0.670, 0.330], [0.500, 0.500]]") == [
        "1 0 1 1",
        "0.670 0.330 0.500 0.500",
    ]


def test_a_sum_in_brackets_is_no_function_of_its_number() -> None:
    assert unread("The exponentials are 2.028, 1.000, 4.113 (sum 7.141).")[-1:] == ["7.141"]


@pytest.mark.parametrize(
    "text", ["We run steps 1, 2, 3.", "The weights are 0.2, 0.5 bits each.", "At 0.2, 0.4, 0.6 it is"]
)
def test_numbers_that_words_go_on_with_are_no_list(text: str) -> None:
    assert not any(" " in item for item in unread(text))


ARITHMETIC = """The query is q = [0, 2]; the keys are k1 = [1, 1], k2 = [0, 1], k3 = [2, 0].
The values are v1 = [1, 0], v2 = [0, 1], v3 = [2, 2].

1. Dot products: q·k1 = 0×1 + 2×1 = 2, q·k2 = 0×0 + 2×1 = 2, q·k3 = 0×2 + 2×0 = 0.
2. Scaling: 2/√2 = 1.414, 2/√2 = 1.414, 0/√2 = 0.
3. Exponentials: exp(1.414) = 4.112, exp(1.414) = 4.112, exp(0) = 1. Sum: 9.224.
4. Weights: 4.112 / 9.224 = 0.446, 4.112 / 9.224 = 0.446, 1 / 9.224 = 0.108.
5. Output: 0.446×[1, 0] + 0.446×[0, 1] + 0.108×[2, 2] = [0.663, 0.663].
"""


def test_equal_numbers_of_a_row_are_taken_in_their_order() -> None:
    assert off(ARITHMETIC) == unread(ARITHMETIC) == []
    assert off(ARITHMETIC.replace("Sum: 9.224", "Sum: 9.264"))[0] == "9.264 exp_sum[0] wrong"


def test_a_number_put_in_for_a_weight_of_the_output_is_judged() -> None:
    altered = ARITHMETIC.replace("0.446×[0, 1]", "0.486×[0, 1]")
    assert off(altered) == ["0.486 weight[0,1] wrong"]


FIELD = """Tokens: key, score, value.

Q = [[1, 0], [0, 2], [1, 1]], K = [[1, 1], [0, 1], [2, 0]], V = [[1, 0], [0, 1], [2, 2]]. The scores are divided by √2.

Attention weights:

- key: [0.284, 0.140, 0.576]
- score: [0.446, 0.446, 0.108]
- value: [0.401, 0.198, 0.401]

The weights of "score" are [0.446, 0.446, 0.108], so the output for "score" is [0.663, 0.663].
Weights for value: [0.401, 0.198, 0.401]. The word "score" puts 44.6% on "key".
"""
FIELD_ZH = """词元：查询、键、值。

Q = [[1, 0], [0, 2], [1, 1]]，K = [[1, 1], [0, 1], [2, 0]]，V = [[1, 0], [0, 1], [2, 2]]。得分除以 √2。

“键”这一行的权重是 [0.446, 0.446, 0.108]，输出是 [0.663, 0.663]。
"""


@pytest.mark.parametrize("text", [FIELD, FIELD_ZH])
def test_words_of_the_field_are_tokens_where_a_document_says_so(text: str) -> None:
    assert off(text) == unread(text) == []


@pytest.mark.parametrize(
    ("text", "printed", "slip", "found"),
    [
        (FIELD, "key: [0.284", "key: [0.244", ["0.244 weight[0,0] wrong"]),
        (FIELD, "value: [0.401", "value: [0.441", ["0.441 weight[2,0] wrong"]),
        (FIELD, '"score" is [0.663', '"score" is [0.623', ["0.623 output[1,0] wrong"]),
        (FIELD, "for value: [0.401", "for value: [0.441", ["0.441 weight[2,0] wrong"]),
        (FIELD_ZH, "权重是 [0.446", "权重是 [0.486", ["0.486 weight[1,0] wrong"]),
    ],
)
def test_a_slip_beside_tokens_that_are_words_of_the_field_is_found(
    text: str, printed: str, slip: str, found: list[str]
) -> None:
    assert printed in text
    assert off(text.replace(printed, slip, 1)) == found


TURNED = """d_k = 2. {given}

Attention weights (each column is one query):

| {corner} | cats | chase | mice |
|---|---|---|---|
| cats | 0.284 | 0.446 | 0.401 |
| chase | 0.140 | 0.446 | 0.198 |
| mice | 0.576 | 0.108 | 0.401 |

Output (transposed):

| | cats | chase | mice |
|---|---|---|---|
| d1 | 1.436 | 0.663 | 1.203 |
| d2 | 1.292 | 0.663 | 1.000 |
"""
COUNTED = """The scores are divided by √2. {given}

Output:

| | 1 | 2 |
|---|---|---|
| cats | 1.436 | 1.292 |
| chase | 0.663 | 0.663 |
| mice | 1.203 | 1.000 |
"""
LECTURE = r"""\documentclass{article}
\begin{document}
\begin{align*}
Q &= \begin{pmatrix}1 & 0\\0 & 2\\1 & 1\end{pmatrix}, & K &= \begin{pmatrix}1 & 1\\0 & 1\\2 & 0\end{pmatrix},
& V &= \begin{pmatrix}1 & 0\\0 & 1\\2 & 2\end{pmatrix}.
\end{align*}
Then
\begin{align}
QK^{\mathrm T} &= \begin{pmatrix}1 & 0 & 2\\2 & 2 & 0\\2 & 1 & 2\end{pmatrix},\\
\mathrm{Attention}(Q,K,V) &= \mathrm{softmax}\Bigl(\frac{QK^{\mathsf T}}{\sqrt 2}\Bigr)V\\
\mathrm{Attention}(Q,K,V) &\approx \begin{pmatrix}1.436 & 1.292\\0.663 & 0.663\\1.203 & 1.000\end{pmatrix}.
\end{align}
\end{document}
"""


@pytest.mark.parametrize("corner", ["key \\\\ query", ""])
def test_a_table_with_a_query_in_each_column_is_turned(corner: str) -> None:
    text = TURNED.format(given=GIVEN, corner=corner)
    assert off(text) == unread(text) == []
    assert off(text.replace("| 0.576 |", "| 0.536 |")) == ["0.536 weight[0,2] wrong"]
    assert off(text.replace("| 1.203 |", "| 1.243 |"))[0].startswith("1.243 output[2,0]")


def test_counted_columns_below_an_empty_corner_are_no_numbers_of_a_table() -> None:
    text = COUNTED.format(given=GIVEN)
    assert off(text) == unread(text) == []
    assert off(text.replace("1.292", "1.252")) == ["1.252 output[0,1] wrong"]


def test_attention_of_q_k_and_v_is_the_output() -> None:
    assert off(LECTURE, "a.tex") == unread(LECTURE, "a.tex") == []
    assert off(LECTURE.replace("1.203", "1.243"), "a.tex") == ["1.243 head_output[2,0] wrong"]
    assert off(LECTURE.replace("2 & 1 & 2", "2 & 1 & 3"), "a.tex")[0] == "3 score[2,2] wrong"


def test_the_weights_of_one_query_are_counted_by_their_keys() -> None:
    text = "q = (0, 2), k_1 = (1, 1), k_2 = (0, 1), k_3 = (2, 0). Scores are divided by √2.\n\nα_2 ≈ {}, α_3 ≈ 0.108"
    assert off(text.format("0.446")) == unread(text.format("0.446")) == []
    assert off(text.format("0.486")) == ["0.486 weight[0,1] wrong"]


def test_a_number_named_like_a_step_that_nothing_tells_the_worth_of_is_listed() -> None:
    assert unread("α_2 ≈ 0.446") == ["0.446"]
    assert unread("α_1 = 0.4, α_2 = 0.6, v = 0.4·2 + 0.6·3 = 2.6, so α_1 + α_2 = 1.0") == []


SMALL = "Q = [[2, 1], [0, 3]], K = [[1, 0], [1, 2]], V = [[4, 1], [0, 2]]. Scores are divided by √2.\n\n"
SAID = SMALL + "Then `Q K^T` is\n\n    [[2, 4],\n     [0, 6]]\n\n"
SAID += "Dividing by `sqrt(2)` gives\n\n    [[1.414, 2.828],\n     [0.000, 4.243]]\n"
JSON = """```json
{"Q": [[2, 1], [0, 3]], "K": [[1, 0], [1, 2]], "V": [[4, 1], [0, 2]], "scores": [[2, 4], [0, 6]],
 "scaled_scores": [[1.414, 2.828], [0.000, 4.243]], "attention_weights": [[0.196, 0.804], [0.014, 0.986]]}
```
"""
SUMS = SMALL + "Attention weights:\n\n[[0.196, 0.804], [0.014, 0.986]]\n\nRow sums: [1.000, 1.000]\n"
SUMS_OF = SMALL + "The row sums of the attention weights are 1.000 and 1.000, those of the exponentials are not.\n"
INLINE = (
    "设查询向量：我 = [2, 1]，你 = [0, 3]；键向量：我 = [1, 0]，你 = [1, 2]；值向量：我 = [4, 1]，你 = [0, 2]。\n\n"
    "先看“我”。除以 √2 之后是 1.414 和 2.828，经过 softmax 得到权重 0.196 和 0.804。\n"
)
COLUMNS = r"""\documentclass{article}
\begin{document}
Queries $q_1=(2,1)^\top$, $q_2=(0,3)^\top$, keys $k_1=(1,0)^\top$, $k_2=(1,2)^\top$,
values $v_1=(4,1)^\top$, $v_2=(0,2)^\top$. Scores are divided by $\sqrt2$.

Outputs: $t_1 = (0.782, 1.804)$, $t_2 = (0.057, 1.986)$.
\end{document}
"""
NUMBERED = r"""\documentclass{article}
\begin{document}
$Q^{(1)}=\begin{pmatrix}1&0\\0&1\end{pmatrix}$, $K^{(1)}=\begin{pmatrix}1&1\\0&1\end{pmatrix}$, so
\[ \frac{Q^{(1)}K^{(1)\top}}{\sqrt2}=\begin{pmatrix}0.707&0.000\\0.707&0.707\end{pmatrix} \]
\[ A^{(1)}=\begin{pmatrix}0.670&0.330\\0.500&0.500\end{pmatrix} \]
$Q^{(2)}=\begin{pmatrix}2&1\\0&3\end{pmatrix}$, $K^{(2)}=\begin{pmatrix}1&0\\1&2\end{pmatrix}$, so
\[ A^{(2)}=\begin{pmatrix}0.196&0.804\\0.014&0.986\end{pmatrix} \]
\end{document}
"""


@pytest.mark.parametrize(
    ("text", "name", "printed", "slip", "found"),
    [
        (SAID, "a.md", "2.828", "2.868", ["2.868 scaled[0,1] wrong"]),
        (JSON, "a.md", "0.804", "0.844", ["0.844 weight[0,1] wrong"]),
        (SUMS, "a.md", "1.000, 1.000", "1.000, 1.100", ["1.100 None wrong"]),
        (SUMS_OF, "a.md", "1.000 and", "1.010 and", ["1.010 None wrong"]),
        (INLINE, "a.md", "2.828", "2.868", ["2.868 scaled[0,1] wrong"]),
        (COLUMNS, "a.tex", "1.804", "1.844", ["1.844 output[0,1] wrong"]),
        (NUMBERED, "a.tex", "0.804", "0.844", ["0.844 None wrong"]),
    ],
)
def test_forms_of_a_second_look(text: str, name: str, printed: str, slip: str, found: list[str]) -> None:
    assert off(text, name) == []
    assert printed in text
    assert off(text.replace(printed, slip, 1), name) == found


def test_a_slip_in_some_rows_alone_has_its_cause() -> None:
    scaled = (
        "The scores are divided by √2.\n\nScaled scores: [[0.707, 0.000, 1.414], [{}, 0.000], [1.414, 0.707, 1.414]]"
    )
    causes = {claim.number.text: claim.causes for claim in judged(GIVEN + scaled.format("2.000, 2.000")).claims}
    assert causes["2.000"] == ("scale:missing",)
    assert causes["1.414"] == ()
    one = judged(GIVEN + scaled.format("2.000, 1.414")).claims
    assert [claim.causes for claim in one if claim.verdict.value == "wrong"] == [()]


def test_a_column_of_a_table_headed_by_a_key_is_that_keys() -> None:
    head = "| query | score·cats | score·chase | score·mice |\n|---|---|---|---|\n"
    table = GIVEN + head + "| cats | 1 | 0 | 2 |\n| chase | 2 | 2 | 0 |\n| mice | 2 | 1 | 2 |\n"
    assert off(table) == unread(table) == []
    assert off(table.replace("| 2 | 2 | 0 |", "| 2 | 3 | 0 |")) == ["3 score[1,1] wrong"]


def test_a_sentence_ends_behind_a_number() -> None:
    text = GIVEN + "Scores are divided by √2. The average that each word receives is 0.377, 0.262 and 0.361."
    assert off(text) == []


def test_a_list_for_another_token_is_not_the_row_that_was_followed() -> None:
    text = SMALL + "Output for token 1: (0.782, 1.804). Output for token 2: ({}, 1.986).\n"
    assert off(text.format("0.057")) == []
    assert off(text.format("0.017")) == ["0.017 output[1,0] wrong"]


def test_a_decimal_weighs_the_vector_behind_it() -> None:
    text = (
        "The query is q = (1, 1), the keys are k₁ = (2, 1), k₂ = (0, 1), k₃ = (1, 0), the values v₁ = (3, 0), "
        "v₂ = (0, 3), v₃ = (1, 2).\n\nScores are divided by √2. "
        "The output is 0.673 v₁ + {} v₂ + 0.164 v₃ = (2.182, 0.818).\n"
    )
    assert off(text.format("0.164")) == []
    assert off(text.format("0.104")) == ["0.104 weight[0,1] wrong"]
