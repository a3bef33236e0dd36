"""A Chinese section whose English has changed is named until somebody has touched it."""

from pathlib import Path

import pytest

from tools import translations
from tools.translations import PAGES, confirmed, pairs, sections, stale

ENGLISH = "# Tea\n\nTea is hot.\n\n## Cups\n\nA cup holds it.\n"
CHINESE = "# 茶\n\n茶是热的。\n\n## 杯子\n\n茶装在杯子里。\n"


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of two sections, up to date in both languages."""
    monkeypatch.setattr(translations, "PAGES", ("tea",))
    (tmp_path / "tea.md").write_text(ENGLISH, encoding="utf-8")
    (tmp_path / "tea.zh.md").write_text(CHINESE, encoding="utf-8")
    confirm(tmp_path)
    return tmp_path


def confirm(folder: Path, *, as_it_is: bool = False) -> None:
    text = confirmed("tea", folder, as_it_is=as_it_is)
    (folder / "tea.zh.md").write_text(text, encoding="utf-8")


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_our_chinese_pages_are_up_to_date() -> None:
    assert list(stale()) == [], "bring the Chinese up to date, then: make translated"


def test_a_changed_sentence_marks_its_section_and_no_other(page: Path) -> None:
    assert list(stale(page)) == []
    change(page / "tea.md", "A cup holds it.", "A glass holds it.")
    assert list(stale(page)) == [("tea.zh.md", "## 杯子")]


def test_confirming_takes_only_what_was_touched(page: Path) -> None:
    change(page / "tea.md", "A cup", "A glass")
    change(page / "tea.md", "is hot", "is cold")
    change(page / "tea.zh.md", "装在杯子里", "装在玻璃杯里")
    confirm(page)
    assert list(stale(page)) == [("tea.zh.md", "# 茶")]
    confirm(page, as_it_is=True)
    assert list(stale(page)) == []


def test_samples_and_line_breaks_mark_nothing(page: Path) -> None:
    change(page / "tea.md", "A cup holds it.", "A cup\nholds it.\n\n```sh\n# no heading\nmake tea\n```")
    assert list(stale(page)) == []


def test_a_missing_section_is_an_error(page: Path) -> None:
    change(page / "tea.md", "## Cups", "## Pots\n\nA pot.\n\n## Cups")
    with pytest.raises(ValueError, match="sections"):
        pairs("tea", page)


def test_marks_are_no_part_of_a_section(page: Path) -> None:
    marked = sections((page / "tea.zh.md").read_text(encoding="utf-8"))
    assert [one.mark for one in marked] == [one.mark for one in sections(CHINESE)]
    assert "".join(one.heading + one.body for one in marked) == CHINESE
    assert len(PAGES) >= 4
