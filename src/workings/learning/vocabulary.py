"""Vocabularies: every word of the stories, or pieces of words learned from the user's text (Sennrich et al. 2016)."""

from __future__ import annotations

import re
from typing import Any

from workings.learning import corpus
from workings.learning.plan import Plan

PAD, BEGIN, END, UNKNOWN = SPECIAL = ("<pad>", "<s>", "</s>", "<unk>")


def tokenizer_for(plan: Plan, text: str = "") -> Any:
    """A tokenizer of transformers for a plan; ``text`` is what pieces are learned from."""
    from transformers import PreTrainedTokenizerFast

    made = _of_words(plan.lang) if plan.lang else _of_pieces(text, plan.vocabulary)
    made_of: Any = PreTrainedTokenizerFast  # not typed by its library
    return made_of(
        tokenizer_object=made,
        pad_token=PAD,
        bos_token=BEGIN,
        eos_token=END,
        unk_token=UNKNOWN if plan.lang else None,
        clean_up_tokenization_spaces=False,
        model_input_names=["input_ids", "attention_mask"],
    )


def _of_words(lang: str) -> Any:
    """One token for each word. Known words are found also where no space divides them, the longest first."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

    words = corpus.vocabulary(lang)
    made = Tokenizer(models.WordLevel({word: at for at, word in enumerate((*SPECIAL, *words))}, unk_token=UNKNOWN))
    made.normalizer = normalizers.Lowercase()
    if lang == "zh":
        longest = sorted(words, key=len, reverse=True)
        known = pre_tokenizers.Split(Regex("|".join(map(re.escape, longest))), behavior="isolated")
        made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), known])
    else:
        made.pre_tokenizer = pre_tokenizers.Whitespace()
    return _begun(made)


def _of_pieces(text: str, size: int) -> Any:
    """Pieces of bytes, joined as the text joins them most often."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    letters = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=list(SPECIAL[:3]), initial_alphabet=sorted(letters), show_progress=False
    )
    made.train_from_iterator(text.splitlines(keepends=True), trainer)
    return _begun(made)


def _begun(made: Any) -> Any:
    """The tokenizer, its texts begun with the mark of a beginning."""
    from tokenizers import processors

    begin = (BEGIN, made.token_to_id(BEGIN))
    made.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A", pair=f"{BEGIN} $A $B", special_tokens=[begin]
    )
    return made
