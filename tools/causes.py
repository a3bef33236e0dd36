"""From a symptom to its cause: the known slips by the step whose numbers go wrong first, from the registry alone."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby

import workings as w
from tools.gallery import BASES, anchor, gallery, together
from tools.steps import examples, table, variants
from workings.checking.causes.cause import Cause
from workings.checking.causes.registry import CAUSES
from workings.explaining.symbols import KNOWN, general_formula
from workings.render.inline import equation_line
from workings.render.words import Words
from workings.steps.language import Lookup, walk
from workings.steps.recipe import Recipe
from workings.steps.step import Op

NOTHING = ("–", "–")
NAN = "0 ÷"
WORDS = {
    "en": {
        "title": "From a symptom to its cause",
        "other": "[中文](causes.zh.md)",
        "about": "Look for the first step whose numbers are wrong; `workings check` (documents) and `workings compare` "
        "(tensors) name it. Its table lists the slips that begin there, with what is computed instead. Two slips can "
        "give the same digits; then both are named. The page is made from the list of causes by `make fix`.",
        "columns": "slip | id | right | with the slip | to look at",
        "right": "right",
        "shown": "[a document](gallery.md#{anchor})",
        "tensors": "tensors only",
        "patterns": "Seen in the rows themselves",
        "patterns_about": "No formula gives these; the printed rows show them. Compare the wrong rows with each other, "
        "with the right ones and with their sums.",
        "several": "{title} (`{name}`)",
        "columns_short": "slip | id | to look at",
        "elsewhere": "Without a step of their own",
        "elsewhere_about": "These come about only with the masks of a dump, in a row that may look at nothing, or with "
        "more keys than an example has. `workings compare` finds them.",
    },
    "zh": {
        "title": "从现象找原因",
        "other": "[English](causes.md)",
        "about": "先找到第一个出错的步骤：文档用 `workings check`，张量用 `workings compare`，它们会指出来。"
        "每个步骤的表里列出从这一步开始出错的失误，以及实际算成了什么。两个失误可能得出同样的数字，这时两个都会列出。"
        "本页由 `make fix` 根据原因清单生成。",
        "columns": "失误 | 编号 | 正确的算法 | 失误的算法 | 看哪里",
        "right": "正确",
        "shown": "[一份文档](gallery.zh.md#{anchor})",
        "tensors": "只见于张量",
        "patterns": "从各行的数本身看出来的",
        "patterns_about": "没有公式会给出这些数，是印出的各行自己露出来的。"
        "把错的行互相比较，再与正确的行、与各行的和比较。",
        "several": "{title}（`{name}`）",
        "columns_short": "失误 | 编号 | 看哪里",
        "elsewhere": "没有自己的步骤",
        "elsewhere_about": "只有遇到转储里的掩码、某一行什么也不许看，或者键比例子里的多时，才会出现。"
        "`workings compare` 能找出它们。",
    },
}


@dataclass(frozen=True)
class Change:
    """Where a slip begins: the step as it should be, and as it is with the slip."""

    recipe: Recipe
    right: Op
    altered: Recipe
    wrong: Op

    def formulas(self, lang: str) -> tuple[str, str]:
        """Both formulas; none where they do not tell the difference (fewer keys), or where one only makes a NaN."""
        known, added = self.recipe.sizes, dict(self.altered.sizes.items() - self.recipe.sizes.items())
        try:
            right, wrong = _written(self.recipe, self.right, lang), _written(self.altered, self.wrong, lang)
        except TypeError:  # a formula that no line holds
            return NOTHING
        told = right != wrong and NAN not in wrong and KNOWN - known.keys() >= added.keys()
        return (right, wrong) if told else NOTHING


def _written(recipe: Recipe, op: Op, lang: str) -> str:
    lines = [equation_line(equation, Words(lang)) for equation in general_formula(recipe, op)]
    return "<br>".join(f"`{line}`" for line in lines)


@cache
def changes() -> dict[str, Change | None]:
    """For each cause that alters a recipe, where it begins in the first example that it applies to."""
    recipes = [w.explain(tomllib.loads(base.toml))._trace.recipe for base in BASES]
    recipes += [trace._trace.recipe for _, _, trace in examples()]
    return {cause.id: _change(cause, recipes) for cause in CAUSES if cause.pattern is None}


def _change(cause: Cause, recipes: list[Recipe]) -> Change | None:
    for recipe in recipes:
        for altered in cause.recipes(recipe):
            for right, wrong in zip(recipe.ops, altered.ops, strict=True):
                if right != wrong or _reads_other_table(right, recipe, altered):
                    return Change(recipe, right, altered, wrong)
    return None


def _reads_other_table(op: Op, recipe: Recipe, altered: Recipe) -> bool:
    """Whether a step looks something up that the slip has changed, such as the positions."""
    changed = {name for name in recipe.tables if recipe.tables[name] != altered.tables.get(name)}
    found = (str(node) for node in walk(op.step.formula))
    return bool(changed) and any(f"{Lookup.__name__}(table={name!r}" in text for text in found for name in changed)


def page(lang: str) -> str:
    """The page in a language."""
    said, ending = WORDS[lang], ".md" if lang == "en" else ".zh.md"
    parts = [f"# {said['title']}", said["other"], said["about"]]
    for name, seen in variants().items():
        causes = [cause for cause in CAUSES if (found := changes().get(cause.id)) and found.right.step.name == name]
        if causes:
            title = said["several"].format(title=seen[0].op.step.title[lang], name=name)
            parts += [f"## [{title}](steps/{name}{ending})", table(said["columns"], _rows(causes, lang))]
    alone = [cause for cause in CAUSES if cause.pattern is not None]
    parts += [f"## {said['patterns']}", said["patterns_about"], table(said["columns_short"], _short(alone, lang))]
    rest = [cause for cause in CAUSES if cause.pattern is None and changes()[cause.id] is None]
    if rest:
        parts += [f"## {said['elsewhere']}", said["elsewhere_about"], table(said["columns_short"], _short(rest, lang))]
    return "\n\n".join(parts) + "\n"


def _short(causes: list[Cause], lang: str) -> Iterator[tuple[str, ...]]:
    for where, each in groupby(causes, lambda cause: _where(cause, lang)):
        for name, title in together(each, lang):
            yield title, f"`{name}`", where


def _rows(causes: list[Cause], lang: str) -> Iterator[tuple[str, ...]]:
    for cause in causes:
        found = changes()[cause.id]
        if found is not None:
            yield cause.title[lang], f"`{cause.id}`", *found.formulas(lang), _where(cause, lang)


def _where(cause: Cause, lang: str) -> str:
    said = WORDS[lang]
    return said["shown"].format(anchor=anchor(cause.id)) if gallery()[cause.id] else said["tensors"]
