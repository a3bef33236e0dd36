"""One browser, and one server of the web app, for all tests of a worker."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

import workings as w
from tests.support.browser import launch
from tests.support.mapping import TEXT, Traced, long_text
from tests.support.serving import Served, serving


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    with serving() as found:
        yield found


@pytest.fixture(scope="session")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Traced]:
    """A short text that the built-in model read, shown by a server of its own."""
    folder = tmp_path_factory.mktemp("traced") / "short"
    w.trace("story-en", folder, text=TEXT)
    with serving(str(folder)) as found:
        yield Traced(folder, found)


@pytest.fixture(scope="session")
def long_traced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Traced]:
    """The same of a long text."""
    folder = tmp_path_factory.mktemp("traced") / "long"
    w.trace("story-en", folder, text=long_text())
    with serving(str(folder)) as found:
        yield Traced(folder, found)
