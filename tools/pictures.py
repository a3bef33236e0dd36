"""Takes the pictures in docs/images: an explanation, a worksheet, reports, a matrix, and the pages of the web app."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

import workings as w
from tests.support.browser import launch
from tests.support.mapping import mapping
from tests.support.serving import serving
from tests.support.visiting import Reader, visiting
from tools.file_list import ROOT
from tools.generated import NOTES

FOLDER = ROOT / "docs/images"
EXAMPLE, TALL, WIDE = "kitten", (820, 1180), (1280, 620)
STORY = "the kitten chased the puppy . then it meowed . the puppy was happy . the kitten"
PRINTED_PAGE, DOTS_PER_INCH = 2, 80


def main() -> None:
    """Take every picture anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    trace = w.explain(EXAMPLE, lang="en")
    (FOLDER / "matrix.svg").write_text(str(trace["weight"].draw("svg")), encoding="utf-8")
    for lang in ("en", "zh"):
        learned = w.learned(f"story-{lang}", lang=lang)
        (FOLDER / f"learned-{lang}.svg").write_text(learned.to_svg(), encoding="utf-8")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        page, sheet, report = (Path(folder) / name for name in ("explain.html", "sheet.html", "report.html"))
        page.write_text(trace.to_html(), encoding="utf-8")
        sheet.write_text(w.worksheet(EXAMPLE, seed=7, blanks=8, lang="en").to_html(), encoding="utf-8")
        with chdir(folder):  # the page is headed by the document's name as it was given
            Path("notes.md").write_text(NOTES, encoding="utf-8")
            report.write_text(w.check("notes.md", lang="en").to_html(), encoding="utf-8")
        browser = launch(playwright)
        _seen(browser, f"{page.as_uri()}#weight", FOLDER / "explain-light.png")
        _seen(browser, f"{page.as_uri()}#weight", FOLDER / "explain-dark.png", dark=True)
        _printed(browser, page, to=FOLDER / "explain-print.png")
        _seen(browser, f"{sheet.as_uri()}#weight", FOLDER / "worksheet.png")
        _seen(browser, report.as_uri(), FOLDER / "check.png", size=WIDE)
        _app(browser)
        _model(browser, Path(folder) / "recording")
        browser.close()


def _app(browser: Browser) -> None:
    """The web app as its readers see it, each at the same number."""
    place = "example=kitten&step=score&cell=score[2,0]"
    readers = {
        "app-light": Reader("en"),
        "app-dark": Reader("en", dark=True),
        "app-zh": Reader("zh"),
        "app-phone": Reader("zh", 390),
    }
    with serving() as served:
        for name, reader in readers.items():
            with visiting(browser, served, reader, place) as visit:
                visit.told("score[2,0]")
                visit.find(".badge.good").wait_for()
                if reader.touches:
                    visit.page.evaluate("scrollTo(0, document.querySelector('.stage').offsetTop - 8)")
                visit.page.screenshot(path=FOLDER / f"{name}.png")
        with visiting(browser, served, Reader("en"), "example=kitten&step=scaled&quiz=7") as visit:
            blank = visit.cell("scaled[0,1]").locator("input")
            blank.fill("0.05")
            blank.press("Enter")
            visit.find(".verdict.wrong").wait_for()
            visit.find(".why summary").click()
            visit.page.screenshot(path=FOLDER / "app-quiz.png")
        with visiting(browser, served, Reader("en"), path="check") as visit:
            visit.find("textarea").fill(NOTES)
            visit.button("check.go").click()
            visit.find(".findings").wait_for()
            visit.button("check.next").click()
            visit.page.screenshot(path=FOLDER / "app-check.png")


def _model(browser: Browser, folder: Path) -> None:
    """The maps of a recording's heads."""
    w.trace("story-en", folder, text=STORY)
    place = "head=L1.H1&cell=8,2&sort=induction"
    with serving(str(folder)) as served:
        for name, reader in {"app-model": Reader("en"), "app-model-zh": Reader("zh", dark=True)}.items():
            with mapping(browser, served, reader, f"{place}&z=5.6&at=11,6" if reader.dark else place) as visit:
                visit.told("L1.H1.weight[8,2]")
                visit.page.locator(".heads .thumb canvas").nth(3).wait_for()
                visit.page.screenshot(path=FOLDER / f"{name}.png")


def _seen(browser: Browser, place: str, to: Path, *, dark: bool = False, size: tuple[int, int] = TALL) -> None:
    """A window at one place of a page."""
    context = browser.new_context(
        java_script_enabled=False,
        color_scheme="dark" if dark else "light",
        viewport={"width": size[0], "height": size[1]},
    )
    page = context.new_page()
    page.goto(place)
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
