"""A vehicle with thrusters at the end of its tether, in every formulation that carries one."""

import numpy as np
import pytest

import fairlead as fl
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import load_text

FORMULATIONS = ("tether", "links")
SYSTEM = """
environment: {{water_density: {density}, gravity: {gravity}{current}}}
types:
  cord: {{diameter: 0.012, density: {rope}, axial_stiffness: 2e5, damping_time: 0.02, drag: {{normal: 1.2, axial: 0}}}}
points: {{ship: {{kind: {kind}, position: [0, 0, -20]}}}}
bodies:
  rov:
    kind: free
    position: [{x}, 0, -20]
    mass: 100
    inertia: [4, 9, 10]
    volume: {volume}
    centre_of_buoyancy: [0, 0, 0.05]
    drag_moment: [20, 40, 40]
    drag_area: [0.4, 0.9, 1.2]
    added_mass: [30, 60, 90]
    attachments: {{stern: [-0.6, 0, 0.1], nose: [0.6, 0, 0]}}
cables: {{line: {{type: cord, length: 20, elements: 8, start: ship, end: rov.stern}}}}
loads: [{{name: thrust, point: rov, force: [0, 0, 0]}}]
simulation: {{formulation: {formulation}, duration: 60, step: {step}, start: catenary}}
"""


def simulation(formulation: str, **changes: object) -> fl.Simulation:
    numbers = {"density": 1025, "gravity": 9.81, "current": "", "rope": 1025, "kind": "fixed", "x": 20.3,
               "volume": 100 / 1025, "step": 0.01}  # fmt: skip
    return fl.Simulation(load_text(SYSTEM.format(formulation=formulation, **numbers | changes)))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_thrust_is_what_drag_and_line_hold(formulation):
    """At rest in a current the line pulls as much as thrust and drag, ½ρ|U| R diag(C_d A) Rᵀ U; so do its moments."""
    sim = simulation(formulation, current=", current: [{z: 0, velocity: [0.5, 0, 0]}]")
    out = sim.step(80.0, {"thrust.force": (80.0, 0.0, 0.0)})
    assert np.abs(out["rov.velocity"]).max() < 0.01
    pull, pitch = out["line.force_end"], out["rov.pitch"]
    R = np.array([[np.cos(pitch), 0, np.sin(pitch)], [0, 1, 0], [-np.sin(pitch), 0, np.cos(pitch)]])
    flow = [0.5, 0.0, 0.0] - out["rov.velocity"]  # it still sinks by a few millimetres a second
    drag = 0.5 * 1025 * np.linalg.norm(flow) * R @ (np.array([0.4, 0.9, 1.2]) * (R.T @ flow))
    assert pull == pytest.approx([-80.0, 0, 0] - drag, abs=0.005 * 131)
    stern = out["line.position"][-1] - out["rov.position"]
    assert stern == pytest.approx(R @ [-0.6, 0, 0.1], abs=1e-3)
    righting = np.cross(R @ [0, 0, 0.05], [0, 0, 100 * 9.81])
    assert np.cross(stern, pull) == pytest.approx(-righting, abs=0.5)
    assert abs(pitch) > 0.05


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_impulse_of_the_thrusters_is_the_momentum_of_all(formulation):
    """Without water and weight the centre of mass of vehicle and tether accelerates by F/M, whatever moves inside."""
    sim = simulation(formulation, density=0, gravity=1e-9, rope=7850, kind="free", step=0.002)
    force, per_metre = np.array([20.0, 30.0, -10.0]), 7850 * np.pi / 4 * 0.012**2
    share = per_metre * 2.5 * np.array([0.5, *[1.0] * 7, 0.5])
    total = 100 + share.sum()

    def centre(out):
        return (100 * out["rov.position"] + share @ out["line.position"]) / total

    first, out = centre(sim.outputs()), sim.step(2.0, {"thrust.force": force})
    moved = 0.5 * force / total * 2.0**2
    assert centre(out) - first == pytest.approx(moved, abs=2e-3 * np.linalg.norm(moved))
    speed = (100 * out["rov.velocity"] + share @ out["line.velocity"]) / total
    assert speed == pytest.approx(force / total * 2.0, abs=2e-3 * np.linalg.norm(force / total * 2.0))
    assert abs(out["rov.yaw"]) > 0.01, "the tether's pull beside the centre turns it"


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_torque_turns_it_and_a_force_at_the_nose_is_a_torque(formulation):
    """With its tether slack beside it: ω = τ t/(J + added inertia), here in air and without weight."""
    sim = simulation(formulation, density=0, gravity=1e-9, rope=1, x=12.0, step=0.002)
    turned = sim.step(0.2, {"thrust.torque": (0.0, 0.0, 5.0)})["rov.yaw"]
    assert turned == pytest.approx(0.5 * 5.0 / 10 * 0.2**2, rel=0.03)


def ledger(out):
    """Energy that is stored, and the work that was done, J."""
    works = sum(out[f"work_{name}"] for name in ("drag", "damping", "friction", "drives"))
    return sum(out[f"energy_{name}"] for name in ("kinetic", "gravity", "elastic")), works


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_it_goes_where_it_goes_in_lumped(formulation):
    """Thrust ahead, to port and down with a torque to starboard: place and angles over 10 s, tether taut and slack."""
    sims = [simulation(name, x=15.0) for name in (formulation, "lumped")]
    path = {name: [] for name in ("own", "lumped")}
    balance = [ledger(sims[0].outputs())]
    for k in range(40):
        push = (30.0, 20.0 * np.sin(0.3 * k), -10.0)
        for sim, kept in zip(sims, path.values(), strict=True):
            out = sim.step(0.25, {"thrust.force": push, "thrust.torque": (0.0, 1.0, -2.0)})
            kept.append([*out["rov.position"], *(out[f"rov.{angle}"] for angle in ("roll", "pitch", "yaw"))])
        balance.append(ledger(sims[0].outputs()))
    own, other = (np.array(kept) for kept in path.values())
    assert np.ptp(other[:, 0]) > 2.0
    assert np.ptp(other[:, 5]) > 0.3
    assert np.abs(own - other)[:, :3].max() < 0.05 * np.ptp(other[:, 0])
    assert np.abs(own - other)[:, 3:].max() < 0.1
    stored, given = np.array(balance).T
    assert np.abs(stored - stored[0] - given).max() < 0.03 * np.abs(np.diff(given)).sum(), "energy is accounted for"


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_bodies_it_cannot_carry_are_refused_with_those_that_can(formulation):
    text = SYSTEM.format(formulation=formulation, density=1025, gravity=9.81, current="", rope=1025, kind="fixed", x=20,
                         volume=0.1, step=0.01)  # fmt: skip
    second = ", again: {type: cord, length: 22, elements: 8, start: ship, end: rov.nose}}"
    with pytest.raises(UnsupportedSystem, match=r"bodies\.rov: 2 cables end at it.*use formulation: bars or lumped"):
        fl.Simulation(load_text(text.replace("end: rov.stern}}", "end: rov.stern}" + second)))
    with pytest.raises(UnsupportedSystem, match=r"cables\.line\.end\.joint"):
        fl.Simulation(load_text(text.replace("end: rov.stern", "end: {point: rov.stern, joint: clamp}")))
