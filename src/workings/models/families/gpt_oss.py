"""The gpt-oss models: a learned sink for each head, and a window on every other layer."""

from workings.models.family import Family

FAMILY = Family(
    name="gpt-oss",
    kinds=("gpt_oss", "gpt-oss"),
)
