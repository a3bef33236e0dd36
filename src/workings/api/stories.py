"""The small models that come with the package, by name; nothing heavy is loaded to find them."""

from __future__ import annotations

import os

STORIES = ("story-en", "story-zh")


def folder_of(model: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """The folder of a model that comes with the package; whatever else was written, as it stands.

    A file or folder of that name in the working directory wins.
    """
    if model not in STORIES or os.path.exists(model):
        return model
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return os.path.join(package, "learning", "models", str(model))
