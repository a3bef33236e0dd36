"""A sign of life on a terminal while something takes long; nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 1.0
CLEAR_LINE = "\r\x1b[K"


@contextmanager
def busy(text: str | Callable[[], str], *, wanted: bool) -> Iterator[None]:
    """Says on standard error that work is going on, once it has taken a second, and takes that back in the end.

    Args:
        text: what is said, or a function that is asked for it each second.
    """
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from threading import Event, Thread

    done = Event()

    def watch() -> None:
        if done.wait(PATIENCE):
            return
        seconds = 0
        while True:
            seconds += 1
            said = text if isinstance(text, str) else text()
            sys.stderr.write(f"{CLEAR_LINE}{said} {seconds} s")
            sys.stderr.flush()
            if done.wait(1.0):
                sys.stderr.write(CLEAR_LINE)
                sys.stderr.flush()
                return

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
