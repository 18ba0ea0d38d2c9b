"""Cables of any formulation on a hull: the hull carries their weight, and momentum is that of both together."""

import numpy as np
import pytest

from fairlead.formulations import compile_system
from fairlead.hydro.fastened import EndPath, Fastening, LedCables, WithCables
from fairlead.hydro.mechanism import RigidBodies, RigidBody
from fairlead.hydro.subcycling import glide
from fairlead.model import System
from fairlead.shape.layout import first_geometry

HULL, LOAD, LINE, LENGTH = 1000.0, 100.0, 1.0, 8.0


def pendulum(formulation: str) -> LedCables:
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
            "simulation": {"start": "catenary", "formulation": formulation, "duration": 1, "step": 0.005},
        }
    )  # fmt: skip
    return LedCables(compile_system(system, first_geometry(system), formulation), ["fairlead"], 0.005)


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_a_hull_carries_its_cable_and_shares_its_momentum(formulation):
    """Pushed to 0.5 m/s with a load hanging below, the two go on at their common speed in the mean."""
    cable = pendulum(formulation)
    body = RigidBody(HULL, free=(True, False, True, False, False, False), velocity=np.array([0.5, 0.0, 0.0]))
    mechanism = WithCables(RigidBodies([body]), cable, [Fastening(0, np.array([0.0, 0.0, -1.0]))], 0.01)
    hung = LOAD + LINE * LENGTH
    f0 = np.array([0.0, 0.0, (HULL + hung) * 9.81, 0.0, 0.0, 0.0])
    y = mechanism.initial_state()
    swing = 2.0 * np.pi * np.sqrt(LENGTH / 9.81 * HULL / (HULL + hung))
    pulls, speeds, n = [], [], 160
    for i in range(2 * n):
        y = glide(mechanism, i * swing / n, y, swing / n, 3, lambda t: (f0, np.zeros((6, 6))))
        pulls.append(mechanism.kept(y)[0][0, 2])
        speeds.append(y[7])
    assert np.mean(pulls[n:]) == pytest.approx(-hung * 9.81, rel=0.01)
    assert np.mean(speeds[n:]) == pytest.approx(0.5 * HULL / (HULL + hung), rel=0.02)
    assert np.ptp(speeds[n:]) == pytest.approx(2.0 * 0.5 * hung / (HULL + hung), rel=0.15)


def test_a_point_without_cables_cannot_be_fastened():
    """The message says what to do."""
    compiled = pendulum("lumped").compiled
    compiled.inputs["crane.position"] = slice(0, 3)
    compiled.system.points["crane"] = compiled.system.points["fairlead"]
    with pytest.raises(ValueError, match="no cable ends at 'crane'"):
        LedCables(compiled, ["crane"], 0.01)


@pytest.mark.parametrize("formulation", ["bars", "links", "lumped", "spline", "tether"])
def test_an_end_is_where_its_hull_leads_it(formulation):
    """Led along a circle of 1 m at 1 rad/s, all formulations make up for the filter of the point."""
    cable = pendulum(formulation)
    y, h, away = cable.initial_state(), 0.005, []
    for i in range(400):
        t = i * h
        s, c = np.sin(t), np.cos(t)
        path = EndPath(np.array([s, 1 - c, -1.0]), np.array([c, s, 0.0]), np.array([-s, c, 0.0]))
        y, _ = cable.advance(t, y, h, [path])
        cable.compiled.observe(t + h, y, cable.u, h, row := cable.compiled.shape.empty_row())
        place = row[cable.compiled.shape.point("fairlead")][:3]
        away.append(np.linalg.norm(place - [np.sin(t + h), 1 - np.cos(t + h), -1.0]))
    assert max(away[100:]) < 3e-5  # the lag of the filter alone is 7 mm, half a step 2.5 mm
