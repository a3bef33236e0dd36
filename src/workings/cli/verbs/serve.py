"""`workings serve`: the web app on this machine."""

from __future__ import annotations

from typing import Any

import click

from workings.cli.command import Verb
from workings.cli.misuse import Misuse
from workings.cli.options import Count, ExampleSource, builtin_names, language_option
from workings.cli.output import note
from workings.cli.result import FINE
from workings.cli.speaking import Speak

EXAMPLES = (
    "workings serve kitten",
    "workings serve story-en --port 8000 --no-open",
    "workings serve --host 0.0.0.0 --expose",
)
LOCAL = ("127.0.0.1", "localhost", "::1")
LARGEST_PORT = 65_535


def command(speak: Speak, lang: str) -> click.Command:
    """The verb, in a language."""

    def run(
        source: str | None, against: str | None, port: int | None, host: str, expose: bool, opens: bool, **shared: Any
    ) -> int:
        if host not in LOCAL and not expose:
            raise Misuse("exposed", host=host)
        if port is not None and port > LARGEST_PORT:
            raise Misuse("no-port", seen=port, most=LARGEST_PORT)
        from workings.web.guard import Door
        from workings.web.open import opening
        from workings.web.server import listening, new_key, run

        given = opening(source, against)
        sock = listening(host, port)
        door = Door(sock.getsockname()[1], new_key() if expose else "")
        url = f"http://{_shown(host)}:{door.port}/{f'?key={door.key}' if door.key else ''}"
        url = url if given.kind in ("", "example") else url.replace("/?", "/model?") if door.key else f"{url}model"
        note(speak("web.serving", url=url))
        if expose:
            note(speak("web.exposed", host=host))
        if opens:
            import webbrowser

            webbrowser.open(url)
        run(sock, door, given, shared["lang"] or "")
        return FINE

    params: list[click.Parameter] = [
        click.Argument(["source"], type=ExampleSource(), metavar="[SOURCE]", required=False),
        click.Option(["--against"], metavar="DUMP", help=speak("cli.serve.option.against")),
        click.Option(["--port"], type=Count(0), metavar="N", help=speak("cli.serve.option.port")),
        click.Option(["--host"], default=LOCAL[0], metavar="ADDRESS", help=speak("cli.serve.option.host")),
        click.Option(["--expose"], is_flag=True, help=speak("cli.serve.option.expose")),
        click.Option(["--open/--no-open", "opens"], default=True, help=speak("cli.serve.option.open")),
        language_option(speak),
    ]
    return Verb("serve", speak, run, params, EXAMPLES, more=lambda: builtin_names(speak))


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
