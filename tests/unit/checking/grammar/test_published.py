"""Every number of the published examples is read at its line and column, and so are the two seeds."""

import json
from pathlib import Path

import pytest

from tests.support.statements import digits_stand_there, line, numbers
from workings.checking.grammar import statements
from workings.checking.notation import Statement
from workings.checking.reading import read_paper

FOLDER = Path(__file__).parents[3] / "documents" / "published"
SEEDS = Path(__file__).parents[4].parent / "shared" / "seeds"
CASES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".json" and path.stem.isdecimal())


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_every_printed_number_is_read_where_it_stands(path: Path) -> None:
    paper = read_paper(path)
    read = {}
    for item in statements(paper):
        assert digits_stand_there(paper, item)
        if isinstance(item, Statement):
            for number in numbers(item):
                place = paper.place(number.span.cell, number.span.start)
                read[place.cell, place.line, place.column] = number.text.replace(" ", "")
    for entry in json.loads(path.with_suffix(".json").read_text(encoding="utf-8")):
        for place in (entry, *entry.get("also", ())):
            printed = place.get("spelled", entry.get("spelled", entry["printed"])).replace(" ", "")
            at = (place.get("cell_index"), place["line"], place["column"])
            assert read.get(at) in (printed, printed.replace("\\%", "%")), (at, printed)


def told(case: str, seed: int) -> list[list[str]]:
    """What a case's document says, and what the seed says if the seeds lie beside the repository."""
    paths = [*FOLDER.glob(f"{case}.[tm]*"), *sorted(SEEDS.glob("*.txt"))[seed : seed + 1]]
    return [[line(item).split(": ", 1)[-1] for item in statements(read_paper(path))] for path in paths]


SAID = [
    ("01", 0, "Scores = [3 0; 2 2]"),
    ("01", 0, "Scaled = [{3 / 1.7} {0 / 1.7}; {2 / 1.7} {2 / 1.7}] ≈ [1.76 0; 1.17 1.17]"),
    ("01", 0, "V = [10 2 0; 2 5 8 r="),
    ("02", 1, "Q := [1.0 0.0; 0.0 1.0; 0.9 0.1 r=小猫,吃,它]"),
    ("02", 1, "和 ≈ 4.758"),
    ("02", 1, "(40.3% 24.0% 35.7% c=小猫,吃,它)"),
]


@pytest.mark.parametrize(("case", "seed", "expected"), SAID)
def test_seeds_and_their_figures(case: str, seed: int, expected: str) -> None:
    for lines in told(case, seed):
        assert any(expected in said for said in lines), lines
