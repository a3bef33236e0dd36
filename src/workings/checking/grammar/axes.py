"""Labels of running text that name places along axes: ``cat, d_k=0: …``, which say of no d_k that it is 0."""

from __future__ import annotations

from workings.checking.grammar.tokens import Token

SIGNS = frozenset(("=", "/", "#", '"', "“", "”", "'"))


def label_end(items: list[Token], at: int) -> int:
    """Where the label ends (at its colon) that an equality is part of, a place along an axis; else ``at``.

    Nothing stands around the sign of such an equality; words stand beside it, and commas between.
    """
    if at + 3 > len(items):
        return at
    name, sign, number = items[at : at + 3]
    if name.kind != "name" or sign.text != "=" or number.kind != "num" or sign.gap or number.gap:
        return at
    first, colon = at, at + 3
    while first > 0 and _in_label(items[first - 1]):
        first -= 1
    while colon < len(items) and _in_label(items[colon]):
        colon += 1
    if colon >= len(items) or items[colon].text != ":":
        return at
    parts: list[list[str]] = [[]]
    for token in items[first:colon]:
        if token.kind == "comma":
            parts.append([])
        else:
            parts[-1].append(token.text)
    places = [part[1:2] == ["="] for part in parts]
    return colon if all(parts) and any(places) and not all(places) else at


def _in_label(token: Token) -> bool:
    """Whether a token may stand in a label of words and of places along axes."""
    return token.kind in ("comma", "word", "name", "num") or token.text in SIGNS
