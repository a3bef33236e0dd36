"""Work behind the caller's back: all of it, never too much at once, and nothing that goes wrong is lost."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from threading import Event

import pytest
import torch

from workings.models.behind import MOST, Behind
from workings.models.store import Store
from workings.models.stream import Streams


def test_all_jobs_are_done_and_few_wait() -> None:
    behind, done, go_on = Behind(), list[int](), Event()

    def job(number: int) -> None:
        go_on.wait(60)
        done.append(number)

    for number in range(MOST):
        behind.do(lambda number=number: job(number))  # type: ignore[misc]
    assert done == []
    go_on.set()
    for number in range(MOST, 20):
        behind.do(lambda number=number: job(number))  # type: ignore[misc]
        assert len(done) > number - 2 * MOST  # as many wait to begin as have begun
    behind.finish()
    assert sorted(done) == list(range(20))


def test_one_goes_on_while_another_waits() -> None:
    behind, second = Behind(), Event()
    went_on = list[bool]()
    behind.do(lambda: went_on.append(second.wait(60)))
    behind.do(second.set)
    behind.finish()
    assert went_on == [True]


def test_a_job_waits_until_it_may_begin() -> None:
    behind, done = Behind(), list[int]()
    behind.do(lambda: done.append(0))
    behind.leave()
    assert done == []
    behind = Behind()
    behind.do(lambda: done.append(1))
    behind.wait()
    behind.do(lambda: done.append(2))
    behind.finish()
    assert done == [1, 2]


def test_what_goes_wrong_is_raised_by_a_later_call() -> None:
    def fail() -> None:
        raise OSError("the disk is full")

    behind = Behind()
    behind.do(fail)
    with pytest.raises(OSError, match="the disk is full"):
        behind.finish()
    behind = Behind()
    behind.do(fail)

    def go_on() -> None:
        for _ in range(2 * MOST):
            behind.do(lambda: None)

    with pytest.raises(OSError, match="the disk is full"):
        go_on()


def test_leaving_waits_for_what_has_begun_and_begins_nothing() -> None:
    behind, begun, done = Behind(), Event(), list[int]()

    def job() -> None:
        begun.set()
        done.append(1)

    behind.do(job)
    behind.go_on()
    begun.wait(60)
    behind.leave()
    assert done == [1]


def test_streams_are_told_in_the_order_of_their_layers(tmp_path: Path) -> None:
    """Whichever reaches the disk first: a recording's index is the same byte for byte."""
    store = Store(str(tmp_path / "one"), {}, resume=False)
    streams = Streams(store, 3)
    for layer in (2, 0, 1):
        streams.take(layer, torch.ones(3, 4))
    assert [told["layer"] for told in streams.finish()] == [0, 1, 2]
    store.leave(keep=True)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_stream_that_waits_to_be_written_is_a_copy(dtype: torch.dtype, tmp_path: Path) -> None:
    """A model may add to its stream in place while it waits."""
    store = Store(str(tmp_path / "one"), {}, resume=False)
    streams, values = Streams(store, 3), torch.ones(3, 4, dtype=dtype)
    streams.take(0, values)
    values.add_(1)
    told = streams.finish()[0]
    store.leave(keep=True)
    assert told["tensors"]["x"]["sha256"] == [
        sha256(torch.ones(3, 4, dtype=dtype).view(torch.uint8).numpy().tobytes()).hexdigest()
    ]
