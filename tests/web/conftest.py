"""One server for all tests of a worker."""

from collections.abc import Iterator

import pytest

from tests.support.serving import Served, serving


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    with serving() as found:
        yield found
