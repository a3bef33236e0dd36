"""Takes the pictures of a page in docs/images: light, dark, and as it is printed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

import workings as w
from tests.support.browser import launch
from tools.file_list import ROOT

FOLDER = ROOT / "docs/images"
EXAMPLE, WIDTH, HEIGHT = "kitten", 820, 1180
PRINTED_PAGE, DOTS_PER_INCH = 2, 80


def main() -> None:
    """Take every picture anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / f"{EXAMPLE}.html"
        page.write_text(w.explain(EXAMPLE, lang="en").to_html(), encoding="utf-8")
        browser = launch(playwright)
        _seen(browser, page, dark=False, to=FOLDER / "explain-light.png")
        _seen(browser, page, dark=True, to=FOLDER / "explain-dark.png")
        _printed(browser, page, to=FOLDER / "explain-print.png")
        browser.close()


def _seen(browser: Browser, file: Path, *, dark: bool, to: Path) -> None:
    """The page from its first step on, in a window."""
    context = browser.new_context(
        java_script_enabled=False, color_scheme="dark" if dark else "light", viewport={"width": WIDTH, "height": HEIGHT}
    )
    page = context.new_page()
    page.goto(f"{file.as_uri()}#weight")
    page.screenshot(path=to)
    context.close()


def _printed(browser: Browser, file: Path, *, to: Path) -> None:
    """One sheet of the page as it is printed; drawn by ``pdftoppm``."""
    drawing = shutil.which("pdftoppm")
    if drawing is None:
        raise RuntimeError("pdftoppm is missing: install Debian's poppler-utils")
    sheets, context = file.with_suffix(".pdf"), browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    page.pdf(path=sheets, format="A4")
    context.close()
    number = str(PRINTED_PAGE)
    command = [drawing, "-r", str(DOTS_PER_INCH), "-f", number, "-l", number, "-png", "-singlefile"]
    subprocess.run([*command, str(sheets), str(to.with_suffix(""))], check=True)  # noqa: S603 - our own arguments


if __name__ == "__main__":
    main()
