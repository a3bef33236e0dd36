"""What kind of attention: the one description that recipes, kernels, comparisons and families read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from workings.steps.literal import Literal
from workings.terms.records import record

SOFTMAX = ("plain", "shifted", "online")
POSITIONS = ("none", "sinusoidal", "rope", "alibi")
PAIRS = ("half", "interleaved")
QK_NORMS = ("none", "rms", "rms-after-rope")
MASKS = ("none", "causal", "causal-top-left", "window", "matrix")
NORMS = ("none", "post-layer", "pre-layer", "post-rms", "pre-rms")
FEED_FORWARD = ("none", "relu", "gelu", "gelu-tanh", "swiglu", "geglu-tanh")
GATED = ("swiglu", "geglu-tanh")
FULLY_MASKED = ("zero", "uniform", "nan")
LSE_BASES = ("e", "2")


@record
class Mask:
    """Who may look at whom. ``window`` counts keys, the query's own included; ``allowed`` is 0/1, query × key.

    ``causal`` and ``window`` align at the last key (bottom-right), so that a query after ``past`` keys sees them all;
    ``causal-top-left`` aligns at the first.

    What a kernel takes is a ``band`` (no example says it): ``left`` keys before the query's own and ``right`` after it,
    None for no limit, aligned at the first key where ``top_left`` is set; and, with ``table``, only keys that the table
    ``allowed`` (head × query × key) has too.

    ``offset`` says instead of both which key is the first query's own, counted from 0: for a cache that has dropped
    keys, or has places that hold none yet. It may be negative.
    """

    kind: str = "none"
    window: int = 0
    allowed: Sequence[Sequence[int]] = ()
    left: int | None = None
    right: int | None = None
    top_left: bool = False
    table: bool = False
    offset: int | None = None


@record
class Rope:
    """Rotary position (Su et al. 2021): which dimensions pair up, and the base of the frequencies.

    ``rotary_dim`` says how many dimensions turn, the first ones; all where it is None.
    """

    pairs: str = "half"
    base: Literal | None = None
    position: Sequence[int] | None = None
    rotary_dim: int | None = None


@record
class AttentionSpec:
    """Scale, cap, bias, mask, window, sinks, heads and position of one attention.

    ``divide_by`` None means √d_k; a literal is the author's own divisor (1 for no scaling). ``fully_masked`` says what
    the weights of a row with nothing allowed are, ``lse_base`` to which base its log-sum-exp is taken.
    An ``online`` softmax goes through the keys in blocks of ``block_size``; its ``fully_masked`` is ``zero``.
    ``qk_norm`` divides each query and key by the root of its mean square, before the rotation or after it.
    """

    heads: int = 1
    kv_heads: int = 1
    divide_by: Literal | None = None
    softmax: str = "plain"
    block_size: int = 0
    mask: Mask = field(default_factory=Mask)
    softcap: Literal | None = None
    sink: bool = False
    bias: bool = False
    position: str = "none"
    rope: Rope = field(default_factory=Rope)
    qk_norm: str = "none"
    fully_masked: str = "zero"
    lse_base: str = "e"

    @property
    def stages(self) -> tuple[str, ...]:
        """What queries and keys go through behind their projection, in order: ``normed``, ``rotated``."""
        normed = () if self.qk_norm == "none" else ("normed",)
        rotated = ("rotated",) if self.position == "rope" else ()
        return rotated + normed if self.qk_norm == "rms-after-rope" else normed + rotated


@record
class BlockSpec:
    """What surrounds attention in one layer, and how many layers there are.

    Beyond what an example may say, ``norm`` may be ``sandwich-rms``: before and after attention, before and after the
    feed-forward, each of the latter ahead of its residual. And the two may be ``parallel``: the feed-forward reads what
    enters the layer, as attention does, each behind a norm of its own, and one residual adds both.
    ``learn`` asks for what follows: the loss of the next words, all gradients, and the weights after one step.
    """

    residual: bool = False
    norm: str = "none"
    feed_forward: str = "none"
    layers: int = 1
    learn: bool = False
    parallel: bool = False
