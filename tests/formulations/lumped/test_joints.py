"""Joints between bodies among point masses: periods, loops, sliders, moving bases, moorings, and bodies at rest."""

import numpy as np
import pytest
from scipy.special import ellipk

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.lumped import compile_system
from fairlead.model import System
from fairlead.model.bodies import rotation_matrix
from fairlead.shape.layout import first_geometry
from fairlead.simulate import simulate
from fairlead.statics import natural_modes, settle

G = 9.80665
WIRE = {"diameter": 0.03, "mass_per_length": 3.0, "axial_stiffness": 2e5, "damping_time": 0.002}
MASS, ARM = 4.0, 0.7
INERTIA = [0.5, 0.3, 0.6]


HOOK = {
    "hook": {"kind": "fixed", "position": [50, 0, 0]},
    "plumb": {"kind": "free", "position": [50, 0, -1], "mass": 1e-3},
}


def system(bodies, joints, formulation="lumped", **parts):
    """Bodies in air on joints; a plumb line hangs far from them, as a system has at least one cable."""
    settings = {
        "formulation": formulation, "start": "catenary", "duration": 4.0, "step": 0.004, "output_every": 0.04,
        **parts.pop("simulation", {}),
    }  # fmt: skip
    whole = {
        "environment": {"water_density": 0.0, "gravity": G},
        "types": {"wire": WIRE, "thread": {**WIRE, "mass_per_length": 1e-3}},
        "points": {
            "pivot": {"kind": "fixed", "position": [0, 0, 0]}, **HOOK,
        },
        "bodies": {
            name: {"kind": "free", "mass": MASS, "inertia": INERTIA, **body}
            if body.get("kind") != "prescribed" else body
            for name, body in bodies.items()
        },
        "joints": joints,
        "cables": {"line": {"type": "thread", "length": 1.0, "elements": 1, "start": "hook", "end": "plumb"}},
    }  # fmt: skip
    return System.model_validate({**whole, **parts, "simulation": settings})


def hung(angles_deg, top=(0.0, 0.0, 0.0), length=ARM, **more):
    """A body whose heel, `length` above its centre, is at `top`, turned as said."""
    heel = np.array(rotation_matrix(angles_deg)) @ [0, 0, length]
    return {
        "position": (np.array(top) - heel).tolist(), "orientation_deg": list(angles_deg),
        "attachments": {"heel": [0, 0, length], "toe": [0, 0, -length]}, **more,
    }  # fmt: skip


def place_on(result, name, offset):
    """Where a place of a body is over time, (time, 3)."""
    angles = np.degrees(np.stack([result[f"{name}.{a}"].values for a in ("roll", "pitch", "yaw")], axis=1))
    at = result["point_position"].sel(point=name).values
    return at + np.array([np.array(rotation_matrix(tuple(row))) @ offset for row in angles])


def leftover(result):
    """Energy that no book accounts for, J (time,)."""
    total = result.energy_kinetic + result.energy_gravity + result.energy_elastic
    total = total - result.work_drag - result.work_damping - result.work_friction - result.work_drives
    return total.values - total.values[0]


def period_of(t, x):
    """Period of a swing that starts at rest, from its first crossing of zero to its third."""
    i = np.flatnonzero(x[:-1] * x[1:] <= 0.0)
    crossings = t[i] - x[i] * (t[i + 1] - t[i]) / (x[i + 1] - x[i])
    return crossings[2] - crossings[0]


@pytest.mark.parametrize(("yaw", "tilt"), [(0.0, 0.0), (35.0, 0.0), (120.0, 40.0)])
def test_physical_pendulum_has_its_period_in_every_direction(yaw, tilt):
    """T = 4 K(sin²(a/2)) √(J/(m g c cos tilt)) at an amplitude a of 40°: a hinge whose axis leans by `tilt` feels less
    weight. Nothing else moves, the heel stays in its pivot, and no energy is lost."""
    lean = np.array(rotation_matrix((0.0, 0.0, yaw))) @ np.array(rotation_matrix((tilt, 0.0, 0.0)))
    axis, a = lean @ [0, 1, 0], np.radians(40.0)
    swing = np.array(rotation_matrix((0.0, 40.0, 0.0)))
    R = lean @ swing
    angles = np.degrees([np.arctan2(R[2, 1], R[2, 2]), -np.arcsin(R[2, 0]), np.arctan2(R[1, 0], R[0, 0])])
    joint = {"kind": "revolute", "parent": "pivot", "child": "arm.heel", "axis": axis.tolist()}
    result = simulate(system({"arm": hung(tuple(angles))}, {"hinge": joint}))
    inertia = INERTIA[1] + MASS * ARM**2
    weight = MASS * G * ARM * np.cos(np.radians(tilt))
    asked = 4.0 * ellipk(np.sin(a / 2.0) ** 2) * np.sqrt(inertia / weight)
    t, angle = result["time"].values, result["hinge.angle"].values + a
    assert period_of(t, angle) == pytest.approx(asked, rel=2e-4)
    assert abs(angle).max() == pytest.approx(a, abs=1e-4)
    assert np.abs(place_on(result, "arm", [0, 0, ARM])).max() < 1e-9
    assert np.abs(leftover(result)).max() < 3e-5 * weight
    start = np.array([0.0, 0.0, MASS * G]) - _first_pull(R, axis)
    assert result["hinge.force"].values[0] == pytest.approx(np.linalg.norm(start), rel=2e-3)


def _first_pull(R, axis):
    """m times the first acceleration of the centre, sign reversed."""
    arm = R @ [0, 0, -ARM]
    torque = axis @ np.cross(arm, [0, 0, -MASS * G])
    return -MASS * np.cross(axis * torque / (INERTIA[1] + MASS * ARM**2), arm)


def test_a_pendulum_goes_round_and_round():
    """Upside down but for 3 degrees, with a wheel's worth of turns: the angle counts on, and it comes back to rest."""
    joint = {"kind": "revolute", "parent": "pivot", "child": "arm.heel", "axis": [0, 1, 0]}
    result = simulate(system({"arm": hung((0.0, 177.0, 0.0))}, {"hinge": joint}))
    angle = np.degrees(result["hinge.angle"].values)
    assert angle.min() == pytest.approx(-354.0, abs=0.2)
    assert np.abs(leftover(result)).max() < 5e-4 * MASS * G * ARM
    assert np.abs(leftover(result)[-1]) < 2e-5 * MASS * G * ARM


@pytest.fixture(scope="module")
def crossed():
    """Two bodies on hinges that are not parallel, let go aslant: by the point masses and by trees."""
    bodies = {"one": hung((20.0, 30.0, 15.0)), "two": None}
    toe = np.array(bodies["one"]["position"]) + np.array(rotation_matrix((20.0, 30.0, 15.0))) @ [0, 0, -ARM]
    bodies["two"] = hung((-35.0, 10.0, 50.0), toe)
    joints = {
        "upper": {"kind": "spherical", "parent": "pivot", "child": "one.heel", "stiffness": 3.0, "damping": 0.2},
        "lower": {"kind": "revolute", "parent": "one.toe", "child": "two.heel", "axis": [1, 0.4, 0.2], "stiffness": 2.0,
                  "rest": 0.3, "damping": 0.1, "limits": [-0.4, 0.5], "limit_stiffness": 200.0},
    }  # fmt: skip
    runs = []
    for name, step in (("lumped", 0.002), ("multibody", 0.002)):
        settings = {"duration": 2.0, "step": step}
        runs.append(simulate(system(bodies, joints, name, simulation=settings)))
    return runs


def test_double_pendulum_in_space_moves_as_a_tree(crossed):
    masses, tree = crossed
    apart = np.abs(masses["point_position"].sel(point="two").values - tree["point_position"].sel(point="two").values)
    assert np.ptp(tree["point_position"].sel(point="two").values, axis=0).min() > 0.05
    assert apart.max() < 2e-3
    for result in crossed:
        assert np.abs(leftover(result)).max() < 2e-3 * float(result.energy_kinetic.max())
    assert float(masses.work_damping[-1]) == pytest.approx(float(tree.work_damping[-1]), rel=2e-3)


def test_parallelogram_swings_as_one_pendulum():
    """A coupler on two equal cranks closes a loop with redundant bonds; it never turns, and the period is that of
    ω² = (m c + m_c l) g/(J + m c²·… + m_c l²) of both cranks, here small angles."""
    length = 2.0 * ARM
    lean = np.radians(5.0)
    shift = length * np.array([-np.sin(lean), 0.0, -np.cos(lean)])
    cranks = {name: hung((0.0, 5.0, 0.0), (x, 0.0, 0.0)) for name, x in (("left", 0.0), ("right", 2.0))}
    coupler = {"position": [shift[0] + 1.0, 0.0, shift[2]], "mass": 6.0,
               "attachments": {"left": [-1, 0, 0], "right": [1, 0, 0]}}  # fmt: skip
    joints = {
        name: {"kind": "revolute", "parent": parent, "child": child, "axis": [0, 1, 0]}
        for name, parent, child in (
            ("a", "pivot", "left.heel"), ("b", "other", "right.heel"), ("c", "left.toe", "coupler.left"),
            ("d", "right.toe", "coupler.right"),
        )
    }  # fmt: skip
    points = {
        "pivot": {"kind": "fixed", "position": [0, 0, 0]}, "other": {"kind": "fixed", "position": [2, 0, 0]},
        **HOOK,
    }  # fmt: skip
    whole = system({**cranks, "coupler": coupler}, joints, points=points)
    result = simulate(whole)
    inertia = 2.0 * (INERTIA[1] + MASS * ARM**2) + 6.0 * length**2
    weight = (2.0 * MASS * ARM + 6.0 * length) * G
    asked = 4.0 * ellipk(np.sin(lean / 2.0) ** 2) * np.sqrt(inertia / weight)
    assert period_of(result["time"].values, result["a.angle"].values + lean) == pytest.approx(asked, rel=2e-4)
    assert np.abs(result["coupler.pitch"].values).max() < 1e-9
    assert np.abs(leftover(result)).max() < 1e-6 * weight
    masses, y = at_rest(whole)
    omega = natural_modes(masses, y, 3).omega
    assert np.abs(omega / np.sqrt(weight / inertia) - 1).min() < 1e-6


def at_rest(whole):
    compiled = compile_system(whole, first_geometry(whole))
    return compiled, settle(compiled, compiled.initial_state())[0]


def test_slider_with_a_spring_on_a_slope_rests_and_swings():
    """s = m g sin β/k at rest; let go it swings about it by 1 − cos ωt, ω² = k/m, until a limit holds."""
    beta, k = np.radians(30.0), 60.0
    joint = {"kind": "prismatic", "parent": "pivot", "child": "arm", "axis": [np.cos(beta), 0, -np.sin(beta)],
             "stiffness": k}  # fmt: skip
    whole = system({"arm": {"position": [0, 0, 0]}}, {"slide": joint})
    sag = MASS * G * np.sin(beta) / k
    result = simulate(whole)
    t, stroke = result["time"].values, result["slide.stroke"].values
    assert stroke == pytest.approx(sag * (1 - np.cos(np.sqrt(k / MASS) * t)), abs=2e-4)
    assert np.abs(result["arm.pitch"].values).max() < 1e-12
    assert result["slide.force"].values[0] == pytest.approx(MASS * G * np.cos(beta), rel=1e-6)
    masses, y = at_rest(whole)
    place = masses.tables(y).hub_state.position[list(masses._hub_names).index("arm")]
    assert np.linalg.norm(place) == pytest.approx(sag, rel=1e-7)
    assert np.abs(natural_modes(masses, y, 3).omega / np.sqrt(k / MASS) - 1).min() < 1e-6
    stopped = simulate(
        system({"arm": {"position": [0, 0, 0]}}, {"slide": {**joint, "limits": [-1, 0.3], "limit_stiffness": 1e5}})
    )
    assert stopped["slide.stroke"].values.max() < 0.31


def test_moving_base_gives_the_energy_it_is_booked_for():
    """An arm on a hinge of a swaying and pitching frame, against the same by trees; the books close."""
    motion = {"harmonic": {"amplitude": [0.3, 0.1, 0.2], "rotation_deg": [4, 8, 0], "period": 2.5}}
    frame = {"kind": "prescribed", "position": [0, 0, 2], "motion": motion, "attachments": {"tip": [1, 0, -2]}}
    joint = {"kind": "revolute", "parent": "frame.tip", "child": "arm.heel", "axis": [0, 1, 0.3], "damping": 0.3}
    bodies = {"frame": frame, "arm": hung((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))}
    settings = {"duration": 3.0, "step": 0.002}
    masses, tree = (
        simulate(system(bodies, {"hinge": joint}, name, points=HOOK, simulation=settings))
        for name in ("lumped", "multibody")
    )
    given = float(np.abs(masses.work_drives.values).max())
    assert given > 1.0
    assert np.abs(leftover(masses)).max() < 2e-3 * given
    apart = masses["point_position"].sel(point="arm").values - tree["point_position"].sel(point="arm").values
    assert np.abs(apart).max() < 1e-3


def test_fixed_joint_makes_one_body_of_two():
    """Two halves fixed together swing on two wires as the whole of them does, and pass on what the other half needs."""

    def on_wires(bodies, joints, ends):
        points = {
            "pivot": {"kind": "fixed", "position": [0, 0, 0]}, "far": {"kind": "fixed", "position": [4, 0, 0]},
        }  # fmt: skip
        cables = {
            f"wire_{i}": {"type": "wire", "length": 3.0, "elements": 2, "start": start, "end": end}
            for i, (start, end) in enumerate(zip(points, ends, strict=True))
        }
        loads = [{"point": ends[1], "force": [40, 25, 0]}]
        return simulate(system(bodies, joints, points=points, cables=cables, loads=loads,
                               simulation={"start": "statics", "duration": 2.0, "step": 0.005}))  # fmt: skip

    level = -3.0
    halves = {
        "left": {"position": [1, 0, level], "attachments": {"end": [-1, 0, 0], "joint": [1, 0, 0]}},
        "right": {"position": [3, 0, level], "attachments": {"end": [1, 0, 0], "joint": [-1, 0, 0]}},
    }
    joint = {"kind": "fixed", "parent": "left.joint", "child": "right.joint"}
    two = on_wires(halves, {"weld": joint}, ("left.end", "right.end"))
    inertia = (2 * np.array(INERTIA) + [0, 2 * MASS, 2 * MASS]).tolist()
    whole = {"position": [2, 0, level], "mass": 2 * MASS, "inertia": inertia,
             "attachments": {"left": [-2, 0, 0], "right": [2, 0, 0]}}  # fmt: skip
    one = on_wires({"whole": whole}, {}, ("whole.left", "whole.right"))
    for name in ("left", "right"):
        mine = place_on(one, "whole", [-1.0 if name == "left" else 1.0, 0, 0])
        assert two["point_position"].sel(point=name).values == pytest.approx(mine, abs=1e-5)
    assert two["tension_effective"].values == pytest.approx(one["tension_effective"].values, abs=0.05)


def test_a_hinged_pair_of_barges_on_its_moorings():
    """Symmetric and pre-tensioned, at rest the hinge carries the lines' horizontal pull and nothing else; in waves it
    stays closed and the books of energy close. No other formulation runs it."""
    side = 8.0
    box = {"box": {"length": 2 * side, "width": 10.0, "height": 4.0}}
    barge = {"mass": 0.5 * 1025 * 640.0, "inertia": [4e6, 9e6, 1.2e7], "shape": box, "floating": True,
             "drag_area": [40, 80, 160], "added_mass": [3e4, 1e5, 3e5]}  # fmt: skip
    bodies = {
        "fore": {**barge, "position": [-side, 0, 0], "attachments": {"bow": [-side, 0, 0], "hinge": [side, 0, 0]}},
        "aft": {**barge, "position": [side, 0, 0], "attachments": {"stern": [side, 0, 0], "hinge": [-side, 0, 0]}},
    }
    chain = {"diameter": 0.1, "mass_per_length": 60.0, "axial_stiffness": 4e6, "drag": {"normal": 1.2, "axial": 0.1}}
    whole = {
        "environment": {"water_density": 1025, "gravity": G,
                        "waves": {"kind": "regular", "height": 2.0, "period": 6.0, "direction_deg": 0}},
        "types": {"chain": chain},
        "points": {"a": {"kind": "fixed", "position": [-116, 0, -40]},
                   "b": {"kind": "fixed", "position": [116, 0, -40]}},
        "cables": {"l": {"type": "chain", "length": 108.5, "elements": 6, "start": "a", "end": "fore.bow"},
                   "r": {"type": "chain", "length": 108.5, "elements": 6, "start": "b", "end": "aft.stern"}},
        "bodies": {name: {"kind": "free", **body} for name, body in bodies.items()},
        "joints": {"hinge": {"kind": "revolute", "parent": "fore.hinge", "child": "aft.hinge", "axis": [0, 1, 0]}},
        "simulation": {"formulation": "lumped", "start": "statics", "duration": 12.0, "step": 0.02,
                       "output_every": 0.1},
    }  # fmt: skip
    system = System.model_validate(whole)
    calm = {key: value for key, value in whole["environment"].items() if key != "waves"}
    still = System.model_validate(
        {**whole, "environment": calm, "simulation": {**whole["simulation"], "duration": 0.1}}
    )
    resting = simulate(still)
    pull = np.abs(resting["force_end"].sel(cable="l").values[0, 1])
    assert resting["hinge.force"].values[0] == pytest.approx(pull[0], rel=1e-4)
    assert resting["hinge.moment"].values[0] < 1e-6 * pull[0]
    rests = resting["point_position"].sel(point="aft").values
    assert np.abs(rests[-1] - rests[0]).max() < 1e-6
    result = simulate(system)
    gap = place_on(result, "fore", [side, 0, 0]) - place_on(result, "aft", [-side, 0, 0])
    assert np.abs(gap).max() < 1e-8
    assert np.ptp(result["hinge.angle"].values) > 0.02
    assert np.abs(leftover(result)).max() < 0.02 * float(np.abs(result.work_drag.values).max())


def test_what_joints_are_not():
    joint = {"kind": "revolute", "parent": "pivot", "child": "arm.heel", "axis": [0, 1, 0]}
    whole = system({"arm": hung((0.0, 0.0, 0.0))}, {"hinge": joint}, simulation={"integrator": "rk4"})
    with pytest.raises(UnsupportedSystem, match=r"joints\.hinge.*rk4.*semi_implicit"):
        at_rest(whole)
    moved = hung((0.0, 0.0, 0.0), (0.0, 0.0, 0.1))
    with pytest.raises(UnsupportedSystem, match=r"joints\.hinge.*0\.1 m apart"):
        at_rest(system({"arm": moved}, {"hinge": joint}))


def test_slider_on_a_swinging_arm_moves_as_a_tree():
    """A body that slides along an arm on a hinge, off the line of the hinge: the arm feels it where it is, not where
    the slider begins. Against trees, with the books of energy."""
    arm = hung((0.0, 60.0, 0.0))
    R = np.array(rotation_matrix((0.0, 60.0, 0.0)))
    rider = {"position": (np.array(arm["position"]) + R @ [0.3, 0.1, 0.2]).tolist(), "orientation_deg": [0, 60, 0],
             "mass": 6.0, "attachments": {"shoe": [-0.3, -0.1, 0.0]}}  # fmt: skip
    joints = {
        "hinge": {"kind": "revolute", "parent": "pivot", "child": "arm.heel", "axis": [0, 1, 0]},
        "slide": {"kind": "prismatic", "parent": "arm", "child": "rider.shoe", "axis": [0, 0, 1], "stiffness": 60.0,
                  "damping": 2.0},
    }  # fmt: skip
    settings = {"duration": 2.0, "step": 0.002}
    masses, tree = (
        simulate(system({"arm": arm, "rider": rider}, joints, name, simulation=settings))
        for name in ("lumped", "multibody")
    )
    assert np.ptp(masses["slide.stroke"].values) > 0.3
    apart = masses["point_position"].sel(point="rider").values - tree["point_position"].sel(point="rider").values
    assert np.abs(apart).max() < 1e-3
    for result in (masses, tree):
        assert np.abs(leftover(result)).max() < 1e-3 * float(result.energy_kinetic.max())
