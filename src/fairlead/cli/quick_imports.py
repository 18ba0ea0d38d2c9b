"""Shortcuts through what a command imports, which is half of a short run. What is imported stays the same."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


def import_quickly() -> None:
    """Take the shortcuts, for this process; before anything of the program is imported."""
    if hasattr(dataclasses, "_create_fn"):  # Python 3.13 writes all methods of a class at once, in a third of the time
        dataclasses._create_fn = _written_later(dataclasses._create_fn)
    _without_plugins()


def _written_later(create: Callable[..., Any]) -> Callable[..., Any]:
    """Methods of a dataclass other than its constructor are written when they are first called, which most never are:
    comparing, hashing, showing and freezing took as long to write for a hundred classes as a statics to solve."""

    def create_later(name: str, *described: Any, **where: Any) -> Any:
        if name == "__init__":
            return create(name, *described, **where)
        written: Any = None

        def method(*given: Any) -> Any:
            nonlocal written
            if written is None:
                written = create(name, *described, **where)
            return written(*given)

        method.__name__ = name
        return method

    return create_later


def _without_plugins() -> None:
    """No plug-in of pydantic changes how a model file is read, and what would look for them in all that is installed,
    and what that imports, is not loaded."""
    if os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__") == "__all__":
        nothing: Any = ModuleType("pydantic.plugin._loader")
        nothing.get_plugins = tuple
        sys.modules.setdefault(nothing.__name__, nothing)
