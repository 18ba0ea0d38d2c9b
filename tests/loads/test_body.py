"""A small round body: what the water gives it is what its energy gains, in waves and at the surface too."""

import numpy as np
import pytest
from kernels.plain import plain

from fairlead.loads import body
from fairlead.model import Environment
from fairlead.sea import water

MASS, ADDED, LIFT, DRAG, HEIGHT = 150.0, 90.0, 1000.0 * 9.81 * 0.2, 60.0, 0.7
SEA = {
    "water_density": 1000.0,
    "current": [{"z": 0.0, "velocity": [0.4, -0.2, 0.1]}],
    "waves": {"kind": "regular", "height": 2.0, "period": 8.0, "direction_deg": 30.0, "ramp": 0.0},
}


def loads(t, p, v, mass, drag, sea):
    return plain(body.body_loads)(t, p, v, mass, ADDED, LIFT, drag, HEIGHT, sea)


def energies(t, p, v, sea):
    return plain(body.body_energies)(t, p, v, MASS, ADDED, LIFT, HEIGHT, sea)


def flow_at(t, p, sea):
    return plain(water.fluid)(t, p[0], p[1], p[2], sea)


@pytest.mark.parametrize("depth", [3.0, 0.1, -0.2, -2.0])
@pytest.mark.parametrize("waves", [False, True])
def test_power_of_the_water_is_the_change_of_energy(depth, waves):
    """Under water, going through the surface both ways, and in the air."""
    sea = water.pack(Environment.model_validate(SEA if waves else {**SEA, "waves": None}))
    t, short, p = 1.3, 1e-6, np.array([4.0, -2.0, 0.0])
    p[2] = flow_at(t, tuple(p), sea)[2] - depth
    for v in np.array([[0.5, -0.3, -1.2], [-0.7, 0.2, 0.8]]):
        inertia, _, force, power = loads(t, tuple(p), tuple(v), MASS, DRAG, sea)
        a = np.array(force) / inertia

        def energy(s, v=v, a=a):
            return sum(energies(t + s, tuple(p + s * v + 0.5 * s * s * a), tuple(v + s * a), sea))

        assert (energy(short) - energy(-short)) / (2 * short) == pytest.approx(power, rel=1e-4, abs=0.02)


def test_a_neutrally_buoyant_body_goes_with_the_water_that_accelerates():
    """(ρV + A) a = (m + A) a with m = ρV."""
    sea = water.pack(Environment.model_validate(SEA))
    p = (3.0, 1.0, -4.0)
    flow, acceleration, _, _ = flow_at(0.7, p, sea)
    inertia, _, force, _ = loads(0.7, p, flow, 200.0, 0.0, sea)
    assert np.array(force) / inertia == pytest.approx(np.array(acceleration), rel=1e-12)
    assert np.linalg.norm(acceleration) > 0.3


@pytest.mark.parametrize("above", [2.0, 0.2, 0.0, -0.1, -3.0])
def test_drag_is_that_of_the_wet_part_against_the_water(above):
    """−σ ½ρC_dA|u|u with u against the current: none in the air, half of it at the surface, whole below."""
    sea = water.pack(Environment.model_validate({**SEA, "waves": None}))
    p, v = (1.0, 2.0, above), np.array([0.5, 1.3, -0.9])
    u = v - np.array([0.4, -0.2, 0.1])
    wet = min(1.0, max(0.0, 0.5 - above / HEIGHT))
    (_, _, force, _), (_, _, without, _) = (loads(0.0, p, tuple(v), MASS, drag, sea) for drag in (DRAG, 0.0))
    assert np.subtract(force, without) == pytest.approx(-wet * DRAG * np.linalg.norm(u) * u, rel=1e-12, abs=1e-12)
