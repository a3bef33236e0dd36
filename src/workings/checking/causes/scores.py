"""Slips on the way to the scaled scores: products, transposes, strides, the scale and the softcap."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, partial

from workings.checking.causes.cause import Cause
from workings.checking.causes.rewrite import (
    CELL,
    OUTPUT,
    WEIGHT,
    Change,
    Make,
    always,
    change,
    mask_of,
    negative,
    of_formula,
    unmasked,
)
from workings.steps.attention import may_look
from workings.steps.language import (
    Add,
    At,
    Calc,
    Compare,
    Const,
    Div,
    Expr,
    If,
    Index,
    Mul,
    Size,
    Sqrt,
    Sub,
    Sum,
    Tanh,
    rebuild,
)
from workings.steps.recipe import Recipe
from workings.steps.step import Op

Changes = Callable[[Recipe], Iterator[Recipe | None]]
SCORE = At("score", *CELL)
ROOT = Sqrt(Size("d_k"))
PLACES = (0, 1, 2, 3)


def scaled_as(make: Callable[[Recipe, Expr], Expr | None]) -> Changes:
    """The scaled scores made otherwise; ``make`` sees the recipe and the declared formula."""

    def changes(recipe: Recipe) -> Iterator[Recipe | None]:
        yield change(recipe, "scaled", lambda found, op: make(found, op.step.formula))

    return changes


def _divisor(formula: Expr) -> Expr | None:
    return formula.right if isinstance(formula, Div) else None


def _twice(_: Recipe, formula: Expr) -> Expr | None:
    divisor = _divisor(formula)
    return None if divisor is None else Div(formula, divisor)


def _multiplied(_: Recipe, formula: Expr) -> Expr | None:
    divisor = _divisor(formula)
    return None if divisor is None else Mul(SCORE, divisor)


def _by(divisor: Callable[[Recipe], Expr | None]) -> Changes:
    def make(recipe: Recipe, _: Expr) -> Expr | None:
        found = divisor(recipe)
        return None if found is None else Div(SCORE, found)

    return scaled_as(make)


def _width(recipe: Recipe) -> Expr | None:
    return Size("d_k") if recipe.sizes.get("d_k") else None


def _model(recipe: Recipe) -> Expr | None:
    if recipe.sizes.get("d_model"):
        return Sqrt(Size("d_model"))
    if recipe.sizes.get("d_k") and recipe.sizes["heads"] > 1:
        return Sqrt(Mul(Size("heads"), Size("d_k")))
    return None


def _folded(recipe: Recipe) -> Iterator[Recipe | None]:
    """The scale is in the scores already; what is called scaled is the same again."""
    scaled = next((op.step.formula for op in recipe.ops if op.step.name == "scaled"), None)
    divisor = _divisor(scaled) if scaled is not None else None
    if divisor is not None:
        early = change(recipe, "score", lambda _, op: Div(op.step.formula, divisor))
        yield change(early, "scaled", lambda _, __: SCORE) if early is not None else None


def _neighbours(recipe: Recipe) -> Iterator[Recipe | None]:
    """√d_k as an author may round or cut it, and the root itself where the author declares another number.

    Not by 1: whoever divides by that leaves the scale out.
    """
    width = recipe.sizes.get("d_k")
    for share in _shares(width) if width else ():
        yield change(recipe, "scaled", always(share))


@lru_cache
def _shares(width: int) -> list[Expr]:
    root = math.sqrt(width)
    near: set[Fraction] = set()
    for places in PLACES:
        power = 10**places
        near |= {Fraction(round(root * power), power), Fraction(math.isqrt(width * power * power), power)}
    divisors: list[Expr] = [ROOT, *(Const(value) for value in sorted(near) if value > 1 and value * value != width)]
    return [Div(SCORE, divisor) for divisor in divisors]


def _untransposed(recipe: Recipe) -> Iterator[Recipe | None]:
    def make(found: Recipe, op: Op) -> Expr | None:
        if found.sizes.get("d_k") != found.sizes_of(op)["key"]:
            return None
        return Sum("d_k", Mul(At("Q", "query", "d_k"), At("K", "d_k", "key")))

    yield change(recipe, "score", make)


def _scores_transposed(recipe: Recipe) -> Iterator[Recipe | None]:
    """K·Qᵀ for Q·Kᵀ, where there are as many keys as queries."""

    def make(found: Recipe, op: Op) -> Expr | None:
        sizes = found.sizes_of(op)
        if sizes["query"] != sizes["key"]:
            return None
        return Sum("d_k", Mul(At("Q", "key", "d_k"), At("K", "query", "d_k")))

    yield change(recipe, "score", make)


def _weights_transposed(recipe: Recipe) -> Iterator[Recipe | None]:
    """X·Wᵀ for X·W, for each of the weights that is square, and for all of them."""
    yield from _each_and_all(recipe, lambda letter: partial(_turned, weights=f"W_{letter}"), output=True)


def _each_and_all(recipe: Recipe, of: Callable[[str], Make], *, output: bool) -> Iterator[Recipe | None]:
    """Projections altered one by one, and those of queries, keys and values together; that of the output if wanted."""
    altered = []
    for letter in "QKV":
        for step in (letter, f"{letter.lower()}_proj"):
            one = change(recipe, step, of(letter))
            altered += [] if one is None else [(step, letter)]
            yield one
    whole = recipe
    for step, letter in altered:
        whole = change(whole, step, of(letter)) or whole
    yield whole if len(altered) > 1 else None
    if output:
        yield change(recipe, "output", of("O"))
        yield change(whole, "output", of("O")) if whole is not recipe else None


def _turned(recipe: Recipe, op: Op, weights: str) -> Expr | None:
    formula = _transposed(op.step.formula, weights)
    if formula == op.step.formula:
        return None
    shape = recipe.array(recipe.source(op, weights)).shape
    return formula if len(set(shape)) == 1 else None


def _transposed(node: Expr, name: str) -> Expr:
    if isinstance(node, At) and node.name == name:
        return At(node.name, *reversed(node.index), head=node.head)
    return rebuild(node, lambda child: _transposed(child, name))


def _biases_missing(recipe: Recipe) -> Iterator[Recipe | None]:
    """A projection without its bias, or all of them without theirs."""
    yield from _each_and_all(recipe, lambda letter: of_formula(_without, f"b_{letter}"), output=True)


def _without(formula: Expr, name: str) -> Expr | None:
    """A sum without the term that is a cell of an array; None where there is none."""
    terms = formula.terms if isinstance(formula, Add) else ()
    left = [term for term in terms if not (isinstance(term, At) and term.name == name)]
    return left[0] if left and len(left) < len(terms) else None


# --- strides -------------------------------------------------------------------------------------------------------


def _misread(name: str, row: str, column: str) -> At:
    """A transposed view read as if it lay row by row."""
    flat = Calc("+", Calc("*", row, Size(column)), column)
    return At(name, Calc("%", flat, Size(row)), Calc("//", flat, Size(row)))


def _strides(recipe: Recipe) -> Iterator[Recipe | None]:
    values = Sum("key", Mul(At(WEIGHT, *CELL), _misread("V", "key", "d_v")))
    keys = Sum("d_k", Mul(At("Q", "query", "d_k"), _misread("K", "key", "d_k")))
    yield change(recipe, OUTPUT, lambda _, __: values)
    yield change(recipe, "score", lambda _, __: keys)


def _one_token_off(recipe: Recipe) -> Iterator[Recipe | None]:
    """Each token has its neighbour's row of K and V, round the end or with zeros beyond it; or of one of the two."""
    for whole, empty, values, lost in NEIGHBOURS:
        keys = change(recipe, "score", whole)
        both = change(keys or recipe, OUTPUT, values)
        yield both
        yield change(change(recipe, "score", empty) or recipe, OUTPUT, lost)
        if both is not keys:
            yield keys
            yield change(recipe, OUTPUT, values)


def _beside(by: int, edge: Index, opposite: Index) -> tuple[Make, Make, Make, Make]:
    """Scores and outputs of the tokens that stand so far off; round the end, or with zeros beyond it."""
    other = Calc("%", Calc("+", "key", by), Size("key"))
    score = Sum("d_k", Mul(At("Q", "query", "d_k"), At("K", other, "d_k")))
    output = Sum("key", Mul(At(WEIGHT, *CELL), At("V", other, "d_v")))
    lost = Mul(At(WEIGHT, "query", edge), At("V", opposite, "d_v"))
    empty = If(Compare("==", "key", edge), Const(0), score)
    return always(score), always(empty), always(output), always(Sub(output, lost))


LAST = Calc("-", Size("key"), 1)
NEIGHBOURS = (_beside(1, LAST, 0), _beside(-1, 0, LAST))


# --- softcap -------------------------------------------------------------------------------------------------------


def _capped(node: Expr) -> Expr:
    return Mul(At("softcap"), Tanh(Div(node, At("softcap"))))


def _cap_after_mask(recipe: Recipe) -> Iterator[Recipe | None]:
    """The cap turns the mask's -inf into -cap."""
    if recipe.spec.softcap is None:
        return
    condition = may_look(mask_of(recipe))
    if condition is not None:
        yield change(recipe, "masked", lambda _, op: If(condition, unmasked(op.step.formula), negative(At("softcap"))))
    if recipe.spec.bias or recipe.spec.position == "alibi":
        early = change(recipe, "capped", lambda _, __: At("scaled", *CELL))
        yield change(early, "masked", lambda _, op: _capped(op.step.formula)) if early is not None else None


def _cap_missing(recipe: Recipe) -> Iterator[Recipe | None]:
    yield change(recipe, "capped", lambda _, __: At("scaled", *CELL))


def _cap_before_scale(recipe: Recipe) -> Iterator[Recipe | None]:
    def make(found: Recipe, op: Op) -> Change | None:
        scaled = found.op(op.name.called("scaled"))
        divisor = _divisor(scaled.step.formula) if scaled is not None else None
        if scaled is None or divisor is None:
            return None
        return Change(Div(_capped(SCORE), divisor), scaled.arrays)

    yield change(recipe, "capped", make)


# --- heads ---------------------------------------------------------------------------------------------------------


def _tiled(recipe: Recipe) -> Iterator[Recipe | None]:
    """Query head h reads key/value head h % n in place of h // (heads / n)."""
    heads, kv_heads = recipe.sizes["heads"], recipe.sizes["kv_heads"]
    if not 1 < kv_heads < heads:
        return

    def make(letter: str) -> Callable[[Recipe, Op], Change]:
        def bound(found: Recipe, op: Op) -> Change:
            group = found.kv_name(letter, op.name.layer, (op.name.head or 0) % kv_heads)
            return Change(op.step.formula, {letter: group})

        return bound

    keys = change(recipe, "score", make("K"))
    yield change(keys or recipe, OUTPUT, make("V"))


def _summed_queries(recipe: Recipe) -> Iterator[Recipe | None]:
    """The queries of a group added up instead of sharing its keys."""
    heads, kv_heads = recipe.sizes["heads"], recipe.sizes["kv_heads"]
    if heads == kv_heads:
        return
    size = heads // kv_heads
    first = Calc("*", "group", size)
    products = [
        Sum("d_k", Mul(At("Q", "query", "d_k", head=Calc("+", first, member)), At("K", "key", "d_k")))
        for member in range(size)
    ]
    yield change(recipe, "score", lambda _, __: Add(*products))


def _repeated_tokens(recipe: Recipe) -> Iterator[Recipe | None]:
    """Keys and values repeated along the tokens instead of the heads."""
    heads, kv_heads = recipe.sizes["heads"], recipe.sizes["kv_heads"]
    if heads == kv_heads:
        return
    early = Calc("//", "key", heads // kv_heads)
    score = Sum("d_k", Mul(At("Q", "query", "d_k"), At("K", early, "d_k")))
    output = Sum("key", Mul(At(WEIGHT, *CELL), At("V", early, "d_v")))
    keys = change(recipe, "score", lambda _, __: score)
    yield change(keys or recipe, OUTPUT, lambda _, __: output)


def _other_split(recipe: Recipe) -> Iterator[Recipe | None]:
    """Heads taken as every n-th column of a projection, or of all of them, instead of neighbouring ones."""
    if recipe.sizes["heads"] > 1:
        yield from _each_and_all(recipe, _split, output=False)


def _split(letter: str) -> Make:
    """The columns of one projection in the other order."""
    unit, count = ("head", "heads") if letter == "Q" else ("group", "kv_heads")
    width = "d_v" if letter == "V" else "d_k"
    straight = Calc("+", Calc("*", unit, Size(width)), width)
    other = Calc("+", Calc("*", width, Size(count)), unit)
    return of_formula(_reindexed, straight, other)


def _reindexed(formula: Expr, straight: Calc, other: Calc) -> Expr | None:
    def turn(node: Expr) -> Expr:
        if isinstance(node, At):
            return At(node.name, *(other if item == straight else item for item in node.index), head=node.head)
        return rebuild(node, turn)

    found = turn(formula)
    return found if found != formula else None


def _zeros(recipe: Recipe) -> Iterator[Recipe | None]:
    yield change(recipe, (OUTPUT, WEIGHT, "score"), lambda _, __: Const(0))


def _title(en: str, zh: str) -> dict[str, str]:
    return {"en": en, "zh": zh}


SCORES = (
    Cause("scale:missing", _title("the scale was left out", "漏了缩放"), scaled_as(lambda _, __: SCORE)),
    Cause("scale:d_k", _title("divided by d_k instead of √d_k", "除以 d_k 而不是 √d_k"), _by(_width)),
    Cause(
        "scale:sqrt-d_model",
        _title("divided by √d_model, the width of all heads together", "除以 √d_model（所有头合起来的宽度）"),
        _by(_model),
    ),
    Cause("scale:twice", _title("the scale was applied twice", "缩放做了两次"), scaled_as(_twice)),
    Cause(
        "scale:multiplied",
        _title("multiplied by the divisor instead of divided", "该除以除数却乘了它"),
        scaled_as(_multiplied),
    ),
    Cause("scale:folded", _title("the scale is in the scores already", "得分里已经含有缩放"), _folded),
    Cause(
        "declared-constant",
        _title("another rounding of √d_k was used", "用了 √d_k 的另一个近似值"),
        _neighbours,
    ),
    Cause("k-untransposed", _title("K was not transposed", "K 没有转置"), _untransposed),
    Cause(
        "score-transposed",
        _title(
            "rows and columns of the scores are exchanged: K·Qᵀ in place of Q·Kᵀ", "得分的行列互换：用 K·Qᵀ 代替了 Q·Kᵀ"
        ),
        _scores_transposed,
    ),
    Cause("w-transposed", _title("X·Wᵀ in place of X·W", "用 X·Wᵀ 代替了 X·W"), _weights_transposed),
    Cause(
        "projection-bias",
        _title("the bias of a projection was left out", "漏了投影的偏置"),
        _biases_missing,
    ),
    Cause(
        "strides",
        _title("a transposed view was read as if it lay row by row", "转置的视图被当作按行连续来读"),
        _strides,
    ),
    Cause(
        "kv-offset",
        _title("keys or values were read one token too early or too late", "键或值读早或读晚了一个词"),
        _one_token_off,
    ),
    Cause(
        "softcap-order:after-mask",
        _title("the softcap came after the mask and lifted −∞ to −cap", "软上限放在掩码之后，把 −∞ 抬到了 −cap"),
        _cap_after_mask,
    ),
    Cause("softcap-order:missing", _title("the softcap was left out", "漏了软上限"), _cap_missing),
    Cause(
        "softcap-order:before-scale",
        _title("the softcap came before the scale", "软上限放在了缩放之前"),
        _cap_before_scale,
    ),
    Cause(
        "gqa-order:tiled",
        _title(
            "key/value heads repeated in turn (0 1 0 1) instead of each in a row (0 0 1 1)",
            "键值头按 0 1 0 1 平铺，而不是 0 0 1 1 逐个重复",
        ),
        _tiled,
    ),
    Cause(
        "gqa-order:summed-queries",
        _title("the queries of a group were added up instead of sharing its keys", "把同组的查询相加，而不是共用键"),
        _summed_queries,
    ),
    Cause(
        "gqa-order:repeated-tokens",
        _title("keys and values were repeated along the tokens, not the heads", "键和值沿词而不是沿头重复"),
        _repeated_tokens,
    ),
    Cause(
        "head-split",
        _title("heads were split in the other order: every n-th column", "按另一种次序拆分了头：每隔 n 列取一列"),
        _other_split,
    ),
    Cause("block-mask", _title("blocks were never computed: all zeros", "有些块根本没算：全为 0"), _zeros),
)
