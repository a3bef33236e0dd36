"""The model page of a long text beside a plain static page with the same picture, in one browser, in turn.

The static page is what nobody can beat: one head's map, drawn beforehand, as an image that the browser scales, and its
tiles as images on the disk. It has no digits, no other head, and no arithmetic.
"""

from __future__ import annotations

import http.server
import json
import struct
import tempfile
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figure import Figure

TOKENS, SIDE, HEAD, TILES, FRAMES = 4096, 256, "L5.H3", 60, 90
# The page asks for its sentences, the recording and the heads' pictures before its map; the image is ready to be shown.
FIRST, TILE, TAIL, FRAME = 6.0, 3.0, 8.0, 1.5
FIRST_VIEW = """path => new Promise(done => {
  const look = () => {
    const came = path === '' ? document.images[0].complete && document.images[0].naturalWidth > 0
      : performance.getEntriesByType('resource').some(one => one.name.endsWith(path) && one.responseEnd > 0);
    if (came) requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
    else requestAnimationFrame(look);
  };
  look();
})"""
TILE_TIMES = """async ({ places, ours }) => {
  const token = document.querySelector('meta[name="workings-token"]')?.content ?? '';
  const took = [];
  for (const [row, column] of places) {
    const begin = performance.now();
    if (ours === null) {
      const reply = await fetch(`tiles/${row}-${column}.png`, { cache: 'no-store' });
      await createImageBitmap(await reply.blob());
    } else {
      const body = JSON.stringify({ ...ours, level: 0, row, column, pooled: 'max', against: null });
      const headers = { 'Content-Type': 'application/json', 'X-Workings': token };
      const reply = await fetch('/api/tile', { method: 'POST', headers, body });
      if (!reply.ok) throw new Error(await reply.text());
      await reply.arrayBuffer();
    }
    took.push(performance.now() - begin);
  }
  return took;
}"""
ZOOMING = """({ over, frames }) => new Promise(done => {
  const on = document.querySelector(over), box = on.getBoundingClientRect(), took = [];
  let last = null, scale = 1;
  const step = now => {
    if (last !== null) took.push(now - last);
    last = now;
    if (took.length === frames) { done(took); return; }
    const nearer = took.length < frames / 2;
    scale *= nearer ? 1.05 : 1 / 1.05;
    if (on.tagName === 'IMG') on.style.transform = `scale(${scale})`;
    else on.dispatchEvent(new WheelEvent('wheel', { deltaY: nearer ? -20 : 20, ctrlKey: true, bubbles: true,
      cancelable: true, clientX: box.x + box.width / 3, clientY: box.y + box.height * 2 / 3 }));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""


def run() -> list[Figure]:
    """First view, tiles and frames of both pages."""
    from playwright.sync_api import sync_playwright

    from tests.support.browser import launch
    from tests.support.serving import serving

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        recording = _recorded(Path(folder))
        plain = _static(recording, Path(folder) / "plain")
        browser = launch(playwright)
        try:
            with serving(str(recording)) as served, _served(plain) as address:
                ours = _measured(browser, f"{served.url}model#head={HEAD}", "/api/tile", ".map canvas.over")
                theirs = _measured(browser, address, "", "img")
        finally:
            browser.close()
    return _figures(ours, theirs)


def _figures(ours: dict[str, list[float]], theirs: dict[str, list[float]]) -> list[Figure]:
    name = f"the model page of SmolLM2 and {TOKENS:,} tokens / a static page with one head's picture of that size"

    def figure(what: str, key: str, percent: float, limit: float) -> Figure:
        mine, plain = (float(np.percentile(one[key], percent)) for one in (ours, theirs))
        return Figure(f"{name}: {what}", mine / plain, limit, None, f"{mine:.1f} ms and {plain:.1f} ms")

    return [
        figure("time to the first view, median", "first", 50, FIRST),
        figure(f"a tile of {SIDE} × {SIDE} weights, median", "tiles", 50, TILE),
        figure("the same, 95th percentile", "tiles", 95, TAIL),
        figure("time between frames while zooming, median", "frames", 50, FRAME),
        figure("the same, 95th percentile", "frames", 95, FRAME * 2),
    ]


def _measured(browser: Any, address: str, ready: str, over: str) -> dict[str, list[float]]:
    """Milliseconds of one page: five first views, tiles at places drawn by chance, and the frames of a zoom."""
    first = []
    for _ in range(5):
        context = browser.new_context(viewport={"width": 1400, "height": 1000})
        page = context.new_page()
        page.goto(address)
        first.append(float(page.evaluate(FIRST_VIEW, ready)))
        if len(first) < 5:
            context.close()
    page.wait_for_timeout(5000)  # what goes on beside the first view comes to rest
    frames = page.evaluate(ZOOMING, {"over": over, "frames": FRAMES})
    ours = None
    if ready:
        opened = json.loads(page.request.get("/".join(address.split("/")[:3]) + "/api/opened").text())
        ours = {"recording": opened["recording"], "head": HEAD}
    tiles = page.evaluate(TILE_TIMES, {"places": _places(), "ours": ours})
    context.close()
    return {"first": first, "tiles": tiles, "frames": frames}


def _places() -> list[list[int]]:
    """Tiles on and below the diagonal, by chance."""
    found = np.random.default_rng(1).integers(0, TOKENS // SIDE, (TILES, 2))
    return [sorted(map(int, pair), reverse=True) for pair in found]


# --- what is looked at -----------------------------------------------------------------------------------------------


def _recorded(folder: Path) -> Path:
    from tests.support.real_models import smollm2
    from workings.models.record import Wish, record

    ids = np.random.default_rng(1).integers(10, 40_000, (1, TOKENS))
    return Path(record(smollm2(), folder / "recording", Wish(inputs={"input_ids": ids}, cached=False)))


def _static(recording: Path, folder: Path) -> Path:
    """The page that was drawn beforehand: the colours of one head, whole and in tiles."""
    import workings as w

    head = w.recorded(recording)[HEAD]
    weights = np.concatenate([head.picture.tile(range(at, at + SIDE), range(TOKENS)) for at in range(0, TOKENS, SIDE)])
    with np.errstate(divide="ignore"):
        codes = np.clip(255 + np.log(weights) * 16, 0, 255).astype(np.uint8)
    (folder / "tiles").mkdir(parents=True)
    (folder / "whole.png").write_bytes(_png(codes))
    for row, column in _places():
        part = codes[row * SIDE : (row + 1) * SIDE, column * SIDE : (column + 1) * SIDE]
        (folder / "tiles" / f"{row}-{column}.png").write_bytes(_png(part))
    page = '<!DOCTYPE html><meta charset="utf-8"><title>map</title><img src="whole.png" width="800" alt="">'
    (folder / "index.html").write_text(page, encoding="utf-8")
    return folder


def _png(codes: np.ndarray[Any, Any]) -> bytes:
    """Grey levels as an image."""
    height, width = codes.shape
    lines = np.concatenate([np.zeros((height, 1), np.uint8), codes], 1).tobytes()
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(lines)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """Any static server: Python's own."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
