"""A payload lowered on a drum."""

import numpy as np
import pytest

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.checks.multibody_payout import ELEMENT, RATE, check, lower


@pytest.mark.slow
def test_payload_does_not_feel_the_splits():
    """Four elements come off the drum; spread of the pull below 0.05 N (29 N with an interpolated speed)."""
    for record in check():
        assert record.passed, f"{record.name}: {record.value}"


def test_length_is_what_the_winch_paid_out():
    """Half the ramp, then the full rate; the first element splits at 1.5 of its length, then after each length more."""
    run = lower(step=0.001, duration=8.0)
    assert run.length[-1] == pytest.approx(1.5 + 0.5 * 4.0 * RATE + 4.0 * RATE, rel=1e-9)
    paid = run.length[-1] - 1.5
    assert run.elements[-1] - run.elements[0] == 1 + int((paid - 0.5 * ELEMENT) / ELEMENT)


def lowered(formulation: str):
    """Time (s), pull at the crane (N) and depth of a box lowered from a heaving crane into a current, over 6 splits."""
    system = System.model_validate(
        {
            "environment": {"current": [{"z": 0, "velocity": [0.4, 0, 0]}]},
            "types": {"wire": {"diameter": 0.03, "density": 6500, "axial_stiffness": 5e7, "damping_time": 0.001}},
            "points": {
                "crane": {
                    "kind": "controlled", "position": [0, 0, 5],
                    "motion": {"harmonic": {"amplitude": [0.5, 0, 1.0], "period": 8, "ramp": 8}},
                }
            },
            "bodies": {
                "box": {
                    "kind": "free", "position": [0, 0, -16], "mass": 5000, "inertia": [3000, 3000, 3000], "volume": 1.5,
                    "height": 2, "drag_area": [3, 3, 3], "added_mass": [1500, 1500, 2500],
                    "drag_moment": [500, 500, 500], "attachments": {"eye": [0, 0, 1]},
                }
            },
            "cables": {
                "wire": {
                    "type": "wire", "length": 20, "elements": 4, "start": "crane", "end": "box.eye",
                    "allow_stretch": True, "winch": {"end": "start", "rate": 0.5, "length_max": 60},
                }
            },
            "simulation": {"start": "catenary",
                "formulation": formulation, "duration": 60, "step": 0.02, "output_every": 0.1},
        }
    )  # fmt: skip
    result = simulate(system)
    pull = np.linalg.norm(result["force_end"].values[:, 0, 0], axis=-1)
    return result["time"].values, pull, result["point_position"].sel(point="box", axis="z").values


def test_lowering_as_bars_have_it():
    """Mean pull at the crane and depth of the payload against rigid bars with their own drum: 0.1 % and 1 mm."""
    time, pull, depth = lowered("multibody")
    _, other_pull, other_depth = lowered("bars")
    late = time > 20.0
    assert pull[late].mean() == pytest.approx(other_pull[late].mean(), rel=1e-3)
    assert pull[late].std() == pytest.approx(other_pull[late].std(), rel=0.01)
    assert depth[-1] == pytest.approx(other_depth[-1], abs=1e-3)
