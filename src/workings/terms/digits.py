"""Digits: which digits of a value are sure, how many are needed, and how a number is written.

Rounding is to the nearest, ties away from zero, as taught at school. A value that lies between bounds is rounded
only when both bounds round alike; what still straddles at 4,096 bits is a tie and taken at the middle.
"""

from __future__ import annotations

from fractions import Fraction

from workings.terms.numbers import MAX_BITS, MIN_BITS, Value
from workings.terms.records import record

JSON_DIGITS = 12
JSON_LONGEST = 40
CHUNK_DIGITS, CHUNK_BITS = 4000, 13000
NOTHING = Fraction(1, 10**60)  # people see 0 where bounds on either side of 0 lie closer to it than this
SAME = Fraction(1, 10**60)  # bounds that differ by less, as a share of the value, are on the same power of ten
HARDLY = 100  # bounds closer than the place asked for by so many places are those of a tie
MOST_FEWER = 400
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def nearest_decimal(value: Fraction, places: int) -> Fraction:
    """The multiple of 10^-places nearest to a value, ties away from zero. ``places`` may be negative."""
    return _decimal(_nearest_whole(value, places), places)


def _nearest_whole(value: Fraction, places: int) -> int:
    """The whole number nearest to value · 10^places, ties away from zero."""
    top, bottom = abs(value.numerator), value.denominator
    if places >= 0:
        top *= 10**places
    else:
        bottom *= 10**-places
    whole = (2 * top + bottom) // (2 * bottom)
    return whole if value.numerator >= 0 else -whole


def _decimal(whole: int, places: int) -> Fraction:
    return Fraction(whole, 10**places) if places >= 0 else Fraction(whole * 10**-places)


def rounded_bounds(low: Fraction, high: Fraction, places: int) -> Fraction | None:
    """What both bounds round to, or None where they differ."""
    down, up = _nearest_whole(low, places), _nearest_whole(high, places)
    return _decimal(down, places) if down == up else None


@record
class Rounded:
    """A value rounded to decimal places; ``tie`` where 4,096 bits did not tell the two neighbours apart."""

    value: Fraction
    places: int
    tie: bool = False


def round_value(value: Value, places: int) -> Rounded:
    """A finite value rounded to decimal places, with as many bits as that takes."""
    if value.exact is not None:
        return Rounded(nearest_decimal(value.exact, places), places)
    bits = MIN_BITS
    while True:
        low, high = value.bounds(bits)
        sure = rounded_bounds(low, high, places)
        if sure is not None:
            return Rounded(sure, places)
        if bits >= MAX_BITS:
            return Rounded(nearest_decimal((low + high) / 2, places), places, tie=True)
        bits *= 2


def surely(value: Value, places: int) -> Rounded:
    """A finite value rounded to decimal places, or to as many more or fewer as its bounds settle.

    Bounds that no number of bits narrows (a measured number's) need not settle the places that are asked for; a true
    tie, whose bounds are as narrow as one likes, is taken at the middle.
    """
    rounded = round_value(value, places)
    if not rounded.tie:
        return rounded
    low, high = value.bounds(MAX_BITS)
    if (high - low) * Fraction(10) ** (places + HARDLY) < 1:
        return rounded
    for other in (places + 1, places + 2, *range(places - 1, places - MOST_FEWER, -1)):
        sure = rounded_bounds(low, high, other)
        if sure is not None and (sure or low <= 0 <= high):
            return Rounded(sure, other)
    return rounded


def magnitude(value: Value, nothing: Fraction = Fraction(0)) -> int | None:
    """The power of ten of the first digit that is not 0 (0 for 1.5, -2 for 0.03); None for zero.

    A value that 4,096 bits cannot tell from zero counts as zero, and so does one whose bounds lie on either side of 0
    and closer to it than ``nothing``: more bits are not asked for then. Where bounds lie on either side of a power of
    ten and hardly differ, the value counts as that power.
    """
    if value.exact is not None:
        return None if value.exact == 0 else _power_of_ten(abs(value.exact))
    bits = MIN_BITS
    while bits <= MAX_BITS:
        low, high = value.bounds(bits)
        if low.numerator > 0 or high.numerator < 0:
            small, large = (low, high) if low.numerator > 0 else (-high, -low)
            most = _power_of_ten(large)
            if _power_of_ten(small) == most or large - small < large * SAME or bits == MAX_BITS:
                return most
        elif max(-low, high) < nothing:
            return None
        bits *= 2
    return None


def _power_of_ten(size: Fraction) -> int:
    bits = size.numerator.bit_length() - size.denominator.bit_length()
    power = bits * 30103 // 100000  # log10(2), near enough to begin with
    while not _reaches(size, power):
        power -= 1
    while _reaches(size, power + 1):
        power += 1
    return power


def _reaches(size: Fraction, power: int) -> bool:
    """Whether a size is at least 10^power."""
    top, bottom = size.numerator, size.denominator
    shift: int = 10 ** abs(power)
    return top >= bottom * shift if power >= 0 else top * shift >= bottom


def decimals_of(value: Fraction) -> int | None:
    """Decimal places at which a rational ends, or None where it does not."""
    rest, fives = value.denominator, 0
    twos = (rest & -rest).bit_length() - 1
    rest >>= twos
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def write(value: Fraction, places: int) -> str:
    """A multiple of 10^-places in plain decimal notation with that many places."""
    whole, rest = divmod(value.numerator * 10 ** max(places, 0), value.denominator)
    if rest:
        whole = round(value * 10 ** max(places, 0))
    digits = _digits(abs(whole)).rjust(places + 1, "0") if places > 0 else _digits(abs(whole))
    text = f"{digits[:-places]}.{digits[-places:]}" if places > 0 else digits
    return f"-{text}" if whole < 0 else text


def _digits(whole: int) -> str:
    """A number that is not negative in decimal digits, however many they are (Python's own ``str`` stops at 4,300)."""
    if whole.bit_length() < CHUNK_BITS:
        return str(whole)
    high, low = divmod(whole, 10**CHUNK_DIGITS)
    return _digits(high) + str(low).rjust(CHUNK_DIGITS, "0")


def ratio(value: Fraction) -> str:
    """A rational as ``23/25``, however many digits it has."""
    top = _digits(abs(value.numerator))
    text = top if value.denominator == 1 else f"{top}/{_digits(value.denominator)}"
    return f"-{text}" if value < 0 else text


def sure_digits(value: Value) -> int | None:
    """To how many significant digits ``json_digits`` is surely rounded; None where the value is exact or infinite.

    Twelve, save where 4,096 bits leave open on which side of a tie (or of 0) the value lies.
    """
    if value.infinite or value.exact is not None:
        return None
    power = magnitude(value)
    if power is None:
        return 0
    if not round_value(value, JSON_DIGITS - 1 - power).tie:
        return JSON_DIGITS
    low, high = value.bounds(MAX_BITS)
    count = JSON_DIGITS - 1
    while count and rounded_bounds(low, high, count - 1 - power) is None:
        count -= 1
    return count


def json_places(value: Value) -> tuple[Fraction, int]:
    """The number that ``json_digits`` writes of a finite value, and to how many places it is rounded."""
    if value.exact is not None:
        places = decimals_of(value.exact)
        if places is not None and places + max(_power_of_ten(abs(value.exact) or Fraction(1)), 0) < JSON_LONGEST:
            return value.exact, places
    power = magnitude(value)
    if power is None:
        return Fraction(0), JSON_LONGEST
    rounded = surely(value, JSON_DIGITS - 1 - power)
    return rounded.value, rounded.places


def json_digits(value: Value) -> str:
    """A decimal string for machines: all digits where they end (at most 40), else 12 sure significant digits."""
    if value.infinite:
        return "-inf" if value.infinite < 0 else "inf"
    if value.exact is not None:
        places = decimals_of(value.exact)
        if places is not None and places + max(_power_of_ten(abs(value.exact) or Fraction(1)), 0) < JSON_LONGEST:
            return write(value.exact, places)
    power = magnitude(value)
    if power is None:
        return "0"
    rounded = surely(value, JSON_DIGITS - 1 - power)
    if JSON_DIGITS - 1 - power <= JSON_LONGEST - 1:
        return write(rounded.value, max(rounded.places, 0))
    digits = rounded.places + power
    power = _power_of_ten(abs(rounded.value)) if rounded.value else power  # 9.99… may have been rounded up to 10
    return f"{write(nearest_decimal(rounded.value * Fraction(10) ** -power, digits), max(digits, 0))}e{power}"


@record
class Precision:
    """How many digits people see: ``auto``, ``exact``, or a number of decimal places."""

    places: int | None = None
    exact: bool = False

    @property
    def auto(self) -> bool:
        return self.places is None and not self.exact


AUTO = Precision()
AUTO_PLACES = 4
AUTO_SIGNIFICANT = 4
SMALL = Fraction(1, 10**AUTO_PLACES)  # smaller numbers are shown with a power of ten
LARGE = 15  # numbers of 10^15 and more are shown to four significant digits under ``auto``


@record
class Shown:
    """A number as people see it.

    ``value`` is the rational that the text stands for (None for infinities); ``is_exact`` says whether the number
    itself is that rational.
    """

    text: str
    value: Fraction | None
    is_exact: bool
    places: int = 0


def show(value: Value, precision: Precision = AUTO, extra: int = 0) -> Shown:
    """A number with the digits that people see; ``extra`` asks for more than usual.

    Under ``auto`` a number that ends within four decimals is written out, others are rounded to four decimals, or to
    four significant digits where they are smaller than 0.001 or at least 10^15. What lies between bounds on either
    side of 0 that are closer to it than 10^-60 is shown as 0.
    """
    if value.infinite:
        return Shown("−∞" if value.infinite < 0 else "∞", None, is_exact=True)
    wanted = (AUTO_PLACES if precision.places is None else precision.places) + extra
    exact, auto = value.exact, precision.places is None
    ends = None if exact is None else decimals_of(exact)
    if exact is not None and ends is not None and ends <= wanted and not (auto and abs(exact) >= 10**LARGE):
        return _shown(exact, ends, is_exact=True)
    power = magnitude(value, NOTHING)
    if power is None:
        return Shown("0", Fraction(0), is_exact=False, places=wanted)
    large = auto and power >= LARGE
    if auto and (power < -3 or large):
        wanted = AUTO_SIGNIFICANT - 1 - power + extra
        if exact is not None and ends is not None and nearest_decimal(exact, wanted) == exact:
            return _shown(exact, _least_places(exact, min(ends, wanted)), is_exact=True, large=large)
    rounded = surely(value, wanted)
    return _shown(rounded.value, rounded.places, is_exact=False, large=large)


def _least_places(value: Fraction, places: int) -> int:
    """The fewest places that write a multiple of 10^-places in full; negative where it ends in zeros."""
    while (value * Fraction(10) ** (places - 1)).denominator == 1:
        places -= 1
    return places


def _shown(value: Fraction, places: int, *, is_exact: bool, large: bool = False) -> Shown:
    """Plain decimals, or a power of ten where those would begin with more than four zeros, or are too large."""
    if large or (places > AUTO_PLACES and value != 0 and abs(value) < SMALL):
        power = _power_of_ten(abs(value))
        mantissa = write(value * Fraction(10) ** -power, max(places + power, 0))
        return Shown(f"{mantissa}×10{str(power).translate(SUPERSCRIPTS)}".replace("-", "−", 1), value, is_exact, places)
    return Shown(write(value, places).replace("-", "−"), value, is_exact, places)
