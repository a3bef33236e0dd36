"""Expressions told from one another: parts that a chain works out, and elements that stand for whole matrices."""

from __future__ import annotations

from workings.checking.notation import Call, Mat, Neg, Node, Num, Op, Sym, nodes
from workings.checking.setting import pure
from workings.checking.vocabulary import array_of

Part = tuple[Node, Num | Mat]  # a list or a matrix of numbers alone


def worked_out(before: Node, after: Node) -> list[Part]:
    """The parts of an expression that the next member of its chain has as numbers; none where the two differ otherwise.

    ``sin(1 / 1.009)`` behind ``sin(1 / 10000^0.0039)`` says that ``10000^0.0039`` is 1.009.
    """
    return [] if pure(after) else _parts(before, after) or []


def _parts(before: Node, after: Node) -> list[Part] | None:
    if isinstance(after, Mat):
        return _lists(before, after)
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


def _lists(before: Node, after: Mat) -> list[Part] | None:
    """A list of numbers is what the part before works out; another list with the same numbers is that list."""
    if not isinstance(before, Mat):
        known = isinstance(before, Sym) or not pure(after)
        return ([] if isinstance(before, Sym) else None) if known else [(before, after)]
    if [len(row) for row in before.rows] != [len(row) for row in after.rows]:
        return None
    cells = zip(before.rows, after.rows, strict=True)
    return _all(tuple(pair for rows in cells for pair in zip(*rows, strict=True)))


def of_elements(node: Node) -> Node:
    """An expression of elements as one of whole matrices: ``q_i·k_j / √2`` is ``Q Kᵀ / √2``."""
    if isinstance(node, Sym):
        return Sym(node.name, (), node.span) if _lettered(node) else node
    if isinstance(node, Op):
        left, right = of_elements(node.left), of_elements(node.right)
        if (
            node.op == "*"
            and _lettered(node.left)
            and _lettered(node.right)
            and _letter(node.left) != _letter(node.right)
        ):
            right = Call("transpose", (right,), node.right.span)
        return Op(node.op, left, right, node.span)
    if isinstance(node, Neg):
        return Neg(of_elements(node.arg), node.span)
    if isinstance(node, Call):
        return Call(node.name, tuple(map(of_elements, node.args)), node.span)
    return node


def _letter(node: Node) -> str:
    return "".join(node.index).replace("^", "") if isinstance(node, Sym) else ""


def _lettered(node: Node) -> bool:
    """Whether a name has one letter for its index."""
    return len(_letter(node)) == 1 and _letter(node).isalpha()


def _all(pairs: tuple[tuple[Node, Node], ...]) -> list[Part] | None:
    out: list[Part] = []
    for before, after in pairs:
        found = _parts(before, after)
        if found is None:
            return None
        out += found
    return out


def under_sigma(node: Node) -> Node | None:
    """What σ is applied to in ``σ(z)``; None where a node is something else."""
    if not isinstance(node, Op) or node.op != "*" or not isinstance(node.left, Sym):
        return None
    return node.right if node.left.name == "σ" and not node.left.index else None


def under_softmax(node: Node) -> Node | None:
    """What the softmax is applied to, which is also written as the σ of a product with Kᵀ; None for anything else."""
    if isinstance(node, Call):
        return node.args[0] if node.name == "softmax" and node.args else None
    inner = under_sigma(node)
    return inner if inner is not None and _has_scores(inner) else None


def _has_scores(node: Node) -> bool:
    """Whether a product with transposed keys is part of a node: ``Q Kᵀ / √2``."""
    turned = [part.args[0] for part in nodes(node) if isinstance(part, Call) and part.name == "transpose" and part.args]
    return any(isinstance(item, Sym) and array_of(item.name, item.index)[0] == "K" for item in turned)
