"""Right values in the manner of a printed number: as many decimals as it has, a percent as a percent."""

from __future__ import annotations

from fractions import Fraction

from workings.checking.claims import Claim
from workings.checking.notation import Num
from workings.checking.verdicts import Verdict
from workings.terms.digits import round_value, show, write
from workings.terms.numbers import Rational, Value


def right_digits(claim: Claim) -> str:
    """The true value with as many decimals as were printed, a percent as a percent."""
    return "" if claim.judgement is None else like_printed(claim.number, claim.judgement.true)


def from_printed_digits(claim: Claim) -> str:
    """What the numbers printed before give, in the same manner; empty where nothing does."""
    judgement = claim.judgement
    if judgement is None or judgement.from_printed is None:
        return ""
    low, high = judgement.from_printed
    return like_printed(claim.number, Rational((low + high) / 2))


def nearest(claim: Claim) -> str:
    """What the number should be: rounded from what it was cut from, where that was itself wrong."""
    judgement = claim.judgement
    if claim.verdict is Verdict.TRUNCATED and judgement is not None and judgement.behind:
        return from_printed_digits(claim) or right_digits(claim)
    return right_digits(claim)


def like_printed(number: Num, value: Value) -> str:
    """A value with as many decimals as a number was printed with."""
    if value.infinite:
        return "−∞" if value.infinite < 0 else "∞"
    return decimals_like(number.text, number.half, value) if number.half else show(value).text


def decimals_like(printed: str, half: Fraction, true: Value) -> str:
    """A value written in the manner of a printed number: the same unit of its last place, percent or not."""
    percent = "%" in printed
    unit = 2 * half * (100 if percent else 1)
    places = 0
    while unit.numerator * 10**places < unit.denominator:
        places += 1
    rounded = round_value(true, places + (2 if percent else 0)).value * (100 if percent else 1)
    return write(rounded, places).replace("-", "−") + ("%" if percent else "")
