"""Mooring lines on the seabed: an anchor is pulled along the bed while line lies there."""

import numpy as np
import pytest

from fairlead.simulate import Simulation

DEPTH, TOP, SPAN, LENGTH, WEIGHT, STIFFNESS = 80.0, -10.0, 365.0, 385.0, 1074.5606, 490e6
FORMULATIONS = ("bars", "lumped", "links")


def mooring(formulation: str, span: float = SPAN, anchor: float = -DEPTH, elements: int = 24):
    from fairlead.model import System

    return System.model_validate(
        {
            "environment": {"seabed": {"depth": DEPTH, "stiffness": "3 MPa/m"}},
            "types": {"chain": {"diameter": 0.143, "mass_per_length": 126, "axial_stiffness": STIFFNESS}},
            "points": {
                "anchor": {"kind": "fixed", "position": [0, 0, anchor]},
                "fairlead": {"kind": "fixed", "position": [span, 0, TOP]},
            },
            "cables": {"line": {"type": "chain", "length": LENGTH, "elements": elements, "start": "anchor",
                                "end": "fairlead"}},
            "simulation": {"formulation": formulation, "duration": 0.1, "step": 0.01, "output_every": 0.1},
        }
    )  # fmt: skip


def grounded_pull(span: float, height: float) -> float:
    """H of an elastic catenary that touches down, by bisection (shape_and_statics.md)."""

    def reach(h: float) -> float:
        v = WEIGHT * height * np.sqrt(1.0 + 2.0 * h / (WEIGHT * height))
        for _ in range(60):  # the height is that of the hanging part, stretched
            v -= ((np.hypot(h, v) - h) / WEIGHT + v * v / (2 * STIFFNESS * WEIGHT) - height) / (
                v / np.hypot(h, v) / WEIGHT + v / (STIFFNESS * WEIGHT)
            )
        lying = LENGTH - v / WEIGHT
        return float(lying + h / WEIGHT * np.arcsinh(v / h) + h * LENGTH / STIFFNESS)

    low, high = 1e3, 1e6
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if reach(middle) < span else (low, middle)
    return low


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_an_anchor_at_the_depth_of_the_water_is_pulled_along_the_bed(formulation):
    """Where the point is put within a diameter of the bed changes nothing, and the bed pushes nowhere at it."""
    simulation = Simulation(mooring(formulation))
    out = simulation.outputs()
    pull = np.asarray(out["line.force_start"])
    exact = grounded_pull(SPAN, TOP + DEPTH - 0.5 * 0.143)
    assert pull[0] == pytest.approx(exact, rel=0.01)
    assert abs(pull[2]) < 1e-6 * pull[0]
    assert not np.asarray(out["line.contact_force"])[0].any()
    lying = WEIGHT * LENGTH + np.asarray(out["line.force_end"])[2]
    assert np.asarray(out["line.contact_force"])[:, 2].sum() == pytest.approx(lying, rel=0.06)
    raised = np.asarray(Simulation(mooring(formulation, anchor=-DEPTH + 0.07)).outputs()["line.force_start"])
    assert raised == pytest.approx(pull, rel=1e-3, abs=1e-3 * pull[0])
    result = simulation.run()
    assert np.abs(result["force_end"].diff("time")).max() < 1e-4 * pull[0]
    assert np.abs(result["uplift_angle"].sel(end="start")).max() < 1e-6
    hanging = -np.asarray(out["line.force_end"])[2] / WEIGHT
    assert result["grounded_length"].values[0, 0] == pytest.approx(LENGTH - hanging, abs=LENGTH / 24)
