"""Any number of a recorded model, from the token to the logits: each stretch of it worked over what was recorded."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from workings.arrays.bounds import error_of, with_bounds
from workings.arrays.rules import Floats
from workings.arrays.run import Arrays, Stored
from workings.exact.measured import Measured
from workings.models import cells
from workings.models.around import UNKNOWN, around_of, tensor_of, tensors_of
from workings.models.families import family_of
from workings.models.layers import BEGINNING, BY_WORD, ENDING, beginning_recipe, ending_recipe, layer_recipe, reaches
from workings.models.look import look
from workings.models.recording import Layer, Recording
from workings.models.rotation import attention_factor_of, speeds_of
from workings.models.stream import stream_of
from workings.models.weights import Rows, Weight, Weights
from workings.steps.declared import names_of_models, plain
from workings.steps.recipe import Recipe
from workings.terms.address import Name, parse_address
from workings.terms.errors import FileMissing, UnknownArray
from workings.terms.model_errors import ModelChanged, ModelMoved, NotReached, PlaceAlone
from workings.traces.trace import Source, Trace

LOOKED_UP = {"embedding": "embedding_table", "position_embedding": "position_table", "type_embedding": "type_table"}
IDS = {"embedding": "token_id", "position_embedding": "position", "type_embedding": "token_type"}
LOGITS = ("logits", "logits_uncapped")
WORDS_AT_ONCE = 256  # words of the vocabulary whose logits are worked together
WORDS_AT_A_LOOK = 8192
ROWS_KEPT = 64
LAYERS_KEPT = 4
PLACE = re.compile(r"[LHG]\d{1,6}")
WEIGHT = "weight"  # stands at every head


class Held:
    """An array in memory, as engines read stored ones."""

    def __init__(self, values: Floats) -> None:
        self.values, self.shape = values, values.shape

    def rows(self, start: int, stop: int) -> Floats:
        return self.values[start:stop]


class Rowwise:
    """Cells of one engine, each with the bound of its error; what is made on the way to a row is kept with it."""

    def __init__(self, engine: Arrays) -> None:
        self.engine = engine
        self._rows: OrderedDict[int, dict[Name, Floats]] = OrderedDict()

    def cell(self, name: Name, index: tuple[int, ...]) -> tuple[float, float]:
        row, error = index[0], error_of(name)
        known = self._rows.setdefault(row, {})
        if name not in known or error not in known:
            known.update(self.engine.made_for([name, error], row, row + 1, known))
        while len(self._rows) > ROWS_KEPT:
            self._rows.popitem(last=False)
        return float(known[name][0][index[1:]]), float(known[error][0][index[1:]])


class Stretch:
    """One recipe over what was recorded and what the model's files hold.

    Args:
        exact: given arrays, and arrays that are only looked up: their numbers have no error.
        scalars: given single numbers.
        recorded: arrays that steps make, as the model itself made them.
        apart: those of them that no other step of this recipe is to read.
        measures: of names that are measured elsewhere, by what.
    """

    def __init__(
        self,
        recipe: Recipe,
        source: Source,
        exact: Mapping[Name, Stored],
        scalars: Mapping[Name, float],
        recorded: Mapping[Name, Stored] | None = None,
        apart: frozenset[Name] = frozenset(),
        measures: Callable[[Name], Callable[[Name, tuple[int, ...]], tuple[float, float]] | None] | None = None,
    ) -> None:
        self.recipe, self.exact, self.scalars, self.apart = recipe, exact, scalars, apart
        self.recorded = recorded or {}
        self.measures = measures
        self.trace = Trace(recipe, Measured(recipe, self.measure), source)
        self.made = Trace(recipe, Measured(recipe, self.work), source)
        """Recorded arrays are worked here from what they are made of."""

    def measure(self, name: Name, index: tuple[int, ...]) -> tuple[float, float]:
        """A cell, and how far the true value may lie from it; of what was recorded, the number itself."""
        kept = self.recorded.get(name) or self.exact.get(name)
        if kept is not None:
            return float(kept.rows(index[0], index[0] + 1)[0][index[1:]]), 0.0
        if name in self.scalars:
            return self.scalars[name], 0.0
        elsewhere = None if self.measures is None else self.measures(name)
        return (elsewhere or self.after(name).cell)(name, index)

    def work(self, name: Name, index: tuple[int, ...]) -> tuple[float, float]:
        """The same, but recorded numbers are worked from what they are made of."""
        if name not in self.recorded:
            return self.measure(name, index)
        return (self.after(name) if name in self.apart else self._before).cell(name, index)

    def own(self, dtype: str, name: Name, index: tuple[int, ...]) -> str:
        """What the same steps give from the same numbers in another type, for a cell that is made here."""
        return cells.in_type(self.recipe, self.scalars, self._stored, dtype, name, index)

    def after(self, name: Name) -> Rowwise:
        """The engine of arrays that are made from recorded ones."""
        return self._after

    @property
    def _stored(self) -> dict[Name, Stored]:
        """What later steps read as it stands."""
        return {**self.exact, **{name: kept for name, kept in self.recorded.items() if name not in self.apart}}

    @cached_property
    def _after(self) -> Rowwise:
        return self._engine(self._stored)

    @cached_property
    def _before(self) -> Rowwise:
        return self._engine(self.exact)

    def _engine(self, stored: Mapping[Name, Stored]) -> Rowwise:
        recipe = with_bounds(self.recipe, cells.DOUBLE, given=stored)
        return Rowwise(Arrays(recipe, self.scalars, stored=stored))


class _Ending(Stretch):
    """The logits, a part of the vocabulary at a time."""

    def __init__(self, around: Mapping[str, Any], tokens: int, *arguments: Any) -> None:
        self._around, self._tokens = around, tokens
        self._parts: dict[int, Rowwise] = {}
        super().__init__(*arguments)

    def measure(self, name: Name, index: tuple[int, ...]) -> tuple[float, float]:
        """As elsewhere; a word is looked for in its part of the vocabulary."""
        if name.name not in LOGITS:
            return super().measure(name, index)
        token, word = index
        return self._part(word // WORDS_AT_ONCE).cell(name, (token, word % WORDS_AT_ONCE))

    def after(self, name: Name) -> Rowwise:
        """The norm before the logits is the same for any part of the vocabulary."""
        return self._part(0)

    def own(self, dtype: str, name: Name, index: tuple[int, ...]) -> str:
        """As elsewhere, in the part of the vocabulary where a word is."""
        number, place = divmod(index[1], WORDS_AT_ONCE) if name.name in LOGITS else (0, index[-1])
        recipe, stored = self._cut(number)
        return cells.in_type(recipe, self.scalars, stored, dtype, name, (*index[:-1], place))

    def likeliest(self, token: int, count: int) -> list[int]:
        """The words whose logits are largest, the largest first; none where there are no weights for words."""
        made = next((op for op in self.recipe.ops if op.name.name in LOGITS), None)
        weight = self.exact.get(Name("W_U"))
        if made is None or weight is None:
            return []
        read = made.arrays["input"]
        last = np.array([self.measure(read, (token, place))[0] for place in range(weight.shape[1])])
        pieces = range(0, weight.shape[0], WORDS_AT_A_LOOK)
        logits = np.concatenate([weight.rows(at, min(at + WORDS_AT_A_LOOK, weight.shape[0])) @ last for at in pieces])
        return [int(word) for word in np.argsort(-logits, kind="stable")[:count]]

    def _cut(self, number: int) -> tuple[Recipe, dict[Name, Stored]]:
        """The recipe for a part of the vocabulary, and its weights."""
        stored, chosen = dict(self.exact), range(0)
        for name in map(Name, BY_WORD):
            weight = stored.get(name)
            if isinstance(weight, Weight):
                begin = number * WORDS_AT_ONCE
                chosen = range(begin, min(begin + WORDS_AT_ONCE, weight.shape[0]))
                stored[name] = Rows(weight, chosen)
        return ending_recipe(self._around, self._tokens, len(chosen)), stored

    def _part(self, number: int) -> Rowwise:
        known = self._parts.get(number)
        if known is None:
            recipe, stored = self._cut(number)
            engine = Arrays(with_bounds(recipe, cells.DOUBLE, given=stored), self.scalars, stored=stored)
            known = self._parts[number] = Rowwise(engine)
        return known


Own = Callable[[Name, tuple[int, ...]], str]


class Told(NamedTuple):
    """Where an address stands.

    Attributes:
        trace: in which its number has a value.
        address: it, with every prefix that belongs to it.
        made: of a number that was recorded, the trace in which it is worked from what it is made of.
        own: what the same steps give in the model's own type, for a name and an index.
    """

    trace: Trace
    address: str
    made: Trace | None = None
    own: Own | None = None


class Whole:
    """The stretches of one recorded model, each made when it is asked for.

    Args:
        model: where its files lie now; where they lay when it was recorded if left out.
    """

    def __init__(self, recording: Recording, model: str | None = None) -> None:
        self.recording, self._model = recording, model
        self._layers: OrderedDict[int, Stretch | None] = OrderedDict()
        self._tokenizer: Any = None
        self.around = around_of(recording.told, recording.path)

    def find(self, address: str) -> Told:
        """Where an address stands.

        Raises ``BadAddress``, ``NotRecorded``, ``PlaceMissing``, ``PlaceAlone``, ``NotReached`` or ``UnknownArray``.
        """
        written, _ = parse_address(address)
        if PLACE.fullmatch(written.name):
            raise self._place_alone(address.partition("[")[0])
        index = address[len(address.partition("[")[0]) :]
        if self.around and not written.part and not written.cross:
            found = self._at_an_end(written) or self._in_a_layer(written)
            if found is not None:
                stretch, name, made = found
                return Told(stretch.trace, f"{name}{index}", made, partial(stretch.own, self.dtype))
        layer = self.recording.layer(written)
        here = cells.names_of(layer, written.head)
        if all(written.name != name.name for name in here):
            if plain(written.name) not in names_of_models():
                raise UnknownArray(name=str(written), known=list(map(str, here)))
            raise NotReached(
                address=str(written), family=self._family, lacking="stream" if self.around else self._untold
            )
        trace, full = cells.trace_of(self.recording, address)
        return Told(trace, full, None, partial(cells.own, self.recording, self.dtype))

    def _place_alone(self, address: str) -> PlaceAlone:
        """A layer or a head without an array. Raises ``NotRecorded`` where there is none of the kind."""
        place, _ = parse_address(f"{address}.{WEIGHT}")
        layer = self.recording.layer(place)
        if place.head is None and place.group is None:
            return PlaceAlone(address=address, known=[f"{address}.H{head}" for head in layer["heads"]])
        here = cells.names_of(layer, cells.head_of(layer, place))
        return PlaceAlone(address=address, known=list(map(str, here)))

    @property
    def dtype(self) -> str:
        """The type that the model ran in."""
        return str(self.recording.told.get("dtype", "float32"))

    @property
    def _family(self) -> str:
        return str(self.recording.told["model"].get("family", ""))

    @property
    def _untold(self) -> str:
        """Why a layer is not told from what enters it."""
        said = self.recording.told.get("untold")
        return said if said in UNKNOWN else UNKNOWN[0]

    def likeliest(self, token: int, count: int) -> list[int]:
        """The words that a model holds most likely to come next, the likeliest first; none where it says nothing."""
        ending = self.ending if self.around else None
        return [] if ending is None else ending.likeliest(token, count)

    def words_of(self, ids: list[int]) -> tuple[str, ...]:
        """The words of some tokens of the vocabulary. Raises what finding the model and its tokenizer do."""
        from workings.models.load import load_tokenizer
        from workings.models.tokens import labels, tokens_of

        if self._tokenizer is None:
            self._tokenizer = load_tokenizer(self.weights.looked, cached=True)
        return labels(tokens_of(self._tokenizer, ids))

    # --- places ---

    def _at_an_end(self, written: Name) -> tuple[Stretch, Name, Trace | None] | None:
        count = int(self.around["count"])
        if written == Name("X", count) and self.ending is not None:
            return self.ending, written, self._made_by(count - 1)
        if written.layer is not None or written.head is not None or written.group is not None:
            return None
        ends = (end for end in (self.beginning, self.ending) if end is not None)
        found = next((end for end in ends if end.recipe.has(written)), None)
        if found is None and written.name in LOGITS:
            lacking = "stream" if self.ending is None else "logits"
            raise NotReached(address=str(written), family=self._family, lacking=lacking)
        return None if found is None else (found, written, None)

    def _in_a_layer(self, written: Name) -> tuple[Stretch, Name, Trace | None] | None:
        layer = self.recording.layer(written)
        stretch = self._layer(layer)
        if stretch is None:
            return None
        name = _full(stretch.recipe, layer, written)
        number = int(layer["layer"])
        if name.name != "X":
            return stretch, name, stretch.made if name in stretch.recorded else None
        if number:
            return stretch, name, self._made_by(number - 1)
        return stretch, name, None if self.beginning is None else self.beginning.trace

    def _made_by(self, number: int) -> Trace | None:
        """The trace in which a layer hands on what it made; None where that layer was not recorded."""
        layer = self.recording.layers.get(Name("", number))
        stretch = None if layer is None else self._layer(layer)
        return None if stretch is None else stretch.made

    # --- stretches ---

    def _layer(self, layer: Layer) -> Stretch | None:
        """A layer from what enters it on; None where that was not kept, or is not told."""
        number = int(layer["layer"])
        if number not in self._layers:
            self._layers[number] = self._new_layer(layer)
            while len(self._layers) > LAYERS_KEPT:
                self._layers.popitem(last=False)
        return self._layers[number]

    def _new_layer(self, layer: Layer) -> Stretch | None:
        entering = stream_of(self.recording, int(layer["layer"])) if reaches(layer, self.around) else None
        if entering is None:
            return None
        recipe, number = layer_recipe(layer, self.around), int(layer["layer"])
        exact: dict[Name, Stored] = {
            layer.place.called(name): self._weight(name, tuple(shape), layer)
            for name, shape in self.around["layer"].items()
        }
        exact[layer.place.called("X")] = Held(entering)
        scalars = {Name("eps"): float(self.around["eps"])}
        for name, literal in (("divide_by", recipe.spec.divide_by), ("softcap", recipe.spec.softcap)):
            if literal is not None:
                scalars[Name(name)] = float(cells.constant(literal))
        if self.around["rope"]:
            rope = self.around["rope"][number]
            speeds, factor = speeds_of(rope, layer["d_k"]), attention_factor_of(rope)
            if factor is not None:
                scalars[layer.place.called("attention_factor")] = factor
            if speeds is None:
                scalars[layer.place.called("position_base")] = float(rope["rope_theta"])
            else:
                exact[layer.place.called("frequency")] = Held(np.asarray(speeds))
        recorded = self._recorded(layer, recipe)
        following, handed = Name("X", number + 1), stream_of(self.recording, number + 1)
        if handed is not None:
            recorded[following] = Held(handed)
        source = cells.source_of(self.recording, layer, str(layer.place)[:-1])
        heads = _Heads(self.recording, layer)
        return Stretch(recipe, source, exact, scalars, recorded, frozenset((following,)), heads.of)

    def _recorded(self, layer: Layer, recipe: Recipe) -> dict[Name, Stored]:
        """Q, K and V of the recorded heads."""
        out: dict[Name, Stored] = {}
        for head in layer["heads"]:
            group = layer.group(head)
            names = {"q": layer.place._replace(head=head, name="Q")}
            names |= {letter.lower(): cells.key_name(layer, head, letter) for letter in "KV"}
            for tensor, name in names.items():
                at = head if tensor == "q" else group
                shape = recipe.array(name).shape
                out[name] = cells.Stored(self.recording, layer.place, tensor, at, shape)
        return out

    @cached_property
    def beginning(self) -> Stretch | None:
        """From the tokens to what enters the first layer; None where no tokens were read."""
        ids = [int(token["id"]) for token in self.recording.told["tokens"].get("", []) if "id" in token]
        if not ids:
            return None
        recipe = beginning_recipe(self.around, ids)
        weights = {name: self._weight(name, tuple(s)) for name, s in self.around["model"].items() if name in BEGINNING}
        exact: dict[Name, Stored] = {Name(name): weight for name, weight in weights.items()}
        for name, table in LOOKED_UP.items():
            if recipe.op(Name(name)) is not None:
                exact[Name(name)] = Rows(weights[table], list(recipe.tables[IDS[name]]))
        return Stretch(recipe, self._source, exact, {Name("eps"): float(self.around["eps"])})

    @cached_property
    def ending(self) -> _Ending | None:
        """From what the last layer made to the logits; None where it was not kept, or nothing is made from it."""
        count = int(self.around["count"])
        last = stream_of(self.recording, count)
        if last is None:
            return None
        exact: dict[Name, Stored] = {
            Name(name): self._weight(name, tuple(s)) for name, s in self.around["model"].items() if name in ENDING
        }
        exact[Name("X", count)] = Held(last)
        scalars = {Name("eps"): float(self.around["eps"])}
        if self.around["softcap"] is not None:
            scalars[Name("logits_softcap")] = float(self.around["softcap"])
        recipe = ending_recipe(self.around, len(last))
        return _Ending(self.around, len(last), recipe, self._source, exact, scalars)

    @property
    def _source(self) -> Source:
        words = self.recording.words("")
        return Source({"en": str(self.recording.told["model"].get("name", ""))}, {"token": words})

    # --- the model's files ---

    @cached_property
    def weights(self) -> Weights:
        """The model's numbers. Raises ``ModelMoved`` or ``ModelChanged``, and what looking a model over raises."""
        told = self.recording.told
        source = told.get("source")
        source = source if isinstance(source, dict) else {}
        path = str(self._model or source.get("path", ""))
        try:
            looked = look(path)
        except FileMissing:
            raise ModelMoved(path=path) from None
        if looked.place()["files"] != source.get("files") and looked.hash() != told["model"].get("sha256"):
            raise ModelChanged(path=path)
        return Weights(looked, self.dtype)

    def _weight(self, name: str, shape: tuple[int, ...], layer: Layer | None = None) -> Weight:
        number = 0 if layer is None else int(layer["layer"])
        heads = {} if layer is None else {"q": int(layer["head_count"]), "k": int(layer["kv_head_count"])}

        def found() -> tuple[Weights, str]:
            weights = self.weights
            kept = self._kept(weights, name)
            full = tensor_of(weights.looked.tensors, str(self.around["prefix"]), kept, number)
            return weights, full or kept.name

        return Weight(found, lambda: self._kept(self.weights, name), shape, heads)

    def _kept(self, weights: Weights, name: str) -> Any:
        block = family_of(str(self.recording.told["model"]["kind"])).block
        if block is None:
            raise NotReached(address=name, family=self._family, lacking="family")
        tied = name == "W_U" and self.around["tied"]
        return tensors_of(block, weights.looked.kind)["embedding_table" if tied else name]


class _Heads:
    """Measures cells of the heads of one layer as they are measured alone, from the recorded Q, K and V."""

    def __init__(self, recording: Recording, layer: Layer) -> None:
        self.recording, self.layer = recording, layer
        self._known: dict[int, cells.Head] = {}

    def of(self, name: Name) -> Callable[[Name, tuple[int, ...]], tuple[float, float]] | None:
        """What measures an array, if it is one from the scores of a recorded head on."""
        number = name.head
        if number is None or number not in self.layer["heads"]:
            return None
        head = self._known.get(number)
        if head is None:
            recipe = cells.recipe_of(self.layer, number)
            head = self._known[number] = cells.Head(self.recording, self.layer, number, recipe)
        return head.measure if head.recipe.op(name) is not None else None


def _full(recipe: Recipe, layer: Layer, written: Name) -> Name:
    """The name as the recipe has it: of the head that is meant, of its group, or of the layer."""
    here = layer.place.called(written.name)
    for name in (Name(written.name), here):
        if recipe.has(name):
            return name
    made = [*(op.name for op in recipe.ops), *recipe.given]
    named = any(name.name == written.name for name in made)
    head = cells.head_of(layer, written) if named or written.head is not None else layer["heads"][0]
    shared = layer["kv_head_count"] != layer["head_count"]
    mine = here._replace(head=head)
    for name in (mine, here._replace(group=layer.group(head)) if shared else mine):
        if recipe.has(name):
            return name
    known = [name for name in made if name.head in (None, head) and name.group in (None, layer.group(head))]
    raise UnknownArray(name=str(written), known=[str(name) for name in known])
