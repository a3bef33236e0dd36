"""An opened recording as the model page asks for it: its heads, its words, and what two heads are laid over."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from workings.explaining.recorded import overview
from workings.explaining.scores import heads_of, names_of, printed
from workings.explaining.tree import Code, Paragraph, Text
from workings.fast.blocks import BASE
from workings.render.html import Blocks
from workings.render.inert import inert
from workings.render.inline import sentence
from workings.render.words import LANGUAGES, Words
from workings.terms.address import Name, parse_address
from workings.terms.errors import BadAddress
from workings.terms.files import reading
from workings.web.asked import Asked, Refused

if TYPE_CHECKING:
    from workings.models.recording import Layer, Recording
    from workings.models.shelf import Shelf
    from workings.models.tiles import Beside, Tiles
    from workings.models.whole import Whole

RECORDINGS_KEPT, DUMPS_KEPT = 4, 1
FLOAT = 4  # bytes
FEWEST_HEADS, MOST_HEADS, MEMORY_OF_HEADS = 2, 64, 2**28  # kept by a process, and their bytes together
Answer = dict[str, Any]


class Traced:
    """A recording that is open in this process."""

    def __init__(self, folder: str, shelf: str) -> None:
        from workings.models.recording import Recording
        from workings.models.whole import Whole

        self.folder, self._shelf = folder, shelf
        self.recording: Recording = Recording(folder)
        self.whole: Whole = Whole(self.recording)
        self.head = lru_cache(heads_kept(self.recording))(self._head)
        """A head by its address. Raises ``BadAddress`` or ``NotRecorded``."""

    @cached_property
    def shelf(self) -> Shelf:
        """Where what is worked once is kept."""
        from workings.models.shelf import Shelf

        if self._shelf:
            return Shelf(self._shelf)
        own = tempfile.mkdtemp(prefix="workings-")
        weakref.finalize(self, shutil.rmtree, own, ignore_errors=True)
        return Shelf(own)

    @property
    def name(self) -> str:
        """What the model is called."""
        return str(self.recording.told["model"].get("name", ""))

    def _head(self, address: str) -> TracedHead:
        return TracedHead(self, address)


class TracedHead:
    """One head of an open recording."""

    def __init__(self, traced: Traced, address: str) -> None:
        from workings.models.picture import Picture

        self.traced = traced
        self.array: Name = parse_address(f"{address}.weight")[0]
        self.layer: Layer = traced.recording.layer(self.array)
        if self.array.head is None:
            raise BadAddress(text=address, position=len(address))
        self.picture = Picture(traced.recording, self.layer.place, self.array.head)
        self.address = str(self.array).rpartition(".")[0]

    @property
    def queries(self) -> int:
        return self.picture.shape[0]

    @property
    def keys(self) -> int:
        return self.picture.shape[1]

    @cached_property
    def words(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words along the queries and the keys, or their places where there are none."""
        found = self.traced.recording.axis_words(self.layer)
        sizes = self.picture.shape
        return tuple(words or tuple(map(str, range(size))) for words, size in zip(found, sizes, strict=True))  # type: ignore[return-value]

    @cached_property
    def told_apart(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words along the queries, and those along the keys, each told from its like."""
        trace, (queries, keys) = self.traced.whole.find(str(self.array)).trace, self.words
        return trace.words("query") or queries, trace.words("key") or keys

    @property
    def entropy_bound(self) -> float:
        """How far off the entropy of a row may be: the largest bound of the head; 0 where none was recorded."""
        bounds = self.layer["rows"].get("bounds", {}).get("entropy")
        return float((bounds[self.layer["heads"].index(self.array.head)] if bounds else 0.0) or 0.0)

    @cached_property
    def alone(self) -> Tiles:
        """Its picture."""
        return self.beside("", None)

    def beside(self, key: str, other: Beside | None) -> Tiles:
        """Its picture, compared with something."""
        from workings.models.tiles import Tiles

        return Tiles(self.picture, self.traced.shelf, f"{self.traced.folder} {self.address} {key}", other)


def heads_kept(recording: Recording) -> int:
    """How many heads of a recording a process keeps: of long texts fewer."""
    sizes = [(layer["queries"] + layer["keys"]) * layer["d_k"] for layer in recording.layers.values()]
    each = FLOAT * max(sizes, default=1)
    return max(FEWEST_HEADS, min(MOST_HEADS, MEMORY_OF_HEADS // max(1, each)))


@lru_cache(RECORDINGS_KEPT)
def _traced(folder: str, shelf: str) -> Traced:
    return Traced(folder, shelf)


@lru_cache(DUMPS_KEPT)
def _dump(path: str, state: tuple[int, int]) -> Any:
    from workings.checking.dumps.files import read_dump

    return read_dump(path)


def traced(asked: Asked) -> Traced:
    """The recording that a request names. Raises ``Refused``, and what opening it raises."""
    return _traced(asked.sources.folder(asked), asked.sources.shelf)


def head(asked: Asked, name: str = "head") -> TracedHead:
    """The head that a request names."""
    return traced(asked).head(asked.text(name))


@dataclass(frozen=True)
class Compared:
    """What a head is laid over: nothing, another head or a dump."""

    tiles: Tiles
    other: TracedHead | None = None
    dumped: Any = None

    def named(self, words: Words) -> str:
        """What it is laid over, by name."""
        return self.other.address if self.other is not None else words["map.dump"] if self.dumped is not None else ""


def compared(asked: Asked, one: TracedHead) -> Compared:
    """What ``against`` of a request says. Raises ``Refused``, ``NotAlike`` or ``NoWeightsInDump``."""
    if not asked.has("against") or asked.is_null("against"):
        return Compared(one.alone)
    wanted = asked.part("against")
    if wanted.has("head"):
        from workings.models.differences import check_alike
        from workings.models.tiles import OtherHead

        other = one.traced.head(wanted.text("head"))
        check_alike(one.address, one.picture.shape, other.address, other.picture.shape)
        return Compared(one.beside(f"less {other.address}", OtherHead(other.picture)), other)
    if not wanted.has("dump"):
        raise Refused(400, "request", what="against")
    if not asked.sources.dump:
        raise Refused(422, "no-dump")
    from workings.checking.dumps.weights import dumped

    place = one.layer["heads"].index(one.array.head)
    state = _state(asked.sources.dump)
    found = dumped(_dump(asked.sources.dump, state), one.array, place, one.picture.shape)
    return Compared(one.beside(f"less {asked.sources.dump} {state}", found), None, found)


def _state(path: str) -> tuple[int, int]:
    """By which a file that was written again is told from what it was. Raises as reading it does."""
    with reading(path):
        status = os.stat(path)
    return status.st_size, status.st_mtime_ns


# --- the page --------------------------------------------------------------------------------------------------------


def page(asked: Asked) -> Answer:
    """What is told of a recording before any head is opened."""
    return page_of(traced(asked), Words(asked.choice("lang", LANGUAGES)))


def page_of(one: Traced, words: Words, only: TracedHead | None = None) -> Answer:
    """The same in a language.

    Args:
        only: the one head that is told of; all where none is named.
    """
    told = overview(one.recording.told, one.folder)
    listed: dict[tuple[str, ...], int] = {}
    layers = [only.layer] if only is not None else list(one.recording.layers.values())
    heads = [head for head in heads_of(one.recording.told) if only is None or head.address == only.address]
    names = names_of(heads)
    about = Paragraph((Text("map.pooled.thumbnail"), Text("map.masked")))
    return {
        "schema": "workings.recording-page/1",
        "title": sentence(told.title, words),
        "html": Blocks(words, lowest=2).draw(told),
        "thumbnails": Blocks(words).block(about),
        "layers": [_layer(one.recording, layer, words, listed, only) for layer in layers],
        "words": [[inert(word) for word in texts] for texts in listed],
        "scores": [_score(name, words) for name in names],
        "heads": {
            head.address: {
                "shown": {name: sentence(printed(head, name), words) for name in names},
                "sort": {name: head.scores.get(name) for name in names},
            }
            for head in heads
        },
        "table": table_of(0, "max", words),
        "learned": only is None and bool(run_of(one.recording)),
        "sides": BASE,
    }


def run_of(recording: Recording) -> str:
    """The folder of the run that made a recorded model, which is the model's own; empty where it has none."""
    from workings.learning.train import RUN

    source = recording.told.get("source")
    path = str(source.get("path", "")) if isinstance(source, dict) else ""
    return path if path and os.path.isfile(os.path.join(path, RUN)) else ""


def _layer(
    recording: Recording, layer: Layer, words: Words, listed: dict[tuple[str, ...], int], only: TracedHead | None
) -> Answer:
    own, others = (listed.setdefault(one, len(listed)) if one else None for one in recording.axis_words(layer))
    place = layer.place
    key = "map.layer.cross" if place.cross else "map.layer.part" if place.part else "map.layer"
    said = {"n": str(place.layer), "part": place.part}
    return {
        "place": layer["address"],
        "title": words.sentence(key, said),
        "heads": [str(place._replace(head=number))[:-1] for number in layer["heads"]]
        if only is None
        else [only.address],
        "queries": layer["queries"],
        "keys": layer["keys"],
        "query_words": own,
        "key_words": others,
    }


def _score(name: str, words: Words) -> Answer:
    from workings.models.scores import NEAR, SCORES

    return {
        "name": name,
        "label": words[f"models.score.{name}"],
        "about": words.sentence(f"models.score.{name}.about", {"near": str(NEAR)}),
        "formula": Blocks(words).inline(Code(SCORES[name].formula)),
    }


def table_of(level: int, pooled: str, words: Words, *, ours: str = "", theirs: str = "", dump: bool = False) -> Answer:
    """The colours of a way of looking, with the very scale that makes the codes."""
    from workings.models.codes import scale_of
    from workings.render.legend import legend

    compared = bool(theirs)
    scale = scale_of(level, pooled, compared=compared, with_dump=dump)
    kind = ("dump" if dump else "head") if compared else "sum" if level and pooled == "sum" else "weight"
    way = "none" if not level else pooled
    names = {"ours": Code(ours), "theirs": Code(theirs), "side": Code(str(BASE**level))}
    said = Paragraph((Text(f"map.{'compared' if compared else 'pooled'}.{way}", names), Text("map.masked")))
    return {
        **legend(scale.code, scale.low, scale.high, words, diverging=compared),
        "label": words.sentence(f"map.legend.{kind}", {name: named.text for name, named in names.items()}),
        "html": Blocks(words).block(said),
        "text": sentence(said.sentences[0], words),
    }
