"""The second-order step of `lumped`: phase and damping of what it resolves, and published cases with long steps."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation, simulate
from fairlead.studies.verification.record import Record

from . import lowe_and_langley, orcaflex_chains, sinking_cables

STIFFNESS = "elastic bar, one end moved to and fro: EA k cot kL, k = ω √(m/EA)"
LENGTH, AXIAL_STIFFNESS, MASS, BARS = 1000.0, 1e8, 50.0, 80  # m, N, kg/m, 1
STEPS, FADE, PERIODS = 80, 12, 22
"""Steps a period; periods in which the motion grows, and in all."""

SWING = "a pendulum in a vacuum keeps its amplitude"
WIRE, ANGLE = 30.0, math.radians(5.0)  # m, rad

MODE = "a string in a vacuum is not damped"
OWN = "the same with a step of 0.0125 s"


def check() -> Iterator[Record]:
    for way in (0.8, 1.3, 2.2):
        found = dynamic_stiffness(way)
        exact = AXIAL_STIFFNESS * way / LENGTH / math.tan(way)
        name = f"taut line of kL = {way:g}, 80 steps a period, dynamic stiffness"
        yield Record.relative(f"{name}, real part [N/m]", STIFFNESS, found.real, exact, 0.01)
        phase = math.degrees(math.atan2(found.imag * math.copysign(1.0, exact), abs(found.real)))
        yield Record.absolute(f"{name}, phase [deg]", STIFFNESS, phase, 0.0, 0.5)
    for step, bound in ((0.05, 0.005), (0.1, 0.02)):
        name = f"5 t on 30 m of wire, let go at 5 degrees, swing after 18 periods, step {step:g} s [m]"
        yield Record.relative(name, SWING, swing(step), WIRE * math.sin(ANGLE), bound)
    for steps, bound in ((100, 1e-5), (40, 2e-4)):
        name = f"first mode of a taut string, {steps} steps a period, damping ratio"
        yield Record.absolute(name, MODE, string_damping(steps), 0.0, bound)
    name = "sinking cables, junction over 600 s, step 0.3 s, largest error [m]"
    yield Record.absolute(name, OWN, sinking_error(0.3), 0.0, 0.03)
    yield from published()


def dynamic_stiffness(way: float) -> complex:
    """Pull at the moved end of a taut line over its motion, kL being `way`, N/m."""
    omega = way / LENGTH * math.sqrt(AXIAL_STIFFNESS / MASS)
    period, size = 2.0 * math.pi / omega, 0.01
    motion = {"harmonic": {"amplitude": [size, 0, 0], "period": period, "ramp": FADE * period}}
    system = System.model_validate(
        {
            "environment": {"water_density": 0, "gravity": 0},
            "types": {"wire": {"diameter": 0.05, "mass_per_length": MASS, "axial_stiffness": AXIAL_STIFFNESS}},
            "points": {
                "a": {"kind": "fixed", "position": [0, 0, 0]},
                "b": {"kind": "controlled", "position": [LENGTH + 2.0, 0, 0], "motion": motion},
            },
            "cables": {
                "wire": {
                    "type": "wire", "length": LENGTH, "elements": BARS, "start": "a", "end": "b", "allow_stretch": True,
                }
            },
            "simulation": {
                "formulation": "lumped", "duration": PERIODS * period, "step": period / STEPS,
                "output_every": 4 * period / STEPS,
            },
        }
    )  # fmt: skip
    result = simulate(system)
    time, pull = result["time"].values, -result["force_end"].sel(end="end").values[:, 0, 0]
    late = time > (FADE + 1.99) * period
    angle = omega * time[late]
    shapes = np.stack([np.sin(angle), np.cos(angle), np.ones_like(angle)], axis=1)
    real, imaginary, _ = np.linalg.lstsq(shapes, pull[late], rcond=None)[0]
    return complex(real, imaginary) / size


def swing(step: float) -> float:
    """Largest distance from the vertical of a crane's load in its 18th period, m."""
    system = System.model_validate(
        {
            "environment": {"water_density": 0},
            "types": {"wire": {"diameter": 0.03, "mass_per_length": 3.5, "axial_stiffness": 6e7}},
            "points": {
                "tip": {"kind": "fixed", "position": [0, 0, 0]},
                "load": {
                    "kind": "free", "mass": 5000.0,
                    "position": [WIRE * math.sin(ANGLE), 0, -WIRE * math.cos(ANGLE)],
                },
            },
            "cables": {"wire": {"type": "wire", "length": WIRE, "elements": 10, "start": "tip", "end": "load"}},
            "simulation": {
                "formulation": "lumped", "duration": 200.0, "step": step, "start": "catenary", "output_every": 0.1,
            },
        }
    )  # fmt: skip
    result = simulate(system)
    aside = np.abs(result["point_position"].sel(point="load").values[:, 0])
    return float(aside[result["time"].values > 187.0].max())


def string_damping(steps: int) -> float:
    """Damping ratio of the first mode of a string of 20 elements with so many steps a period, over 40 periods."""
    length, stretch, stiffness, count = 20.0, 0.01, 1e7, 20
    tension = stiffness * stretch / length
    omega = 2.0 * math.sqrt(tension / ((length + stretch) / count * length / count)) * math.sin(0.5 * math.pi / count)
    step = 2.0 * math.pi / omega / steps
    system = System.model_validate(
        {
            "environment": {"water_density": 0, "gravity": 0},
            "types": {"rope": {"diameter": 0.02, "mass_per_length": 1.0, "axial_stiffness": stiffness}},
            "points": {
                "a": {"kind": "fixed", "position": [0, 0, 0]},
                "b": {"kind": "fixed", "position": [length + stretch, 0, 0]},
            },
            "cables": {
                "rope": {
                    "type": "rope", "length": length, "elements": count, "start": "a", "end": "b",
                    "allow_stretch": True,
                }
            },
            "simulation": {"formulation": "lumped", "duration": 50 * steps * step, "step": step, "start": "catenary"},
        }
    )  # fmt: skip
    simulation = Simulation(system)
    y, shape = simulation.state, np.sin(math.pi * np.arange(count + 1) / count)
    simulation.compiled.tables(y).node.position[:, 2] = 1e-4 * shape
    simulation.set_state(0.0, y)
    sizes = []
    for periods in (1, 39):
        simulation.step(periods * steps * step)
        squares = []
        for _ in range(steps):
            seen = simulation.step(step)
            place, velocity = (np.array(seen[f"rope.{name}"])[:, 2] @ shape for name in ("position", "velocity"))
            squares.append(place**2 + (velocity / omega) ** 2)
        sizes.append(math.sqrt(float(np.mean(squares))))
    return math.log(sizes[0] / sizes[1]) / (2.0 * math.pi * 40)


def sinking_error(step: float) -> float:
    """Largest distance of the junction of the sinking cables from where a fine step has it, m."""
    values = {"types.wire.torsional_stiffness": 0, "simulation.formulation": "lumped", "simulation.duration": 600.0,
              "simulation.output_every": 3.0}  # fmt: skip
    system = sinking_cables.example().with_values(values)
    coarse, fine = (
        simulate(system.with_values({"simulation.step": h}))["point_position"].sel(point="M").values
        for h in (step, 0.0125)
    )
    return float(np.linalg.norm(coarse - fine, axis=1).max())


def published() -> Iterator[Record]:
    """Lowe and Langley's jumper and OrcaFlex's chains, with steps of 0.1 and 0.05 s (the other checks: 0.02 s)."""
    for way, name in enumerate(lowe_and_langley.SERIES):
        yield from lowe_and_langley.in_motion(way, name, " by lumped, step 0.1 s", _by(0.1))
    for mooring, amplitude, theirs in orcaflex_chains.SERIES:
        yield from orcaflex_chains.in_motion(mooring, amplitude, theirs, " by lumped, step 0.05 s", _by(0.05))


def _by(step: float) -> dict[str, object]:
    return {"simulation.formulation": "lumped", "simulation.step": step}
