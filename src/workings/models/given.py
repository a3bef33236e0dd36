"""What a model is given beside a text: arrays looked over before they reach the model."""

from __future__ import annotations

from typing import Any

from workings.terms.errors import ArgumentForm
from workings.terms.model_errors import InputsNotIds, InputsNotOne

IDS = "input_ids"


def as_tensor(name: str, values: Any) -> Any:
    """An array as torch has it. Raises ``ArgumentForm`` for what is none."""
    import torch

    try:
        return torch.as_tensor(values)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        raise ArgumentForm(name=name, seen=repr(values), examples=["[[1, 2, 3]]"]) from None


def check_given(given: dict[str, Any], config: Any) -> None:
    """A batch of one each, nothing empty; numbers of tokens are whole ones of the vocabulary, and become int64.

    Raises ``InputsNotOne`` or ``InputsNotIds``.
    """
    text = getattr(config, "text_config", None) or config
    vocabulary = int(getattr(text, "vocab_size", 0) or 0)
    for name, values in given.items():
        if values.ndim < 2 or values.shape[0] != 1 or not values.numel():
            raise InputsNotOne(name=name, shape=list(values.shape))
        if name.endswith(IDS):
            given[name] = _ids(name, values, vocabulary)


def _ids(name: str, values: Any, vocabulary: int) -> Any:
    if values.is_floating_point() or values.is_complex():
        raise InputsNotIds(name=name, seen=float(values.flatten()[0]), last=vocabulary - 1)
    ids = values.long()
    for seen in (int(ids.min()), int(ids.max())):
        if not 0 <= seen < (vocabulary or seen + 1):
            raise InputsNotIds(name=name, seen=seen, last=vocabulary - 1)
    return ids
