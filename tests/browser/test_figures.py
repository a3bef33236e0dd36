"""SVG in a real browser, opened as a file and inside a page: nothing runs, nothing is asked for, all of it is text."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

import workings as w
from tests.support.browser import opened
from workings.render.inert import inert

WORDS = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "=1+1", "\u202egnp.evil", "שלום", "a\u200bb")
ROWS = [[place % 3, place % 2] for place in range(len(WORDS))]
HOSTILE: dict[str, object] = {
    "tokens": WORDS,
    "inputs": {"Q": ROWS, "K": ROWS, "V": ROWS},
    "attention": {"mask": "causal"},
}


def drawn(folder: Path, source: str | dict[str, object], lang: str) -> Path:
    path = folder / "figure.svg"
    path.write_text(w.explain(source, lang=lang).to_svg(), encoding="utf-8")
    return path


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_words_stay_words(lang: str, browser: Browser, tmp_path: Path) -> None:
    with opened(browser, drawn(tmp_path, HOSTILE, lang)) as found:
        assert found.page.evaluate("document.documentElement.tagName") == "svg"
        text = "".join(found.page.locator("text").all_text_contents())
        short = [word for word in WORDS if len(inert(word)) < 14]
        assert [word for word in short if inert(word) not in text] == []
        assert "\u202e" not in text
        assert found.page.locator("script, img, image, a, use, foreignObject, iframe").count() == 0
        assert found.trouble == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["kitten", "causal"])
def test_no_text_lies_on_another(name: str, lang: str, dark: bool, browser: Browser, tmp_path: Path) -> None:
    boxes = "Array.from(document.querySelectorAll('text'), t => { const b = t.getBoundingClientRect();"
    boxes += " return [b.left, b.top + 3, b.right, b.bottom - 3, t.textContent]; })"
    with opened(browser, drawn(tmp_path, name, lang), dark=dark) as found:
        texts = [box for box in found.page.evaluate(boxes) if box[4]]
        assert found.trouble == []
        width = found.number("document.documentElement.viewBox.baseVal.width")
        assert all(left >= 0 and right <= width for left, _, right, _, _ in texts)
    over = [
        (one[4], two[4])
        for place, one in enumerate(texts)
        for two in texts[place + 1 :]
        if one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]
    ]
    assert over == []


def test_it_stands_in_a_page(browser: Browser, tmp_path: Path) -> None:
    figure = drawn(tmp_path, "kitten", "zh").read_text(encoding="utf-8")
    page = tmp_path / "page.html"
    page.write_text(f"<!DOCTYPE html><meta charset=utf-8><title>x</title><body>{figure}</body>", encoding="utf-8")
    with opened(browser, page) as found:
        assert found.page.get_by_role("img").count() == 1
        assert found.page.get_by_role("img", name=w.explain("kitten", lang="zh").title).count() == 1
        assert found.trouble == []
