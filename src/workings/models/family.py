"""What is particular to a family of models: how Q, K and V come about, its layers, its stacks, what it does apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Attend = Callable[..., Any]
CROSS = ("EncDecAttention", "encoder_attn", "crossattention", "cross_attn")
ENCODER_DECODER = {"encoder": "enc", "decoder": "dec"}


@dataclass(frozen=True)
class Kept:
    """Where an array of the declared steps lies in a model's files.

    Attributes:
        name: the tensor, ``{n}`` for the number of its layer.
        turned: whether it lies as out × in, as torch's Linear has it.
        part: which of the parts, side by side, of what is made by it, and a letter for the width of each: ``q`` and
            ``k`` go by how many heads of queries and of keys there are, any others are as wide as each other.
        each: ``q`` or ``k`` where the parts stand side by side within what is made for each of these heads.
        pairs: ``q`` or ``k`` where the rows of each head stand in pairs (2i, 2i+1) that are (i, i + d/2) to us.
        also: other names that files have for it.
    """

    name: str
    turned: bool = False
    part: tuple[int, str] = (0, "-")
    each: str = ""
    pairs: str = ""
    also: tuple[str, ...] = ()

    def share(self, heads: Mapping[str, int]) -> tuple[int, int, int]:
        """Of what is made by it: how much stands before the part, in the part, and in all, in the smallest units.

        Args:
            heads: how many there are, by the letter of ``part``.
        """
        place, letters = self.part
        wide = [heads.get(letter, 1) for letter in letters]
        return sum(wide[:place]), wide[place], sum(wide)


@dataclass(frozen=True)
class Block:
    """What a family's layers do around attention, what comes before and after them, and where weights lie.

    Attributes:
        layer: the module of a layer, ``{n}`` for its number.
        norm: ``pre-rms``, ``post-layer`` … as in ``BlockSpec``.
        tensors: where each array lies in safetensors; those that a model does without may be absent.
        gguf: the same in GGUF files.
        gated: whether the feed-forward has a gate.
        rotated: whether positions rotate queries and keys.
        partial: whether a model's config may let a share of each head's dimensions turn alone.
        qk_norm: as in ``AttentionSpec``.
        scaled: whether the embedding is multiplied by √d_model.
        parallel: the field of a model's config that says whether attention and feed-forward stand side by side.
        transform_act: by model_type the activation before the logits, where it is not that of the feed-forward.
    """

    layer: str
    norm: str
    tensors: Mapping[str, Kept]
    gguf: Mapping[str, Kept] = field(default_factory=dict)
    gated: bool = False
    rotated: bool = False
    partial: bool = False
    qk_norm: str = "none"
    scaled: bool = False
    parallel: str = ""
    transform_act: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Family:
    """One family.

    Attributes:
        name: what people call it.
        kinds: its ``model_type`` in config.json, and its architecture in GGUF files.
        projections: the modules inside attention that make Q, K and V: three, or one that makes all.
        layout: how those are laid out: ``split``; ``stacked`` (rows of Q, then of K, then of V); ``per-head`` (for each
            head its q, k, v); ``latent`` (through narrow matrices shared by all heads).
        scaled_before: whether the model multiplies Q by the scale before the dot product, so that none is left to do.
        parts: first word of a module's name -> prefix of its addresses, where a model has several stacks.
        inputs: what it reads: ``text``, ``image``, ``sound`` or ``text+image``.
        block: what its layers do around attention; None where nobody has said.
        prepare: changes a loaded model so that its attention can be recorded without an array of tokens × tokens;
            takes the model and the function that stands for attention.
    """

    name: str
    kinds: tuple[str, ...]
    projections: tuple[str, ...] = ("q_proj", "k_proj", "v_proj")
    layout: str = "split"
    scaled_before: bool = False
    parts: Mapping[str, str] = field(default_factory=dict)
    inputs: str = "text"
    block: Block | None = None
    prepare: Callable[[Any, Attend], None] | None = None
