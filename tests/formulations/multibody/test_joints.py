"""Joints between bodies: springs, limits, either way round, Denavit–Hartenberg numbers, and what does not fit."""

import numpy as np
import pytest

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import ModelError
from fairlead.model.joints import Joint
from fairlead.simulate import simulate

from .systems import WIRE, compiled, system

MASS, INERTIA = 4.0, 0.5


def parts(joint, gravity=1e-9, **arm):
    """An arm joined to a frame that is held; a plumb line hangs from the frame, as a system has at least one cable."""
    body = {"kind": "free", "position": [0, 0, 0], "mass": MASS, "inertia": [INERTIA] * 3, **arm}
    return {
        "environment": {"water_density": 0.0, "gravity": gravity},
        "points": {"plumb": {"kind": "free", "position": [5, 0, -1], "mass": 1.0}},
        "bodies": {
            "frame": {"kind": "prescribed", "position": [0, 0, 0], "attachments": {"aside": [5, 0, 0]}},
            "arm": {"attachments": {"end": [0.3, 0, 0], "other": [0, 0, 1]}, **body},
        },
        "joints": {"joint": {"parent": "frame", "child": "arm", **joint}},
        "cables": {"line": {"type": "wire", "length": 1.0, "elements": 1, "start": "frame.aside", "end": "plumb"},
                   "tail": {"type": "wire", "length": 1e-3, "elements": 1, "start": "arm.end", "end": "tip"}},
    }  # fmt: skip


def with_tail(joint, **arm):
    """The same; the arm ends in a tail of a gram, which it does not feel."""
    whole = parts(joint, **arm)
    body = system_body(whole)
    tip = np.add(body["position"], [0.3, 0, -1e-3])
    whole["points"]["tip"] = {"kind": "free", "position": tip.tolist()}
    whole["types"] = {"wire": {**WIRE, "mass_per_length": 1e-3}}
    whole["cables"]["tail"]["allow_stretch"] = True
    return whole


def system_body(whole):
    return whole["bodies"]["arm"]


def run(whole, duration=4.0, step=0.002):
    settings = {"start": "catenary", "duration": duration, "step": step, "output_every": 0.02}
    return simulate(system(**whole, simulation=settings))


def test_revolute_joint_with_a_spring_swings_about_its_rest():
    """θ = rest (1 − cos ωt), ω² = k/J about the joint: 1e-3 rad over some periods."""
    joint = {"kind": "revolute", "axis": [0, 0, 1], "stiffness": 8.0, "rest": 0.4}
    result = run(with_tail(joint))
    t = result["time"].values
    assert result["arm.yaw"].values == pytest.approx(0.4 * (1 - np.cos(np.sqrt(8.0 / INERTIA) * t)), abs=1e-3)


def test_damper_takes_the_energy_it_is_booked_for():
    """Energy lost is the work of damping: 1 %."""
    joint = {"kind": "revolute", "axis": [0, 0, 1], "stiffness": 8.0, "damping": 0.5, "rest": 0.4}
    result = run(with_tail(joint))
    energy = (result["energy_kinetic"] + result["energy_elastic"] + result["energy_gravity"]).values
    work = result["work_damping"].values + result["work_drives"].values
    assert energy[-1] < 0.2 * energy[0]
    assert np.abs(energy - energy[0] - work).max() < 0.01 * energy[0]


def test_prismatic_joint_with_a_spring():
    """x = rest (1 − cos ωt), ω² = k/m."""
    joint = {"kind": "prismatic", "axis": [0, 1, 0], "stiffness": 100.0, "rest": 0.2}
    result = run(with_tail(joint))
    place = result["point_position"].sel(point="arm", axis="y").values
    t = result["time"].values
    assert place == pytest.approx(0.2 * (1 - np.cos(np.sqrt(100.0 / MASS) * t)), abs=1e-3)


def test_limits_hold_the_joint():
    """Driven against its limit at 0.25 rad, the joint goes no more than 0.01 rad beyond it."""
    joint = {"kind": "revolute", "axis": [0, 0, 1], "stiffness": 8.0, "rest": 0.4}
    stop = {"limits": [-0.1, 0.25], "limit_stiffness": 5e4, "limit_damping": 20.0}
    result = run(with_tail({**joint, **stop}), step=0.0005)
    angle = result["arm.yaw"].values
    assert 0.24 < angle.max() < 0.26


def test_a_joint_may_be_written_from_either_side():
    """Parent and child exchanged, the axis turned round with them: the same motion."""
    one = run(with_tail({"kind": "revolute", "axis": [0, 0, 1], "stiffness": 8.0, "rest": 0.4}))
    whole = with_tail({"kind": "revolute", "axis": [0, 0, 1], "stiffness": 8.0, "rest": -0.4})
    whole["joints"]["joint"] |= {"parent": "arm", "child": "frame"}
    assert run(whole)["arm.yaw"].values == pytest.approx(one["arm.yaw"].values, abs=1e-12)


def test_denavit_hartenberg_numbers_are_checked_against_the_bodies():
    dh = {"a": 0.5, "alpha_deg": 90, "d": 0.2, "theta_deg": 0}
    with pytest.raises(UnsupportedSystem, match=r"joints\.joint\.dh.*position \[0\.5, -0\.2,.*orientation_deg \[90"):
        compiled(**with_tail({"kind": "revolute", "dh": dh}))
    whole = with_tail(
        {"kind": "revolute", "dh": dh, "child": "arm"}, position=[0.5, -0.2, 0], orientation_deg=[90, 0, 0]
    )
    whole["joints"]["joint"]["parent"] = "frame.elbow"
    whole["bodies"]["frame"]["attachments"]["elbow"] = [0.5, -0.2, 0]
    whole["cables"].pop("tail"), whole["points"].pop("tip")
    whole["cables"]["line2"] = {"type": "wire", "length": 1, "elements": 1, "start": "arm.other", "end": "low"}
    whole["points"]["low"] = {"kind": "free", "position": [0.5, -1.2, -1.0]}
    assert compiled(**whole).step_bound() > 0.0


def test_places_that_do_not_meet():
    with pytest.raises(UnsupportedSystem, match=r"joints\.joint: its two places are 1 m apart"):
        compiled(**with_tail({"kind": "spherical"}, position=[0, 0, 1]))


def test_a_joint_to_nowhere():
    with pytest.raises((UnsupportedSystem, ModelError), match="nothing"):
        compiled(**with_tail({"kind": "spherical", "parent": "nothing"}))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"kind": "revolute"}, "needs an axis"),
        ({"kind": "spherical", "axis": [0, 0, 1]}, "no meaning"),
        ({"kind": "revolute", "axis": [0, 0, 0]}, "without length"),
        ({"kind": "prismatic", "axis": [0, 0, 1], "limits": [1, 0]}, "not below"),
        ({"kind": "revolute", "axis": [0, 0, 1], "dh": {"a": 1}}, "cannot stand beside"),
    ],
)
def test_joints_that_make_no_sense(given, words):
    with pytest.raises(ModelError, match=words):
        Joint(parent="a", child="b", **given)


def test_swaying_crane_gives_and_takes_energy():
    """A load on a wire from the tip of a crane that pitches and heaves: energy gained is the crane's work: 0.1 %."""
    motion = {
        "harmonic": {"amplitude": [0.5, 0, 0.8], "rotation_deg": [4, 6, 3], "rotation_phase_deg": 40, "period": 5}
    }
    whole = {
        "points": {"load": {"kind": "free", "position": [12, 0, 0], "mass": 50.0}},
        "bodies": {"crane": {"kind": "prescribed", "position": [0, 0, 0], "motion": motion,
                             "attachments": {"tip": [12, 1, 6]}}},
        "cables": {"wire": {"type": "wire", "length": 6.2, "elements": 4, "start": "crane.tip", "end": "load"}},
        "simulation": {"start": "catenary", "integrator": "rk4", "duration": 6, "step": 0.0005, "output_every": 0.5},
    }  # fmt: skip
    result = simulate(system(**whole))
    energy = sum(result[f"energy_{kind}"].values for kind in ("kinetic", "gravity", "elastic"))
    work = sum(result[f"work_{kind}"].values for kind in ("drag", "damping", "friction", "drives"))
    assert np.ptp(work) > 100.0
    assert np.abs(energy - energy[0] - work).max() < 1e-3 * np.ptp(result["work_drives"].values)


def test_free_joint_leaves_a_body_free():
    """With a free joint the arm falls as if there were none: z = -g t^2 / 2."""
    whole = with_tail({"kind": "free"}, gravity=9.81)
    result = run(whole, duration=1.0)
    fall = result["point_position"].sel(point="arm", axis="z").values
    assert fall == pytest.approx(-0.5 * 9.81 * result["time"].values ** 2, abs=1e-3)
    with pytest.raises(ModelError, match=r"joints\.joint\.damping: has no meaning for a free joint; remove it"):
        system(**with_tail({"kind": "free", "damping": 3.0}))
