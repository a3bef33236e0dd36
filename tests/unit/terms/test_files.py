"""Files: what the system says against one becomes our error about that file, and nothing else does."""

import errno
import os

import pytest

from workings.terms.errors import FileMissing, FileUnreadable, FileUnwritable, WorkingsError
from workings.terms.files import reading, writing

DENIED = PermissionError(errno.EACCES, os.strerror(errno.EACCES), "a.txt")


def test_what_goes_well_is_left_alone() -> None:
    with reading("a.txt"), writing("a.txt"):
        pass


@pytest.mark.parametrize(
    ("raised", "error", "reason"),
    [
        (DENIED, FileUnreadable, "Permission denied"),
        (IsADirectoryError(), FileUnreadable, ""),
        (ValueError("embedded null byte"), FileUnreadable, "embedded null byte"),
        (FileNotFoundError(), FileMissing, None),
    ],
)
def test_reading(raised: Exception, error: type[WorkingsError], reason: str | None) -> None:
    with pytest.raises(error) as caught, reading("a.txt"):
        raise raised
    assert caught.value.values == {"path": "a.txt"} | ({} if reason is None else {"reason": reason})


@pytest.mark.parametrize(
    ("raised", "reason"),
    [(DENIED, "Permission denied"), (FileNotFoundError(), ""), (ValueError("closed"), "closed")],
)
def test_writing(raised: Exception, reason: str) -> None:
    with pytest.raises(FileUnwritable) as caught, writing("a.txt"):
        raise raised
    assert caught.value.values == {"path": "a.txt", "reason": reason}


@pytest.mark.parametrize("raised", [KeyError("a"), FileMissing(path="b.txt"), KeyboardInterrupt()])
def test_everything_else_passes(raised: BaseException) -> None:
    for within in (reading, writing):
        with pytest.raises(type(raised)) as caught, within("a.txt"):
            raise raised
        assert caught.value is raised
