"""Ropes of two springs and with working curves: at rest, relaxing, and the area of their loops, by closed forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

EA, EA_D, C1, C2 = 1.0e6, 2.5e6, 2.0e6, 2.0e3  # N, N, N s, N s
EA_1 = EA * EA_D / (EA_D - EA)
LENGTH, STRAIN, JUMP, AMPLITUDE, PERIOD = 10.0, 0.01, 0.01, 0.002, 2.0  # m, 1, 1, 1, s
CURVE = [[0.0, 0.0], [0.01, 4e3], [0.05, 40e3]]
SPRINGS = {
    "axial_stiffness": EA, "axial": {"dynamic_stiffness": EA_D, "damping": C1, "dynamic_damping": C2},
}  # fmt: skip
SYROPE = {
    "axial": {
        "dynamic_stiffness": 3e6, "dynamic_per_tension": 20.0, "damping": 1e5,
        "working_curves": {"original_curve": CURVE, "shape": "exponential", "k1": 0.3, "k2": 1.2},
    }
}  # fmt: skip
SOLID = "two Kelvin elements in series (standard linear solid and its complex modulus)"
WORKED = "working curve of the largest tension: the strain that stays and the exponential above it (OTC-27761-MS)"


def pulled(formulation: str, rope: Mapping[str, object], motion: Mapping[str, object], step: float) -> Simulation:
    """A level rope without weight, stretched by 1 %, one end moved."""
    kind = {"diameter": 0.04, "mass_per_length": 1.0, "drag": "none", **rope}
    point = {"kind": "controlled", "position": [LENGTH * (1.0 + STRAIN), 0, -5], "motion": motion}
    return Simulation(
        System.model_validate(
            {
                "environment": {"water_density": 0.0, "gravity": 0.0},
                "types": {"rope": kind},
                "points": {"wall": {"kind": "fixed", "position": [0, 0, -5]}, "hand": point},
                "cables": {
                    "rope": {
                        "type": "rope", "length": LENGTH, "elements": 2, "start": "wall", "end": "hand",
                        "allow_stretch": True,
                    }
                },
                "simulation": {
                    "formulation": formulation, "start": "statics", "duration": 200.0, "step": step,
                    "lumped": {"theta": 0.5}, "bars": {"theta": 0.51},
                },
            }
        )
    )  # fmt: skip


def pull_after(simulation: Simulation, time: float) -> float:
    """Tension when a time has come, N."""
    return float(np.mean(simulation.step(time - simulation.time)["rope.tension_effective"]))


def lost(simulation: Simulation, time: float) -> float:
    """Energy that damping has taken when a time has come, J."""
    return -float(simulation.step(time - simulation.time).work_damping)


def check() -> Iterator[Record]:
    """Relaxation of a jerked rope, the loss of a cycled one, and a worked one, in both formulations that have ropes."""
    tau, w = C1 / (EA_1 + EA_D), 2.0 * np.pi / PERIOD
    modulus = 1.0 / (1.0 / (EA_1 + 1j * w * C1) + 1.0 / (EA_D + 1j * w * C2))
    jerk = {"table": [[0, 0, 0, 0], [0.1, JUMP * LENGTH, 0, 0], [9, JUMP * LENGTH, 0, 0]], "interpolation": "linear"}
    sine = {"harmonic": {"amplitude": [AMPLITUDE * LENGTH, 0, 0], "period": PERIOD}}
    slow = {"table": [[0, 0, 0, 0], [80, 0.3, 0, 0], [160, 0.1, 0, 0], [200, 0.1, 0, 0]], "interpolation": "linear"}
    for formulation in ("lumped", "bars"):
        rope = pulled(formulation, SPRINGS, jerk, 0.004)
        ramp = tau / 0.1 * np.expm1(0.1 / tau)  # of a strain that comes in 0.1 s
        exact = EA * (STRAIN + JUMP) + (EA_D - EA) * JUMP * ramp * np.exp(-0.6 / tau)
        yield Record.relative(f"{formulation}, tension 0.6 s after a jerk", SOLID, pull_after(rope, 0.6), exact, 0.01)
        exact = EA * (STRAIN + JUMP)
        yield Record.relative(f"{formulation}, tension relaxed", SOLID, pull_after(rope, 8.0), exact, 1e-4)
        rope = pulled(formulation, SPRINGS, sine, 0.01)
        before = lost(rope, 4.0)
        area = np.pi * modulus.imag * AMPLITUDE**2 * LENGTH
        yield Record.relative(f"{formulation}, loss of a cycle", SOLID, lost(rope, 6.0) - before, area, 0.02)
        rope = pulled(formulation, SYROPE, slow, 0.05)
        top, most = 0.04, float(np.interp(0.04, *np.array(CURVE).T))
        exact = most * np.expm1(1.2 * (0.02 - 0.3 * top) / (0.7 * top)) / np.expm1(1.2)
        yield Record.relative(f"{formulation}, worked rope let out", WORKED, pull_after(rope, 200.0), exact, 0.01)
