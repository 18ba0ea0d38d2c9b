"""A heavy stiff chain and a light soft rope that meet in a massless point: at rest by closed form, and heaved."""

import math

import numpy as np
import pytest
from scipy.optimize import root

import fairlead as fl

SPAN, RISE = 60.0, 20.0
LENGTH, MASS, EA = (42.0, 32.0), (20.0, 0.8), (1e8, 2e4)
DIAMETER, WATER, GRAVITY = 0.03, 1025.0, 9.81


def line(formulation, elements, heave, duration):
    """From the fixed A over J to B, which heaves; all of it 80 m below the surface and deeper."""
    drag = {"normal": 1.2, "axial": 0.1}
    types = {
        name: {"diameter": DIAMETER, "mass_per_length": m, "axial_stiffness": ea, "drag": drag}
        for name, m, ea in zip(("chain", "rope"), MASS, EA, strict=True)
    }
    return fl.System.model_validate(
        {
            "environment": {"water_density": WATER, "gravity": GRAVITY},
            "types": types,
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, -100]},
                "J": {"kind": "free", "position": [40, 0, -108]},
                "B": {
                    "kind": "controlled", "position": [SPAN, 0, RISE - 100],
                    "motion": {"harmonic": {"amplitude": [0, 0, heave], "period": 4.0}},
                },
            },
            "cables": {
                "chain": {"type": "chain", "length": LENGTH[0], "elements": elements, "start": "A", "end": "J"},
                "rope": {
                    "type": "rope", "length": LENGTH[1], "elements": elements, "start": "J", "end": "B",
                    "allow_stretch": True,
                },
            },
            "simulation": {
                "formulation": formulation, "start": "statics", "duration": duration, "step": 0.01,
                "output_every": 0.05,
            },
        }
    )  # fmt: skip


def forces(result):
    """(time, cable, end) [N]"""
    return np.linalg.norm(result["force_end"].transpose("time", "cable", "end", "axis").values, axis=-1)


def hung(horizontal, vertical, weight, ea, length):
    """Elastic catenary: how far its end is and the vertical force there, from the force at its start."""
    above = vertical + weight * length
    x = horizontal / weight * (math.asinh(above / horizontal) - math.asinh(vertical / horizontal))
    z = (math.hypot(horizontal, above) - math.hypot(horizontal, vertical)) / weight
    return x + horizontal * length / ea, z + (above**2 - vertical**2) / (2 * ea * weight), above


def closed_form():
    """Force at A, at J and at B [N]: two elastic catenaries, the force alike where they meet."""
    weights = [(m - WATER * math.pi / 4 * DIAMETER**2) * GRAVITY for m in MASS]

    def over(u):
        x1, z1, middle = hung(u[0], u[1], weights[0], EA[0], LENGTH[0])
        x2, z2, last = hung(u[0], middle, weights[1], EA[1], LENGTH[1])
        return [x1 + x2, z1 + z2], middle, last

    found = root(lambda u: np.subtract(over(u)[0], [SPAN, RISE]), [4000.0, -4000.0])
    assert found.success
    _, middle, last = over(found.x)
    return [math.hypot(found.x[0], v) for v in (found.x[1], middle, last)]


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_at_rest_both_have_the_forces_of_two_elastic_catenaries(formulation):
    at_start, at_joint, at_end = closed_form()
    found = forces(fl.simulate(line(formulation, 20, 0.0, 0.05)))[0]
    assert found == pytest.approx(np.array([[at_start, at_joint], [at_joint, at_end]]), rel=5e-4)


def test_heaved_both_have_the_same_forces():
    """2 m with 4 s: the tension in the rope swings by more than a half of what it is at rest."""
    bars, lumped = (forces(fl.simulate(line(name, 10, 2.0, 12.0))) for name in ("bars", "lumped"))
    assert np.ptp(bars[160:, 1, 1]) > 0.5 * bars[0, 1, 1]
    assert np.abs(bars - lumped).max() < 0.01 * bars.max()
    assert bars[:, 0, 1] == pytest.approx(bars[:, 1, 0], rel=1e-9), "a massless point passes the force on"
