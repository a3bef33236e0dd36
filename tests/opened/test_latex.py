"""LaTeX as LaTeX reads it: every example compiles, nothing runs off the page, no number and no word is lost."""

from collections import Counter

import pytest

import workings as w
from tests.opened.conftest import Compile
from tests.support.reading_back import numbers
from workings.examples import library
from workings.render.inert import END_ISOLATE, ISOLATE, inert

LANGUAGES = ("en", "zh")
MOST_OVERFULL = 1.0  # points by which a line may stand out: less than the eye sees
HOSTILE = (
    "\\input{/etc/passwd}",
    "\\write18{id}",
    "\\immediate\\openout3=x",
    "^^5cinput",
    "\\catcode`\\%=12",
    "$x$ % # & _ ^ ~ { }",
    "[x](javascript:alert(1))",
    "*[2em]",
    "<script>alert(1)</script>",
    "--,,?`!`''<<>>\"|",
    "a\u200bb\u202ec",
    "\x1b[31m",
    "<0xE4>",
    "n\u00e4h \u00c5\u00df",
)
FOREIGN = ("小猫", "ёж", "שלום", "🐈", "ねこ", "e\u0301", "\ufeff")
ENGINE = "% !TeX program = "


def example(tokens: tuple[str, ...]) -> dict[str, object]:
    rows = [[place % 3, (place + 1) % 2] for place in range(len(tokens))]
    return {"tokens": tokens, "inputs": {"Q": rows, "K": rows, "V": rows}}


def unsigned(text: str) -> Counter[str]:
    """Decimals without their signs, which stand close to what is before them on a page."""
    return Counter(number.strip("-%") for number in numbers(text) if "." in number)


def engine_of(source: str) -> str:
    first = source.partition("\n")[0]
    assert first.startswith(ENGINE), first
    return first.removeprefix(ENGINE)


def joined(text: str) -> str:
    """A text without what a page adds: line breaks and spaces, and the isolates that a page does not need."""
    return "".join(text.split()).replace(ISOLATE, "").replace(END_ISOLATE, "").replace("ﬁ", "fi").replace("ﬀ", "ff")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", library.names())
def test_every_example_compiles_with_all_its_numbers(name: str, lang: str, compiled: Compile) -> None:
    trace = w.explain(name, lang=lang)
    source = trace.to_latex(standalone=True)
    done = compiled(source, engine_of(source))
    assert [points for points in done.overfull if points > MOST_OVERFULL] == []
    assert "Missing character" not in done.log
    assert unsigned(trace.to_text()) - unsigned(done.text) == Counter()
    assert done.text.count("−") >= trace.to_text().count("−")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ["kitten", "layer-norm", "encoder-six"])
@pytest.mark.parametrize("size", [10, 12])
def test_a_part_fits_into_an_article(size: int, name: str, lang: str, compiled: Compile) -> None:
    part = w.explain(name, lang=lang, show="all").to_latex()
    foreign = not part.isascii()
    source = (
        f"\\documentclass[{size}pt]{{article}}\n\\usepackage{{amsmath}}\n"
        + ("\\usepackage{ctex}\n" if foreign else "")
        + f"\\begin{{document}}\n\\sloppy\n{part}\n\\end{{document}}\n"
    )
    done = compiled(source, "xelatex" if foreign else "pdflatex")
    assert [points for points in done.overfull if points > MOST_OVERFULL] == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("tokens", [HOSTILE, FOREIGN], ids=["hostile", "foreign"])
def test_every_word_is_printed_and_none_is_obeyed(tokens: tuple[str, ...], lang: str, compiled: Compile) -> None:
    source = w.explain(example(tokens), lang=lang).to_latex(standalone=True)
    done = compiled(source, engine_of(source))
    text = joined(done.text)
    for token in tokens:
        word = joined(inert(token))
        spelled = "".join(c if c.isascii() else f"⟨U+{ord(c):04X}⟩" for c in word)
        assert word in text or spelled in text or "\x1b" in token, token
    assert "ESC" in text or tokens is FOREIGN
    assert "root:" not in text
    assert "Missing character" not in done.log
    assert [points for points in done.overfull if points > MOST_OVERFULL] == []


def test_the_engine_is_the_one_that_is_needed() -> None:
    english = {name: engine_of(w.explain(name, lang="en").to_latex(standalone=True)) for name in library.names()}
    assert english["encoder-six"] == "pdflatex"
    assert english["kitten"] == "xelatex"
    assert engine_of(w.explain("encoder-six", lang="zh").to_latex(standalone=True)) == "xelatex"
