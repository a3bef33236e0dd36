"""One head of a recorded model as a user holds it: largest weights, rows, tiles, entropies, by place or by word."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, cast

from workings.api.above import above
from workings.api.array import EXAMPLES, index_item
from workings.api.shown import Shown
from workings.terms.address import parse_address, resolve
from workings.terms.arguments import count, part
from workings.terms.errors import ArgumentForm
from workings.terms.model_errors import NotRecorded

if TYPE_CHECKING:
    from workings.api.view import View
    from workings.explaining.head import HeadView
    from workings.explaining.tree import Document
    from workings.models.picture import Picture
    from workings.models.recording import Recording

Place = SupportsIndex | str
Places = Place | range | slice | Iterable[Place]


class Top(NamedTuple):
    """A key that a query looks at."""

    key: int
    word: str
    weight: float


class Head(Shown):
    """One head of a recording.

    A query or a key is named by its place, counted from 0 (from the end where it is negative), or by its word;
    ``"the#2"`` is the second of its kind. A word that stands at several places raises ``TokenNotUnique``, which lists
    them, one that is not there ``UnknownToken``, a place outside ``IndexOutside``, what is neither ``ArgumentForm``.
    """

    _figures = ("svg",)

    def __init__(self, recording: Recording, prefix: str, view: View) -> None:
        self._recording, self._prefix, self._view = recording, prefix, view
        self._array = parse_address(f"{prefix}.weight")[0]
        self._layer = recording.layer(self._array)
        if self._array.head not in self._layer["heads"]:
            here = str(self._layer.place)[:-1]
            raise NotRecorded(address=prefix, known=[f"{here}.H{one}" for one in self._layer["heads"]])
        self._words = dict(zip(("query", "key"), recording.axis_words(self._layer), strict=True))

    def top(self, query: Place, k: int = 8) -> list[Top]:
        """The keys with the largest weights of a query, the largest first. Raises ``BadCount`` besides."""
        row, words = self.row(query), self._words["key"]
        order = row.argsort(kind="stable")[::-1][: count("k", k)]
        return [Top(int(key), words[key] if words else "", float(row[key])) for key in order]

    def row(self, query: Place) -> Any:
        """The weights of a query: keys, float64."""
        return self.tile([query])[0]

    def tile(self, queries: Places, keys: Places | None = None) -> Any:
        """Weights of some queries and keys: queries × keys, float64.

        Args:
            queries, keys: one place, several, or a range of them; all keys where none are named.
        """
        from workings.models.cells import tile_of

        rows, columns = self._places("query", queries), self._places("key", slice(None) if keys is None else keys)
        return tile_of(self._recording, str(self._array), rows, columns)

    def _places(self, axis: str, wanted: Places) -> Sequence[int]:
        """Places along an axis."""
        size = int(self._layer["queries" if axis == "query" else "keys"])
        if isinstance(wanted, slice):
            return range(*part(axis, wanted).indices(size))
        if isinstance(wanted, range) and all(0 <= place < size for place in (*wanted[:1], *wanted[-1:])):
            return wanted
        if isinstance(wanted, Iterable) and not isinstance(wanted, (str, bytes, dict)) and not _is_single(wanted):
            return [self._place(axis, one, size) for one in wanted]
        return [self._place(axis, cast(Any, wanted), size)]

    def _place(self, axis: str, wanted: Place, size: int) -> int:
        words = self._words[axis]
        item = index_item(wanted, words)
        if isinstance(item, slice):  # which stands for several places, not for one of them
            raise ArgumentForm(name=axis, seen=repr(wanted), examples=list(EXAMPLES[:-1]))
        (found,) = resolve(self._array, [item], [axis], [size], [words])
        return operator.index(found)  # type: ignore[arg-type]

    @cached_property
    def picture(self) -> Picture:
        """The weights as a picture: ``tile(queries, keys)`` is fast, ``pyramid(level)`` leaves nothing out.

        Raises ``NotRecorded`` where no log-sum-exp was recorded.
        """
        from workings.models.picture import Picture

        return Picture(self._recording, self._layer.place, self._array.head or 0)

    def pyramid(self, level: int) -> tuple[Any, Any]:
        """The maxima and the sums of all blocks of 16ⁿ × 16ⁿ weights, n = ``level``: rows × columns of blocks."""
        return self.picture.pyramid(level)

    @property
    def entropy(self) -> Any:
        """−Σ p ln p of each query's weights over the keys, in nats: queries, float64; memory grows with the keys."""
        from workings.models.cells import entropy_of

        return entropy_of(self._recording, str(self._array))

    @property
    def lse(self) -> Any:
        """The log-sum-exp of each query: queries, float64."""
        from workings.models.cells import rows_of

        return rows_of(self._recording, f"{self._prefix}.lse", 0, self._layer["queries"])[0]

    # --- how it is told ---

    def explain(self, *, token: str | None = None, lang: str | None = None, precision: str | int | None = None) -> Head:
        """The same head told another way.

        Args:
            token: the query whose row is followed, ``it`` or ``it#2``; the last one where none is named.
            lang: ``en`` or ``zh``.
            precision: decimals shown, or ``auto``.
        """
        view = self._view.changed(token=token, lang=lang, precision=precision)
        return Head(self._recording, self._prefix, view)

    def map(self) -> Any:
        """The map of the head's weights, with every number's arithmetic, in a notebook.

        Raises ``MissingExtra`` without the packages of ``workings[jupyter]``.
        """
        return above("web.widget").map_of(self._recording.path, self._view, self._prefix)

    def draw(self, target: str, **style: Any) -> str | bytes:
        """As of every result; ``svg`` is the map of its weights, pooled by their maxima where there are many.

        Raises ``NotRecorded`` for a map of which no log-sum-exp was recorded.
        """
        if str(target) != "svg":
            return super().draw(target, **style)
        drawn: str = above("web.maps").whole_figure(self._recording.path, self._prefix, self._view.language)
        return drawn

    def to_svg(self) -> str:
        """The map of its weights as a figure."""
        return self._text("svg")

    def document(self) -> Document:
        """A page: what the head is, what its queries look at, and the row of one of them step by step."""
        from workings.explaining.head import explain_head

        return explain_head(self._seen(), self._view.digits)

    def data(self) -> dict[str, Any]:
        """``workings.head/1``."""
        from workings.explaining.head import head_data

        return head_data(self._seen())

    def _seen(self) -> HeadView:
        from workings.explaining.head import TOP, HeadView
        from workings.models.cells import looked_at, trace_of

        trace, full = trace_of(self._recording, str(self._array))
        token, last = self._view.token, int(self._layer["queries"]) - 1
        return HeadView(
            trace,
            parse_address(full)[0],
            str(self._recording.told["model"].get("name", "")),
            str(self._recording.told.get("dtype", "")),
            *looked_at(self._recording, str(self._array), TOP),
            last if token is None else self._place("query", token, last + 1),
        )

    def __repr__(self) -> str:
        return f"<Head {self._prefix}: {self._layer['queries']} queries × {self._layer['keys']} keys>"


def _is_single(wanted: object) -> bool:
    """Whether something stands for one place: a whole number, also one of numpy or torch."""
    try:
        operator.index(wanted)  # type: ignore[arg-type]
    except (TypeError, RuntimeError):
        return False
    return True
