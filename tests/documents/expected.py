"""The verdict of every printed number of the published cases by the written rules, cell by cell, at 50 digits.

Written from the rules alone and not from ``workings.checking``: what the checker finds is compared with this.
The steps of a case are expressions in a small language: ``@ + - * /`` over matrices, and the functions in
``FUNCTIONS`` and ``ELEMENTWISE``.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import product
from pathlib import Path
from typing import Any

from mpmath import mp, mpf  # type: ignore[import-untyped]

mp.dps = 50

FOLDER = Path(__file__).parent
PUBLISHED = FOLDER / "published"
EXACT, ROUNDED = "exact", "correctly rounded"
CONSISTENT, FOLLOWS = "consistent with rounded intermediates", "follows an earlier wrong number"
TRUNCATED, WRONG = "truncated", "wrong"
SAME = mpf(10) ** -40


# --- a number that is known in several ways at once ---------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """A cell of a step.

    Args:
        true: its value from the inputs, nothing rounded.
        carried: its value from the numbers printed before it.
        low, high: the range it may have when each earlier number was carried as printed, unrounded or recomputed.
        tainted: whether a wrong number is among those it is computed from.
    """

    true: Any
    carried: Any
    low: Any
    high: Any
    tainted: bool = False


Matrix = list[list[Known]]


def point(value: Any) -> Known:
    return Known(value, value, value, value)


def _product(a: Any, b: Any) -> Any:
    return mpf(0) if 0 in (a, b) else a * b


def _corners(f: Callable[[Any, Any], Any], a: Known, b: Known) -> Known:
    ends = [f(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return Known(f(a.true, b.true), f(a.carried, b.carried), min(ends), max(ends), a.tainted or b.tainted)


def add(a: Known, b: Known) -> Known:
    return _corners(lambda x, y: x + y, a, b)


def subtract(a: Known, b: Known) -> Known:
    return _corners(lambda x, y: x - y, a, b)


def multiply(a: Known, b: Known) -> Known:
    return _corners(_product, a, b)


def divide(a: Known, b: Known) -> Known:
    assert not b.low <= 0 <= b.high
    return _corners(lambda x, y: x / y, a, b)


def _rising(f: Callable[[Any], Any]) -> Callable[[Known], Known]:
    return lambda a: Known(f(a.true), f(a.carried), f(a.low), f(a.high), a.tainted)


def _wave(f: Callable[[Any], Any], crest: Any) -> Callable[[Known], Known]:
    """A sine or cosine, whose crests stand at ``crest`` + 2πn, its troughs half-way between them."""

    def apply(a: Known) -> Known:
        turns = range(int(mp.floor((a.low - crest) / mp.pi)), int(mp.ceil((a.high - crest) / mp.pi)) + 1)
        inside = [mpf(-1) ** n for n in turns if a.low <= crest + n * mp.pi <= a.high and a.low < a.high]
        ends = [f(a.low), f(a.high), *inside]
        return Known(f(a.true), f(a.carried), min(ends), max(ends), a.tainted)

    return apply


def _share(values: list[Any], at: int) -> Any:
    top = max(values)
    return mp.exp(values[at] - top) / sum(mp.exp(value - top) for value in values)


def _softmax(row: list[Known]) -> list[Known]:
    """Each weight rises with its own score and falls with the others: its range ends at two corners."""
    tainted = any(cell.tainted for cell in row)

    def corner(at: int, own: str, others: str) -> Any:
        return _share([getattr(cell, own if j == at else others) for j, cell in enumerate(row)], at)

    def weight(at: int) -> Known:
        true, carried = corner(at, "true", "true"), corner(at, "carried", "carried")
        return Known(true, carried, corner(at, "low", "high"), corner(at, "high", "low"), tainted)

    return [weight(at) for at in range(len(row))]


# --- the language of the steps ------------------------------------------------------------------------------------


def transpose(m: Matrix) -> Matrix:
    return [list(column) for column in zip(*m, strict=True)]


def matmul(a: Matrix, b: Matrix) -> Matrix:
    assert len(a[0]) == len(b)
    return [[reduce(add, map(multiply, row, column)) for column in transpose(b)] for row in a]


def _broadcast(f: Callable[[Known, Known], Known]) -> Callable[[Matrix, Matrix], Matrix]:
    def apply(a: Matrix, b: Matrix) -> Matrix:
        height, width = max(len(a), len(b)), max(len(a[0]), len(b[0]))
        assert all(len(m) in (1, height) and len(m[0]) in (1, width) for m in (a, b))

        def cell(m: Matrix, i: int, j: int) -> Known:
            return m[i % len(m)][j % len(m[0])]

        return [[f(cell(a, i, j), cell(b, i, j)) for j in range(width)] for i in range(height)]

    return apply


def _row_sums(m: Matrix) -> Matrix:
    return [[reduce(add, row)] for row in m]


def _row_means(m: Matrix) -> Matrix:
    return _broadcast(divide)(_row_sums(m), [[point(mpf(len(m[0])))]])


def _row_variances(m: Matrix) -> Matrix:
    away = _broadcast(subtract)(m, _row_means(m))
    return _row_means(_broadcast(multiply)(away, away))


def _causal(m: Matrix) -> Matrix:
    hidden = point(mpf("-inf"))
    return [[cell if j <= i else hidden for j, cell in enumerate(row)] for i, row in enumerate(m)]


OPERATORS: dict[type[ast.operator], Callable[[Matrix, Matrix], Matrix]] = {
    ast.MatMult: matmul,
    ast.Add: _broadcast(add),
    ast.Sub: _broadcast(subtract),
    ast.Mult: _broadcast(multiply),
    ast.Div: _broadcast(divide),
}
ELEMENTWISE: dict[str, Callable[[Known], Known]] = {
    "exp": _rising(mp.exp),
    "ln": _rising(mp.log),
    "sqrt": _rising(mp.sqrt),
    "sigmoid": _rising(lambda x: 1 / (1 + mp.exp(-x))),
    "relu": _rising(lambda x: max(x, mpf(0))),
    "sin": _wave(mp.sin, mp.pi / 2),
    "cos": _wave(mp.cos, mpf(0)),
}
FUNCTIONS: dict[str, Callable[..., Matrix]] = {
    "T": transpose,
    "D": lambda text: [[point(mpf(text))]],
    "softmax": lambda m: [_softmax(row) for row in m],
    "causal": _causal,
    "rowsum": _row_sums,
    "rowmean": _row_means,
    "rowvar": _row_variances,
    "row": lambda m, i: [m[i]],
    "cols": lambda m, first, stop: [row[first:stop] for row in m],
    "el": lambda m, i, j=0: [[m[i][j]]],
    "hcat": lambda *parts: [[cell for row in rows for cell in row] for rows in zip(*parts, strict=True)],
    "vcat": lambda *parts: [row for part in parts for row in part],
}


def evaluate(node: ast.expr, known: dict[str, Matrix]) -> Any:
    """A matrix; a text or an integer where a function wants one."""
    match node:
        case ast.BinOp(left, operator, right):
            return OPERATORS[type(operator)](evaluate(left, known), evaluate(right, known))
        case ast.UnaryOp(ast.USub(), operand):
            return OPERATORS[ast.Sub]([[point(mpf(0))]], evaluate(operand, known))
        case ast.Call(ast.Name(name), arguments):
            values = [evaluate(argument, known) for argument in arguments]
            if name in ELEMENTWISE:
                return [[ELEMENTWISE[name](cell) for cell in row] for row in values[0]]
            return FUNCTIONS[name](*values)
        case ast.Name(name):
            return known[name]
        case ast.Constant(value):
            return value
    raise AssertionError(ast.dump(node))


# --- the rules ----------------------------------------------------------------------------------------------------


def read(printed: str) -> tuple[Any, Any]:
    """The value of a printed number, and half a unit of its last place: 0 for an integer or a fraction."""
    if "inf" in printed:
        return mpf(printed), mpf(0)
    if "/" in printed:
        above, below = printed.split("/")
        return mpf(above) / mpf(below), mpf(0)
    parts = re.fullmatch(r"(-?\d+(?:\.(\d*))?)(?:e(-?\d+))?(%?)", printed)
    assert parts, printed
    digits, power, percent = len(parts[2] or ""), int(parts[3] or 0), 2 if parts[4] else 0
    value = mpf(parts[1]) * mpf(10) ** (power - percent)
    whole = not digits and power >= 0 and not percent
    return value, mpf(0) if whole else mpf(10) ** (power - digits - percent) / 2


def _is_cut(value: Any, half: Any, of: Any) -> bool:
    if not half or not value:
        return False
    unit = 2 * half
    return bool(abs(mp.sign(of) * mp.floor(abs(of) / unit + SAME) * unit - value) < SAME)


def judge(printed: str, ways: list[Known]) -> str:
    """The first verdict that applies; ``ways`` has one entry for each choice of the declared constants."""
    value, half = read(printed)
    true = ways[0].true
    if value == true or abs(value - true) < SAME:
        return EXACT
    if half and abs(value - true) <= half + SAME:
        return ROUNDED
    if any(way.low - half - SAME <= value <= way.high + half + SAME for way in ways):
        return FOLLOWS if ways[0].tainted else CONSISTENT
    if any(_is_cut(value, half, of) for of in (true, *(way.carried for way in ways))):
        return TRUNCATED
    return WRONG


def carry(printed: str, verdict: str, known: Known) -> Known:
    """What a later step may have taken for this number."""
    value = read(printed)[0]
    ways = {
        EXACT: [value],
        WRONG: [value],
        FOLLOWS: [value, known.carried],
    }.get(verdict, [value, known.carried] if known.tainted else [value, known.true, known.carried])
    tainted = verdict in (WRONG, FOLLOWS) or (verdict == TRUNCATED and known.tainted)
    return Known(known.true, value, min(ways), max(ways), tainted)


def _choices(known: dict[str, Matrix], constants: list[str]) -> Iterator[dict[str, Matrix]]:
    """Every choice, for each declared constant, between the printed number and the true root; printed ones first."""
    for picked in product((True, False), repeat=len(constants)):
        chosen = dict(known)
        for name, as_printed in zip(constants, picked, strict=True):
            cell = known[name][0][0]
            value = cell.carried if as_printed else cell.true
            chosen[name] = [[replace(cell, carried=value, low=value, high=value)]]
        yield chosen


def _is_declared_constant(expr: str) -> bool:
    return bool(re.fullmatch(r'sqrt\(D\("\d+"\)\)', expr))


@cache
def cases() -> dict[str, Any]:
    """The figures of every case, by its number."""
    found: dict[str, Any] = json.loads((PUBLISHED / "figures.json").read_text(encoding="utf-8"))
    return found


def verdicts(number: str) -> dict[str, list[list[str | None]]]:
    """By step, the verdict of each of its printed numbers; None where nothing is printed."""
    case = cases()[number]
    known = {name: [[point(read(text)[0]) for text in row] for row in rows] for name, rows in case["inputs"].items()}
    constants: list[str] = []
    out: dict[str, list[list[str | None]]] = {}
    for step in case["steps"]:
        name, expr, printed = step["name"], step["expr"], step["printed"]
        used = [constant for constant in constants if re.search(rf"\b{constant}\b", expr)]
        tree = ast.parse(expr, mode="eval").body
        ways = [evaluate(tree, chosen) for chosen in _choices(known, used)]
        assert (len(ways[0]), len(ways[0][0])) == (len(printed), len(printed[0])), (number, name)
        out[name], known[name] = [], []
        for i, texts in enumerate(printed):
            found = [text and judge(text, [way[i][j] for way in ways]) for j, text in enumerate(texts)]
            first = ways[0][i]
            out[name].append(found)
            known[name].append([carry(t, v, c) if t else c for t, v, c in zip(texts, found, first, strict=True)])
        if _is_declared_constant(expr):
            constants.append(name)
    return out


# --- where the rules and the cases differ -------------------------------------------------------------------------


def differences() -> dict[tuple[str, str, int, int], tuple[str, str]]:
    """Every printed number whose verdict by the rules is not its case's: case, step, cell to (case's, ours)."""
    return {
        (number, step["name"], i, j): (theirs, ours)
        for number, case in cases().items()
        for step in case["steps"]
        for i, (old, new) in enumerate(zip(step["verdict"], verdicts(number)[step["name"]], strict=True))
        for j, (theirs, ours) in enumerate(zip(old, new, strict=True))
        if theirs and ours and theirs != ours
    }


def mapping() -> dict[tuple[str, str, int, int], tuple[str, str, str]]:
    """The differences as ``mapping.toml`` lists them, each with its reason."""
    listed = tomllib.loads((FOLDER / "mapping.toml").read_text(encoding="utf-8"))
    found = {
        (item["case"], item["step"], *cell): (item["verdict"], item["ours"], listed["reasons"][item["reason"]])
        for item in listed["number"]
        for cell in item["cells"]
    }
    assert len(found) == sum(len(item["cells"]) for item in listed["number"]), "a number is listed twice"
    return found
