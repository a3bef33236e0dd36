"""The terminal: what wraps, what is split, when there is colour."""

import io

import pytest

from tests.unit.render.sample import DOCUMENT, SampleWords, named
from workings.explaining.tree import Code, Document, Matrix, Token
from workings.render.inert import display_width
from workings.render.terminal import draw, open_console
from workings.render.text import draw as draw_text


def drawn(document: Document, color: str = "never", **environment: str) -> str:
    file = io.StringIO()
    draw(document, SampleWords("en"), open_console(file, color, environment))
    return file.getvalue()


def test_a_narrow_terminal() -> None:
    lines = drawn(DOCUMENT, COLUMNS="26").splitlines()
    assert lines[2:5] == ["Tokens (3): 小猫, “a|`b” ", "and “␣it”. 1. rows; 2 * ", "d_k."]
    start = lines.index("V:")
    assert lines[start + 1 : start + 12] == [
        "  token \\ d_v         0",
        "                  (who)",
        "  小猫             5.0",
        "  a|`b            −0.25",
        "  ␣it          1.2×10⁻⁵",
        "",
        "  token \\ d_v       1",
        "               (what)",
        "  小猫              1  ← subject",
        "  a|`b             −∞  ← *none*",
        "  ␣it             1/3  ← pronoun",
    ]
    assert "  小猫: 0.9 × 1.0 + 0.1 × (−0.2) = 0.88" in lines


def test_a_wide_matrix_is_split_and_never_cut() -> None:
    cells = (tuple(f"{n}.5" for n in range(40)),) * 2
    wide = Matrix(
        "S", "S", ("query", "key"), (Token("小猫"), Token("it")), tuple(Code(str(n)) for n in range(40)), cells
    )
    out = drawn(Document(named("T", "T"), (wide,)), COLUMNS="40")
    assert max(map(display_width, out.splitlines())) <= 40
    rows = (line.split()[1:] for line in out.splitlines() if line.startswith("  小猫"))
    assert [cell for row in rows for cell in row] == list(cells[0])


def test_a_pipe_has_no_width() -> None:
    assert drawn(DOCUMENT).splitlines()[2] == "Tokens (3): 小猫, “a|`b” and “␣it”. 1. rows; 2 * d_k."


COLOUR = [
    ("auto", {}, False),
    ("auto", {"FORCE_COLOR": "1"}, True),
    ("auto", {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
    ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ("always", {}, True),
    ("always", {"NO_COLOR": "1"}, True),
    ("never", {"FORCE_COLOR": "1"}, False),
]


@pytest.mark.parametrize(("color", "environment", "coloured"), COLOUR)
def test_colour(color: str, environment: dict[str, str], coloured: bool) -> None:
    assert ("\x1b[" in drawn(DOCUMENT, color, **environment)) is coloured


def test_escapes_of_the_user_are_inert() -> None:
    hostile = Document(
        named("\x1b[31m[bold]x", ""), (Matrix("", "S", ("", ""), (Token("\x1b]0;t\x07"),), (), (("1",),)),)
    )
    out = drawn(hostile)
    assert "\x1b" not in out
    assert "␛[31m[bold]x" in out
    assert "  ␛]0;t␇  1" in out


def test_the_words_are_those_of_the_plain_target() -> None:
    plain = draw_text(DOCUMENT, SampleWords("en")).split()
    assert [word for word in plain if set(word) - set("=-")] == [
        word for word in drawn(DOCUMENT).split() if set(word) - set("=-")
    ]
