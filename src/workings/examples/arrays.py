"""The given arrays of an example: [inputs] and [[layer]], per head where there are several, drawn where seeded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from workings.examples import fields
from workings.examples.example import Given
from workings.examples.limits import BYTES_PER_CELL, MAX_TOKENS, MAX_WORDS, MAX_WRITTEN, cells_within, within
from workings.examples.place import Place, inert
from workings.examples.seeds import Streams
from workings.examples.settings import Settings
from workings.examples.values import (
    Cells,
    depth,
    is_seed,
    matrix,
    nearest,
    plain_list,
    require,
    seed,
    table,
    texts,
    unicode,
    vector,
    wrong_type,
)
from workings.steps.inputs import INPUTS
from workings.steps.sizes import Sizes, axes_of, gather, shape_of
from workings.terms.address import Name
from workings.terms.errors import MissingField, ShapeMismatch, WordNotInTable, WrongRank, WrongType

MAY_BE_INFINITE = ("score", "bias")


class Arrays:
    """Collects the given arrays of one example.

    Attributes:
        given: the arrays read so far.
        places: where each was found.
        words, token_id: the embedding table's words, and the row of each token in it.
        past_tokens: words in the cache.
    """

    def __init__(
        self, settings: Settings, tokens: Sequence[str], key_tokens: Sequence[str] | None, root: Place
    ) -> None:
        self.settings = settings
        self.tokens = tokens
        self.key_tokens = key_tokens
        self.root = root
        self.given: dict[Name, Given] = {}
        self.places: dict[Name, Place] = {}
        self.words: tuple[str, ...] = ()
        self.token_id: tuple[int, ...] = ()
        self.past_tokens: tuple[str, ...] = ()
        self._seeds: dict[Name, int] = {}
        self._written = 0

    # --- reading ---

    def read(self, inputs: Any, layer_tables: Sequence[Any], attention: Mapping[str, Any]) -> None:
        """Everything that is given; what is seeded waits for ``draw``."""
        place = self.root / "inputs"
        shared = table(inputs, place, fields.INPUT)
        layers = [table(item, self.root / "layer" / i, fields.LAYER) for i, item in enumerate(layer_tables)] or [
            {}
        ] * self.settings.block.layers
        past = shared.get("past", layers[0].get("past"))
        past_place = place if "past" in shared else self.root / "layer" / 0
        if past is not None:
            self.past_tokens = _past_tokens(past, past_place / "past")
        for name, value in shared.items():
            if name == "embedding":
                self._embedding(value, place / name)
            elif name == "past":
                self._past(value, None, place / name)
            elif not (INPUTS[name].per == "layer" and is_seed(value)):
                self._spread(self._entry(name), value, place / name)
        for number, layer in enumerate(layers):
            self._layer(number, layer, shared, place)
        for name in ("sink", "bias"):
            if name in attention:
                self._spread(Name(name), attention[name], self.root / "attention" / name)
        for array, literal in self.settings.scalars.items():
            self.given[Name(array)] = Given((), {(): literal})

    def _entry(self, name: str) -> Name:
        """Keys and values given beside a cache are those of the new words."""
        if name in ("K", "V") and self.past_tokens and not self.settings.spec.stages:
            return Name(f"{name.lower()}_new")
        return Name(name)

    def _layer(self, number: int, layer: Mapping[str, Any], shared: Mapping[str, Any], inputs: Place) -> None:
        """What one layer states, and what it draws from a seed shared by all."""
        at = number if self.settings.block.layers > 1 else None
        place = self.root / "layer" / number
        for name, value in layer.items():
            if name == "past":
                self._past(value, at, place / name)
            else:
                self._one(Name(name, at), value, place / name)
        for name, value in shared.items():
            if name in fields.ARRAYS and name not in layer and INPUTS[name].per == "layer" and is_seed(value):
                self._one(Name(name, at), value, inputs / name)

    def _embedding(self, value: Any, place: Place) -> None:
        """A table of words, a matrix with a row for each token, or a table drawn for the words of the example."""
        if is_seed(value):
            self.words = tuple(dict.fromkeys(self.tokens))
            self._one(Name("embedding_table"), value, place)
        elif isinstance(value, Mapping):
            rows = table(value, place)
            self.words = tuple(unicode(word, place) for word in rows)
            self._table_rows(rows, place)
        else:
            self._one(Name("embedding"), value, place)
            return
        rows_of = {word: i for i, word in enumerate(self.words)}
        for token in self.tokens:
            if token not in rows_of:
                raise WordNotInTable(word=token, known=nearest(token, self.words)).at(str(place))
        self.token_id = tuple(rows_of[token] for token in self.tokens)

    def _table_rows(self, rows: Mapping[str, Any], place: Place) -> None:
        if not rows:
            wrong_type(rows, "embedding", place)
        within("words", len(rows), MAX_WORDS, place)
        cells: Cells = {}
        width, first = 0, ""
        for i, (word, row) in enumerate(rows.items()):
            self._count_written(len(plain_list(row) or ()), place / word)
            shape, read = vector(row, place / word)
            width, first = width or shape[0], first or word
            if shape[0] != width:
                raise ShapeMismatch(
                    name=inert(word),
                    shape=list(shape),
                    axis="d_model",
                    size=shape[0],
                    expected=width,
                    because=f"{inert(first)} {[width]}",
                ).at(str(place / word))
            cells.update({(i, j): literal for (j,), literal in read.items()})
        self._keep(Name("embedding_table"), Given((len(rows), width), cells), place)

    def _past(self, value: Any, layer: int | None, place: Place) -> None:
        past = table(value, place, ("K", "V", "tokens"))
        for letter in ("K", "V"):
            self._spread(Name(f"past_{letter}", layer), require(past, letter, "past", place), place / letter)

    def _spread(self, name: Name, value: Any, place: Place) -> None:
        """An array that stands once, or once per head or group of heads as a list of matrices."""
        copies = self._copies(name)
        nested = depth(value)
        axes = INPUTS[name.name].axes if name.name in INPUTS else ("token", "d")
        if len(copies) == 1 or (name.name == "bias" and (nested == 2 or is_seed(value))):
            items = plain_list(value)
            if nested == 3 and items is not None and len(items) == 1 and len(axes) == 2:
                value, place = items[0], place / 0
            self._one(copies[0] if len(copies) == 1 else name, value, place)
            return
        if is_seed(value):
            for copy in copies:
                self._one(copy, value, place)
            return
        items = plain_list(value)
        unit = "heads" if INPUTS[name.name].per == "head" else "kv_heads"
        if items is None:
            wrong_type(value, "matrix", place)
        if nested != 3:
            raise WrongRank(name=str(name), shape=_shape(value), axes=[unit, *axes]).at(str(place))
        if len(items) != len(copies):
            raise ShapeMismatch(
                name=str(name), shape=_shape(value), axis=unit, size=len(items), expected=len(copies), because=unit
            ).at(str(place))
        for i, (copy, item) in enumerate(zip(copies, items, strict=True)):
            self._one(copy, item, place / i)

    def _copies(self, name: Name) -> list[Name]:
        spec = self.settings.spec
        per = INPUTS[name.name].per
        if per == "head" and spec.heads > 1:
            return [Name(name.name, name.layer, head=h) for h in range(spec.heads)]
        if per == "group" and spec.kv_heads > 1:
            if spec.kv_heads == spec.heads:
                return [Name(name.name, name.layer, head=h) for h in range(spec.heads)]
            return [Name(name.name, name.layer, group=g) for g in range(spec.kv_heads)]
        return [name]

    def _one(self, name: Name, value: Any, place: Place) -> None:
        """One vector or matrix, or the wish to draw it."""
        if is_seed(value):
            self._seeds[name] = seed(value, place)
            self.places[name] = place
            return
        axes = INPUTS[name.name].axes
        if plain_list(value) is None:
            wrong_type(value, "matrix" if len(axes) == 2 else "list-of-numbers", place)
        if depth(value) != len(axes) and plain_list(value):
            raise WrongRank(name=str(name), shape=_shape(value), axes=list(axes)).at(str(place))
        self._count_written(_count(_shape(value)), place)
        reader = matrix if len(axes) == 2 else vector
        self._keep(name, Given(*reader(value, place, infinite=name.name in MAY_BE_INFINITE)), place)

    def _count_written(self, cells: int, place: Place) -> None:
        """Refuses more cells than anybody writes, before they are read."""
        self._written += cells
        within("cells", self._written, MAX_WRITTEN, place, self._written * BYTES_PER_CELL)

    def _keep(self, name: Name, given: Given, place: Place) -> None:
        self.given[name] = given
        self.places[name] = place

    # --- drawing ---

    def draw(self, known: Mapping[str, int], cross: bool) -> None:
        """Draws what is seeded, once the sizes of all axes follow from what is given."""
        if not self._seeds:
            return
        sizes = gather(known, {name: given.shape for name, given in self.given.items()}, not cross)
        if self.words:
            sizes.fix("word", len(self.words), "words", (len(self.words),))
        shapes = {name: self._seeded_shape(name, sizes, cross) for name in self._seeds}
        total = sum(_count(given.shape) for given in self.given.values()) + sum(map(_count, shapes.values()))
        first = next(iter(self._seeds))
        cells_within(total, self.places[first])
        streams = Streams()
        for name, number in self._seeds.items():
            cells = streams.draw(number, name.name, shapes[name])
            self.given[name] = Given(shapes[name], cells)

    def _seeded_shape(self, name: Name, sizes: Sizes, cross: bool) -> tuple[int, ...]:
        try:
            return shape_of(axes_of(name.name, not cross), sizes)
        except MissingField as error:
            axis = _STATED.get(error.values["field"], error.values["field"])
            table_name = "block" if axis == "d_ff" else "attention"
            raise MissingField(field=axis, why="seed").at(str(self.root / table_name / axis)) from None

    def cells(self) -> int:
        """How many cells are given."""
        return sum(_count(given.shape) for given in self.given.values())


_STATED = {"q_width": "d_k", "k_width": "d_k", "v_width": "d_v", "concat": "d_v", "d_out": "d_model"}


def _past_tokens(past: Any, place: Place) -> tuple[str, ...]:
    """The words in the cache; where they are not named, how far back each lies."""
    told = table(past, place, ("K", "V", "tokens"))
    if "tokens" in told:
        return texts(told["tokens"], place / "tokens")
    keys = require(told, "K", "past", place)
    if is_seed(keys):
        raise MissingField(field="tokens", why="seed").at(str(place / "tokens"))
    rows = plain_list(keys)
    if depth(keys) == 3 and rows is not None:
        rows = plain_list(rows[0])
    if rows is None:
        raise WrongType(seen="", expected="matrix").at(str(place / "K"))
    within("tokens", len(rows), MAX_TOKENS, place / "K")
    return tuple(f"t−{len(rows) - i}" for i in range(len(rows)))


def _shape(value: Any) -> list[int]:
    """The shape of nested lists, along their first elements."""
    return list(_lengths(value))


def _lengths(value: Any) -> Iterator[int]:
    items = plain_list(value)
    for _ in range(5):
        if items is None:
            return
        yield len(items)
        items = plain_list(items[0]) if items else None


def _count(shape: Sequence[int]) -> int:
    total = 1
    for size in shape:
        total *= size
    return total
