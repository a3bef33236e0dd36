"""Show, check and explain every number in attention."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workings.api import WorkingsError
    from workings.api.attending import attend
    from workings.api.checking import check
    from workings.api.comparison import compare
    from workings.api.door import explain
    from workings.api.recorded import recorded, trace
    from workings.api.worksheet import worksheet
    from workings.learning.door import learn, learned
    from workings.learning.over_time import over_time

__version__ = "0.1.0"
__all__ = [
    "WorkingsError",
    "__version__",
    "attend",
    "check",
    "compare",
    "explain",
    "learn",
    "learned",
    "over_time",
    "recorded",
    "trace",
    "worksheet",
]
_HOMES = {
    "WorkingsError": "api",
    "attend": "api.attending",
    "check": "api.checking",
    "compare": "api.comparison",
    "explain": "api.door",
    "learn": "learning.door",
    "learned": "learning.door",
    "over_time": "learning.over_time",
    "recorded": "api.recorded",
    "trace": "api.recorded",
    "worksheet": "api.worksheet",
}


def __getattr__(name: str) -> Any:
    """Loads a public name when it is first asked for, so that ``import workings`` stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
