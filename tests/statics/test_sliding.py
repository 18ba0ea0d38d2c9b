"""Statics of what moves: steady sliding friction in a tow, motions stopped elsewhere, and never a time step in it.

A chain that is towed straight over a flat bed is pulled with μ w for each metre that lies there (Coulomb).
"""

import math

import numpy as np
import pytest

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.statics import solve

FRICTION, LENGTH, ELEMENTS, DEPTH, RADIUS = 0.7, 100.0, 10, 50.0, 0.05
WEIGHT = (90.0 - 1025.0 * math.pi * RADIUS**2) * 9.81
"""Submerged, N/m."""


def towed(formulation, step=0.01, height=0.0, heading=0.0, speed=1.0, friction=FRICTION):
    """A chain behind a tow point, which is so high above where the chain lies."""
    c, s = math.cos(heading), math.sin(heading)
    span = math.sqrt(LENGTH**2 - height**2) * 0.999
    return System.model_validate(
        {
            "environment": {"seabed": {"depth": DEPTH, "friction": friction}},
            "types": {
                "chain": {"diameter": 2 * RADIUS, "mass_per_length": 90.0, "axial_stiffness": 5e8, "drag": "none"}
            },
            "points": {
                "tug": {
                    "kind": "controlled",
                    "position": [0, 0, -DEPTH + RADIUS + height],
                    "velocity": [c * speed, s * speed, 0],
                },
                "tail": {"kind": "free", "position": [-c * span, -s * span, -DEPTH + RADIUS]},
            },
            "cables": {
                "chain": {"type": "chain", "length": LENGTH, "elements": ELEMENTS, "start": "tug", "end": "tail"}
            },
            "simulation": {"formulation": formulation, "duration": 2.0, "step": step},
        }
    )


def level(formulation, **more):
    """The same with the tow point as deep in the bed as the chain beside it: nothing hangs."""
    lying = solve(towed(formulation))
    depth = float(np.asarray(lying.outputs["chain.position"])[ELEMENTS // 2, 2]) + DEPTH - RADIUS
    return towed(formulation, height=depth, **more)


@pytest.fixture(scope="module", params=["lumped", "bars"])
def formulation(request):
    return request.param


@pytest.mark.parametrize("heading", [0.0, 0.65, 2.9])
def test_pull_of_a_chain_that_slides_is_its_friction(formulation, heading):
    """μ w L, whatever the heading."""
    rest = solve(level(formulation, heading=heading))
    pull = rest.summary()["cables"]["chain"]["start"]
    assert pull["tension"] == pytest.approx(FRICTION * WEIGHT * LENGTH, rel=1e-6)
    assert math.cos(math.radians(pull["heading_deg"]) - heading) == pytest.approx(-1.0, abs=1e-9)


def test_statics_of_a_sliding_chain_knows_no_step(formulation):
    """Nor a speed, without drag."""
    found = [solve(towed(formulation, step, 20.0, speed=v)) for step, v in ((0.005, 1.0), (0.1, 1.0), (0.01, 0.2))]
    tensions = [np.asarray(rest.outputs["chain.tension_effective"]) for rest in found]
    assert tensions[1] == pytest.approx(tensions[0], rel=1e-7)
    assert tensions[2] == pytest.approx(tensions[0], rel=1e-7)


def test_a_lifted_chain_is_pulled_by_the_friction_of_what_lies(formulation):
    """The horizontal pull is μ times the push of the bed, which carries what the tow point does not."""
    rest = solve(towed(formulation, height=20.0))
    push = np.asarray(rest.outputs["chain.contact_force"])
    x, _, z = rest.summary()["cables"]["chain"]["start"]["force"]
    assert -x == pytest.approx(FRICTION * push[:, 2].sum(), rel=1e-6)
    assert push[:, 0].sum() == pytest.approx(x, rel=1e-6)
    assert push[:, 2].sum() - z == pytest.approx(WEIGHT * LENGTH, rel=1e-6)


def test_a_run_goes_on_in_the_steady_tow(formulation):
    """It starts with friction at its limit: the pull stays what statics says."""
    system = level(formulation)
    sim = Simulation(system)
    before = float(np.asarray(solve(system).outputs["chain.tension_effective"])[0])
    for _ in range(4):
        out = sim.step(0.5)
        assert float(np.asarray(out["chain.tension_effective"])[0]) == pytest.approx(before, rel=1e-3)


def test_motions_stand_still_in_statics(formulation):
    """A fairlead that starts with a velocity is at rest in statics: forces are those without a motion, at any step."""
    found = []
    for step, motion in ((0.01, None), (0.01, 1.0), (0.1, 1.0)):
        data = towed(formulation, step).model_dump(mode="json", exclude_unset=True)
        fairlead = {"kind": "controlled", "position": [80.0, 0.0, -5.0]}
        if motion is not None:  # at its fastest at the start
            fairlead["motion"] = {"harmonic": {"amplitude": [motion, 0.0, 0.0], "period": 8.0}}
        data["points"] = {"tug": fairlead, "tail": {"kind": "anchor", "position": [0.0, 0.0]}}
        found.append(np.asarray(solve(System.model_validate(data)).outputs["chain.tension_effective"]))
    assert found[1] == pytest.approx(found[0], rel=1e-7)
    assert found[2] == pytest.approx(found[0], rel=1e-7)


def test_other_formulations_say_that_friction_is_left_out():
    rest = solve(towed("multibody", height=20.0, step=0.002))
    assert any("leaves out the friction" in note for note in rest.notes)


def sled(formulation, step):
    """A weight of 500 kg on the bed behind a taut wire that weighs nothing in water."""
    wire = {"diameter": 0.02, "density": 1025.0, "axial_stiffness": 1e7, "drag": "none"}
    body = {
        "kind": "free",
        "position": [-30.0, 0.0, -49.5],
        "mass": 500.0,
        "volume": 0.1,
        "drag_area": 0.0,
    }
    return System.model_validate(
        {
            "environment": {"seabed": {"depth": DEPTH, "friction": FRICTION}},
            "types": {"wire": wire},
            "points": {
                "tug": {"kind": "controlled", "position": [0.0, 0.0, -49.5], "velocity": [0.5, 0.0, 0.0]},
                "sled": body,
            },
            "cables": {"wire": {"type": "wire", "length": 30.0, "elements": 5, "start": "tug", "end": "sled"}},
            "simulation": {"formulation": formulation, "duration": 2.0, "step": step},
        }
    )


def test_a_sled_is_pulled_with_its_friction(formulation):
    """μ times its weight in water, less what the wire lifts; at any step, and in the run."""
    weight = (500.0 - 102.5) * 9.81
    for step in (0.005, 0.05):
        rest = solve(sled(formulation, step))
        x, _, z = rest.summary()["cables"]["wire"]["start"]["force"]
        assert -x == pytest.approx(FRICTION * (weight + z), rel=1e-4)
    out = Simulation(sled(formulation, 0.005)).step(1.0)
    assert float(np.asarray(out["wire.tension_effective"])[0]) == pytest.approx(-x, rel=2e-3)
