"""What the web app shows first: an example, a recording or a model, read and refused before a server starts."""

from __future__ import annotations

import os

from workings.api.opening import STANDARD_INPUT, read_source, settled, standard_input
from workings.api.recorded import looks_recorded, recorded
from workings.api.stories import folder_of, looks_like_model
from workings.examples import library
from workings.examples.carried import as_json, data_of_bytes, data_of_file
from workings.examples.read import read_text
from workings.terms.errors import OnlyRecordingsCompared
from workings.web.holding import Opening


def opening(source: str | None, against: str | None = None) -> Opening:
    """A recording's folder, a model, or an example by name, path or ``-``.

    Args:
        against: a dump to compare a recording with.

    Raises as ``workings.explain`` and ``workings.recorded`` do, what looking a model over and reading a dump raise, and
    ``OnlyRecordingsCompared``.
    """
    if source is not None and looks_recorded(source):
        return _recording(source, against)
    if against is not None:
        raise OnlyRecordingsCompared(dump=against)
    if source is None:
        return Opening()
    if source not in library.names() and looks_like_model(source):
        from workings.models.look import look

        path = os.path.abspath(folder_of(source))
        look(path)
        return Opening("model", os.path.basename(path), path=path)
    if source in library.names():
        return Opening("example", source)
    if source == STANDARD_INPUT:
        given = as_json(data_of_bytes(standard_input(), STANDARD_INPUT))
        settled(read_text(given, kind="json"))
        return Opening("example", "", given)
    settled(read_source(source))
    return Opening("example", "", as_json(data_of_file(source)))


def _recording(source: str, against: str | None) -> Opening:
    found = recorded(source)
    dump = ""
    if against is not None:
        from workings.checking.dumps.files import read_dump

        dump = os.path.abspath(against)
        read_dump(dump)
    name = str(found.data()["model"].get("name", "")) or os.path.basename(os.path.abspath(source))
    return Opening("recording", name, path=os.path.abspath(source), dump=dump)
