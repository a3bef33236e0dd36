"""A comparison of a dump as a display tree: the verdict first, then where, why, the census and the tolerance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from workings.checking.causes.cause import Cause
from workings.checking.dumps.census import Census
from workings.checking.dumps.compare import Comparison
from workings.checking.dumps.report import where
from workings.explaining.tree import (
    Block,
    Code,
    Document,
    Heading,
    Inline,
    Items,
    Named,
    Number,
    Paragraph,
    Table,
    Text,
)

DIGITS = 9
MOST_LISTED = 8
MOST_ALIKE = 3  # causes of one kind that are told one by one


def explain_comparison(found: Comparison) -> Document:
    """The whole report."""
    title = Text("compare.title.of", {"path": Code(found.path)}) if found.path else Text("compare.title")
    blocks: list[Block] = [Paragraph(tuple(_verdict(found)))]
    blocks += _causes(found)
    blocks += _where(found)
    blocks += [Heading(2, Text("compare.heading.census")), _census(found)]
    blocks += _notes(found)
    blocks += _worst(found)
    blocks += _ulps(found)
    blocks += _tolerance(found)
    return Document(title, tuple(blocks))


def number(value: float) -> Number:
    """A floating-point number with enough digits to be told apart."""
    return Number(f"{value:.{DIGITS}g}".replace("inf", "∞").replace("-", "−").replace("nan", "NaN"))


def count(value: int) -> Number:
    """A whole number with commas."""
    return Number(f"{value:,}")


def _names(censuses: list[Census]) -> Items:
    return Items(tuple(Code(census.name) for census in censuses))


def _verdict(found: Comparison) -> Iterator[Text]:
    elements = count(sum(census.elements for census in found.arrays))
    wrong = [census for census in found.arrays if census.over]
    if not wrong:
        yield Text("compare.holds", {"elements": elements, "arrays": _names(found.arrays)})
        return
    yield Text("compare.differs", {"over": count(sum(census.over for census in wrong)), "elements": elements})
    first = next((census for census in wrong if census.name == found.first_step), None)
    if first is None:
        yield Text("compare.follow.only")
        return
    yield Text("compare.first", {"array": Code(first.name), "begin": count(first.begin)})
    later = [census for census in wrong if census is not first and not census.begin]
    if later:
        yield Text("compare.follow", {"arrays": _names(later)})


def _causes(found: Comparison) -> Iterator[Block]:
    if found.first_step is None:
        return
    yield Heading(2, Text("compare.heading.causes"))
    if not found.causes:
        yield Paragraph((Text("compare.causes.none"),))
        return
    yield Paragraph((Text("compare.causes"),))
    for _, alike in groupby(found.causes, key=lambda cause: cause.id.partition(":")[0]):
        yield from _of_one_kind(list(alike))
    if found.found.rows < found.found.of:
        counts: dict[str, Inline] = {"rows": count(found.found.rows), "of": count(found.found.of)}
        yield Paragraph((Text("compare.causes.some", counts),))


def _of_one_kind(causes: list[Cause]) -> Iterator[Block]:
    """Each by its title; of many that differ in a number alone the first, and what the others are called."""
    shown = causes if len(causes) <= MOST_ALIKE else causes[:1]
    for cause in shown:
        said: dict[str, Inline] = {"title": Named(cause.title), "id": Code(cause.id)}
        if len(shown) == len(causes):
            yield Paragraph((Text("compare.causes.one", said),))
        else:
            others = Items(tuple(Code(other.id) for other in causes[1:]))
            yield Paragraph((Text("compare.causes.alike", {**said, "others": others}),))


def _where(found: Comparison) -> Iterator[Block]:
    wrong = [census for census in found.arrays if census.over]
    if not wrong:
        return
    yield Heading(2, Text("compare.heading.where"))
    for census in wrong:
        place = where(census)
        sentence = Text(
            "compare.where.row" if place["rows"] == 1 else "compare.where.heads",
            {
                "name": Code(census.name),
                "heads": _places(place["heads"]),
                "rows": count(place["rows"]),
                "first": Number(str(place["first"])),
                "last": Number(str(place["last"])),
                "blocks64": count(place["blocks_64"]),
                "blocks128": count(place["blocks_128"]),
            },
        )
        yield Paragraph((sentence, Text("compare.where.batches", {"batches": _places(place["batches"])})))


def _places(places: Sequence[int]) -> Items:
    return _listed([Number(str(place)) for place in places])


def _listed(items: Sequence[Inline]) -> Items:
    """The first of them, and a sign where there are more."""
    return Items((*items[:MOST_LISTED], *([Number("…")] if len(items) > MOST_LISTED else [])))


def _census(found: Comparison) -> Table:
    names = ("array", "dtype", "elements", "differ", "over", "begin", "nan", "inf", "one-sided", "max-ulps")
    rows: list[tuple[Inline, ...]] = [
        (
            Code(census.name),
            Code(census.dtype),
            count(census.elements),
            count(census.differ),
            count(census.over),
            count(census.begin),
            count(census.nan),
            count(census.inf),
            count(census.one_sided),
            Number(f"{census.max_ulps:.3g}"),
        )
        for census in found.arrays
    ]
    return Table(tuple(Text(f"compare.{name}") for name in names), tuple(rows))


def _index(index: tuple[int, ...]) -> Code:
    return Code(f"[{','.join(map(str, index))}]")


def _notes(found: Comparison) -> Iterator[Block]:
    for item in found.not_finite:
        values: dict[str, Inline] = {"name": Code(item.name), "nan": count(item.nan), "inf": count(item.inf)}
        yield Paragraph((Text("compare.nonfinite", {**values, "index": _index(item.first)}),))
    for census in found.arrays:
        if census.first_nonfinite is not None:
            values = {"name": Code(census.name), "index": _index(census.first_nonfinite)}
            yield Paragraph((Text("compare.nonfinite.produced", values),))
    for name, counts in found.conventions.items():
        kinds = tuple(Text(f"compare.convention.{kind}", {"rows": count(rows)}) for kind, rows in counts.items())
        yield Paragraph(
            (
                Text("compare.convention", {"name": Code(name), "counts": Items(kinds)}),
                Text(f"compare.convention.declared.{found.options.fully_masked}"),
            )
        )
    if found.read_as:
        pairs = [Text("compare.read-as.one", {"written": Code(a), "name": Code(b)}) for a, b in found.read_as.items()]
        yield Paragraph((Text("compare.read-as", {"names": Items(tuple(pairs))}),))
    for key, unread in (("compare.unused", found.unused), ("compare.not-judged", found.not_judged)):
        if unread:
            yield Paragraph((Text(key, {"names": _listed([Code(name) for name in unread])}),))


def _worst(found: Comparison) -> Iterator[Block]:
    header = tuple(Text(f"compare.{name}") for name in ("array", "index", "printed", "value", "bound", "ulps"))
    rows = [
        (Code(c.name), _index(w.index), number(w.printed), number(w.value), number(w.tolerance), number(w.ulps))
        for c in found.arrays
        for w in c.worst
    ]
    if rows:
        yield Heading(2, Text("compare.heading.worst"))
        yield Table(header, tuple(rows))


def _ulps(found: Comparison) -> Iterator[Block]:
    rows = [
        (Code(c.name), Text("compare.ulps.up-to", {"n": Number(f"2^{power}")}), count(many))
        for c in found.arrays
        for power, many in sorted(c.histogram.items())
    ]
    if rows:
        yield Heading(2, Text("compare.heading.ulps"))
        yield Table(tuple(Text(f"compare.{name}") for name in ("array", "ulps", "count")), tuple(rows))


def _tolerance(found: Comparison) -> Iterator[Block]:
    arithmetic = found.arithmetic
    yield Heading(2, Text("compare.heading.tolerance"))
    types = {name: Code(getattr(arithmetic, name)) for name in ("compute", "softmax", "keep")}
    yield Paragraph((Text("compare.tolerance.taken", types), Text("compare.tolerance.rule")))
    for step, (terms, gamma) in found.sums.items():
        values: dict[str, Inline] = {"step": Code(step), "n": count(terms)}
        if gamma is None:
            yield Paragraph((Text("compare.tolerance.none", values),))
        else:
            yield Paragraph((Text("compare.tolerance.sum", {**values, "gamma": Number(f"{gamma:.3g}")}),))
    for census in found.arrays:
        values = {"name": Code(census.name), "bound": Number(f"{census.largest_tolerance:.3g}")}
        yield Paragraph((Text("compare.tolerance.largest", values),))
        if not census.tells:
            yield Paragraph((Text("compare.tolerance.blind", {"name": Code(census.name)}),))
        if census.unbounded:
            values = {"name": Code(census.name), "numbers": count(census.unbounded)}
            yield Paragraph((Text("compare.tolerance.unbounded", values),))
