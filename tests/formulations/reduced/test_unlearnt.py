"""A reduced cable that is asked for what it has not learnt says so, and by how much."""

from __future__ import annotations

import math
from copy import deepcopy

import numpy as np
import pytest

from fairlead.formulations.reduced import unlearnt
from fairlead.model import System
from fairlead.reduction import compiled, reduce
from fairlead.simulate import Simulation

LENGTH, PERIOD, HEAVE = 20.0, 3.0, 0.3
STRAIN, EA, MASS = 2e-3, 5e6, 1.0


def taut(a=(0.0, 0.0, HEAVE), b=(0.0, 0.0, -HEAVE), duration=6.0, **environment) -> System:
    """A taut wire along x whose ends go up and down (and elsewhere, where told to), trained in its vertical plane."""

    def end(x, amplitude):
        motion = {"harmonic": {"amplitude": list(amplitude), "period": PERIOD, "ramp": 0.0}}
        return {"kind": "controlled", "position": [x, 0.0, 0.0], "cutoff": 1e6, "motion": motion}

    return System.model_validate(
        {
            "environment": {"water_density": 0.0} | environment,
            "types": {"wire": {"diameter": 0.02, "mass_per_length": MASS, "axial_stiffness": EA, "damping_time": 0.01,
                               "drag": {"normal": 1.2, "axial": 0.0}}},
            "points": {"A": end(0.0, a), "B": end(LENGTH * (1 + STRAIN), b)},
            "cables": {"wire": {"type": "wire", "length": LENGTH, "elements": 10, "start": "A", "end": "B",
                                "allow_stretch": True}},
            "simulation": {"formulation": "spline", "integrator": "midpoint", "duration": duration, "step": 0.01,
                           "output_every": 0.1},
        }
    )  # fmt: skip


@pytest.fixture(scope="module")
def model():
    return reduce(Simulation(taut()).run(), 4, 3)


def marked(system, model):
    reduced = compiled(system, model)
    result = Simulation.of(reduced).run()
    return float(result.attrs["reduced_unlearnt"]), result


def test_what_it_was_trained_on_and_near_it_is_quiet(model):
    for system in (taut(), taut(a=(0.0, 0.0, 1.2 * HEAVE)), taut(duration=10.0)):
        share, result = marked(system, model)
        assert share < 0.1 * unlearnt.MUCH
        assert result.attrs["reduced_trusted"] == "yes"
        assert "learnt" not in result.attrs["warnings"]


def test_a_motion_out_of_the_plane_is_marked_and_wrong(model):
    """Ends that sway together: the shapes follow as a stiff line, the wire bows by m a L²/8T, 2 % of its motion."""
    system = taut(a=(0.0, HEAVE, HEAVE), b=(0.0, HEAVE, -HEAVE))
    share, result = marked(system, model)
    full = Simulation(system).run()
    off = np.linalg.norm(result["position"].values - full["position"].values)
    moved = np.linalg.norm(full["position"].values - full["position"].values.mean(axis=0))
    assert off > 0.008 * moved
    assert share > unlearnt.MUCH
    assert result.attrs["reduced_trusted"] == "no"
    assert "leaves what the model has learnt" in result.attrs["warnings"]
    assert "formulation: spline" in result.attrs["warnings"]


def test_a_load_out_of_the_plane_is_marked(model):
    """Trained in air; the same motion in a wind across, as a thin fluid that streams."""
    learnt = reduce(Simulation(taut(water_density=1.2)).run(), 4, 3)
    wind = [{"z": 0.0, "velocity": [0.0, 30.0, 0.0]}]
    assert marked(taut(water_density=1.2), learnt)[0] < 0.1 * unlearnt.MUCH
    assert marked(taut(water_density=1.2, current=wind), learnt)[0] > unlearnt.MUCH


def test_the_move_that_is_missed_is_that_of_a_string(model):
    """Ends accelerate by a across the plane: a taut string bows by m a L²/8T in its middle."""
    sway = 0.2
    reduced = compiled(taut(a=(0.0, sway, 0.0), b=(0.0, sway, 0.0)), model)
    y, u = reduced.initial_state(), reduced.initial_inputs()
    _, missed = reduced._unlearnt.missed(PERIOD / 4, y, u)
    pull = EA * STRAIN
    bow = MASS * sway * (2 * math.pi / PERIOD) ** 2 * LENGTH**2 / (8 * pull)
    assert missed[5, 1] == pytest.approx(bow, rel=0.01)
    assert np.abs(missed[:, [0, 2]]).max() < 0.02 * bow


def test_a_run_begun_again_is_measured_afresh(model):
    reduced = compiled(taut(a=(0.0, HEAVE, 0.0), b=(0.0, HEAVE, 0.0)), model)
    first = deepcopy(Simulation.of(reduced).run().attrs["reduced_unlearnt"])
    assert Simulation.of(reduced).run().attrs["reduced_unlearnt"] == first
