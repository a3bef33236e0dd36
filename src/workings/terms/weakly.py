"""Methods that do not hold their object: what refers to itself is forgotten only by a search for cycles."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar
from weakref import WeakMethod

Given = ParamSpec("Given")
Result = TypeVar("Result")


def weakly(method: Callable[Given, Result]) -> Callable[Given, Result]:
    """The method, to be called as long as something else holds its object."""
    held = WeakMethod(method)

    def call(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        alive = held()
        if alive is None:
            raise ReferenceError("the object of this method is gone")
        return alive(*args, **kwargs)

    return call
