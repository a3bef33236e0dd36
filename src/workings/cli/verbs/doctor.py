"""`workings doctor`: what is installed, what is missing and how to get it."""

from __future__ import annotations

import platform
import sys
from importlib import metadata
from typing import Any

import click

from workings import __version__
from workings.cli.command import Verb, aligned, page
from workings.cli.options import Settings, common
from workings.cli.output import emit, note, wants_color
from workings.cli.speaking import Speak

EXAMPLES = (
    "workings doctor",
    "workings doctor --json",
    "workings doctor -o doctor.txt",
)
FINE, INCOMPLETE = 0, 3
BASE = ("python-flint", "click", "rich", "numpy", "markdown-it-py", "xlsxwriter", "starlette", "uvicorn", "anyio")
EXTRAS = ("torch", "transformers", "gguf", "accelerate", "numba")


def command(speak: Speak, lang: str) -> click.Command:
    """The verb, in a language."""

    def run(**shared: Any) -> int:
        settings = Settings.of(shared, lang)
        report = examine(settings.lang, color=wants_color(settings.color))
        if settings.to == "json":
            from workings.render import json

            text = json.draw(report)
        else:
            text = told(report, speak)
        emit(text, settings.output)
        if settings.output is not None and not settings.quiet:
            note(speak("cli.note.wrote", path=settings.output))
        return FINE if report["complete"] else INCOMPLETE

    return Verb("doctor", speak, run, common(speak, ("text", "json"), precision=False), EXAMPLES)


def examine(lang: str, *, color: bool) -> dict[str, Any]:
    """``workings.doctor/1``."""
    base = [_package(name) for name in BASE]
    return {
        "schema": "workings.doctor/1",
        "version": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "base": base,
        "extras": [_package(name) for name in EXTRAS],
        "terminal": {"encoding": getattr(sys.stdout, "encoding", None), "color": color},
        "language": lang,
        "config": None,
        "complete": all(package["version"] for package in base),
    }


def _package(name: str) -> dict[str, str | None]:
    """Looked up by its records; nothing is imported."""
    try:
        return {"name": name, "version": metadata.version(name), "get": None}
    except metadata.PackageNotFoundError:
        return {"name": name, "version": None, "get": f"pip install {name}"}


def told(report: dict[str, Any], speak: Speak) -> str:
    """The report as text."""

    def said(name: str, **values: object) -> str:
        return speak(f"cli.doctor.{name}", **values)

    def rows(packages: list[dict[str, str | None]], lacking: str) -> list[str]:
        return aligned(
            [
                (
                    f"{package['name']} {package['version'] or ''}".strip(),
                    said("found") if package["version"] else said(lacking, command=package["get"]),
                )
                for package in packages
            ]
        )

    here = [
        (said("encoding"), str(report["terminal"]["encoding"])),
        (said("color"), said("yes" if report["terminal"]["color"] else "no")),
        (said("language"), report["language"]),
        (said("config"), said("none")),
    ]
    return page(
        [said("version", version=report["version"], python=report["python"], system=report["system"])],
        [said("base"), *rows(report["base"], "missing")],
        [said("extras"), *rows(report["extras"], "absent")],
        [said("here"), *aligned(here)],
        [said("complete" if report["complete"] else "incomplete")],
    )
