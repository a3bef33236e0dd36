"""The table of agreement: what the checker says of every published number beside what is expected of it.

``python -m tests.documents.agreement`` prints it; ``--differ NN`` lists a document's differences.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from workings.checking.check import check
from workings.checking.claims import Claim
from workings.checking.grammar import statements
from workings.checking.reading import read_paper
from workings.checking.verdicts import Verdict

FOLDER = Path(__file__).parent / "published"
MAPPING = Path(__file__).parent / "mapping.toml"
SAME = {
    "exact": "exact",
    "correctly rounded": "correctly_rounded",
    "consistent with rounded intermediates": "consistent",
    "follows an earlier wrong number": "follows",
    "wrong": "wrong",
}
Key = tuple[int | None, int, int]


def numbers() -> list[str]:
    """The documents' numbers."""
    return sorted(path.stem for path in FOLDER.glob("[0-9]*.json"))


def document(number: str) -> Path:
    """The document of a number."""
    return next(path for path in sorted(FOLDER.glob(f"{number}.*")) if path.suffix != ".json")


def expected(number: str) -> dict[Key, tuple[str, str]]:
    """(printed, verdict by the rules) at every place."""
    exceptions = _exceptions(number)
    listed: list[dict[str, Any]] = json.loads((FOLDER / f"{number}.json").read_text(encoding="utf-8"))
    out = {}
    for item in listed:
        verdict = exceptions.get((item["step"], *item["cell"]), SAME[item["verdict"]])
        out[item.get("cell_index"), item["line"], item["column"]] = (item["printed"], verdict)
    return out


def _exceptions(number: str) -> dict[tuple[Any, ...], str]:
    table = tomllib.loads(MAPPING.read_text(encoding="utf-8"))
    return {
        (item["step"], *cell): SAME.get(item["ours"], str(item["ours"]))
        for item in table["number"]
        if item["case"] == number
        for cell in item["cells"]
    }


def found(number: str) -> tuple[dict[Key, Claim], int]:
    """The checker's claims by place, and how many stretches it could not read."""
    paper = read_paper(document(number))
    report = check(paper, statements(paper))
    claims = {(claim.place.cell, claim.place.line, claim.place.column): claim for claim in report.claims}
    return claims, len(report.unread)


def compared(number: str) -> tuple[Counter[str], list[str], int]:
    """How many numbers agree, differ or were not read; the differences in words; false alarms elsewhere."""
    wanted, (claims, _) = expected(number), found(number)
    counts: Counter[str] = Counter()
    lines = []
    for place, (printed, verdict) in wanted.items():
        claim = claims.get(place)
        said = "unread" if claim is None else claim.verdict.value
        kind = "agree" if said == verdict else "unread" if said in ("unread", "unsure") else "differ"
        counts[kind] += 1
        if kind != "agree":
            lines.append(f"{kind}: line {place[1]}, column {place[2]}: {printed}: {said}, expected {verdict}")
    alarms = [claim for place, claim in claims.items() if place not in wanted and claim.verdict is Verdict.WRONG]
    lines += [f"alarm: line {claim.place.line}: {claim.number.text} {claim.address}" for claim in alarms]
    return counts, lines, len(alarms)


def table(wanted: list[str] | None = None) -> str:
    """The table of agreement, a line for each document."""
    total: Counter[str] = Counter()
    lines = [f"{'document':<12}{'agree':>7}{'differ':>8}{'unread':>8}{'alarms':>8}"]
    for number in wanted or numbers():
        counts, _, alarms = compared(number)
        total += counts + Counter(alarms=alarms)
        lines.append(_line(document(number).name, counts, alarms))
    lines.append(_line("all", total, total["alarms"]))
    return "\n".join(lines) + "\n"


def _line(name: str, counts: Counter[str], alarms: int) -> str:
    return f"{name:<12}{counts['agree']:>7}{counts['differ']:>8}{counts['unread']:>8}{alarms:>8}"


def main() -> None:
    """Print the table, or one document's differences."""
    parser = argparse.ArgumentParser(prog="python -m tests.documents.agreement", description=__doc__)
    parser.add_argument("--differ", metavar="NN", help="list one document's differences")
    wanted = parser.parse_args().differ
    print("\n".join(compared(wanted)[1]) if wanted else table(), end="")


if __name__ == "__main__":
    main()
