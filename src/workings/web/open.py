"""What the web app shows first: an example, read and refused before a server starts."""

from __future__ import annotations

from workings.api.opening import STANDARD_INPUT, read_source, settled, standard_input
from workings.examples import library
from workings.examples.carried import as_json, data_of_bytes, data_of_file
from workings.examples.read import read_text
from workings.web.server import Opening


def opening(source: str | None) -> Opening:
    """An example by name, path or ``-``; raises as ``workings.explain`` does."""
    if source is None:
        return Opening()
    if source in library.names():
        return Opening("example", source)
    if source == STANDARD_INPUT:
        given = as_json(data_of_bytes(standard_input(), STANDARD_INPUT))
        settled(read_text(given, kind="json"))
        return Opening("example", "", given)
    settled(read_source(source))
    return Opening("example", "", as_json(data_of_file(source)))
