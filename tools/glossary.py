"""The glossary: terms of the field in both languages, and every array by the title that its declaration gives."""

from __future__ import annotations

from collections.abc import Iterator

from tools.glossary_terms import TERMS, Term
from tools.steps import Seen, about, table, variants
from workings.render.words import Words
from workings.steps.inputs import INPUTS

WORDS = {
    "en": {
        "title": "Glossary",
        "other": "[中文](glossary.zh.md)",
        "about": "One sentence for each term. What a term is called in Chinese stands beside it.",
        "terms": "term | 中文 | is",
        "see": " See `workings explain {example}`.",
        "arrays": "Arrays by name",
        "arrays_about": "The names by which every number is asked for. Title, symbol and axes stand in the "
        "declarations, from which `make fix` copies them.",
        "columns": "name | title | 中文 | symbol | axes",
        "made": "Made by a step",
        "given": "Given, or drawn",
    },
    "zh": {
        "title": "术语表",
        "other": "[English](glossary.md)",
        "about": "每个术语一句话，旁边是英文说法。",
        "terms": "术语 | English | 是什么",
        "see": "见 `workings explain {example}`。",
        "arrays": "按名字查数组",
        "arrays_about": "要看任何一个数，都用这些名字。标题、符号和轴写在声明里，由 `make fix` 抄到这里。",
        "columns": "名字 | 标题 | English | 符号 | 轴",
        "made": "由某一步算出",
        "given": "直接给出，或抽取",
    },
}
OTHER = {"en": "zh", "zh": "en"}


def page(lang: str) -> str:
    """The glossary in a language."""
    said = WORDS[lang]
    parts = [f"# {said['title']}", said["other"], said["about"], table(said["terms"], _terms(lang))]
    parts += [f"## {said['arrays']}", said["arrays_about"]]
    parts += [f"### {said['made']}", table(said["columns"], _steps(lang))]
    parts += [f"### {said['given']}", table(said["columns"], _inputs(lang))]
    return "\n\n".join(parts) + "\n"


def _terms(lang: str) -> Iterator[tuple[str, ...]]:
    for term in TERMS:
        names, said = names_of(term), sentence_of(term, lang)
        shown = WORDS[lang]["see"].format(example=term.example) if term.example else ""
        yield f"**{linked(term, names[lang], lang)}**", names[OTHER[lang]], said + shown


def linked(term: Term, name: str, lang: str) -> str:
    """A term, linked to the page of its step where it has one."""
    ending = ".md" if lang == "en" else ".zh.md"
    return f"[{name}](steps/{term.step}{ending})" if term.step in variants() else name


def names_of(term: Term) -> dict[str, str]:
    """What a term is called: as its declaration says, or in our words."""
    if term.step:
        return dict(variant(term).op.step.title)
    if term.given:
        return dict(INPUTS[term.given].title)
    return {"en": term.en, "zh": term.zh}


def variant(term: Term) -> Seen:
    """The step that a term names, in the variant that it means."""
    return next(seen for seen in variants()[term.step] if seen.op.step.about.startswith(term.about))


def sentence_of(term: Term, lang: str) -> str:
    """What a term is: what explanations say of its step or its array, or our own sentence."""
    own = term.says[lang] if term.says else ""
    if own:
        return own
    if term.step:
        return about(variant(term), lang)
    return Words(lang)[f"given.{term.given}"]


def _steps(lang: str) -> Iterator[tuple[str, ...]]:
    ending = ".md" if lang == "en" else ".zh.md"
    for name, seen in variants().items():
        step = seen[0].op.step
        axes = ", ".join(step.axes)
        yield f"[`{name}`](steps/{name}{ending})", step.title[lang], step.title[OTHER[lang]], step.symbol, axes


def _inputs(lang: str) -> Iterator[tuple[str, ...]]:
    for name, given in INPUTS.items():
        yield f"`{name}`", given.title[lang], given.title[OTHER[lang]], given.symbol, ", ".join(given.axes) or "–"
