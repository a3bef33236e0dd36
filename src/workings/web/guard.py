"""Who may ask, and how every answer is sent: Host, Origin, methods, paths and headers, before anything else."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workings.web.asked import Refused

LOCAL = ("127.0.0.1", "localhost", "[::1]")
METHODS = ("GET", "HEAD", "POST")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("x-frame-options", "DENY"),
)
LARGEST_HEAD = 32 * 1024
HIDDEN = ("%2e", "%2f", "%5c", "%00", "\\", "..", "//")  # how a path leaves its folder
COOKIE, KEY = "workings", "key"
Headers = Iterable[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Door:
    """Whom the server answers.

    Attributes:
        port: where it listens.
        key: what a request from elsewhere must know; empty where only this machine can ask.
        token: what the page sends with every POST, and another site cannot know.
    """

    port: int
    key: str = ""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))


class Guard:
    """Stands before the app."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app, self._door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {name for name, _ in message["headers"]}
                own = [(name.encode(), value.encode()) for name, value in HEADERS if name.encode() not in known]
                message = {**message, "headers": [*message["headers"], *own]}
            await send(message)

        try:
            response = self._stopped(scope)
        except Refused as refused:
            response = JSONResponse(refused.body("en"), refused.status)
        await (self._app if response is None else response)(scope, receive, guarded)

    def _stopped(self, scope: Scope) -> Response | None:
        """What is answered instead; None to go on. Raises ``Refused``."""
        headers = scope["headers"]
        if sum(len(name) + len(value) for name, value in headers) > LARGEST_HEAD:
            raise Refused(431, "too-large", limit=f"{LARGEST_HEAD // 1024} KiB")
        host = _only(headers, b"host")
        if host is None:
            raise Refused(400, "request", what="Host")
        name, _ = _split(host)
        if not self._door.key and name not in LOCAL:
            raise Refused(403, "forbidden")
        if scope["method"] not in METHODS or _all(headers, b"upgrade"):
            raise Refused(405 if scope["method"] not in METHODS else 403, "method")
        raw = scope.get("raw_path", scope["path"].encode()).decode("latin-1").lower()
        if any(sign in raw for sign in HIDDEN) or "\0" in scope["path"]:
            raise Refused(404, "not-found")
        if scope["method"] == "POST":
            self._check_origin(headers, host)
        return self._unlocked(scope)

    def _check_origin(self, headers: Headers, host: str) -> None:
        origins = _all(headers, b"origin")
        if any(origin.removeprefix("http://").lower() != host.lower() for origin in origins):
            raise Refused(403, "forbidden")
        if any(site not in ("same-origin", "none") for site in _all(headers, b"sec-fetch-site")):
            raise Refused(403, "forbidden")
        if not hmac.compare_digest(_only(headers, b"x-workings") or "", self._door.token):
            raise Refused(403, "forbidden")

    def _unlocked(self, scope: Scope) -> Response | None:
        """Lets in who has the key; one who brings it in the address gets a cookie instead, once."""
        if not self._door.key:
            return None
        brought = parse_qs(scope["query_string"].decode("latin-1")).get(KEY, [""])[0]
        if hmac.compare_digest(brought.encode(), self._door.key.encode()) and scope["method"] == "GET":
            response = RedirectResponse(scope["path"], 303)
            response.set_cookie(COOKIE, self._door.key, httponly=True, samesite="strict")
            return response
        try:
            kept = SimpleCookie("; ".join(_all(scope["headers"], b"cookie"))).get(COOKIE)
        except CookieError:
            kept = None
        if kept is None or not hmac.compare_digest(kept.value.encode(), self._door.key.encode()):
            raise Refused(403, "forbidden")
        return None


def _all(headers: Headers, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in headers if key == name]


def _only(headers: Headers, name: bytes) -> str | None:
    """The value of a header that stands once, else None."""
    found = _all(headers, name)
    return found[0] if len(found) == 1 else None


def _split(host: str) -> tuple[str, str]:
    """Name and port; a name may end with the dot of the root, and has no case."""
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        name, port = host, ""
    return name.lower().removesuffix("."), port
