import io
import sys
from threading import Event

import pytest

from workings.cli import progress


class _Terminal(io.StringIO):
    """A terminal that says when something was written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = Event()

    def isatty(self) -> bool:
        return True

    def flush(self) -> None:
        self.written.set()


def _terminal(monkeypatch: pytest.MonkeyPatch, patience: float) -> _Terminal:
    stream = _Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", patience)
    return stream


def test_long_work_shows_a_sign_of_life_and_takes_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _terminal(monkeypatch, 0.0)
    with progress.busy("working …", wanted=True):
        assert terminal.written.wait(60)
    assert "working …" in terminal.getvalue()
    assert terminal.getvalue().endswith(progress.CLEAR_LINE)


def test_an_interruption_takes_it_back_too(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _terminal(monkeypatch, 0.0)

    def interrupted() -> None:
        with progress.busy("working …", wanted=True):
            assert terminal.written.wait(60)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert terminal.getvalue().endswith(progress.CLEAR_LINE)


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _terminal(monkeypatch, 600.0)
    with progress.busy("working …", wanted=True):
        pass
    assert terminal.getvalue() == ""


def test_nothing_where_it_is_not_wanted_or_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _terminal(monkeypatch, 0.0)
    with progress.busy("working …", wanted=False):
        pass
    assert terminal.getvalue() == ""
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    with progress.busy("working …", wanted=True):
        pass
    assert pipe.getvalue() == ""
