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
