"""CLIP: a stack for text and one for images."""

from workings.models.family import Family

FAMILY = Family(
    name="CLIP",
    kinds=("clip",),
    parts={"text_model": "text", "vision_model": "vision"},
    inputs="text+image",
)
