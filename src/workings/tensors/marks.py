"""What a file is, by its first bytes: kinds that can run code are told before any reader sees them."""

from __future__ import annotations

FIRST_BYTES = 16
ZIP = b"PK"
GGUF = b"GGUF"
MARKS = (
    (b"\x80\x02", "pickle"),
    (b"\x80\x03", "pickle"),
    (b"\x80\x04", "pickle"),
    (b"\x80\x05", "pickle"),
    (GGUF, "gguf"),
    (b"GGML", "gguf"),
    (b"\x89HDF", "hdf5"),
    (b"\x93NUMPY", "npy"),
)


def unsafe_kind(first: bytes, size: int) -> str:
    """The kind of a file that no reader of tensors opens, or an empty text.

    A header of safetensors has ``{`` after its length, and that length fits into the file.
    """
    if first[8:9] == b"{" and int.from_bytes(first[:8], "little") <= size:
        return ""
    return next((kind for mark, kind in MARKS if first.startswith(mark)), "") or _old_pickle(first)


def _old_pickle(first: bytes) -> str:
    """Pickles of protocol 0 and 1 begin with a text opcode and a module's name, a mark, or an empty container."""
    text = first[:1] in (b"c", b"(", b"]", b"}") and first[8:9] not in (b"{", b"[")
    return "pickle" if text else ""
