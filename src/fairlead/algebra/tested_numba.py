"""Which numba the project knows from the inside (`shortcuts`), told without importing it."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version

TESTED = ((0, 68),)
"""Versions whose inside is known to be as the shortcuts expect it."""


@cache
def is_tested() -> bool:
    """Whether this numba leaves out of a kernel what a system is known not to have (`Schema.knowing`). Others compile
    all of it, which kernels for packs need not be able to."""
    try:
        found = re.match(r"(\d+)\.(\d+)", version("numba"))
    except PackageNotFoundError:
        return False
    return found is not None and (int(found[1]), int(found[2])) in TESTED
