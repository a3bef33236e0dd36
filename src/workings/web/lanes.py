"""Work in processes of its own: so many at once, each for so long, and stopped when nobody waits for it any more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from anyio import BrokenWorkerProcess, CapacityLimiter, create_task_group, fail_after, sleep, to_process

from workings.web.answers import WORKS, Reply, answer
from workings.web.asked import Refused
from workings.web.sources import Sources

Left = Callable[[], Awaitable[None]]


class Lane:
    """Requests of one kind.

    Args:
        processes: how many run at once; ``waiting`` is how many may wait besides.
        seconds: after which one is stopped, its time of waiting included.
    """

    def __init__(self, processes: int, seconds: int, waiting: int = 8) -> None:
        self._limiter = CapacityLimiter(processes)
        self._seconds = seconds
        self._most = processes + waiting
        self._inside = 0

    async def run(self, name: str, body: bytes, sources: Sources, left: Left) -> Reply | None:
        """The answer; None where the client left before.

        Args:
            left: returns when the client has left.

        Raises ``Refused`` where too many wait, where it took too long or where the process died.
        """
        if self._inside >= self._most:
            raise Refused(503, "busy")
        self._inside += 1
        try:
            with fail_after(self._seconds):
                return await self._stoppable(name, body, sources, left)
        except TimeoutError:
            raise Refused(504, "slow", seconds=str(self._seconds)) from None
        except BrokenWorkerProcess:
            raise Refused(503, "stopped") from None
        finally:
            self._inside -= 1

    async def _stoppable(self, name: str, body: bytes, sources: Sources, left: Left) -> Reply | None:
        found: Reply | None = None
        begun = False
        async with create_task_group() as group:

            async def watch() -> None:
                await left()
                if begun:
                    await sleep(WORKS[name].patience)
                group.cancel_scope.cancel()

            group.start_soon(watch)
            async with self._limiter:
                begun = True
                alone = CapacityLimiter(1)
                found = await to_process.run_sync(answer, name, body, sources, cancellable=True, limiter=alone)
            group.cancel_scope.cancel()
        return found


class Lanes:
    """Heavy work, and work that it does not keep waiting: light work, and the maps of recordings."""

    def __init__(self) -> None:
        self._lanes = {
            "heavy": Lane(processes=2, seconds=60),
            "light": Lane(processes=1, seconds=20, waiting=16),
            "maps": Lane(processes=1, seconds=60, waiting=16),
        }

    async def run(self, name: str, body: bytes, sources: Sources, left: Left) -> Reply | None:
        """As ``Lane.run``, in the lane of this kind of work."""
        return await self._lanes[WORKS[name].lane].run(name, body, sources, left)
