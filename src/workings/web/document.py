"""The check page: a document pasted or dropped, its numbers judged in place, and the working of any of them."""

from __future__ import annotations

from typing import Any

from workings.api.checking import Report, check_text
from workings.render.html import Blocks
from workings.render.inline import sentence
from workings.render.words import Words
from workings.terms.errors import WorkingsError
from workings.web.asked import Asked, Refused

LONGEST_NAME = 200


def check(asked: Asked) -> dict[str, Any]:
    """The document with its verdicts, as markup, as a list and as a diff."""
    report, words = _report(asked)
    data = report.data()
    try:
        fix = report.fix()
    except WorkingsError:
        fix = ""
    return {
        "counts": data["counts"],
        "html": report.draw("html", alone=False),
        "verdicts": {name: words[f"target.mark.{name}"] for name in data["counts"]},
        "claims": data["claims"],
        "title": sentence(report.document().title, words),
        "fix": fix,
    }


def working(asked: Asked) -> dict[str, Any]:
    """How one of its numbers is worked; the text is judged again, for nothing of it was kept."""
    report, words = _report(asked)
    found = report.working(asked.text("place"))
    if found is None:
        raise Refused(404, "not-found")
    return {"title": sentence(found.title, words), "html": Blocks(words, lowest=2).draw(found)}


def _report(asked: Asked) -> tuple[Report, Words]:
    lang = asked.text("lang")
    name = asked.text("name", "")[:LONGEST_NAME] or "text.md"
    return check_text(asked.text("text"), name, lenient=asked.flag("lenient"), lang=lang), Words(lang)
