"""A comparison as plain data, `workings.compare/1`."""

from __future__ import annotations

import math
from typing import Any

from workings.checking.dumps.census import BLOCKS, Census
from workings.checking.dumps.compare import Comparison

SCHEMA = "workings.compare/1"
LISTED = 100


def told(number: float) -> float | str:
    """A number as JSON may hold it: NaN and infinities as texts."""
    if math.isfinite(number):
        return number
    return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"


def comparison_data(found: Comparison, lang: str) -> dict[str, Any]:
    """All of it; titles of causes in one language."""
    return {
        "schema": SCHEMA,
        "dump": found.path or None,
        "holds": found.holds,
        "options": found.options.data(),
        "arrays": [_census(census) for census in found.arrays],
        "first_step": found.first_step,
        "where": {census.name: where(census) for census in found.arrays if census.over},
        "causes": [{"id": cause.id, "title": cause.title.get(lang, cause.title["en"])} for cause in found.causes],
        "causes_confirmed": {"rows": found.found.rows, "of": found.found.of},
        "conventions": {name: dict(counts) for name, counts in found.conventions.items()},
        "inputs_not_finite": [
            {"name": item.name, "nan": item.nan, "inf": item.inf, "first": list(item.first)}
            for item in found.not_finite
        ],
        "read_as": found.read_as,
        "unused": found.unused,
        "not_judged": found.not_judged,
        "conclusive": found.conclusive,
        "tolerance": {
            "compute": found.arithmetic.compute,
            "softmax": found.arithmetic.softmax,
            "keep": found.arithmetic.keep,
            "sums": {step: {"terms": n, "gamma": gamma} for step, (n, gamma) in found.sums.items()},
            "derivation": "γ = (2n+8)u / (1 − (2n+8)u); E(Σ ab) ≤ γ Σ|a||b| + Σ(E(a)|b| + |a|E(b) + E(a)E(b)); "
            "errors are carried through each formula; a stored array adds v|x| + s/2 + n·t, t what may underflow",
        },
    }


def _census(census: Census) -> dict[str, Any]:
    return {
        "name": census.name,
        "dtype": census.dtype,
        "elements": census.elements,
        "differ": census.differ,
        "over_tolerance": census.over,
        "wrong_here": census.begin,
        "nan": census.nan,
        "inf": census.inf,
        "one_side_not_finite": census.one_sided,
        "first_not_finite": None if census.first_nonfinite is None else list(census.first_nonfinite),
        "max_ulps": told(census.max_ulps),
        "ulps": {f"<=2^{power}": count for power, count in sorted(census.histogram.items())},
        "largest_tolerance": census.largest_tolerance,
        "tolerance_tells": census.tells,
        "without_tolerance": census.unbounded,
        "worst": [
            {
                "index": list(worst.index),
                "printed": told(worst.printed),
                "value": told(worst.value),
                "tolerance": told(worst.tolerance),
                "ulps": told(worst.ulps),
            }
            for worst in census.worst
        ],
    }


def where(census: Census) -> dict[str, Any]:
    """Which items of the batch, heads, rows and blocks of rows hold numbers over tolerance."""
    rows = sorted({row for found in census.rows.values() for row in found})
    return {
        "batches": sorted({batch for batch, _ in census.rows}),
        "heads": sorted({head for _, head in census.rows}),
        "rows": len(rows),
        "first_rows": rows[:LISTED],
        "first": rows[0] if rows else None,
        "last": rows[-1] if rows else None,
        **{f"blocks_{height}": census.touched(height) for height in BLOCKS},
    }
