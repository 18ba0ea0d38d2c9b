"""Rigid bodies in the bars formulation: carried attachments, clamps that turn with a body, live inputs, energy.

Prescribed bodies are checked against rotation matrices multiplied out here, and their velocities and accelerations
against differences in time.
"""

import numpy as np
import pytest

from fairlead.model import load_text
from fairlead.simulate import Simulation

LEVER = np.array([3.0, -1.0, 2.0])
VESSEL = """
environment: {{water_density: 0, gravity: {gravity}}}
types: {{wire: {{diameter: 0.02, density: 5000, axial_stiffness: 1e6, bending_stiffness: {ei}, drag: none}}}}
bodies:
  vessel: {{kind: prescribed, position: [1, 2, 0], orientation_deg: [5, -4, 30], cutoff: {cutoff},
           attachments: {{crane: [3, -1, 2]}}{motion}}}
points:
  P: {{kind: free, mass: 10}}
cables: {{line: {{type: wire, length: {length}, elements: {elements}, start: {{point: vessel.crane{joint}}}, end: P}}}}
simulation: {{start: catenary, formulation: bars, duration: 60, step: {step}}}
"""
ROLLING = (
    ", motion: {harmonic: {amplitude: [0.5, -0.3, 0.8], rotation_deg: [12, 8, -20], period: 4, phase_deg: 30, "
    "rotation_phase_deg: -50, ramp: 0}}"
)


def vessel(motion="", gravity=9.81, ei=0, cutoff=50, length=6, elements=3, joint="", step=0.01):
    values = {"motion": motion, "gravity": gravity, "ei": ei, "cutoff": cutoff, "length": length}
    return Simulation(load_text(VESSEL.format(**values, elements=elements, joint=joint, step=step)))


def turned(roll, pitch, yaw):
    """Rz(yaw) Ry(pitch) Rx(roll), multiplied out."""
    (cr, sr), (cp, sp), (cy, sy) = ((np.cos(a), np.sin(a)) for a in (roll, pitch, yaw))
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


def angles(out, body="vessel"):
    return np.array([out[f"{body}.{name}"] for name in ("roll", "pitch", "yaw")])


def test_an_attachment_is_carried_by_the_body():
    """p + R r with the angles the body has at that time, rolling, pitching and yawing at once."""
    simulation = vessel(ROLLING)
    for _ in range(8):
        out = simulation.step(0.37)
        place = out["vessel.position"] + turned(*angles(out)) @ LEVER
        assert out["line.position"][0] == pytest.approx(place, abs=2e-3)  # the end joint's stretch


def test_a_rolling_body_follows_its_motion():
    """Amplitudes and phases of all six, as they are in the file."""
    simulation = vessel(ROLLING)
    out = simulation.step(5.3)
    wave = [np.sin(2 * np.pi * 5.3 / 4 + np.radians(phase)) for phase in (30, -50)]
    place, turn = np.array([1, 2, 0]) + wave[0] * np.array([0.5, -0.3, 0.8]), wave[1] * np.array([12, 8, -20])
    assert out["vessel.position"] == pytest.approx(place, abs=1e-12)
    assert np.degrees(angles(out)) == pytest.approx(np.array([5, -4, 30]) + turn, abs=1e-10)


def test_velocity_and_acceleration_of_an_attachment_are_its_time_derivatives():
    """What enters the joints, v + R(w × r) and a + R(α × r + w × (w × r)), against central differences."""
    h = 0.001
    simulation = vessel(ROLLING, step=h, cutoff=30)
    tables = simulation.compiled.tables(simulation.state)
    crane = int(np.flatnonzero((tables.point.position == LEVER).all(axis=1))[0])
    for start in (0.5, 1.7, 3.1):
        simulation.step(start + 0.5 - simulation.time)
        rows = []
        for _ in range(5):
            simulation.step(h)
            rows.append(tables.block("point_now")[crane].copy())
        p, v, a = np.array(rows).reshape(5, 3, 3).transpose(1, 0, 2)
        size = np.abs(a[2]).max()
        assert (p[3] - p[1]) / (2 * h) == pytest.approx(v[2], abs=2e-3 * size)
        assert (v[3] - v[1]) / (2 * h) == pytest.approx(a[2], abs=1e-2 * size)


def test_a_clamp_turns_with_the_body():
    """A stiff line without weight, clamped to a body that rolls over and yaws, keeps its direction in the body."""
    simulation = vessel(gravity=1e-6, ei=1e4, length=0.5, elements=2, joint=", joint: clamp", cutoff=2)
    first = simulation.outputs()
    before = first["line.position"][-1] - first["line.position"][0]
    local = turned(*angles(first)).T @ before
    out = simulation.step(15.0, {"vessel.rotation": (1.0, 0.3, 2.0), "vessel.position": (4.0, 2.0, -1.0)}, hold=True)
    assert angles(out) == pytest.approx([1.0, 0.3, 2.0], abs=1e-3)
    assert out["vessel.position"] == pytest.approx([4.0, 2.0, -1.0], abs=1e-3)
    after = out["line.position"][-1] - out["line.position"][0]
    assert turned(*angles(out)).T @ after == pytest.approx(local, abs=5e-3)


def test_the_energy_a_moving_body_gives_is_booked():
    """A clamped line shaken by a vessel: energy against work, off by what the step loses, which halves with it."""
    missing = []
    for step in (0.01, 0.005):
        motion = ROLLING.replace("ramp: 0", "ramp: 4")
        result = vessel(motion, ei=100, elements=6, joint=", joint: clamp", step=step).run(duration=8.0)
        energy = sum(result[f"energy_{kind}"].values for kind in ("kinetic", "gravity", "elastic"))
        work = sum(result[f"work_{kind}"].values for kind in ("drag", "damping", "friction", "drives"))
        missing.append(np.abs(energy - energy[0] - work).max() / np.abs(result["work_drives"].values).max())
    assert missing[0] < 0.02
    assert missing[1] < 0.6 * missing[0]


PUSHED = """
environment: {water_density: 0, gravity: 0}
types: {thread: {diameter: 0.001, mass_per_length: 1e-6, axial_stiffness: 10, drag: none}}
points: {E: {kind: free, position: [0, 0, 1]}}
bodies:
  box: {kind: free, position: [0, 0, 0], orientation_deg: [0, 0, 90], mass: 10, inertia: [2, 2, 4],
        attachments: {middle: [0, 0, 0], side: [0.5, 0, 0]}}
cables: {thread: {type: thread, length: 1, elements: 1, start: box.middle, end: E}}
loads:
  - {name: push, point: box.side, force: [3, 0, 0]}
  - {name: twist, point: box, torque: [0, 0, 1]}
simulation: {formulation: bars, duration: 10, step: 0.001, start: catenary}
"""


def test_loads_act_at_their_attachment_and_give_way_to_inputs():
    """Turned by 90°, the lever points along y: a push along x turns the body by −r F about z, the torque by +1."""
    simulation = Simulation(load_text(PUSHED))
    out = simulation.step(0.2)
    turn = angles(out, "box")[2] - np.pi / 2
    assert turn == pytest.approx(0.5 * (1.0 - 0.5 * 3.0) / 4.0 * 0.2**2, rel=0.02)
    assert out["box.position"][0] == pytest.approx(0.5 * 3.0 / 10.0 * 0.2**2, rel=0.02)
    simulation = Simulation(load_text(PUSHED))
    out = simulation.step(0.2, {"push.force": (0.0, 2.0, 0.0), "twist.torque": (0.0, 0.0, -4.0)})
    assert angles(out, "box")[2] - np.pi / 2 == pytest.approx(-0.5 * 4.0 / 4.0 * 0.2**2, rel=0.02)
    assert out["box.position"][:2] == pytest.approx([0.0, 0.5 * 2.0 / 10.0 * 0.2**2], rel=0.02, abs=1e-9)
