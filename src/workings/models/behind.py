"""Work done behind the caller's back, in order, by one thread: a model need not wait for its numbers to be hashed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

MOST = 3  # jobs that wait at once: each holds a layer's numbers


class Behind:
    """One thread, and few jobs before it; what a job raises is raised by a later call."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="workings")
        self._jobs: deque[Future[None]] = deque()

    def do(self, job: Callable[[], None]) -> None:
        """Have it done; waits while too many wait already."""
        while self._jobs and (self._jobs[0].done() or len(self._jobs) >= MOST):
            self._jobs.popleft().result()
        self._jobs.append(self._thread.submit(job))

    def finish(self) -> None:
        """Wait for all of it."""
        while self._jobs:
            self._jobs.popleft().result()
        self._thread.shutdown()

    def leave(self) -> None:
        """Begin nothing more, and wait for what has begun; what went wrong in it matters no more."""
        self._thread.shutdown(cancel_futures=True)
        self._jobs.clear()
