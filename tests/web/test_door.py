"""Who gets in: hosts, origins, methods, paths and headers, as browsers and as others send them."""

from __future__ import annotations

import socket
import struct

import pytest

from tests.support.serving import KITTEN, PATIENCE, Served, serving

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("0.0.0.0", 403),  # noqa: S104
        ("127.0.0.1.evil.example:{port}", 403),
        ("[::1]:{port}", 200),
        ("LOCALHOST.", 200),
        ("localhost:{port}", 200),
        ("127.0.0.1", 200),
    ],
)
def test_a_host(host: str, status: int, served: Served) -> None:
    found = served.ask("GET", "/", headers={"Host": host.format(port=served.port)})
    assert found.status == status
    assert served.token.encode() in found.body if status == 200 else served.token.encode() not in found.body


def test_a_missing_and_a_doubled_host(served: Served) -> None:
    assert served.raw(b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 400")
    assert served.raw(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 400")
    twice = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert served.raw(twice).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1:{port}"])
def test_another_origin(origin: str, served: Served) -> None:
    found = served.post("cell", {**KITTEN, "address": "Q[0,0]"}, Origin=origin.format(port=served.port))
    assert found.status == 403
    assert b"1.0" not in found.body


def test_the_own_origin(served: Served) -> None:
    found = served.post("cell", {**KITTEN, "address": "Q[0,0]"}, Origin=f"http://127.0.0.1:{served.port}")
    assert found.json()["value"] == "1.0"


@pytest.mark.parametrize("headers", [{"X-Workings": ""}, {"X-Workings": "guess"}, {"Sec-Fetch-Site": "cross-site"}])
def test_a_request_that_is_not_the_pages(headers: dict[str, str], served: Served) -> None:
    assert served.post("cell", {**KITTEN, "address": "Q[0,0]"}, **headers).status == 403


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_is_no_request(kind: str, served: Served) -> None:
    found = served.ask("POST", "/api/cell", "{}", {"Content-Type": kind, "X-Workings": served.token})
    assert found.status == 415


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:{port}"])
def test_a_websocket_is_refused_before_it_is_one(origin: str, served: Served) -> None:
    headers = {
        **{"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"},
        **{"Sec-WebSocket-Key": "x3JJHMbDL1EzLkh9GBhXDw==", "Origin": origin.format(port=served.port)},
    }
    assert served.ask("GET", "/", headers=headers).status == 403


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "TRACE", "PATCH"])
def test_no_other_method(method: str, served: Served) -> None:
    found = served.ask(method, "/api/cell", headers={"Origin": "http://evil.example"})
    assert found.status == 405
    assert not [name for name in found.headers if name.startswith("access-control")]


def test_what_works_is_no_get(served: Served) -> None:
    assert served.ask("GET", "/api/cell").status == 405


@pytest.mark.parametrize(
    "path",
    [
        *("/assets/..%2f", "/assets/%2e%2e", "/assets/..%5c", "//etc/passwd", "/assets/%00", "/assets/a%00.js"),
        *("/assets/../server.py", "/assets/index.html", "/assets/", "/etc/passwd", "/static/app.js", "/api/nothing"),
    ],
)
def test_a_path_out_of_the_folder(path: str, served: Served) -> None:
    assert served.ask("GET", path).status == 404


def test_a_link_in_the_folder_cannot_be_followed_later(served: Served) -> None:
    """Files are read when the server starts, by their names; a path is never opened."""
    assert served.ask("GET", "/assets/server.py").status == 404


@pytest.mark.parametrize("path", ["/", "/check", "/model", "/assets/nothing", "/api/words/en", "/api/examples/zh"])
def test_headers_of_every_answer(path: str, served: Served) -> None:
    headers = served.ask("GET", path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == headers["cross-origin-opener-policy"] == "same-origin"
    assert not [name for name in headers if name.startswith("access-control") or name == "server"]


def test_no_script_stands_in_a_page(served: Served) -> None:
    page = served.ask("GET", "/").body.decode()
    assert "<script>" not in page
    assert "<style" not in page
    assert " style=" not in page


def test_a_head_that_is_too_large(served: Served) -> None:
    assert served.ask("GET", "/", headers={"X-Long": "a" * 100_000}).status == 431
    assert served.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 40_000).startswith(b"HTTP/1.1 431")


def test_half_sent_requests_are_closed_and_others_served(served: Served) -> None:
    waiting = [socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) for _ in range(20)]
    for connection in waiting:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
    assert served.ask("GET", "/api/opened").status == 200
    slow = socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE)
    closed = False
    for byte in b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"a" * 40:
        slow.settimeout(1.0)
        try:
            slow.send(bytes([byte]))
            closed = slow.recv(1) == b""
        except TimeoutError:
            continue
        except OSError:
            closed = True
        if closed:
            break
    assert closed
    for connection in waiting:
        assert connection.recv(1) == b""
        connection.close()
    slow.close()


def test_a_client_that_resets_does_no_harm(served: Served) -> None:
    for _ in range(5):
        connection = socket.create_connection(("127.0.0.1", served.port))
        connection.sendall(b"POST /api/cell HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    assert served.ask("GET", "/api/opened").status == 200


def test_from_elsewhere_only_with_the_key() -> None:
    with serving("--host", "0.0.0.0", "--expose") as found:  # noqa: S104
        assert found.key
        assert found.ask("GET", "/").status == 403
        assert found.ask("GET", "/?key=guess").status == 403
        let_in = found.ask("GET", f"/?key={found.key}")
        assert (let_in.status, let_in.headers["location"]) == (303, "/")
        cookie = let_in.headers["set-cookie"]
        assert "httponly" in cookie.lower()
        assert "samesite=strict" in cookie.lower()
        page = found.ask("GET", "/", headers={"Cookie": cookie.partition(";")[0], "Host": "192.0.2.7:80"})
        assert b"workings-token" in page.body
