"""Qwen2: as Llama, with biases on Q, K and V."""

from workings.models.family import Family
from workings.models.llama_kind import GGUF, TENSORS, llama

FAMILY = Family(
    name="Qwen2",
    kinds=("qwen2",),
    block=llama(TENSORS, GGUF),
)
