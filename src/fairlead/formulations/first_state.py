"""Where the first state of a compiled system stands in its arrays, for a program that makes it anew without Python.

A formulation that offers this (`KernelCompiled.laid`, `KernelCompiled.still`) lets an FMU follow parameters on which
the first shape depends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class LaidCable:
    """Where the first shape of a cable of rigid elements goes: its elements and joint forces in `y`, its end frames in
    `reals`."""

    reversed: bool
    """Whether it is stored against the direction of the file."""
    bodies: int
    """Its first element in `y`: position of its middle, then a quaternion."""
    stride: int
    """Numbers an element."""
    multipliers: int
    """The force in its first joint in `y`, one joint more than elements."""
    clamps: tuple[int, int]
    """Frames of its end joints in `reals`."""
    directions: tuple[Vector, Vector]
    """Given directions of its clamps, in the order in which it is stored; zero: as the cable lies."""
    shaped_clamps: bool
    """Whether a clamp takes its direction from the first shape."""


@dataclass(frozen=True)
class Still:
    """The system while time stands still, for relaxation: no motion, no release, no friction, all the damping the
    scheme can give."""

    ints: np.ndarray
    reals: np.ndarray
    kind: int
    moves: np.ndarray
    """Where positions and quaternions stand in the state."""
    rates: np.ndarray
    """Where velocities do."""
    kept: tuple[tuple[int, int], ...]
    """Parts of the state that relaxation leaves alone."""
