"""Roll, pitch and yaw of bodies that stand on end."""

import numpy as np
import pytest

import fairlead as fl
from fairlead.algebra.angles import angles_of


def turn(axis: int, angle: float) -> np.ndarray:
    """Rotation matrix about a coordinate axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out = np.eye(3)
    out[i, i] = out[j, j] = np.cos(angle)
    out[j, i], out[i, j] = np.sin(angle), -np.sin(angle)
    return out


@pytest.mark.parametrize("pitch", [-0.5 * np.pi, -0.8, 1.2, 0.5 * np.pi - 1e-6, 0.5 * np.pi])
def test_angles_give_back_the_turn(pitch):
    upright = abs(pitch) == 0.5 * np.pi
    roll, yaw = 0.0 if upright else -2.0, 0.7
    whole = turn(2, yaw) @ turn(1, pitch) @ turn(0, roll)
    whole[2, 0] *= 1 + 1e-15  # as rounding leaves it, beyond the range of an arcsine
    assert angles_of.py_func(tuple(whole.ravel())) == pytest.approx((roll, pitch, yaw), abs=1e-8)


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_a_body_pitched_by_90_degrees_runs(formulation):
    eye = {"eye": [0, 0, 1]}
    body = {"kind": "prescribed", "position": [0, 0, 0], "orientation_deg": [0, 90, 0], "attachments": eye}
    system = fl.System.model_validate(
        {
            "environment": {"water_density": 0},
            "types": {"wire": {"diameter": 0.01, "mass_per_length": 0.5, "axial_stiffness": 1e6}},
            "points": {"end": {"kind": "free", "position": [1, 0, -5], "mass": 10}},
            "bodies": {"arm": body},
            "cables": {"wire": {"type": "wire", "length": 5, "elements": 3, "start": "arm.eye", "end": "end"}},
            "simulation": {"formulation": formulation, "duration": 0.1, "step": 0.01, "output_every": 0.05},
        }
    )
    result = fl.simulate(system)
    assert result.attrs["status"] == "complete"
    assert result["arm.pitch"].values == pytest.approx(0.5 * np.pi)
