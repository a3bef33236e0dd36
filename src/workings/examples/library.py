"""The built-in examples: files that a teacher can copy and change."""

from __future__ import annotations

import os.path

from workings.examples.example import Example
from workings.examples.place import inert
from workings.examples.read import read_text
from workings.examples.values import nearest
from workings.terms.errors import UnknownExample

_FOLDER = os.path.join(os.path.dirname(__file__), "builtin")
# In the order in which one learns.
_NAMES = (
    *("kitten", "time-machine", "time-machine-true", "temperature"),
    *("causal", "sliding-window", "attention-sink", "kv-cache", "cross-attention"),
    *("two-heads", "grouped-heads", "sinusoidal-position", "rotary-position"),
    *("layer-norm", "rms-norm", "online-softmax", "encoder-six", "learn-one-step"),
)


def names() -> tuple[str, ...]:
    """The names of the built-in examples, the simplest first."""
    return _NAMES


def text(name: str) -> str:
    """The file of a built-in example, to be copied and changed. Raises ``UnknownExample``."""
    if name not in _NAMES:
        raise UnknownExample(name=inert(name), known=nearest(name, _NAMES))
    with open(os.path.join(_FOLDER, f"{name}.toml"), encoding="utf-8") as file:
        return file.read()


def load(name: str) -> Example:
    """A built-in example. Raises ``UnknownExample`` with the names that exist."""
    return read_text(text(name), f"{name}.toml", "toml")
