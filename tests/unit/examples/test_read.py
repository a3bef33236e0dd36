"""Everything that an example file may say, and what becomes of it."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from workings.examples.example import Example
from workings.examples.read import read_bytes, read_file, read_mapping, read_text
from workings.steps.language import MINUS_INFINITY, Const
from workings.terms.address import Address, Name

ONE: dict[str, Any] = {"Q": [[1, 2]], "K": [[3, 4]], "V": [[5, 6]]}
X = [[1, 0], [0, 1]]
I2 = [[1, 0], [0, 1]]
PROJECTED: dict[str, Any] = {"X": X, "W_Q": I2, "W_K": I2, "W_V": I2}


def read(tokens: int = 2, **fields: Any) -> Example:
    return read_mapping({"tokens": [f"t{i}" for i in range(tokens)], **fields})


def texts(example: Example, name: Name) -> list[str]:
    return [literal.text for literal in example.given[name].cells.values()]


def test_numbers_are_kept_as_written() -> None:
    toml = (
        'tokens = ["a"]\n[inputs]\nQ = [[1.0, 2e-1, 1_0.5_0, 7]]\nK = [["1/3", "sqrt(2)", " ln(2)", "−0.50"]]\nV=[[+1]]'
    )
    example = read_text(toml)
    assert texts(example, Name("Q")) == ["1.0", "2e-1", "10.50", "7"]
    assert texts(example, Name("K")) == ["1/3", "sqrt(2)", "ln(2)", "-0.50"]
    assert example.written()[Address(Name("Q"), (0, 0))].text == "1.0"
    assert example.values()[Name("Q")][0, 1] == Const(Fraction(1, 5))


def test_a_zero_keeps_its_own_sign() -> None:
    """Equal numbers may be written in different ways, one right after the other."""
    rows = [[-0.0, 0.0, 0, "0"], [0.0, -0.0, "0.0", "−0"]]
    example = read(2, inputs={"Q": rows, "K": rows, "V": rows})
    assert texts(example, Name("Q")) == ["-0.0", "0.0", "0", "0", "0.0", "-0.0", "0.0", "-0"]
    assert set(example.values()[Name("Q")].values()) == {Const(0)}


def test_json_and_toml_agree() -> None:
    toml = 'tokens = ["小猫"]\n[inputs]\nQ = [[1.0, 0.10]]\nK = [[3, 4]]\nV = [[5e0]]\n[attention]\ndivide_by = 1.70'
    json = (
        '{"tokens": ["小猫"], "inputs": {"Q": [[1.0, 0.10]], "K": [[3, 4]], "V": [[5e0]]},'
        ' "attention": {"divide_by": 1.70}}'
    )
    assert read_text(toml) == read_text(json) == read_bytes(b"\xef\xbb\xbf" + json.encode())
    assert texts(read_text(json), Name("divide_by")) == ["1.70"]


def test_python_numbers() -> None:
    class Array:
        def tolist(self) -> list[list[float]]:
            return [[0.1, 1.0]]

    q = [[Fraction(1, 3), Decimal("0.50")]]
    example = read(1, inputs={"Q": q, "K": Array(), "V": ((1e-7, -3, "0.25"),)})
    assert texts(example, Name("Q")) == ["1/3", "0.50"]
    assert texts(example, Name("K")) == ["0.1", "1.0"]
    assert texts(example, Name("V")) == ["1e-07", "-3", "0.25"]


def test_words() -> None:
    example = read(1, inputs=ONE)
    assert example.title == {"en": "t0", "zh": "t0"}
    assert example.labels()["key"] == ("t0",)
    told = read(1, inputs=ONE, title={"zh": "标题"}, comment="one", notes={"V": {"rows": ["r"], "columns": ["a", "b"]}})
    assert told.title == {"en": "标题", "zh": "标题"}
    assert told.comments == ({"en": "one", "zh": "one"},)
    assert told.notes["V"]["columns"][1] == {"en": "b", "zh": "b"}
    two = read(1, inputs=ONE, comment=["one", {"en": "two", "zh": "二"}])
    assert two.comments[1] == {"en": "two", "zh": "二"}


def test_nul_and_odd_words_are_words() -> None:
    words = ["\0", "", "<script>", "\u202e", "a\nb", "🙂", "a"]
    example = read_mapping({"tokens": words, "inputs": {name: [[1]] * len(words) for name in "QKV"}})
    assert example.tokens == tuple(words)


def test_one_token_and_all_keys_masked_are_fine() -> None:
    assert read(1, inputs=ONE).recipe().array(Name("weight")).shape == (1, 1)
    example = read(inputs=PROJECTED, attention={"mask": [[0, 0], [0, 0]]})
    assert example.tables["allowed"] == ((0, 0), (0, 0))


@pytest.mark.parametrize(
    ("mask", "kind", "window"),
    [
        ("none", "none", 0),
        ("causal", "causal", 0),
        ("causal-top-left", "causal-top-left", 0),
        ("window:2", "window", 2),
    ],
)
def test_masks(mask: str, kind: str, window: int) -> None:
    spec = read(inputs=PROJECTED, attention={"mask": mask}).spec
    assert (spec.mask.kind, spec.mask.window) == (kind, window)


def test_attention_settings() -> None:
    attention = {
        "divide_by": "sqrt(d_k)",
        "softcap": 30,
        "softmax": "shifted",
        "sink": [0.5],
        "bias": [[0, "-inf"]] * 2,
    }
    example = read(inputs=PROJECTED, attention=attention)
    assert example.spec.divide_by is None
    assert example.spec.sink
    assert example.softmax_stated
    assert texts(example, Name("softcap")) == ["30"]
    assert example.values()[Name("bias")][0, 1] == MINUS_INFINITY
    assert [str(op.name) for op in example.recipe().ops][3:7] == ["score", "scaled", "capped", "masked"]
    assert not read(inputs=PROJECTED).softmax_stated


def test_heads() -> None:
    matrix = [[1, 2], [3, 4]]
    attention = {"heads": 4, "n_kv_heads": 2, "bias": [matrix] * 4, "sink": [0] * 4}
    grouped = read(inputs={"Q": [matrix] * 4, "K": [matrix] * 2, "V": [matrix] * 2}, attention=attention)
    assert {str(name) for name in grouped.given} == {
        *("H0.Q", "H1.Q", "H2.Q", "H3.Q", "G0.K", "G1.K", "G0.V", "G1.V", "sink"),
        *("H0.bias", "H1.bias", "H2.bias", "H3.bias"),
    }
    shared = read(inputs={"Q": [matrix] * 2, "K": matrix, "V": [matrix]}, attention={"heads": 2, "n_kv_heads": 1})
    assert {str(name) for name in shared.given} == {"H0.Q", "H1.Q", "K", "V"}
    one = read(inputs={"Q": [matrix], "K": matrix, "V": matrix}, attention={"bias": matrix})
    assert {str(name) for name in one.given} == {"Q", "K", "V", "bias"}


def test_score_alone() -> None:
    example = read(inputs={"score": [[1, "-inf"], [0, 1]]}, attention={"divide_by": 1})
    assert [op.name.name for op in example.recipe().ops] == ["scaled", "exp", "exp_sum", "weight", "lse"]


def test_projections_given_before_rotation() -> None:
    inputs = {"q_proj": X, "k_proj": X, "V": X}
    example = read(inputs=inputs, attention={"rope": {"pairs": "interleaved", "base": 100, "position": [3, 5]}})
    assert example.spec.position == "rope"
    assert example.spec.rope.pairs == "interleaved"
    assert example.tables["position"] == (3, 5)
    assert texts(example, Name("position_base")) == ["100"]


def test_cross_attention() -> None:
    inputs = {"X": X, "context": [[1], [2], [3]], "W_Q": I2, "W_K": [[1, 2]], "W_V": [[1, 2]]}
    example = read(key_tokens=["x", "y", "z"], inputs=inputs)
    assert example.cross
    assert example.keys == 3
    assert example.recipe().array(Name("weight")).axes == ("query", "key")
    assert example.recipe().array(Name("weight")).shape == (2, 3)


def test_cache() -> None:
    past = {"K": [[1, 2], [3, 4], [5, 6]], "V": [[1, 0]] * 3}
    made = read(1, inputs={**PROJECTED, "X": [[1, 0]], "past": {**past, "tokens": ["p", "q", "r"]}})
    assert made.labels()["key"] == ("p", "q", "r", "t0")
    given = read(1, inputs={**ONE, "past": past}, attention={"mask": "causal"})
    assert given.past_tokens == ("t−3", "t−2", "t−1")
    assert [str(name) for name in given.given][:3] == ["Q", "k_new", "v_new"]
    assert given.recipe().array(Name("K")).shape == (4, 2)
    rotated = read(1, inputs={**PROJECTED, "X": [[1, 0]], "past": past}, attention={"position": "rope"})
    assert rotated.tables["position"] == (3,)


def test_embedding_table() -> None:
    inputs = {"embedding": {"t1": [1, 2], "other": [0, 0], "t0": ["1/2", 4]}, "W_Q": I2, "W_K": I2, "W_V": I2}
    example = read(inputs=inputs, attention={"position": "sinusoidal"})
    assert example.words == ("t1", "other", "t0")
    assert example.tables == {"token_id": (2, 0), "position": (0, 1)}
    assert example.given[Name("embedding_table")].shape == (3, 2)
    assert example.recipe().array(Name("X")).shape == (2, 2)


def test_a_word_may_be_called_seed() -> None:
    inputs = {"embedding": {"seed": [1, 2]}, "W_Q": I2, "W_K": I2, "W_V": I2}
    assert read_mapping({"tokens": ["seed", "seed"], "inputs": inputs}).words == ("seed",)


def test_block_and_layers() -> None:
    layer = {"W_Q": I2, "W_1": [[1, 2, 3]] * 2}
    inputs = {**PROJECTED, "W_2": [*I2, [1, 1]], "norm1_gain": [1, 2]}
    block = {"residual": True, "norm": "pre-rms", "ffn": "gelu"}
    example = read(inputs=inputs, layer=[layer, {**layer, "b_1": [0, 0, 0]}], block=block)
    assert example.block.layers == 2
    assert texts(example, Name("eps")) == ["1e-5"]
    assert {str(name) for name in example.given} >= {"L0.W_Q", "L1.W_Q", "W_Q", "L1.b_1", "norm1_gain"}
    single = read(inputs={**PROJECTED, "W_2": [*I2, [1, 1]]}, layer=[{"W_1": [[1, 2, 3]] * 2}], block={"ffn": "relu"})
    assert Name("W_1") in single.given


def test_seeds_follow_the_stated_generator() -> None:
    def stream(seed: int, name: str) -> list[str]:
        x = seed
        for byte in name.encode():
            x = (48271 * x + byte) % (2**31 - 1) or 1
        out = []
        for _ in range(8):
            x = 48271 * x % (2**31 - 1)
            out.append(f"{(x % 21 - 10) / 10:.1f}".replace("-0.0", "0.0"))
        return out

    seeded = {"W_Q": {"seed": 7}, "W_K": {"seed": 7}, "W_V": I2}
    inputs = {"X": X, **seeded, "W_1": [[1, 2]] * 2, "W_2": I2}
    example = read(inputs=inputs, attention={"d_k": 2}, block={"layers": 2, "ffn": "relu"})
    first, second = texts(example, Name("W_Q", 0)), texts(example, Name("W_Q", 1))
    assert first + second == stream(7, "W_Q")
    assert first != second
    assert texts(example, Name("W_K", 0)) == stream(7, "W_K")[:4]
    assert texts(example, Name("W_K", 0)) != first


def test_seeds_in_layers_and_shared() -> None:
    shared = read(inputs={**PROJECTED, "W_Q": {"seed": 3}}, layer=[{}, {"W_Q": I2}, {}], attention={"d_k": 2})
    assert {str(name) for name in shared.given if name.name == "W_Q"} == {"L0.W_Q", "L1.W_Q", "L2.W_Q"}
    own = read(inputs=PROJECTED | {"W_Q": I2}, layer=[{"W_O": {"seed": 3}}] * 2)
    assert texts(own, Name("W_O", 0)) != texts(own, Name("W_O", 1))


def test_seeds_of_words_heads_and_cache() -> None:
    sizes = {"d_model": 3, "d_k": 2, "d_v": 2, "heads": 2}
    inputs: dict[str, Any] = {key: {"seed": 5} for key in ("embedding", "W_Q", "W_K", "W_V")}
    example = read_mapping({"tokens": ["a", "b", "a"], "inputs": inputs, "attention": sizes})
    assert example.given[Name("embedding_table")].shape == (2, 3)
    assert example.given[Name("W_Q")].shape == (3, 4)
    inputs = {key: {"seed": 5} for key in ("Q", "K", "V")}
    inputs["past"] = {"K": {"seed": 1}, "V": {"seed": 1}, "tokens": ["p"]}
    cached = read(inputs=inputs, attention=sizes)
    assert cached.given[Name("past_K", head=1)].shape == (1, 2)


def test_claims() -> None:
    claims = {"weight": [["1.0"]], "output": [[5, 6.50]], "exp_sum": [""]}
    example = read(1, inputs=ONE, claims=claims)
    assert example.claims == {"weight": (("1.0",),), "output": (("5", "6.5"),), "exp_sum": ("",)}


def test_read_file(tmp_path: Any) -> None:
    text = 'tokens = ["它"]\r\n[inputs]\r\nQ = [[1]]\r\nK = [[1]]\r\nV = [[1]]\r\n'
    (tmp_path / "a.toml").write_bytes(text.encode())
    example = read_file(tmp_path / "a.toml")
    assert example.path.endswith("a.toml")
    assert example.tokens == ("它",)
    (tmp_path / "b").write_text('{"tokens": ["a"], "inputs": {"Q": [[1]], "K": [[1]], "V": [[1]]}}')
    assert read_file(str(tmp_path / "b")).tokens == ("a",)


def test_largest_sizes_are_read() -> None:
    matrix = {"seed": 1}
    example = read(256, inputs={"Q": matrix, "K": matrix, "V": matrix}, attention={"d_k": 64, "d_v": 64})
    assert example.recipe().array(Name("weight")).shape == (256, 256)
