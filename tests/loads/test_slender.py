"""Water on a length of cable: Morison's force across and along it, by its closed form, in any direction."""

import numpy as np
import pytest

from fairlead.algebra.compiled import entry
from fairlead.loads import slender
from fairlead.model import CableType, Environment
from fairlead.sea import water

SEA = Environment.model_validate(
    {
        "water_density": 1000.0,
        "current": [{"z": 0.0, "velocity": [0.4, -0.2, 0.1]}],
        "waves": {"kind": "regular", "height": 2.0, "period": 8.0, "direction_deg": 30.0, "ramp": 0.0},
    }
)
ROPE = {"diameter": 0.1, "mass_per_length": 9.0, "axial_stiffness": 1e7, "added_mass": {"normal": 0.9, "axial": 0.3}}
LENGTH, T, P, V = 2.5, 1.3, (4.0, -2.0, -3.0), np.array([0.9, 1.4, -0.8])


@entry
def loads(t, p, v, tangent, wet, sea, at):
    return slender.slender_loads(t, p, v, tangent, wet, sea, at)


@entry
def flow_at(t, p, sea):
    return water.fluid(t, p[0], p[1], p[2], sea)


def force_on(rope, tangent, wet):
    """Force on a length of rope [N], and the velocity and acceleration of the water there."""
    sea = water.pack(SEA)
    numbers = np.concatenate([sea, slender.slender_row(CableType.model_validate(rope), LENGTH, SEA)])
    flow, acceleration, _, _ = flow_at(T, P, sea)
    force, _ = loads(T, P, tuple(V), tuple(tangent), wet, numbers, len(sea))
    return np.array(force), np.array(flow), np.array(acceleration)


@pytest.mark.parametrize("wet", [1.0, 0.3, 0.0])
@pytest.mark.parametrize("tangent", [(1.0, 0.0, 0.0), (0.48, -0.6, 0.64), (0.0, 0.6, -0.8)])
def test_drag_and_inertia_across_and_along(tangent, wet):
    """½ρdL(C_n|u_n|u_n + πC_t|u_t|u_t) against the motion, ρV((1 + C_n)a_n + (1 + C_t)a_t) with the water, of the
    part that is wet."""
    force, flow, a = force_on({**ROPE, "drag": {"normal": 1.2, "axial": 0.05}}, tangent, wet)
    along = np.outer(tangent, tangent)
    across = np.eye(3) - along
    u, displaced = V - flow, 1000.0 * np.pi * 0.05**2 * LENGTH
    drag = 1.2 * np.linalg.norm(across @ u) * across @ u + np.pi * 0.05 * np.linalg.norm(along @ u) * along @ u
    expected = -0.5 * 1000.0 * 0.1 * LENGTH * drag + displaced * (1.9 * across @ a + 1.3 * along @ a)
    assert np.linalg.norm(a) > 0.3
    assert force == pytest.approx(wet * expected, rel=1e-12, abs=1e-12)


def test_without_drag_there_is_the_inertia_of_the_water_alone():
    force, _, a = force_on({**ROPE, "drag": "none", "added_mass": {"normal": 1.0, "axial": 1.0}}, (0.6, 0.0, 0.8), 1.0)
    assert force == pytest.approx(2.0 * 1000.0 * np.pi * 0.05**2 * LENGTH * a, rel=1e-12)
