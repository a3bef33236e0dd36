"""Sentences put together: where spaces stand, and which words stand between quotation marks."""

from __future__ import annotations

import pytest

from workings.explaining.tree import Inline, Items, Number, Text, Token
from workings.render.inline import sentence
from workings.render.words import Words


def most(query: str, key: str, *others: str) -> Inline:
    rest = tuple(Text("weight.part", {"key": Token(other), "share": Number("20 %")}) for other in others)
    return Text("weight.most", {"query": Token(query), "key": Token(key), "share": Number("60 %"), "rest": Items(rest)})


OWN = Text(
    "mixture.taken",
    {"query": Token("cat"), "parts": Items((Text("mixture.own", {"key": Token("cat"), "share": Number("60 %")}),))},
)
SAID = {
    "latin": (most("cat", "tea", "it", "hot"), "cat 最关注 tea：60 %；其次 it 20 % 和 hot 20 %。"),
    "chinese": (most("它", "小猫", "吃", "它"), "「它」最关注「小猫」：60 %；其次「吃」20 % 和「它」20 %。"),
    "signs": (most("T=1", "tea", "a#1", "b"), "「T=1」最关注 tea：60 %；其次「a#1」20 % 和 b 20 %。"),
    "a part of its own": (OWN, "cat 取了自己（cat）的 60 %。"),
}


@pytest.mark.parametrize("case", SAID)
def test_chinese_has_spaces_for_letters_and_digits_alone(case: str) -> None:
    item, said = SAID[case]
    assert sentence(item, Words("zh")) == said


def test_english_keeps_its_spaces() -> None:
    said = sentence(most("它", "小猫", "吃", "T=1"), Words("en"))
    assert said == "它 looks most at 小猫: 60 %; then 吃 20 % and “T=1” 20 %."
