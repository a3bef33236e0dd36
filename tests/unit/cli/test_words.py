import re
from pathlib import Path

import pytest

from workings.cli.command import VERBS
from workings.render.cli_en import WORDS as ENGLISH
from workings.render.cli_zh import WORDS as CHINESE

ROOT = Path(__file__).resolve().parents[3]
SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/workings/cli").rglob("*.py"))
FIELD = re.compile(r"{(\w+)}")
# Keys that are put together from the name of a verb, of a use of it, or of something that went wrong.
BUILT = re.compile(
    rf"cli\.(top|{'|'.join(VERBS)})\.(about|argument\.\w+|example-[123])|cli\.(error|option|doctor|form)\.[\w-]+"
)


def test_both_languages_have_the_same_keys_in_the_same_order() -> None:
    assert list(ENGLISH) == list(CHINESE)


@pytest.mark.parametrize("key", ENGLISH)
def test_both_languages_use_the_same_values(key: str) -> None:
    assert sorted(FIELD.findall(ENGLISH[key])) == sorted(FIELD.findall(CHINESE[key]))


@pytest.mark.parametrize("key", ENGLISH)
def test_every_key_is_said_somewhere(key: str) -> None:
    last = key.rpartition(".")[2]
    assert key in SOURCES or (BUILT.fullmatch(key) and (f'"{last}"' in SOURCES or ".example-" in key or ".a" in key))


def test_every_mistake_has_a_sentence() -> None:
    said = set(re.findall(r'Misuse\(\s*"([\w-]+)"', SOURCES)) | set(re.findall(r'"(no[\w-]+-(?:near|or))"', SOURCES))
    assert {f"cli.error.{key}" for key in said} <= set(ENGLISH)
    assert said
