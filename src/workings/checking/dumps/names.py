"""What the arrays of a dump are called: by our names, or by one that other programs usually write."""

from __future__ import annotations

from collections.abc import Mapping

from workings.checking.dumps.options import Options
from workings.tensors.tensor import Tensor

RENAMED = {"sinks": "sink", "alibi_slopes": "alibi_slope"}  # what a dump calls them, and a recipe
# Left out are names that mean one thing here and another there: scores (scaled or not), masks (true may look, or not).
USUAL = {
    "Q": ("q", "query", "queries", "query_states"),
    "K": ("k", "key", "keys", "key_states"),
    "V": ("v", "value", "values", "value_states"),
    "weight": (
        *("weights", "attn", "attn_weight", "attn_weights", "attention_weight", "attention_weights"),
        *("attn_prob", "attn_probs", "attention_probs", "probs"),
    ),
    "lse": ("logsumexp", "log_sum_exp", "softmax_lse"),
    "bias": ("attn_bias", "attention_bias"),
    "head_output": ("out", "attn_out", "attn_output", "attention_output", "head_outputs"),
}
MEANT = {other: name for name, others in USUAL.items() for other in others}
OPERANDS = ("Q", "K")
BESIDE = ("Q", "K", "V", "score", "weight")  # arrays that have as many axes as the result of heads kept apart


def meant(tensors: Mapping[str, Tensor], options: Options) -> dict[str, str]:
    """Our name for each array, by the name it has in the dump; arrays that have ours go first.

    A usual name is taken only where it can mean one thing: queries and keys may be those before a rotation where there
    is one; a result with its heads side by side may stand before or behind the weights of the output.
    """
    names = {written: RENAMED.get(written, written) for written in tensors}
    taken = set(names.values())
    changing = (options.rope, options.qk_norm) != ("none", "none")
    for written in tensors:
        name = MEANT.get(written.lower(), "")
        if not name or name in taken or (changing and name in OPERANDS):
            continue
        if name != "head_output" or _heads_apart(tensors[written], tensors, names):
            names[written] = name
            taken.add(name)
    return names


def _heads_apart(result: Tensor, tensors: Mapping[str, Tensor], names: Mapping[str, str]) -> bool:
    """Whether a result has as many axes as what goes into it."""
    beside = {tensors[written].held.ndim for written, name in names.items() if name in BESIDE}
    return result.held.ndim in beside
