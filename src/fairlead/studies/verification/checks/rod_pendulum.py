"""A rod swinging on a hinge, against the elliptic integral."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ellipk

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

LENGTH, DIAMETER, DENSITY, GRAVITY = 10.0, 0.044, 1100.0, 9.81  # m, m, kg/m3, m/s2
AMPLITUDE = 1.0  # rad
DURATION = 60.0  # s
SOURCE = "period of a physical pendulum at large amplitude, complete elliptic integral; energy is conserved"


@dataclass(frozen=True)
class Swing:
    """A run: time (sample,) s, angle (sample,) rad, energy over its first value, counted from the lowest point."""

    time: np.ndarray
    angle: np.ndarray
    energy: np.ndarray

    @property
    def period(self) -> float:
        """Mean time between downward passages through the vertical, s."""
        before = np.flatnonzero((self.angle[:-1] > 0.0) & (self.angle[1:] <= 0.0))
        fraction = self.angle[before] / (self.angle[before] - self.angle[before + 1])
        passages = self.time[before] + fraction * (self.time[before + 1] - self.time[before])
        return float((passages[-1] - passages[0]) / (len(passages) - 1))


def swing(step: float) -> Swing:
    """One stiff bar hung from a fixed point, let go at rest 1 rad from the vertical, in air."""
    reach = [LENGTH * np.sin(AMPLITUDE), 0.0, -LENGTH * np.cos(AMPLITUDE)]
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": GRAVITY},
            "types": {"rod": {"diameter": DIAMETER, "density": DENSITY, "axial_stiffness": 1.8246e8}},
            "points": {"hinge": {"kind": "fixed", "position": [0, 0, 0]}, "tip": {"kind": "free", "position": reach}},
            "cables": {"rod": {"type": "rod", "length": LENGTH, "elements": 1, "start": "hinge", "end": "tip"}},
            "simulation": {"start": "catenary", "duration": DURATION, "step": step, "output_every": step},
        }
    )
    result = simulate(system)
    tip = result["position"].values[:, 0, 1]
    weight = DENSITY * np.pi / 4.0 * DIAMETER**2 * LENGTH * GRAVITY
    energy = (result["energy_kinetic"] + result["energy_gravity"]).values + 0.5 * weight * LENGTH
    return Swing(result["time"].values, np.arctan2(tip[:, 0], -tip[:, 2]), energy / energy[0])


def check() -> Iterator[Record]:
    """Mean period over 60 s, and the largest departure of the energy."""
    run = swing(0.0125)
    rate = np.sqrt(0.5 * GRAVITY * LENGTH / (LENGTH**2 / 3.0 + DIAMETER**2 / 16.0))
    period = 4.0 * float(ellipk(np.sin(0.5 * AMPLITUDE) ** 2)) / rate
    yield Record.relative("rod pendulum at 1 rad, period, step 0.0125 s", SOURCE, run.period, period, 5e-4)
    farthest = float(run.energy[np.argmax(np.abs(run.energy - 1.0))])
    yield Record.relative("rod pendulum at 1 rad, energy over 60 s, step 0.0125 s", SOURCE, farthest, 1.0, 0.01)
