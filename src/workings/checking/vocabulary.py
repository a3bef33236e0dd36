"""Which array a document means by a name or by words: symbols, and phrases in several languages.

The names that the steps' own declarations give are read from there; here stand only the other names that authors use.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from workings.checking.notation import Statement
from workings.steps import attention, block, position, projection, softmax
from workings.steps.declared import names, plain
from workings.steps.inputs import INPUTS
from workings.steps.recipe import DERIVED
from workings.steps.spec import AttentionSpec, Mask
from workings.steps.step import Step

# array -> what else authors call it, in lower case
ALSO: dict[str, str] = {
    "X": ("input matrix | input embeddings | embeddings | embedding | input vectors | 输入矩阵 | 词向量 | 嵌入"),
    "Q": "query | query matrix | query vector | query vectors | 查询 | 查询矩阵 | 查询向量",
    "K": "key | key matrix | key vector | key vectors | 键 | 键矩阵 | 键向量",
    "V": "value | value matrix | value vector | value vectors | 值 | 值矩阵 | 值向量",
    "W_Q": "query weights | weight matrix for queries | 查询权重",
    "W_K": "key weights | weight matrix for keys | 键权重",
    "W_V": "value weights | weight matrix for values | 值权重",
    "W_O": "output weights | output projection | 输出权重 | 输出投影",
    "score": (
        "score | raw scores | attention scores | score matrix | dot products | dot product | "
        "得分矩阵 | 分数矩阵 | 注意力得分 | 注意力分数 | 原始得分 | 分数 | 点积 | 相似度 | "
        "점수 | qk^t | qkᵀ"
    ),
    "scaled": (
        "scaled | scaled score | scaling | scaled attention scores | scaled dot products | "
        "after scaling | scale by | 스케일링 | 缩放得分 | 缩放后 | 缩放 | scaled matrix | logits"
    ),
    "masked": (
        "masked | after masking | masked matrix | masked scaled scores | masked attention scores | masked logits | "
        "掩码后 | 遮蔽后 | 掩码得分 | 掩码后的得分矩阵 | mask applied"
    ),
    "exp": "exponential | exponentials | exponentiating | exponents | numerators | exp | 指数值 | 指数",
    "exp_sum": (
        "row sum | row sums | sum | sums | denominator | denominators | total | totals | normaliser | normalizer | "
        "分母 | 总和 | 求和 | 之和 | 的和 | 和为 | 和是 | 和约 | 指数和 | 行和"
    ),
    "weight": (
        "weights | attention weight | attention matrix | attention distribution | softmax | "
        "probabilities | probability | attention probabilities | 权重 | 权重矩阵 | "
        "注意力权重矩阵 | 注意力矩阵 | 概率 | 注意力分布 | 가중치"
    ),
    "head_output": (
        "attention output | head output | context vector | context vectors | context | "
        "输出向量 | 新向量 | 加权求和 | 上下文向量 | weighted sum | new representation"
    ),
    "output": "outputs | final output | 最终输出 | 输出 | result",
}
SYMBOLS: dict[str, str] = {
    **{name: name for name in ("X", "Q", "K", "V", "W_Q", "W_K", "W_V", "W_O")},
    **{"E": "X", "x": "X", "q": "Q", "k": "K", "v": "V", "S": "score", "s": "score", "A": "weight", "α": "weight"},
    **{
        "a": "weight",
        "P": "weight",
        "w": "weight",
        "O": "output",
        "o": "output",
        "Output": "output",
        "output": "output",
    },
    **{"Scores": "score", "scores": "score", "Scaled": "scaled", "Weights": "weight", "weights": "weight"},
    **{"WQ": "W_Q", "WK": "W_K", "WV": "W_V", "Wq": "W_Q", "Wk": "W_K", "Wv": "W_V", "W_q": "W_Q", "W_k": "W_K"},
    **{"w_query": "W_Q", "w_key": "W_K", "w_value": "W_V", "W_query": "W_Q", "W_key": "W_K", "W_value": "W_V"},
    **{"querys": "Q", "queries": "Q", "keys": "K", "values": "V", "query": "Q", "key": "K", "value": "V"},
    **{"W_v": "W_V", "w_q": "W_Q", "w_k": "W_K", "w_v": "W_V", "W_o": "W_O", "WO": "W_O"},
}
ALONE = {  # all that stands over a column, or over rows
    **{"q": "Q", "k": "K", "v": "V", "weight": "weight", "和": "exp_sum"},
    **{"queries": "Q", "keys": "K", "values": "V"},
}
DIGITS = re.compile(r"[0-9]+")
ADDRESS = re.compile(rf"[(（]((?:(?:{'|'.join(DERIVED)})\.)?(?:L\d{{1,4}}\.)?(?:[HG]\d{{1,4}}\.)?([A-Za-z_]\w*))[)）]")
LOOKED_UP = {"embedding": "X"}
SIMPLE = frozenset(  # what one head of attention works out by itself, whatever the document calls it
    (
        *("X", "Q", "K", "V", "W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O", "score", "scaled", "masked"),
        *("exp", "exp_sum", "row_max", "exp_shifted", "exp_shifted_sum", "weight", "lse", "head_output", "output"),
        *("divide_by", "embedding_table", "context"),
        "W_U",  # read behind the weights alone
    )
)
LONE = re.compile(r"(?<![A-Za-z_^])(W_?[QKVO]|[QKVX])(?![A-Za-z_^])")
SCORE = re.compile(r"\bQ\s*[·@*×]?\s*K\s*(?:\^\s*\{?\s*(?:T\b|ᵀ|⊤)\}?|ᵀ|⊤|\.T\b)")  # "then Q K^T is"
IDENTIFIER = re.compile(r"[\"'`]?[a-z]+(?:_[a-z]+)+[\"'`]?")  # "scaled_scores"
ASIDE = re.compile(r"[(（].*?[)）]")
STEPS = ("score", "scaled", "masked", "exp", "exp_sum", "weight", "output", "head_output")
EITHER = ("attention", "attn", "w_attn", "注意力")  # weights to one author, what is made of them to another
STATES = {  # what a bracket behind a name says was done already: "scores (after softmax)", 得分（缩放后）
    "scaled": re.compile(
        r"(?:after |post-?)(?:scaling|dividing.*)|scaled(?: by .*)?|(?:when |if )?divided by .*"
        r"|已?缩放(?:之?后)?|(?:除以|÷).*",
        re.IGNORECASE,
    ),
    "masked": re.compile(r"(?:after |post-?)(?:the )?mask(?:ing)?|masked|(?:加?掩码|遮蔽|遮罩)之?后", re.IGNORECASE),
    "weight": re.compile(
        r"(?:after |post-?)(?:the )?(?:softmax|normali[sz]ation)|normali[sz]ed|(?:过|经|经过)?\s*softmax\s*之?后"
        r"|归一化(?:之?后)?",
        re.IGNORECASE,
    ),
}
LAST_ASIDE = re.compile(r"[(（]([^()（）]*)[)）]$")
OF = re.compile(r" (?:of|for) ")
DIVIDED = re.compile(
    r"(?:\bdivid\w+(?:(?:\s+[\w']+){1,5}?\s+by\b)?|除以)\D{0,12}?(?:√|\bsqrt|\broot|根号|平方根)", re.IGNORECASE
)
OVER = re.compile(r"[/÷]\s*(?:√|\\?sqrt\b|[0-9])", re.IGNORECASE)  # behind a name: "score / √2"
LATIN = re.compile(r"[a-z0-9]+")
LAST_WORD = re.compile(r"[a-z0-9]+$")
MOST_TEXTS = 1_024  # labels and headings kept with what they name
ELSEWHERE = re.compile(r"\b(?:elsewhere|otherwise)\b|其余|其他位置|否则", re.IGNORECASE)  # one case of several
LATEST = 64  # of them, and of names, those told last: the same stand in many statements
TOLD = re.compile(r"(?=[tw词])(?:\btokens?|\bwords?|词|词元)[ \t]*[:：]([^\n:：=|()（）]{3,80})", re.IGNORECASE)
SEPARATOR = re.compile(r"[,，、]|\band\b")
QUOTED = re.compile(r"[「“‘\"][^「」“”‘’\"\n]{1,40}[」”’\"]")  # a word that is spoken of
COPULA = re.compile(r"\b(?:are|were|was|become|becomes|then|come out as|as follows)\b", re.IGNORECASE)
WORD = re.compile(r"[A-Za-z]{3,}|[\u4e00-\u9fff]{2,}")
GIVEN = ("X", "context", "Q", "K", "V", "W_Q", "W_K", "W_V", "W_O", "score", "b_Q", "b_K", "b_V")


@cache
def phrases() -> tuple[tuple[str, str], ...]:
    """(phrase, array), longest first, so that "attention weights" wins over "attention"."""
    found: dict[str, str] = {}
    steps = [step for module in (projection, position, attention, softmax, block) for step in vars(module).values()]
    for step in (*steps, attention.masked(AttentionSpec(mask=Mask("causal")))):
        if isinstance(step, Step):
            for title in step.title.values():
                found.setdefault(title.lower(), step.name)
    for name, declared in INPUTS.items():
        if name in GIVEN:
            for title in declared.title.values():
                found.setdefault(title.lower(), name)
    for name, words in ALSO.items():
        found.update(dict.fromkeys(words.split(" | "), name))
    return tuple(sorted(found.items(), key=lambda item: -len(item[0])))


def is_phrase(text: str) -> bool:
    """Whether a text is one of the phrases and nothing else."""
    return any(phrase == text for phrase, _ in phrases())


def array_of_symbol(name: str) -> str | None:
    """The array that a bare symbol usually stands for, unless the document says otherwise."""
    return SYMBOLS.get(name)


def array_of_name(name: str) -> str | None:
    """The array that a name in mathematics or code stands for: ``W_Q``, ``attn_weights``, ``Attention weights``."""
    known = array_of_symbol(name)
    return known if known is not None or (len(name) < 3 and name.isascii()) else array_of_words(name.replace("_", " "))


@lru_cache(LATEST)
def array_of(name: str, index: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """The array that a name with subscripts stands for, and the subscripts left: ``w`` with ``query`` is W_Q."""
    joined = array_of_symbol("_".join((name, *index[:1]))) if index else None
    return (joined, index[1:]) if joined is not None else (array_of_name(name), index)


@lru_cache(LATEST)
def array_of_words(text: str) -> str | None:
    """The array that a phrase names: the one named last, since labels end with what follows; None for none.

    Of an equation, the left side is what is named; of "exponentials of the scores", the exponentials.
    """
    told = addressed(text)
    if told is not None:
        return told
    if IDENTIFIER.fullmatch(text):
        return array_of_name(text.strip("\"'`"))
    left, equals, _ = text.partition("=")
    if equals:
        named = array_of_name(left.split()[-1] if left.split() else "") or array_of_words(left)
        if named is not None:
            return named
    if QUOTED.search(text):
        named = array_of_words(QUOTED.sub(" ", text))
        if named is not None:
            return named
    for found in OF.finditer(text):
        whole = _last_phrase(text[: found.start()])
        if whole is not None and whole[0] == found.start():
            later = array_of_words(text[found.end() :]) if whole[2] in GIVEN else None
            return later if later in STEPS else whole[2]  # "the values of the attention weights"
    best = _last_phrase(ASIDE.sub(" ", text)) or _last_phrase(text)  # brackets say what it is worked out from
    if best is not None:
        return "scaled" if best[2] == "score" and _is_divided(text, best[0]) else _as_it_became(best[2], text)
    if text.strip().lower() in ALONE:
        return ALONE[text.strip().lower()]
    if DIVIDED.search(text):
        return "scaled"
    product = SCORE.search(text)
    if product is not None:
        return "scaled" if _is_divided(text, product.end()) else "score"
    alone = list(LONE.finditer(text))
    return array_of_symbol(alone[-1][1]) if alone else None


def _is_divided(text: str, end: int) -> bool:
    """Whether words that end at an offset name what is divided: "dividing the scores by √2 gives", "score / √2"."""
    return OVER.search(text, end) is not None or any(found.end() > end for found in DIVIDED.finditer(text))


def _as_it_became(array: str, text: str) -> str:
    """The step that a bracket at the end of words says of scores, or of what was made of them: "scores (scaled)"."""
    aside = LAST_ASIDE.search(text) if text.endswith((")", "）")) else None
    order = ("score", *STATES)
    if aside is None or array not in order:
        return array
    later = order[order.index(array) + 1 :]
    return next((name for name in later if STATES[name].fullmatch(aside[1].strip())), array)


@lru_cache(LATEST)
def addressed(text: str) -> str | None:
    """The array whose address stands in brackets behind its title or its symbol: ``S′ (scaled)``, ``Q (H0.Q)``."""
    said = [found[1] for found in ADDRESS.finditer(text) if plain(found[2]) in names()]
    return LOOKED_UP.get(said[-1], said[-1]) if said else None


def array_of_label(statement: Statement) -> str | None:
    """The array that the words before a statement name; the word of a row names none."""
    return None if statement.row else array_of_words(statement.label)


def told_words(text: str) -> list[tuple[str, ...]]:
    """The words that a document lists as its tokens: "Tokens: sun, moon, star."."""
    return [words for found in TOLD.finditer(text) if (words := separated(found[1]))]


def separated(text: str) -> tuple[str, ...]:
    """The words of a list, each another; none where it is no list."""
    words = tuple(part.strip(" \t.。\"'“”‘’「」*`") for part in SEPARATOR.split(text))
    return words if len(words) > 1 and all(words) and len(set(words)) == len(words) else ()


def is_sum_of_weights(words: str) -> bool:
    """Whether words say that the weights are added up: "the row sums of the weights"."""
    parts = OF.split(words, maxsplit=1)
    return len(parts) == 2 and array_of_words(parts[0]) == "exp_sum" and array_of_words(parts[1]) == "weight"


def names_what_follows(label: str) -> bool:
    """Whether a label ends with the array's name: "the attention weights", not "the weights times the values"."""
    best = _last_phrase(label)
    return best is not None and not WORD.search(COPULA.sub(" ", ASIDE.sub("", label[best[0] :])))


def ends_with_name(words: str) -> bool:
    """Whether words end with what an array is called, be it a symbol alone, or its address in brackets."""
    last = list(LONE.finditer(words))
    lone = bool(last) and not WORD.search(ASIDE.sub("", words[last[-1].end() :]))
    return lone or names_what_follows(words) or addressed(words) is not None


def names_several(heading: str) -> bool:
    """Whether a heading names several arrays by their symbols, so that it does not say which one follows: "Q, K, V"."""
    return addressed(heading) is None and len({found[1] for found in LONE.finditer(heading)}) > 1


def speaks_of_several(text: str) -> bool:
    """Whether words outside brackets name more than one array: "the weights times the values"."""
    lowered = QUOTED.sub("", ASIDE.sub("", text)).lower()
    found = set()
    for phrase, name in phrases():
        at = lowered.find(phrase)
        if at >= 0 and not (phrase.isascii() and not _stands_alone(lowered, at, len(phrase))):
            found.add(name)
            lowered = lowered.replace(phrase, " ")
    return len(found) > 1


@cache
def _by_last_word() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """The phrases by the last Latin word of them, which a text must hold; those that end otherwise under ""."""
    found: dict[str, list[tuple[str, str]]] = {}
    for phrase, name in phrases():
        last = LAST_WORD.search(phrase) if phrase.isascii() else None
        found.setdefault(last[0] if last else "", []).append((phrase, name))
    return {word: tuple(items) for word, items in found.items()}


@lru_cache(MOST_TEXTS)
def _last_phrase(text: str) -> tuple[int, int, str] | None:
    """(end, length, array) of the phrase that ends last; the longest of those."""
    lowered = text.lower()
    best: tuple[int, int, str] | None = None
    known = _by_last_word()
    for phrase, name in (item for word in {"", *LATIN.findall(lowered)} for item in known.get(word, ())):
        at = lowered.rfind(phrase)
        if at < 0 or (phrase.isascii() and not _stands_alone(lowered, at, len(phrase))):
            continue
        end = at + len(phrase)
        if best is None or (end, len(phrase)) > (best[0], best[1]):
            best = (end, len(phrase), name)
    return best


def _stands_alone(text: str, start: int, length: int) -> bool:
    before, after = text[start - 1 : start], text[start + length : start + length + 1]
    return not (before.isascii() and before.isalnum()) and not (after.isascii() and after.isalnum())
