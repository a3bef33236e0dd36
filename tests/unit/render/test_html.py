"""Pages: nothing is loaded, nothing runs, every element is closed, and the document stands there letter by letter."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import workings as w
from tests.documents.agreement import document, numbers
from tests.unit.render.sample import DOCUMENT, SampleWords
from workings.api.checking import Report, Reports
from workings.checking.reading import read_paper
from workings.render.html import STYLE, Blocks, page
from workings.render.inert import inert_lines

VOID = {"meta", "br"}
ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "section", "div", "p", "pre", "span", "a"),
    *("h1", "h2", "h3", "h4", "table", "caption", "thead", "tbody", "tr", "th", "td", "code", "bdi", "br"),
}
ALLOWED |= {"nav", "details", "summary", "ul", "li"}
ALLOWED |= {*("math", "mrow", "mi", "mn", "mo", "mtext", "mfrac", "msqrt", "msub", "msup", "msubsup", "munder")}
ATTRIBUTES = {
    *("displaystyle", "form", "stretchy", "open"),
    *("id", "class", "href", "title", "aria-label", "aria-hidden", "tabindex", "role", "scope", "lang"),
    *("charset", "name", "content", "http-equiv"),
}
HOSTILE = """# <script>alert(1)</script>
Q = [[1, 0], [0, 1]] <img src=x onerror=alert(1)>
K = [[1, 2], [3, 1]] </pre></section><script src="https://evil.example/x.js"></script>
V = [[10, 0], [0, 10]] \u202e\u0000 javascript:alert(1) &lt;b&gt; "'><svg onload=alert(1)>
S = QK^T = [[1, 4], [2, 1]]

$<script> = "x" </script>$ about 0.77 "onmouseover="alert(1)
"""


class Reader(HTMLParser):
    """What a page holds; raises where an element is not closed as it should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.written = ""
        self.shown = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, tag
        found = dict(attrs)
        assert set(found) <= ATTRIBUTES, attrs
        assert len(found) == len(attrs)
        self.ids += [str(found["id"])] if "id" in found else []
        self.links += [str(found["href"])] if "href" in found else []
        if tag not in VOID:
            self.open.append((tag, str(found.get("class", ""))))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self.open]
        if "pre" in tags and not any(kind.split()[0] in ("line", "chip") for _, kind in self.open if kind):
            self.written += data
        if "style" not in tags:
            self.shown += data


def checked(path: Path, lang: str = "en") -> tuple[Reader, str]:
    text = w.check(path, lang=lang).to_html()
    return Reader(text), text


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("number", numbers())
def test_a_page_holds_the_document_and_leads_from_mark_to_word_and_back(number: str, lang: str) -> None:
    path = document(number)
    found, text = checked(path, lang)
    assert found.written == "".join(inert_lines(source) for source in read_paper(path).sources)
    assert len(set(found.ids)) == len(found.ids)
    assert {link.removeprefix("#") for link in found.links} <= set(found.ids)
    assert all(link.startswith("#") for link in found.links)
    assert f'<html lang="{lang}">' in text


@pytest.mark.parametrize("number", numbers())
def test_every_verdict_stands_in_its_place_by_sign_and_word(number: str) -> None:
    report = w.check(document(number), lang="en")
    _, text = checked(document(number))
    marked = re.findall(r'class="mark (\w+)[" ]', text)
    wrong = {
        (claim.number.span.cell, claim.number.span.start) for claim in report.claims if claim.verdict.value == "wrong"
    }
    assert marked.count("wrong") == len(wrong)
    assert text.count("✗ wrong") == len(wrong) + bool(wrong)


def test_nothing_is_loaded_and_nothing_runs(tmp_path: Path) -> None:
    path = tmp_path / "hostile.md"
    path.write_text(HOSTILE, encoding="utf-8")
    found, text = checked(path)
    assert "default-src 'none'; style-src 'sha256-" in text
    assert "'unsafe-inline'" not in text
    assert "<script" not in text
    assert "<img" not in text
    assert "url(" not in text
    assert "@import" not in text
    assert "\u202e" not in text
    assert "\u0000" not in text
    assert "<script>alert(1)</script>" in found.written


def test_the_first_wrong_number_is_the_first_thing_told(tmp_path: Path) -> None:
    path = tmp_path / "hostile.md"
    path.write_text(HOSTILE, encoding="utf-8")
    _, text = checked(path)
    said = text[text.index('<section class="said"') :]
    assert said.index("is wrong; 3 is right") < said.index("Not understood")
    assert re.search('<span class="chip"[^>]*>✗ wrong \\(3 is right\\)</span>', text)


def test_several_documents_share_a_page(tmp_path: Path) -> None:
    (tmp_path / "hostile.md").write_text(HOSTILE, encoding="utf-8")
    report = w.check(tmp_path / "hostile.md", lang="en")
    other = w.check(document("26"), lang="en")
    assert isinstance(report, Report)
    found = Reader(Reports([report, other]).to_html())
    assert len(set(found.ids)) == len(found.ids)
    assert {link.removeprefix("#") for link in found.links} <= set(found.ids)
    assert "2 documents checked" in found.shown


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_kind_of_block_is_drawn(lang: str) -> None:
    words = SampleWords(lang)
    found = Reader(page("<b>", Blocks(words).draw(DOCUMENT), words))
    assert "a|`b" in found.shown
    assert "0.88" in found.shown
    assert "1.2×10⁻⁵" in found.shown


def test_chinese_words_are_chinese_on_an_english_page_and_its_own_words_english() -> None:
    _, text = checked(document("02"))
    assert '<bdi lang="zh">小猫</bdi>' in text
    assert '<pre lang="zh">' in text
    assert re.search('<span class="chip" lang="en">✗ wrong', text)
    _, text = checked(document("02"), "zh")
    assert "<bdi>「小猫」</bdi>" in text
    assert 'lang="en"' not in text


def test_the_style_prints_and_follows_the_readers_wish_for_dark() -> None:
    assert "@media print" in STYLE
    assert "prefers-color-scheme: dark" in STYLE
    assert "</" not in STYLE


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_table_that_scrolls_is_reached_by_keyboard_and_has_a_name_of_its_own(lang: str, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.md", "b.md")]
    for path in paths:
        path.write_text(HOSTILE, encoding="utf-8")
    reports = [w.check(path, lang=lang) for path in paths]
    for drawn in (w.explain("kitten", lang=lang).to_html(), Reports(reports).to_html()):
        scrolling = re.findall('<div class="wide"([^>]*)>', drawn)
        names = [re.fullmatch(' role="region" aria-label="([^"]+)" tabindex="0"', found) for found in scrolling]
        assert len(names) == drawn.count("<table>") > 1
        assert all(names)
        assert len({found[1] for found in names if found}) == len(names)
