r"""Error bounds made from the declared formulas: what honest floating-point arithmetic may differ by, cell by cell.

A kernel computes each step of a recipe with rounded operations. Let u be the unit roundoff of the type it computes in
(2⁻²⁴ for float32) and fl(a ∘ b) = (a ∘ b)(1 + δ), |δ| ≤ u (Higham 2002, section 2.2). From that follows for every
formula of the value language a formula of its error. E(x) is the error of x; what a dump gives has none.

- Σ of n products, in any order, in blocks that are rescaled or in one go: no term meets more than 2n + 8 roundings, so
  with γ = (2n+8)u / (1 − (2n+8)u) (Higham 2002, lemma 3.1)
  E(Σ aᵢbᵢ) ≤ γ·Σ|aᵢ||bᵢ| + Σ(E(aᵢ)|bᵢ| + |aᵢ|E(bᵢ) + E(aᵢ)E(bᵢ)).
  It is taken with |Q|·|K| at each place: large numbers get room, small ones do not.
- a + b, a − b: E(a) + E(b) + u(|a| + |b|).
- a·b: |a|E(b) + |b|E(a) + E(a)E(b) + u|ab|.
- a/b: |a/b|r + E(a)(1 + r)/|b| + u|a/b| with r = E(b)/|b| where b is a sum of exponentials: for those this holds
  however large E(b) is, since Σ pᵢe^−δᵢ ≥ (Σ pᵢ)² / Σ pᵢe^δᵢ (Cauchy and Schwarz), so b is never below b²/(b + E(b)).
  For any other divisor r = E(b)/(|b| − E(b)).
- xⁿ: (|x| + E(x))ⁿ − |x|ⁿ, written out as a sum, + 16u(|x| + E(x))ⁿ.
- e^x: e^x·(e^E(x) − 1) + 4u·e^x, as long as a library's exponential is good to four units.
- ln x: ln(1 + E(x)/x) + 4u|ln x|, for the same reason. tanh, sin, cos: their slope is at most 1: E(x) + 4u.
- erf: its slope is at most 2/√π < 8/7. The sigmoid: its slope is at most 1/4, and it is made in three operations: 12u.
- max: the largest E(x) of those x that are above −∞.
- A row's maximum is subtracted and added again, or cancels: whatever it was, no error comes from it.
- A number kept in a type with unit roundoff v and smallest subnormal number s adds v|x| + s/2.
- Each of the n terms of a step's longest sum may underflow. In float32 and bfloat16 kernels are free to take what is
  smaller than the smallest normal number for 0 (as CUDA's fast mathematics does), so a kept number adds n times that;
  float16 and float64 are worked with their subnormal numbers everywhere, so there it is s/2, which in float64 no bound
  can tell from 0. Of a weight it is enough: an exponential that underflows is divided by a sum that is 1 at least.

Nothing is tuned: n, u, v and s are what the dump says. Our own float64 counts like theirs: u is u + 2⁻⁵³.
The formulas are written as they are cheapest to work out: |x| is x where no x can be negative, a step's own result
stands for its formula, and what is the same for a whole row is gathered before it meets the row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb

from workings.steps.language import (
    Add,
    At,
    Const,
    Cos,
    Div,
    Erf,
    Exp,
    Expr,
    If,
    Infinity,
    Larger,
    Log,
    Max,
    Mul,
    Number,
    Pi,
    Pow,
    Round,
    Sigmoid,
    Sin,
    Size,
    Sqrt,
    Sub,
    Sum,
    Tanh,
    Unary,
    absolute,
    children,
    walk,
)
from workings.steps.recipe import Recipe
from workings.steps.step import Op, Step
from workings.terms.address import Name
from workings.terms.numbers import FORMATS

ERROR, SIZE = " error", " size"
OURS = Fraction(1, 2**53)
LIBRARY = 4  # units by which an exponential, logarithm, sine … of a library may be off
POWER = 16
MOST_ROUNDINGS = 4  # one within the other, whose errors are told: each makes the formula twice as long
SOFTMAX = ("row_max", "exp_shifted", "exp_shifted_sum", "exp", "exp_sum")
COMMON_SHIFT = ("row_max",)
SUMS = ("exp_sum", "exp_shifted_sum", "running_sum")
CONSTANT = ("divide_by", "softcap", "position_base", "eps")


def unit(dtype: str) -> Fraction:
    """The unit roundoff of a type of floating-point numbers."""
    return Fraction(1, 2 ** FORMATS[dtype][0])


def half_subnormal(dtype: str) -> Fraction:
    """Half the smallest positive number of a type."""
    precision, smallest, _ = FORMATS[dtype]
    return Fraction(2) ** (smallest - precision)


def underflow(dtype: str) -> Fraction:
    """What a number may lose where it is too small for a type: all of it, where kernels keep no subnormal numbers."""
    if dtype == "float64":
        return Fraction(0)  # they are kept, and half the smallest is below what a bound in float64 can tell from 0
    return half_subnormal(dtype) if dtype == "float16" else Fraction(2) ** FORMATS[dtype][1]


def gamma(terms: int, roundoff: Fraction) -> Fraction | None:
    """γ of a sum of so many products; None where it bounds nothing."""
    total = (2 * terms + 8) * roundoff
    return total / (1 - total) if total < 1 else None


@dataclass(frozen=True)
class Arithmetic:
    """The types a kernel is taken to work in.

    Attributes:
        compute: products, sums and all else outside the softmax.
        softmax: from the logits to the weights.
        keep: what arrays are kept in between steps where the dump does not show them.
        shown: type of each array in the dump, by its plain name.
    """

    compute: str
    softmax: str
    keep: str
    shown: Mapping[str, str]

    def roundoff(self, step: str) -> Fraction:
        """The unit roundoff that a step is computed with."""
        return unit(self.worked_in(step)) + OURS

    def worked_in(self, step: str) -> str:
        """The type that a step is computed in."""
        return self.softmax if step in (*SOFTMAX, "weight", "lse") else self.compute

    def kept_in(self, step: str) -> str | None:
        """The type an array is kept in; None where it never leaves the softmax."""
        if step in SOFTMAX:
            return None
        return self.shown.get(step, self.keep)


def error_of(name: Name) -> Name:
    """The array of error bounds of an array."""
    return name.called(name.name + ERROR)


def with_bounds(
    recipe: Recipe,
    arithmetic: Arithmetic,
    read: frozenset[Name] = frozenset(),
    given: Collection[Name] = (),
) -> Recipe:
    """The recipe with an array of error bounds beside every array.

    Args:
        read: arrays that are read from the dump instead of made: their error is one rounding.
        given: arrays that the kernel was given, though a step could make them: they have no error.
    """
    ops: list[Op] = []
    sized: set[Name] = set()
    inexact = {op.name for op in recipe.ops}.difference(given)
    signs = Signs(recipe, read.union(given))
    for op in recipe.ops:
        bounds = _Bounds(recipe, op, arithmetic.roundoff(op.name.name), inexact, signs)
        for name in bounds.products():
            if name not in sized:
                sized.add(name)
                ops.append(_size_op(recipe, name))
        ops.append(op)
        if op.name not in inexact:
            continue
        formula = bounds.whole(arithmetic, made=op.name not in read)
        ops.append(_derived(op, ERROR, formula, bounds))
    return replace(recipe, ops=tuple(ops))


def _derived(op: Op, suffix: str, formula: Expr, bounds: _Bounds) -> Op:
    name = op.name.called(op.name.name + suffix)
    step = Step(name.name, op.step.axes, formula, {})
    return replace(op, name=name, step=step, arrays={**op.arrays, **bounds.bound(), op.name.name: op.name})


def _size_op(recipe: Recipe, name: Name) -> Op:
    """|x| of a whole array, so that sums of products of them stay matrix products."""
    array = recipe.array(name)
    axes = tuple(f"axis{place}" for place in range(len(array.axes)))
    step = Step(name.name + SIZE, axes, absolute(At("array", *axes)), {})
    return Op(name.called(name.name + SIZE), step, array.axes, array.shape, {"array": name})


def _times(factor: Fraction | None, node: Expr) -> Expr:
    return Mul(Infinity(1) if factor is None else Const(factor), node)


def _plus(*terms: Expr | None) -> Expr | None:
    """The sum of those terms that there are."""
    found = [term for term in terms if term is not None]
    return Add(*found) if len(found) > 1 else found[0] if found else None


class Signs:
    """Which numbers of a recipe cannot be negative, as their formulas tell."""

    def __init__(self, recipe: Recipe, read: frozenset[Name]) -> None:
        self._recipe = recipe
        self._known: dict[Name, bool] = dict.fromkeys(read, False)

    def never_negative(self, name: Name) -> bool:
        """Whether no number of an array can be; of those that are given or read nothing is known."""
        if name not in self._known:
            op = self._recipe.op(name)
            self._known[name] = op is not None and self.of(op, op.step.formula)
        return self._known[name]

    def of(self, op: Op, node: Expr) -> bool:
        """Whether a formula of a step cannot give a negative number."""
        if isinstance(node, At):
            heads = range(self._recipe.sizes["heads"]) if node.head is not None else (None,)
            return all(self.never_negative(self._recipe.source(op, node.name, head)) for head in heads)
        if isinstance(node, Const):
            return node.value >= 0
        if isinstance(node, Larger):
            return any(self.of(op, term) for term in node.terms)
        if isinstance(node, (Add, Sum, Max, Mul, Div, Round)):
            zero = node.if_zero if isinstance(node, Div) else None
            return (zero or 0) >= 0 and all(self.of(op, part) for part in children(node))
        return isinstance(node, (Exp, Sqrt, Size, Pi))


def _is_where_zero(term: Expr) -> bool:
    """Whether a term is ``n × (0 ÷ b)``, which is n where b is 0 and else 0."""
    return isinstance(term, Mul) and isinstance(term.right, Div) and term.right.left == Const(0)


class _Bounds:
    """Makes error formulas for one step."""

    def __init__(self, recipe: Recipe, op: Op, roundoff: Fraction, inexact: set[Name], signs: Signs) -> None:
        self.recipe, self.op, self.u, self.inexact, self.signs = recipe, op, roundoff, inexact, signs
        self.sizes = recipe.sizes_of(op)

    def whole(self, arithmetic: Arithmetic, *, made: bool) -> Expr:
        """The error of the step's result, kept in a type; of one that is only read, that of keeping it."""
        node, step = self.op.step.formula, self.op.name.name
        kept = arithmetic.kept_in(step)
        if kept is None:
            return (self.of(node) if made else None) or Const(0)
        terms = max((self.sizes[part.axis] for part in walk(node) if isinstance(part, Sum)), default=1)
        lost = terms * underflow(arithmetic.worked_in(step)) if made else Fraction(0)
        least = Const(half_subnormal(kept) + lost)
        if made and isinstance(node, (Mul, Div)):  # rounded as it is made and as it is kept: told together
            return Add(self._two(node, unit(kept)) or Const(0), least)
        return _plus(self.of(node) if made else None, _times(unit(kept), self._own()), least) or least

    def products(self) -> Iterator[Name]:
        """Arrays whose sizes are needed: the factors inside sums that may be negative."""
        for node in walk(self.op.step.formula):
            if isinstance(node, Sum) and _is_product(node.body):
                for factor in walk(node.body):
                    if isinstance(factor, At) and not self.signs.of(self.op, factor):
                        heads = range(self.recipe.sizes["heads"]) if factor.head is not None else (None,)
                        for head in heads:
                            yield self.recipe.source(self.op, factor.name, head)

    def bound(self) -> dict[str, Name]:
        """Which arrays the names of error and size formulas mean."""
        out: dict[str, Name] = {}
        for node in walk(self.op.step.formula):
            if isinstance(node, At) and node.head is None:
                source = self.recipe.source(self.op, node.name)
                out[node.name + ERROR] = error_of(source)
                out[node.name + SIZE] = source.called(source.name + SIZE)
        return out

    def of(self, node: Expr) -> Expr | None:
        """The error of a formula; None where it is exact."""
        if isinstance(node, At):
            return self._at(node)
        if isinstance(node, (Const, Number, Size, Infinity)):
            return None
        if isinstance(node, Pi):
            return _times(self.u, node)
        if isinstance(node, Sum):
            return self._sum(node)
        if isinstance(node, Max):
            inner, seen = self.of(node.body), Exp(Sub(node.body, node.body))  # 1, and 0 of −∞
            return None if inner is None else Max(node.axis, Mul(inner, seen))
        if isinstance(node, (Add, Larger)):
            return self._several(node)
        if isinstance(node, (Sub, Mul, Div, Pow)):
            return self._two(node)
        if isinstance(node, If):
            then, other = self.of(node.then), self.of(node.otherwise)
            return None if then is None and other is None else If(node.condition, then or Const(0), other or Const(0))
        if isinstance(node, Round):
            if sum(isinstance(part, Round) for part in walk(node.arg)) > MOST_ROUNDINGS:
                return None  # a chain of roundings is told step by step, and either the same or not
            inner = self.of(node.arg) or Const(0)
            return Sub(Round(node.dtype, Add(node.arg, inner)), Round(node.dtype, Sub(node.arg, inner)))
        if isinstance(node, Unary):
            return self._unary(node)
        raise TypeError(f"no error bound is declared for {node!r}")

    # --- sizes ---

    def _own(self) -> Expr:
        """The sizes of the step's result."""
        own = At(self.op.name.name, *self.op.step.axes)
        return own if self.signs.never_negative(self.op.name) else absolute(own)

    def _size(self, node: Expr) -> Expr:
        if node is self.op.step.formula:
            return self._own()
        return node if self.signs.of(self.op, node) else absolute(node)

    def _sized(self, at: At) -> At:
        return at if self.signs.of(self.op, at) else At(at.name + SIZE, *at.index, head=at.head)

    # --- kinds of formula ---

    def _at(self, node: At) -> Expr | None:
        if node.name in COMMON_SHIFT or node.name in CONSTANT:
            return None
        heads = range(self.recipe.sizes["heads"]) if node.head is not None else (None,)
        if not any(self.recipe.source(self.op, node.name, head) in self.inexact for head in heads):
            return None
        return At(node.name + ERROR, *node.index, head=node.head)

    def _sum(self, node: Sum) -> Expr:
        factor = gamma(self.sizes[node.axis], self.u)
        body = node.body
        if not (isinstance(body, Mul) and isinstance(body.left, At) and isinstance(body.right, At)):
            inner = self.of(body)
            whole = node if self.signs.of(self.op, body) else Sum(node.axis, absolute(body))
            rounded = _times(factor, self._size(whole) if whole is node else whole)
            return rounded if inner is None else Add(rounded, Sum(node.axis, inner))
        left, right = self._sized(body.left), self._sized(body.right)
        of_left, of_right = self.of(body.left), self.of(body.right)
        terms: list[Expr] = [_times(factor, Sum(node.axis, Mul(left, right)))]
        if of_left is not None:
            terms.append(Sum(node.axis, Mul(of_left, right)))
        if of_right is not None:
            terms.append(Sum(node.axis, Mul(left, of_right)))
        if of_left is not None and of_right is not None:
            terms.append(Sum(node.axis, Mul(of_left, of_right)))
        return Add(*terms)

    def _several(self, node: Add | Larger) -> Expr | None:
        inner = [found for found in map(self.of, node.terms) if found is not None]
        if isinstance(node, Add):
            inner += [_times(self.u * (len(node.terms) - 1), self._size(term)) for term in node.terms]
        return _plus(*inner)

    def _two(self, node: Sub | Mul | Div | Pow, keeping: Fraction = Fraction(0)) -> Expr | None:
        """``keeping`` is the unit roundoff of the type that a product or quotient is kept in besides."""
        if isinstance(node, Pow):
            return self._power(node)
        a, b = node.left, node.right
        of_a, of_b = self.of(a), self.of(b)
        if isinstance(node, Sub):
            return _plus(of_a, of_b, _times(self.u, self._size(b)), _times(self.u, self._size(a)))
        rounding = self.u + keeping
        if isinstance(node, Mul):
            return _plus(
                _times(rounding, self._size(node)),
                None if of_a is None else Mul(of_a, self._size(b)),
                None if of_b is None else Mul(self._size(a), of_b),
                None if of_a is None or of_b is None else Mul(of_a, of_b),
            )
        zero = 0 if node.if_zero is not None else None
        top = None if of_a is None else Div(of_a, self._size(b), zero)
        if of_b is None:
            return _plus(_times(rounding, self._size(node)), top)
        least = self._size(b) if self._is_softmax(b) else Sub(self._size(b), of_b)
        relative = Div(of_b, least, zero)
        rounded = Mul(Add(relative, Const(rounding)), self._size(node))
        return _plus(rounded, None if top is None else Mul(Add(relative, Const(1)), top))

    def _is_softmax(self, divisor: Expr) -> bool:
        """Whether a divisor is a sum of exponentials, or that with the number of keys where the sum is 0."""
        if isinstance(divisor, Add):
            total, *others = divisor.terms
            return self._is_softmax(total) and all(_is_where_zero(term) for term in others)
        return isinstance(divisor, At) and self.recipe.source(self.op, divisor.name).name.startswith(SUMS)

    def _power(self, node: Pow) -> Expr | None:
        """xⁿ of an x with an error: the sum of C(n, k)·|x|ⁿ⁻ᵏ·E(x)ᵏ for k from 1, besides its rounding."""
        inner, exponent = self.of(node.base), node.exponent
        if inner is None:
            return _times(POWER * self.u, self._size(node))
        if not (isinstance(exponent, Const) and exponent.value in range(2, 5)):
            raise TypeError(f"no error bound is declared for {node!r}")
        n, size = int(exponent.value), self._size(node.base)
        terms: list[Expr] = []
        for k in range(1, n + 1):
            power: Expr = inner if k == 1 else Pow(inner, Const(k))
            if k < n:
                power = Mul(power, size if n - k == 1 else Pow(size, Const(n - k)))
            terms.append(Mul(Const(comb(n, k)), power))
        return Add(*terms, _times(POWER * self.u, Pow(Add(size, inner), Const(n))))

    def _unary(self, node: Unary) -> Expr:
        inner = self.of(node.arg)
        if isinstance(node, Exp):
            grown = None if inner is None else Sub(Exp(inner), Const(1 - LIBRARY * self.u))
            return Mul(self._size(node), grown or Const(LIBRARY * self.u))
        if isinstance(node, Log):
            moved = None if inner is None else Log(Add(Const(1), Div(inner, node.arg, 0)))
            return _plus(moved, _times(LIBRARY * self.u, self._size(node))) or Const(0)
        if isinstance(node, Sqrt):
            rounded = _times(self.u, node)
            return rounded if inner is None else Add(Div(inner, node, 0), rounded)
        if isinstance(node, (Tanh, Sin, Cos)):
            return _plus(inner, Const(LIBRARY * self.u)) or Const(0)
        if isinstance(node, (Erf, Sigmoid)):
            slope, roundings = (Fraction(8, 7), LIBRARY) if isinstance(node, Erf) else (Fraction(1, 4), 3 * LIBRARY)
            return _plus(None if inner is None else _times(slope, inner), Const(roundings * self.u)) or Const(0)
        raise TypeError(f"no error bound is declared for {node!r}")


def _is_product(node: Expr) -> bool:
    return isinstance(node, Mul) and isinstance(node.left, At) and isinstance(node.right, At)
