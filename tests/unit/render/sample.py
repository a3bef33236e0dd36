"""One small document with every kind of block, and sentences of its own, so that no other wording is tested here."""

from workings.explaining.tree import (
    Code,
    Document,
    Equation,
    Heading,
    Items,
    Matrix,
    Named,
    Number,
    Paragraph,
    Table,
    Text,
    Token,
)
from workings.render.words import Words
from workings.steps.language import Add, Mul, Printed, Sum, Symbol


def printed(text: str) -> Printed:
    return Printed(text, None)


def named(en: str, zh: str) -> Named:
    return Named({"en": en, "zh": zh})


TOKENS = (Token("小猫"), Token("a|`b"), Token(" it"))
VALUES = Matrix(
    symbol="V",
    address="V",
    corner=("token", "d_v"),
    rows=TOKENS,
    columns=(Code("0"), Code("1")),
    cells=(("5.0", "1"), ("−0.25", "−∞"), ("1.2×10⁻⁵", "1/3")),
    row_notes=(named("subject", "主体"), named("*none*", "无"), named("pronoun", "代词")),
    column_notes=(named("who", "谁"), named("what", "什么")),
)
SUMS = Matrix("Z", "exp_sum", ("query", ""), TOKENS[:2], (), (("5.0",), ("10",)))
PRODUCTS = Add(Mul(printed("0.9"), printed("1.0")), Mul(printed("0.1"), printed("−0.2")))
GENERAL = Sum("d", Mul(Symbol("Q", ("i", "d")), Symbol("K", ("j", "d"))))
DOCUMENT = Document(
    named("Who?", "谁？"),
    (
        Paragraph((Text("tokens", {"n": 3, "tokens": Items(TOKENS)}), Text("rows", {"axis": Code("d_k")}))),
        Heading(2, Text("given")),
        Heading(3, named("values", "值"), "V"),
        VALUES,
        Equation((), "score", Symbol("S", ("i", "j")), (("=", GENERAL),)),
        Equation(TOKENS[:1], "score[0,0]", None, (("=", PRODUCTS), ("=", printed("0.88")))),
        SUMS,
        Table(
            (named("what", "项目"), named("here", "这里")),
            ((named("heads", "头数"), 2), (named("layers", "层数"), Number("10.5"))),
        ),
    ),
)

SENTENCES = {
    "en": {"tokens": "Tokens ({n}): {tokens}.", "rows": "1. rows; 2 * {axis}.", "given": "What is given"},
    "zh": {"tokens": "词（{n} 个）：{tokens}。", "rows": "每行 2 * {axis}。", "given": "已知的数"},
}


class SampleWords(Words):
    """The project's words, with the sample's sentences in place of those of explanations."""

    def __init__(self, lang: str) -> None:
        super().__init__(lang)
        self._parts["words"] = SENTENCES[lang]
