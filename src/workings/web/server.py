"""The web app on this machine: its files, its sentences, and the requests that take work."""

from __future__ import annotations

import hashlib
import json
import mimetypes
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import uvicorn
from anyio import create_task_group, fail_after, sleep_forever
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from workings.render.words import LANGUAGES
from workings.terms.errors import PortTaken
from workings.web.answers import WORKS, Reply
from workings.web.asked import Asked, Refused, language, parse
from workings.web.front import examples_of, opened_of, words_of
from workings.web.guard import LARGEST_HEAD, Door, Guard
from workings.web.holding import NOTHING, Holding, Opening
from workings.web.lanes import Lanes
from workings.web.protocol import Protocol
from workings.web.runs import Runs

STATIC = Path(__file__).parent / "static"
PAGES = ("/", "/check", "/model")
USUAL_PORT = 8428
LARGEST_BODY, LARGEST_TEXT = 8 * 2**20, 2**20
SECONDS_OF_BODY = 10
KINDS = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".woff2": "font/woff2"}


def app(door: Door, opening: Opening = NOTHING, lang: str = "") -> Starlette:
    """The whole app."""
    lanes = Lanes()
    pages = Pages(door, lang)
    holding = Holding(opening, begun=False)
    routes = [
        *(Route(path, pages.index, methods=["GET"]) for path in PAGES),
        Route("/assets/{name}", pages.asset, methods=["GET"]),
        Route("/api/words/{lang}", words, methods=["GET"]),
        Route("/api/examples/{lang}", examples, methods=["GET"]),
        Route("/api/opened", partial(opened, opening, holding), methods=["GET"]),
        Route("/api/run", partial(run_model, Runs(holding)), methods=["POST"]),
        *(Route(f"/api/{name}", partial(work, lanes, holding, name), methods=["POST"]) for name in WORKS),
    ]
    handlers = {HTTPException: _refused_by_routing, Refused: _refused, Exception: _broken}
    guards = [Middleware(Guard, door=door)]

    @asynccontextmanager
    async def lifespan(served: Starlette) -> AsyncIterator[None]:
        holding.begin()
        async with create_task_group() as group:
            group.start_soon(warmed, lanes, holding)
            yield
            group.cancel_scope.cancel()
        holding.close()

    return Starlette(routes=routes, middleware=guards, exception_handlers=handlers, lifespan=lifespan)


# --- files -----------------------------------------------------------------------------------------------------------


class Pages:
    """The built front end, read once; nothing else can be asked for."""

    def __init__(self, door: Door, lang: str) -> None:
        self._lang = lang
        self._files = {path.name: path.read_bytes() for path in sorted(STATIC.iterdir()) if path.is_file()}
        index = self._files.pop("index.html").decode("utf-8")
        self._index = index.replace("{{token}}", escape(door.token))

    async def index(self, request: Request) -> Response:
        """The page; what it shows, it tells from its address."""
        page = self._index.replace("{{lang}}", self._lang or preferred(request))
        return Response(page, media_type="text/html", headers={"cache-control": "no-store"})

    async def asset(self, request: Request) -> Response:
        """One file of it."""
        name = request.path_params["name"]
        content = self._files.get(name)
        if content is None:
            raise Refused(404, "not-found")
        tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        kind = KINDS.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Response(content, media_type=kind, headers=headers)


def preferred(request: Request) -> str:
    """The first of our languages among those that the browser names."""
    named = (
        item.partition(";")[0].strip()[:2].lower() for item in request.headers.get("accept-language", "").split(",")
    )
    return next((lang for lang in named if lang in LANGUAGES), LANGUAGES[0])


# --- what takes no work ----------------------------------------------------------------------------------------------


async def words(request: Request) -> Response:
    """The sentences of the page in one language."""
    return JSONResponse(words_of(_language(request)))


async def examples(request: Request) -> Response:
    """The built-in examples, the simplest first."""
    return JSONResponse(examples_of(_language(request)))


async def opened(opening: Opening, holding: Holding, request: Request) -> Response:
    """What the command line named."""
    return JSONResponse(opened_of(opening, holding))


def _language(request: Request) -> str:
    lang = request.path_params["lang"]
    if lang not in LANGUAGES:
        raise Refused(404, "not-found")
    return str(lang)


# --- what takes work -------------------------------------------------------------------------------------------------


async def work(lanes: Lanes, holding: Holding, name: str, request: Request) -> Response:
    """One request, answered in another process."""
    body = await _body(request, LARGEST_BODY)

    async def left() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    found = await lanes.run(name, body, holding.sources, left)
    return Response(status_code=499) if found is None else _response(found)


async def run_model(runs: Runs, request: Request) -> Response:
    """A text that the opened model reads; the answer goes on while it runs."""
    body = await _body(request, LARGEST_TEXT)
    lang = LANGUAGES[0]
    try:
        asked = parse(body)
        lang = language(asked)
        return runs.answer(Asked(asked))
    except Refused as refused:
        return _refusal(refused, lang)


async def warmed(lanes: Lanes, holding: Holding) -> None:
    """Has the recording opened, and what that takes loaded, before anybody asks for a number of it."""
    if not holding.first:
        return
    asked: dict[str, Any] = {"recording": holding.first, "lang": LANGUAGES[0]}
    with suppress(Refused):
        found = await lanes.run("recording", json.dumps(asked).encode(), holding.sources, sleep_forever)
        layers = json.loads(found.body).get("layers") if found is not None else []
        asked["heads"] = layers[0]["heads"][:1] if layers else []
        await lanes.run("thumbs", json.dumps(asked).encode(), holding.sources, sleep_forever)


async def _body(request: Request, most: int) -> bytes:
    """The JSON of a request, no larger and no later than allowed."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused(415, "media-type")
    too_large = Refused(413, "too-large", limit=f"{most // 2**20} MiB")
    stated = request.headers.get("content-length", "0")
    if not stated.isdecimal() or int(stated) > most:
        raise too_large
    data = bytearray()
    try:
        with fail_after(SECONDS_OF_BODY):
            async for chunk in request.stream():
                data += chunk
                if len(data) > most:
                    raise too_large
    except TimeoutError:
        raise Refused(408, "late") from None
    except ClientDisconnect:
        raise Refused(400, "late") from None
    return bytes(data)


def _response(found: Reply) -> Response:
    headers = {"cache-control": "no-store"}
    if found.filename:
        headers["content-disposition"] = f"attachment; filename*=UTF-8''{quote(found.filename)}"
    return Response(found.body, found.status, headers, found.media)


# --- what goes wrong -------------------------------------------------------------------------------------------------


async def _refused(request: Request, refused: Any) -> Response:
    return _refusal(refused, preferred(request))


def _refusal(refused: Refused, lang: str) -> Response:
    headers = {"retry-after": "2"} if refused.status == 503 else {"connection": "close"}
    return JSONResponse(refused.body(lang), refused.status, headers)


async def _refused_by_routing(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return await _refused(request, Refused(status, "method" if status == 405 else "not-found"))


async def _broken(request: Request, error: Exception) -> Response:
    return await _refused(request, Refused(500, "broken"))


# --- running ---------------------------------------------------------------------------------------------------------


def listening(host: str, port: int | None) -> socket.socket:
    """A socket at a port: the one asked for, or the usual one, or any. Raises ``PortTaken``."""
    for wanted in (USUAL_PORT, 0) if port is None else (port,):
        found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, wanted))
            found.listen(64)
        except OSError as error:
            found.close()
            if port is not None or wanted == 0:
                raise PortTaken(port=wanted, reason=error.strerror or str(error)) from None
            continue
        return found
    raise AssertionError("port 0 is never taken")


def run(sock: socket.socket, door: Door, opening: Opening, lang: str) -> None:
    """Serves until it is interrupted."""
    config = uvicorn.Config(
        app(door, opening, lang),
        http=Protocol,
        ws="none",
        lifespan="on",
        log_level="error",
        access_log=False,
        server_header=False,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        timeout_keep_alive=15,
        limit_concurrency=100,
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[sock])


def new_key() -> str:
    """A key for those who ask from elsewhere."""
    return secrets.token_urlsafe(16)
