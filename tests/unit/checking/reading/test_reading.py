"""Every kind of document: what its pieces are, where their characters stand, and how a bad file is refused."""

import json
from pathlib import Path

import pytest

from tests.support.statements import said
from workings.checking.grammar import statements
from workings.checking.notation import Statement
from workings.checking.paper import Paper
from workings.checking.reading import MAX_BYTES, paper_from_bytes, paper_from_text, read_paper
from workings.checking.reading.files import kind_of
from workings.terms.errors import BrokenNotebook, FileMissing, FileTooLarge, FileUnreadable, NotText


def pieces(text: str, kind: str, name: str = "") -> list[tuple[str, str]]:
    paper = paper_from_text(text, kind, name)
    return [
        (piece.kind, piece.run.text.strip().replace("\ue000", "⟨").replace("\ue001", "⟩")) for piece in paper.pieces
    ]


def test_markdown_blocks() -> None:
    text = (
        "# Title #\n\nA *word* and **0.5**, `x = 1`.\n\n```python\ny = 2\n# no heading\n```\n\n$$\nz = 3\n= 4\n$$\nend"
    )
    assert pieces(text, "markdown") == [
        ("heading", "Title"),
        ("prose", "A word and 0.5, ⟨x = 1⟩."),
        ("code", "y = 2\n# no heading"),
        ("maths", "z = 3\n= 4"),
        ("prose", "end"),
    ]


def test_inline_markup() -> None:
    cases = {
        "a \\(x\\) b $y$ c": "a ⟨x⟩ b ⟨y⟩ c",
        "costs $5 and $10 now": "costs $5 and $10 now",
        "\\[0.2, 0.5\\] \\_a\\_": "[0.2, 0.5] _a_",
        "see [the page](https://a.b/1.5) now": "see the page now",
        "H<sub>2</sub> x<sup>T</sup> a<br>b &minus;1 &lt;": "H_{2} x^{T} a\nb −1 <",
        "1\\n2 \\nu": "1\n2 \\nu",
        "`\\text{a}`{=tex}": "\\text{a}",
        "a <!-- hidden 1.5 --> b": "a   b",
        "2**3 and **bold**": "2**3 and bold",
    }
    for source, expected in cases.items():
        assert pieces(source, "text") == [("prose", expected)], source


def test_image_link_holds_latex() -> None:
    link = "![x](https://latex.codecogs.com/svg.image?Q%3D%5Cbegin%7Bbmatrix%7D1%20%26%200%5C%5C0%260.5%5Cend%7Bbmatrix%7D)"
    assert said(link, "markdown") == ["Q = [1 0; 0 0.5]"]
    assert said(f'<p><img src="{link[5:-1]}"></p>', "html") == ["Q = [1 0; 0 0.5]"]


def test_latex_document() -> None:
    text = (
        "\\documentclass{article}\n\\newcommand{\\x}{1.5}\n\\begin{document}\n\\section*{Scores}\nText~here\n"
        "% a comment 2.5\ngoes on \\textbf{0.5} with 30\\,\\%.\n\\begin{itemize}\n\\item one\n\\end{itemize}\n"
        "\\begin{align*}\na &= 1 \\\\\n&= 2\n\\end{align*}\n"
        "\\begin{tabular}{lr}\n\\toprule\ncat & 0.5\\\\\ndog & 0.25\n\\end{tabular}\n\\end{document}\n9.9"
    )
    kinds = [kind for kind, _ in pieces(text, "latex")]
    assert kinds == ["heading", "prose", "prose", "maths", "table"]
    assert "9.9" not in str(pieces(text, "latex"))
    assert "2.5" not in str(pieces(text, "latex"))
    assert said(text, "latex")[-2:] == ["one: a = 1 = 2", "(0.5 0.25 c=cat,dog)"]


def test_html_page() -> None:
    page = (
        "<html><head><title>1.5</title><style>p{x:2.5}</style></head><body><h2>Sums</h2><script>a=3.5</script>"
        "<p>a = 0.5<br>b &#61; 0.25</p><pre>c = [1 2\n     3 4]</pre></body></html>"
    )
    assert said(page, "html") == ["a = 0.5", "b = 0.25", "c = [1 2; 3 4]"]


def test_html_formulas_are_read_once() -> None:
    katex = (
        '<p><span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>a</mi></mrow>'
        '<annotation encoding="application/x-tex">a=1.5</annotation></semantics></math></span>'
        '<span class="katex-html"><span>a=1.5</span></span></span></p>'
    )
    assert said(katex, "html") == ["a = 1.5"]
    mathml = "<p><math><msup><mi>e</mi><mn>0.65</mn></msup><mo>≈</mo><mfrac><mn>1.9</mn><mi>b</mi></mfrac></math></p>"
    assert said(mathml, "html") == ["exp(0.65) ≈ {1.9 / b}"]


def notebook() -> str:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "\n", "$a = 1.5$"]},
        {"cell_type": "code", "source": "x = [0.5, 0.25]", "outputs": [{"text": ["[[1. 2.]\n", " [3. 4.]]"]}]},
    ]
    return json.dumps({"cells": cells, "nbformat": 4})


def test_notebook() -> None:
    paper = paper_from_text(notebook(), "notebook", "n.ipynb")
    items = [item for item in statements(paper) if isinstance(item, Statement)]
    assert said(notebook(), "notebook") == ["a = 1.5", "x = (0.5 0.25)", "[1. 2.; 3. 4.]"]
    places = [paper.place(item.span.cell, item.span.start) for item in items]
    assert [(place.cell, place.line, place.column) for place in places] == [(0, 3, 2), (1, 1, 1), (1, 2, 1)]


@pytest.mark.parametrize("text", ["{", "[]", '{"cells": 3}', "[" * 5000, '{"cells": [' + "9" * 5000])
def test_notebook_that_is_none(text: str) -> None:
    with pytest.raises(BrokenNotebook):
        paper_from_text(text, "notebook", "n.ipynb")


def test_notebook_with_odd_cells() -> None:
    outputs = '{"cell_type": "code", "outputs": [1, {"data": 2}]}'
    odd = f'{{"cells": [1, {{}}, {{"source": 3}}, {outputs}, {{"source": ["\\ud800", 1]}}]}}'
    assert said(odd, "notebook") == []


def test_places_are_exact() -> None:
    text = "first line\r\n「它」 is **0.92** here\n"
    paper = paper_from_text(text, "markdown")
    (item,) = statements(paper)
    place = paper.place(item.span.cell, item.span.start)
    assert (place.line, place.column) == (2, 10)
    assert text[item.span.start : item.span.stop] == "0.92"


def test_kinds() -> None:
    names = {
        "a.md": "markdown",
        "a.TEX": "latex",
        "a.ipynb": "notebook",
        "a.htm": "html",
        "a.txt": "text",
        "a.py": "text",
    }
    assert {name: kind_of(name, "x") for name in names} == names
    contents = {"<!DOCTYPE html>": "html", "\\documentclass{a}": "latex", '{"cells": []}': "notebook", "x": "text"}
    assert {text: kind_of("", text) for text in contents} == contents


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbf$a=1.5$")
    assert isinstance(read_paper(path), Paper)
    with pytest.raises(FileMissing):
        read_paper(tmp_path / "none.md")
    with pytest.raises(FileUnreadable):
        read_paper(tmp_path)
    path.write_bytes(b"\xff\xfe1")
    with pytest.raises(NotText):
        read_paper(path)
    path.write_bytes(b"a" * (MAX_BYTES + 1))
    with pytest.raises(FileTooLarge):
        read_paper(path)
    with pytest.raises(NotText):
        paper_from_bytes(b"\xff", "text")
