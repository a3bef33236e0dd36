"""Keeps the weights of GGUF files as safetensors, by the file's hash, so that they are dequantised once.

They stand in ``$WORKINGS_CACHE``, or in ``workings`` of the user's folder for caches; ``WORKINGS_CACHE=off`` keeps
nothing. An entry is a folder that was moved there whole, with the checksum of each of its files; one that no longer
agrees with them is made again. Whoever deletes the folder loses nothing but time.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

PLACE = "WORKINGS_CACHE"
OFF = ("off", "no", "0")
MANIFEST = "manifest.json"
SCHEMA = "workings.weights/1"
MAX_MANIFEST = 2**20
MADE_BY = ("transformers", "gguf")  # another version of these may make other numbers
PIECE = 2**22


def folder_of_cache() -> str | None:
    """Where entries stand; None where none are kept, or there is no place for them."""
    wanted = os.environ.get(PLACE)
    if wanted is not None and wanted.strip().lower() in OFF:
        return None
    if wanted:
        return os.path.abspath(wanted)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        base = base if os.path.isabs(base) else os.path.expanduser("~/.cache")
    return os.path.join(base, "workings") if os.path.isabs(base) else None


def kept(key: str, make: Callable[[str], None]) -> str | None:
    """The folder of an entry, made where it is missing or damaged; None where it cannot be kept.

    Args:
        key: the hash of what it is made from.
        make: writes the files of the entry into an empty folder.
    """
    base = folder_of_cache()
    if base is None:
        return None
    entry = os.path.join(base, f"{key[:32]}-{_makers()}")
    if is_whole(entry, key):
        return entry
    try:
        os.makedirs(base, exist_ok=True)
        growing = tempfile.mkdtemp(prefix=".growing-", dir=base)
    except OSError:
        return None
    try:
        make(growing)
        _seal(growing, key)
        shutil.rmtree(entry, ignore_errors=True)
        os.rename(growing, entry)
    except OSError:  # no room, no right to write, or another process was first
        return entry if is_whole(entry, key) else None
    finally:
        shutil.rmtree(growing, ignore_errors=True)
    return entry


def is_whole(entry: str, key: str) -> bool:
    """Whether an entry holds the files that were written, and no others."""
    try:
        path = os.path.join(entry, MANIFEST)
        if os.path.getsize(path) > MAX_MANIFEST:
            return False
        with open(path, "rb") as file:
            told = json.loads(file.read().decode("utf-8"))
        if not isinstance(told, dict) or (told.get("schema"), told.get("key")) != (SCHEMA, key):
            return False
        files = told["files"]
        return set(os.listdir(entry)) == {*files, MANIFEST} and all(
            _sha256(os.path.join(entry, name)) == wanted for name, wanted in files.items()
        )
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return False


def _makers() -> str:
    """The versions of what makes an entry, in a few letters."""
    found = []
    for name in MADE_BY:
        try:
            found.append(f"{name}-{version(name)}")
        except PackageNotFoundError:
            found.append(name)
    return hashlib.sha256(" ".join(found).encode()).hexdigest()[:8]


def _seal(folder: str, key: str) -> None:
    """The checksums of all that stands in a folder, written last."""
    files = {name: _sha256(os.path.join(folder, name), settle=True) for name in sorted(os.listdir(folder))}
    with open(os.path.join(folder, MANIFEST), "w", encoding="utf-8") as file:
        json.dump({"schema": SCHEMA, "key": key, "files": files}, file)
        file.flush()
        os.fsync(file.fileno())


def _sha256(path: str, *, settle: bool = False) -> str:
    whole = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            whole.update(piece)
        if settle:
            os.fsync(file.fileno())
    return whole.hexdigest()
