"""Streamed attention beside what torch has itself, at sizes where the weights would not be held, and with poison."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import contextmanager
from threading import Event
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.attention.flex_attention import flex_attention
from torch.nn.functional import scaled_dot_product_attention
from torch.utils._python_dispatch import TorchDispatchMode

from tests.support.streamed import literal
from workings.fast import streamed
from workings.fast.pieces import Piece, Worker, even
from workings.fast.streamed import attend
from workings.steps.spec import AttentionSpec, Mask

CAUSAL, TOP_LEFT = AttentionSpec(mask=Mask("causal")), AttentionSpec(mask=Mask("causal-top-left"))


def _some(*shape: int, dtype: torch.dtype = torch.float64, seed: int = 1) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def _qkv(
    queries: int = 50, keys: int = 70, heads: int = 4, kv_heads: int = 2, dtype: torch.dtype = torch.float64
) -> tuple[Tensor, Tensor, Tensor]:
    return (
        _some(2, heads, queries, 8, dtype=dtype),
        _some(2, kv_heads, keys, 8, dtype=dtype, seed=2),
        _some(2, kv_heads, keys, 5, dtype=dtype, seed=3),
    )


# --- against torch -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("causal", [False, True])
def test_as_scaled_dot_product_attention(causal: bool) -> None:
    q, k, v = _qkv()
    expected = scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=True)
    found = attend(q, k, v, TOP_LEFT if causal else None)
    torch.testing.assert_close(found.output, expected, rtol=0, atol=float(found.bounds.output.max()) + 1e-14)


def test_bias_and_mask_as_scaled_dot_product_attention() -> None:
    q, k, v = _qkv()
    bias, allowed = _some(50, 70, seed=4), _some(50, 70, seed=5) > -1
    expected = scaled_dot_product_attention(q, k, v, torch.where(allowed, bias, -torch.inf), enable_gqa=True)
    torch.testing.assert_close(attend(q, k, v, bias=bias, allowed=allowed).output, expected, rtol=0, atol=1e-13)


Score = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]
SLOPES = torch.tensor([0.5, 0.25, 0.125, 0.0625], dtype=torch.float64)
MODIFIED: dict[str, tuple[AttentionSpec, dict[str, Any], Score]] = {
    "softcap": (AttentionSpec(softcap=literal(1.5)), {}, lambda s, b, h, i, j: 1.5 * torch.tanh(s / 1.5)),
    "alibi": (AttentionSpec(), {"alibi_slopes": SLOPES}, lambda s, b, h, i, j: s - SLOPES[h] * (j - i - 20).abs()),
    "window": (
        AttentionSpec(mask=Mask("window", window=9)),
        {},
        lambda s, b, h, i, j: torch.where((j <= i + 20) & (j > i + 11), s, -torch.inf),
    ),
    "offset": (
        AttentionSpec(mask=Mask("causal", offset=33)),
        {},
        lambda s, b, h, i, j: torch.where(j <= i + 33, s, -torch.inf),
    ),
}


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
@pytest.mark.filterwarnings("ignore:return_lse is deprecated")
@pytest.mark.parametrize("name", MODIFIED)
def test_as_flex_attention(name: str) -> None:
    q, k, v = _qkv()
    spec, extras, score = MODIFIED[name]
    output, lse = flex_attention(q, k, v, score_mod=score, enable_gqa=True, return_lse=True)
    found = attend(q, k, v, spec, **extras)
    torch.testing.assert_close(found.output, output, rtol=0, atol=1e-13)
    torch.testing.assert_close(found.lse, lse.double(), rtol=0, atol=1e-12)


def test_causal_aligns_at_the_last_key_or_the_first() -> None:
    q, k, v = _qkv(queries=3, keys=5)
    last, first = (attend(q, k, v, spec, top=5) for spec in (CAUSAL, TOP_LEFT))
    assert [(keys >= 0).sum().item() for keys in last.top_keys[0, 0]] == [3, 4, 5]
    assert [(keys >= 0).sum().item() for keys in first.top_keys[0, 0]] == [1, 2, 3]


# --- memory --------------------------------------------------------------------------------------------------------


class Largest(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """The number of elements of the largest storage that any operation hands out."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.elements = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        for each in out if isinstance(out, (tuple, list)) else (out,):
            if isinstance(each, Tensor):
                self.elements = max(self.elements, each.untyped_storage().nbytes() // each.element_size())
        return out


@contextmanager
def _threads(count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def one_thread() -> Iterator[None]:
    with _threads(1):  # a dispatch mode is of one thread
        yield


@pytest.fixture
def two_threads() -> Iterator[None]:
    with _threads(2):
        yield


@pytest.mark.usefixtures("two_threads")
def test_threads_in_inference_mode() -> None:
    """Tensors made in it may be written to in it alone, and a thread is not in it by itself."""
    with torch.inference_mode():
        q = torch.randn(1, 4, 64, 8, generator=torch.Generator().manual_seed(1))
        inside = attend(q, q, q).lse.clone()
    assert torch.equal(inside, attend(q.clone(), q.clone(), q.clone()).lse)


EVERYTHING: dict[str, Any] = {"column_mass": True, "mean_distance": True, "mass_on": ("first", "previous", "self")}


FORKED = """
import os
import torch
from workings.fast.streamed import attend

torch.set_num_threads(2)
q, k, v = (torch.randn(1, 2, 300, 8) for _ in range(3))
whole = attend(q, k, v).output
child = os.fork()
if child == 0:
    os._exit(0 if torch.equal(attend(q, k, v).output, whole) else 3)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_process_has_threads_of_its_own() -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED], check=True, timeout=120)


@pytest.mark.usefixtures("two_threads")
def test_what_goes_wrong_in_a_thread_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(worker: Worker, piece: Piece) -> None:
        raise MemoryError(piece.kv_head)

    monkeypatch.setattr(Worker, "do", fail)
    with pytest.raises(MemoryError):
        attend(*_qkv())


@pytest.mark.usefixtures("two_threads")
def test_after_something_went_wrong_no_more_is_worked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the rest, and the next call must not."""
    begun: list[Piece] = []
    waits: list[object] = []
    given_up = Event()

    def fail(worker: Worker, piece: Piece) -> None:
        begun.append(piece)
        if begun[0] is piece:
            raise MemoryError
        assert given_up.wait(20)

    def told(*given: Any, **named: Any) -> Any:
        waits.append(given)
        if len(waits) > 1:
            given_up.set()
        return wait(*given, **named)

    monkeypatch.setattr(Worker, "do", fail)
    monkeypatch.setattr(streamed, "wait", told)
    q = _some(4, 2000, 4)
    with pytest.raises(MemoryError):
        attend(q, q, q)
    assert len(begun) <= 2


LATE = """
import threading, time
from concurrent.futures import ThreadPoolExecutor
import torch
from workings.fast.streamed import attend

torch.set_num_threads(2)
q = torch.randn(1, 4, 300, 8)
before = attend(q, q, q).output

def late():
    pool = ThreadPoolExecutor(1)
    try:
        while True:
            pool.submit(int)
            time.sleep(0.01)
    except RuntimeError:
        print(torch.equal(attend(q, q, q).output, before))

threading.Thread(target=late).start()
"""


def test_a_thread_that_outlives_the_main_one_may_attend() -> None:
    """No pool takes work any more then."""
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LATE], check=True, timeout=120, capture_output=True, text=True
    )
    assert (found.stdout, found.stderr) == ("True\n", "")


@pytest.mark.parametrize(("rows", "parts"), [(range(3, 12), 4), (range(5), 1), (range(2, 2), 0), (range(683), 5)])
def test_rows_are_cut_into_even_parts(rows: range, parts: int) -> None:
    cut = even(rows, parts)
    assert [row for part in cut for row in part] == list(rows)
    assert len(cut) == parts
    assert {len(part) for part in cut} <= {len(rows) // max(1, parts), len(rows) // max(1, parts) + 1}


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("causal", [False, True])
def test_no_tensor_has_an_element_for_each_pair(causal: bool) -> None:
    tokens = 6000
    q, k, v = (_some(1, tokens, 4, dtype=torch.float32, seed=seed) for seed in range(3))
    padding = torch.ones(tokens, dtype=torch.bool)
    documents = torch.arange(tokens) // 1500
    extras: dict[str, Any] = {"padding": padding, "query_documents": documents, "alibi_slopes": torch.tensor([0.1])}
    with Largest() as seen:
        attend(q, k, v, CAUSAL if causal else None, **EVERYTHING, **extras)
    assert 0 < seen.elements <= tokens**2 // 30


@pytest.mark.usefixtures("one_thread")
def test_a_held_matrix_is_noticed() -> None:
    q = _some(1, 600, 4)
    with Largest() as seen:
        torch.softmax(q @ q.mT, -1)
    assert seen.elements == 600**2


# --- what is masked stays out --------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("name", ["causal", "padding", "allowed", "bias", "documents", "window"])
def test_masked_poison_reaches_nothing(name: str, bad: float) -> None:
    q, k, v = _qkv(queries=8, keys=8, dtype=torch.float32)
    there = torch.arange(8) < 7
    spec = {
        "causal": CAUSAL,
        "window": AttentionSpec(mask=Mask("band", right=0)),
    }.get(name, AttentionSpec())
    extras: dict[str, Any] = {
        "padding": {"padding": there.expand(2, 8)},
        "allowed": {"allowed": there.expand(8, 8)},
        "bias": {"bias": torch.where(there, 0.0, -torch.inf)},
        "documents": {
            "query_documents": torch.zeros(2, 8, dtype=torch.int64),
            "key_documents": (~there * 1).expand(2, 8),
        },
    }.get(name, {})
    clean = attend(q, k, v, spec, **EVERYTHING, **extras)
    k[:, :, 7], v[:, :, 7] = bad, bad
    found = attend(q, k, v, spec, **EVERYTHING, **extras)
    rows = slice(0, 7) if name in ("causal", "window") else slice(None)  # the last row may look at the last key
    for each in ("output", "lse", "entropy", "top_weights", "rest", "mean_distance"):
        values, expected = getattr(found, each)[:, :, rows], getattr(clean, each)[:, :, rows]
        torch.testing.assert_close(values, expected, rtol=1e-6, atol=1e-6)
        assert values.isfinite().all()
    if rows.stop is None:
        assert found.column_mass is not None
        assert found.column_mass.isfinite().all()


@pytest.mark.parametrize("convention", ["zero", "uniform", "nan"])
def test_a_row_with_nothing_allowed(convention: str) -> None:
    q, k, v = _qkv(queries=2, keys=4)
    allowed = torch.tensor([[False], [True]]).expand(2, 4)
    found = attend(q, k, v, AttentionSpec(fully_masked=convention), allowed=allowed, top=2, **EVERYTHING)
    row = found.output[0, 0, 0]
    assert found.lse[0, 0, 0] == -torch.inf
    if convention == "zero":
        assert row.tolist() == [0] * 5
        assert found.top_keys[0, 0, 0].tolist() == [-1, -1]
        assert [float(each[0, 0, 0]) for each in (found.rest, found.entropy)] == [0, 0]
    elif convention == "uniform":
        torch.testing.assert_close(row, v[0, 0].mean(0))
        assert found.rest[0, 0, 0] == 0.5
        assert found.entropy[0, 0, 0] == math.log(4)
    else:
        assert row.isnan().all()
        assert found.entropy[0, 0, 0].isnan()
    assert found.output[:, :, 1].isfinite().all()


# --- types, bounds, sizes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("causal", [False, True])
def test_the_bounds_hold_and_are_of_use(dtype: torch.dtype, causal: bool) -> None:
    q, k, v = _qkv(queries=300, keys=300, dtype=dtype)
    spec = CAUSAL if causal else AttentionSpec()
    found, right = attend(q, k, v, spec), attend(q.double(), k.double(), v.double(), spec)
    for name in ("output", "lse", "entropy"):
        bound = getattr(found.bounds, name)
        off = (getattr(found, name).double() - getattr(right, name)).abs()
        assert (off <= (bound[..., None] if name == "output" else bound) + 1e-12).all()
    # 8 dimensions and scores of a few units: some hundred roundings of about 6e-8 each; an output is kept in its type
    assert found.bounds.weight.max() < 1e-3
    assert found.bounds.lse.max() < 5e-4
    assert found.bounds.entropy.max() < 1e-2
    assert found.bounds.output.max() < 1e-2 + 5 * torch.finfo(dtype).eps
    assert right.bounds.output.max() < 1e-11


def test_outputs_have_the_type_of_the_inputs() -> None:
    for dtype in (torch.float32, torch.bfloat16, torch.float16, torch.float64):
        found = attend(*_qkv(dtype=dtype))
        assert found.output.dtype == dtype
        assert (found.lse.dtype, found.entropy.dtype, found.top_weights.dtype) == (torch.float64,) * 3


@pytest.mark.parametrize(("queries", "keys"), [(0, 5), (5, 0), (0, 0), (1, 1)])
def test_no_tokens_at_all(queries: int, keys: int) -> None:
    q, k, v = _qkv(queries=queries, keys=keys)
    found = attend(q, k, v, **EVERYTHING)
    assert found.output.shape == (2, 4, queries, 5)
    assert found.column_mass is not None
    assert found.column_mass.shape == (2, 4, keys)
    assert found.top_keys.shape == (2, 4, queries, 8)


def test_gradients_are_not_followed() -> None:
    q, k, v = (tensor.requires_grad_() for tensor in _qkv())
    assert not attend(q, k, v).output.requires_grad


def test_the_precision_of_products_is_put_back() -> None:
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium")
    try:
        q, k, v = _qkv(dtype=torch.float32)
        found = attend(q, k, v)
        assert torch.get_float32_matmul_precision() == "medium"
    finally:
        torch.set_float32_matmul_precision(before)
    torch.testing.assert_close(found.output, attend(q, k, v).output)


def test_a_cell_tells_its_parts() -> None:
    q, k, v = _qkv()
    spec = AttentionSpec(softcap=literal(2.0), mask=Mask("causal"), lse_base="2")
    found = attend(q, k, v, spec, alibi_slopes=SLOPES)
    cell = found.cell(3, 4, 20, batch=1)
    score = float(q[1, 3, 4] @ k[1, 1, 20])
    assert cell.score == pytest.approx(score)
    assert cell.scaled == pytest.approx(score / math.sqrt(8))
    assert cell.capped == pytest.approx(2 * math.tanh(cell.scaled / 2))
    assert cell.logit == pytest.approx(cell.capped - 0.0625 * 4)
    assert cell.lse == pytest.approx(float(found.lse[1, 3, 4]) * math.log(2))
    assert cell.weight == pytest.approx(math.exp(cell.logit - cell.lse))
    assert found.cell(3, 4, 60, batch=1).weight == 0
