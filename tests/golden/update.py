"""Golden files: every built-in example in every text-like target and language. ``make golden`` writes them anew."""

from __future__ import annotations

from pathlib import Path

import workings as w
from workings.examples import library

FOLDER = Path(__file__).parent / "files"
EXTENSIONS = {"text": "txt", "markdown": "md"}
LANGUAGES = ("en", "zh")


def drawn(name: str, target: str, lang: str) -> str:
    """One example as a reader sees it."""
    told = w.explain(name).explain(lang=lang)
    return str(told.to_text() if target == "text" else told.to_markdown())


def path(name: str, target: str, lang: str) -> Path:
    """Where its golden file lies."""
    return FOLDER / f"{name}.{lang}.{EXTENSIONS[target]}"


def every() -> list[tuple[str, str, str]]:
    """All combinations."""
    return [(name, target, lang) for name in library.names() for target in EXTENSIONS for lang in LANGUAGES]


def main() -> None:
    """Write every golden file, and remove those of examples that are gone."""
    FOLDER.mkdir(exist_ok=True)
    kept = set()
    for name, target, lang in every():
        file = path(name, target, lang)
        file.write_text(drawn(name, target, lang), encoding="utf-8")
        kept.add(file)
    for file in set(FOLDER.iterdir()) - kept:
        file.unlink()


if __name__ == "__main__":
    main()
