"""Causes seen in the printed numbers alone: rows swapped, copied or bent, values cut, dropout left on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from workings.checking.causes.cause import Cause, Rows

MOST_ROWS = 512  # rows in which the origin of a wrong one is looked for
ROUNDING = 1e-9
SLACK = 1e-6  # by which weights worked in floating point may miss their sum of 1
MOST_TERMS = 12
RATES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75)


def near(printed: float, other: float, half: float) -> bool:
    """Whether two numbers are equal as far as digits tell; an infinite one is near to none but itself."""
    return printed == other or abs(printed - other) <= half < math.inf or (math.isnan(printed) and math.isnan(other))


def same(left: Sequence[float], right: Sequence[float], half: Iterable[float]) -> bool:
    """Whether two rows are equal as far as the digits of the first tell; most differ at once, and no more is read."""
    return len(left) == len(right) and all(map(near, left, right, half))


def _is_true_row(rows: Rows, row: int, other: int) -> bool:
    half = map(max, rows.half(row), rows.half(other))
    return other != row and same(rows.printed(row), rows.true(other), half)


def _swapped(rows: Rows) -> bool:
    """Every wrong row is the true row of another wrong one, and that one is its own."""
    wrong = rows.wrong[:MOST_ROWS]
    return len(wrong) > 1 and all(
        any(_is_true_row(rows, row, other) and _is_true_row(rows, other, row) for other in wrong) for row in wrong
    )


def _copied(rows: Rows) -> bool:
    """Every wrong row is another row of the true array, or repeats a printed one."""
    count = min(rows.count, MOST_ROWS)

    def copied(row: int) -> bool:
        printed, half = rows.printed(row), rows.half(row)
        return all(map(math.isfinite, printed)) and any(
            other != row and (same(printed, rows.true(other), half) or same(printed, rows.printed(other), half))
            for other in range(count)
        )

    return bool(rows.wrong) and not _swapped(rows) and all(map(copied, rows.wrong[:MOST_ROWS]))


def _shares(true: Sequence[float]) -> bool:
    """Whether a row may be shares of a whole; with a sink, or where nothing may be looked at, they are less than it."""
    return all(number >= 0 for number in true) and sum(true) <= 1 + SLACK


def _adjusted(rows: Rows) -> bool:
    """In every wrong row of shares one number is bent, and the row adds up to 1 exactly."""

    def bent(row: int) -> bool:
        printed, true, half = rows.printed(row), rows.true(row), rows.half(row)
        off = [not close for close in map(near, printed, true, half)]
        if len(off) < 2 or sum(off) != 1 or not _shares(true) or sum(true) < 1 - SLACK:
            return False
        return abs(math.fsum(printed) - 1) <= ROUNDING

    return bool(rows.wrong) and all(map(bent, rows.wrong))


def _truncated(rows: Rows) -> bool:
    """Every wrong number is the true one cut toward zero at its last printed place."""

    def cut(printed: float, true: float, half: float) -> bool:
        if near(printed, true, half):
            return True
        return printed != 0 and half > 0 and abs(printed) < abs(true) and abs(true - printed) < 2 * half

    return bool(rows.wrong) and all(
        all(map(cut, rows.printed(row), rows.true(row), rows.half(row))) for row in rows.wrong
    )


def _dropped(rows: Rows) -> bool:
    """Every number of rows of shares is its true one divided by 1 - p, for one rate p, or 0."""

    def fits(rate: float) -> bool:
        kept = False
        for row in rows.wrong:
            for printed, true, half in zip(rows.printed(row), rows.true(row), rows.half(row), strict=True):
                if near(printed, true / (1 - rate), half / (1 - rate)):
                    kept = kept or true > half
                elif printed != 0:
                    return False
        return kept

    return bool(rows.wrong) and all(_shares(rows.true(row)) for row in rows.wrong) and any(map(fits, RATES))


def _dropped_terms(rows: Rows) -> bool:
    """Every row of weighted sums is some of its terms, each divided by 1 - p."""

    def fits(row: int, rate: float) -> bool:
        terms = rows.parts(row)
        if not 0 < len(terms) <= MOST_TERMS:
            return False
        wanted = [number * (1 - rate) for number in rows.printed(row)]
        if not all(map(math.isfinite, wanted)):
            return False
        half, sums = rows.half(row), [0.0]
        for term in terms:
            sums += [total + term[0] for total in sums]
        chosen = (kept for kept, total in enumerate(sums) if near(total, wanted[0], half[0]))
        return any(
            all(
                near(math.fsum(term[j] for i, term in enumerate(terms) if kept >> i & 1), wanted[j], half[j])
                for j in range(len(wanted))
            )
            for kept in chosen
        )

    return bool(rows.wrong) and any(all(fits(row, rate) for row in rows.wrong) for rate in RATES)


PATTERNS = (
    Cause(
        "dropout-eval",
        {
            "en": "dropout was left on: some terms are gone, the others too large",
            "zh": "没有关 dropout：少了一些项，其余被放大",
        },
        pattern=_dropped_terms,
    ),
    Cause("truncated", {"en": "cut off instead of rounded", "zh": "直接截断，没有四舍五入"}, pattern=_truncated),
    Cause("rows-swapped", {"en": "rows swapped", "zh": "行互相调换"}, pattern=_swapped),
    Cause("row-copied", {"en": "a row copied from another", "zh": "某行抄自另一行"}, pattern=_copied),
    Cause(
        "row-adjusted",
        {"en": "one number bent so that the row adds up to 1", "zh": "改动一个数，使这一行的和恰为 1"},
        pattern=_adjusted,
    ),
    Cause(
        "dropout-weights",
        {
            "en": "weights taken after dropout: some are 0, the others larger by 1/(1 − p)",
            "zh": "取了 dropout 之后的权重：有的为 0，其余放大到 1/(1 − p) 倍",
        },
        pattern=_dropped,
    ),
)
