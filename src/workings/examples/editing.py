"""An example changed in one place: a number, a word, a setting; the data stays what its author could have written."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workings.examples.example import Example
from workings.examples.limits import MAX_TOKENS
from workings.steps.inputs import INPUTS
from workings.steps.sizes import WIDTHS
from workings.steps.spec import POSITIONS, SOFTMAX
from workings.terms.address import Address, Name
from workings.terms.errors import IndexOutside, UnknownChoice, UnknownField

WORD_AXES = ("token", "query", "key")
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "mask": ("none", "causal", "causal-top-left"),
    "divide_by": (),
    "softmax": SOFTMAX[:2],
    "position": POSITIONS,
    "heads": (),
    "d_k": (),
}
"""Settings that can be changed: what each may be, nothing where any text may be tried."""
NEW_CELL = "0"
WEIGHTS_OF_LOGITS = Name("W_U")
_SINGLE = {
    "divide_by": ("attention", "divide_by"),
    "softcap": ("attention", "softcap"),
    "eps": ("block", "eps"),
    "rate": ("learn", "rate"),
}

Data = dict[str, Any]
Change = Callable[[list[Any], int], Any]  # of a line, of whose entries so many come before those of the words


class Editor:
    """The data of an example, to be changed.

    Args:
        data: as it was read; it stays as it is.
        example: what it was read as.
    """

    def __init__(self, data: Mapping[str, Any], example: Example) -> None:
        self.data: Data = copy.deepcopy(dict(data))
        self.example = example
        self.data.pop("claims", None)  # what somebody printed of other numbers

    def set_cell(self, address: Address, text: str) -> None:
        """Another number at the address of a given cell. Raises ``UnknownField`` for one that is not given."""
        name, index = address.array, address.index
        given = self.example.given.get(name)
        if given is None or index not in given.cells:
            raise UnknownField(field=str(address), known=sorted({str(known) for known in self.example.given}))
        if not index:
            table, key = _SINGLE.get(name.name, ("attention", name.name))
            self.data.setdefault(table, {})[key] = text
            return
        rows = self._array(name)
        _put(rows, index, text)
        self._write(name, rows)

    def set_option(self, option: str, text: str) -> None:
        """Another setting. Raises ``UnknownChoice`` for one that there is not."""
        if option not in OPTIONS:
            raise UnknownChoice(seen=option, choices=list(OPTIONS))
        if option == "d_k":
            self._resize("d_k", _whole(text))
            return
        attention = self.data.setdefault("attention", {})
        attention[option] = _whole(text) if option == "heads" else text
        if option == "heads":
            attention.pop("n_kv_heads", None)

    def add_token(self, word: str) -> None:
        """A word at the end, with the numbers of the word before it until others are written."""
        tokens = self._tokens()
        if len(tokens) >= MAX_TOKENS:
            raise UnknownChoice(seen=word, choices=[f"1 … {MAX_TOKENS}"])
        table = self._embedding()
        if table is not None and word not in table:
            self._new_word(table, word, tokens[-1])
        tokens.append(word)
        self._for_word(lambda line, before: line.append(copy.copy(line[-1])))

    def remove_token(self, place: int) -> None:
        """One word fewer."""
        tokens = self._tokens()
        self._inside(place, len(tokens))
        del tokens[place]
        self._for_word(lambda line, before: line.pop(before + place))

    def rename_token(self, place: int, word: str) -> None:
        """Another word in its place, with the same numbers."""
        tokens = self._tokens()
        self._inside(place, len(tokens))
        before, tokens[place] = tokens[place], word
        table = self._embedding()
        if table is not None and word not in table:
            if before in tokens:
                self._new_word(table, word, before)
            else:
                self.data["inputs"]["embedding"] = {
                    word if known == before else known: row for known, row in table.items()
                }
                self._rename_next(before, word)
        if self.data.get("focus") == before:
            self.data["focus"] = word

    # --- where things stand ---

    def _tokens(self) -> list[str]:
        tokens = list(self.data.get("tokens", self.example.tokens))
        self.data["tokens"] = tokens
        return tokens

    def _embedding(self) -> dict[str, list[Any]] | None:
        table = self.data.get("inputs", {}).get("embedding")
        return table if isinstance(table, dict) and "seed" not in table else None

    def _new_word(self, table: dict[str, list[Any]], word: str, like: str) -> None:
        """A word more in the vocabulary, with the numbers of another: in the embedding, and where it may come next."""
        table[word] = list(table[like])
        if WEIGHTS_OF_LOGITS in self.example.given:
            rows = self._array(WEIGHTS_OF_LOGITS)
            rows.append(list(rows[self.example.words.index(like)]))
            self._write(WEIGHTS_OF_LOGITS, rows)
            self.data["learn"].pop("words", None)  # those of the embedding

    def _rename_next(self, before: str, word: str) -> None:
        """Another name for a word that may come next."""
        learn = self.data.get("learn", {})
        for key in ("words", "next"):
            if key in learn:
                learn[key] = [word if known == before else known for known in learn[key]]

    def _inside(self, place: int, size: int) -> None:
        if not 0 <= place < size:
            raise IndexOutside(address="tokens", axis="token", size=size, seen=place)

    def _array(self, name: Name) -> Any:
        """A given array as nested lists of texts."""
        given = self.example.given[name]
        return _nested(given.shape, lambda index: given.cells[index].text)

    def _write(self, name: Name, rows: Any) -> None:
        """Puts an array where its author would have it."""
        if name.name == "embedding_table":
            table = dict(zip(self.example.words, rows, strict=True))
            self.data["inputs"]["embedding"] = table
            return
        if name.name in ("past_K", "past_V"):
            table, key = self.data["inputs"]["past"], name.name.removeprefix("past_")
        elif name.name in ("bias", "sink"):
            table, key = self.data["attention"], name.name
        else:
            table, key = self._table(name), name.name
        key = {"k_new": "K", "v_new": "V"}.get(key, key)
        table[key] = rows if name.head is None and name.group is None else self._with_heads(name, rows)

    def _table(self, name: Name) -> Data:
        inputs: Data = self.data.setdefault("inputs", {})
        if name.layer is None:
            return inputs
        layers = self.data.setdefault("layer", [])
        while len(layers) < self.example.block.layers:
            layers.append({})
        table: Data = layers[name.layer]
        return table

    def _with_heads(self, name: Name, rows: Any) -> list[Any]:
        """The matrices of all heads, one of them another."""
        alike = sorted(
            known for known in self.example.given if known._replace(head=name.head, group=name.group) == name
        )
        return [rows if each == name else self._array(each) for each in alike]

    # --- sizes ---

    def _for_word(self, change: Change) -> None:
        """Changes every given array along its axes of words."""
        for name in self.example.given:
            axes = INPUTS[name.name].axes
            found = [place for place, axis in enumerate(axes) if self._is_of_words(axis)]
            if found:
                rows = self._array(name)
                for place in found:
                    self._along(rows, place, axes[place], change)
                self._write(name, rows)
        self.data.pop("notes", None)  # of rows that are others now
        attention = self.data.get("attention", {})
        if isinstance(attention.get("mask"), list):
            for place, axis in enumerate(("query", "key")):
                if self._is_of_words(axis):
                    self._along(attention["mask"], place, axis, change)
        if isinstance(attention.get("rope"), dict):
            attention["rope"].pop("position", None)
        following = self.data.get("learn", {}).get("next")
        if isinstance(following, list):
            change(following, 0)

    def _is_of_words(self, axis: str) -> bool:
        return axis in WORD_AXES and not (axis == "key" and self.example.cross)

    def _along(self, rows: list[Any], place: int, axis: str, change: Change) -> None:
        before = len(self.example.past_tokens) if axis == "key" else 0
        for line in rows if place else [rows]:
            change(line, before)

    def _resize(self, axis: str, size: int) -> None:
        """Gives every array along an axis another length, in each head where several stand in it; what is new is 0."""
        if not 1 <= size <= MAX_TOKENS:
            raise UnknownChoice(seen=str(size), choices=[f"1 … {MAX_TOKENS}"])
        spec = self.example.spec
        heads = {"heads": spec.heads, "kv_heads": spec.kv_heads}
        parts = {axis: 1} | {wide: heads[several] for wide, (several, each) in WIDTHS.items() if each == axis}
        for name in self.example.given:
            found = [(place, parts[one]) for place, one in enumerate(INPUTS[name.name].axes) if one in parts]
            if found:
                rows = self._array(name)
                for place, several in found:
                    rows = _fitted(rows, place, size, several)
                self._write(name, rows)
        attention = self.data.get("attention", {})
        if axis in attention:
            attention[axis] = size


def _nested(shape: Sequence[int], at: Callable[[tuple[int, ...]], str], before: tuple[int, ...] = ()) -> Any:
    if len(before) == len(shape):
        return at(before)
    return [_nested(shape, at, (*before, place)) for place in range(shape[len(before)])]


def _put(rows: Any, index: tuple[int, ...], text: str) -> None:
    for place in index[:-1]:
        rows = rows[place]
    rows[index[-1]] = text


def _zeros(rows: list[Any]) -> Any:
    """A row like the others, of zeros."""
    return [NEW_CELL] * len(rows[0]) if isinstance(rows[0], list) else NEW_CELL


def _fitted(rows: list[Any], axis: int, size: int, parts: int) -> list[Any]:
    """Rows whose so many equal parts along an axis are ``size`` long each."""
    if axis:
        return [_fitted(row, axis - 1, size, parts) for row in rows]
    each, out = len(rows) // parts, list[Any]()
    for part in range(parts):
        kept = rows[part * each : part * each + min(each, size)]
        out += [*kept, *(_zeros(rows) for _ in range(size - len(kept)))]
    return out


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise UnknownChoice(seen=text, choices=["1, 2, 3 …"])
    return int(text)
