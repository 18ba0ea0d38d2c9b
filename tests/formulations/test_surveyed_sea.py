"""A plane seabed and a steady current given on grids are, in every formulation, what they are given by numbers."""

import numpy as np
import pytest

import fairlead as fl

SLOPE, DEPTH, FLOW = (0.08, -0.05), 20.0, (0.6, -0.3, 0.0)
X, Y = np.array([-30.0, 5.0, 22.0, 60.0]), np.array([-25.0, -4.0, 30.0])
BY_NUMBERS = {
    "seabed": {"depth": DEPTH, "slope": SLOPE},
    "current": [{"z": 0.0, "velocity": FLOW}],
}
ON_GRIDS = {
    "seabed": {
        "bathymetry": {
            "x": X.tolist(), "y": Y.tolist(), "depth": (DEPTH - SLOPE[0] * X[:, None] - SLOPE[1] * Y).tolist(),
        }
    },
    "current_field": {"t": [0.0, 0.3, 9.0], "x": [-9.0, 12.0], "velocity": [FLOW] * 6},
}  # fmt: skip


def lying(formulation, sea):
    """A chain from its anchor on a slope up to a point, half of it on the bed, resting until waves come.

    `multibody` runs trees of links that do not bend: there its lower end lies loose.
    """
    tree = formulation == "multibody"
    stiff = {} if tree else {"bending_stiffness": 1.0}
    loose = {"kind": "free", "position": [0.0, 0.0, 0.04 - DEPTH]}
    waves = {"kind": "regular", "height": 2.0, "period": 5.0, "ramp": 0.5}
    sea = {**sea, "seabed": {"stiffness": 1e5, "friction": 0.4, **sea["seabed"]}, "waves": waves}
    return fl.System.model_validate(
        {
            "environment": sea,
            "types": {
                "chain": {
                    "diameter": 0.08, "mass_per_length": 30.0, "axial_stiffness": 1e6, **stiff,
                    "damping_time": 0.05, "drag": {"normal": 1.2, "axial": 0.1},
                }
            },
            "points": {
                "anchor": loose if tree else {"kind": "anchor", "position": [0, 0]},
                "top": {"kind": "fixed", "position": [24.0, 2.0, -8.0]},
            },
            "cables": {"line": {"start": "anchor", "end": "top", "type": "chain", "length": 32.0, "elements": 8}},
            "simulation": {"formulation": formulation, "duration": 1.0, "step": 0.01},
        }
    )  # fmt: skip


@pytest.mark.parametrize("formulation", ["lumped", "bars", "links", "tether", "spline", "multibody"])
def test_a_plane_bed_and_a_steady_current_on_grids_move_a_chain_as_by_numbers(formulation):
    ends = []
    for sea in (BY_NUMBERS, ON_GRIDS):
        simulation = fl.Simulation(lying(formulation, sea))
        simulation.step(1.0)
        seen = simulation.outputs()
        ends.append([np.asarray(seen[f"line.{key}"]) for key in ("position", "velocity", "contact_force")])
    _, velocity, push = ends[0]
    assert np.linalg.norm(push, axis=1).max() > 10.0
    assert np.abs(velocity).max() > 0.01
    # equal to the last digits in `lumped`; the rest that a run begins with is found to a tolerance of its own in others
    for here, there, most in zip(*ends, (1e-5, 1e-4, 1e-3 * np.abs(push).max()), strict=True):
        np.testing.assert_allclose(there, here, rtol=0.0, atol=most)


@pytest.mark.parametrize("formulation", ["lumped", "bars", "multibody"])
def test_a_cable_as_dense_as_the_water_goes_with_it_when_the_current_grows(formulation):
    """(m + C_a ρA) a = (1 + C_a) ρA u̇ where nothing moves through the water: v = u(t), x = ∫u dt whatever its drag."""
    system = fl.System.model_validate(
        {
            "environment": {"current_field": {"t": [0.0, 2.0], "velocity": [[0, 0, 0], [1.0, -0.5, 0.0]]}},
            "types": {
                "rope": {
                    "diameter": 0.08, "density": 1025.0, "axial_stiffness": 1e5,
                    "added_mass": {"normal": 1, "axial": 1}, "drag": {"normal": 1.2, "axial": 0.1},
                }
            },
            "points": {name: {"kind": "free", "position": [0, y, -9]} for name, y in (("A", 0.0), ("B", 8.0))},
            "cables": {"line": {"start": "A", "end": "B", "type": "rope", "length": 8.0, "elements": 4}},
            "simulation": {"formulation": formulation, "start": "catenary", "duration": 1.0, "step": 0.01},
        }
    )  # fmt: skip
    simulation = fl.Simulation(system)
    before = np.asarray(simulation.outputs()["line.position"])
    simulation.step(1.0)
    seen = simulation.outputs()
    np.testing.assert_allclose(seen["line.velocity"], np.tile([0.5, -0.25, 0.0], (5, 1)), atol=1e-4)
    np.testing.assert_allclose(seen["line.position"] - before, np.tile([0.25, -0.125, 0.0], (5, 1)), atol=3e-3)
