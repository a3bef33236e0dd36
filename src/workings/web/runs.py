"""Runs of the opened model, one at a time, each in a process of its own that is gone when nobody reads on."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

from anyio import CancelScope, EndOfStream, IncompleteRead, create_task_group, fail_after, open_process
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from workings.render.words import LANGUAGES
from workings.web.asked import Asked, Refused
from workings.web.holding import Holding
from workings.web.running import Wanted

COMMAND = (sys.executable, "-m", "workings.web.running")
SECONDS = 3600
LONGEST_LINE = 2**20
LINES = "application/x-ndjson"
Tell = Callable[[dict[str, Any]], Awaitable[None]]


class Runs:
    """Starts runs for those who ask."""

    def __init__(self, holding: Holding) -> None:
        self._holding, self._busy = holding, False

    def answer(self, asked: Asked) -> Response:
        """The answer to a request, line by line. Raises ``Refused``."""
        lang, text = asked.choice("lang", LANGUAGES), asked.text("text")
        if not self._holding.model:
            raise Refused(422, "no-model")
        if not text.strip():
            raise Refused(400, "request", what="text")
        if self._busy:
            raise Refused(503, "busy")
        return _Lines(self, Wanted(self._holding.model, text, self._holding.new_folder(), lang))

    async def run(self, wanted: Wanted, tell: Tell) -> None:
        """One run from its beginning to its end; the last that is told has ``recording`` or ``error``."""
        if self._busy:
            await tell(Refused(503, "busy").body(wanted.lang))
            return
        self._busy, last = True, dict[str, Any]()
        try:
            async with await open_process(COMMAND, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
                try:
                    with fail_after(SECONDS):
                        last = await _followed(process, wanted, tell)
                except TimeoutError:
                    last = Refused(504, "slow", seconds=str(SECONDS)).body(wanted.lang)
                finally:
                    await _end(process)
            recorded = last.get("recorded")
            await tell({"recording": self._holding.add_run(wanted.folder)} if recorded else last)
        finally:
            self._busy = False
            if not last.get("recorded"):
                shutil.rmtree(wanted.folder, ignore_errors=True)


async def _followed(process: Process, wanted: Wanted, tell: Tell) -> dict[str, Any]:
    """Hands on what the process says of its progress; returns what it says last."""
    if process.stdin is None or process.stdout is None:
        raise TypeError("a process without pipes")
    await process.stdin.send(json.dumps(asdict(wanted)).encode())
    await process.stdin.aclose()
    reader = BufferedByteReceiveStream(process.stdout)
    while True:
        try:
            said: dict[str, Any] = json.loads(await reader.receive_until(b"\n", LONGEST_LINE))
        except (EndOfStream, IncompleteRead):
            return Refused(503, "stopped").body(wanted.lang)
        if "stage" not in said:
            return said
        await tell(said)


async def _end(process: Process) -> None:
    """The process is gone when this returns, whatever else is given up meanwhile."""
    with CancelScope(shield=True):
        if process.returncode is None:
            process.kill()
        await process.wait()


class _Lines(Response):
    """What a run tells, a line of JSON each; the run ends when the client leaves."""

    media_type = LINES

    def __init__(self, runs: Runs, wanted: Wanted) -> None:
        super().__init__(headers={"cache-control": "no-store"})
        del self.headers["content-length"]
        self._runs, self._wanted = runs, wanted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})

        async def tell(said: dict[str, Any]) -> None:
            line = json.dumps(said, ensure_ascii=False) + "\n"
            await send({"type": "http.response.body", "body": line.encode(), "more_body": True})

        async with create_task_group() as group:

            async def watch() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass
                group.cancel_scope.cancel()

            group.start_soon(watch)
            await self._runs.run(self._wanted, tell)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            group.cancel_scope.cancel()
