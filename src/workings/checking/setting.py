"""What a document sets out from: its inputs, tokens and divisor, gathered into an example that a mask is added to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import Any

from workings.checking.meant import written_out
from workings.checking.notation import Call, Mat, Neg, Node, Num, Op, Statement, Sym, nodes, number_of
from workings.checking.vocabulary import (
    GIVEN,
    SIMPLE,
    addressed,
    array_of,
    array_of_label,
    array_of_name,
    array_of_symbol,
    array_of_words,
    ends_with_name,
    names_several,
    separated,
    told_words,
)
from workings.examples.example import Example
from workings.examples.read import read_mapping
from workings.terms.errors import WorkingsError
from workings.traces.trace import INVENTED

ROOT, UNDIVIDED = "sqrt(d_k)", "1"
SCALING = re.compile(r"scal|√|sqrt|缩放|d_k|d_\{k\}", re.IGNORECASE)
DIMENSION = re.compile(r"d_k|d_\{k\}", re.IGNORECASE)  # a size that says of no division
UNSCALED = re.compile(
    r"(?:no|not|without|un|non-?)\s*-?scal\w*"
    r"|\b(?:leav\w+\s+out|skip\w*|ignor\w+|omit\w*|drop\w*|without|no|neglect\w*)(?:\s+(?:the|any|all))?"
    r"\s+(?:scal\w+|(?:factor|division)(?:\s+(?:by|of))?\s+\S{0,12}(?:√|sqrt)\S*)"
    r"|(?:不|没有|未|省略|省去|忽略|略去|跳过|不考虑|去掉)(?:了|作|做|进行)?缩放(?:因子|步骤)?",
    re.IGNORECASE,
)
DIVIDED = re.compile(r"(?:divided\s+by|除以)[\s$(\\]*(√|sqrt[({])?\s*([0-9]+(?:\.[0-9]+)?)", re.IGNORECASE)
NEAR = 60  # characters before "divided by" that name what is divided
SCORES = re.compile(r"score|scal|logit|得分|分数|缩放", re.IGNORECASE)
NEAR_ROOT = Fraction(1, 10)
WHOLE = re.compile(  # said of what a document prints, not of its percentages or of one number
    r"\b(?:results|numbers|values|entries)\s+(?:\w+\s+){0,4}?round(?:ed)?\s+(?:off\s+)?to\s+"
    r"(?:whole\s+numbers|integers|the\s+nearest\s+(?:whole\s+number|integer))\b"
    r"|(?:结果|数值|数字|数)(?:都|均|皆|一律|全部)?(?:四舍五入|舍入|保留|取)(?:到|为|成|至)?(?:最近的|最接近的)?整数",
    re.IGNORECASE,
)
INTEGERS = ("whole", "integer", "整数")  # one of them stands in any such sentence: quicker to look for
UNIT = Fraction(1, 2)
MOST_TEXTS = 64  # labels and headings kept with what they list: the same stand over many statements
LISTED = re.compile(
    r"(?:\brows?|\btokens?|\bwords?|行|词|词元)(?=\s*(?::|：|=|are\b|为|是)?[\s(（]*([^()（）:：]+))", re.IGNORECASE
)
NO_WORDS = re.compile(  # labels of rows that are no words of theirs: they count, or tell versions apart
    r"\s[0-9]|^[0-9]|[\u4e00-\u9fff][0-9]|head|layer|step|dim|epoch|\b(?:before|after|with|without|no|un\w+|mask\w*"
    r"|scaled|max|min|mean|sum|exact|rounded|printed|true|correct|wrong|old|new|first|second|last|total|result)\b"
    r"|[前后有无]$|^[有无第]|头|层|正确|错误|掩码|缩放|精确|总|结果",
    re.IGNORECASE,
)
BETWEEN = re.compile(r"\b(?:vectors?\s+)?(?:of|for)\b(?:\s+(?:the|token|word)\b)*", re.IGNORECASE)  # "query of cat"
FILLER = re.compile(r"[\s:：,，.。=()（）\[\]「」\"'“”‘’*`|→←·•\-–—]+")


@dataclass
class Setting:
    """The inputs that a document prints.

    Attributes:
        given: array -> rows of numbers as printed.
        first: array -> (cell, offset) at which it is given.
        symbols: array -> the name under which it is given, where it has one.
        seen: labels along the rows of any matrix.
        listed: words that a heading or a label lists as those of the rows: "rows: The, bank, flooded".
        ordered: words that label lists of numbers in their order, under one heading that names an array.
        where: which numbers are inputs, so that they are no claims.
        labels: array -> the words along its rows, as printed.
        by_embeddings: whether X is multiplied with its own transpose: the words look at each other by X alone.
        divisor: the divisor as printed, ``sqrt(d_k)``, or ``1`` where the document does not scale.
        unsaid: whether nothing in the document says whether it scales: the divisor is only what is usual.
        meant: the text of a rounded input -> what the document puts in for it.
        foreign: whether the document names steps before its weights that one head by itself does not have.
        shifted: whether its softmax subtracts each row's maximum, as it says by the address of that step.
        whole: whether the document says that its results are rounded to whole numbers.
        example: None until it is worked, and where the inputs make no recipe.
    """

    given: dict[str, list[list[Num]]] = field(default_factory=dict)
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    seen: list[tuple[str, ...]] = field(default_factory=list)
    listed: list[tuple[str, ...]] = field(default_factory=list)
    ordered: list[tuple[str, ...]] = field(default_factory=list)
    where: set[tuple[int | None, int]] = field(default_factory=set)
    first: dict[str, tuple[int, int]] = field(default_factory=dict)
    symbols: dict[str, str] = field(default_factory=dict)
    divisor: str = ROOT
    unsaid: bool = False
    by_embeddings: bool = False
    meant: dict[str, str] = field(default_factory=dict)
    foreign: bool = False
    shifted: bool = False
    whole: bool = False
    example: Example | None = None

    def is_input(self, number: Num) -> bool:
        """Whether a printed number is one of the inputs."""
        return (number.span.cell, number.span.start) in self.where

    def as_meant(self, number: Num) -> Num:
        """A printed result as the document means it: a whole one is rounded where it says so, else as it stands."""
        if not self.whole or number.half or number.infinite or number.value.denominator > 1:
            return number
        return number._replace(half=UNIT)

    def is_by_order(self, words: tuple[str, ...]) -> bool:
        """Whether words are those of the rows by the order of a list alone: nothing else in the document says so."""
        return words in self.ordered and words not in (*self.labels.values(), *self.seen, *self.listed)

    def with_other_divisor(self) -> Setting:
        """The same scaled where it is not, and not scaled where it is."""
        return replace(self, divisor=UNDIVIDED if self.divisor == ROOT else ROOT)

    def shape(self) -> tuple[int, int]:
        """How many queries and keys there are; 0 where the inputs do not tell."""
        rows = {name: len(matrix) for name, matrix in self.given.items() if not name.startswith(("W_", "b_"))}
        queries = rows.get("Q") or rows.get("X") or rows.get("score") or 0
        if "score" in rows and "K" not in rows:
            return queries, len(self.given["score"][0])
        return queries, rows.get("K") or rows.get("V") or rows.get("context") or rows.get("X") or queries

    def worked(self, mask: str | Sequence[Sequence[int]]) -> Setting:
        """The same with its example, worked with a mask; without one where the inputs make no recipe."""
        if self.foreign:
            return self
        try:
            return replace(self, example=read_mapping(_mapping(self, mask)))
        except WorkingsError:
            return self


def gather(statements: Sequence[Statement], text: str) -> Setting:
    """The setting of a document, its example still to be worked."""
    setting = Setting()
    rows: dict[str, dict[str, list[Num]]] = {}
    worked = False  # whether the statement before works something out, whose value may follow
    for statement in statements:
        setting.seen += [link.node.row_labels for link in statement.links if isinstance(link.node, Mat)]
        setting.listed += _listed(statement)
        if not (worked and len(statement.links) == 1) or addressed(statement.label) == "X":
            _take(statement, setting, rows)
        worked = any(_works_out(link.node) and _names(link.node) for link in statement.links)
    for name, by_label in rows.items():
        if name not in setting.given and len({len(row) for row in by_label.values()}) == 1:
            _keep(setting, name, list(by_label.values()), tuple(by_label))
    setting.ordered = _ordered(statements)
    setting.listed += told_words(text)
    divisor = _divisor(statements, text)
    setting.divisor, setting.unsaid = (divisor, False) if divisor else _usual_divisor(text)
    if setting.divisor == f"sqrt({_width(setting)})":
        setting.divisor = ROOT
    setting.meant = written_out(statements, setting.given)
    named = _addressed(statements)
    setting.foreign = not named <= SIMPLE
    setting.shifted = "exp_shifted" in named
    setting.whole = any(map(text.lower().__contains__, INTEGERS)) and WHOLE.search(text) is not None
    setting.by_embeddings = any(_is_own_product(link.node) for statement in statements for link in statement.links)
    _forget_what_follows(setting)
    return setting


def _addressed(statements: Sequence[Statement]) -> set[str]:
    """The arrays that addresses name before the weights: "Step 4: shifted exponentials (exp_shifted)"."""
    found: set[str] = set()
    for statement in statements:
        names = {addressed(text) for text in (statement.label, statement.heading, *statement.above)}
        found |= {name for name in names if name is not None}
        if found - SIMPLE or ("weight" in names and isinstance(statement.links[-1].node, Mat)):
            break
    return found


def _listed(statement: Statement) -> Iterator[tuple[str, ...]]:
    """Words that are listed as those of the rows of a matrix."""
    for text in (statement.label, statement.heading):
        yield from _listed_in(text)


@lru_cache(MOST_TEXTS)
def _listed_in(text: str) -> Sequence[tuple[str, ...]]:
    return [words for found in LISTED.finditer(text) if (words := separated(found[1]))]


def _ordered(statements: Iterable[Statement]) -> list[tuple[str, ...]]:
    """The words that label the rows of each block of labelled rows; none of one whose words only count, or repeat."""
    blocks: list[tuple[str, ...]] = []
    for _, block in groupby(statements, key=lambda statement: statement.heading if statement.row else ""):
        rows = tuple(statement.row for statement in block)
        if len(rows) > 1 and all(rows) and len(set(rows)) == len(rows) and not any(map(NO_WORDS.search, rows)):
            blocks.append(rows)
    return blocks


def _width(setting: Setting) -> int:
    """d_k, as far as the inputs tell it; else 0."""
    for name in ("Q", "K", "W_Q", "W_K"):
        if setting.given.get(name):
            return len(setting.given[name][0])
    return 0


def _take(statement: Statement, setting: Setting, rows: dict[str, dict[str, list[Num]]]) -> None:
    """Keep the statement's numbers if it gives an input."""
    first = statement.links[0].node
    values = [link.node for link in statement.links if pure(link.node)]
    if not values or any(_works_out(link.node) for link in statement.links):
        return
    shared = _shared_names(statement)
    if shared:
        for array in shared:
            if array not in setting.given and isinstance(values[-1], Mat):
                _keep(setting, array, number_rows(values[-1]), values[-1].row_labels)
        return
    name, index = name_of(statement)
    if name is None or name not in GIVEN or name in setting.given:
        return
    numbers = number_rows(values[-1])
    if any(item.startswith("^") for item in index):
        return  # several heads, each with names of its own
    if isinstance(values[-1], Num) and (name == "score" or len(index) > 1):
        return  # one cell, or the formula of all
    if index and len(numbers) > 1:  # a column is a vector; a matrix is one of several, each with a name of its own
        numbers = [[row[0] for row in numbers]] if max(map(len, numbers)) == 1 else []
    if index or (len(numbers) == 1 and len(numbers[0]) > 1 and _row_name(statement)):
        label = index[0] if index else _row_name(statement)
        if numbers:
            rows.setdefault(name, {}).setdefault(label, numbers[0])
    elif isinstance(values[-1], Mat) and name not in rows and not (len(numbers) == 1 and _is_aside(statement)):
        _keep(setting, name, numbers, values[-1].row_labels)
        if isinstance(first, Sym):
            setting.symbols[name] = first.name


def _is_aside(statement: Statement) -> bool:
    """Whether a list stands in a sentence that does not end with the array's name: "X·W_Q would give (0, 2)"."""
    if statement.bind or statement.kind != "prose" or isinstance(statement.links[0].node, Sym):
        return False
    return bool(statement.label) and not ends_with_name(statement.label)


def name_of(statement: Statement) -> tuple[str | None, tuple[str, ...]]:
    """The array that a statement names, by its mark, its symbol or its words, and the symbol's subscripts."""
    first = statement.links[0].node
    if statement.bind:
        return statement.bind.partition("[")[0], ()
    if isinstance(first, Sym):
        return array_of(first.name, first.index)
    named = array_of_label(statement)
    if named is None and not names_several(statement.heading):
        named = array_of_words(statement.heading)
    return named, ()


def means_input(setting: Setting, array: str | None, symbol: str) -> bool:
    """Whether a symbol may stand for an array: an input given as ``X`` is not what the document calls ``E``."""
    given = setting.symbols.get(array or "", symbol)
    return given[:1].lower() == symbol[:1].lower()


def _shared_names(statement: Statement) -> list[str]:
    """The inputs that one matrix is given for: ``q = k = [[1, 0], [0, 1]]``."""
    symbols = [link.node for link in statement.links if isinstance(link.node, Sym)]
    arrays = [array_of_name(symbol.name) for symbol in symbols if not symbol.index]
    known = [array for array in arrays if array is not None and array in GIVEN]
    return known if len(known) > 1 else []


def _works_out(node: Node) -> bool:
    """Whether a member of a chain works something out."""
    if isinstance(node, (Op, Call)):
        return True
    return isinstance(node, Mat) and any(isinstance(cell, (Op, Call)) for row in node.rows for cell in row)


def _is_own_product(node: Node) -> bool:
    if not isinstance(node, Op) or node.op != "*" or not isinstance(node.left, Sym):
        return False
    other = node.right
    return (
        isinstance(other, Call)
        and other.name == "transpose"
        and isinstance(other.args[0], Sym)
        and (other.args[0].name, other.args[0].index) == (node.left.name, ())
        and array_of_symbol(node.left.name) == "X"
    )


def _names(node: Node) -> bool:
    """Whether an expression holds a name."""
    if isinstance(node, Op):
        return _names(node.left) or _names(node.right)
    if isinstance(node, Call):
        return any(_names(argument) for argument in node.args)
    return isinstance(node, Sym)


def _row_name(statement: Statement) -> str:
    """The word that a label names besides the array."""
    for word in re.findall(r"[「“\"'‘](.+?)[」”\"'’]", statement.label):
        return str(word)
    parts = [part for part in FILLER.split(BETWEEN.sub(" ", statement.label)) if part and array_of_words(part) is None]
    return parts[-1] if len(parts) == 1 else ""


def _keep(setting: Setting, name: str, numbers: list[list[Num]], labels: tuple[str, ...]) -> None:
    setting.given[name] = numbers
    setting.first[name] = min((number.span.cell or 0, number.span.start) for row in numbers for number in row)
    setting.labels[name] = labels
    setting.where.update((number.span.cell, number.span.start) for row in numbers for number in row)


def pure(node: Node) -> bool:
    """Whether a node is a number, or a matrix of nothing but numbers."""
    return (node.numbers if isinstance(node, Mat) else number_of(node)) is not None


def number_rows(node: Node) -> list[list[Num]]:
    """The numbers of a pure node, row by row."""
    if isinstance(node, Mat):
        return node.numbers or []
    number = number_of(node)
    return [] if number is None else [[number]]


def _forget_what_follows(setting: Setting) -> None:
    """Q, K and V are claims, not inputs, where X and their weights are given."""
    for letter in "QKV":
        if "X" in setting.given and f"W_{letter}" in setting.given and letter in setting.given:
            for row in setting.given.pop(letter):
                setting.where.difference_update((number.span.cell, number.span.start) for number in row)
    if "score" in setting.given and {"Q", "K"} <= setting.given.keys() | {
        letter for letter in "QK" if f"W_{letter}" in setting.given
    }:
        for row in setting.given.pop("score"):
            setting.where.difference_update((number.span.cell, number.span.start) for number in row)


def _divisor(statements: Iterable[Statement], text: str) -> str | None:
    """What the scores are divided by, read off the divisions that the document works out; None where there is none."""
    for statement in statements:
        if array_of_label(statement) == "weight" and not SCALING.search(statement.heading + statement.label):
            continue
        for link in statement.links:
            for node in () if pure(link.node) else _divisions(link.node):
                found = _as_divisor(node)
                if found is not None:
                    return found
    for said in DIVIDED.finditer(text):
        if SCORES.search(text[max(0, said.start() - NEAR) : said.start()]):
            return f"sqrt({said[2]})" if said[1] else str(said[2])
    return None


def _usual_divisor(text: str) -> tuple[str, bool]:
    """What is usual where no division is worked out, by the words of a document, and whether those leave it open."""
    spoken = UNSCALED.sub("", text) if "缩放" in text or "scal" in text.lower() else text
    if SCALING.search(spoken):
        return ROOT, SCALING.search(DIMENSION.sub("", spoken)) is None
    return UNDIVIDED, spoken == text


def _divisions(node: Node) -> Iterator[Node]:
    """Right operands of the divisions in a node whose left is no exponential."""
    for part in nodes(node):
        if isinstance(part, Op) and part.op == "/" and not _has_exponential(part.left) and _may_be_score(part.left):
            yield part.right


def _has_exponential(node: Node) -> bool:
    if isinstance(node, Call):
        return node.name == "exp" or any(_has_exponential(argument) for argument in node.args)
    return isinstance(node, Op) and (_has_exponential(node.left) or _has_exponential(node.right))


def _may_be_score(node: Node) -> bool:
    """Names and matrices always; a number where its quotient is by a small constant, which the caller tests."""
    return isinstance(node, (Sym, Mat, Num, Op, Neg))


def _as_divisor(node: Node) -> str | None:
    if isinstance(node, Call) and node.name == "sqrt" and len(node.args) == 1:
        inner = node.args[0]
        if isinstance(inner, Num) and inner.value > 0:
            return f"sqrt({inner.value})"
        return ROOT if isinstance(inner, Sym) and inner.name.startswith("d") else None
    if isinstance(node, Num) and 1 < node.value < 32:
        root = node.value**2
        nearest = round(root)
        if nearest and abs(root - nearest) <= nearest * NEAR_ROOT:
            return str(node.text)
    return None


def _mapping(setting: Setting, mask: str | Sequence[Sequence[int]]) -> dict[str, Any]:
    """The setting as an example file would say it."""
    given = {
        name: [[setting.meant.get(number.text) or _written(number) for number in row] for row in rows]
        for name, rows in setting.given.items()
    }
    if set(given) == {"X"} and setting.by_embeddings:  # words that look at each other by their embeddings alone
        given = dict.fromkeys("QKV", given["X"])
    queries, keys = setting.shape()
    words = _words(setting, keys)
    data: dict[str, Any] = {"tokens": words[:queries], "inputs": given}
    if queries != keys:
        data["tokens"] = _query_words(setting, queries, words)
        data["key_tokens"] = words
    softmax = "shifted" if setting.shifted else "plain"
    data["attention"] = {"divide_by": setting.divisor, "mask": mask, "softmax": softmax}
    return data


def _written(number: Num) -> str:
    if number.infinite:
        return "-inf"
    return str(number.value)


def _words(setting: Setting, count: int) -> list[str]:
    for name in ("K", "context", "X", "V", "Q", "score"):
        labels = setting.labels.get(name, ())
        if len(labels) == count and all(labels):
            return list(labels)
    for labels in setting.seen:
        if len(labels) == count and all(labels) and len(set(labels)) == count:
            return list(labels)
    for words in (*setting.listed, *setting.ordered):
        if len(words) == count:
            return list(words)
    return [f"{INVENTED}{place + 1}" for place in range(count)]


def _query_words(setting: Setting, count: int, words: list[str]) -> list[str]:
    labels = setting.labels.get("Q") or setting.labels.get("X", ())
    if len(labels) == count and all(labels):
        return list(labels)
    for ordered in setting.ordered:
        if len(ordered) == count:
            return list(ordered)
    return [f"q{INVENTED}{place + 1}" for place in range(count)]
