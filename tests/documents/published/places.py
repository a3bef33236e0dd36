"""Moves the places in the lists after a document was edited: ``python -m tests.documents.published.places 13 21``.

The document as last committed is compared with the one on disk; a number that cannot be found again is an error.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
Lines = dict[int | None, list[str]]


def document(number: str) -> Path:
    """The document of a case: its one file that is no list."""
    (found,) = (path for path in FOLDER.glob(f"{number}.*") if path.suffix != ".json")
    return found


def lines_of(text: str, notebook: bool) -> Lines:
    """The lines of a document; of a notebook, those of each cell."""
    if not notebook:
        return {None: text.splitlines()}
    return {index: "".join(cell["source"]).splitlines() for index, cell in enumerate(json.loads(text)["cells"])}


def _columns(line: str, spelled: str) -> list[int]:
    return [
        found.start() + 1 for found in re.finditer(rf"(?:(?<![0-9.])|(?<=%20)){re.escape(spelled)}(?!\d|\.\d)", line)
    ]


def _moved(place: dict[str, Any], old: list[str], new: list[str]) -> dict[str, Any]:
    spelled, at = place.get("spelled", place["printed"]), place["line"] - 1
    nth = _columns(old[at], spelled).index(place["column"])
    for _, start, stop, new_start, new_stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if not start <= at < stop:
            continue
        for candidate in range(new_start + at - start, new_stop):
            columns = _columns(new[candidate], spelled)
            if len(columns) > nth:
                return {**place, "line": candidate + 1, "column": columns[nth]}
    raise SystemExit(f"{place['step']}{place['cell']} = {spelled} is no longer where it was: edit the list by hand")


def move(places: list[dict[str, Any]], old: Lines, new: Lines) -> list[dict[str, Any]]:
    """The places in the edited document, cell by cell of a notebook (whose number of cells must stay)."""
    return [_moved(p, old[p.get("cell_index")], new[p.get("cell_index")]) for p in places]


def written(places: list[dict[str, Any]]) -> str:
    """A list as its file holds it: one number a line."""
    return "[\n" + ",\n".join(" " + json.dumps(place, ensure_ascii=False) for place in places) + "\n]\n"


def main(numbers: list[str]) -> None:
    """Writes the lists of these cases again."""
    for number in numbers:
        path, listed = document(number), FOLDER / f"{number}.json"
        before = subprocess.run(["git", "show", f"HEAD:./{path.name}"], cwd=FOLDER, capture_output=True, check=True)
        notebook = path.suffix == ".ipynb"
        old, new = (lines_of(text, notebook) for text in (before.stdout.decode(), path.read_text(encoding="utf-8")))
        places = move(json.loads(listed.read_text(encoding="utf-8")), old, new)
        listed.write_text(written(places), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
