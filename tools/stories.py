"""Trains the models that come with the package, and packs them: the last weights as they are, some earlier ones halved.

python -m tools.stories            train both anew, with the defaults of `workings learn`
python -m tools.stories --packed FOLDER    pack runs that are there: FOLDER/story-en and FOLDER/story-zh
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tools.file_list import ROOT
from workings.api.stories import STORIES

MODELS = ROOT / "src/workings/learning/models"
SHOWN = (0, 100, 150, 200, 300)  # the snapshots that come along
CONFIG = "config.json"


def pack(run: Path, target: Path) -> None:
    """A run as it comes with the package."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(run, target, ignore=shutil.ignore_patterns("snapshots"))
    for step in SHOWN:
        halved(run / "snapshots" / f"{step:06d}", target / "snapshots" / f"{step:06d}")


def halved(source: Path, target: Path) -> None:
    """A model with its weights in float16."""
    import torch
    from safetensors.torch import load_file, save_file

    target.mkdir(parents=True)
    tensors: dict[str, Any] = load_file(source / "model.safetensors")
    halves = {name: value.to(torch.float16) for name, value in tensors.items()}
    save_file(halves, target / "model.safetensors", {"format": "pt"})
    config = (source / CONFIG).read_text(encoding="utf-8")
    (target / CONFIG).write_text(config.replace('"float32"', '"float16"'), encoding="utf-8")
    shutil.copymode(target / CONFIG, target / "model.safetensors")
    for path in source.iterdir():
        if path.name.startswith("tokenizer"):
            shutil.copy(path, target / path.name)


def main() -> None:
    """Train or take both, and pack them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packed", metavar="FOLDER", type=Path)
    given = parser.parse_args()
    with TemporaryDirectory() as passing:
        runs = given.packed or Path(passing)
        for name in STORIES:
            if given.packed is None:
                from workings.learning.door import learn

                learn(name, runs / name)
            pack(runs / name, MODELS / name)


if __name__ == "__main__":
    main()
