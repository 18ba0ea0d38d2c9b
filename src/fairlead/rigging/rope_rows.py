"""Rows of ropes: what the kernels of `ropes` read, from what the file says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from fairlead.algebra.records import Tables
from fairlead.model import CableType, System
from fairlead.model.ropes import Axial

from .ropes import CURVE, EXPONENTIAL, LINEAR, QUADRATIC, SPRINGS, SYROPE
from .rows import Collected, Row

NO_ROPE = -1
LEVEL = 1e-6
"""Least slope of a quadratic working curve, of its mean: a rope that yields under no load at all has no one strain."""
_SHAPES = {"linear": LINEAR, "quadratic": QUADRATIC, "exponential": EXPONENTIAL}


def rope_row(kind: CableType, axial: Axial, first: int) -> Row:
    """One rope; its corners begin at number `first`."""
    row: Row = {
        "kind": CURVE, "static": kind.ea, "quick": 0.0, "per_tension": axial.dynamic_per_tension, "slow_damping": 0.0,
        "quick_damping": axial.dynamic_damping, "shape": LINEAR, "k1": 0.0, "k2": 0.0, "first": first,
        "count": len(axial.curve or ()),
    }  # fmt: skip
    if axial.dynamic_stiffness is not None:
        row |= {"kind": SPRINGS, "quick": axial.dynamic_stiffness, "slow_damping": axial.damping}
    if (curves := axial.working_curves) is not None:
        k2 = curves.k2
        if curves.shape == "quadratic":  # at ±1 an end of the curve is level: T/T_max moves by a quarter of LEVEL
            k2 = min(1.0 - LEVEL, max(LEVEL - 1.0, k2))
        row |= {"kind": SYROPE, "shape": _SHAPES[curves.shape], "k1": curves.k1, "k2": k2}
    return row


def add_ropes(system: System, parts: Collected) -> dict[str, int]:
    """Rows of all types that are ropes, and the numbers of these."""
    numbers: dict[str, int] = {}
    for name, kind in system.types.items():
        if kind.axial is not None:
            numbers[name] = len(numbers)
            parts.rope.append(rope_row(kind, kind.axial, len(parts.corner)))
            parts.corner += [{"strain": strain, "tension": tension} for strain, tension in kind.axial.curve or ()]
    return numbers


def remember_ropes(
    tables: Tables, system: System, tension: np.ndarray, parts: Sequence[slice], rest_memory: Callable[..., None]
) -> None:
    """Ropes begin as if they had been under this tension [N] for long; and as their history says.

    tension, parts: of all that may be a rope, and which of it each cable is; rest_memory: kernel of the formulation
    """
    for part, (most, mean) in zip(parts, first_memory(system), strict=True):
        tables.creep.most[part] = most
        if np.isfinite(mean):
            tension[part] = mean
    seen = tables.creep.most.copy()
    rest_memory(tension, tables.y, tables.ints, tables.reals, tables.work)
    tables.creep.most = seen  # a first shape is a guess, and nothing that the rope remembers


def first_memory(system: System) -> list[tuple[float, float]]:
    """Of each cable the largest mean tension it has seen, and that at the start, NaN where the first shape says it."""
    found = []
    for cable in system.cables.values():
        most, mean = (0.0, None) if cable.history is None else (cable.history.tension_max, cable.history.tension_mean)
        found.append((most, np.nan if mean is None else mean))
    return found
