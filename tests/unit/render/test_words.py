"""Looking up what is said, and what an error says: exact sentences."""

import pytest

from workings.render.words import Words
from workings.terms.errors import (
    FieldConflict,
    FileTooLarge,
    FileUnreadable,
    MisplacedField,
    MissingField,
    NotParsed,
    NotPositive,
    OutsideDomain,
    ShapeMismatch,
    TooLarge,
    UnknownToken,
    WorkingsError,
    WrongType,
)

EN, ZH = Words("en"), Words("zh")
SHAPE = ShapeMismatch(name="Q", shape=[3, 2], axis="d_k", size=2, expected="2 × d_k", because="K")
SAID: list[tuple[WorkingsError, str, str]] = [
    (
        SHAPE.at("kitten.toml, line 7, [inputs].Q"),
        "kitten.toml, line 7, [inputs].Q: Q is 3 × 2, so d_k would be 2; it is 2 × d_k by K. Change one of the two.",
        "kitten.toml, 第 7 行, [inputs].Q：Q 的形状是 3 × 2，这样 d_k 就是 2；可是按 K，它是 2 × d_k。请改其中一个。",
    ),
    (
        MissingField(field="V", why="next-layer"),
        "V is missing: without values a layer hands nothing on, so there can be no next one; give V or W_V, or set "
        "layers to 1.",
        "缺少 V：没有值，一层就没有东西交给下一层；请给出 V 或 W_V，或者把 layers 设为 1。",
    ),
    (
        FieldConflict(field="K", other="layers", why="given-per-layer"),
        "K and layers cannot both stand: with several layers each makes its own K; give the weights instead, or set "
        "layers to 1.",
        "K 和 layers 不能同时写：有多层时，每层各自算出 K；请改给权重，或者把 layers 设为 1。",
    ),
    (
        TooLarge(what="cells", seen=10**9, limit=4_194_304, needed=200 * 10**9),
        "Numbers in all arrays together: 1,000,000,000 are asked for, 4,194,304 are the most here. They would take "
        "about 186 GiB of memory. Make the example smaller.",
        "所有数组合计的数字个数：要求 1,000,000,000，这里最多 4,194,304，大约要占 186 GiB 内存。请把例子缩小。",
    ),
    (
        TooLarge(what="d_k", seen="2^1001", limit=256, needed=0),
        "d_k: 2^1001, but 256 is the most here. Make it smaller.",
        "d_k：写的是 2^1001，这里最多 256。请改小一些。",
    ),
    (
        FileTooLarge(path="a.toml", size=9_999_999, limit=8 * 2**20),
        "a.toml holds 9.54 MiB; 8 MiB is the most here.",
        "a.toml 有 9.54 MiB，这里最多 8 MiB。",
    ),
    (
        NotParsed(path="a.toml", line=3, reason="Expected '='").at("a.toml"),
        "a.toml, line 3, is neither TOML nor JSON that can be read: Expected '='.",
        "a.toml 第 3 行读不成 TOML 或 JSON：Expected '='。",
    ),
    (
        WrongType(seen='"x"', expected="true-or-false"),
        '"x" stands where true or false should stand.',
        '这里写的是 "x"，应该是 true 或 false。',
    ),
    (
        NotPositive(seen="-1", least="zero"),
        "-1 cannot stand here: it must be 0 or above. Write 0.5 or 1e-5, for example.",
        "-1 不能写在这里：必须不小于 0。例如写 0.5 或 1e-5。",
    ),
    (
        MisplacedField(field="bias", home="attention"),
        "bias stands in the wrong table: it belongs in [attention].",
        "bias 写错了表：它应该写在 [attention] 里。",
    ),
    (
        OutsideDomain(address="", operation="√"),
        "A cell would take the square root of a negative number, which has no value. Look at the numbers that are "
        "given.",
        "有一格要算负数的平方根，这没有值。请检查已给的数。",
    ),
    (
        FileUnreadable(path="a\x1b[31m", reason="Permission denied"),
        "a␛[31m cannot be read: permission denied.",
        "读不了 a␛[31m：没有权限。",
    ),
]


@pytest.mark.parametrize(("error", "english", "chinese"), SAID, ids=[error.code for error, _, _ in SAID])
def test_error(error: WorkingsError, english: str, chinese: str) -> None:
    assert EN.error(error) == english
    assert ZH.error(error) == chinese


def test_an_error_is_never_endless() -> None:
    drawn = EN.error(UnknownToken(token="x" * 10**6, known=[f"t{n}" for n in range(10**5)]))
    assert "t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, … (100,000 in all)" in drawn
    assert len(drawn) < 300


def test_lists_names_and_quotes() -> None:
    assert [EN.list(list("abc")[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert ZH.list(["a", "b", "c"]) == "a、b 和 c"
    assert ZH.list(["小猫", "它"]) == "小猫和它"
    assert ZH.list(["小猫", "d_k = 2"]) == "小猫和 d_k = 2"
    assert ZH.list(["40.3 %", "它", "吃"]) == "40.3 %、它和吃"
    assert ZH.list(["40.3 %", "吃"]) == "40.3 % 和吃"
    assert ZH.list(["「a b」", "é"]) == "「a b」和 é"
    assert (EN.quote("it"), ZH.quote("它")) == ("“it”", "「它」")
    assert ZH.named({"en": "score", "zh": "得分"}) == "得分"
    assert ZH.named({"en": "score"}) == "score"


def test_fields_are_filled_once() -> None:
    assert EN.sentence("target.where", {"where": "{said}", "said": "{where}"}) == "{said}: {where}"
    with pytest.raises(KeyError):
        EN.sentence("target.where", {"where": "here"})


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="'xx'"):
        Words("xx")
