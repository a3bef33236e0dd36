"""Scores, weights and outputs put into words: who looks at whom, and what a token took from the others."""

from __future__ import annotations

from fractions import Fraction

from workings.explaining.focus import ranking
from workings.explaining.numbers import Numbers
from workings.explaining.tree import Inline, Items, Number, Text, Token
from workings.steps.step import Op
from workings.terms.address import Address, Name
from workings.terms.numbers import Value

MOST_NAMED = 4


class Reader:
    """Puts one trace's numbers into words."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.trace = numbers.trace

    def word(self, axis: str, place: int) -> Token:
        return Token(self.trace.labels(axis)[place])

    def scores(self, op: Op, row: int) -> list[Inline]:
        """What a row of raw scores says."""
        addresses = [Address(op.name, (row, key)) for key in range(op.shape[1])]
        values = [self.trace.value(address) for address in addresses]
        query = self.word("query", row)
        if len(values) > 1 and _all_equal(values):
            return [Text("score.equal", {"query": query, "value": Number(self.numbers.shown(addresses[0]).text)})]
        out: list[Inline] = []
        out += [
            Text("score.none", {"query": query, "key": self.word("key", key)})
            for key, value in enumerate(values)
            if value.exact == 0
        ][:MOST_NAMED]
        best = ranking(self.trace, op.name, row)[0]
        if len(values) > 1 and values[best].exact != 0:
            shown = Number(self.numbers.shown(addresses[best]).text)
            out.append(Text("score.best", {"query": query, "key": self.word("key", best), "value": shown}))
        return out

    def weights(self, name: Name, row: int) -> Inline:
        """What a row of weights says."""
        addresses = [Address(name, (row, key)) for key in range(self.trace.array(name).shape[1])]
        values = [self.trace.value(address) for address in addresses]
        query = self.word("query", row)
        allowed = [key for key, value in enumerate(values) if value.exact != 0]
        if not allowed:
            return Text("weight.nothing", {"query": query})
        if len(allowed) == 1 and values[allowed[0]].exact == 1:
            return Text("weight.only", {"query": query, "key": self.word("key", allowed[0])})
        if _all_equal([values[key] for key in allowed]):
            share = Number(self.numbers.percent(addresses[allowed[0]]))
            words = Items(tuple(self.word("key", key) for key in allowed))
            return Text("weight.equal", {"query": query, "keys": words, "share": share})
        order = [key for key in ranking(self.trace, name, row) if key in allowed]
        most = self._share(query, addresses, order[0])
        rest = tuple(Text("weight.part", self._share(query, addresses, key)) for key in order[1:MOST_NAMED])
        return Text("weight.most", {**most, "rest": Items(rest)}) if rest else Text("weight.one", most)

    def _share(self, query: Token, addresses: list[Address], key: int) -> dict[str, Inline]:
        share = Number(self.numbers.percent(addresses[key]))
        return {"query": query, "key": self.word("key", key), "share": share}

    def mixture(self, op: Op, row: int) -> list[Inline]:
        """A token's value before and its output after, with what it took from whom."""
        recipe = self.trace.recipe
        weight = op.name.called("weight")
        after = Number(self.numbers.vector([Address(op.name, (row, d)) for d in range(op.shape[1])]))
        query = self.word("query", row)
        out: list[Inline] = []
        value = recipe.nearest("V", op.name.layer, op.name.head)
        own = self._own_key(row)
        if own is not None:
            before = Number(self.numbers.vector([Address(value, (own, d)) for d in range(op.shape[1])]))
            out.append(Text("mixture.before_after", {"query": query, "before": before, "after": after}))
        else:
            out.append(Text("mixture.after", {"query": query, "after": after}))
        taken = self._taken(Address(weight, (row,)), own)
        if taken:
            out.append(Text("mixture.taken", {"query": query, "parts": Items(taken)}))
        return out

    def _taken(self, row: Address, own: int | None) -> tuple[Inline, ...]:
        parts: list[Inline] = []
        for key in ranking(self.trace, row.array, row.index[0])[:MOST_NAMED]:
            address = Address(row.array, (*row.index, key))
            if self.trace.value(address).exact == 0:
                continue
            share = Number(self.numbers.percent(address))
            name = "mixture.own" if key == own else "mixture.other"
            parts.append(Text(name, {"share": share, "key": self.word("key", key)}))
        return tuple(parts)

    def _own_key(self, row: int) -> int | None:
        """The key that is the query's own token: the same place counted from the end; None over a context."""
        recipe = self.trace.recipe
        own = row + recipe.sizes["past"]
        keys = self.trace.labels("key")
        return own if own < len(keys) and keys[own] == self.trace.labels("query")[row] else None


def _all_equal(values: list[Value]) -> bool:
    """Whether values are surely equal: the same rational, or bounds that 256 bits do not tell apart."""
    first = values[0]
    if any(value.infinite for value in values):
        return False
    if first.exact is not None:
        return all(value.exact == first.exact for value in values)
    low, high = first.bounds(256)
    for value in values[1:]:
        if value.exact is not None:
            return False
        other_low, other_high = value.bounds(256)
        if other_low > high or other_high < low:
            return False
    return high - low < Fraction(1, 2**128)
