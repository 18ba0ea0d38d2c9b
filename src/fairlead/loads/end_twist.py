"""Turning the end of a cable about its axis: the numbers of such a motion, and its angle at a time."""

from __future__ import annotations

import math

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.algebra.fade import fade
from fairlead.loads.signals import MOTION_HARMONIC, MOTION_NONE, MOTION_TABLE, table_value
from fairlead.model.methods import Twist

TWIST_INTS, TWIST_REALS = 4, 5
"""Integers: kind of motion, first number of its table, rows, place of its input. Numbers: mean angle, amplitude,
angular frequency, phase, ramp."""


def plane_normal(nodes: np.ndarray) -> np.ndarray:
    """Normal of the vertical plane through a cable's ends, (3,); for one that hangs straight down the x axis."""
    chord = nodes[-1] - nodes[0]
    normal = np.array([chord[1], -chord[0], 0.0])
    size = float(np.linalg.norm(normal))
    return normal / size if size > 1e-6 * float(np.linalg.norm(chord)) else np.array([1.0, 0.0, 0.0])


def twist_axis(twist: Twist | None, nodes: np.ndarray) -> np.ndarray:
    """Direction that the twist is counted against, (3,): the one given, else the normal of the cable's first plane."""
    if twist is None or twist.reference is None:
        return plane_normal(nodes)
    return np.asarray(np.array(twist.reference) / np.linalg.norm(twist.reference))


def twist_numbers(twist: Twist | None, place: int, table: list[float]) -> tuple[list[int], list[float]]:
    """The integers and numbers of a twist whose input is number `place`; rows of its table are added to `table`."""
    ints, reals = [MOTION_NONE, 0, 0, place], [0.0] * TWIST_REALS
    if twist is None:
        return ints, reals
    if twist.angle_deg is not None:
        reals[0] = math.radians(twist.angle_deg)
    elif twist.table is not None:
        ints[:3] = MOTION_TABLE, len(table), len(twist.table)
        table += [number for t, angle in twist.table for number in (t, math.radians(angle))]
    elif twist.harmonic is not None:
        wave = twist.harmonic
        ints[0] = MOTION_HARMONIC
        reals = [
            math.radians(wave.mean_deg), math.radians(wave.amplitude_deg), 2 * math.pi / wave.period,
            math.radians(wave.phase_deg), wave.ramp,
        ]  # fmt: skip
    return ints, reals


@kernel
def turned_angle(t, u, record, numbers, table, ints, reals):
    """Angle by which the end is turned against the start [rad]: the live input, else the file's motion.

    `record`, `numbers` and `table` are where its integers, its numbers and the rows of all tables begin.
    """
    live = u[ints[record + 3]]
    if not math.isnan(live):
        return live
    if ints[record] == MOTION_TABLE:
        return table_value(t, reals, table + ints[record + 1], ints[record + 2], 2, 1)
    f = math.sin(reals[numbers + 2] * t + reals[numbers + 3])
    if t < reals[numbers + 4]:
        f *= fade(t / reals[numbers + 4])[0]
    return reals[numbers] + reals[numbers + 1] * f
