"""A chain that goes on with the same expression, parts of it worked out: ``sin(1 / 10000^0.0039) = sin(1 / 1.009)``."""

from __future__ import annotations

from workings.checking.notation import Call, Neg, Node, Num, Op, Sym

Part = tuple[Node, Num]


def worked_out(before: Node, after: Node) -> list[Part]:
    """The parts of an expression that the next member of its chain has as numbers; none where the two differ otherwise.

    ``sin(1 / 1.009)`` behind ``sin(1 / 10000^0.0039)`` says that ``10000^0.0039`` is 1.009.
    """
    return [] if isinstance(after, Num) else _parts(before, after) or []


def _parts(before: Node, after: Node) -> list[Part] | None:
    if isinstance(after, Num):
        if isinstance(before, Num) and (before.value == after.value or "/" not in before.text):
            return [] if before.value == after.value else None
        return [] if isinstance(before, Sym) else [(before, after)]  # a name's number is put in, not worked out
    if isinstance(before, Op) and isinstance(after, Op) and before.op == after.op:
        return _all(((before.left, after.left), (before.right, after.right)))
    if isinstance(before, Neg) and isinstance(after, Neg):
        return _parts(before.arg, after.arg)
    if isinstance(before, Call) and isinstance(after, Call) and before.name == after.name:
        if len(before.args) != len(after.args):
            return None
        return _all(tuple(zip(before.args, after.args, strict=True)))
    if isinstance(before, Sym) and isinstance(after, Sym):
        return [] if (before.name, before.index) == (after.name, after.index) else None
    return None


def _all(pairs: tuple[tuple[Node, Node], ...]) -> list[Part] | None:
    out: list[Part] = []
    for before, after in pairs:
        found = _parts(before, after)
        if found is None:
            return None
        out += found
    return out
