"""Controlled points: their records, their commands, and how they follow them.

A record is `CONTROL_INTS` integers (kind of motion, first number of its rows, rows) and `CONTROL_REALS` numbers
(position (3), cut-off).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.loads.commands import point_command
from fairlead.loads.signals import motion_offset
from fairlead.model import System

CONTROL_INTS, CONTROL_REALS = 3, 4


@dataclass(frozen=True)
class Controls:
    """Records of the controlled points, (controlled, CONTROL_INTS) and (controlled, CONTROL_REALS)."""

    ints: np.ndarray
    reals: np.ndarray


def control_records(system: System, names: Sequence[str], table: list[float]) -> Controls:
    """Records of the controlled points `names`; rows of their motions are added to `table`."""
    ints, reals = np.zeros((len(names), CONTROL_INTS), dtype=np.int64), np.zeros((len(names), CONTROL_REALS))
    for k, name in enumerate(names):
        point = system.points[name]
        assert point.kind == "controlled"
        ints[k] = point_command(name, point.position, point.cutoff, point.motion).record(table)
        reals[k] = *point.position, point.cutoff
    return Controls(ints, reals)


@kernel
def commanded(t, k, u, records, numbers, table, ints, reals):
    """Commanded position of controlled point k: the live input where it is a number, else the file's motion.

    `records`, `numbers` and `table` are where these begin in ints and reals.
    """
    if not (math.isnan(u[3 * k]) or math.isnan(u[3 * k + 1]) or math.isnan(u[3 * k + 2])):
        return (u[3 * k], u[3 * k + 1], u[3 * k + 2])
    kind, at = records + CONTROL_INTS * k, numbers + CONTROL_REALS * k
    x, y, z = motion_offset(t, ints[kind], table + ints[kind + 1], ints[kind + 2], reals)
    return (reals[at] + x, reals[at + 1] + y, reals[at + 2] + z)


@kernel
def fading(cutoff, h):
    """How far a difference has turned and faded after h: e^(−λh) cos λh and e^(−λh) sin λh with λ = ω/√2."""
    angle = cutoff / math.sqrt(2.0) * h
    f = math.exp(-angle)
    return f * math.cos(angle), f * math.sin(angle)


@kernel
def filtered(x, v, first, middle, goal, cutoff, h, faded):
    """Position and velocity after a step h of ẍ = ω²(goal − x) − √2 ω ẋ, the goal given at its start, middle and end.

    The goal is the parabola g through the three. The point follows it as g − √2 g′/ω + g″/ω²; what is left of any other
    difference z obeys the same equation without a goal, with λ = ω/√2 both its decay and its frequency. No cut-off is
    too fast, and a fast one makes the point follow in place and speed. `faded` is what `fading` gives.
    """
    bend = 4.0 * (first - 2.0 * middle + goal) / (h * h)
    rate = (4.0 * middle - 3.0 * first - goal) / h
    lag, lead = math.sqrt(2.0) / cutoff, bend / (cutoff * cutoff)
    decay = cutoff / math.sqrt(2.0)
    z, dz = x - (first - lag * rate + lead), v - (rate - lag * bend)
    c, s = faded
    rate += h * bend
    after = z * c + (dz / decay + z) * s
    speed = dz * c - (2.0 * decay * z + dz) * s
    return goal - lag * rate + lead + after, rate - lag * bend + speed
