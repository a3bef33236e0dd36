"""Show, check and explain every number in attention."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workings.api.door import check, compare, explain, recorded, trace, worksheet
    from workings.terms.errors import WorkingsError

__version__ = "0.1.0"
__all__ = ["WorkingsError", "__version__", "check", "compare", "explain", "recorded", "trace", "worksheet"]


def __getattr__(name: str) -> Any:
    """Loads a public name when it is first asked for, so that ``import workings`` stays light."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from workings.api import door

    return getattr(door, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
