"""Attention in plain loops at 50 digits, written from the papers and not from the declared steps.

Vaswani et al. 2017 (attention, sinusoids, feed-forward); Su et al. 2021 (rotary); Press et al. 2022 (ALiBi); Ba et
al. 2016 and Zhang and Sennrich 2019 (norms, also of queries and keys); Shazeer 2020 (SwiGLU);
Ainslie et al. 2023 (grouped heads). Gradients are finite differences: every number is moved, and the loss looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from mpmath import mp, mpf  # type: ignore[import-untyped]

from tests.support.recipes import Cells, Example
from workings.terms.address import Name

DIGITS = 50
FINER = 120  # digits of a loss that is looked at twice, close by
CLOSE = 30  # a number is moved by 10⁻³⁰: the error is of the order of its square
NEGATIVE_INFINITY = mpf("-inf")
Matrix = list[list[Any]]


def number(cell: Fraction | None) -> Any:
    return NEGATIVE_INFINITY if cell is None else mpf(cell.numerator) / cell.denominator


def _nested(cells: Cells, rank: int) -> Any:
    if rank == 0:
        return number(cells[()])
    if rank == 1:
        return [number(cells[i,]) for i in range(len(cells))]
    rows = 1 + max(i for i, _ in cells)
    return [[number(cells[i, j]) for j in range(len(cells) // rows)] for i in range(rows)]


def times(a: Matrix, b: Matrix) -> Matrix:
    return [[sum((x * b[k][j] for k, x in enumerate(row)), mpf(0)) for j in range(len(b[0]))] for row in a]


class Oracle:
    """Every array of an example, by its written name.

    ``moved``: the name of an array, one of its places, and what is added to the number there.
    """

    def __init__(self, example: Example, moved: tuple[str, tuple[int, ...], Any] | None = None) -> None:
        self.example, self.spec, self.around, self.moved = example, example.spec, example.around, moved
        self.tokens, self.keys, self.past = (example.known[k] for k in ("token", "key", "past"))
        self.out: dict[str, Any] = {}
        with mp.workdps(FINER if moved else DIGITS):
            self.run()
            if self.around.learn and not moved:
                self.gradients()

    def given(self, name: str, layer: int, head: int = 0, group: int = 0) -> Any:
        """A given array: this head's or group's own, this layer's, or the one all share; None where there is none."""
        for candidate in (Name(name, layer), Name(name), Name(name, head=head), Name(name, group=group)):
            if candidate in self.example.given:
                cells = _nested(self.example.given[candidate], len(self.example.shapes[candidate]))
                return self._moved(str(candidate), cells)
        return None

    def run(self) -> None:
        x = self.input()
        several = self.around.layers > 1
        for layer in range(self.around.layers):
            self.layer, self.prefix = layer, f"L{layer}." if several else ""
            if layer > 0:
                self.out[f"{self.prefix}X"] = x
            x = self.block(x)
        if self.around.learn:
            self.prefix = ""
            self.loss(x)

    def keep(self, name: str, value: Any) -> Any:
        self.out[self.prefix + name] = value = self._moved(self.prefix + name, value)
        return value

    def _moved(self, name: str, value: Any) -> Any:
        """An array as it is read from here on: with one number moved, where that is asked for."""
        if self.moved is None or self.moved[0] != name:
            return value
        return _with(value, *self.moved[1:])

    # --- one step of training ---

    def loss(self, x: Matrix) -> None:
        """Cross-entropy of the next words, summed over the tokens that have one."""
        table = self.given("W_U", 0)
        logits = self.keep("logits", times(x, [list(column) for column in zip(*table, strict=True)]))
        e = self.keep("logits_exp", [[mp.exp(v) for v in row] for row in logits])
        z = self.keep("logits_sum", [mp.fsum(row) for row in e])
        p = self.keep("probability", [[v / t for v in row] for row, t in zip(e, z, strict=True)])
        target = self.example.tables["target"]
        told = [-mp.log(row[word]) if word >= 0 else mpf(0) for row, word in zip(p, target, strict=True)]
        self.keep("loss", mp.fsum(self.keep("surprise", told)))

    def gradients(self) -> None:
        """Of every array that was kept, and of every weight; and the weights after one step."""
        weights = {str(name): name for name in self.example.given if name.name.startswith(("W_", "b_"))}
        rate = self.given("rate", 0)
        for name in [*self.out, *weights]:
            whole = self.out[name] if name in self.out else self.given(weights[name].name, 0)
            found = self.out[f"grad.{name}"] = _everywhere(whole, partial(self._slope, name))
            if name in weights:
                self.out[f"updated.{name}"] = _both(whole, found, lambda cell, slope: cell - rate * slope)

    def _slope(self, array: str, index: tuple[int, ...]) -> Any:
        with mp.workdps(FINER):
            step = mpf(10) ** -CLOSE
            above, below = (Oracle(self.example, (array, index, sign * step)).out["loss"] for sign in (1, -1))
            return (above - below) / (2 * step)

    # --- before the layers ---

    def input(self) -> Any:
        table = self.given("embedding_table", 0)
        x = self.given("X", 0)
        if table is not None:
            x = self.out["embedding"] = [table[word] for word in self.example.tables["token_id"]]
        if self.spec.position in ("sinusoidal", "rope"):
            width = len(x[0]) if self.spec.position == "sinusoidal" else self.turning()
            base, places = self.given("position_base", 0), self.example.tables["position"]
            pairs = range((width + 1) // 2)
            self.angle = [[pos / mp.power(base, mpf(2 * i) / width) for i in pairs] for pos in places]
            self.out["angle"] = self.angle
        if self.spec.position == "sinusoidal":
            wave = [[(mp.cos if i % 2 else mp.sin)(row[i // 2]) for i in range(len(x[0]))] for row in self.angle]
            self.out["position_encoding"] = wave
            x = self.out["X"] = [[a + b for a, b in zip(r, s, strict=True)] for r, s in zip(x, wave, strict=True)]
        if self.spec.position == "rope":
            self.out["cos"] = [[mp.cos(a) for a in row] for row in self.angle]
            self.out["sin"] = [[mp.sin(a) for a in row] for row in self.angle]
        if self.spec.position == "alibi":
            self.out["alibi_slope"] = self.slopes(self.spec.heads)
        return x

    def turning(self) -> int:
        """How many dimensions of a query turn; the first ones."""
        return self.spec.rope.rotary_dim or len(self.given("W_Q", 0)[0]) // self.spec.heads

    def slopes(self, heads: int) -> list[Any]:
        """As in the authors' code: powers of 2^(-8/n), and every other one of the next power of two."""
        if heads & (heads - 1) == 0:
            return [mp.power(2, -mpf(8) / heads) ** (i + 1) for i in range(heads)]
        closest = 2 ** (heads.bit_length() - 1)
        return self.slopes(closest) + self.slopes(2 * closest)[0::2][: heads - closest]

    # --- one layer ---

    def block(self, x: Any) -> Any:
        norm, residual = self.around.norm, self.around.residual
        pre, post = norm.startswith("pre"), norm.startswith("post")
        y = self.attention(self.norm(1, x) if pre else x)
        if residual:
            y = self.keep("residual1", plus(x, y))
        if post:
            y = self.norm(1, y)
        if self.around.feed_forward == "none":
            return y
        z = self.feed_forward(self.norm(2, y) if pre else y)
        if residual:
            z = self.keep("residual2", plus(y, z))
        return self.norm(2, z) if post else z

    def linear(self, x: Matrix, letter: str) -> Matrix:
        y = times(x, self.given(f"W_{letter}", self.layer))
        bias = self.given(f"b_{letter}", self.layer)
        return y if bias is None else [[v + b for v, b in zip(row, bias, strict=True)] for row in y]

    def rotate(self, x: Matrix) -> Matrix:
        """Each pair (a, b) becomes (a cos - b sin, a sin + b cos); dimensions behind them stay."""
        out = [row[:] for row in x]
        width = self.turning()
        for t, row in enumerate(x):
            for i in range(width // 2):
                p, q = (i, i + width // 2) if self.spec.rope.pairs == "half" else (2 * i, 2 * i + 1)
                c, s = mp.cos(self.angle[t][i]), mp.sin(self.angle[t][i])
                out[t][p], out[t][q] = row[p] * c - row[q] * s, row[p] * s + row[q] * c
        return out

    def turned(self, x: Matrix, prefix: str, letter: str) -> Matrix:
        """A projected query or key on its way to the dot product: normalised and rotated, in the order asked for."""
        norm, rotates = self.spec.qk_norm, self.spec.position == "rope"
        if not rotates and norm == "none":
            return x
        small = letter.lower()
        y = self.keep(f"{prefix}{small}_proj", x)
        if norm == "rms":
            y = self.normed(y, prefix, small)
            return self.rotate(self.keep(f"{prefix}{small}_normed", y)) if rotates else y
        y = self.rotate(y) if rotates else y
        if norm == "none":
            return y
        return self.normed(self.keep(f"{prefix}{small}_rotated", y) if rotates else y, prefix, small)

    def normed(self, x: Matrix, prefix: str, small: str) -> Matrix:
        gain = self.given(f"{small}_norm_gain", self.layer) or [mpf(1)] * len(x[0])
        squares = self.keep(f"{prefix}{small}_mean_square", [mp.fsum(v * v for v in row) / len(row) for row in x])
        roots = [mp.sqrt(square + self.given("eps", 0)) for square in squares]
        return [[v / root * g for v, g in zip(row, gain, strict=True)] for row, root in zip(x, roots, strict=True)]

    def kv_prefix(self, group: int) -> str:
        if self.spec.kv_heads == 1:
            return ""
        return f"H{group}." if self.spec.kv_heads == self.spec.heads else f"G{group}."

    def keys_or_values(self, letter: str, x: Any, group: int) -> Matrix:
        prefix = self.kv_prefix(group)
        found = self.given(letter, self.layer, group, group)
        if found is not None:
            return found  # type: ignore[no-any-return]
        whole = self.linear(self.given("context", 0) if self.example.cross else x, letter)
        width = len(whole[0]) // self.spec.kv_heads
        y = [row[group * width : (group + 1) * width] for row in whole]
        if letter == "K":
            y = self.turned(y, prefix, "K")
        if self.past:
            self.keep(f"{prefix}{letter.lower()}_new", y)
            y = self.given(f"past_{letter}", self.layer, group, group) + y
        return self.keep(prefix + letter, y)  # type: ignore[no-any-return]

    def attention(self, x: Any) -> Matrix:
        spec = self.spec
        keys = [self.keys_or_values("K", x, g) for g in range(spec.kv_heads)]
        gives = (
            self.given("V", self.layer) is not None or self.given("W_V", self.layer) is not None or spec.kv_heads > 1
        )
        values = [self.keys_or_values("V", x, g) for g in range(spec.kv_heads if gives else 0)]
        outputs = []
        for head in range(spec.heads):
            self.head, self.place = head, f"H{head}." if spec.heads > 1 else ""
            group = head // (spec.heads // spec.kv_heads)
            logits = self.logits(self.queries(x), keys[group])
            if not values:  # scores alone: there is nothing to weigh
                return self.softmax(logits)  # type: ignore[no-any-return]
            weight = self.online(logits, values[group]) if spec.softmax == "online" else self.softmax(logits)
            outputs.append(self.keep(f"{self.place}head_output", times(weight, values[group])))
        together = [[v for one in outputs for v in one[t]] for t in range(self.tokens)]
        if spec.heads > 1:
            self.keep("concat", together)
        has_projection = self.given("W_O", self.layer) is not None
        return self.keep("output", self.linear(together, "O") if has_projection else together)  # type: ignore[no-any-return]

    def queries(self, x: Any) -> Matrix:
        found = self.given("Q", self.layer, self.head)
        if found is not None:
            return found  # type: ignore[no-any-return]
        whole = self.linear(x, "Q")
        width = len(whole[0]) // self.spec.heads
        y = [row[self.head * width : (self.head + 1) * width] for row in whole]
        return self.keep(f"{self.place}Q", self.turned(y, self.place, "Q"))  # type: ignore[no-any-return]

    def logits(self, q: Matrix, k: Matrix) -> Matrix:
        spec, place = self.spec, self.place
        s = self.keep(f"{place}score", times(q, [list(column) for column in zip(*k, strict=True)]))
        divisor = self.given("divide_by", 0) if spec.divide_by is not None else mp.sqrt(len(q[0]))
        s = self.keep(f"{place}scaled", [[v / divisor for v in row] for row in s])
        if spec.softcap is not None:
            cap = self.given("softcap", 0)
            s = self.keep(f"{place}capped", [[cap * mp.tanh(v / cap) for v in row] for row in s])
        if spec.bias or spec.position == "alibi" or spec.mask.kind != "none":
            bias = self.given("bias", self.layer, self.head)
            s = [[self.looked_at(i, j, v, bias) for j, v in enumerate(row)] for i, row in enumerate(s)]
            s = self.keep(f"{place}masked", s)
        return s  # type: ignore[no-any-return]

    def looked_at(self, i: int, j: int, value: Any, bias: Any) -> Any:
        offset = self.keys - self.tokens
        mask = self.spec.mask
        may_look = {
            "none": True,
            "causal": j <= i + offset,
            "causal-top-left": j <= i,
            "window": i + offset - mask.window < j <= i + offset,
            "matrix": mask.kind == "matrix" and self.example.tables["allowed"][i][j] == 1,
        }[mask.kind]
        if not may_look or (bias is not None and bias[i][j] == NEGATIVE_INFINITY):
            return NEGATIVE_INFINITY
        if bias is not None:
            value = value + bias[i][j]
        if self.spec.position == "alibi":
            value = value + self.slopes(self.spec.heads)[self.head] * -abs(j - (i + offset))
        return value

    def softmax(self, s: Matrix) -> Any:
        place, plain = self.place, self.spec.softmax == "plain"
        sink = self.given("sink", self.layer)[self.head] if self.spec.sink else NEGATIVE_INFINITY
        peak = [max([*row, sink]) for row in s]
        shift = [mpf(0) if plain or m == NEGATIVE_INFINITY else m for m in peak]
        if not plain:
            self.keep(f"{place}row_max", peak)
        e = [[mp.exp(v - m) for v in row] for row, m in zip(s, shift, strict=True)]
        e = self.keep(f"{place}exp" if plain else f"{place}exp_shifted", e)
        z = [sum(row, mpf(0)) + mp.exp(sink - m) for row, m in zip(e, shift, strict=True)]
        z = self.keep(f"{place}exp_sum" if plain else f"{place}exp_shifted_sum", z)
        lse = [NEGATIVE_INFINITY if t == 0 else m + mp.log(t) for t, m in zip(z, shift, strict=True)]
        self.keep(f"{place}lse", lse)
        weight = [[mpf(0) if t == 0 else v / t for v in row] for row, t in zip(e, z, strict=True)]
        return self.keep(f"{place}weight", weight)

    def online(self, s: Matrix, values: Matrix) -> Matrix:
        """As each running array is defined, over all keys up to the block's end, and not by rescaling."""
        size = self.spec.block_size
        sink = self.given("sink", self.layer)[self.head] if self.spec.sink else NEGATIVE_INFINITY
        peaks: list[Any] = []
        shift: list[Any] = []
        for number, start in enumerate(range(0, self.keys, size), 1):
            stop = min(start + size, self.keys)
            before, peaks = (
                peaks,
                self.keep(f"{self.place}running_max{number}", [max([*row[:stop], sink]) for row in s]),
            )
            shift = [mpf(0) if m == NEGATIVE_INFINITY else m for m in peaks]
            if start:
                self.keep(
                    f"{self.place}rescale{number}", [mp.exp(old - m) for old, m in zip(before, shift, strict=True)]
                )
            e = [[mp.exp(v - m) for v in row[:stop]] for row, m in zip(s, shift, strict=True)]
            self.keep(f"{self.place}block_exp{number}", [row[start:] for row in e])
            z = [sum(row, mp.exp(sink - m)) for row, m in zip(e, shift, strict=True)]
            self.keep(f"{self.place}running_sum{number}", z)
            self.keep(f"{self.place}running_output{number}", times(e, values[:stop]))
        weight = [[mpf(0) if t == 0 else v / t for v in row] for row, t in zip(e, z, strict=True)]
        self.keep(
            f"{self.place}lse", [NEGATIVE_INFINITY if t == 0 else m + mp.log(t) for t, m in zip(z, shift, strict=True)]
        )
        return self.keep(f"{self.place}weight", weight)  # type: ignore[no-any-return]

    def norm(self, number: int, x: Matrix) -> Matrix:
        name, n, eps = f"norm{number}", len(x[0]), self.given("eps", 0)
        means = [mpf(0)] * len(x)
        if self.around.norm.endswith("layer"):
            means = self.keep(f"{name}_mean", [mp.fsum(row) / n for row in x])
        squares = [mp.fsum((v - m) ** 2 for v in row) / n for row, m in zip(x, means, strict=True)]
        self.keep(f"{name}_variance" if self.around.norm.endswith("layer") else f"{name}_mean_square", squares)
        gain = self.given(f"{name}_gain", self.layer) or [mpf(1)] * n
        bias = self.given(f"{name}_bias", self.layer) or [mpf(0)] * n
        y = [
            [g * (v - m) / mp.sqrt(s + eps) + b for v, g, b in zip(row, gain, bias, strict=True)]
            for row, m, s in zip(x, means, squares, strict=True)
        ]
        return self.keep(name, y)  # type: ignore[no-any-return]

    def feed_forward(self, x: Matrix) -> Matrix:
        kind = self.around.feed_forward
        hidden = self.keep("ffn_hidden", self.linear(x, "1"))
        if kind == "relu":
            act = [[max(mpf(0), v) for v in row] for row in hidden]
        elif kind == "gelu":
            act = [[v * mp.ncdf(v) for v in row] for row in hidden]
        elif kind == "gelu-tanh":
            act = [[_gelu_tanh(v) for v in row] for row in hidden]
        else:
            gate = self.keep("ffn_gate", times(x, self.given("W_gate", self.layer)))
            opened = [[_gelu_tanh(g) if kind == "geglu-tanh" else g / (1 + mp.exp(-g)) for g in row] for row in gate]
            act = [[s * v for s, v in zip(r, h, strict=True)] for r, h in zip(opened, hidden, strict=True)]
        return self.keep("ffn_output", self.linear(self.keep("ffn_act", act), "2"))  # type: ignore[no-any-return]


def _gelu_tanh(v: mpf) -> mpf:
    return v / 2 * (1 + mp.tanh(mp.sqrt(2 / mp.pi) * (v + mpf("0.044715") * v**3)))


def _with(value: Any, index: tuple[int, ...], added: Any) -> Any:
    """Nested lists with something added at one place."""
    if not index:
        return value + added
    return [_with(part, index[1:], added) if place == index[0] else part for place, part in enumerate(value)]


def _everywhere(value: Any, make: Callable[[tuple[int, ...]], Any], index: tuple[int, ...] = ()) -> Any:
    """What is made of each place of nested lists, nested like them."""
    if not isinstance(value, list):
        return make(index)
    return [_everywhere(part, make, (*index, place)) for place, part in enumerate(value)]


def _both(left: Any, right: Any, make: Callable[[Any, Any], Any]) -> Any:
    """What is made of each pair of numbers of two nested lists."""
    if not isinstance(left, list):
        return make(left, right)
    return [_both(a, b, make) for a, b in zip(left, right, strict=True)]


def plus(a: Matrix, b: Matrix) -> Matrix:
    return [[x + y for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]
