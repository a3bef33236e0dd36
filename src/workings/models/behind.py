"""Work done behind the caller's back: a model need not wait for its numbers to be hashed and to reach the disk."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

THREADS = 2  # while one waits for the disk the other goes on
MOST = 3  # jobs that wait at once: each holds a layer's numbers
Made = TypeVar("Made")


class Behind:
    """Two threads, and few jobs before them, begun in order; what a job raises is raised by a later call.

    Jobs wait for ``go_on``, which is called where they hold nobody up: the threads of a matrix product wait for the
    slowest of them, those of attention take the next piece when they are free.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "workings-behind")
        self._waiting: list[Callable[[], None]] = []
        self._jobs: deque[Future[None]] = deque()

    def do(self, job: Callable[[], None]) -> None:
        """Have it done in its time."""
        self._waiting.append(job)
        if len(self._waiting) >= MOST:
            self.go_on()

    def go_on(self) -> None:
        """Begin what waits; wait oneself while too many have begun already."""
        for job in self._waiting:
            while self._jobs and (self._jobs[0].done() or len(self._jobs) >= MOST):
                self._jobs.popleft().result()
            self._jobs.append(self._threads.submit(job))
        self._waiting.clear()

    def wait(self) -> None:
        """Wait for all of it."""
        self.go_on()
        while self._jobs:
            self._jobs.popleft().result()

    def all(self, jobs: Iterable[Callable[[], Made]]) -> list[Made]:
        """Have all that waits done, and then these; returns what they make, in their order."""
        self.wait()
        return [made.result() for made in [self._threads.submit(job) for job in jobs]]

    def finish(self) -> None:
        """Wait for all of it, and take no more."""
        self.wait()
        self._threads.shutdown()

    def leave(self) -> None:
        """Begin nothing more, and wait for what has begun; what went wrong in it matters no more."""
        self._threads.shutdown(cancel_futures=True)
        self._waiting.clear()
        self._jobs.clear()
