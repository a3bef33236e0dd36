"""The plain target: exact pages."""

from tests.unit.render.sample import DOCUMENT, SampleWords, named
from workings.explaining.tree import Document, Heading, Matrix, Paragraph
from workings.render.layout import align
from workings.render.text import draw
from workings.render.words import Words

ENGLISH = """\
Who?
====

Tokens (3): 小猫, “a|`b” and “␣it”.
1. rows; 2 * d_k.

What is given
-------------

values

V:
  token \\ d_v         0       1
                  (who)  (what)
  小猫             5.0        1  ← subject
  a|`b            −0.25      −∞  ← *none*
  ␣it          1.2×10⁻⁵     1/3  ← pronoun

  S[i,j] = Σ_d Q[i,d] × K[j,d]
  小猫: 0.9 × 1.0 + 0.1 × (−0.2) = 0.88

Z (exp_sum):
  小猫   5.0
  a|`b  10

  what    here
  heads    2
  layers  10.5
"""
CHINESE = """\
谁？
====

词（3 个）：「小猫」、「a|`b」和「␣it」。
每行 2 * d_k。

已知的数
--------

值

V：
  token \\ d_v         0         1
                 （谁）  （什么）
  小猫             5.0          1  ← 主体
  a|`b            −0.25        −∞  ← 无
  ␣it          1.2×10⁻⁵       1/3  ← 代词

  S[i,j] = Σ_d Q[i,d] × K[j,d]
  小猫：0.9 × 1.0 + 0.1 × (−0.2) = 0.88

Z（exp_sum）：
  小猫   5.0
  a|`b  10

  项目  这里
  头数   2
  层数  10.5
"""


def test_english() -> None:
    assert draw(DOCUMENT, SampleWords("en")) == ENGLISH


def test_chinese() -> None:
    assert draw(DOCUMENT, SampleWords("zh")) == CHINESE


def test_columns_align_at_the_point() -> None:
    assert align(["1", "0.25", "−10.5"]) == ["  1   ", "  0.25", "−10.5 "]
    assert align(["1", "−2", "10"]) == [" 1", "−2", "10"]
    assert align(["0.5", "−∞", "1/3", "1.2×10⁻⁵"]) == ["     0.5", "      −∞", "     1/3", "1.2×10⁻⁵"]
    assert align([]) == []


def test_a_document_that_begins_with_its_title_shows_it_once() -> None:
    title = named("Title", "标题")
    assert draw(Document(title, (Heading(1, title),)), Words("en")) == "Title\n=====\n"


def test_a_long_line_is_neither_cut_nor_wrapped() -> None:
    text = "word " * 200
    wide = Matrix("", "S", ("", "query"), (named("a", "a"),), (), (("1" * 400,),))
    lines = draw(Document(named("T", "T"), (Paragraph((named(text[:-1], text),)), wide)), Words("en")).splitlines()
    assert lines[3] == text[:-1]
    assert lines[-1] == "  a  " + "1" * 400
