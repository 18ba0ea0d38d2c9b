"""Commands: what is moved as the file or an input says, and how it moves at first."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from fairlead.loads.responses import answer_sines
from fairlead.loads.signals import MOTION_HARMONIC, MOTION_NONE, MOTION_TABLE, SINE_NUMBERS
from fairlead.model import System
from fairlead.model.motion import BodyHarmonic, BodyMotion, Harmonic, Motion

HYBRID_CUTOFF = 10.0
"""Cut-off of the filter before a hybrid point's command [rad/s]."""

_RADIANS = math.pi / 180.0


def no_sines() -> np.ndarray:
    """Sines of a motion that has none, (0, 7)."""
    return np.zeros((0, SINE_NUMBERS))


@dataclass(frozen=True)
class Command:
    """A command of three numbers: where it starts, its filter and its motion.

    input: name of the live input; base (3,), cut-off [rad/s]; rows (t, x, y, z), or sines (n, 7) that are added:
    amplitude (3), rate [rad/s], phase, ramp [s], start [s].
    """

    input: str
    base: np.ndarray
    cutoff: float
    rows: np.ndarray | None = None
    sines: np.ndarray = field(default_factory=no_sines)

    def record(self, table: list[float]) -> tuple[int, int, int]:
        """Kind of its motion, first number and count of its rows, which are added to `table`."""
        first = len(table)
        if self.rows is not None:
            table += self.rows.ravel().tolist()
            return MOTION_TABLE, first, len(self.rows)
        table += self.sines.ravel().tolist()
        return (MOTION_HARMONIC if len(self.sines) else MOTION_NONE), first, len(self.sines)

    def at_start(self) -> tuple[np.ndarray, np.ndarray]:
        """Value and rate of change at t = 0, (3,) each."""
        value, rate = self.base.copy(), np.zeros(3)
        if self.rows is not None:
            table = self.rows
            value += [np.interp(0.0, table[:, 0], table[:, k]) for k in (1, 2, 3)]
            i = int(np.searchsorted(table[:, 0], 0.0, side="right"))
            if 0 < i < len(table):
                rate = (table[i, 1:] - table[i - 1, 1:]) / (table[i, 0] - table[i - 1, 0])
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
            cutoff = point.cutoff if point.kind == "controlled" else HYBRID_CUTOFF
            found.append(point_command(f"{name}.position", point.position, cutoff, point.motion))
    for name, body in system.bodies.items():
        if body.kind == "prescribed":
            base = np.array(body.position), _RADIANS * np.array(body.orientation_deg)
            if body.motion is not None and body.motion.raos is not None:
                sines = answer_sines(body, system.environment)
            else:
                sines = _body_sines(body.motion)
            for part, what in enumerate(("position", "rotation")):
                rows = _body_rows(body.motion, part)
                found.append(Command(f"{name}.{what}", base[part], body.cutoff, rows, sines[part]))
    return {command.input: command for command in found}


def point_command(name: str, base: object, cutoff: float, motion: Motion | None) -> Command:
    """The command of a point with this motion."""
    start = np.array(base, dtype=float)
    if motion is None:
        return Command(name, start, cutoff)
    if motion.table is not None:
        return Command(name, start, cutoff, rows=np.array(motion.table))
    return Command(name, start, cutoff, sines=np.array([sine_numbers(wave) for wave in motion.sines]))


def sine_numbers(wave: Harmonic) -> list[float]:
    """The numbers of a sine: amplitude (3), rate, phase, ramp, start."""
    return [*wave.amplitude, 2 * math.pi / wave.period, math.radians(wave.phase_deg), wave.ramp, wave.start]


def _body_rows(motion: BodyMotion | None, part: int) -> np.ndarray | None:
    """Rows (t, x, y, z) of the offset (part 0) [m] or the turn (part 1) [rad] of a body moved by a table."""
    if motion is None or motion.table is None:
        return None
    table = np.array(motion.table)
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


def first_velocity(motion: Motion | None) -> np.ndarray:
    """Velocity of a point's commanded motion at t = 0, (3,) [m/s]."""
    return point_command("", (0.0, 0.0, 0.0), 1.0, motion).at_start()[1]
