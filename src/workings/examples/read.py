"""Reads a worked example from a file, a text or a mapping, and refuses what cannot be worked."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Mapping
from typing import Any

from workings.examples import told
from workings.examples.arrays import Arrays
from workings.examples.claims import read_claims
from workings.examples.example import Example
from workings.examples.fields import ATTENTION, TOP
from workings.examples.files import bytes_within
from workings.examples.learning import Learning, read_learning
from workings.examples.limits import (
    MAX_BLOCKS_IN_ALL,
    MAX_FILE_BYTES,
    MAX_HEADS_IN_ALL,
    MAX_TOKENS,
    MAX_TOML_BYTES,
    cells_within,
    within,
)
from workings.examples.parse import check_depth, decode, kind_of, parse
from workings.examples.place import Place, Source, inert
from workings.examples.settings import Settings, check_mask, read_settings
from workings.examples.values import plain_list, require, table, text, texts, wrong_type
from workings.steps.recipe import Recipe
from workings.terms.errors import (
    EmptySequence,
    FileTooLarge,
    MissingField,
    ShapeMismatch,
    UnknownToken,
    UnusedField,
    WorkingsError,
)

SHOWN_UNUSED = ("X", "embedding", "embedding_table", "context")  # may stand for information


def read_file(path: str | os.PathLike[str]) -> Example:
    """A worked example from a file of TOML or JSON.

    Raises:
        FileMissing, FileUnreadable, FileTooLarge, NotText: a file that gives no text.
        NotParsed, DuplicateKey, TooDeep: a text that is no TOML or JSON.
        ExampleError: a field that is wrong; its ``where`` names file, line and field.
    """
    shown = os.fspath(path)
    return read_bytes(bytes_within(shown, MAX_FILE_BYTES), shown)


def read_bytes(data: bytes, path: str = "", kind: str = "") -> Example:
    """A worked example from the bytes of a file; raises as ``read_file`` does."""
    if len(data) > MAX_FILE_BYTES:
        raise FileTooLarge(path=inert(path), size=len(data), limit=MAX_FILE_BYTES)
    return read_text(decode(data, inert(path)), path, kind)


def read_text(text: str, path: str = "", kind: str = "") -> Example:
    """A worked example from a text; ``kind`` is ``toml`` or ``json``, or is told from path and text.

    Raises as ``read_file`` does.
    """
    kind = kind or kind_of(path, text)
    limit = MAX_TOML_BYTES if kind == "toml" else MAX_FILE_BYTES
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > limit:
        raise FileTooLarge(path=inert(path), size=size, limit=limit)
    source = Source(path, text, kind)
    return _read(parse(source), source)


def read_mapping(data: Mapping[str, Any]) -> Example:
    """A worked example from Python: texts, whole numbers, floats (read as ``repr`` writes them), ``Fraction``,
    ``Decimal``, nested lists, arrays with ``tolist``. Raises ``ExampleError`` or ``TooDeep``.
    """
    source = Source()
    check_depth(data, source)
    return _read(data, source)


def _read(data: Any, source: Source) -> Example:
    root = Place(source)
    given = table(data, root, TOP)
    tokens = _tokens(require(given, "tokens", "tokens", root), root / "tokens")
    key_tokens = _tokens(given["key_tokens"], root / "key_tokens") if "key_tokens" in given else None
    layer_tables = plain_list(given.get("layer", []))
    if layer_tables is None:
        wrong_type(given["layer"], "list-of-tables", root / "layer")
    settings = read_settings(given.get("attention", {}), given.get("block", {}), len(layer_tables), root)
    learning = read_learning(given["learn"], tokens, root / "learn") if "learn" in given else None
    if learning is not None:
        settings = settings.learning(learning.rate)
    heads_layers = settings.spec.heads * settings.block.layers
    within("heads-in-all", heads_layers, MAX_HEADS_IN_ALL, root / "block" / "layers")
    place = root / "tokens"
    cells_within(heads_layers * len(tokens) * len(key_tokens or tokens), place)
    arrays = Arrays(settings, tokens, key_tokens, root)
    attention = table(given.get("attention", {}), root / "attention", ATTENTION)
    arrays.read(given.get("inputs", {}), layer_tables, attention)
    if learning is not None:
        arrays.words = learning.vocabulary(arrays.words)
    keys = len(key_tokens) if key_tokens is not None else len(arrays.past_tokens) + len(tokens)
    check_mask(settings.spec.mask, len(tokens), keys, root / "attention" / "mask")
    if settings.spec.block_size:
        blocks = heads_layers * -(-keys // settings.spec.block_size)
        within("blocks-in-all", blocks, MAX_BLOCKS_IN_ALL, root / "attention" / "block_size")
    cells_within(arrays.cells() + heads_layers * len(tokens) * keys, place)
    example = _join(given, settings, arrays, learning, root)
    recipe = _recipe(example, arrays, root)
    notes = told.notes(given.get("notes", {}), root / "notes")
    told.check_notes(notes, recipe, root / "notes")
    claims = read_claims(given.get("claims", {}), recipe, root / "claims")
    return dataclasses.replace(example, notes=notes, claims=claims) if notes or claims else example


def _tokens(value: Any, place: Place) -> tuple[str, ...]:
    items = plain_list(value)
    if items is not None:
        within("tokens", len(items), MAX_TOKENS, place)
    found = texts(value, place)
    if not found:
        raise EmptySequence().at(str(place))
    return found


def _join(
    given: Mapping[str, Any], settings: Settings, arrays: Arrays, learning: Learning | None, root: Place
) -> Example:
    """The example without its notes and claims, which need the recipe."""
    tokens, key_tokens = arrays.tokens, arrays.key_tokens
    if key_tokens is None and "context" in given.get("inputs", {}):
        raise MissingField(field="key_tokens", why="cross").at(str(root / "key_tokens"))
    cross = key_tokens is not None
    spec, layers = settings.spec, settings.block.layers
    past = len(arrays.past_tokens)
    known = {"token": len(tokens), "query": len(tokens), "past": past, **settings.sizes}
    known["key"] = len(key_tokens) if key_tokens is not None else past + len(tokens)
    known |= {"heads": spec.heads, "kv_heads": spec.kv_heads, "layers": layers, "head": spec.heads}
    with _Located(arrays, root):
        arrays.draw(known, cross)
    tables: dict[str, Any] = {}
    if arrays.token_id:
        tables["token_id"] = arrays.token_id
    if spec.position in ("rope", "sinusoidal"):
        tables["position"] = _positions(settings, len(tokens), past, root)
    if spec.mask.kind == "matrix":
        tables["allowed"] = spec.mask.allowed
    if learning is not None:
        tables["target"] = learning.target(arrays.words)
    return Example(
        title=told.spoken(given.get("title", " ".join(tokens)), root / "title"),
        tokens=tuple(tokens),
        key_tokens=None if key_tokens is None else tuple(key_tokens),
        past_tokens=arrays.past_tokens,
        spec=spec,
        block=settings.block,
        given=arrays.given,
        tables=tables,
        words=arrays.words,
        sizes=settings.sizes,
        comments=told.comments(given.get("comment", []), root / "comment"),
        focus=_focus(given, tuple(tokens), root / "focus"),
        softmax_stated=settings.softmax_stated,
        path=root.source.path,
    )


def _focus(given: Mapping[str, Any], tokens: tuple[str, ...], place: Place) -> str:
    """The word whose row is followed unless the reader asks for another; empty where the author names none."""
    if "focus" not in given:
        return ""
    word = text(given["focus"], place)
    if word not in tokens:
        raise UnknownToken(token=inert(word), known=[inert(token) for token in tokens]).at(str(place))
    return word


def _positions(settings: Settings, tokens: int, past: int, root: Place) -> tuple[int, ...]:
    stated = settings.spec.rope.position
    if stated is None:
        return tuple(range(past, past + tokens))
    if len(stated) != tokens:
        raise ShapeMismatch(
            name="position", shape=[len(stated)], axis="token", size=len(stated), expected=tokens, because="tokens"
        ).at(str(root / "attention" / "rope" / "position"))
    return tuple(stated)


def _recipe(example: Example, arrays: Arrays, root: Place) -> Recipe:
    """The recipe of the example, with every error located; refuses what is too large or read by no step."""
    with _Located(arrays, root):
        recipe = example.recipe()
    total = arrays.cells()
    for op in recipe.ops:
        cells = 1
        for size in op.shape:
            cells *= size
        total += cells
    cells_within(total, root / "tokens")
    read = {name.name for op in recipe.ops for name in op.arrays.values()} | set(SHOWN_UNUSED)
    for step in {id(op.step): op.step for op in recipe.ops}.values():
        read |= {node.name for node in step.reads}
    for name, place in arrays.places.items():
        if name.name not in read:
            raise UnusedField(field=name.name).at(str(place))
    return recipe


class _Located:
    """Adds file, line and field to an error about an array, and its other array's shape to a mismatch."""

    def __init__(self, arrays: Arrays, root: Place) -> None:
        self._places = {str(name): place for name, place in arrays.places.items()}
        self._shapes = {str(name): given.shape for name, given in arrays.given.items()}
        self._root = root

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, WorkingsError):
            return
        because = error.values.get("because")
        if because in self._shapes:
            error.values["because"] = f"{because} {list(self._shapes[because])}"
        error.at(str(self._place(error)))

    def _place(self, error: WorkingsError) -> Place:
        name = str(error.values.get("name") or error.values.get("field") or "")
        if name in self._places:
            return self._places[name]
        if "rotary_dim" in error.values:
            return self._root / "attention" / "rope" / "rotary_dim"
        plain = re.sub(r"^.*\.", "", name)
        if plain in ("rope", "qk_norm", "d_k", "d_v", "d_model", "d_context", "heads") or "d_k" in error.values:
            return self._root / "attention" / (plain or "position")
        if plain == "learn":
            return self._root / plain
        if plain in ("d_ff", "layers"):
            return self._root / "block" / plain
        return self._root / "inputs" / plain if plain else self._root / "inputs"
