"""The system's Chromium, and a page of ours in it with everything noted down that should never happen."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Dialog, Page, Playwright, Request, expect

PATIENCE = (
    60_000.0  # milliseconds: a machine with other work to do is slow, and what never comes is told of all the same
)
expect.set_options(timeout=PATIENCE)
NAMES = ("chromium", "chromium-browser", "google-chrome")


def launch(playwright: Playwright) -> Browser:
    """The browser found on the path; root may not have it sandboxed."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise RuntimeError(f"no browser: install Debian's chromium and fonts-noto-cjk, or one of {', '.join(NAMES)}")
    return playwright.chromium.launch(
        executable_path=found, args=["--no-sandbox"] if os.geteuid() == 0 else [], chromium_sandbox=os.geteuid() != 0
    )


@contextmanager
def window(browser: Browser, **options: Any) -> Iterator[Page]:
    """A page in a window of its own."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    try:
        yield context.new_page()
    finally:
        context.close()


@dataclass
class Opened:
    """A page that was opened from a file, and whatever it did beyond showing itself."""

    page: Page
    trouble: list[str] = field(default_factory=list)

    def text(self) -> str:
        """All that is written in it."""
        return self.page.locator("body").text_content() or ""

    def number(self, expression: str) -> float:
        """A number that the browser works out."""
        return float(self.page.evaluate(expression))


@contextmanager
def opened(
    browser: Browser, file: Path, *, script: bool = True, dark: bool = False, width: int = 1280
) -> Iterator[Opened]:
    """The file in a window of its own."""
    colours, viewport = "dark" if dark else "light", {"width": width, "height": 800}
    with window(browser, java_script_enabled=script, color_scheme=colours, viewport=viewport) as page:
        found = Opened(page)
        _watch(found, file.as_uri())
        page.goto(file.as_uri())
        yield found


def _watch(found: Opened, address: str) -> None:
    """Notes down what a page that was opened from a file should never do."""
    page = found.page
    page.on("console", lambda message: found.trouble.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: found.trouble.append(f"error: {error}"))
    page.on("popup", lambda popup: found.trouble.append(f"opened: {popup.url}"))

    def dismissed(dialog: Dialog) -> None:
        found.trouble.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def asked(request: Request) -> None:
        if request.url != address:
            found.trouble.append(f"asked: {request.url}")

    page.on("dialog", dismissed)
    page.on("request", asked)
    page.add_init_script("document.addEventListener('securitypolicyviolation', event => console.log(event.blockedURI))")
