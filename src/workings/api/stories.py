"""The small models that come with the package, by name; nothing heavy is loaded to find them."""

from __future__ import annotations

import os

MODEL_FILE, CONFIG = ".gguf", "config.json"
STORIES = ("story-en", "story-zh")


def folder_of(model: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """The folder of a model that comes with the package; whatever else was written, as it stands.

    A file or folder of that name in the working directory wins.
    """
    if model not in STORIES or os.path.exists(model):
        return model
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return os.path.join(package, "learning", "models", str(model))


def looks_like_model(source: str) -> bool:
    """Whether a source is a model: one that comes with the package, a GGUF file or a folder with config.json."""
    known = source in STORIES and not os.path.isfile(source)
    return known or source.endswith(MODEL_FILE) or os.path.isfile(os.path.join(source, CONFIG))
