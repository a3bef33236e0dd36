"""Which language people are spoken to in, where they did not say."""

from __future__ import annotations

import os
from collections.abc import Mapping

LANGUAGES = ("en", "zh")
VARIABLES = ("WORKINGS_LANG", "LC_ALL", "LC_MESSAGES", "LANG")


def preferred(environment: Mapping[str, str] = os.environ) -> str:
    """The first variable that is set decides, as in POSIX; a language that we do not speak becomes English."""
    for variable in VARIABLES:
        value = environment.get(variable, "")
        if value:
            language = value.replace("_", "-").partition("-")[0].partition(".")[0].lower()
            return language if language in LANGUAGES else "en"
    return "en"
