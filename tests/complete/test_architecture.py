"""The map shows what is there."""

import re

from tests.complete.layers import layers
from tools.file_list import ROOT, file_list, with_list


def test_file_list_is_current() -> None:
    document = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert document == with_list(document, file_list()), "run `make fix`"


def test_import_direction_is_the_one_enforced() -> None:
    document = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    found = re.search(r"^`(cli > .* > terms)`$", document, re.MULTILINE)
    assert found is not None
    told = [[name.strip() for name in level.split("|")] for level in found[1].split(">")]
    assert told == [level for level in layers() if level != ["__main__"]]
