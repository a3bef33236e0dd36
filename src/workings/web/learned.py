"""A number of a model that learned, at every snapshot of its training, as the model page shows it beside the number."""

from __future__ import annotations

import base64

from workings.render.html import Blocks
from workings.render.inline import sentence
from workings.web.asked import Asked, Refused
from workings.web.maps import words_of
from workings.web.traced import Answer, run_of, traced


def over_time(asked: Asked) -> Answer:
    """The number, snapshot by snapshot: as strings, as a table and as a picture. Raises ``Refused``."""
    from workings.api.view import View
    from workings.learning.over_time import OverTime

    one, words = traced(asked), words_of(asked)
    run, tokens = run_of(one.recording), one.recording.told["tokens"].get("", [])
    if not run:
        raise Refused(404, "not-learned")
    view = View().changed(lang=words.lang)
    found = OverTime(run, asked.text("address"), None, view, ids=[int(token["id"]) for token in tokens])
    picture = found.draw("svg")
    document = found.document()
    return {
        "address": found.address,
        "title": sentence(document.title, words),
        "moments": [{"step": moment.step, "printed": moment.printed} for moment in found.moments()],
        "html": Blocks(words, lowest=3).draw(document),
        "picture": base64.b64encode(picture.encode("utf-8") if isinstance(picture, str) else picture).decode("ascii"),
    }
