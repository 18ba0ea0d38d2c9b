"""Drag across and along: a loose tether that sinks, and one that streams in a current."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairlead.results import energy_balance
from fairlead.simulate import Simulation, simulate

from .systems import rope, system

DIAMETER, MASS, NORMAL, AXIAL, RHO, G = 0.02, 0.8, 1.2, 0.3, 1025.0, 9.81
WEIGHT = (MASS - RHO * math.pi / 4.0 * DIAMETER**2) * G


def sinking(end: list[float], **simulation: object):
    """10 m of loose tether from 5 m depth towards `end`."""
    return system(
        environment={"water_density": RHO, "gravity": G},
        types={
            "rope": rope(
                diameter=DIAMETER,
                mass_per_length=MASS,
                drag={"normal": NORMAL, "axial": AXIAL, "axial_area": "surface"},
            )
        },
        points={"A": {"kind": "free", "position": [0, 0, -5]}, "B": {"kind": "free", "position": end}},
        cables={"line": {"type": "rope", "length": 10, "elements": 10, "start": "A", "end": "B"}},
        simulation={"step": 0.01, "duration": 20.0, "output_every": 0.1, **simulation},
    )


@pytest.mark.parametrize(("end", "area"), [([10, 0, -5], NORMAL * DIAMETER), ([0, 0, -15], AXIAL * math.pi * DIAMETER)])
def test_it_sinks_flat_or_upright_at_its_steady_speed(end, area):
    """w = ½ ρ (C_n d or C_t π d) V²."""
    result = simulate(sinking(end))
    speed = -result["velocity"].values[-1, 0, :, 2]
    assert speed == pytest.approx(np.full(11, math.sqrt(2.0 * WEIGHT / (RHO * area))), rel=1e-3)
    assert energy_balance(result).error < 1e-3


def test_it_streams_at_its_critical_angle():
    """w cos φ = ½ ρ C_n d V² sin² φ; the tow point carries L (w sin φ + ½ ρ C_t π d V² cos² φ)."""
    speed = 1.0
    normal, axial = 0.5 * RHO * NORMAL * DIAMETER * speed**2, 0.5 * RHO * 0.02 * math.pi * DIAMETER * speed**2
    ratio = WEIGHT / (2.0 * normal)
    angle = math.acos(-ratio + math.sqrt(ratio**2 + 1.0))
    case = system(
        environment={"water_density": RHO, "gravity": G, "current": [{"z": 0, "velocity": [speed, 0, 0]}]},
        types={
            "rope": rope(
                diameter=DIAMETER,
                mass_per_length=MASS,
                drag={"normal": NORMAL, "axial": 0.02, "axial_area": "surface"},
            )
        },
        points={"A": {"kind": "fixed", "position": [0, 0, -5]}, "B": {"kind": "free", "position": [8, 0, -11]}},
        cables={"line": {"type": "rope", "length": 10, "elements": 10, "start": "A", "end": "B"}},
        simulation={"step": 0.02, "duration": 60.0},
    )
    out = Simulation(case).step(60.0)
    chords = np.diff(np.array(out["line.position"]), axis=0)
    assert np.arctan2(-chords[:, 2], chords[:, 0]) == pytest.approx(np.full(10, angle), rel=1e-3)
    pull = float(np.linalg.norm(out["line.force_start"]))
    assert pull == pytest.approx(10.0 * (WEIGHT * math.sin(angle) + axial * math.cos(angle) ** 2), rel=1e-3)
