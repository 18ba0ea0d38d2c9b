"""Commands: what is moved as the file or an input says, and how it moves at first."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairlead.model import System
from fairlead.model.motion import BodyMotion, Motion

HYBRID_CUTOFF = 10.0
"""Cut-off of the filter before a hybrid point's command [rad/s]."""


@dataclass(frozen=True)
class Command:
    """A command of three numbers: where it starts, its filter and its motion.

    input: name of the live input; base (3,), cut-off [rad/s]; rows (t, x, y, z) or a harmonic: amplitude (3,), rate
    [rad/s], phase, ramp [s], start [s].
    """

    input: str
    base: np.ndarray
    cutoff: float
    rows: np.ndarray | None = None
    harmonic: tuple[np.ndarray, float, float, float, float] | None = None

    def at_start(self) -> tuple[np.ndarray, np.ndarray]:
        """Value and rate of change at t = 0, (3,) each."""
        value, rate = self.base.copy(), np.zeros(3)
        if self.rows is not None:
            table = self.rows
            value += [np.interp(0.0, table[:, 0], table[:, k]) for k in (1, 2, 3)]
            i = int(np.searchsorted(table[:, 0], 0.0, side="right"))
            if 0 < i < len(table):
                rate = (table[i, 1:] - table[i - 1, 1:]) / (table[i, 0] - table[i - 1, 0])
        elif self.harmonic is not None:
            amplitude, omega, phase, ramp, start = self.harmonic
            if ramp == 0 and start <= 0:
                value += amplitude * math.sin(phase - omega * start)
                rate = amplitude * (omega * math.cos(phase - omega * start))
        return value, rate


def commands_of(system: System) -> dict[str, Command]:
    """Every command of a system by the name of its input, controlled and hybrid points first, then bodies."""
    found = []
    for name, point in system.points.items():
        if point.kind in ("controlled", "hybrid"):
            cutoff = point.cutoff if point.kind == "controlled" else HYBRID_CUTOFF
            found.append(_command(f"{name}.position", point.position, cutoff, point.motion, slice(1, 4), 1.0))
    for name, body in system.bodies.items():
        if body.kind == "prescribed":
            turn = math.pi / 180.0
            angles = [turn * angle for angle in body.orientation_deg]
            found.append(_command(f"{name}.position", body.position, body.cutoff, body.motion, slice(1, 4), 1.0))
            found.append(_command(f"{name}.rotation", angles, body.cutoff, body.motion, slice(4, 7), turn))
    return {command.input: command for command in found}


def _command(
    name: str, base: object, cutoff: float, motion: Motion | BodyMotion | None, columns: slice, scale: float
) -> Command:
    start = np.array(base, dtype=float)
    if motion is None:
        return Command(name, start, cutoff)
    if motion.table is not None:
        table = np.array(motion.table)
        return Command(name, start, cutoff, rows=np.hstack([table[:, :1], scale * table[:, columns]]))
    wave = motion.harmonic
    assert wave is not None
    turning = columns.start == 4
    amplitude = wave.rotation_deg if turning else wave.amplitude  # type: ignore[union-attr]
    phase = math.radians(wave.rotation_phase_deg if turning else wave.phase_deg)  # type: ignore[union-attr]
    return Command(
        name, start, cutoff,
        harmonic=(scale * np.array(amplitude), 2 * math.pi / wave.period, phase, wave.ramp, wave.start),
    )  # fmt: skip


def first_velocity(motion: Motion | None) -> np.ndarray:
    """Velocity of a point's commanded motion at t = 0, (3,) [m/s]."""
    return _command("", (0.0, 0.0, 0.0), 1.0, motion, slice(1, 4), 1.0).at_start()[1]
