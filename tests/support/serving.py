"""The web server as a person starts it, and requests as a page, or as somebody else, sends them."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import workings

URL = re.compile(r"http://(127\.0\.0\.1):(\d+)/(?:\?key=(\S+))?")
VIEW = {"lang": "en", "precision": "auto", "carry": None}
KITTEN = {"source": {"name": "kitten"}, "view": VIEW}
PATIENCE = 60.0


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as data."""
        return json.loads(self.body)


@dataclass
class Served:
    """A running server."""

    port: int
    process: subprocess.Popen[str]
    key: str = ""
    token: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """One request with exactly these headers, and Host where there is none among them."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        given = dict(headers or {})
        connection.putrequest(method, path, skip_host="Host" in given, skip_accept_encoding=True)
        data = body.encode() if isinstance(body, str) else body
        if data is not None and "Content-Length" not in given:
            given["Content-Length"] = str(len(data))
        for name, value in given.items():
            connection.putheader(name, value)
        with suppress(OSError):  # refused before all of it was sent; the answer stands there all the same
            connection.endheaders(data)
        found = connection.getresponse()
        answer = Answer(found.status, {name.lower(): value for name, value in found.getheaders()}, found.read())
        connection.close()
        return answer

    def post(self, name: str, body: Any, **headers: str) -> Answer:
        """A request as the page sends it."""
        sent = {"Content-Type": "application/json", "X-Workings": self.token, **headers}
        return self.ask("POST", f"/api/{name}", body if isinstance(body, (str, bytes)) else json.dumps(body), sent)

    def raw(self, text: bytes) -> bytes:
        """Bytes sent as they are, and everything that comes back until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(text)
            out = bytearray()
            while piece := connection.recv(65_536):
                out += piece
            return bytes(out)


@contextmanager
def serving(*arguments: str) -> Iterator[Served]:
    """``workings serve`` at a free port, until the block ends."""
    command = [sys.executable, "-m", "workings", "serve", *arguments, "--port", "0", "--no-open"]
    environment = {**os.environ, "PYTHONPATH": str(Path(workings.__file__).parents[1])}  # wherever we stand
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        found = URL.search(process.stderr.readline().replace("0.0.0.0", "127.0.0.1"))  # noqa: S104
        assert found is not None
        served = Served(int(found[2]), process, found[3] or "")
        if not served.key:
            page = served.ask("GET", "/").body.decode()
            token = re.search(r'name="workings-token" content="([^"]+)"', page)
            assert token is not None
            served.token = token[1]
        try:
            yield served
        finally:
            process.terminate()
            process.wait(PATIENCE)
