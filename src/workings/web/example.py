"""The worked-example page: an example opened, changed, told cell by cell, blanked and exported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from workings.api.opening import settled, trace_of
from workings.api.trace import Trace
from workings.api.view import View
from workings.api.worksheet import worksheet
from workings.examples import library
from workings.examples.carried import as_json
from workings.examples.editing import OPTIONS, Editor
from workings.examples.example import Example
from workings.examples.parse import parse
from workings.examples.place import Source
from workings.examples.read import read_mapping
from workings.explaining.numbers import Numbers
from workings.explaining.one import about, explain_cell, products
from workings.explaining.options import printed_digits
from workings.explaining.proven import prove
from workings.explaining.tree import Code, Document, Equation
from workings.render.html import Blocks
from workings.render.html_parts import draw_parts
from workings.render.inert import inert
from workings.render.spoken import speak_chain, speak_number
from workings.render.targets import ARRAYS, TARGETS
from workings.render.words import Words
from workings.terms.address import Address
from workings.terms.digits import Precision, json_digits, ratio
from workings.traces import trace as traces
from workings.web.asked import Asked, Refused

OPENED_KEPT, TOLD_KEPT = 16, 16
Answer = dict[str, Any]


@dataclass(frozen=True)
class Opened:
    """An example that a page shows: its data as one line of JSON, and what it was read as."""

    name: str
    text: str
    data: Mapping[str, Any]
    example: Example
    trace: traces.Trace


@dataclass(frozen=True)
class Told:
    """An opened example as one view tells it: the trace whose numbers are shown, and how they are printed."""

    opened: Opened
    view: View
    trace: traces.Trace
    truth: traces.Trace | None

    @property
    def precision(self) -> Precision:
        return printed_digits(self.view.digits, self.view.carry)

    def numbers(self) -> Numbers:
        return Numbers(self.trace, self.precision, self.truth)


@lru_cache(OPENED_KEPT)
def _opened(name: str, text: str) -> Opened:
    if name:
        text = as_json(parse(Source(f"{name}.toml", library.text(name), "toml")))
    data = parse(Source("", text, "json"))
    example, trace = settled(read_mapping(data))
    return Opened(name, text, data, example, trace)


@lru_cache(TOLD_KEPT)
def tell(name: str, text: str, view: View) -> Told:
    """A built-in example by its name, or one by its JSON text, as a view tells it."""
    opened = _opened(name, text)
    if view.carry is None:
        return Told(opened, view, opened.trace, None)
    return Told(opened, view, trace_of(opened.example, view.carry), opened.trace)


def told(asked: Asked) -> Told:
    """The example and the view that a request is about."""
    source, view = asked.part("source"), asked.part("view")
    name, text = source.text("name", ""), source.text("data", "")
    if not name and not text:
        raise Refused(400, "request", what="source")
    wanted = View().changed(
        lang=view.text("lang"), precision=view.text("precision", "auto"), carry=view.whole("carry", None)
    )
    return tell("" if text else name, text, wanted)


# --- answers ---------------------------------------------------------------------------------------------------------


def example(asked: Asked) -> Answer:
    """The whole page."""
    return page(told(asked))


def edit(asked: Asked) -> Answer:
    """The page of the example with some changes, and which numbers they moved."""
    before = told(asked)
    text = before.opened.text
    for change in asked.parts("edits"):
        opened = _opened("", text)
        editor = Editor(opened.data, opened.example)
        _change(editor, change, opened)
        text = as_json(editor.data)
    after = tell("", text, before.view)
    return {**page(after), "changed": _changed(before, after)}


def _change(editor: Editor, change: Asked, opened: Opened) -> None:
    if change.has("set"):
        editor.set_cell(opened.trace.cell(change.text("set")), change.text("to"))
    elif change.has("option"):
        editor.set_option(change.text("option"), change.text("to"))
    elif change.has("add_token"):
        editor.add_token(_word(change, "add_token"))
    elif change.has("remove_token"):
        editor.remove_token(change.whole("remove_token", None) or 0)
    elif change.has("rename_token"):
        editor.rename_token(change.whole("rename_token", None) or 0, _word(change, "to"))
    else:
        raise Refused(400, "request", what="edits")


def _word(change: Asked, name: str) -> str:
    word = change.text(name).strip()
    if not word:
        raise Refused(400, "request", what=name)
    return word


def cell(asked: Asked) -> Answer:
    """One number: its arithmetic, and the cells on both sides of it."""
    one = told(asked)
    return cell_view(one, one.trace.cell(asked.text("address")))


def cell_view(one: Told, address: Address) -> Answer:
    """What the page says of a number."""
    words, trace, numbers = Words(one.view.language), one.trace, one.numbers()
    op = trace.recipe.op(address.array)
    document = explain_cell(trace, address, one.precision, truth=one.truth)
    shown, value = numbers.shown(address), trace.value(address)
    written = trace.source.written.get(address)
    hint = Document(Code(""), tuple(about(numbers, op))) if op is not None else None
    return {
        "address": str(address),
        "value": shown.text,
        "digits": json_digits(value),
        "exact": None if value.exact is None else ratio(value.exact),
        "html": _fragment(document, words),
        "hint": "" if hint is None else _fragment(hint, words),
        "spoken": spoken(document, address, shown.text, words),
        "holds": "exact" if shown.is_exact else "rounded",
        "uses": [str(source) for source in trace.inputs(address)],
        "used_by": [str(reader) for reader in trace.used_by(address)],
        "pairs": [[str(left), str(right)] for left, right in products(trace.expansion.cell(address))[0]],
        "written": None if written is None else written.text,
    }


def proof(asked: Asked) -> Answer:
    """Whether everything that the page prints holds."""
    return proof_of(told(asked))


def proof_of(one: Told) -> Answer:
    """The same of an example that is told already."""
    proven = prove(one.numbers(), one.view.carry)
    wrong = len(proven.failures)
    key = "fails" if wrong else "holds"
    message = Words(one.view.language).sentence(f"web.proof.{key}", {"n": str(proven.checked), "wrong": str(wrong)})
    failures = [str(address) for address in proven.failures]
    return {"equalities": proven.checked, "hold": proven.checked - wrong, "failures": failures, "message": message}


def blanks(asked: Asked) -> Answer:
    """The cells that a quiz leaves blank."""
    sheet = _sheet(asked)
    return {
        "seed": sheet.seed,
        "blanks": [{"number": number, "address": address} for number, address in sheet.numbers.items()],
    }


def answer(asked: Asked) -> Answer:
    """One answer of a quiz, and why it is wrong where it is."""
    sheet = _sheet(asked)
    wanted = asked.text("address")
    number = next((number for number, address in sheet.numbers.items() if address == wanted), None)
    if number is None:
        raise Refused(400, "request", what="address")
    judged = sheet.judge(number, asked.text("answer"))
    html = _fragment(judged.document(), Words(told(asked).view.language))
    return {"right": judged.is_right, "verdict": judged.verdict, "html": html}


def export(asked: Asked) -> tuple[str, str, bytes]:
    """A file: its name, its media type and what stands in it."""
    one, target = told(asked), asked.text("target")
    if target not in (*TARGETS, *ARRAYS, "json"):
        raise Refused(400, "request", what="target")
    kinds = {**TARGETS, **ARRAYS}
    media, extension = (
        ("application/json", ".json") if target == "json" else (kinds[target].media_type, kinds[target].extension)
    )
    style = {"standalone": True} if target in TARGETS and TARGETS[target].standalone else {}
    drawn = Trace(one.opened.example, one.opened.trace, one.view).draw(target, **style)
    name = (one.opened.name or "example") + extension
    return name, media, drawn if isinstance(drawn, bytes) else drawn.encode("utf-8")


# --- parts of them ---------------------------------------------------------------------------------------------------


def page(one: Told) -> Answer:
    """What the page shows."""
    words, trace = Words(one.view.language), Trace(one.opened.example, one.opened.trace, one.view)
    written = {str(address): literal.text for address, literal in one.opened.trace.source.written.items()}
    parts = draw_parts(trace.document(), words, lambda address: written.get(address, ""))
    recipe = one.opened.trace.recipe
    given = {str(name) for name in recipe.given}
    made_from = {str(op.name): [str(source) for source in recipe.sources(op)] for op in recipe.ops}
    opening = "".join(part.body for part in parts if not part.level)
    return {
        "schema": "workings.page/1",
        "title": inert(trace.title),
        "name": one.opened.name,
        "data": one.opened.text,
        "tokens": list(trace.tokens),
        "options": _options(one, words),
        "html": opening,
        "steps": [
            {
                "address": part.address,
                "level": part.level,
                "given": part.address in given,
                "made_from": made_from.get(part.address, []),
                "title": part.title,
                "html": part.body,
            }
            for part in parts
            if part.level
        ],
    }


def _options(one: Told, words: Words) -> list[Answer]:
    """The settings that can be changed, as they are."""
    attention = one.opened.data.get("attention", {})
    spec, sizes = one.opened.example.spec, one.opened.trace.recipe.sizes
    now = {
        "mask": attention.get("mask", "none"),
        "divide_by": attention.get("divide_by", "sqrt(d_k)"),
        "softmax": spec.softmax,
        "position": spec.position,
        "heads": spec.heads,
        "d_k": sizes.get("d_k", ""),
    }
    out = []
    for name, choices in OPTIONS.items():
        value = now[name] if isinstance(now[name], (str, int)) else as_json(now[name])
        listed = list(choices) if not choices or value in choices else [*choices, str(value)]
        label = words[f"web.option.{name}"]
        out.append({"name": name, "value": str(value), "choices": listed or None, "label": label})
    return out


def _changed(before: Told, after: Told) -> list[Answer]:
    """Numbers that are printed in both, and otherwise than before."""
    was, now = before.numbers(), after.numbers()
    known = {address for name in before.trace.recipe.names() for address in before.trace.cells(name)}
    out = []
    for name in after.trace.recipe.names():
        for address in filter(known.__contains__, after.trace.cells(name)):
            texts = was.shown(address).text, now.shown(address).text
            if texts[0] != texts[1]:
                out.append({"address": str(address), "before": texts[0], "after": texts[1]})
    return out


def _sheet(asked: Asked) -> Any:
    one = told(asked)
    view = asked.part("view")
    return worksheet(
        one.opened.data,
        seed=asked.whole("seed", 1) or 0,
        blanks=asked.whole("blanks", None),
        steps=asked.texts("steps"),
        lang=view.text("lang"),
        precision=view.text("precision", "auto"),
    )


def _fragment(document: Document, words: Words) -> str:
    return Blocks(words, lowest=2).draw(document)


def spoken(document: Document, address: Address, text: str, words: Words) -> str:
    """The arithmetic of a cell read out; of a given number, the number."""
    for block in document.blocks:
        if isinstance(block, Equation) and block.address == str(address):
            return speak_chain(block.left, block.chain, words)
    return speak_number(text, words)
