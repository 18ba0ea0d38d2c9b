"""Cables of any formulation on a hull: the hull carries their weight, and momentum is that of both together."""

import numpy as np
import pytest

from fairlead.formulations import compile_system
from fairlead.hydro.fastened import FormulationCable
from fairlead.hydro.mechanism import RigidBodies, RigidBody
from fairlead.hydro.subcycling import Fastening, WithCables, glide
from fairlead.model import System
from fairlead.shape.layout import first_geometry

HULL, LOAD, LINE, LENGTH = 1000.0, 100.0, 1.0, 8.0


def pendulum(formulation: str) -> FormulationCable:
    """A load on a line below a point that a hull leads, in air."""
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0},
            "types": {"wire": {"diameter": 0.01, "mass_per_length": LINE, "axial_stiffness": 1e6}},
            "points": {
                "fairlead": {"kind": "controlled", "position": [0, 0, -1], "cutoff": 200.0},
                "load": {"kind": "free", "position": [0, 0, -1 - LENGTH * 1.001], "mass": LOAD},
            },
            "cables": {
                "line": {
                    "type": "wire", "length": LENGTH, "elements": 4, "start": "fairlead", "end": "load",
                    "allow_stretch": True,
                }
            },
            "simulation": {"formulation": formulation, "duration": 1, "step": 0.005},
        }
    )  # fmt: skip
    return FormulationCable(compile_system(system, first_geometry(system), formulation), "fairlead", 0.005)


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_a_hull_carries_its_cable_and_shares_its_momentum(formulation):
    """Pushed to 0.5 m/s with a load hanging below, the two go on at their common speed in the mean."""
    cable = pendulum(formulation)
    body = RigidBody(HULL, free=(True, False, True, False, False, False), velocity=np.array([0.5, 0.0, 0.0]))
    mechanism = WithCables(RigidBodies([body]), [Fastening(cable, 0, np.array([0.0, 0.0, -1.0]))])
    hung = LOAD + LINE * LENGTH
    f0 = np.array([0.0, 0.0, (HULL + hung) * 9.81, 0.0, 0.0, 0.0])
    y = mechanism.initial_state()
    swing = 2.0 * np.pi * np.sqrt(LENGTH / 9.81 * HULL / (HULL + hung))
    pulls, speeds, n = [], [], 160
    for i in range(2 * n):
        y = glide(mechanism, i * swing / n, y, swing / n, 3, lambda t: (f0, np.zeros((6, 6))))
        pulls.append(y[-1])
        speeds.append(y[7])
    assert np.mean(pulls[n:]) == pytest.approx(-hung * 9.81, rel=0.01)
    assert np.mean(speeds[n:]) == pytest.approx(0.5 * HULL / (HULL + hung), rel=0.02)
    assert np.ptp(speeds[n:]) == pytest.approx(2.0 * 0.5 * hung / (HULL + hung), rel=0.15)


def test_a_point_without_cables_cannot_be_fastened():
    """The message says what to do."""
    compiled = pendulum("lumped").compiled
    compiled.inputs["crane.position"] = slice(0, 3)
    with pytest.raises(ValueError, match="no cable ends at 'crane'"):
        FormulationCable(compiled, "crane", 0.01)
