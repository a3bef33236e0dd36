"""HTTP as uvicorn speaks it, with a time within which a request's head must have arrived."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 10.0
REASONS = {431: "Request Header Fields Too Large"}


class Protocol(H11Protocol):
    """Closes a connection whose request does not arrive, and names a head that is too large."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._waiting = self.loop.call_later(SECONDS, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._waiting is None and self.conn.their_state is h11.IDLE:  # the next request of the connection begins
            self._waiting = self.loop.call_later(SECONDS, self._give_up)
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._arrived()

    def _arrived(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        if not self.transport.is_closing():
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        error = sys.exc_info()[1]
        status = getattr(error, "error_status_hint", 400)
        if status not in REASONS:
            super().send_400_response(msg)
            return
        headers = [(b"content-length", b"0"), (b"connection", b"close")]
        for event in (h11.Response(status_code=status, headers=headers, reason=REASONS[status]), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
