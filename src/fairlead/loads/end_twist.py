"""Turning the end of a cable about its axis: the numbers of such a motion, and its angle at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.algebra.fade import fade
from fairlead.loads.signals import MOTION_HARMONIC, MOTION_NONE, MOTION_TABLE, table_value

if TYPE_CHECKING:
    from fairlead.model import CableType
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


def torsion_row(
    twist: Twist | None, nodes: np.ndarray, lengths: Sequence[float], kinds: Sequence[CableType]
) -> dict[str, Any]:
    """How a cable of such elements holds its twist: what that is counted against, Σ h/GJ, its damping time."""
    pairs = list(zip(lengths, kinds, strict=True))
    return {
        "axis": twist_axis(twist, nodes), "compliance": sum(h / kind.gj for h, kind in pairs),
        "time": sum(h * kind.damping_torsion for h, kind in pairs) / sum(lengths),
    }  # fmt: skip


@kernel
def turned_angle(t, k, u, sys):
    """Angle of twist k by which the end is turned against the start [rad]: the live input, else the file's motion.

    Tables: `turn` with `MOTION` and `input`, `turning` with `TWIST`, `sample`.
    """
    turn, turning = sys.turn[k], sys.turning[k]
    live = u[turn.input]
    if not math.isnan(live):
        return live
    if turn.kind == MOTION_TABLE:
        return table_value(t, sys.reals, sys.sample.start + turn.first, turn.rows, 2, 1)
    f = math.sin(turning.rate * t + turning.phase)
    if t < turning.ramp:
        f *= fade(t / turning.ramp)[0]
    return turning.angle + turning.amplitude * f
