"""Vision transformers: an image in patches."""

from workings.models.family import Family

FAMILY = Family(
    name="ViT",
    kinds=("vit",),
    inputs="image",
)
