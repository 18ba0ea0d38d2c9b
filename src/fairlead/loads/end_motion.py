"""Controlled points whose motion may be several sines: their records, their commands, and how they follow them.

A record is `CONTROL_INTS` integers (point, kind of motion, first number of its table, rows, first sine, number of
sines) and `CONTROL_REALS` numbers (position (3), cut-off, amplitude (3), angular frequency, phase, ramp, start); a
further sine is `SINE_REALS` numbers (amplitude (3), angular frequency, phase, ramp, start).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.loads.signals import MOTION_HARMONIC, MOTION_NONE, MOTION_TABLE, motion_offset
from fairlead.model import System
from fairlead.model.points import Harmonic

CONTROL_INTS, CONTROL_REALS, SINE_REALS = 6, 11, 7


@dataclass(frozen=True)
class Controls:
    """Records of the controlled points, (controlled, CONTROL_INTS) and (controlled, CONTROL_REALS), and their sines."""

    ints: np.ndarray
    reals: np.ndarray
    sines: np.ndarray


def sine_numbers(wave: Harmonic) -> list[float]:
    """The numbers of a sine."""
    return [*wave.amplitude, 2 * math.pi / wave.period, math.radians(wave.phase_deg), wave.ramp, wave.start]


def control_records(
    system: System, names: Sequence[str], sines: Mapping[str, tuple[Harmonic, ...]], table: list[float]
) -> Controls:
    """Records of the controlled points `names`; rows of motion tables are added to `table`."""
    ints, reals = np.zeros((len(names), CONTROL_INTS), dtype=np.int64), np.zeros((len(names), CONTROL_REALS))
    further: list[list[float]] = []
    for k, name in enumerate(names):
        point = system.points[name]
        assert point.kind == "controlled"
        ints[k, :2] = k, MOTION_NONE
        reals[k, :3], reals[k, 3] = point.position, point.cutoff
        waves = sines.get(name, ())
        ints[k, 4:] = len(further), len(waves)
        further += [sine_numbers(wave) for wave in waves]
        if point.motion is None:
            continue
        if point.motion.table is not None:
            ints[k, 1:4] = MOTION_TABLE, len(table), len(point.motion.table)
            table += [number for row in point.motion.table for number in row]
        elif point.motion.harmonic is not None:
            ints[k, 1] = MOTION_HARMONIC
            reals[k, 4:] = sine_numbers(point.motion.harmonic)
    return Controls(ints, reals, np.array(further).reshape(-1, SINE_REALS))


def first_offset(waves: Sequence[Harmonic]) -> np.ndarray:
    """Offset (3,) of further sines at t = 0, m."""
    offset = np.zeros(3)
    for wave in waves:
        if wave.ramp == 0 and wave.start == 0:
            offset += np.array(wave.amplitude) * math.sin(math.radians(wave.phase_deg))
    return offset


@kernel
def commanded(t, k, u, records, numbers, sines, table, ints, reals):
    """Commanded position of controlled point k: the live input where it is a number, else the file's motion.

    `records`, `numbers`, `sines` and `table` are where these begin in ints and reals.
    """
    if not (math.isnan(u[3 * k]) or math.isnan(u[3 * k + 1]) or math.isnan(u[3 * k + 2])):
        return (u[3 * k], u[3 * k + 1], u[3 * k + 2])
    kind, at = records + CONTROL_INTS * k, numbers + CONTROL_REALS * k
    x, y, z = motion_offset(t, ints[kind + 1], table + ints[kind + 2], ints[kind + 3], at + 4, reals)
    for i in range(ints[kind + 5]):
        dx, dy, dz = motion_offset(t, MOTION_HARMONIC, 0, 0, sines + SINE_REALS * (ints[kind + 4] + i), reals)
        x += dx
        y += dy
        z += dz
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
