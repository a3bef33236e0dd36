"""What an author tells about an example: title, comments, and notes on rows and columns, by language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workings.examples.place import Place, inert
from workings.examples.values import nearest, plain_list, table, text, wrong_type
from workings.steps.recipe import Recipe
from workings.terms.errors import ShapeMismatch, UnknownArray, WorkingsError

LANGUAGES = ("en", "zh")
Told = Mapping[str, str]
Notes = Mapping[str, Mapping[str, tuple[Told, ...]]]


def spoken(value: Any, place: Place) -> Told:
    """One text for all languages, or ``{en = …, zh = …}``; where one is missing, the other stands for it."""
    if isinstance(value, str):
        return dict.fromkeys(LANGUAGES, text(value, place))
    given = {key: text(item, place / key) for key, item in table(value, place, LANGUAGES).items()}
    if not given:
        wrong_type(value, "text", place)
    first = next(iter(given.values()))
    return {language: given.get(language, first) for language in LANGUAGES}


def comments(value: Any, place: Place) -> tuple[Told, ...]:
    """One sentence or a list of them."""
    items = plain_list(value)
    if items is None:
        return (spoken(value, place),)
    return tuple(spoken(item, place / i) for i, item in enumerate(items))


def notes(value: Any, place: Place) -> Notes:
    """``{V = {rows = […], columns = […]}}``."""
    found: dict[str, dict[str, tuple[Told, ...]]] = {}
    for array, sides in table(value, place).items():
        at = place / array
        found[array] = {}
        for side, lines in table(sides, at, ("rows", "columns")).items():
            if plain_list(lines) is None:
                wrong_type(lines, "list-of-texts", at / side)
            found[array][side] = comments(lines, at / side)
    return found


def check_notes(found: Notes, recipe: Recipe, place: Place) -> None:
    """Every note belongs to an array of the recipe, and there is one for each of its rows or columns."""
    if not found:
        return
    by_name = {name.name: name for name in recipe.names()} | {str(name): name for name in recipe.names()}
    for array, sides in found.items():
        if array not in by_name:
            raise UnknownArray(name=inert(array), known=nearest(array, by_name)).at(str(place / array))
        shape = recipe.array(by_name[array]).shape
        for side, lines in sides.items():
            axis = recipe.array(by_name[array]).axes[0 if side == "rows" else -1] if shape else side
            expected = shape[0 if side == "rows" else -1] if shape else 0
            if len(lines) != expected:
                error: WorkingsError = ShapeMismatch(
                    name=f"notes.{array}.{side}",
                    shape=[len(lines)],
                    axis=axis,
                    size=len(lines),
                    expected=expected,
                    because=f"{array} {list(shape)}",
                )
                raise error.at(str(place / array / side))
