"""Sizes beyond which an example is refused, before anything is allocated."""

from __future__ import annotations

from workings.examples.place import Place
from workings.terms.errors import TooLarge

MAX_FILE_BYTES = 8 * 1024 * 1024
MAX_TOML_BYTES = 1024 * 1024  # what the parser of the standard library reads in under a second
MAX_DEPTH = 8
MAX_TOKENS = 4096
MAX_CELLS = 4_194_304  # of all arrays together, given and computed
MAX_WRITTEN = 524_288  # cells that stand in the file itself
MAX_WORDS = 16_384
MAX_HEADS = 256
MAX_LAYERS = 128
MAX_HEADS_IN_ALL = 4096  # heads of all layers together
MAX_BLOCKS_IN_ALL = 4096  # blocks of keys that an online softmax goes through, in all heads together
MAX_NUMBER_CHARACTERS = 400
MAX_POSITION = 10**9

# What one cell of the exact engine takes at least: a Python object, its index and its place in a table.
BYTES_PER_CELL = 200


def within(what: str, seen: int, limit: int, place: Place, needed: int = 0) -> int:
    """The size itself, or ``TooLarge``; ``needed`` is the memory it would take in bytes (0 where that says nothing)."""
    if seen > limit:
        shown = seen if seen.bit_length() < 1000 else f"2^{seen.bit_length() - 1}"
        raise TooLarge(what=what, seen=shown, limit=limit, needed=needed).at(str(place))
    return seen


def cells_within(cells: int, place: Place) -> int:
    """The number of cells of all arrays together, or ``TooLarge`` with the memory that they would take."""
    return within("cells", cells, MAX_CELLS, place, cells * BYTES_PER_CELL)
