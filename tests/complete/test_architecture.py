"""The map shows what is there."""

import re

import pytest

from tests.complete.layers import layers
from tools.file_list import ROOT
from tools.generated import PARTS, stale


def test_generated_parts_are_current() -> None:
    assert [path.name for path, _ in stale()] == [], "run `make fix`"


def test_lost_markers_are_noticed() -> None:
    with pytest.raises(ValueError, match="markers"):
        PARTS[0].new_text("nothing")


def test_import_direction_is_the_one_enforced() -> None:
    document = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    found = re.search(r"^`(cli > .* > terms)`$", document, re.MULTILINE)
    assert found is not None
    told = [[name.strip() for name in level.split("|")] for level in found[1].split(">")]
    assert told == [level for level in layers() if level != ["__main__"]]
