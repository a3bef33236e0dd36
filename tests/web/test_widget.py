"""The widget of a notebook: what its pages ask is answered as a server's requests are, by the same functions."""

import json
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import workings as w
from tests.support.serving import KITTEN, serving
from workings.terms.errors import MissingExtra, WorkingsError
from workings.web.front import words_of
from workings.web.holding import Opening
from workings.web.widget import MODULE, Desk


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("widget") / "recording"
    w.trace("story-en", found, text="The cat sat on the mat.")
    return found


def ask(desk: Desk, name: str, body: Any) -> tuple[dict[str, Any], bytes]:
    told, (data,) = desk.answer({"id": 7, "name": name, "body": json.dumps(body)})
    assert told["id"] == 7
    return told, data


def test_a_recording_is_answered_as_by_a_server(folder: Path) -> None:
    desk = Desk(Opening("recording", "recording", path=str(folder)))
    own = json.loads(ask(desk, "opened", {})[1])["recording"]
    head = {"head": "L1.H1", "against": None}
    requests: list[tuple[str, dict[str, Any]]] = [
        ("recording", {"lang": "zh"}),
        ("tile", {**head, "level": 0, "row": 0, "column": 0, "pooled": "max"}),
        ("digits", {**head, "queries": [0, 5], "keys": [0, 5]}),
        ("row", {**head, "query": 5, "top": 8, "lang": "en"}),
        ("tile", {**head, "level": 0, "row": 9, "column": 0, "pooled": "max"}),
    ]
    with serving(str(folder)) as served:
        theirs = served.ask("GET", "/api/opened").json()["recording"]
        for name, body in requests:
            told, data = ask(desk, name, {"recording": own, **body})
            expected = served.post(name, {"recording": theirs, **body})
            assert (told["status"], told["media"]) == (expected.status, expected.headers["content-type"]), name
            assert data == expected.body, name


def test_an_example_is_answered_too() -> None:
    desk = Desk(Opening("example", "kitten"))
    told, data = ask(desk, "cell", {**KITTEN, "address": "score[2,0]"})
    assert (told["status"], json.loads(data)["value"]) == (200, "0.92")
    assert json.loads(ask(desk, "words", {"lang": "zh"})[1])["web.undo"] == "撤销"
    assert json.loads(ask(desk, "examples", {"lang": "en"})[1])[0]["name"] == "kitten"
    assert json.loads(ask(desk, "opened", {})[1])["name"] == "kitten"
    told, data = ask(desk, "export", {**KITTEN, "target": "csv"})
    assert (told["status"], told["filename"]) == (200, "kitten.csv")
    assert data


def test_what_it_does_not_know_is_refused_in_words() -> None:
    desk = Desk(Opening("example", "kitten"))
    for name, body, status in (
        ("nothing", {}, 404),
        ("cell", {**KITTEN, "address": "nowhere[0]"}, 422),
        ("cell", 5, 400),
    ):
        told, data = ask(desk, name, body)
        assert told["status"] == status
        assert json.loads(data)["error"]["message"]


SHOWS: list[Callable[[Path], Any]] = [
    lambda folder: w.recorded(folder).map(),
    lambda folder: w.recorded(folder)["L1.H1"].map(),
    lambda folder: w.explain("kitten").widget(),
]


@pytest.mark.parametrize("show", SHOWS)
def test_without_anywidget_it_says_what_to_install(
    show: Callable[[Path], Any], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(WorkingsError, match=r"pip install 'workings\[jupyter\]'") as raised:
        show(folder)
    assert isinstance(raised.value, MissingExtra)


class Shown:
    """What anywidget gives a widget, as far as it is used."""

    def __init__(self, **given: Any) -> None:
        self.start, self.sent = given["start"], list[tuple[Any, Any]]()

    def on_msg(self, then: Callable[..., None]) -> None:
        self.heard = then

    def send(self, content: Any, buffers: Any) -> None:
        self.sent.append((content, buffers))


class Synced(dict[str, Any]):
    def tag(self, **_: Any) -> "Synced":
        return self


@pytest.mark.parametrize("show", SHOWS)
def test_a_widget_answers_its_messages(
    show: Callable[[Path], Any], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, given in (("anywidget", {"AnyWidget": Shown}), ("traitlets", {"Dict": Synced})):
        module = types.ModuleType(name)
        vars(module).update(given)
        monkeypatch.setitem(sys.modules, name, module)
    shown = show(folder)
    assert type(shown)._esm == MODULE
    assert MODULE.is_file()
    head = {"page": "model", "hash": "#head=L1.H1"}
    page, place = shown.start["page"], shown.start["hash"]
    assert {"page": page, "hash": place} in (head, {"page": "model", "hash": ""}, {"page": "example", "hash": ""})
    assert repr(shown) == shown.start["asleep"] == words_of("en")["web.asleep"]
    shown.heard(shown, {"id": 3, "name": "words", "body": '{"lang": "en"}'}, [])
    ((content, (data,)),) = shown.sent
    assert (content["id"], content["status"]) == (3, 200)
    assert json.loads(data)["web.undo"] == "Undo"


def test_any_source_of_an_example_is_shown(tmp_path: Path) -> None:
    from workings.web.widget import opening_of

    path = tmp_path / "mine.toml"
    path.write_text('tokens = ["a", "b"]\n[inputs]\nQ = [[1, 0], [0, 1]]\nK = [[1, 0], [0, 1]]\nV = [[1, 0], [0, 1]]\n')
    data = {"tokens": ["a", "b"], "inputs": {name: [[1, 0], [0, 1]] for name in "QKV"}}
    for source in (str(path), path, data):
        opening = opening_of(source)
        told, page = ask(Desk(opening), "example", {"source": {"data": opening.data}, "view": KITTEN["view"]})
        assert told["status"] == 200
        assert json.loads(page)["tokens"] == ["a", "b"]
