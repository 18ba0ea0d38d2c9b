"""Commands: what is moved as the file or an input says, and how it moves at first."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from fairlead.loads.responses import answer_sines
from fairlead.loads.signals import (
    FILTERED,
    MOTION_HARMONIC,
    MOTION_LINEAR,
    MOTION_NONE,
    MOTION_TABLE,
    SINE_NUMBERS,
)  # fmt: skip
from fairlead.model import ControlledPoint, HybridPoint, PrescribedBody, System
from fairlead.model.interpolation import interpolated, smooth_slopes
from fairlead.model.motion import BodyHarmonic, BodyMotion, Harmonic

HYBRID_CUTOFF = 10.0
"""Cut-off of the filter before a hybrid point's command [rad/s]."""

_RADIANS = math.pi / 180.0


def no_sines() -> np.ndarray:
    """Sines of a motion that has none, (0, 7)."""
    return np.zeros((0, SINE_NUMBERS))


@dataclass(frozen=True)
class Command:
    """A command of three numbers: where it starts, its filter and its motion.

    input: name of the live input; base (3,), cut-off [rad/s]; filtered: whether its motion passes the filter too;
    velocity (3,): steady, to which is added a table of rows (t, x, y, z), `straight` between them or a smooth curve, or
    sines (n, 7): amplitude (3), rate [rad/s], phase, ramp [s], start [s]. plane: whether x and y are one horizontal
    vector, as in a position, and not two numbers by themselves, as roll and pitch are.
    """

    input: str
    base: np.ndarray
    cutoff: float
    filtered: bool = False
    velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    rows: np.ndarray | None = None
    straight: bool = False
    sines: np.ndarray = field(default_factory=no_sines)
    plane: bool = True

    @property
    def kind(self) -> int:
        """The kind of its motion, as the kernels count them."""
        if self.rows is not None:
            return MOTION_LINEAR if self.straight else MOTION_TABLE
        return MOTION_HARMONIC if len(self.sines) or self.velocity.any() else MOTION_NONE

    def record(self, table: list[float]) -> tuple[int, int, int]:
        """Kind of its motion, first number and count of its rows, which are added to `table`; see `motion_at`."""
        first, rows = len(table), self.sines if self.rows is None else self.rows
        if self.kind == MOTION_TABLE:
            rows = np.hstack([rows, smooth_slopes([tuple(row) for row in rows.tolist()], self.plane)])
        table += [*self.velocity.tolist(), *rows.ravel().tolist()]
        return self.kind + (FILTERED if self.filtered else 0), first, len(rows)

    def at_start(self) -> tuple[np.ndarray, np.ndarray]:
        """Value and rate of change at t = 0, (3,) each."""
        value, rate = self.base.copy(), self.velocity.copy()
        if self.rows is not None:
            rows = [tuple(row) for row in self.rows.tolist()]
            offset, slope = interpolated(rows, 0.0, self.straight, self.plane)
            value, rate = value + offset, rate + slope
        for *amplitude, omega, phase, ramp, start in self.sines:
            if ramp == 0 and start <= 0:
                value += np.array(amplitude) * math.sin(phase - omega * start)
                rate += np.array(amplitude) * (omega * math.cos(phase - omega * start))
        return value, rate


def commands_of(system: System) -> dict[str, Command]:
    """Every command of a system by the name of its input, controlled and hybrid points first, then bodies."""
    found = []
    for name, point in system.points.items():
        if point.kind in ("controlled", "hybrid"):
            found.append(point_command(f"{name}.position", point))
    for name, body in system.bodies.items():
        if body.kind == "prescribed":
            found += _body_commands(name, body, system)
    return {command.input: command for command in found}


def point_command(name: str, point: ControlledPoint | HybridPoint) -> Command:
    """The command of a point."""
    motion = point.motion
    rows, straight, sines = None, False, no_sines()
    if motion is not None and motion.table is not None:
        rows, straight = np.array(motion.rows), motion.interpolation == "linear"
    elif motion is not None:
        sines = np.array([sine_numbers(wave) for wave in motion.sines])
    cutoff, filtered = HYBRID_CUTOFF, False
    if isinstance(point, ControlledPoint):
        cutoff, filtered = point.cutoff, point.follow == "filtered"
    base, velocity = np.array(point.position, dtype=float), np.array(point.velocity)
    return Command(name, base, cutoff, filtered, velocity, rows, straight, sines)


def _body_commands(name: str, body: PrescribedBody, system: System) -> list[Command]:
    """The commands of a body's place and of its roll, pitch and yaw."""
    motion = body.motion
    if motion is not None and motion.raos is not None:
        sines = answer_sines(body, system.environment)
    else:
        sines = _body_sines(motion)
    straight = motion is not None and motion.interpolation == "linear"
    parts = (
        ("position", np.array(body.position, dtype=float), np.array(body.velocity)),
        ("rotation", _RADIANS * np.array(body.orientation_deg), np.zeros(3)),
    )
    return [
        Command(
            f"{name}.{what}",
            base,
            body.cutoff,
            body.follow == "filtered",
            velocity,
            _body_rows(motion, part),
            straight,
            sines[part],
            plane=what == "position",
        )
        for part, (what, base, velocity) in enumerate(parts)
    ]


def sine_numbers(wave: Harmonic) -> list[float]:
    """The numbers of a sine: amplitude (3), rate, phase, ramp, start."""
    return [*wave.amplitude, 2 * math.pi / wave.period, math.radians(wave.phase_deg), wave.ramp, wave.start]


def _body_rows(motion: BodyMotion | None, part: int) -> np.ndarray | None:
    """Rows (t, x, y, z) of the offset (part 0) [m] or the turn (part 1) [rad] of a body moved by a table."""
    if motion is None or motion.table is None:
        return None
    table = np.array(motion.rows)
    return np.hstack([table[:, :1], (1.0, _RADIANS)[part] * table[:, 1 + 3 * part : 4 + 3 * part]])


def _body_sines(motion: BodyMotion | None) -> tuple[np.ndarray, np.ndarray]:
    """Sines (n, 7) of the offset [m] and the turn [rad] of a body."""

    def row(wave: BodyHarmonic, amplitude: object, phase_deg: float) -> list[float]:
        return [*np.array(amplitude), 2 * math.pi / wave.period, math.radians(phase_deg), wave.ramp, wave.start]

    if motion is None or not motion.sines:
        return no_sines(), no_sines()
    offset = [row(wave, wave.amplitude, wave.phase_deg) for wave in motion.sines]
    turn = [row(wave, _RADIANS * np.array(wave.rotation_deg), wave.rotation_phase_deg) for wave in motion.sines]
    return np.array(offset), np.array(turn)
