"""Calls of functions and methods: ``softmax(S, dim=-1)``, ``np.exp(S).sum(axis=1, keepdims=True)``, ``dot(q, k)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workings.checking.grammar import matrices, symbols
from workings.checking.grammar.vocabulary import FUNCTIONS
from workings.checking.notation import Call, Neg, Node, Num, Op, Sym

if TYPE_CHECKING:
    from workings.checking.grammar.expression import Parser

_ARRAYS = frozenset(("array", "tensor", "asarray", "Matrix", "matrix", "FloatTensor", "Tensor", "list", "tuple", "vec"))
_DOTS = frozenset(("dot", "matmul", "mm", "inner", "bmm"))
_AXES = frozenset(("dim", "axis"))
_OPTIONS = frozenset((*_AXES, "dtype", "device", "keepdim", "keepdims", "requires_grad", "decimals"))
_PLACES = frozenset((":", "·", "…", "..."))
_TURNS = frozenset(("transpose", "swapaxes", "t"))
_ALONG = frozenset(("softmax", "sum"))  # what runs along an axis
_ATTENTION = frozenset(("attention", "attn", "sdpa", "scaled_dot_product_attention"))  # of Q, K and V
_MODULES = frozenset(("np", "numpy", "torch", "math", "tf", "jnp", "jax", "mx", "nn", "F", "scipy", "special", "self"))


def call(parser: Parser, name: str, first: int) -> Node:
    """A function with its arguments in the brackets that open here."""
    opened, close = parser.at, parser.pairs[parser.at]
    parser.at = close + 1
    if name in _ARRAYS and parser.items[opened + 1].text == "{":  # values and their shape
        return matrices.bracketed(parser, opened, close)
    args: list[Node] = []
    axis: Node | None = None
    for begin, stop in matrices.parts(parser, opened + 1, close, "comma"):
        named = stop - begin > 2 and parser.items[begin].kind == "name" and parser.items[begin + 1].text == "="
        if named and parser.items[begin].text in _AXES:
            axis = parser.whole(begin + 2, stop)
        if named and parser.items[begin].text not in _OPTIONS:
            begin, named = begin + 2, False
        if stop - begin == 1 and parser.items[begin].text in _PLACES:  # a slice, or what stands before
            args.append(Sym(parser.items[begin].text, (), parser.span(begin, stop)))
        elif begin < stop and not named:
            args.append(parser.whole(begin, stop))
    span = parser.span(first, parser.at)
    if name in _ARRAYS and args:
        return args[0]
    if name in _DOTS and len(args) == 2:
        return Op("*", args[0], args[1], span)
    if name.lower() in _ATTENTION and len(args) == 3 and all(isinstance(arg, Sym) for arg in args):
        return Sym("Output", (), span)
    if name in _ALONG and axis is not None:
        args.append(axis)
    return Call(name, tuple(args), span)


def of_name(parser: Parser, parts: list[str], first: int) -> Node | None:
    """A method of a name with a point: ``scores.softmax(dim=-1)``; None where it is no method that is known."""
    if parts[0] in _MODULES or not _opens(parser, parser.at):
        return None
    return _applied(parser, parts[-1], symbols.written(".".join(parts[:-1]), parser.span(first, parser.at)), first)


def method(parser: Parser, node: Node, first: int) -> Node | None:
    """A method of what stands before a point: ``np.exp(S).sum(axis=1)``; None where it is none that is known."""
    at, items = parser.at, parser.items
    if at + 2 >= parser.end or items[at].text != "." or items[at].gap or items[at + 1].kind != "name":
        return None
    if items[at + 1].gap or not _opens(parser, at + 2):
        return None
    parser.at = at + 2
    made = _applied(parser, items[at + 1].text, node, first)
    if made is None:
        parser.at = at
    return made


def _opens(parser: Parser, at: int) -> bool:
    """Whether brackets open right behind a name."""
    return at < parser.end and parser.items[at].text == "(" and not parser.items[at].gap and at in parser.pairs


def _applied(parser: Parser, name: str, node: Node, first: int) -> Node | None:
    """What a method makes of a node; the parser then stands behind its brackets."""
    function = FUNCTIONS.get(name)
    if function is None and name not in (*_TURNS, *_DOTS):
        return None
    made = call(parser, function or name, first)
    given = made.args if isinstance(made, Call) else ()
    span = parser.span(first, parser.at)
    if name in _DOTS:
        return Op("*", node, given[0], span) if len(given) == 1 else None
    if function is None:
        return Call("transpose", (node,), span)
    return Call(function, (node, *(arg for arg in given if isinstance(arg, (Num, Neg)))), span)
