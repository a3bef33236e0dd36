"""Streamed attention: output, log-sum-exp, entropy, largest weights and more, in memory linear in the tokens.

The scores of a block of rows are made at once (``strip``), read once for every statistic, multiplied with the values
and overwritten by the next block's: each product of two matrices is made once, as in FlashAttention (Dao et al. 2022,
algorithm 1), but a row's maximum is known before the first exponential, so that nothing is rescaled and a key's mass
over all queries needs no second pass.

Work is cut into pieces that several threads take in turn, each with its own strip; within a piece torch keeps to one
thread. The pieces and their order of addition depend on the shapes and on the number of threads, on nothing else.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import cache, wraps
from typing import NamedTuple, ParamSpec, Unpack

import torch
from torch import Tensor

from workings.fast.logits import seen_keys
from workings.fast.operands import WHOLE, Extras, Operands, fits, operands
from workings.fast.pieces import MASS_ON, Piece, Sums, Wish, Worker, even
from workings.fast.result import Attended
from workings.fast.summing_up import output_of, result
from workings.steps.spec import AttentionSpec
from workings.terms.errors import BadCount, UnknownMassKey

EACH = 4, 12  # pieces for each of several threads, at the least and, of ROWS or more, at the most
ROWS = 128  # in larger pieces more of a causal mask is worked in vain, of smaller ones there are too many
Given = ParamSpec("Given")


class Begun(NamedTuple):
    """An attention whose output, as in ``Attended``, is there; ``finish`` makes all of it, once, in any thread."""

    output: Tensor
    finish: Callable[[], Attended]


def begin(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    spec: AttentionSpec | None = None,
    *,
    top: int = 8,
    column_mass: bool = False,
    mean_distance: bool = False,
    mass_on: Sequence[str] = (),
    mass_at: Mapping[str, Tensor] | None = None,
    near: int = 0,
    **extras: Unpack[Extras],
) -> Begun:
    """Softmax attention (Vaswani et al. 2017, eq. 1) with what its weights say, without ever holding them.

    Args:
        q: [batch?, heads, queries, d_k], as it enters the dot product; float32, bfloat16, float16 or float64, on the
            CPU or where else torch computes. Everything but float64 is worked in float32.
        k: [batch?, kv_heads, keys, d_k]; kv_heads divides heads.
        v: [batch?, kv_heads, keys, d_v].
        spec: scale, softcap, mask and conventions; plain attention by default. Its ``heads``, ``kv_heads`` and
            ``softmax`` are not read, nor a position other than ALiBi: q and k are taken as already rotated.
        top: how many of the largest weights of each row.
        column_mass: whether the weights of each key are added up over the queries.
        mean_distance: whether each row's mean distance between key and query is wanted.
        mass_on: of which keys each row's weight is wanted: ``first``, ``previous``, ``self``.
        mass_at: the same of keys that are told, by a name of one's own: [queries], -1 for none.
        near: how far from a row's own key those lie whose weights are added up as ``near``; 0: not wanted.
        extras: biases, masks, documents, sinks and slopes (``Extras``).

    What is masked never reaches a result, were it NaN or infinite; a weight of 0 times such a value is 0, and so may be
    one that the working type cannot tell from 0: in float32, below e⁻⁸⁷ of the row's largest.
    Raises ``OperandShape``, ``OperandType``, ``OperandDevice``, ``OperandMissing``, ``BadCount`` or ``UnknownMassKey``.
    """
    of = operands(q, k, v, spec or AttentionSpec(), extras)
    if top < 0:
        raise BadCount(name="top", seen=top, least=0)
    if near < 0:
        raise BadCount(name="near", seen=near, least=0)
    for key in mass_on:
        if key not in MASS_ON:
            raise UnknownMassKey(seen=key, choices=list(MASS_ON))
    for name, places in (mass_at or {}).items():
        fits(name, places, {"queries": of.q.shape[2]}, q, WHOLE)
    threads, inference = torch.get_num_threads(), torch.is_inference_mode_enabled()
    with torch.no_grad(), _full_precision(), _one_thread(of, threads):
        sums = Sums.empty(of, Wish(top, column_mass, mean_distance, mass_on, mass_at or {}, near))
        _work(of, sums, threads if of.q.device.type == "cpu" else 1)
        output = output_of(of, sums)

    def finish() -> Attended:
        with torch.inference_mode(inference), torch.no_grad(), _one_thread(of, threads):
            return result(of, sums, output)

    return Begun(output if of.batched else output[0], finish)


def _whole(begin: Callable[Given, Begun]) -> Callable[Given, Attended]:
    @wraps(begin)
    def attend(*given: Given.args, **named: Given.kwargs) -> Attended:
        return begin(*given, **named).finish()

    return attend


attend = _whole(begin)
"""What ``begin`` begins, whole."""


@contextmanager
def _full_precision() -> Iterator[None]:
    """Products of float32 matrices in float32, whatever the process has chosen."""
    before = torch.get_float32_matmul_precision()
    if before == "highest":
        yield
        return
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


@contextmanager
def _one_thread(of: Operands, threads: int) -> Iterator[None]:
    """Keeps torch's operations to one thread each where there are several.

    Threads that meet after each of many small operations wait longer for one another than the operations take, the more
    so where the machine has other work.
    """
    if threads == 1 or of.q.device.type != "cpu":
        yield
        return
    try:
        torch.set_num_threads(1)
        yield
    finally:
        torch.set_num_threads(threads)


def _pieces(of: Operands, threads: int, *, few: bool) -> list[Piece]:
    """One head of keys and values each; for several threads its rows in parts, and those with the most scores first, so
    that none waits long for the last. ``few``: as few parts as the threads need.
    """
    batch, kv_heads, rows = of.q.shape[0], of.k.shape[1], of.q.shape[2]
    least, most = (-(-threads * each // max(1, batch * kv_heads)) for each in EACH)
    wanted = 1 if threads == 1 else least if few else max(least, min(most, rows // ROWS))
    parts = max(1, min(wanted, rows))
    pieces = [
        Piece(item, head, part, number)
        for item in range(batch)
        for head in range(kv_heads)
        for number, part in enumerate(even(range(rows), parts))
    ]
    return sorted(pieces, key=lambda piece: -len(piece.rows) * len(seen_keys(of, piece.batch, piece.rows)))


def _work(of: Operands, sums: Sums, threads: int) -> None:
    pieces = _pieces(of, threads, few=sums.wants_columns)  # each part of a head holds a mass for every key
    sums.parts(max((piece.part for piece in pieces), default=0) + 1)
    todo = iter(pieces)
    inference = torch.is_inference_mode_enabled()  # which threads do not share, though tensors made in it do

    def go() -> None:
        with torch.inference_mode(inference), torch.no_grad():
            worker = Worker(of, sums)
            for piece in todo:
                worker.do(piece)

    count = min(threads, len(pieces))
    if count < 2:
        go()
        return
    begun: list[Future[None]] = []
    try:
        with suppress(RuntimeError):  # the interpreter ends, or has no more threads
            for _ in range(count):
                begun.append(_crew(threads).submit(go))
        if len(begun) < count:
            go()
        for each in wait(begun, return_when=FIRST_EXCEPTION).done:
            each.result()
    finally:
        deque(todo, maxlen=0)  # nobody waits for the rest
        wait(begun)


@cache
def _crew(threads: int) -> ThreadPoolExecutor:
    """Threads that stay: for one that ends torch's products would fetch their memory anew at every call."""
    return ThreadPoolExecutor(threads, "workings-attend", torch.set_num_threads, (1,))  # each has a number of its own


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_crew.cache_clear)  # a forked process has none of its parent's threads
