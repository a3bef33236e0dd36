"""Scores, weights and outputs put into words: who looks at whom, and what a token took from the others."""

from __future__ import annotations

from fractions import Fraction

from workings.explaining.focus import ranking
from workings.explaining.numbers import Numbers, percent
from workings.explaining.tree import Inline, Items, Number, Text, Token
from workings.steps.language import Add, At, Cell, Const, Sub, Sum
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
        return Token(self.trace.words(axis)[place])

    def is_empty(self, name: Name, row: int) -> bool:
        """Whether nothing is allowed in a row; rounding in hand mode does not count."""
        true = self.numbers.truth or self.trace
        return true.value(Address(name.called("lse"), (row,))).infinite < 0

    def scores(self, op: Op, row: int) -> list[Inline]:
        """What a row of raw scores says."""
        addresses = [Address(op.name, (row, key)) for key in range(op.shape[1])]
        values = [self.trace.value(address) for address in addresses]
        query = self.word("query", row)
        if len(values) > 1 and _all_equal(values):
            return [Text("score.equal", {"query": query, "value": Number(self.numbers.shown(addresses[0]).text)})]
        out: list[Inline] = []
        true = self.numbers.truth or self.trace
        out += [
            Text("score.none", {"query": query, "key": self.word("key", key)})
            for key, address in enumerate(addresses)
            if true.value(address).exact == 0
        ][:MOST_NAMED]
        best = _leaders(ranking(self.trace, op.name, row), values)
        if len(values) > 1 and values[best[0]].exact != 0:
            said: dict[str, Inline] = {"query": query, "value": Number(self.numbers.shown(addresses[best[0]]).text)}
            keys = [self.word("key", key) for key in best]
            if len(best) == 1:
                out.append(Text("score.best", {**said, "key": keys[0]}))
            else:
                out.append(Text("score.best_tied", {**said, "keys": Items(tuple(keys))}))
        return out

    def shares(self, name: Name, row: int) -> list[Inline]:
        """What a row of weights says, and what the sink takes of it."""
        out = [self.weights(name, row)]
        if self.trace.recipe.spec.sink:
            rest = Sub(Const(1), Sum("key", At("weight", "query", "key")))
            share = Number(percent(self.trace.engine.evaluate(rest, name, {"query": row})))
            out.append(Text("weight.sink", {"query": self.word("query", row), "share": share}))
        return out

    def weights(self, name: Name, row: int) -> Inline:
        """What a row of weights says."""
        addresses = [Address(name, (row, key)) for key in range(self.trace.array(name).shape[1])]
        values = [self.trace.value(address) for address in addresses]
        query = self.word("query", row)
        allowed = [key for key, value in enumerate(values) if value.exact != 0]
        if not allowed:
            return Text("weight.nothing" if self.is_empty(name, row) else "weight.lost", {"query": query})
        if len(allowed) == 1 and values[allowed[0]].exact == 1:
            return Text("weight.only", {"query": query, "key": self.word("key", allowed[0])})
        if len(allowed) == 1:
            return Text("weight.one", self._share(query, addresses, allowed[0]))
        if _all_equal([values[key] for key in allowed]):
            share = Number(self.numbers.percent(addresses[allowed[0]]))
            words = Items(tuple(self.word("key", key) for key in allowed))
            key = "weight.equal_sink" if self.trace.recipe.spec.sink else "weight.equal"
            return Text(key, {"query": query, "keys": words, "share": share})
        order = [key for key in ranking(self.trace, name, row) if key in allowed]
        best = _leaders(order, values)
        most = self._share(query, addresses, best[0])
        others = order[len(best) :]
        named = others if len(order) <= MOST_NAMED + 1 else others[: max(MOST_NAMED - len(best), 1)]
        parts = [Text("weight.part", self._share(query, addresses, key)) for key in named]
        if len(named) < len(others):
            parts.append(self._rest("weight.rest", [addresses[key] for key in others[len(named) :]]))
        rest = Items(tuple(parts))
        if len(best) == 1:
            return Text("weight.most", {**most, "rest": rest})
        words = Items(tuple(self.word("key", key) for key in best))
        return Text("weight.most_tied", {"query": query, "keys": words, "share": most["share"], "rest": rest})

    def _rest(self, key: str, addresses: list[Address]) -> Text:
        """The share of several keys together, exactly: with the shares named beside it, all that is given."""
        total = self.trace.engine.evaluate(Add(*map(Cell, addresses)))
        return Text(key, {"share": Number(percent(total)), "n": len(addresses)})

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
        addresses = [Address(row.array, (*row.index, key)) for key in ranking(self.trace, row.array, row.index[0])]
        taken = [address for address in addresses if self.trace.value(address).exact != 0]
        named = taken if len(taken) <= MOST_NAMED + 1 else taken[:MOST_NAMED]
        for address in named:
            key = address.index[1]
            share = Number(self.numbers.percent(address))
            name = "mixture.own" if key == own else "mixture.other"
            parts.append(Text(name, {"share": share, "key": self.word("key", key)}))
        rest = taken[len(named) :]
        if rest:
            parts.append(self._rest("mixture.rest", rest))
        return tuple(parts)

    def _own_key(self, row: int) -> int | None:
        """The key that is the query's own token: the same place counted from the end; None over a context."""
        recipe = self.trace.recipe
        return None if recipe.cross else row + recipe.sizes["past"]


def _leaders(order: list[int], values: list[Value]) -> list[int]:
    """The first of an order, with all that are as large."""
    tied = [key for key in order if _all_equal([values[order[0]], values[key]])]
    return tied or order[:1]


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
