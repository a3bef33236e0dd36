"""A model that reads two texts: what its decoder has said so far, by words."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import workings as w
from tests.support.tiny_models import saved
from tests.unit.cli.command import here
from workings.terms.model_errors import TargetNotRead

WORDS = ("<pad>", "</s>", "<unk>", "the", "cat", "eats", "die", "Katze", "frisst")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A T5 and a Llama, each with a tokenizer of whole words that marks the end of a text."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    at = tmp_path_factory.mktemp("models")
    words: Any = Tokenizer(WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="<unk>"))
    words.pre_tokenizer = Whitespace()
    words.post_processor = TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    for family in ("t5", "llama"):
        folder = shutil.copytree(saved(family, at / "saved"), at / family)
        made: Any = PreTrainedTokenizerFast  # no types of its own
        made = made(tokenizer_object=words, eos_token="</s>", pad_token="<pad>", unk_token="<unk>")
        made.save_pretrained(folder)
    return at


def test_the_decoder_reads_what_it_has_said(models: Path, tmp_path: Path) -> None:
    run = w.trace(models / "t5", tmp_path / "out", text="the cat eats", target="die Katze frisst")
    told = run.data()["tokens"]
    assert [token["text"] for token in told["enc"]] == ["the", "cat", "eats", "</s>"]
    assert [token["text"] for token in told["dec"]] == ["<pad>", "die", "Katze", "frisst"]
    assert run.number('dec.cross.L1.H0.weight["Katze","cat"]').address == "dec.cross.L1.H0.weight[2,1]"
    assert run.number('dec.L0.H0.weight["die","frisst"]').exact == 0


def test_without_it_the_decoder_begins(models: Path, tmp_path: Path) -> None:
    run = w.trace(models / "t5", tmp_path / "out", text="the cat eats")
    assert [token["text"] for token in run.data()["tokens"]["dec"]] == ["<pad>"]


def test_a_model_of_one_text(models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(TargetNotRead):
        w.trace(models / "llama", tmp_path / "out", text="the cat", target="die Katze")
    out = tmp_path / "t5"
    done = here(
        capsys, "trace", str(models / "t5"), "--text", "the cat", "--target", "die Katze", "-o", str(out), "--quiet"
    )
    assert (done.code, out.is_dir()) == (0, True)
