"""One commanded number of a base: its filter and its motion."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairlead.loads.signals import MOTION_HARMONIC, MOTION_TABLE
from fairlead.model.motion import BodyHarmonic, BodyMotion, Motion

from . import arrays as a


@dataclass(frozen=True)
class Control:
    """One commanded number: where it starts, its filter, and its motion."""

    base: float
    cutoff: float
    motion: Motion | BodyMotion | None
    column: int
    """1–3 for an offset, 4–6 for an angle."""

    def rows(self, table: list[float]) -> tuple[list[int], list[float]]:
        """Its records; a table of its motion goes to `table`."""
        scale = math.pi / 180.0 if self.column > 3 else 1.0
        numbers = [self.base, self.cutoff, 0.0, 0.0, 0.0, 0.0, 0.0]
        if self.motion is None:
            return [0] * a.CONTROL_INTS, numbers
        if self.motion.table is not None:
            start, rows = len(table), self.motion.table
            table += [number for row in rows for number in (row[0], scale * row[self.column])]
            return [MOTION_TABLE, start, len(rows), 2, 1], numbers
        wave = self.motion.harmonic
        assert wave is not None
        amplitude, phase = wave.amplitude, wave.phase_deg
        if self.column > 3:
            assert isinstance(wave, BodyHarmonic)
            amplitude, phase = wave.rotation_deg, wave.rotation_phase_deg
        size = scale * amplitude[(self.column - 1) % 3]
        numbers[2:] = size, 2 * math.pi / wave.period, math.radians(phase), wave.ramp, wave.start
        return [MOTION_HARMONIC, 0, 0, 0, 0], numbers

    def at_start(self) -> tuple[float, float]:
        """Value and rate at t = 0."""
        scale = math.pi / 180.0 if self.column > 3 else 1.0
        if self.motion is None:
            return self.base, 0.0
        offset = scale * self.motion.at_start[self.column - 1]
        if self.motion.table is not None:
            rows = np.array(self.motion.table)
            i = int(np.searchsorted(rows[:, 0], 0.0, side="right"))
            if not 0 < i < len(rows):
                return self.base + offset, 0.0
            slope = (rows[i, self.column] - rows[i - 1, self.column]) / (rows[i, 0] - rows[i - 1, 0])
            return self.base + offset, scale * float(slope)
        _, numbers = self.rows([])
        wave = self.motion.harmonic
        assert wave is not None
        still = wave.ramp > 0 or wave.start > 0
        return self.base + offset, 0.0 if still else numbers[2] * numbers[3] * math.cos(numbers[4])
