"""The built-in examples: each loads, and its numbers are those it is known for."""

import re
import tomllib
from fractions import Fraction
from importlib.resources import files

import pytest

from workings.exact.run import Exact
from workings.examples import library
from workings.terms.address import Name
from workings.terms.digits import nearest_decimal, write
from workings.terms.errors import UnknownExample

CHINESE = re.compile("[\u4e00-\u9fff]")


def test_every_file_is_listed() -> None:
    folder = files("workings.examples").joinpath("builtin")
    assert {item.name for item in folder.iterdir() if item.name.endswith(".toml")} == {
        f"{name}.toml" for name in library.names()
    }


@pytest.mark.parametrize("name", library.names())
def test_is_told_in_both_languages(name: str) -> None:
    example = library.load(name)
    told = [example.title, *example.comments]
    told += [line for sides in example.notes.values() for lines in sides.values() for line in lines]
    assert len(told) > 2
    for line in told:
        assert not CHINESE.search(line["en"].replace("它", ""))
        assert CHINESE.search(line["zh"])
    comments = [line for line in library.text(name).splitlines() if "#" in line]
    assert sum(bool(CHINESE.search(line)) for line in comments) * 3 >= len(comments)


@pytest.mark.parametrize("name", library.names())
def test_is_a_file_to_copy(name: str) -> None:
    lines = library.text(name).splitlines()
    assert tomllib.loads(library.text(name))["tokens"]
    assert len(lines) <= 60


@pytest.mark.parametrize("name", ["kittn", "", "../kitten", "kitten.toml", "\x1b" * 1000])
def test_unknown_example(name: str) -> None:
    with pytest.raises(UnknownExample) as caught:
        library.load(name)
    assert set(caught.value.values["known"]) <= set(library.names())
    assert "kitten" in caught.value.values["known"]


KNOWN = {
    "kitten": {
        "scaled": [(2, 0, "0.650538238692"), (2, 1, "0.134350288425"), (2, 2, "0.530330085890")],
        "exp": [(2, 0, "1.916572124720"), (2, 1, "1.143793407070"), (2, 2, "1.699493194770")],
        "weight": [(2, 0, "0.402653153134"), (2, 1, "0.240299864508"), (2, 2, "0.357046982358")],
        "output": [(2, 0, "4.383578513700"), (2, 1, "2.760045627440")],
    },
    "time-machine": {
        "Q": [(1, 0, "1"), (1, 1, "2"), (1, 2, "1")],
        "score": [(0, 0, "3"), (0, 1, "0"), (1, 0, "2"), (1, 1, "2")],
        "weight": [(1, 0, "0.5"), (1, 1, "0.5"), (0, 0, "0.85")],
        "output": [(1, 0, "6"), (1, 1, "3.5"), (1, 2, "4")],
    },
    "time-machine-true": {
        "Q": [(1, 0, "0"), (1, 1, "2"), (1, 2, "1")],
        "weight": [(1, 0, "0.359542524"), (1, 1, "0.640457476")],
    },
    "causal": {
        "weight": [(0, 0, "1"), (0, 1, "0"), (1, 1, "0.5"), (1, 2, "0"), (2, 0, "0.2840"), (2, 1, "0.1400")],
        "output": [(2, 0, "1.576"), (2, 1, "0.716")],
    },
    "two-heads": {"output": [(0, 0, "1.401112092680"), (2, 2, "-0.050479263617")]},
}


@pytest.mark.parametrize("name", KNOWN)
def test_numbers(name: str) -> None:
    example = library.load(name)
    engine = Exact(example.recipe(), example.values())
    for array, cells in KNOWN[name].items():
        for row, column, printed in cells:
            places = len(printed.partition(".")[2])
            value = engine.value(Name(array), (row, column))
            low, high = value.bounds(256)
            if places == 12:  # given to twelve significant digits
                assert abs((low + high) / 2 - Fraction(printed)) < Fraction(1, 10**11), (array, row, column)
            else:
                assert write(nearest_decimal((low + high) / 2, places), places) == printed


def test_encoder_goes_through_six_layers() -> None:
    example = library.load("encoder-six")
    recipe = example.recipe()
    assert (example.block.layers, example.spec.heads) == (6, 2)
    assert recipe.array(Name("norm2", 5)).shape == (3, 4)
    assert recipe.array(Name("ffn_hidden", 5)).shape == (3, 8)
    engine = Exact(recipe, example.values())
    rows = [[engine.value(Name("norm2", 5), (i, j)).bounds(256)[0] for j in range(4)] for i in range(3)]
    for one, other in ((0, 1), (0, 2), (1, 2)):  # the words are still told apart at the end
        assert max(abs(a - b) for a, b in zip(rows[one], rows[other], strict=True)) > Fraction(1, 20)
