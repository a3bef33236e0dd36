"""The Markdown target: exact pages and spans."""

import pytest

from tests.unit.render.sample import DOCUMENT, SampleWords, named
from workings.explaining.tree import Document, Equation, Matrix, Paragraph, Token
from workings.render.markdown import code_span, draw, escaped
from workings.render.words import Words

ENGLISH = """\
# Who?

Tokens (3): `小猫`, ``a|`b`` and `␣it`. 1. rows; 2 \\* `d_k`.

## What is given

### values

`V`:

| token \\\\ d_v | `0` | `1` | meaning |
| --- | ---: | ---: | --- |
|  | (who) | (what) |  |
| `小猫` | 5.0 | 1 | subject |
| ``a\\|`b`` | −0.25 | −∞ | \\*none\\* |
| `␣it` | 1.2×10⁻⁵ | 1/3 | pronoun |

```text
S[i,j] = Σ_d Q[i,d] × K[j,d]
小猫: 0.9 × 1.0 + 0.1 × (−0.2) = 0.88
```

Z (`exp_sum`):

| query |  |
| --- | ---: |
| `小猫` | 5.0 |
| ``a\\|`b`` | 10 |

| what | here |
| --- | ---: |
| heads | 2 |
| layers | 10.5 |
"""


def test_english() -> None:
    assert draw(DOCUMENT, SampleWords("en")) == ENGLISH


def test_chinese_heading_row() -> None:
    assert "| token \\\\ d_v | `0` | `1` | 含义 |\n" in draw(DOCUMENT, SampleWords("zh"))


@pytest.mark.parametrize(
    ("text", "span"),
    [("cat", "`cat`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a``", "``` a`` ```"), ("a```b`", "```` a```b` ````")],
)
def test_code_span(text: str, span: str) -> None:
    assert code_span(text) == span


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain (text), d_k!", "plain (text), d_k!"),
        ("[x](javascript:1)", "\\[x\\](javascript:1)"),
        ("<details>", "\\<details\\>"),
        ("_a_ **b** ~c~ $d$ `e` & \\", "\\_a\\_ \\*\\*b\\*\\* \\~c\\~ \\$d\\$ \\`e\\` \\& \\\\"),
        ("see www.evil.example", "`see www.evil.example`"),
        ("a@b.example", "`a@b.example`"),
    ],
)
def test_escaped(text: str, shown: str) -> None:
    assert escaped(text) == shown


@pytest.mark.parametrize("text", ["- a", "+ a", "# a", "1. a", "2) a", "===", "---"])
def test_a_paragraph_stays_a_paragraph(text: str) -> None:
    drawn = draw(Document(named("T", "T"), (Paragraph((named(text, text),)),)), Words("en")).splitlines()[-1]
    assert drawn.replace("\\", "").replace("`", "") == text
    assert drawn != text


def test_a_pipe_after_a_backslash_is_a_look_alike() -> None:
    cell = Matrix("", "S", ("", "query"), (Token("\\|"),), (), (("1",),))
    assert draw(Document(named("T", "T"), (cell,)), Words("en")).splitlines()[-1] == "| `\\∣` | 1 |"


def test_backticks_in_a_label_do_not_end_the_block() -> None:
    line = Equation((Token("```"),), "a", None, ())
    assert draw(Document(named("T", "T"), (line,)), Words("en")) == "# T\n\n````text\n```: \n````\n"
