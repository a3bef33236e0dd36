"""Where a result goes: standard output, or a file that is either written whole or not touched."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

from workings.terms.errors import FileUnwritable
from workings.terms.files import writing

if TYPE_CHECKING:
    from workings.explaining.tree import Document
    from workings.render.words import Words

ENCODING = "utf-8"


class ReaderGone(Exception):
    """Whoever read our output has had enough. No ``OSError``, which click would take for a failure."""


def prepare() -> None:
    """UTF-8 whatever the locale says, and no character that could not be written."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding=ENCODING, errors="backslashreplace", newline="\n")


def wants_color(choice: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether standard output gets colour: ``NO_COLOR`` beats ``FORCE_COLOR``, an option beats both."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return environment["FORCE_COLOR"] != "0"
    return sys.stdout is not None and sys.stdout.isatty() and environment.get("TERM") != "dumb"


def draw_colored(document: Document, words: Words) -> str:
    """A display tree for a terminal: as wide as the one that standard output is, or never wrapped."""
    import shutil

    from workings.render import terminal

    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    if sys.stdout is not None and sys.stdout.isatty():
        environment["COLUMNS"] = str(shutil.get_terminal_size().columns)
    buffer = io.StringIO()
    terminal.draw(document, words, terminal.open_console(buffer, "always", environment))
    return buffer.getvalue()


def emit(drawn: str | bytes, path: str | None) -> None:
    """Write a result: a text with its last line ended, or bytes. Raises ``FileUnwritable``; ``ReaderGone``."""
    whole = drawn if isinstance(drawn, bytes) or not drawn or drawn.endswith("\n") else drawn + "\n"
    if path is not None:
        write_whole(path, _encoded(whole))
        return
    if sys.stdout is None:
        raise FileUnwritable(path="stdout", reason="closed")
    with writing("stdout"):
        try:
            _write_all(sys.stdout, whole)
        except BrokenPipeError as error:
            raise ReaderGone from error


def _encoded(whole: str | bytes) -> bytes:
    return whole if isinstance(whole, bytes) else whole.encode(ENCODING, "backslashreplace")


def _write_all(stream: TextIO, whole: str | bytes) -> None:
    """Every byte or an error: an unbuffered stream takes what fits and drops the rest without a word."""
    stream.flush()
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(whole if isinstance(whole, str) else whole.decode(ENCODING, "backslashreplace"))
        stream.flush()
        return
    raw = getattr(buffer, "raw", buffer)
    rest = memoryview(_encoded(whole))
    while rest:
        written = raw.write(rest)
        if written is None:  # a stream that does not block, and takes no more for now
            import select

            select.select([], [raw], [])
            written = 0
        rest = rest[written:]


def write_whole(path: str, content: bytes) -> None:
    """The new file or the old one, never half: a neighbour is written and flushed to disk, then takes its place."""
    from tempfile import mkstemp

    with writing(path):
        target = os.path.realpath(path)  # a link keeps pointing to the file it names
        if os.path.isdir(target):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        exists = os.path.exists(target)
        if exists and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if exists and not os.path.isfile(target):  # a device or a pipe is written into, not replaced
            with open(target, "wb") as device:
                device.write(content)
            return
        folder = os.path.dirname(target)
        handle, temporary = mkstemp(prefix=".workings-", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, _mode(target, exists=exists))
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        _flush_folder(folder)


def _mode(target: str, *, exists: bool) -> int:
    """The mode that the file has, or that a new file would get."""
    if exists:
        return os.stat(target).st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _flush_folder(folder: str) -> None:
    """Makes the new name durable, where the system lets folders be flushed."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def note(line: str) -> None:
    """One line on standard error, which never carries a result."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            print(f"workings: {line}", file=sys.stderr)


def leave_quietly() -> None:
    """After a broken pipe: what is still buffered goes nowhere, and the interpreter has nothing to complain about."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
