"""Kernels as plain Python functions, for tests of a few calls: nothing is compiled."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any


def plain(kernel: Any, known: dict[int, Any] | None = None) -> Callable[..., Any]:
    """A kernel uncompiled, and with it every kernel that it calls."""
    known = {} if known is None else known
    if id(kernel) not in known:
        whole = kernel.py_func
        names: dict[str, Any] = {}
        known[id(kernel)] = FunctionType(whole.__code__, names, whole.__name__, whole.__defaults__)
        for name, value in whole.__globals__.items():
            names[name] = (
                plain(value, known) if name in whole.__code__.co_names and hasattr(value, "py_func") else value
            )
    function: Callable[..., Any] = known[id(kernel)]
    return function
