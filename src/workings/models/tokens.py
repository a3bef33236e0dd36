"""A text cut into tokens: the id of each, its text, and its bytes where those are no text alone."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
REPLACEMENT = "\ufffd"


def tokens_of(tokenizer: Any, ids: list[int]) -> list[dict[str, Any]]:
    """For each id ``{"id", "text"}``, and ``"bytes"`` in hexadecimal where the text is not UTF-8 by itself.

    ``text`` is what the token adds to the text, or its name where it adds nothing.
    """
    pieces = tokenizer.convert_ids_to_tokens(ids)
    out: list[dict[str, Any]] = []
    for number, piece in zip(ids, pieces, strict=True):
        piece = str(piece)
        text = tokenizer.decode([number], clean_up_tokenization_spaces=False)
        held = _bytes(piece) if REPLACEMENT in text or BYTE.fullmatch(piece) else None
        if held is not None:
            out.append({"id": number, "text": " ".join(f"<0x{byte:02X}>" for byte in held), "bytes": held.hex()})
        else:
            out.append({"id": number, "text": text or piece})
    return out


def _bytes(piece: str) -> bytes | None:
    """The bytes behind a piece: ``<0x0A>``, or letters that stand for bytes as in GPT-2."""
    single = BYTE.fullmatch(piece)
    if single:
        return bytes([int(single[1], 16)])
    table = _letters()
    return bytes(table[letter] for letter in piece) if all(letter in table for letter in piece) else None


@cache
def _letters() -> dict[str, int]:
    """The letters by which byte-level vocabularies write bytes (Radford et al. 2019, released code)."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    table = {chr(byte): byte for byte in plain}
    others = [byte for byte in range(256) if chr(byte) not in table]
    table.update({chr(256 + place): byte for place, byte in enumerate(others)})
    return table


def labels(tokens: list[dict[str, Any]]) -> tuple[str, ...]:
    """The words by which tokens are named: their texts without the space around them, if anything is left."""
    return tuple(token["text"].strip() or token["text"] for token in tokens)
