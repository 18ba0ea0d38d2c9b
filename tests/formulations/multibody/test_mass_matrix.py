"""The mass matrix of a whole system, as a coupling with hydrodynamics asks for it."""

import numpy as np
import pytest

from .systems import compiled

VELOCITIES = slice(12, 18)
"""Velocity and angular velocity in a motion."""
HULL = {"kind": "free", "position": [1, 2, 0.3], "mass": 5e3, "inertia": [9e3, 8e3, 7e3],
        "volume": 6.0, "height": 2.0, "added_mass": [4e3, 5e3, 6e3], "attachments": {"tip": [2, 0, 3]}}  # fmt: skip


def crane():
    """A floating hull with an arm on a hinge and a load on a wire under it."""
    return compiled(
        environment={"water_density": 1025.0},
        points={"load": {"kind": "free", "position": [4, 2, -4], "mass": 200.0, "volume": 0.05}},
        bodies={
            "hull": HULL,
            "arm": {"kind": "free", "position": [4, 2, 3.3], "mass": 300.0, "inertia": [20, 30, 40],
                    "attachments": {"heel": [-1, 0, 0], "head": [1, 0, 0]}},
        },
        joints={"hinge": {"kind": "revolute", "parent": "hull.tip", "child": "arm.heel", "axis": [0, 1, 0],
                          "stiffness": 1e5}},
        cables={"wire": {"type": "wire", "length": 7, "elements": 3, "start": "arm.head", "end": "load",
                         "allow_stretch": True}},
    )  # fmt: skip


def moving(tree):
    y, rng = tree.initial_state(), np.random.default_rng(3)
    tree.tables(y).speed.value = 0.3 * rng.normal(size=tree.tables(y).speeds)
    return y


def test_accelerations_follow_from_mass_and_bias():
    """H v̇ = τ − C gives what the right-hand side of the run gives: 1e-10."""
    tree = crane()
    y, u = moving(tree), tree.initial_inputs()
    H, C, torques = tree.mass_and_bias(0.0, y, u)
    dy = np.zeros_like(y)
    assert tree.rhs(0.0, y, u, tree.ints, tree.reals, tree.work, dy) == 0
    found = tree.tables(dy).speed.value
    assert np.linalg.solve(H, torques - C) == pytest.approx(found, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("name", ["hull", "arm", "load"])
def test_jacobian_is_how_speeds_move_a_body(name):
    """J v is the velocity and angular velocity, and its columns those of one speed at a time: 1e-12."""
    tree = crane()
    y, u = moving(tree), tree.initial_inputs()
    _, _, _, motions, jacobians = tree.carrier([name]).equations(0.0, y, u)
    assert jacobians[0] @ tree.tables(y).speed.value == pytest.approx(motions[0, VELOCITIES], abs=1e-12)


def test_a_force_at_a_body_enters_by_its_jacobian():
    """A load of the file on the arm changes τ − C by Jᵀ f."""
    tree = crane()
    y, u = moving(tree), tree.initial_inputs()
    _, C, torques = tree.mass_and_bias(0.0, y, u)
    force, torque = [300.0, -200.0, 100.0], [50.0, 20.0, -70.0]
    pushed = crane_with({"point": "arm", "force": force, "torque": torque})
    _, C2, torques2 = pushed.mass_and_bias(0.0, y, u)
    asked = tree.carrier(["arm"]).equations(0.0, y, u)[-1][0].T @ np.array(force + torque)
    assert (torques2 - C2) - (torques - C) == pytest.approx(asked, abs=1e-8)


def crane_with(load):
    from fairlead.formulations.multibody import compile_system
    from fairlead.model import System
    from fairlead.shape.layout import first_geometry

    whole = System.model_validate({**crane().system.to_dict(), "loads": [load]})
    return compile_system(whole, first_geometry(whole))


def test_speeds_of_a_floating_root_are_its_first_six():
    """Velocity in global axes, then angular velocity in body axes."""
    tree = crane()
    y, u = moving(tree), tree.initial_inputs()
    carrier = tree.carrier(["hull"])
    motion = carrier.equations(0.0, y, u)[3][0]
    six = tree.tables(y).speed.value[carrier.speeds_of("hull")]
    assert six[:3] == pytest.approx(motion[12:15], abs=1e-14)
    assert motion[:9].reshape(3, 3) @ six[3:] == pytest.approx(motion[15:18], abs=1e-14)
