"""The gallery of slips: for each cause that a document can show, a small document that shows it, really checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from tools.documents import NAMES, markdown, rows_of, with_claims
from workings.api.opening import trace_of
from workings.checking.causes.cause import Cause
from workings.checking.causes.registry import BY_ID, CAUSES
from workings.checking.check import check
from workings.checking.claims import Claim, Report
from workings.checking.divisor import given_cells
from workings.checking.grammar import statements
from workings.checking.reading import paper_from_text
from workings.checking.spec import check_example
from workings.exact.run import Exact
from workings.examples.read import read_text
from workings.terms.address import Name
from workings.terms.errors import WorkingsError
from workings.traces.trace import Trace

Rows = list[list[str]]

TWO = 'tokens = ["tea", "time"]\n[inputs]\nQ = [[1, 2], [3, 1]]\nK = [[1, 0], [2, 1]]\nV = [[1, 2], [3, 4]]\n'
MADE = (
    'tokens = ["tea", "time"]\n[inputs]\nX = [[1, 0.5], [0, 1]]\n'
    "W_Q = [[1, 0], [0.5, 1]]\nW_K = [[1, 0.2], [0, 1]]\nW_V = [[1, 2], [3, 4]]\n"
)
THREE = (
    'tokens = ["I", "drink", "tea"]\n[inputs]\nQ = [[1, 0], [0, 1], [1, 1]]\n'
    "K = [[1, 0.5], [0.5, 1], [0, 1]]\nV = [[1, 0], [0, 1], [1, 1]]\n"
)
EVEN = (
    'tokens = ["I", "drink", "tea"]\n[inputs]\nQ = [[0, 0], [0, 1], [1, 1]]\n'
    "K = [[1, 0.5], [0.5, 1], [0, 1]]\nV = [[1, 0], [0, 1], [1, 1]]\n"
)
CROSS = (
    'tokens = ["I", "drink"]\nkey_tokens = ["我", "喝", "茶"]\n[inputs]\nQ = [[1, 0], [0, 1]]\n'
    "K = [[1, 0.5], [0.5, 1], [0, 1]]\nV = [[1, 0], [0, 1], [1, 1]]\n"
)
HEADS = (
    'tokens = ["tea", "time"]\n[inputs]\nX = [[1, 0.5, 0, 1], [0, 1, 0.5, 1]]\n'
    "W_Q = [[1, 0, 0, 1], [0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 1, 1]]\n"
    "W_K = [[0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 1, 0], [1, 0, 0, 0]]\n"
    "W_V = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]\n[attention]\nheads = 2\n"
)
GROUPED = (
    'tokens = ["tea", "time"]\n[inputs]\nX = [[1, 0.5, 0, 1], [0, 1, 0.5, 1]]\n'
    "W_Q = [[1, 0, 0, 1], [0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 1, 1]]\n"
    "W_K = [[0, 1], [1, 0], [0, 2], [1, 0]]\nW_V = [[1, 0], [0, 1], [0, 2], [1, 1]]\n"
    "[attention]\nheads = 4\nn_kv_heads = 2\n"
)
SLOPES = (
    'tokens = ["I", "drink", "tea"]\n[inputs]\nX = [[1, 0, 0], [0, 1, 0], [1, 1, 1]]\n'
    "W_Q = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nW_K = [[1, 0, 1], [0, 1, 0], [0, 0, 1]]\n"
    'W_V = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n[attention]\nheads = 3\nposition = "alibi"\n'
)
LARGE = 'tokens = ["tea", "time"]\n[inputs]\nQ = [[300, 0], [0, 9]]\nK = [[300, 1], [1, 9]]\nV = [[1, 2], [3, 4]]\n'
WIDE = (
    'tokens = ["tea", "time"]\n[inputs]\nX = [[1, 0], [0, 1]]\nW_Q = [[1, 0, 1, 0], [0, 1, 0, 1]]\n'
    "W_K = [[1, 0.5, 0, 1], [0.5, 1, 1, 0]]\nW_V = [[1, 2], [3, 4]]\n"
)
SIX = (
    'tokens = ["tea", "time"]\n[inputs]\nX = [[1, 0], [0, 1]]\nW_Q = [[1, 0, 1, 0, 0, 1], [0, 1, 0, 1, 1, 0]]\n'
    "W_K = [[1, 0.5, 0, 1, 1, 0], [0.5, 1, 1, 0, 0, 1]]\nW_V = [[1, 2], [3, 4]]\n"
)
NORMED = f"{WIDE}q_norm_gain = [1, 2, 1, 1]\nk_norm_gain = [1, 1, 0.5, 1]\n"


@dataclass(frozen=True)
class Base:
    """An example in which a slip may be seen; ``said`` is what a Markdown document says of it, None for none."""

    toml: str
    said: str | None = None


BASES = (
    *(Base(MADE, ""), Base(TWO, ""), Base(THREE, ""), Base(EVEN, "")),
    Base(f'{THREE}[attention]\nmask = "causal"\n', "The mask is causal."),
    Base(f'{CROSS}[attention]\nmask = "causal"\n'),
    Base(f'{CROSS}[attention]\nmask = "causal-top-left"\n'),
    Base(f'{THREE}[attention]\nmask = "window:2"\n'),
    Base(f"{THREE}[attention]\nmask = [[1, 1, 0], [1, 1, 0], [1, 1, 0]]\n"),
    Base(f"{THREE}[attention]\nmask = [[1, 0, 1], [0, 1, 0], [1, 0, 1]]\n"),
    Base(f"{THREE}[attention]\nmask = [[0, 0, 0], [1, 1, 0], [1, 1, 1]]\n"),
    Base(f"{TWO}[attention]\nsoftcap = 2\n"),
    Base(f'{THREE}[attention]\nmask = "causal"\nsoftcap = 2\n'),
    Base(f"{TWO}[attention]\nsink = [1]\n"),
    *(Base(HEADS), Base(GROUPED), Base(SLOPES)),
    Base(f'{WIDE}[attention]\nposition = "rope"\nrope = {{pairs = "half", base = 100}}\n'),
    Base(f'{WIDE}[attention]\nposition = "rope"\nrope = {{pairs = "interleaved", base = 100}}\n'),
    Base(f'{WIDE}[attention]\nposition = "rope"\nrope = {{pairs = "half", position = [1, 2]}}\n'),
    Base(f'{THREE}[attention]\nposition = "alibi"\n'),
    Base(f'{NORMED}[attention]\nposition = "rope"\nrope = {{base = 100}}\nqk_norm = "rms"\n'),
    Base(f'{LARGE}[attention]\nsoftmax = "shifted"\n'),
    Base(f"{MADE}b_Q = [0.5, 1]\n"),
    Base(f'{THREE}[attention]\nsoftmax = "online"\nblock_size = 1\n'),
    Base(f"{SIX}[attention]\nrope = {{base = 100, rotary_dim = 4}}\n"),
)
CUT = "truncated"  # no cause of a wrong number but a verdict of its own
ROWS: dict[
    str, tuple[str, Callable[[Rows], Rows]]
] = {  # slips seen in the printed rows alone: how they come about from the right weights of an example
    CUT: (THREE, lambda rows: [["0.45", *rows[0][1:]], *rows[1:]]),
    "rows-swapped": (THREE, lambda rows: [rows[1], rows[0], rows[2]]),
    "row-copied": (THREE, lambda rows: [rows[0], rows[0], rows[2]]),
    "row-adjusted": (EVEN, lambda rows: [["0.34", *rows[0][1:]], *rows[1:]]),
    "dropout-weights": (THREE, lambda rows: [[f"{2 * float(rows[0][0]):.2f}", "0", "0"], *rows[1:]]),
}
SIZE = re.compile(r"-[0-9]+$")  # at the end of an id
WORDS = {
    "en": {
        "title": "What slips look like",
        "about": "Each document below holds one slip. `workings check` names it, and with it every other slip that "
        "would have given the same digits. The documents and what is said of them are made by `make fix`.",
        "shown": "`{address}` is printed as {printed}; {right} is right.",
        "also": "The same digits would come from: {others}.",
        "tensors": "Seen in tensors only",
        "tensors_about": "These leave no trace in numbers that fit on a page; `workings compare` finds them in dumps.",
        "stop": ".",
        "comma": "; ",
        "sizes": ", ",
    },
    "zh": {
        "title": "各种失误长什么样",
        "about": "下面每份文档里有一处失误。`workings check` 会说出它，也会说出得到同样数字的其他失误。"
        "这些文档和说明由 `make fix` 生成。",
        "shown": "`{address}` 印的是 {printed}，应为 {right}。",
        "also": "得到同样数字的还有：{others}。",
        "tensors": "只在张量里看得见的",
        "tensors_about": "它们在一页纸写得下的数里不留痕迹；`workings compare` 在转储里找出它们。",
        "stop": "。",
        "comma": "；",
        "sizes": "、",
    },
}


def together(causes: Iterable[Cause], lang: str) -> Iterator[tuple[str, str]]:
    """Ids and titles; causes that differ in a number alone, as in ``…-2`` and ``…-4``, in one line."""
    for kind, each in groupby(causes, lambda cause: SIZE.sub("-N", cause.id)):
        members = list(each)
        title = members[0].title[lang]
        if len(members) == 1:
            yield members[0].id, title
        else:
            first, *more = (member.id.rpartition("-")[2] for member in members)
            yield kind, title.replace(first, WORDS[lang]["sizes"].join((first, *more)))


@dataclass(frozen=True)
class Shown:
    """A document in which a cause is named."""

    text: str
    language: str
    report: Report


@cache
def gallery() -> dict[str, Shown | None]:
    """For each cause the first document that shows it; None where none does."""
    return {cause.id: next(_shown(cause), None) for cause in CAUSES}


def _shown(cause: Cause) -> Iterator[Shown]:
    for base in BASES:
        trace = _trace(base.toml)
        for name, rows in _slips(cause, base, trace):
            found = judged(base, trace, name, rows)
            if any(shows(claim, cause.id) for claim in found.report.claims):
                yield found


def shows(claim: Claim, cause: str) -> bool:
    """Whether a number is judged to come from a slip."""
    return cause in claim.causes or cause == CUT == claim.verdict.value


def anchor(cause: str) -> str:
    """What a link to the section of a cause names."""
    return cause.replace(":", "-").replace("--", "-minus-")


@cache
def _trace(toml: str) -> Trace:
    return trace_of(read_text(toml, kind="toml"))


def _slips(cause: Cause, base: Base, trace: Trace) -> Iterator[tuple[Name, Rows]]:
    """The first array whose printed numbers a slip changes, with them."""
    toml, slip = ROWS.get(cause.id, ("", list))
    if base.toml == toml:
        yield Name("weight"), slip(rows_of(trace, Name("weight"), trace.value, 2))
    for recipe in cause.recipes(trace.recipe):
        engine = Exact(recipe, given_cells(trace))
        for op in trace.recipe.ops:
            if op.name.name not in NAMES or len(trace.array(op.name).shape) != 2 or recipe.op(op.name) is None:
                continue
            try:
                rows = rows_of(trace, op.name, lambda at, engine=engine: engine.value(at.array, at.index))  # type: ignore[misc]
            except WorkingsError:
                break
            if rows != rows_of(trace, op.name, trace.value):
                if not any("inf" in row for row in rows):  # nobody prints that
                    yield op.name, rows
                break


def judged(base: Base, trace: Trace, name: Name, rows: Rows) -> Shown:
    """The document that prints an array so, checked."""
    if base.said is not None:
        text = markdown(trace, [(name, rows)], base.said)
        paper = paper_from_text(text, "markdown", "slip.md")
        return Shown(text, "markdown", check(paper, statements(paper)))
    text = with_claims(base.toml, name, rows)
    return Shown(text, "toml", check_example(read_text(text, kind="toml"), text))


def page(lang: str) -> str:
    """The gallery in a language."""
    words = WORDS[lang]
    parts = [f"# {words['title']}", words["about"]]
    for cause, shown in gallery().items():
        if shown is not None:
            parts += _entry(cause, shown, lang)
    parts += [f"## {words['tensors']}", words["tensors_about"]]
    unseen = [BY_ID[cause] for cause, shown in gallery().items() if shown is None]
    parts.append("\n".join(f"- `{cause}`: {title}{words['stop']}" for cause, title in together(unseen, lang)))
    return "\n\n".join(parts) + "\n"


def _entry(cause: str, shown: Shown, lang: str) -> Iterator[str]:
    from workings.explaining.printed import right_digits

    words = WORDS[lang]
    claim = next(claim for claim in shown.report.claims if shows(claim, cause))
    values = {"address": str(claim.address), "printed": claim.number.text, "right": right_digits(claim)}
    yield f'<a id="{anchor(cause)}"></a>'
    yield f"## {BY_ID[cause].title[lang]}"
    yield f"```{shown.language}\n{shown.text.strip()}\n```"
    yield f"`{cause}` · {words['shown'].format(**values)}"
    others = [f"`{other}`" for other in claim.causes if other != cause]
    if others:
        yield words["also"].format(others=words["comma"].join(others))
