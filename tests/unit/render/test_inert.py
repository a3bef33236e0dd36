"""User text made inert: exact strings."""

import pytest

from workings.render.inert import display_width, inert, pad_left, pad_right

SHOWN = {
    "cat": "cat",
    "": "⟨⟩",
    " cat": "␣cat",
    "cat ": "cat␣",
    "a b": "a b",
    "a  b": "a␣␣b",
    " ": "␣",
    "\n": "␊",
    "\r\n\t": "␍␊␉",
    "\x1b[31mred": "␛[31mred",
    "\x00\x7f": "␀␡",
    "\x9b31m": "⟨U+009B⟩31m",
    "a\u202eb": "a⟨U+202E⟩b",
    "\u2066x\u2069": "⟨U+2066⟩x⟨U+2069⟩",
    "a\u200bb": "a⟨U+200B⟩b",
    "\ufeff": "⟨U+FEFF⟩",
    "\u200e\u200f\u2060\u200d": "⟨U+200E⟩⟨U+200F⟩⟨U+2060⟩⟨U+200D⟩",
    "\u2028": "⟨U+2028⟩",
    "\u00a0": "⟨U+00A0⟩",
    "\u3000": "⟨U+3000⟩",
    "\ud800": "⟨U+D800⟩",
    "\ue000": "⟨U+E000⟩",
    "\uffff": "⟨U+FFFF⟩",
    "❤\ufe0f": "❤⟨U+FE0F⟩",
    "\u3164": "⟨U+3164⟩",
    "\u0301a": "◌\u0301a",
    "e\u0301": "e\u0301",
    " \u0301": "␣◌\u0301",
    "\u200b\u0301": "⟨U+200B⟩◌\u0301",
    "小猫": "小猫",
    "שלום": "\u2068שלום\u2069",
    "a سلام": "\u2068a سلام\u2069",
    "<b>`|$": "<b>`|$",
}


@pytest.mark.parametrize(("text", "shown"), SHOWN.items(), ids=[ascii(text) for text in SHOWN])
def test_inert(text: str, shown: str) -> None:
    assert inert(text) == shown


WIDTHS = {
    "": 0,
    "cat": 3,
    "小猫": 4,
    "ａ": 2,
    "e\u0301": 1,
    "\u2068שלום\u2069": 4,
    "←": 1,
    "−0.5": 4,
    "🐱": 2,
    "⟨U+202E⟩": 8,
}


@pytest.mark.parametrize(("text", "width"), WIDTHS.items(), ids=[ascii(text) for text in WIDTHS])
def test_display_width(text: str, width: int) -> None:
    assert display_width(text) == width


def test_padding() -> None:
    assert pad_right("小猫", 6) == "小猫  "
    assert pad_left("小猫", 6) == "  小猫"
    assert pad_left("小猫", 3) == "小猫"
