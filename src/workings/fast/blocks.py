"""How large the blocks of a picture are; nothing heavy is loaded to know it."""

BASE = 16  # cells along a side of a block of level 1; a block of the next level has as many of these along a side
