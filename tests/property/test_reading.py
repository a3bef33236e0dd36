"""Whatever a document holds, reading it fails only by the project's errors and checking it never; places are exact."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.effort import effort
from tests.support.outcomes import read_or_told
from tests.support.statements import digits_stand_there, stands_there
from workings.checking.check import check
from workings.checking.grammar import REASONS, statements
from workings.checking.notation import Unread
from workings.checking.paper import Paper
from workings.checking.reading import paper_from_bytes, paper_from_text
from workings.checking.verdicts import Verdict
from workings.explaining.verdicts import PASSED_OVER
from workings.render.words import LANGUAGES, Words

FOLDER = Path(__file__).parents[1] / "documents" / "published"
DOCUMENTS = [(path.name, path.read_text(encoding="utf-8")) for path in sorted(FOLDER.iterdir()) if path.suffix != ".py"]
NAMES = ("a.md", "a.tex", "a.txt", "a.ipynb", "a.html", "a.py", "a.c", "a")
FRAGMENTS = (
    *(
        "$",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "$$",
        "[[1, 0],",
        "[0, 1]]",
        "|",
        "|---|",
        "\n",
        "\n\n",
        "\r\n",
        "```",
        "**",
        "*",
        "`",
    ),
    *(
        "\\begin{bmatrix}",
        "\\end{bmatrix}",
        "\\begin{aligned}",
        "\\end{aligned}",
        "&",
        "\\\\",
        "=",
        "≈",
        "→",
        "Q",
        "_",
        "^",
    ),
    *(
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "1.0",
        "3",
        "%",
        "e^",
        "\\frac",
        "13",
        "┌",
        "│",
        "┘",
        " ",
        "-",
        "∞",
        "...",
        "…",
        ",",
        ";",
    ),
    *("<td>", "<table>", "</table>", "<math>", "<msup>", "</math>", "&lt;", "&#48;", "<!-- workings: ignore -->", "# "),
    *(
        "% workings: end",
        "\\text{它}",
        "\\left[",
        "\\sqrt",
        "√",
        "Kᵀ",
        "Q₁",
        "×10⁻⁵",
        "约",
        "第",
        "：",
        "\ue000",
        "\ue001",
        "\x00",
    ),
    *(
        "![a](https://latex.codecogs.com/x?%5Cfrac%7B1%7D%7B2%7D)",
        "\\item",
        "\\section{",
        "\\begin{tabular}{cc}",
        "\\n",
        "\ud800",
    ),
)


def sound(read: Callable[[], Paper]) -> None:
    """Reading ends with an error told in every language, or with a paper that is judged number by number."""
    paper = read_or_told(read)
    if paper is None:
        return
    found = statements(paper)
    for item in found:
        assert digits_stand_there(paper, item), item
        assert not isinstance(item, Unread) or item.why in REASONS
    report = check(paper, found)
    verdicts = Counter(claim.verdict for claim in report.claims)
    assert verdicts + Counter({Verdict.UNREAD: len(report.unread)}) == +report.counts
    assert all(
        f"check.why.{item.why}" in Words(lang)
        for lang in LANGUAGES
        for item in report.unread
        if item.why != PASSED_OVER
    )
    for claim in report.claims:
        assert claim.place.line >= 1
        assert stands_there(paper, claim.number.span, claim.number.text), claim
    assert report.first_wrong is None or report.first_wrong in report.claims


@given(st.text(), st.sampled_from(NAMES))
def test_random_text(text: str, name: str) -> None:
    sound(lambda: paper_from_text(text, name=name))


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=60).map("".join), st.sampled_from(NAMES))
def test_fragments_in_any_order(text: str, name: str) -> None:
    sound(lambda: paper_from_text(text, name=name))


@given(st.binary(max_size=400), st.sampled_from(NAMES))
def test_random_bytes(data: bytes, name: str) -> None:
    sound(lambda: paper_from_bytes(data, name=name))


@given(st.data())
def test_mutated_documents(data: st.DataObject) -> None:
    name, text = data.draw(st.sampled_from(DOCUMENTS))
    start = data.draw(st.integers(0, max(0, len(text) - 1)))
    text = text[start : start + 1500]
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(st.sampled_from(FRAGMENTS)) + text[at + data.draw(st.integers(0, 3)) :]
    called = data.draw(st.sampled_from((name, *NAMES)))
    sound(lambda: paper_from_text(text, name=called))


GROWING = (
    "a = a × a\n\n",
    "a = a + 1\n\n",
    "a = (a + 1) × 2 = 5\n\n",
    "$a = \\sqrt{a}$\n\n",
    "b = [a, a] · [a, a]\n\na = b + b\n\n",
)


@pytest.mark.parametrize("line", GROWING)
def test_names_that_grow_line_by_line(line: str) -> None:
    for begun in ("a = 3\n\n", "a = [[1, 2], [3, 4]]\n\n", ""):
        paper = paper_from_text(begun + line * 400 + "a = 7\n", name="a.md")
        check(paper, statements(paper))


REPEATED = (
    *(
        "1 ",
        "[",
        "(",
        "[1,",
        "1+",
        "-",
        "e^",
        "{",
        "\\frac",
        "\\begin{aligned}",
        "\\begin{bmatrix}1&",
        "┌ ┐ ",
        "Q=[[1,\n",
        "[1, 2]\n",
    ),
    *(
        "$",
        "\\(",
        "\\[",
        "`",
        "<!--",
        "<table>",
        "<math>",
        '<span class="katex-html">',
        "![a](",
        "|-|\n",
        "```\n",
        "* a\n",
        "1\n",
    ),
)


def work(text: str, name: str) -> int:
    return effort(lambda: statements(paper_from_text(text, name=name)))


@pytest.mark.parametrize("part", REPEATED)
def test_work_grows_no_faster_than_length(part: str) -> None:
    """Four times the text takes about four times the calls; a quadratic reader would take sixteen times."""
    for name in ("a.md", "a.tex", "a.html"):
        short, long = (part * (size // len(part)) for size in (500, 2_000))
        work(part, name)  # what is made once for all documents
        assert work(long, name) < 8 * max(work(short, name), 1_000)
