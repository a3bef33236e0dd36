"""The entry point: runs a command, and turns whatever happens into output, one clear line and an exit code."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from workings.cli.output import ReaderGone, leave_quietly, note, prepare

FINE, USAGE, FAILED, INTERRUPTED = 0, 2, 3, 130
# A run leaves few cycles behind: looking for them took a twentieth of a start, and a third of a long document.
FEW_COLLECTIONS = 20_000, 20, 100
REPORT_TO = "WORKINGS_DEBUG"


def main() -> NoReturn:
    """The command `workings`."""
    gc.set_threshold(*FEW_COLLECTIONS)
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """One command line; returns the exit code by the contract, whatever happens."""
    try:
        prepare()
        return _run(list(arguments))
    except KeyboardInterrupt:
        return INTERRUPTED
    except ReaderGone:
        leave_quietly()
        return FINE
    except Exception as error:  # the promise is one line, so this is the one place that catches everything
        if os.environ.get(REPORT_TO):
            raise
        return _ours(error)


def _run(arguments: list[str]) -> int:
    import click

    from workings import __version__
    from workings.api.language import LANGUAGES, preferred
    from workings.cli.command import Program
    from workings.cli.misuse import understood
    from workings.cli.speaking import speaker
    from workings.terms.errors import WorkingsError

    lang = _asked_language(arguments, LANGUAGES) or preferred()
    speak = speaker(lang)
    try:
        code = Program(speak, lang, __version__).main(arguments, prog_name="workings", standalone_mode=False)
        return int(code or FINE)
    except click.UsageError as error:
        misuse = understood(error)
        note(speak(misuse.key, **misuse.values))
        return USAGE
    except click.Abort:
        return INTERRUPTED
    except WorkingsError as error:
        from workings.render.words import Words

        note(Words(lang).error(error))
        return error.exit_code


def _asked_language(arguments: list[str], languages: Sequence[str]) -> str | None:
    """What ``--lang`` says, before anything is parsed: help and mistakes are told in that language too."""
    found = None
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        name, given, value = argument.partition("=")
        if name == "--lang":
            value = value if given else "".join(arguments[place + 1 : place + 2])
            found = value if value in languages else found
    return found


def _ours(error: Exception) -> int:
    """An error nobody foresaw: said to be ours, in one line. A library that is not installed is named as such."""
    from workings.cli.speaking import speaker_of_environment

    speak = speaker_of_environment()
    if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("workings"):
        note(speak("cli.error.missing-library", library=error.name))
    else:
        seen = " ".join(f"{type(error).__name__}: {error}".split())
        note(speak("cli.error.ours", seen=seen, variable=REPORT_TO))
    return FAILED
