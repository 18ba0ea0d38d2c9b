"""A cable that bends and does not resist torsion: its bending is the angle between bars, however they are twisted."""

import pytest

import fairlead as fl


def swung(torsional_stiffness: float) -> fl.System:
    """A cable clamped at its top, swung around in space, and then left to swing; bending damps it."""
    path = [[0, 0, 0, 0], [0.5, 0.4, 0, 0], [1, 0.4, 0.5, 0], [1.5, -0.3, 0.5, 0.1], [2, 0, 0, 0], [20, 0, 0, 0]]
    wire = {
        "diameter": 0.03, "mass_per_length": 3.0, "axial_stiffness": 1e6, "bending_stiffness": 200.0,
        "torsional_stiffness": torsional_stiffness, "damping_time": {"axial": 0.0, "bending": 0.05, "torsion": 0.0},
    }  # fmt: skip
    return fl.System.model_validate(
        {
            "environment": {"water_density": 0},
            "types": {"wire": wire},
            "points": {
                "top": {"kind": "controlled", "position": [0, 0, 0], "motion": {"table": path}},
                "tip": {"kind": "free", "position": [3, 0, -8], "mass": 2.0},
            },
            "cables": {
                "wire": {
                    "type": "wire", "length": 10, "elements": 12, "end": "tip",
                    "start": {"point": "top", "joint": "clamp", "direction": [0.3, 0, -1]},
                },
            },
            "simulation": {"duration": 8, "step": 0.004, "output_every": 0.08, "start": "catenary"},
        }
    )  # fmt: skip


def test_bending_is_damped_as_in_a_cable_that_cannot_twist():
    """A hanging cable has no torque to carry: resisting torsion must not change its motion nor what its dampers take.

    Measured in a frame that turns with half the twist, bending without torsion was damped by 15 % less.
    """
    stiff, free = (fl.simulate(swung(stiffness)) for stiffness in (200.0, 0.0))
    assert float(free.work_damping[-1]) == pytest.approx(float(stiff.work_damping[-1]), rel=0.01)
    apart = abs(free.position - stiff.position).max()  # the clamp's little torque is there, or not
    assert float(apart) < 0.005 * 10.0
