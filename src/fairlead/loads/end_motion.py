"""Controlled points: their records, their commands, and how they follow them.

A motion that is known in advance is followed exactly, in place, speed and acceleration. A live input is known only as
it comes; it passes a second-order filter. Where an input hands the point back to the file, the distance to the file's
motion that is left fades as the filter's own: x = x_file + z, z̈ = −ω² z − √2 ω ż. While z = 0 nothing of it is seen.

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
from fairlead.loads.signals import filter_acceleration, is_filtered, is_live, motion_at, off_motion
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
        ints[k], reals[k] = control_record(system, name, table)
    return Controls(ints, reals)


def control_record(system: System, name: str, table: list[float]) -> tuple[list[int], list[float]]:
    """Integers and numbers of one controlled point; its motion is added to `table`."""
    point = system.points[name]
    assert point.kind == "controlled"
    command = point_command(name, point)
    return list(command.record(table)), [*command.base, command.cutoff]


def first_controls(system: System, names: Sequence[str]) -> np.ndarray:
    """Position and velocity of the controlled points `names` at t = 0, (points, 6)."""
    found = np.zeros((len(names), 6))
    for row, name in zip(found, names, strict=True):
        point = system.points[name]
        assert point.kind == "controlled"
        row[:3], row[3:] = point_command(name, point).at_start()
    return found


@kernel
def file_motion(t, kind, first, rows, base, reals):
    """Position, velocity and acceleration (3 each) that the file gives what is moved about the place at `base`."""
    x, v, a = motion_at(t, kind, first, rows, reals)
    return (reals[base] + x[0], reals[base + 1] + x[1], reals[base + 2] + x[2]), v, a


@kernel
def goal_at(t, k, u, kind, first, rows, base, reals):
    """Where command k is to be: the live input where it is a number, else the file's motion."""
    if is_live(k, u):
        return (u[3 * k], u[3 * k + 1], u[3 * k + 2])
    return file_motion(t, kind, first, rows, base, reals)[0]


@kernel
def commanded(t, k, u, records, numbers, table, ints, reals):
    """Commanded position of controlled point k.

    `records`, `numbers` and `table` are where these begin in ints and reals.
    """
    kind = records + CONTROL_INTS * k
    return goal_at(
        t, k, u, ints[kind], table + ints[kind + 1], ints[kind + 2], numbers + CONTROL_REALS * k, reals
    )  # fmt: skip


@kernel
def known_motion(t, k, records, numbers, table, ints, reals):
    """Position, velocity and acceleration (3 each) of controlled point k as the file has them."""
    kind = records + CONTROL_INTS * k
    return file_motion(t, ints[kind], table + ints[kind + 1], ints[kind + 2], numbers + CONTROL_REALS * k, reals)


@kernel
def off_file(t, k, records, numbers, table, ints, reals, y, at):
    """By how much place and velocity (3 each) of controlled point k, in y from `at`, are off the file's at t."""
    kind = records + CONTROL_INTS * k
    way, first, rows = ints[kind], table + ints[kind + 1], ints[kind + 2]
    x, v, _ = known_motion(t, k, records, numbers, table, ints, reals)
    z0, dz0 = off_motion(t, way, first, rows, 0, y[at], y[at + 3], x[0], v[0], reals)
    z1, dz1 = off_motion(t, way, first, rows, 1, y[at + 1], y[at + 4], x[1], v[1], reals)
    z2, dz2 = off_motion(t, way, first, rows, 2, y[at + 2], y[at + 5], x[2], v[2], reals)
    return (z0, z1, z2), (dz0, dz1, dz2)


@kernel
def follow(t, h, k, u, records, numbers, table, ints, reals, y, at):
    """Bring position and velocity of controlled point k, six numbers in y from `at`, from t to t + h."""
    cutoff = reals[numbers + CONTROL_REALS * k + 3]
    faded = fading(cutoff, h)
    if is_filtered(k, ints[records + CONTROL_INTS * k], u):
        first = commanded(t, k, u, records, numbers, table, ints, reals)
        middle = commanded(t + 0.5 * h, k, u, records, numbers, table, ints, reals)
        goal = commanded(t + h, k, u, records, numbers, table, ints, reals)
        for i in range(3):
            y[at + i], y[at + 3 + i] = filtered(
                y[at + i], y[at + 3 + i], first[i], middle[i], goal[i], cutoff, h, faded
            )
        return
    z0, dz0 = off_file(t, k, records, numbers, table, ints, reals, y, at)
    x1, v1, _ = known_motion(t + h, k, records, numbers, table, ints, reals)
    for i in range(3):
        z, dz = filtered(z0[i], dz0[i], 0.0, 0.0, 0.0, cutoff, h, faded)
        y[at + i], y[at + 3 + i] = x1[i] + z, v1[i] + dz


STEP_NUMBERS = 15
"""What `plan_known` writes."""


@kernel
def plan_known(t, h, theta, kind, first, rows, base, reals, y, at, work, kept):
    """How what follows the file moves in a step h from t, into `work` from `kept`: STEP_NUMBERS numbers.

    Place, velocity and acceleration (3 each) for a rule x₁ = x + h v + θh² a, v₁ = v + h a; then place and velocity at
    the end of the step, which are exact. The rule's velocities are not those of the motion but v − (θ − ½)h a, as they
    are for all that moves by it: so x₁ is the motion's own to third order. h = 0: the motion as it is at t. The state
    is in y from `at`, the cut-off three numbers behind `base`.
    """
    x0, v0, a0 = file_motion(t, kind, first, rows, base, reals)
    x1, v1, a1 = x0, v0, a0
    if h > 0.0:
        x1, v1, a1 = file_motion(t + h, kind, first, rows, base, reals)
    cutoff = reals[base + 3]
    for i in range(3):
        z, dz = off_motion(t, kind, first, rows, i, y[at + i], y[at + 3 + i], x0[i], v0[i], reals)
        back = filter_acceleration(0.0, z, dz, cutoff, h)
        mean = a0[i]
        if h > 0.0:
            mean = (v1[i] - v0[i]) / h - (theta - 0.5) * (a1[i] - a0[i])
        work[kept + i] = x0[i] + z
        work[kept + 3 + i] = v0[i] + dz - (theta - 0.5) * h * a0[i]
        work[kept + 6 + i] = mean + back
        work[kept + 9 + i] = x1[i] + z + h * (dz + h * back)
        work[kept + 12 + i] = v1[i] + dz + h * back


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
