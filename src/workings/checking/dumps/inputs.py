"""A dump sorted out: what its recipe is given, what the kernel produced, for each item of its batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from workings.checking.dumps.files import Dump
from workings.checking.dumps.names import MEANT, meant
from workings.checking.dumps.options import USUAL_BASE, Options
from workings.steps.build import build
from workings.steps.recipe import Recipe
from workings.steps.sizes import check_rotary
from workings.steps.spec import BlockSpec
from workings.tensors.tensor import StoredRows, Tensor
from workings.terms.address import Name
from workings.terms.errors import (
    BadOption,
    BadRotaryDim,
    HeadsApart,
    MissingTensor,
    NothingToCompare,
    OddRotaryWidth,
    OptionForm,
    RotaryOption,
    ShapeMismatch,
    TableShape,
    TensorFileTooLarge,
    TensorRank,
    TensorShape,
    TensorType,
    WorkingsError,
    WrongRank,
)

MAX_TOKENS = 2**20
MAX_CELLS = 2**40  # pairs of tokens, of all heads and the whole batch
STAGED = ("q_proj", "k_proj", "q_normed", "k_normed", "q_rotated", "k_rotated")
KEYED = ("K", "V", "k_proj", "k_normed", "k_rotated")  # a row for each key, a matrix for each key/value head
HEADED = ("Q", "K", "V", *STAGED, "head_output")
WIDE = ("score", "scaled", "capped", "masked", "weight")
PRODUCED = (*STAGED, "Q", "K", "V", *WIDE, "lse", "head_output", "concat", "output")
ANGLES = {"cos", "sin"}  # tables that a kernel is given; judged besides where the base that they should have is told
SHARED = ("cos", "sin", "alibi_slope")  # produced once for the whole model
WEIGHTS = ("W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O")
GAINS = ("q_norm_gain", "k_norm_gain")
AXES = {
    "tokens": ("batch", "token", "width"),
    "headed": ("batch", "head", "token", "width"),
    "wide": ("batch", "head", "query", "key"),
    "lse": ("batch", "head", "query"),
}


@dataclass(frozen=True)
class Item:
    """One item of the batch: its recipe, the numbers it is given, and what the kernel made of them."""

    batch: int
    recipe: Recipe
    given: Mapping[Name, Any]
    stored: Mapping[Name, StoredRows]
    produced: Mapping[Name, StoredRows]


@dataclass
class Inputs:
    """Every tensor of a dump with its axes in order: batch, heads, tokens, width."""

    dump: Dump
    options: Options
    arranged: dict[str, Tensor] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)
    written: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for written, name in meant(self.dump.tensors, self.options).items():
            known = self._arrange(name, self.dump.tensors[written])
            if known is None:
                self.unused.append(written)
            else:
                self.arranged[name] = known
                self.written[name] = written
        self.begin = self._begin()
        self._sizes()
        inputs = self._given_names() - ANGLES if self.options.rope_base is not None else self._given_names()
        makes = {name for name in self.arranged if name in (*PRODUCED, *SHARED) and name not in inputs}
        if not makes:
            usual = [name for name in PRODUCED if name not in STAGED]
            raise NothingToCompare(known=usual, found=self._found()).at(self.dump.path)
        self.produced = [name for name in (*SHARED, *PRODUCED) if name in makes]
        read = {*self._given_names(), *self.produced, "mask", *(["positions"] if self.rotates else [])}
        self.unused += [self.written[name] for name in self.arranged if name not in read]

    # --- sorting out ---

    def _arrange(self, name: str, tensor: Tensor) -> Tensor | None:
        """With all its axes, a batch of one and one head put before where they are not written."""
        if name == "mask":
            return self._mask(tensor)
        if name == "positions":
            if tensor.held.dtype.kind not in "iu" or tensor.dtype == "bfloat16":
                raise TensorType(name=tensor.name, seen=tensor.dtype).at(self.dump.path)
            return tensor.arranged(np.atleast_2d(tensor.held))
        kind = self._kind(name)
        if kind is None:
            return None
        if not tensor.is_floating:
            raise TensorType(name=tensor.name, seen=tensor.dtype).at(self.dump.path)
        if kind == "plain":
            return tensor
        axes = AXES.get(kind, AXES["wide"])
        least = len(axes) - 2 if kind != "tokens" else 2
        if name in ("concat", "output") and tensor.held.ndim == len(AXES["headed"]):
            raise HeadsApart(name=tensor.name, shape=list(tensor.shape), axes=list(axes)).at(self.dump.path)
        if not least <= tensor.held.ndim <= len(axes) and kind != "broadcast":
            raise TensorRank(name=tensor.name, shape=list(tensor.shape), axes=list(axes)).at(self.dump.path)
        held = tensor.held
        if kind == "headed" and self.options.layout == "bthd" and held.ndim >= 3:
            held = np.swapaxes(held, -3, -2)
        while held.ndim < len(axes) and kind != "broadcast":
            held = held[None]
        return tensor.arranged(held)

    @staticmethod
    def _kind(name: str) -> str | None:
        if name in HEADED:
            return "headed"
        if name in WIDE:
            return "wide"
        if name == "lse":
            return "lse"
        if name in ("X", "concat", "output"):
            return "tokens"
        if name == "bias":
            return "broadcast"
        return "plain" if name in (*WEIGHTS, *GAINS, *SHARED, "sink") else None

    def _mask(self, tensor: Tensor) -> Tensor:
        if tensor.held.dtype.kind not in "bui" or tensor.dtype == "bfloat16":
            raise TensorType(name=tensor.name, seen=tensor.dtype).at(self.dump.path)
        return tensor

    def _begin(self) -> str:
        """Where the dump begins: at X, before rotation, at Q and K, or at the scores."""
        here = self.arranged
        if "X" in here and "W_Q" in here:
            return "X"
        if (self.options.rope, self.options.qk_norm) != ("none", "none") and {"q_proj", "k_proj"} <= set(here):
            return "q_proj"
        if "Q" in here and "K" in here:
            return "Q"
        if "score" in here:
            return "score"
        raise MissingTensor(name="K" if "Q" in here else "Q", found=self._found()).at(self.dump.path)

    def _found(self) -> list[str]:
        """The arrays of the dump as an error lists them, each with its shape."""
        shapes = {name: " × ".join(map(str, held.shape)) for name, held in self.dump.tensors.items()}
        return [f"{name} ({shape})" if shape else name for name, shape in shapes.items()]

    @property
    def read_as(self) -> dict[str, str]:
        """Our name for each array that has a usual one instead, and is read."""
        read = {written: name for name, written in self.written.items() if written not in self.unused}
        return {written: name for written, name in read.items() if MEANT.get(written.lower()) == name != written}

    @property
    def rotates(self) -> bool:
        """Whether the recipe rotates: it does not where it begins behind the rotation."""
        return self.stages.rope != "none"

    @property
    def normalises(self) -> bool:
        """Whether the recipe normalises queries and keys."""
        return self.stages.qk_norm != "none"

    @property
    def stages(self) -> Options:
        """The options with what is done to queries and keys before the place where the dump begins left out."""
        before = self.begin in ("X", "q_proj")
        return self.options if before else self.options.changed({"rope": "none", "qk_norm": "none"})

    @property
    def multiply_by(self) -> Fraction | None:
        """What scores are multiplied by; None for 1/√d. A head without dimensions has scores of 0, with or without."""
        if self.begin == "score" or self.options.multiply_by is not None:
            return self.options.multiply_by
        return None if self.arranged["W_Q" if self.begin == "X" else self.begin].shape[-1] else Fraction(1)

    def idle(self, name: str) -> str:
        """Why an option changes nothing where the dump begins; empty for one that may, or says what the dump says."""
        if name in ("heads", "kv_heads") and self.begin != "X":
            return "heads" if getattr(self.options, name) != getattr(self, name) else ""
        if name in ("rope", "qk_norm") and self.stages != self.options:
            return "begun"
        if name in ("rope_base", "rotary_dim") and not self.rotates:
            return "not-rotated"
        if name == "eps" and not self.normalises:
            return "eps"
        if name == "alibi" and self.rotates:
            return "alibi"
        return "lse-base" if name == "lse_base" and "lse" not in self.arranged else ""

    def _given_names(self) -> set[str]:
        first = {
            "X": {"X", *WEIGHTS},
            "q_proj": {"q_proj", "k_proj", "V"},
            "Q": {"Q", "K", "V"},
            "score": {"score", "V"},
        }
        given = {*first[self.begin], "sink", "bias", "W_O", "b_O"}
        if not self.options.alibi:
            given.add("alibi_slope")
        if self.rotates:
            given |= ANGLES
        if self.normalises:
            given |= {*GAINS}
        return given

    # --- sizes ---

    def _sizes(self) -> None:
        """Lengths of the axes, and whether every tensor agrees with them."""
        first = self.arranged[self.begin]
        if self.begin == "X":
            batch, queries, _ = first.shape
            projection = self.arranged["W_Q"]
            if projection.held.ndim != 2:
                axes = ["d_model", "q_width"]
                raise TensorRank(name=projection.name, shape=list(projection.shape), axes=axes).at(self.dump.path)
            heads, keys = self.options.heads, queries
            kv_heads = self.options.kv_heads or heads
        elif self.begin == "score":
            batch, heads, queries, keys = first.shape
            kv_heads = self.arranged["V"].shape[1] if "V" in self.arranged else heads
        else:
            batch, heads, queries, _ = first.shape
            other = self.arranged["K" if self.begin == "Q" else "k_proj"]
            _, kv_heads, keys, _ = other.shape
        self.batch, self.heads, self.kv_heads, self.queries, self.keys = batch, heads, kv_heads, queries, keys
        if max(queries, keys) > MAX_TOKENS:
            raise self._too_large("tokens", max(queries, keys), MAX_TOKENS)
        if batch * heads * queries * keys > MAX_CELLS:
            raise self._too_large("pairs", batch * heads * queries * keys, MAX_CELLS)
        if self.begin == "X" and heads % kv_heads:
            fitting = [str(count) for count in range(1, heads + 1) if heads % count == 0]
            raise BadOption(option="kv_heads", seen=str(kv_heads), choices=fitting).at(self.dump.path)
        if heads and (kv_heads == 0 or heads % kv_heads):
            written = self.written["K" if self.begin != "q_proj" else "k_proj"]
            raise self._differs(written, self._original(written), "head", kv_heads, heads)
        for name, tensor in self.arranged.items():
            self._check(name, tensor)
        if not heads:
            self.batch = 0  # nothing is there to judge, as of an empty batch

    def _too_large(self, counted: str, seen: int, limit: int) -> TensorFileTooLarge:
        return TensorFileTooLarge(path=self.dump.path, counted=counted, seen=seen, limit=limit)

    def _shown(self, name: str) -> str:
        """A tensor as an error names it, with its shape."""
        written = self.written[name]
        return f"{written} ({' × '.join(map(str, self._original(written)))})"

    def _original(self, name: str) -> tuple[int, ...]:
        tensor = self.dump.tensors.get(name)
        return tensor.shape if tensor is not None else ()

    def _differs(
        self, name: str, shape: tuple[int, ...], axis: str, size: int, expected: int, other: str = ""
    ) -> TensorShape:
        """An axis that has not the length that ``other`` tells; without it, the tensor that the dump begins at."""
        other = other or self._shown(self.begin)
        error = TensorShape(name=name, shape=list(shape), axis=axis, size=size, other=other, expected=expected)
        error.at(self.dump.path)
        return error

    def _check(self, name: str, tensor: Tensor) -> None:
        expected: dict[str, int | None] = {
            "batch": self.batch,
            "head": self.kv_heads if name in KEYED else self.heads,
            "token": self.keys if name in KEYED else self.queries,
            "query": self.queries,
            "key": self.keys,
        }
        if name in ("Q", "K", *STAGED) and self.begin in self.arranged and self.begin in ("Q", "q_proj"):
            expected["width"] = self.arranged[self.begin].shape[-1]
        if name == "head_output" and "V" in self.arranged:
            expected["width"] = self.arranged["V"].shape[-1]
        axes: tuple[str, ...] = AXES.get(self._kind(name) or "", ())
        shape = tensor.shape
        if name in ("mask", "bias"):
            axes = AXES["wide"][4 - len(shape) :] if len(shape) <= 4 else ()
            if len(shape) > 4:
                raise TensorRank(name=tensor.name, shape=list(shape), axes=list(AXES["wide"])).at(self.dump.path)
        elif name in ("sink", "alibi_slope"):
            axes = ("head",)
        elif name == "positions":
            axes, expected["batch"] = ("batch", "token"), None if shape[0] == 1 else self.batch
        for axis, size in zip(axes, shape, strict=False):
            wanted = expected.get(axis)
            if wanted is not None and size != wanted and not (name in ("mask", "bias") and size == 1):
                raise self._differs(tensor.name, self._original(tensor.name), axis, size, wanted)
        if axes and len(axes) != len(shape):
            raise TensorRank(name=tensor.name, shape=list(shape), axes=list(axes)).at(self.dump.path)

    # --- one item of the batch ---

    def items(self) -> Iterator[Item]:
        """The recipe and the numbers of each item of the batch."""
        for batch in range(self.batch):
            yield self.item(batch)

    def item(self, batch: int) -> Item:
        """One of them. Raises as ``steps.build.build`` does."""
        options, here, scale = self.options, self.arranged, self.multiply_by
        if self.begin == "score" and scale is None:
            raise OptionForm(option="multiply_by", seen="1/sqrt(d)", examples=["1", "0.125", "1/sqrt(16)"]).at(
                self.dump.path
            )
        given, stored = self._given(batch)
        tables: dict[str, Any] = {}
        padded = self.keys == 0
        if "mask" in here or padded:
            tables["allowed"] = self._table(batch)
        if self.rotates:
            tables["position"] = self._positions(batch)
        spec = replace(self.stages, multiply_by=scale).spec(
            self.heads,
            self.kv_heads,
            table="allowed" in tables,
            bias="bias" in here,
            sink="sink" in here,
            slopes="alibi_slope" in given_names(given),
        )
        if spec.divide_by is not None and scale is not None:
            given[Name("divide_by")] = np.float64(float(1 / scale))
        if options.softcap is not None:
            given[Name("softcap")] = np.float64(float(options.softcap))
        if self.rotates:
            given[Name("position_base")] = np.float64(float(options.rope_base or USUAL_BASE))
        if self.normalises:
            given[Name("eps")] = np.float64(float(options.eps))
        shapes = {name: np.shape(values) for name, values in given.items() if name.name not in ANGLES}
        shapes |= {name: kept.shape for name, kept in stored.items()}
        known = {"token": self.queries, "key": max(self.keys, 1), "past": 0}
        cross = self.begin != "X" and not self.rotates
        try:
            recipe = build(spec, BlockSpec(), shapes, known, tables, cross=cross)
        except WorkingsError as error:
            raise self._of_dump(error) from None
        return Item(batch, recipe, given, stored, self._produced(batch, recipe))

    def _given(self, batch: int) -> tuple[dict[Name, Any], dict[Name, StoredRows]]:
        given: dict[Name, Any] = {}
        stored: dict[Name, StoredRows] = {}
        names = self._given_names()
        for name, tensor in self.arranged.items():
            if name not in names:
                continue
            if name in HEADED:
                for head in range(tensor.shape[1]):
                    values = tensor.numbers(batch, head)
                    if values.shape[0] == 0 and name in ("K", "V"):
                        values = np.ones((1, values.shape[1]))
                    given[self.place(name, head)] = values
            elif name == "X":
                given[Name("X")] = tensor.numbers(batch)
            elif name in ("score", "bias"):
                wide = self._broadcast(tensor)
                for head in range(self.heads):
                    part = tensor.arranged(wide[batch, head])
                    stored[self.place(name, head)] = StoredRows(part)
            elif name in ANGLES:
                given[Name(name)] = self._angles(tensor, batch).numbers()
            else:
                given[Name(name)] = tensor.numbers()
        return given, stored

    def _angles(self, tensor: Tensor, batch: int) -> Tensor:
        """A table of cosines or sines: a row for each token, a column for each pair.

        As kernels keep it, it may have rows for all positions, and each column twice.
        """
        held = tensor.held
        while held.ndim > 2:
            held = held[batch if held.shape[0] > 1 and held.shape[0] == self.batch else 0]
        places = self._positions(batch)
        if held.ndim != 2:
            raise TensorRank(name=tensor.name, shape=list(tensor.shape), axes=["token", "pair"]).at(self.dump.path)
        if len(held) != self.queries:
            if not all(0 <= place < len(held) for place in places):
                raise self._differs(tensor.name, tensor.shape, "token", len(held), self.queries)
            held = held[places]
        width = self._rotary_width()
        if held.shape[1] == width:
            halves = self.options.rope == "half"
            held, again = (held[:, : width // 2], held[:, width // 2 :]) if halves else (held[:, ::2], held[:, 1::2])
            if not np.array_equal(held, again, equal_nan=held.dtype.kind == "f"):
                other = "interleaved" if halves else "half"
                raise BadOption(option="rope", seen=self.options.rope, choices=[other]).at(self.dump.path)
        elif held.shape[1] != width // 2:
            raise self._of_width(tensor, held.shape[1], width // 2)
        return tensor.arranged(held)

    def _of_width(self, table: Tensor, size: int, expected: int) -> WorkingsError:
        """A table that has not a column for each pair."""
        turned = self.options.rotary_dim
        told = "" if turned is None else f"rotary_dim ({turned})"
        error = self._differs(table.name, table.shape, "pair", size, expected, told)
        narrow = turned is None and size < expected
        return TableShape(**error.values).at(self.dump.path) if narrow else error

    def _rotary_width(self) -> int:
        """How many dimensions of a head turn. Raises ``RotaryOption``."""
        wide = self.begin == "q_proj"
        d_k = self.arranged["q_proj"].shape[-1] if wide else self.arranged["W_Q"].shape[-1] // self.heads
        try:
            return check_rotary(d_k, self.options.rotary_dim)
        except WorkingsError as error:
            raise self._of_dump(error) from None

    def _of_dump(self, error: WorkingsError) -> WorkingsError:
        """What a recipe says against the arrays of an example, said of the tensors of the dump."""
        found = error.values
        if isinstance(error, ShapeMismatch):
            sizes = {name: found[name] for name in ("name", "shape", "axis", "size", "expected")}
            error = TensorShape(other=found["because"], **sizes)
        elif isinstance(error, (BadRotaryDim, OddRotaryWidth)):
            other = self._shown("q_proj" if self.begin == "q_proj" else "W_Q")
            error = RotaryOption(rotary_dim=self.options.rotary_dim, d_k=found["d_k"], other=other)
        elif isinstance(error, WrongRank):
            error = TensorRank(**found)
        return error.at(self.dump.path)

    def _broadcast(self, tensor: Tensor) -> Any:
        return np.broadcast_to(tensor.held, (self.batch, self.heads, self.queries, self.keys))

    def _table(self, batch: int) -> Any:
        """Who may look at whom, head × query × key. Where there are no keys, one stands there and may not be seen."""
        if self.keys == 0:
            return np.zeros((self.heads, self.queries, 1), np.int8)
        return self._broadcast(self.arranged["mask"])[batch] != 0

    def _positions(self, batch: int) -> list[int]:
        if "positions" not in self.arranged:
            return list(range(self.queries))
        held = self.arranged["positions"].held
        return [int(place) for place in held[batch if held.shape[0] > 1 else 0]]

    def place(self, name: str, head: int) -> Name:
        """The name of one head's (or group's) array in the recipe."""
        if name in KEYED and self.kv_heads != self.heads:
            return Name(name, group=head if self.kv_heads > 1 else None)
        return Name(name, head=head if self.heads > 1 else None)

    def _produced(self, batch: int, recipe: Recipe) -> dict[Name, StoredRows]:
        """What the kernel made, by the names of the recipe, in order of computation."""
        found: dict[Name, StoredRows] = {}
        for name in self.produced:
            tensor = self.arranged[name]
            if name in WIDE and self.keys == 0:
                continue
            if name in ANGLES and self.rotates:
                found[Name(name)] = StoredRows(self._angles(tensor, batch))
            elif name in SHARED:
                found[Name(name)] = StoredRows(tensor)
            elif name in ("concat", "output"):
                found[Name(name)] = StoredRows(tensor.arranged(tensor.held[batch]))
            else:
                for head in range(tensor.shape[1]):
                    found[self.place(name, head)] = StoredRows(tensor.arranged(tensor.held[batch, head]))
        return {op.name: found[op.name] for op in recipe.ops if op.name in found}


def given_names(given: Mapping[Name, Any]) -> set[str]:
    """The plain names of some arrays."""
    return {name.name for name in given}
