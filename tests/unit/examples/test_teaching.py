"""What each built-in example lets a learner see, checked by hand: the one thing its comment says."""

from __future__ import annotations

from fractions import Fraction

import pytest

import workings as w
from workings.exact.run import Exact
from workings.examples import library
from workings.steps.language import Add, At, Const, Exp, Mul, Pow
from workings.terms.address import Name
from workings.terms.numbers import Value

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


class Worked:
    """The exact numbers of a built-in example."""

    def __init__(self, name: str) -> None:
        self.recipe = library.load(name).recipe()
        self.engine = Exact(self.recipe, library.load(name).values())

    def value(self, array: str, *index: int, head: int | None = None) -> Value:
        return self.engine.value(Name(array, head=head), index)

    def exact(self, array: str, *index: int, head: int | None = None) -> Fraction:
        exact = self.value(array, *index, head=head).exact
        assert exact is not None
        return exact

    def row(self, array: str, row: int, head: int | None = None) -> list[Fraction]:
        shape = self.recipe.array(Name(array, head=head)).shape
        return [self.exact(array, row, column, head=head) for column in range(shape[1])]


def same(one: Value, other: Value) -> bool:
    """Whether two values are equal as far as 200 bits tell."""
    (low, high), (least, most) = one.bounds(256), other.bounds(256)
    return max(high, most) - min(low, least) < Fraction(1, 2**200)


def test_sliding_window_is_the_moving_average() -> None:
    days = Worked("sliding-window")
    assert [days.row("weight", i) for i in range(4)] == [
        [1, 0, 0, 0],
        [HALF, HALF, 0, 0],
        [0, HALF, HALF, 0],
        [0, 0, HALF, HALF],
    ]
    degrees = [2, 4, 8, 6]
    averages = [Fraction(a + b, 2) for a, b in zip(degrees[:1] + degrees, degrees, strict=False)]
    assert [days.exact("output", i, 0) for i in range(4)] == averages == [2, 3, 6, 7]


def test_temperature_squares_the_odds_and_keeps_the_order() -> None:
    drinks = Worked("temperature")
    assert [drinks.exact("exp", i, 0) for i in range(3)] == [3, 9, 81]
    assert [drinks.exact("exp", i, 1) for i in range(3)] == [1, 1, 1]
    assert [drinks.exact("weight", i, 0) for i in range(3)] == [Fraction(3, 4), Fraction(9, 10), Fraction(81, 82)]


@pytest.mark.parametrize(("temperature", "row"), [("2", 0), ("1", 1), ("1/2", 2)])
def test_a_temperature_for_the_whole_example_says_the_same(temperature: str, row: int) -> None:
    """Its comment: dividing a query by T divides its scores by T."""
    whole = {
        "tokens": ["ask"],
        "key_tokens": ["tea", "coffee"],
        "inputs": {"Q": [[1]], "K": [["ln(9)"], [0]]},
        "attention": {"divide_by": temperature},
    }
    assert w.explain(whole)["weight"][0, 0].exact == Worked("temperature").exact("weight", row, 0)


def test_grouped_heads_read_the_same_keys_and_values() -> None:
    sky = Worked("grouped-heads")
    made = [str(op.name) for op in sky.recipe.ops if op.name.name in ("K", "V")]
    assert made == ["G0.K", "G0.V", "G1.K", "G1.V"]
    for head in range(4):
        score, mixed = (sky.recipe.op(Name(name, head=head)) for name in ("score", "head_output"))
        assert score is not None
        assert mixed is not None
        read = {str(name) for op in (score, mixed) for name in sky.recipe.sources(op)}
        assert read >= {f"G{head // 2}.K", f"G{head // 2}.V"}
    weights = [tuple(map(tuple, (sky.row("weight", i, head) for i in range(2)))) for head in range(4)]
    assert len(set(weights)) == 4
    assert [sky.row("output", i) for i in range(2)] == [[6, 4, 3, 2], [4, 6, 2, 3]]


def test_cross_attention_finds_each_word_in_the_other_order() -> None:
    words = Worked("cross-attention")
    assert words.recipe.array(Name("weight")).shape == (3, 2)
    tenth = Fraction(1, 10)
    assert [words.row("weight", i) for i in range(3)] == [[HALF, HALF], [tenth, 9 * tenth], [9 * tenth, tenth]]
    assert [words.row("output", i) for i in range(3)] == [[5, 5], [9, 1], [1, 9]]


def test_kv_cache_gives_the_last_row_of_the_whole() -> None:
    one, whole = Worked("kv-cache"), Worked("causal")
    for array in ("scaled", "weight", "output"):
        for column in range(one.recipe.array(Name(array)).shape[1]):
            assert same(one.value(array, 0, column), whole.value(array, 2, column))
    for array in ("K", "V"):
        assert [one.row(array, i) for i in range(3)] == [whole.row(array, i) for i in range(3)]
    assert [str(op.name) for op in one.recipe.ops][:2] == ["Q", "k_new"]
    assert one.recipe.array(Name("k_new")).shape[0] == 1


def test_attention_sink_leaves_less_than_one() -> None:
    moods = Worked("attention-sink")
    assert moods.row("weight", 0) == [Fraction(6, 10), Fraction(2, 10)]
    assert moods.row("weight", 1) == [QUARTER, QUARTER]
    assert [sum(moods.row("weight", i)) for i in range(2)] == [Fraction(8, 10), HALF]
    assert [moods.row("output", i) for i in range(2)] == [[6, 2], [Fraction(5, 2), Fraction(5, 2)]]


def test_sinusoidal_position_tells_the_same_word_apart() -> None:
    clock = Worked("sinusoidal-position")
    assert clock.row("embedding", 0) == clock.row("embedding", 2) == [1, 0]
    assert not any(same(clock.value("X", 0, m), clock.value("X", 2, m)) for m in range(2))
    square = [Pow(At("position_encoding", "token", m), Const(2)) for m in range(2)]
    for row in range(3):
        one = clock.engine.evaluate(Add(*square), Name("X"), {"token": row, "d_model": 0})
        low, high = one.bounds(256)
        assert low <= 1 <= high < low + Fraction(1, 2**200)


def test_rotary_scores_depend_on_the_distance() -> None:
    foxes = Worked("rotary-position")
    near, also_near, far = (foxes.value("score", *cell) for cell in ((1, 0), (3, 2), (3, 0)))
    assert same(near, also_near)
    assert not same(near, far)
    for cell, shifted in (((0, 1), (2, 3)), ((0, 0), (2, 2)), ((1, 1), (3, 3))):
        assert same(foxes.value("score", *cell), foxes.value("score", *shifted))
    assert foxes.row("q_proj", 1) == foxes.row("q_proj", 3)
    assert not same(foxes.value("Q", 1, 0), foxes.value("Q", 3, 0))


def test_layer_norm_makes_loud_and_quiet_the_same() -> None:
    voices = Worked("layer-norm")
    assert [voices.exact("norm1_mean", i) for i in range(3)] == [2, 20, 4]
    assert [voices.exact("norm1_variance", i) for i in range(3)] == [1, 100, 4]
    assert voices.row("norm1", 0) == voices.row("norm1", 1) == [-1, 1, -1, 1]
    assert voices.row("norm1", 2) == [-1, -1, 1, 1]
    assert voices.row("output", 0) == voices.row("output", 1) == [-9, 7, -7, 9]


def test_rms_norm_has_a_mean_square_of_one() -> None:
    times = Worked("rms-norm")
    assert [times.exact("norm1_mean_square", i) for i in range(3)] == [25, 100, 9]
    assert times.row("norm1", 0) == times.row("norm1", 1) == [Fraction(1, 5), Fraction(7, 5)]
    assert times.row("norm1", 2) == [1, 1]
    for row in range(3):
        assert sum(x**2 for x in times.row("norm1", row)) / 2 == 1


def test_online_softmax_ends_where_plain_softmax_ends() -> None:
    blocks = Worked("online-softmax")
    assert [blocks.exact("rescale2", 0), blocks.exact("running_sum1", 0)] == [HALF, Fraction(3, 2)]
    assert blocks.exact("running_sum2", 0) == HALF * Fraction(3, 2) + Fraction(5, 4) == 2
    assert [blocks.row(f"running_output{n}", 0) for n in (1, 2)] == [[4, 8], [6, 8]]
    eighths = [Fraction(n, 8) for n in (1, 2, 4, 1)]
    assert blocks.row("weight", 0) == eighths
    assert blocks.row("output", 0) == [3, 4]
    scores = Mul(Const(1), At("score", "query", "key"))
    plain = [blocks.engine.evaluate(Exp(scores), Name("scaled"), {"query": 0, "key": j}).exact for j in range(4)]
    assert plain == [1, 2, 4, 1]
    assert eighths == [Fraction(e or 0) / sum(e or 0 for e in plain) for e in plain]
