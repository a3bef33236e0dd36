"""HTML: a text of the user's on the left, marked in place by sign, word and colour; what is said of it on the right."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from workings.explaining.tree import Beside, Mark, Passage, Spread
from workings.render.html import Blocks, page, plain
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
.beside { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.5rem; align-items: start; }
@media (max-width: 60rem) { .beside { display: block; } }
.text pre { margin: 0; padding: 0.75rem; background: var(--shade); border: 1px solid var(--line);
  white-space: pre-wrap; line-height: 1.9; unicode-bidi: plaintext; }
.line { display: inline-block; min-width: 3ch; margin-right: 1.5ch; text-align: right; color: var(--soft);
  user-select: none; }
.mark { color: inherit; text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 3px; }
.chip { margin: 0 0.3ch; padding: 0 0.5ch; border: 1px solid; border-radius: 0.6em; font: 0.8em system-ui, sans-serif;
  white-space: nowrap; }
.chip.quiet { border: 0; padding: 0; }
.mark:target { outline: 3px solid var(--link); } .said :target { outline: 3px solid var(--link); }
.wrong { text-decoration-color: var(--bad); } .wrong .chip, .chip.wrong { color: var(--bad); font-weight: bold; }
.follows { text-decoration-color: var(--after); } .follows .chip, .chip.follows { color: var(--after); }
.truncated, .unsure { text-decoration-color: var(--mild); }
.truncated .chip, .unsure .chip, .chip.truncated, .chip.unsure { color: var(--mild); }
.exact, .correctly_rounded, .consistent { text-decoration-color: var(--good); text-decoration-style: dotted; }
.exact .chip, .correctly_rounded .chip, .consistent .chip { color: var(--good); }
.chip.exact, .chip.correctly_rounded, .chip.consistent { color: var(--good); }
.unread, .not_a_claim { text-decoration-color: var(--dim); text-decoration-style: dashed; }
.unread .chip, .not_a_claim .chip, .chip.unread, .chip.not_a_claim { color: var(--dim); }
@media print { .beside { display: block; } .text pre { background: none; } .mark { color: #000; } }
"""


def draw(spread: Spread, words: Words) -> str:
    """The page: every text beside what is said of it."""
    title = plain(spread.title, words)
    parts = [_part(part, number, words, alone=len(spread.parts) == 1) for number, part in enumerate(spread.parts, 1)]
    skip = f'<a class="skip" href="#said-1">{escape(words["target.beside.skip"])}</a>'
    found = {mark.kind for part in spread.parts for passage in part.passages for mark in passage.marks}
    legend = " ".join(
        f'<span class="chip {kind}">{escape(words[f"target.mark.{kind}"])}</span>' for kind in KINDS if kind in found
    )
    legend = f"<p>{escape(words['target.beside.legend'])}: {legend}</p>" if legend else ""
    head = f"{skip}\n<header><h1>{escape(title)}</h1>{legend}</header>"
    return page(title, "\n".join([head, "<main>", *parts, "</main>"]), words, STYLE)


def _part(part: Beside, number: int, words: Words, *, alone: bool) -> str:
    places = frozenset(mark.name for passage in part.passages for mark in passage.marks)
    blocks = Blocks(words, f"d{number}-", 1 if alone else 2, places)
    told = blocks.draw(part.said)  # first, so that a mark leads only to places that are there
    passages = "".join(_passage(passage, blocks) for passage in part.passages)
    title = "" if alone else f"<h2>{blocks.inline(part.said.title)}</h2>\n"
    text, said = escape(words["target.beside.text"]), escape(words["target.beside.said"])
    return (
        f'{title}<div class="beside">\n<section class="text" aria-label="{text}">{passages}</section>\n'
        f'<section class="said" id="said-{number}" aria-label="{said}">\n{told}\n</section>\n</div>'
    )


def _passage(passage: Passage, blocks: Blocks) -> str:
    label = "" if passage.label is None else f"<p>{blocks.inline(passage.label)}</p>"
    return f"{label}<pre>{''.join(_pieces(passage, blocks))}</pre>"


def _pieces(passage: Passage, blocks: Blocks) -> Iterator[str]:
    """The text in pieces, each line with its number before it."""
    numbers = iter(range(1, passage.text.count("\n") + 3))
    yield _number(next(numbers))
    at = 0
    for mark in passage.marks:
        yield _text(passage.text[at : mark.start], numbers)
        yield _marked(mark, _text(passage.text[mark.start : mark.stop], numbers), blocks)
        at = mark.stop
    yield _text(passage.text[at:], numbers)


def _text(text: str, numbers: Iterator[int]) -> str:
    first, *others = escape(inert_lines(text)).split("\n")
    return first + "".join(f"\n{_number(next(numbers))}{line}" for line in others)


def _number(number: int) -> str:
    return f'<span class="line" aria-hidden="true">{number}</span>'


def _marked(mark: Mark, inner: str, blocks: Blocks) -> str:
    word = blocks.words[f"target.mark.{mark.kind}"]
    sign, _, rest = word.partition(" ")
    note = "" if mark.note is None else f" ({blocks.inline(mark.note)})"
    if mark.quiet:
        chip = (
            f'<span class="chip quiet" title="{escape(word)}">{sign}<span class="hidden"> {escape(rest)}</span></span>'
        )
    else:
        chip = f'<span class="chip">{escape(word)}{note}</span>'
    start = f'{blocks.name(mark.name)} class="mark {mark.kind}"'
    if mark.to not in blocks.named:
        return f"<span{start}>{inner}{chip}</span>"
    return f'<a{start} href="#{escape(blocks.prefix + mark.to)}">{inner}{chip}</a>'
