"""HTML: a text of the user's on the left, marked in place by sign, word and colour; what is said of it on the right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape

from workings.explaining.tree import Beside, Mark, Passage, Spread
from workings.render.html import Blocks, lang_attribute, page, plain, spoken
from workings.render.inert import inert_lines
from workings.render.words import Words

KINDS = (
    *("wrong", "follows", "truncated", "unsure", "consistent"),
    *("exact", "correctly_rounded", "not_a_claim", "unread"),
)
STYLE = """
:root { --bad: #b3001b; --after: #8a4b00; --mild: #6b5300; --good: #1c6b2a; --dim: #5b5f66; }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a8a; --after: #ffb86b; --mild: #e6cf6a; --good: #8fd69b;
  --dim: #a9adb5; } }
@media screen and (min-width: 60rem) { body { max-width: none; padding-right: calc(44vw + 1.5rem); }
  .said { position: fixed; inset: 0 0 0 auto; width: 44vw; padding: 1rem 1.5rem; overflow-y: auto;
    border-left: 1px solid var(--line); } .said:focus-visible { outline-offset: -3px; } }
.legend { line-height: 2; }
pre { margin: 0 0 1rem; padding: 0.75rem 0.75rem 0.75rem 5.5ch; background: var(--shade); border: 1px solid var(--line);
  white-space: pre-wrap; line-height: 1.9; unicode-bidi: plaintext; overflow-wrap: anywhere; }
.line { display: inline-block; width: 4ch; margin: 0 1ch 0 -5ch; text-align: right; color: var(--soft);
  user-select: none; }
.mark { color: inherit; text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 3px; }
.whole { display: inline-block; text-indent: 0; }
.chip { display: inline-block; margin: 0 0.3ch; padding: 0 0.5ch; border: 1px solid; border-radius: 0.6em;
  font: 0.8rem/1.4 var(--sans); }
.chip.quiet { border: 0; padding: 0; margin: 0 0 0 0.1ch; }
.mark:target { outline: 3px solid var(--link); outline-offset: 2px; scroll-margin-block: 40vh; }
.said :target { outline: 3px solid var(--link); outline-offset: 2px; scroll-margin-block: 5rem; }
.wrong { text-decoration-color: var(--bad); } .wrong .chip, .chip.wrong { color: var(--bad); font-weight: bold; }
.follows { text-decoration-color: var(--after); } .follows .chip, .chip.follows { color: var(--after); }
.truncated, .unsure { text-decoration-color: var(--mild); }
.truncated .chip, .unsure .chip, .chip.truncated, .chip.unsure { color: var(--mild); }
.exact, .correctly_rounded, .consistent { text-decoration-color: var(--good); text-decoration-style: dotted; }
.exact .chip, .correctly_rounded .chip, .consistent .chip { color: var(--good); }
.chip.exact, .chip.correctly_rounded, .chip.consistent { color: var(--good); }
.unread, .not_a_claim { text-decoration-color: var(--dim); text-decoration-style: dashed; }
.unread .chip, .not_a_claim .chip, .chip.unread, .chip.not_a_claim { color: var(--dim); }
@media print { pre { background: none; border: 0; border-top: 1px solid var(--line); line-height: 1.7; }
  .chip { font-size: 7.5pt; } }
"""


def draw(spread: Spread, words: Words, *, alone: bool = True) -> str:
    """The page: what is said of the texts comes first to those who read on paper, by ear or on a narrow screen.

    ``alone=False`` gives its legend and its two halves, for another page.
    """
    title = plain(spread.title, words)
    only = len(spread.parts) == 1
    said, texts = [], []
    regions: Counter[str] = Counter()
    for number, part in enumerate(spread.parts, 1):
        places = frozenset(mark.name for passage in part.passages for mark in passage.marks)
        blocks = Blocks(words, f"d{number}-", 1 if only else 2, places, regions=regions)
        said.append(_said(part, blocks, only=only))  # first, so that a mark leads only to places that are there
        texts.append(_text(part, blocks, only=only))
    halves = f"{_section('said', said, words)}\n{_section('text', texts, words)}"
    if not alone:
        return f"{_legend(spread, words)}\n{halves}"
    body = (
        f'<a class="skip" href="#text">{escape(words["target.beside.skip"])}</a>\n'
        f"<header><h1>{escape(title)}</h1>{_legend(spread, words)}</header>\n<main>\n{halves}\n</main>"
    )
    return page(title, body, words, STYLE)


def _legend(spread: Spread, words: Words) -> str:
    found = {mark.kind for part in spread.parts for passage in part.passages for mark in passage.marks}
    chips = " ".join(
        f'<span class="chip {kind}">{escape(words[f"target.mark.{kind}"])}</span>' for kind in KINDS if kind in found
    )
    if not chips:
        return ""
    label = words.sentence("target.label", {"label": escape(words["target.beside.legend"])})
    return f'<p class="legend">{label}{chips}</p>'


def _section(name: str, parts: list[str], words: Words) -> str:
    """Half of the page; what is said scrolls by itself, so the keyboard must reach it."""
    reached = ' tabindex="0"' if name == "said" else ""
    label = escape(words[f"target.beside.{name}"])
    inner = "\n".join(parts)
    return f'<section class="{name}" id="{name}"{reached} aria-label="{label}">\n{inner}\n</section>'


def _said(part: Beside, blocks: Blocks, *, only: bool) -> str:
    title = "" if only else f"<h2>{blocks.inline(part.said.title)}</h2>\n"
    return title + blocks.draw(part.said)


def _text(part: Beside, blocks: Blocks, *, only: bool) -> str:
    title = escape(blocks.words["target.beside.text"]) if only else blocks.inline(part.said.title)
    return f"<h2>{title}</h2>\n" + "\n".join(_passage(passage, blocks) for passage in part.passages)


def _passage(passage: Passage, blocks: Blocks) -> str:
    label = "" if passage.label is None else f"<h3>{blocks.inline(passage.label)}</h3>\n"
    return f"{label}<pre{lang_attribute(spoken(passage.text))}>{''.join(_pieces(passage, blocks))}</pre>"


def _pieces(passage: Passage, blocks: Blocks) -> Iterator[str]:
    """The text in pieces, each line with its number before it."""
    lang = blocks.words.lang
    lang = "" if spoken(passage.text) == lang else lang_attribute(lang)  # the words of a mark are the page's own
    numbers = iter(range(1, passage.text.count("\n") + 3))
    yield _number(next(numbers))
    at = 0
    for mark in passage.marks:
        yield _numbered(passage.text[at : mark.start], numbers)
        yield _marked(mark, _numbered(passage.text[mark.start : mark.stop], numbers), blocks, lang)
        at = mark.stop
    yield _numbered(passage.text[at:], numbers)


def _numbered(text: str, numbers: Iterator[int]) -> str:
    first, *others = escape(inert_lines(text)).split("\n")
    return first + "".join(f"\n{_number(next(numbers))}{line}" for line in others)


def _number(number: int) -> str:
    return f'<span class="line" aria-hidden="true">{number}</span>'


def _marked(mark: Mark, inner: str, blocks: Blocks, lang: str) -> str:
    word = blocks.words[f"target.mark.{mark.kind}"]
    sign, _, rest = word.partition(" ")
    note = "" if mark.note is None else f" ({blocks.inline(mark.note)})"
    if mark.quiet:
        hidden = f'<span class="hidden"{lang}> {escape(rest)}</span>'
        chip = f'<span class="chip quiet" title="{escape(word)}">{sign}{hidden}</span>'
    else:
        chip = f'<span class="chip"{lang}>{escape(word)}{note}</span>'
    whole = "" if "\n" in inner else " whole"  # a number and its verdict stay on one line
    start = f'{blocks.name(mark.name)} class="mark {mark.kind}{whole}"'
    if mark.to not in blocks.named:
        return f"<span{start}>{inner}{chip}</span>"
    return f'<a{start} href="#{escape(blocks.prefix + mark.to)}">{inner}{chip}</a>'
