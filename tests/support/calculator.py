"""A pocket calculator that reads a printed line back: independent of the code that printed it."""

from __future__ import annotations

import re

from mpmath import mp, mpf  # type: ignore[import-untyped]

TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|ln|tanh|erf|sin|cos|σ|max|e|π|[-+−×÷/^√²%∞(),])")
PLAIN = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
FUNCTIONS = {"ln": mp.log, "tanh": mp.tanh, "erf": mp.erf, "sin": mp.sin, "cos": mp.cos, "max": max}
FUNCTIONS["σ"] = lambda x: 1 / (1 + mp.exp(-x))


def evaluate(text: str) -> mpf:
    """The value of a printed expression at 50 digits; ^ and √ bind tightest, then × ÷, then + −."""
    tokens = TOKEN.findall(text)
    if "".join(tokens) != re.sub(r"\s", "", text):
        raise ValueError(f"not arithmetic: {text!r}")
    value = _sum(tokens)
    if tokens:
        raise ValueError(f"left over: {tokens}")
    return value


def _sum(t: list[str]) -> mpf:
    value = _product(t)
    while t and t[0] in "+−":
        value = value + _product(t) if t.pop(0) == "+" else value - _product(t)
    return value


def _product(t: list[str]) -> mpf:
    value = _power(t)
    while t and t[0] in ("×", "÷", "/"):
        value = value * _power(t) if t.pop(0) == "×" else value / _power(t)
    return value


def _power(t: list[str]) -> mpf:
    if t[0] == "−":
        t.pop(0)
        return -_power(t)
    base = _atom(t)
    while t and (t[0] in "^²%" or t[0].startswith("×10")):
        sign = t.pop(0)
        if sign.startswith("×10"):
            base *= mpf(10) ** int(sign[3:].translate(PLAIN))
        else:
            base = base**2 if sign == "²" else base / 100 if sign == "%" else base ** _atom(t)
    return base


def _atom(t: list[str]) -> mpf:
    first = t.pop(0)
    if first == "(":
        value = _sum(t)
        t.pop(0)
        return value
    if first == "√":
        return mp.sqrt(_atom(t))
    if first in FUNCTIONS:
        t.pop(0)
        values = [_sum(t)]
        while t.pop(0) == ",":
            values.append(_sum(t))
        return FUNCTIONS[first](*values)
    constants = {"e": mp.e, "π": mp.pi, "∞": mp.inf}
    return +constants[first] if first in constants else mpf(first)


def last_place(text: str) -> mpf:
    """One unit of the last printed place of a number."""
    number, _, power = text.replace("%", "").strip().partition("×10")
    places = len(number.partition(".")[2])
    unit = mpf(10) ** (int(power.translate(PLAIN) or 0) - places)
    return unit / 100 if "%" in text else unit


def holds(line: str) -> bool:
    """Whether a printed chain ``a = b ≈ c`` holds: = exactly, ≈ to the last printed place."""
    with mp.workdps(50):
        parts = re.split(r"([=≈])", line)
        values = [evaluate(part) for part in parts[::2]]
        for index, relation in enumerate(parts[1::2]):
            left, right = values[index], values[index + 1]
            if left == right:
                continue
            slack = mpf(10) ** -45 * max(1, abs(right))
            if relation == "≈":
                slack += last_place(parts[2 * index + 2]) / 2
            if not abs(left - right) <= slack:
                return False
        return True
