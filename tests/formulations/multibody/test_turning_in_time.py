"""A body that turns about each of its axes under a torque, against closed forms in time."""

import numpy as np
import pytest

from fairlead.simulate import simulate

from .systems import system

INERTIA, TORQUE = 0.5, 2.0
AXES = [0, 1, 2]


def turned(axis, step, duration, joint, **body):
    """Spin (rad/s) about an axis, the torque's work and the damping's (J) at the end of a run, without weight.

    A hair hangs from the body's middle, as a system has at least one cable; it does not feel the turning.
    """
    torque = np.zeros(3)
    torque[axis] = TORQUE
    box = {"kind": "free", "position": [0, 0, -10], "mass": 4.0, "volume": 4.0 / 1025.0, "inertia": [INERTIA] * 3,
           "attachments": {"middle": [0, 0, 0]}, **body}  # fmt: skip
    result = simulate(
        system(
            environment={"gravity": 0.0},
            types={"hair": {"diameter": 1e-4, "mass_per_length": 1e-5, "axial_stiffness": 10.0, "drag": "none"}},
            points={"tip": {"kind": "free", "position": [0, 0, -10.1]}},
            bodies={"frame": {"kind": "prescribed", "position": [0, 0, -10]}, "box": box},
            joints={"joint": {"parent": "frame", "child": "box", **joint}},
            cables={"hair": {"type": "hair", "length": 0.1, "elements": 1, "start": "box.middle", "end": "tip"}},
            loads=[{"point": "box", "torque": torque.tolist()}],
            simulation={"start": "catenary", "duration": duration, "step": step, "output_every": duration},
        )
    )
    spin = np.sqrt(2.0 * result["energy_kinetic"].values[-1] / INERTIA)
    return spin, result["work_drives"].values[-1], result["work_damping"].values[-1]


@pytest.mark.parametrize("axis", AXES)
def test_rotational_drag_slows_a_body_about_each_axis(axis):
    """Jω̇ = M − Dω|ω| from rest: ω = √(M/D) tanh(t√(MD)/J), of second order in the step; the work is M times the
    angle (J/D) ln cosh(t√(MD)/J)."""
    drag, until = 2.0, 0.4
    way = until * np.sqrt(TORQUE * drag) / INERTIA
    spin, angle = np.sqrt(TORQUE / drag) * np.tanh(way), INERTIA / drag * np.log(np.cosh(way))
    moments = np.zeros(3)
    moments[axis] = drag
    runs = [turned(axis, step, until, {"kind": "free"}, drag_moment=moments.tolist()) for step in (0.04, 0.02)]
    errors = [run[0] - spin for run in runs]
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.6)
    assert runs[1][0] == pytest.approx(spin, rel=1e-2)
    assert runs[1][1] == pytest.approx(TORQUE * angle, rel=1e-2)


@pytest.mark.parametrize("axis", AXES)
def test_the_damper_of_a_spherical_joint_slows_a_body_about_each_axis(axis):
    """Jω̇ = M − cω from rest: ω = (1 − e^(−ct/J)) M/c; the work is M times the angle, less the energy of motion the
    damper's."""
    damping, until = 1.5, 0.6
    left = np.exp(-damping * until / INERTIA)
    spin = TORQUE / damping * (1.0 - left)
    angle = TORQUE / damping * (until - INERTIA / damping * (1.0 - left))
    found, work, lost = turned(axis, 0.005, until, {"kind": "spherical", "damping": damping})
    assert found == pytest.approx(spin, rel=1e-3)
    assert work == pytest.approx(TORQUE * angle, rel=1e-3)
    assert lost == pytest.approx(0.5 * INERTIA * spin**2 - TORQUE * angle, rel=1e-2)
