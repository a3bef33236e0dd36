"""How a result is told: whose arithmetic, how many digits, in which language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from workings.api.language import LANGUAGES, preferred
from workings.explaining.options import SHOW
from workings.terms.digits import AUTO, Precision
from workings.terms.errors import ArgumentForm, UnknownChoice

MOST_PLACES = 1000


@dataclass(frozen=True, slots=True)
class View:
    """What a reader asked to see.

    Attributes:
        show: ``auto``, ``cell``, ``row`` or ``all``.
        token: the word whose row is followed.
        lang: ``en`` or ``zh``; empty for that of the environment.
        digits: how many digits people see.
        carry: decimals to which every result is rounded and carried on; None for none.
    """

    show: str = "auto"
    token: str | None = None
    lang: str = ""
    digits: Precision = AUTO
    carry: int | None = None

    @property
    def language(self) -> str:
        return self.lang or preferred()

    def changed(self, **wanted: Any) -> View:
        """The view with some of ``show``, ``token``, ``lang``, ``precision`` and ``carry`` changed; None keeps.

        Raises ``UnknownChoice`` or ``ArgumentForm`` for a value that none of them takes.
        """
        changes = {name: value for name, value in wanted.items() if value is not None}
        if "show" in changes:
            _one_of(changes["show"], SHOW)
        if not isinstance(changes.get("token", ""), str):
            raise ArgumentForm(name="token", seen=repr(changes["token"]), examples=['"it"', '"it#2"'])
        if "lang" in changes:
            _one_of(changes["lang"], LANGUAGES)
        if "precision" in changes:
            changes["digits"] = read_precision(changes.pop("precision"))
        if "carry" in changes:
            changes["carry"] = _places(changes["carry"], [f"0 … {MOST_PLACES}"])
        return replace(self, **changes)


def _one_of(wanted: object, choices: Sequence[str]) -> None:
    if not isinstance(wanted, str) or wanted not in choices:
        raise UnknownChoice(seen=str(wanted), choices=list(choices))


def read_precision(wanted: str | int) -> Precision:
    """``auto``, ``exact`` or a number of decimals. Raises ``UnknownChoice``."""
    if isinstance(wanted, str) and wanted in ("auto", "exact"):
        return AUTO if wanted == "auto" else Precision(exact=True)
    return Precision(_places(wanted, [f"0 … {MOST_PLACES}", "auto", "exact"]))


def _places(wanted: str | int, choices: list[str]) -> int:
    text = str(wanted)
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MOST_PLACES)) and int(text) <= MOST_PLACES):
        raise UnknownChoice(seen=text, choices=choices)
    return int(text)
