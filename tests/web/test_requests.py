"""What the server does with a request's body, and with more work than it can do."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.serving import KITTEN, PATIENCE, VIEW, Served
from workings.web.answers import Reply
from workings.web.sources import Sources

LARGE = {
    "tokens": [f"w{place}" for place in range(48)],
    "inputs": {name: {"seed": place} for place, name in enumerate("QKV")},
    "attention": {"d_k": 24, "d_v": 24},
}


def heavy(seed: int) -> dict[str, object]:
    """An example that takes long to work, another for each seed."""
    data = {**LARGE, "inputs": {**LARGE["inputs"], "Q": {"seed": seed}}}  # type: ignore[dict-item]
    return {"source": {"data": json.dumps(data)}, "view": {**VIEW, "precision": "12"}}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("", 400),
        ("nonsense", 400),
        ("[]", 400),
        ("[" * 100_000 + "]" * 100_000, 400),
        ('{"a":' * 200 + "1" + "}" * 200, 400),
        ('{"address": NaN}', 400),
        ('{"address": 1e999}', 400),
        ('{"address": Infinity}', 400),
        (b"\xff\xfe", 400),
        ("{" + ",".join(f'"k{place}":1' for place in range(200_000)) + "}", 413),
        ("{}", 400),
        ('{"source": 1, "view": {}}', 400),
        ('{"source": {"name": "kitten"}, "view": {"lang": "en", "carry": -1}}', 400),
        ('{"source": {"name": "kitten"}, "view": {"lang": "fr"}}', 422),
        ('{"source": {"name": "/etc/passwd"}, "view": {"lang": "en"}}', 422),
        ('{"source": {"name": "../kitten"}, "view": {"lang": "en"}}', 422),
        ('{"source": {"data": "{\\"tokens\\": []}"}, "view": {"lang": "en"}}', 422),
    ],
)
def test_a_body_that_cannot_be_meant(body: str | bytes, status: int, served: Served) -> None:
    found = served.post("example", body)
    assert found.status == status
    assert set(found.json()) == {"error"}
    assert found.json()["error"]["message"]


def chunked(name: str, served: Served) -> bytes:
    """The head of a request whose length nobody states."""
    own = f"Host: localhost\r\nContent-Type: application/json\r\nX-Workings: {served.token}\r\n"
    return f"POST /api/{name} HTTP/1.1\r\n{own}Transfer-Encoding: chunked\r\n\r\n".encode()


def test_a_body_that_is_too_large(served: Served) -> None:
    assert served.post("check", b'{"text": "' + b"a" * 30_000_000).status == 413
    chunk = b"100000\r\n" + b"a" * 0x100000 + b"\r\n"
    found = bytearray()
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as connection:
        connection.sendall(chunked("check", served))
        try:
            for _ in range(30):
                connection.sendall(chunk)
        except OSError:
            pass
        while piece := _received(connection):
            found += piece
    assert found.startswith(b"HTTP/1.1 413") or not found  # a reset may overtake the answer


def _received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65_536)
    except OSError:
        return b""


def test_a_body_that_does_not_arrive(served: Served) -> None:
    assert served.raw(chunked("cell", served) + b"1\r\n{\r\n").startswith(b"HTTP/1.1 408")


def test_errors_are_told_in_the_language_of_the_view(served: Served) -> None:
    asked = {"source": {"name": "nope"}, "view": {**VIEW, "lang": "zh"}}
    assert "没有名叫 nope" in served.post("example", asked).json()["error"]["message"]


def test_many_heavy_requests_at_once(served: Served) -> None:
    with ThreadPoolExecutor(50) as pool:
        asked = [pool.submit(served.post, "example", heavy(seed)) for seed in range(1, 51)]
        small = served.post("cell", {**KITTEN, "address": "score[2,0]"})
        found = [each.result() for each in asked]
    assert small.json()["value"] == "0.92"
    statuses = [each.status for each in found]
    assert set(statuses) <= {200, 503, 504}
    assert statuses.count(503) >= 1
    assert statuses.count(200) >= 1
    assert all(each.headers["retry-after"] for each in found if each.status == 503)
    assert served.post("example", KITTEN).status == 200


GREEDY = """
import json
from workings.web import answers
answers.LARGEST_DATA = 300 * 2**20
answers.WORKS = {"greedy": answers.Work(lambda asked: {"size": len(bytearray(2**30))})}
found = answers.answer("greedy", b'{"view": {"lang": "zh"}}')
print(found.status, json.loads(found.body)["error"]["code"])
"""


def test_memory_has_an_end() -> None:
    found = subprocess.run([sys.executable, "-c", GREEDY], capture_output=True, text=True, timeout=PATIENCE)
    assert found.stdout.split() == ["503", "stopped"], found.stderr


def slow(name: str, body: bytes, sources: Sources) -> Reply:
    """Work of as many seconds as the body says, whatever the machine."""
    time.sleep(float(body))
    return Reply(200, "text/plain", b"")


LEAVES = """
import anyio
from pathlib import Path
from workings.web import lanes
from workings.web.sources import Sources
from tests.web.test_requests import slow

lanes.answer = slow

def children():
    return [int(pid) for path in Path("/proc/self/task").glob("*/children") for pid in path.read_text().split()]

async def main():
    async def left():
        while not children():
            await anyio.sleep(0.01)
        await anyio.sleep(0.5)
        assert children()
    found = await lanes.Lane(processes=1, seconds=60).run("example", b"600", Sources(), left)
    print(found, children())

anyio.run(main)
"""


def test_work_stops_when_the_browser_leaves() -> None:
    found = subprocess.run([sys.executable, "-c", LEAVES], capture_output=True, text=True, timeout=PATIENCE)
    assert found.stdout.strip() == "None []", found.stderr


@pytest.mark.parametrize(("lang", "said"), [("en", "Worked without rounding, it is"), ("zh", "不作舍入地算")])
def test_the_working_of_a_number_in_a_document(lang: str, said: str, served: Served) -> None:
    asked = {"name": "notes.md", "text": "1/3 = 0.33", "lenient": False, "lang": lang, "place": "p1-7"}
    found = served.post("working", asked)
    assert found.status == 200
    assert found.json()["title"] == "0.33"
    assert said in found.json()["html"]
    assert served.post("working", {**asked, "place": "p1-1"}).status == 404
    assert served.post("working", {**asked, "place": 7}).status == 400


PATIENT = """
import anyio
from workings.web import answers
answers.WORKS = {**answers.WORKS, "example": answers.WORKS["example"]._replace(patience=PATIENCE)}
from workings.web import lanes
from workings.web.sources import Sources
from tests.web.test_requests import slow

lanes.answer = slow

async def main():
    async def left():
        await anyio.sleep(0.5)
    found = await lanes.Lane(processes=1, seconds=60).run("example", b"SECONDS", Sources(), left)
    print(found and found.status)

anyio.run(main)
"""


@pytest.mark.parametrize(("patience", "seconds", "said"), [("0", "600", "None"), ("60", "2", "200")])
def test_some_work_goes_on_for_a_while(patience: str, seconds: str, said: str) -> None:
    code = PATIENT.replace("PATIENCE", patience).replace("SECONDS", seconds)
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert found.stdout.strip() == said, found.stderr
