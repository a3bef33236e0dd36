"""Every head of models beside transformers' own eager attention: families with random weights, and two trained."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from conformance.row import Outcome, Row, row
from tests.support.eager import both, compared
from tests.support.real_models import minilm as minilm_folder
from tests.support.real_models import smollm2 as smollm2_file
from tests.support.tiny_models import TINY, build, inputs_of
from workings.models.load import library, load, load_tokenizer
from workings.models.look import look

TOKENS = 12
TEXT = "The cat ate because it was hungry, and the dog looked on. 小猫吃鱼。"
THROUGH = "every head, by the declared steps and by `attend`"
TOLERANCE = (
    "for each weight a bound of eager's softmax in {unit} and of the scores in float64 (`tests/support/eager.py`), "
    "plus our own; likewise for the output, the 8 largest weights, the sum of the others and what the sink has, which "
    "together are 1 within 2⁻⁵⁰"
)


def _heads(build: Callable[[str], Any], given: dict[str, Any], *, double: bool) -> list[Outcome]:
    with library(), tempfile.TemporaryDirectory(prefix="workings-") as folder:
        eager, recording = both(build, given, Path(folder) / "recording")
        return list(compared(eager, recording, double=double))


def family(name: str) -> list[Outcome]:
    """Every head of a family's model with random weights."""
    return _heads(lambda attention: build(name, attention), inputs_of(name, TOKENS), double=TINY[name].double)


def minilm() -> list[Outcome]:
    """All 72 heads of a trained BERT."""
    from transformers import AutoModel, AutoTokenizer

    ids = AutoTokenizer.from_pretrained(minilm_folder())(TEXT, return_tensors="pt")["input_ids"]

    def built(attention: str) -> Any:
        return AutoModel.from_pretrained(minilm_folder(), attn_implementation=attention)

    return _heads(built, {"input_ids": ids}, double=True)


def smollm2() -> list[Outcome]:
    """All 270 heads of a trained Llama from a GGUF file."""
    looked = look(smollm2_file())
    ids = load_tokenizer(looked)(TEXT, return_tensors="pt")["input_ids"]
    model = load(looked).model

    def built(attention: str) -> Any:
        model.set_attn_implementation(attention)
        return model

    return _heads(built, {"input_ids": ids, "use_cache": False}, double=False)


def _row(model: str, double: bool, heads: list[Outcome]) -> Row:
    import transformers

    suite = f"transformers {transformers.__version__} eager, {model}"
    return row(suite, THROUGH, TOLERANCE.format(unit="float64" if double else "float32"), heads)


def _rows() -> Iterator[Row]:
    for name, tiny in TINY.items():
        yield _row(f"{name}, random weights", tiny.double, family(name))
    yield _row("all-MiniLM-L6-v2", True, minilm())
    yield _row("SmolLM2-135M-Instruct (GGUF)", False, smollm2())


def run() -> list[Row]:
    """A row for each model."""
    return list(_rows())
