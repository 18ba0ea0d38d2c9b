"""Cables under waves: one as dense as water goes with it, one held still bears Morison's force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

WATER, GRAVITY, DIAMETER = 1025.0, 9.81, 0.2  # SI
AREA = np.pi / 4.0 * DIAMETER**2  # m2
DEPTH, PERIOD = 15.0, 12.0  # m, s
OMEGA = 2.0 * np.pi / PERIOD
NUMBER = OMEGA**2 / GRAVITY  # 1/m, deep water
ADDED, DRAG = 1.0, 1.2
HELD = ("bars", "lumped", "tether", "links", "spline")
FREE = ("bars", "lumped", "tether", "links")
CARRIED = "as dense as the water: (rho V + A) a of the water = (m + A) a of the cable"
MORISON = "Morison's force of a deep-water wave, rho A (1 + Ca) a + 1/2 rho d Cd u|u|, with Wheeler's stretching"


def carried_with_the_water(formulation: str, height: float = 0.1) -> float:
    """Largest difference between the speeds of a free cable and of the water of linear waves, over the latter's.

    The cable is 4 m long, as dense as water and without drag; the waves grow over two periods.
    """
    time, _, velocity, _ = _run(formulation, height, "free", drag=0.0, duration=5.0 * PERIOD)
    share = np.clip(time / (2.0 * PERIOD), 0.0, 1.0)
    speed = share**2 * (3.0 - 2.0 * share) * 0.5 * height * OMEGA * np.exp(-NUMBER * DEPTH)
    water = speed[:, None] * np.column_stack([np.cos(OMEGA * time), 0.0 * time, -np.sin(OMEGA * time)])
    return float(np.abs(velocity - water).max() / np.abs(water).max())


def held_against_the_waves(
    formulation: str, height: float = 3.0, depth: float = 4.0, stretching: str = "wheeler"
) -> tuple[float, float]:
    """Error of the forces (horizontal and vertical) that hold a taut cable of 1 m still, over the largest force.

    The cable lies along the crests. With Wheeler's stretching the wave is seen where it is, under the crest and the
    trough; with the others where linear theory has it.
    """
    time, force, _, _ = _run(formulation, height, "fixed", DRAG, 3.0 * PERIOD, depth, stretching)
    late = time > 2.0 * PERIOD
    expected = morison_force(time, height, depth, stretching)
    scale = np.abs(expected[late]).max()
    error = np.abs(force - expected)[late].max(axis=0) / scale
    return float(error[0]), float(error[2])


def morison_force(time: np.ndarray, height: float, depth: float, stretching: str = "wheeler") -> np.ndarray:
    """Force (time, 3) [N] on 1 m of cable along y at x = 0, with weight and buoyancy."""
    angle, a = -OMEGA * time, 0.5 * height
    level = -depth - a * np.cos(angle) if stretching == "wheeler" else -depth + 0.0 * angle
    felt = a * np.exp(NUMBER * level)
    u = OMEGA * felt[:, None] * np.column_stack([np.cos(angle), 0.0 * angle, np.sin(angle)])
    push = OMEGA**2 * felt[:, None] * np.column_stack([np.sin(angle), 0.0 * angle, -np.cos(angle)])
    drag = 0.5 * WATER * DIAMETER * DRAG * np.linalg.norm(u, axis=1)[:, None] * u
    return np.asarray(WATER * AREA * (1.0 + ADDED) * push + drag)


def _run(
    formulation: str, height: float, ends: str, drag: float, duration: float, depth: float = DEPTH,
    stretching: str = "wheeler",
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """Times, force on the supports together, velocity and position of the middle.

    Bars are rods here: a slack joint moves with the bar ahead of it, and is half an element from where that one feels
    the water.
    """
    half, slack = (0.5, 0.995) if ends == "fixed" else (2.0, 1.0)
    axis = 1 if ends == "fixed" else 0
    places: list[list[float]] = [[0.0, 0.0, -depth], [0.0, 0.0, -depth]]
    places[0][axis], places[1][axis] = -half, half
    length = 2.0 * half * (1.0 if formulation == "links" else slack)
    stiffness = 1e6 if formulation in ("spline", "tether") else 1e7  # which bounds their steps; taut with either
    elements = 3 if formulation == "spline" else 6
    system: dict[str, Any] = {
        "environment": {
            "water_density": WATER, "gravity": GRAVITY,
            "waves": {"kind": "regular", "height": height, "period": PERIOD, "ramp": 2.0 * PERIOD,
                      "stretching": stretching},
        },
        "types": {"line": {
            "diameter": DIAMETER, "density": WATER, "axial_stiffness": stiffness, "damping_time": 0.005,
            "added_mass": {"normal": ADDED, "axial": 0.3},
            "drag": {"normal": drag, "axial": 0.0} if drag > 0.0 else "none",
        }},
        "points": {"a": {"kind": ends, "position": places[0]}, "b": {"kind": ends, "position": places[1]}},
        "cables": {"line": {
            "type": "line", "length": length, "elements": elements, "start": "a", "end": "b", "allow_stretch": True,
        }},
        "simulation": {"start": "catenary",
            "formulation": formulation, "duration": duration, "step": 0.01, "output_every": 0.25,
            "bars": {"compression": "carried"}},
    }  # fmt: skip
    result = Simulation(System.model_validate(system)).run()
    line = result.sel(cable="line")
    middle = line.isel(node=elements // 2)
    return (
        result["time"].values, line["force_end"].sum("end").values, middle["velocity"].values,
        middle["position"].values,
    )  # fmt: skip


def check() -> Iterator[Record]:
    """Free and held cables under regular waves, by every formulation that carries them."""
    for formulation in FREE:
        error = carried_with_the_water(formulation)
        yield Record.absolute(f"{formulation}: free cable carried by waves, speed", CARRIED, error, 0.0, 0.015)
    for formulation in HELD:
        across, up = held_against_the_waves(formulation)
        yield Record.absolute(f"{formulation}: held cable under waves, force along x", MORISON, across, 0.0, 0.01)
        yield Record.absolute(f"{formulation}: held cable under waves, force along z", MORISON, up, 0.0, 0.01)
