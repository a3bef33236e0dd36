"""The check page: a document pasted or dropped, its numbers judged in place."""

from __future__ import annotations

from typing import Any

from workings.api.checking import check_text
from workings.render.inline import sentence
from workings.render.words import Words
from workings.terms.errors import WorkingsError
from workings.web.asked import Asked

LONGEST_NAME = 200


def check(asked: Asked) -> dict[str, Any]:
    """The document with its verdicts, as markup, as a list and as a diff."""
    lang = asked.text("lang")
    name = asked.text("name", "")[:LONGEST_NAME] or "text.md"
    report = check_text(asked.text("text"), name, lenient=asked.flag("lenient"), lang=lang)
    data = report.data()
    try:
        fix = report.fix()
    except WorkingsError:
        fix = ""
    words = Words(lang)
    return {
        "counts": data["counts"],
        "html": report.draw("html", alone=False),
        "verdicts": {name: words[f"target.mark.{name}"] for name in data["counts"]},
        "claims": data["claims"],
        "title": sentence(report.document().title, words),
        "fix": fix,
    }
