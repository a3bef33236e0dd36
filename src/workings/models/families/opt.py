"""OPT: Q is scaled before the dot product."""

from workings.models.family import Family

FAMILY = Family(
    name="OPT",
    kinds=("opt",),
    scaled_before=True,
)
