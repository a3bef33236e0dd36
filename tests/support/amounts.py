"""How many random examples a test draws whose single example takes long."""

from hypothesis import settings


def at_most(count: int) -> settings:
    """As many as the profile says, and never more than ``count``: enough for a long run, and it comes to an end."""
    return settings(max_examples=min(count, settings().max_examples))
