"""Which mask is assumed: by the document's numbers or by what a sentence says of a mask, never by a stray word."""

from pathlib import Path

import pytest

import workings as w

HEAD = """Q = [[1, 0], [0, 1]]

K = [[1, 2], [3, 4]]

V = [[1, 0], [0, 1]]

S = QK^T = [[1, 3], [2, 4]]

Scaled scores = S / √2 = [[0.71, 2.12], [1.41, 2.83]]

"""
OPEN = "Attention weights: A = [[0.196, 0.804], [0.196, 0.804]]\n\nO = A V = [[0.196, 0.804], [0.196, 0.804]]\n\n"
MASKED = "Masked scores = [[0.71, -∞], [1.41, 2.83]]\n\n"
CAUSAL = "Attention weights: A = [[1, 0], [0.196, 0.804]]\n\nO = A V = [[1, 0], [0.196, 0.804]]\n\n"
PADDED = HEAD + "Masked scores = [[0.71, -∞], [1.41, -∞]]\n\nAttention weights: A = [[1, 0], [1, 0]]\n\n"
NO_MASK = (
    "This is not causal: every token sees all tokens.\n\n",
    "There is no causal mask here.\n\n",
    "The look-ahead mask is left out, and the causal mask of a decoder is not used.\n\n",
    "This bidirectional (non-causal) attention needs no causal mask.\n\n",
    "Causal attention is for later.\n\n",
    "In GPT a causal mask would hide later tokens.\n\n",
    "The next post adds a causal mask to the attention.\n\n",
    "The causal relation between rain and floods is known.\n\n",
    "```sh\nworkings compare dump.npz --causal bottom-right  # the causal mask\n```\n\n",
    "```python\nF.scaled_dot_product_attention(q, k, v, is_causal=True)  # causal mask\n```\n\n",
    "这里没有因果掩码。\n\n",
    "以后的文章会讲因果掩码。\n\n",
    "未来的文章会讲别的。\n\n",
)
A_MASK = (
    "We apply a causal mask.\n\n",
    "## Masked self-attention\n\n",
    "No token may look ahead, so we use a look-ahead mask.\n\n",
    "The mask hides future tokens.\n\n",
    "The attention mask hides later words.\n\n",
    "接着用因果掩码。\n\n",
    "把未来的词遮住。\n\n",
)


def wrong(folder: Path, text: str, name: str = "a.md") -> list[str]:
    """The addresses of the numbers that are wrong or follow wrong ones."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return [str(claim.address) for claim in w.check(path).claims if claim.verdict.value in ("wrong", "follows")]


def masks(folder: Path, text: str) -> list[object]:
    path = folder / "a.md"
    path.write_text(text, encoding="utf-8")
    return [part["mask"] for part in w.check(path).data()["masks"]]


@pytest.mark.parametrize("words", NO_MASK)
def test_a_stray_word_is_no_mask(words: str, tmp_path: Path) -> None:
    assert masks(tmp_path, words + HEAD + OPEN) == ["none"]
    assert wrong(tmp_path, words + HEAD + OPEN) == []


@pytest.mark.parametrize("words", A_MASK)
def test_a_sentence_says_that_there_is_a_mask(words: str, tmp_path: Path) -> None:
    assert masks(tmp_path, words + HEAD + CAUSAL) == ["causal"]
    assert wrong(tmp_path, words + HEAD + CAUSAL) == []


def test_a_mask_that_a_sentence_applies_and_the_numbers_do_not_is_missed(tmp_path: Path) -> None:
    assert wrong(tmp_path, A_MASK[0] + HEAD + OPEN)[:2] == ["weight[0,0]", "weight[0,1]"]


def test_numbers_alone_show_a_mask(tmp_path: Path) -> None:
    assert masks(tmp_path, HEAD + MASKED + CAUSAL) == ["causal"]
    assert wrong(tmp_path, HEAD + MASKED + CAUSAL) == []
    assert masks(tmp_path, HEAD + "\nThe mask hides one word.\n\n" + CAUSAL) == ["causal"]


def test_minus_infinity_shows_what_another_mask_hides(tmp_path: Path) -> None:
    assert masks(tmp_path, PADDED) == [[[1, 0], [1, 0]]]
    assert wrong(tmp_path, PADDED) == []


@pytest.mark.parametrize("words", ["", *A_MASK])
def test_what_comes_before_a_mask_is_worked_without(words: str, tmp_path: Path) -> None:
    text = HEAD + OPEN + words + MASKED + CAUSAL
    assert masks(tmp_path, text) == ["none", "causal"]
    assert wrong(tmp_path, text) == []
    assert wrong(tmp_path, text.replace("[[1, 0], [0.196", "[[1, 0], [0.916")) == ["weight[1,0]", "head_output[1,0]"]


def test_a_mask_off_by_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(HEAD + A_MASK[0] + MASKED.replace("-∞", "2.12") + OPEN, encoding="utf-8")
    first = w.check(path).first_wrong
    assert first is not None
    assert (str(first.address), first.causes[0]) == ("masked[0,1]", "causal-alignment:shifted")


def test_the_mask_itself_is_no_result(tmp_path: Path) -> None:
    mask = "The causal mask is\n\nM = [[0, -∞], [0, 0]]\n\n"
    softmax = "A = softmax(QK^T / √2 + M) = [[1, 0], [0.196, 0.804]]\n"
    path = tmp_path / "a.md"
    path.write_text(HEAD + mask + softmax, encoding="utf-8")
    report = w.check(path)
    assert [claim.number.text for claim in report.claims][-4:] == ["1", "0", "0.196", "0.804"]
    assert len(report.claims) == 12
    assert report.counts["wrong"] == 0


def test_the_usual_formula_is_meant_with_the_mask(tmp_path: Path) -> None:
    text = HEAD + A_MASK[0] + "A = softmax(QK^T / √2) = [[1, 0], [0.196, 0.804]]\n"
    assert wrong(tmp_path, text) == []


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "A causal mask is assumed, as the sentence in line 11 says."), ("zh", "第 11 行说用因果掩码")],
)
def test_the_report_says_which_mask_was_assumed(lang: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(HEAD + A_MASK[0] + CAUSAL, encoding="utf-8")
    assert said in w.check(path, lang=lang).to_text()
    path.write_text(HEAD + OPEN, encoding="utf-8")
    assert "mask" not in w.check(path).to_text()
