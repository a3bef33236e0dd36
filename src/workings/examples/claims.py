"""The table [claims]: numbers that somebody printed, kept as texts beside the arrays they are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workings.examples.limits import MAX_NUMBER_CHARACTERS, within
from workings.examples.place import Place, inert
from workings.examples.values import nearest, plain_list, table, unicode, wrong_type
from workings.steps.recipe import Recipe
from workings.terms.address import parse_address
from workings.terms.errors import ShapeMismatch, UnknownArray, WorkingsError


def read_claims(value: Any, recipe: Recipe, place: Place) -> dict[str, Any]:
    """By array name, nested tuples of texts with the shape of that array."""
    found: dict[str, Any] = {}
    for key, printed in table(value, place).items():
        at = place / key
        shape = _array_shape(key, recipe, at)
        found[key] = _texts(printed, shape, shape, key, at)
    return found


def _array_shape(key: str, recipe: Recipe, place: Place) -> tuple[int, ...]:
    try:
        name, index = parse_address(key)
        if index:
            raise UnknownArray(name=key, known=[])
        return recipe.array(recipe.find(name)).shape
    except WorkingsError:
        known = nearest(key, dict.fromkeys([str(name) for name in recipe.names()]))
        raise UnknownArray(name=inert(key), known=known).at(str(place)) from None


def _texts(value: Any, rest: Sequence[int], shape: Sequence[int], name: str, place: Place) -> Any:
    if not rest:
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            wrong_type(value, "number", place)
        shown = value if isinstance(value, str) else repr(value) if isinstance(value, float) else _digits(value, place)
        within("number", len(shown), MAX_NUMBER_CHARACTERS, place)
        return unicode(str(shown), place)
    items = plain_list(value)
    if items is None:
        wrong_type(
            value, "row" if len(rest) < len(shape) else "matrix" if len(shape) == 2 else "list-of-numbers", place
        )
    if len(items) != rest[0]:
        error: WorkingsError = ShapeMismatch(
            name=f"claims.{inert(name)}",
            shape=[len(items)],
            axis="rows" if len(rest) == 2 else "columns",
            size=len(items),
            expected=rest[0],
            because=f"{inert(name)} {list(shape)}",
        )
        raise error.at(str(place))
    return tuple(_texts(item, rest[1:], shape, name, place / i) for i, item in enumerate(items))


def _digits(value: int, place: Place) -> str:
    within("number", value.bit_length() * 3 // 10, MAX_NUMBER_CHARACTERS, place)
    return str(value)


Claims = Mapping[str, Any]
