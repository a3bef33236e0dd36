"""The small models that come with the package, by name; nothing heavy is loaded to find them."""

from __future__ import annotations

import os

import workings

STORIES = ("story-en", "story-zh")


def folder_of(model: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """The folder of a model that comes with the package; whatever else was written, as it stands.

    A file or folder of that name in the working directory wins.
    """
    if model not in STORIES or os.path.exists(model):
        return model
    return os.path.join(os.path.dirname(os.path.abspath(workings.__file__)), "learning", "models", str(model))
