"""Whisper: an encoder of sound and a decoder of text; Q is scaled before the dot product."""

from workings.models.family import ENCODER_DECODER, Family

FAMILY = Family(
    name="Whisper",
    kinds=("whisper",),
    scaled_before=True,
    parts=ENCODER_DECODER,
    inputs="sound",
)
