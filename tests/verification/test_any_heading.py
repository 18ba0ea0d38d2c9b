"""Whole runs in any direction: everything turned about the vertical by an angle gives the same run, turned by it.

Points, motions, current, waves, the slope of the bed and its friction are turned; tensions must be the same.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
import xarray as xr

import fairlead as fl
from fairlead.reduction import compiled, reduce

HEADING_DEG = 37.0
VECTORS = ("position", "velocity", "force", "amplitude")
WIRE = {"diameter": 0.05, "mass_per_length": 6.0, "axial_stiffness": 3e5, "bending_stiffness": 40.0,
        "drag": {"normal": 1.2, "axial": 0.05}, "added_mass": {"normal": 1.0, "axial": 0.2}}  # fmt: skip
WAVES = {"kind": "regular", "height": 1.0, "period": 4.0, "direction_deg": 20.0, "ramp": 1.0}
CURRENT = [{"z": 0, "velocity": [0.6, 0.0, 0]}, {"z": -20, "velocity": [0.1, 0.3, 0]}]
BED = {"depth": 14.0, "stiffness": 3e4, "friction": 0.6, "damping": 1e3, "slope": [0.02, -0.03]}
SHIP = {"kind": "controlled", "position": [26, 3, -2],
        "motion": {"harmonics": [{"amplitude": [0.8, 0.1, 0.5], "period": 3.0, "ramp": 1.0},
                                 {"amplitude": [0.0, 0.7, 0.0], "period": 2.1, "ramp": 1.0}]}}  # fmt: skip
ANCHOR = {"kind": "fixed", "position": [0, 0, -13]}
MOORED = ("waves", "bed")


def turn_by(heading: float) -> np.ndarray:
    """The matrix of a turn about the vertical [deg]."""
    cosine, sine = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def turned(data: Any, heading: float = HEADING_DEG, key: str = "") -> Any:
    """A description of a system with everything in it turned about the vertical."""
    if isinstance(data, dict):
        return {k: turned(v, heading, k) for k, v in data.items()}
    if key == "direction_deg":
        return data + heading
    if key == "slope":
        return (turn_by(heading)[:2, :2] @ data).tolist()
    if isinstance(data, list):
        if key in VECTORS and len(data) == 3 and not isinstance(data[0], dict):
            return (turn_by(heading) @ data).tolist()
        return [turned(item, heading) for item in data]
    return data


def system(formulation: str, *things: str) -> dict[str, Any]:
    """A mooring of twelve elements whose top is moved about; `multibody`, which runs trees, has a load below it."""
    environment = {"current": CURRENT}
    if "waves" in things:
        environment |= {"waves": WAVES}
    if "bed" in things:
        environment |= {"seabed": BED}
    cable = {"type": "wire", "length": 33.0, "elements": 12, "start": "anchor", "end": "ship"}
    points = {"anchor": ANCHOR, "ship": SHIP}
    if formulation == "multibody":
        points["anchor"] = {"kind": "free", "position": [18, -4, -13.2], "mass": 40.0, "volume": 0.01, "drag_area": 0.2}
        cable |= {"length": 16.0, "elements": 6}
    return {
        "environment": environment,
        "types": {"wire": WIRE | ({"bending_stiffness": 0.0} if formulation in ("chain", "multibody") else {})},
        "points": points,
        "cables": {"wire": cable},
        "simulation": {
            "formulation": formulation, "duration": 1.25, "step": 0.005, "output_every": 0.25,
            # laid on the bed by rounding, bars would touch it in one heading and not in another
            "start": "statics" if formulation == "bars" else "catenary",
        },
    }  # fmt: skip


def run(data: dict[str, Any]) -> xr.Dataset:
    return fl.simulate(fl.System.model_validate(data))


def agree(first: xr.Dataset, second: xr.Dataset, bound: float, heading: float = HEADING_DEG) -> None:
    """The second run is the first, turned: places and velocities to `bound` m, forces to as much of the largest."""
    turn = turn_by(heading)
    for name in ("position", "velocity", "point_position", "point_velocity"):
        apart = np.abs(first[name].values @ turn.T - second[name].values)
        assert np.nanmax(apart) < bound * max(1.0, float(np.nanmax(np.abs(first[name].values)))), name
    size = float(np.nanmax(np.abs(first["tension_effective"].values)))
    assert np.nanmax(np.abs(first["tension_effective"].values - second["tension_effective"].values)) < bound * size
    for name in ("contact_force", "force_end"):
        assert np.nanmax(np.abs(first[name].values @ turn.T - second[name].values)) < bound * size, name


CASES = [
    ("bars", MOORED), ("lumped", MOORED), ("tether", MOORED), ("links", MOORED), ("spline", MOORED),
    ("multibody", MOORED), ("chain", ("waves",)),
]  # fmt: skip


@pytest.mark.parametrize(("formulation", "things"), CASES, ids=[case[0] for case in CASES])
def test_a_run_in_any_direction_is_the_same_run(formulation: str, things: tuple[str, ...]) -> None:
    data = system(formulation, *things)
    first, second = run(data), run(turned(data))
    agree(first, second, 1e-7)
    aside = first["position"].values[:, 0] - first["position"].values[0, 0]
    assert np.abs(aside[..., 0]).max() > 0.05
    assert np.abs(aside[..., 1]).max() > 0.05
    if "bed" in things and formulation != "multibody":
        assert np.abs(first["contact_force"].values[..., :2]).max() > 1.0, "friction has its part in it"


def test_a_reduced_run_in_any_direction_is_the_same_run() -> None:
    runs = []
    for data in (system("spline", "waves"), turned(system("spline", "waves"))):
        whole = fl.System.model_validate(data)
        model = reduce(fl.simulate(whole), modes=4, tension_modes=2)
        runs.append(fl.Simulation.of(compiled(whole, model)).run())
    agree(*runs, 1e-5)


@cache
def ring_on_a_wire(heading: float) -> xr.Dataset:
    """A ring that slides down a taut wire, with friction, drawn aside by a rope that is slack at first: its bars are
    laid end to end, where rounding decides on which side of each other's ends they are."""
    data: dict[str, Any] = {
        "environment": {"water_density": 0},
        "types": {"wire": WIRE | {"bending_stiffness": 0}},
        "points": {
            "low": {"kind": "fixed", "position": [0, 0, 10]},
            "high": {"kind": "fixed", "position": [20, 0, 16]},
            "ring": {"kind": "sliding", "cable": "guide", "at": 14, "friction": 0.25, "mass": 50.0},
            "load": {"kind": "free", "position": [13.4, 1.0, 9.0], "mass": 80.0, "velocity": [0.5, 0.8, 0]},
        },
        "cables": {
            "guide": {"type": "wire", "length": 21.0, "elements": 7, "start": "low", "end": "high"},
            "rope": {"type": "wire", "length": 5.0, "elements": 2, "start": "ring", "end": "load"},
        },
        "simulation": {
            "formulation": "bars", "duration": 2.0, "step": 0.002, "output_every": 0.25, "start": "catenary",
        },
    }  # fmt: skip
    return run(turned(data, heading))


@pytest.mark.parametrize("heading", [5.0, HEADING_DEG, 90.0, 123.0, 271.0])
def test_a_ring_on_a_wire_of_any_heading(heading: float) -> None:
    first, second = ring_on_a_wire(0.0), ring_on_a_wire(heading)
    agree(first, second, 1e-7, heading)
    slid = float(np.ptp(first["ring.at"].values)) if "ring.at" in first else 1.0
    assert slid > 0.1
    assert first["work_friction"].values[-1] < -1.0
