"""One page for each declared step: its facts as they stand in its declaration, and one of its numbers worked."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import workings as w
from tools.showcase import SHOWCASE
from workings.api.number import Number
from workings.api.trace import Trace
from workings.examples.library import names
from workings.explaining.numbers import Numbers
from workings.explaining.steps import does
from workings.explaining.symbols import symbol_of
from workings.render.inline import sentence
from workings.render.words import Words
from workings.steps import attention, block, loss, online, position, projection, qk_norm, softmax
from workings.steps.inputs import INPUTS
from workings.steps.step import Op, Step
from workings.terms.address import Address
from workings.terms.digits import AUTO

MODULES = (projection, qk_norm, position, attention, softmax, online, block, loss)
FOLDER = "docs/steps"
MINE = "mine.toml"
UNREAD = (
    "<!-- workings: ignore -->",
    "<!-- workings: end -->",
)  # one page has several examples, and the checker reads one
WORDS = {
    "en": {
        "steps": "Every step",
        "about": "One page for each step that is declared. All of it is made from the declarations by `make fix`.",
        "in": "{title}, in the example `{example}`",
        "own": "{title}, in an example of its own",
        "save": "No built-in example has this. Save these lines as `mine.toml`:",
        "facts": "symbol | axes | once per | made from | goes into | source",
        "columns": "step | symbol | what it does",
        "ask": "To ask for this number:",
        "none": "–",
        "comma": ", ",
        "name": "{title} (`{name}`)",
        "model": "model",
        "layer": "layer",
        "head": "head",
        "group": "group of heads that share keys and values",
        "glossary": "[All steps](README.md) · [Glossary](../glossary.md)",
    },
    "zh": {
        "steps": "所有的步骤",
        "about": "每个声明过的步骤各有一页，全部由 `make fix` 根据声明生成。",
        "in": "{title}：例子 `{example}`",
        "own": "{title}：单独的例子",
        "save": "自带的例子里没有这一步。把下面几行存为 `mine.toml`：",
        "facts": "符号 | 轴 | 计算单位 | 由什么得来 | 用在哪里 | 出处",
        "columns": "步骤 | 符号 | 做什么",
        "ask": "想看这个数：",
        "none": "–",
        "comma": "、",
        "name": "{title}（`{name}`）",
        "model": "整个模型",
        "layer": "每层",
        "head": "每个头",
        "group": "共用键和值的每组头",
        "glossary": "[所有步骤](README.zh.md) · [术语表](../glossary.zh.md)",
    },
}


@dataclass(frozen=True)
class Seen:
    """A step as an example has it."""

    op: Op
    trace: Trace
    example: str
    toml: str = ""

    @property
    def source(self) -> str:
        """What is typed after `workings cell`."""
        return self.example or MINE


def declared() -> Iterator[Step]:
    """Every step that stands in a module of steps; a few more are made by functions there."""
    for module in MODULES:
        for value in vars(module).values():
            for found in value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,):
                if isinstance(found, Step):
                    yield found


def _kind(seen: Seen) -> object:
    """What tells variants of a step apart: its formula; of a mask its kind, whatever its width."""
    step, spec = seen.op.step, seen.trace._trace.recipe.spec
    if step.name == "masked":
        return step.about, spec.mask.kind, spec.bias, spec.position == "alibi"
    return step.formula


@cache
def examples() -> tuple[tuple[str, str, Trace], ...]:
    """Built-in examples and ours: name, file where it has no name, and trace."""
    built_in = [(name, "", w.explain(name)) for name in names()]
    return (*built_in, *(("", toml, w.explain(tomllib.loads(toml))) for toml in SHOWCASE))


@cache
def variants() -> dict[str, list[Seen]]:
    """For each name of a step, its variants as the first example has them, in order of computation."""
    found: dict[str, dict[object, Seen]] = {}
    for name, toml, trace in examples():
        for op in trace._trace.ops():
            if op.name.part:
                continue  # derived from others, not declared
            seen = Seen(op, trace, name, toml)
            found.setdefault(op.step.name, {}).setdefault(_kind(seen), seen)
    place = {name: number for number, name in enumerate(_order(found))}
    return {name: list(found[name].values()) for name in sorted(found, key=place.__getitem__)}


def _order(found: Iterable[str]) -> list[str]:
    """The order of computation: that of the richest example, the steps of others put before what comes after them."""
    order: list[str] = []
    traces = [
        list(dict.fromkeys(op.step.name for op in trace._trace.ops() if not op.name.part)) for _, _, trace in examples()
    ]
    for names_ in sorted(traces, key=len, reverse=True):
        for place, name in enumerate(names_):
            if name not in order:
                later = next((other for other in names_[place:] if other in order), None)
                order.insert(len(order) if later is None else order.index(later), name)
    return [name for name in order if name in set(found)]


def pages() -> Iterator[tuple[str, str]]:
    """Every page with its text, the index of each language first."""
    for lang, ending in (("en", ".md"), ("zh", ".zh.md")):
        yield f"{FOLDER}/README{ending}", _index(lang, ending)
        for name in variants():
            yield f"{FOLDER}/{name}{ending}", _page(name, lang, ending)


def table(head: str, rows: Iterable[Iterable[str]]) -> str:
    """A table of Markdown, its head written with bars; a bar within a cell is escaped."""
    names = head.split(" | ")
    lines = [names, ["---"] * len(names), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _index(lang: str, ending: str) -> str:
    said = WORDS[lang]
    rows = []
    for name, seen in variants().items():
        step = seen[0].op.step
        told = "<br>".join(dict.fromkeys(about(one, lang) for one in seen))
        rows.append((f"[{step.title[lang]}]({name}{ending}) `{name}`", step.symbol, told))
    other = "[中文](README.zh.md)" if lang == "en" else "[English](README.md)"
    return "\n\n".join([f"# {said['steps']}", other, said["about"], table(said["columns"], rows)]) + "\n"


def about(seen: Seen, lang: str) -> str:
    """What a step does, in the sentence that explanations say."""
    return sentence(does(Numbers(seen.trace._trace, AUTO), seen.op.step), Words(lang))


def _page(name: str, lang: str, ending: str) -> str:
    said, first = WORDS[lang], variants()[name][0].op.step
    other = f"[中文]({name}.zh.md)" if lang == "en" else f"[English]({name}.md)"
    parts = [f"# {said['name'].format(title=first.title[lang], name=name)}", f"{other} · {said['glossary']}"]
    for seen in variants()[name]:
        parts += _variant(seen, lang, ending)
    return "\n\n".join(parts) + "\n"


def _variant(seen: Seen, lang: str, ending: str) -> Iterator[str]:
    said, title = WORDS[lang], seen.op.step.title[lang]
    yield f"## {said['in' if seen.example else 'own'].format(title=title, example=seen.example)}"
    yield about(seen, lang)
    yield table(said["facts"], [_facts(seen, lang, ending)])
    number = seen.trace.explain(lang=lang).number(str(chosen(seen)))
    lines = [number.formula, number.arithmetic(lang) or _moved(number)]
    yield "```text\n" + "\n".join(lines) + "\n```"
    if seen.toml:
        yield said["save"]
        yield f"{UNREAD[0]}\n```toml\n{seen.toml.strip()}\n```\n{UNREAD[1]}"
    yield said["ask"]
    yield f"```sh\nworkings cell {seen.source} '{number.address}'{'' if lang == 'en' else ' --lang zh'}\n```"


def _moved(number: Number) -> str:
    """A number that a step only moves: as it is, or as far as it is printed."""
    sign = "=" if number.exact is not None and number.exact == Fraction(str(number)) else "≈"
    return f"{number.address} {sign} {number}".replace("-", "−")


def _facts(seen: Seen, lang: str, ending: str) -> tuple[str, ...]:
    said, recipe, step = WORDS[lang], seen.trace._trace.recipe, seen.op.step
    read_by = [op for op in recipe.ops if not op.name.part and seen.op.name in recipe.sources(op)]
    made = dict.fromkeys(_linked(seen, str(name), lang, ending) for name in recipe.sources(seen.op))
    goes = dict.fromkeys(_linked(seen, str(op.name), lang, ending) for op in read_by)
    return (
        symbol_of(recipe, seen.op.name),
        said["comma"].join(f"`{axis}`" for axis in seen.op.axes),
        said[step.per],
        said["comma"].join(made) or said["none"],
        said["comma"].join(goes) or said["none"],
        step.source or said["none"],
    )


def _linked(seen: Seen, name: str, lang: str, ending: str) -> str:
    """An array that a step reads or makes, linked to the page of its own step where it has one."""
    op = next((op for op in seen.trace._trace.ops() if str(op.name) == name), None)
    if op is not None:
        own = op.name.name
        called = "" if own == op.step.name else f" (`{own}`)" if lang == "en" else f"（`{own}`）"
        return f"[{op.step.title[lang]}]({op.step.name}{ending}){called}"
    plain = name.rpartition(".")[2]
    return f"{INPUTS[plain].title[lang]} (`{plain}`)" if lang == "en" else f"{INPUTS[plain].title[lang]}（`{plain}`）"


def chosen(seen: Seen) -> Address:
    """The cell that is worked: in the last row, the first that is neither 0 nor infinite, if there is one."""
    trace = seen.trace._trace
    cells = list(trace.cells(seen.op.name))
    last = [cell for cell in cells if cell.index[:1] == cells[-1].index[:1]]
    for cell in last:
        value = trace.value(cell)
        if not value.infinite and value.exact != 0:
            return cell
    return last[0]
