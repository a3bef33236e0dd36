"""What readers see changes only on purpose: compared with the golden files, which ``make golden`` rewrites."""

import pytest

from tests.golden.update import FOLDER, drawn, every, path


@pytest.mark.parametrize(("name", "target", "lang"), every(), ids="-".join)
def test_as_it_was(name: str, target: str, lang: str) -> None:
    assert drawn(name, target, lang) == path(name, target, lang).read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {path(*combination).name for combination in every()}
