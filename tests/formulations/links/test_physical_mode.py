"""The default mode: twist, the step, chains of several cables, resuming, what it refuses."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import expm

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import System
from fairlead.results.observation import NODE_BENDING_MOMENT, NODE_TORSION
from fairlead.simulate import Simulation, simulate
from fairlead.statics import solve

from .systems import compiled, system


def twisting(**links):
    """The rope with torsional stiffness, its end body clamped to it."""
    return system(
        rope={"torsional_stiffness": 30.0},
        end={"kind": "free", "position": [0, 0, -13.2], "mass": 5.0, "inertia": 0.02},
        cable={"start": {"point": "A", "joint": "clamp"}, "end": {"point": "B", "joint": "clamp"}},
        links=links,
        environment={},
        loads=[{"point": "B", "torque": [0, 0, -3.0]}],
    )


def test_twist_is_propagated_exactly_whatever_the_step():
    """One step of 0.5 s and 500 of 1 ms end in the same twist, that of the matrix exponential."""
    links = compiled(twisting(start_twist_deg=[5.0] * 6))
    twist = links.twist
    start = links.tables(links.initial_state())
    y0 = start.block("twist").ravel()
    ends = []
    for steps in (1, 500):
        links.prepare(0.5 / steps)
        state = y0.copy()
        data = start.propagator.number
        matrices = [data[6 * m : 6 * m + 6].reshape(2, 3) for m in range(6)]
        for _ in range(steps):
            state = np.concatenate([p[:, :2] @ state[2 * m : 2 * m + 2] for m, p in enumerate(matrices)])
        ends.append(state)
    assert twist.proportional
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)
    stiffness = np.linalg.inv(twist.shapes.T) @ np.diag(twist.stiffness) @ np.linalg.inv(twist.shapes)
    rate = np.block([[np.zeros((6, 6)), np.eye(6)], [-np.linalg.solve(twist.inertia, stiffness)] * 1 + [
        -0.003 * np.linalg.solve(twist.inertia, stiffness)]])  # fmt: skip
    exact = (expm(0.5 * rate) @ np.concatenate([np.radians([5.0] * 6), np.zeros(6)]))[:6]
    assert twist.shapes @ ends[0][::2] == pytest.approx(exact, abs=1e-10)


def test_end_torque_twists_by_torque_times_length_over_stiffness():
    """θ = M L/GJ at the clamped end body: the last half link does not twist."""
    rest = solve(twisting(report_angles=True))
    row = rest.compiled.shape.empty_row()
    rest.compiled.observe(0.0, rest.y, rest.compiled.initial_inputs(), 0.005, row)
    known = 3.0 * (8.2 - 0.5 * 1.7) / 30.0
    assert row[rest.compiled.shape.column("twist_6")] == pytest.approx(known, rel=1e-9)
    assert rest.compiled.shape.node_table(row, "rope")[:, NODE_TORSION] == pytest.approx([3.0] * 7, rel=1e-9)


def test_a_torque_at_the_end_is_the_moment_there():
    """Across the last link its bending moment, along it its torsion."""
    given, torque = twisting(), np.array([5.0, 30.0, 10.0])
    links = compiled(given.model_copy(update={"loads": (given.loads[0].model_copy(update={"torque": tuple(torque)}),)}))
    row = links.shape.empty_row()
    links.observe(0.0, links.initial_state(), links.initial_inputs(), 0.005, row)
    table = links.shape.node_table(row, "rope")
    along = table[-1, :3] - table[-2, :3]
    along /= np.linalg.norm(along)
    assert table[-1, NODE_TORSION] == pytest.approx(torque @ along, rel=1e-12)
    across = np.linalg.norm(torque - (torque @ along) * along)
    assert table[-1, NODE_BENDING_MOMENT] == pytest.approx(across, rel=1e-12)


def test_a_run_from_statics_stays_there():
    given = system()
    data = given.model_dump(exclude_unset=True)
    data["simulation"]["start"] = "statics"
    result = simulate(System.model_validate(data))
    moved = result["position"].values - result["position"].values[0]
    assert np.abs(moved).max() < 1e-7


def test_the_default_scheme_is_of_second_order():
    """Swinging with drag and added mass, damping and bending undamped by beta: errors fall fourfold."""
    ends = []
    for step in (0.008, 0.004, 0.002, 0.001):
        given = system(links={"beta": 0.25}, cable={"start": "A"})
        data = given.model_dump(exclude_unset=True)
        data["simulation"]["step"] = step
        ends.append(np.array(Simulation(System.model_validate(data)).step(2.0)["B.position"]))
    errors = [np.linalg.norm(one - other) for one, other in pairwise(ends)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.3)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.3)


def test_the_default_scheme_agrees_with_runge_kutta():
    found = []
    for integrator, step in (("auto", 5e-4), ("rk4", 5e-4)):
        data = system().model_dump(exclude_unset=True)
        data["simulation"] |= {"integrator": integrator, "step": step}
        found.append(np.array(Simulation(System.model_validate(data)).step(2.0)["rope.position"]))
    assert np.abs(found[0] - found[1]).max() < 2e-4


def test_energy_balance_with_a_driven_base_in_a_current():
    driven = {"kind": "controlled", "position": [0, 0, -5],
              "motion": {"harmonic": {"amplitude": [0.5, 0.2, 1], "period": 4.0, "ramp": 2.0}}}  # fmt: skip
    data = system(start=driven).model_dump(exclude_unset=True)
    data["simulation"] |= {"duration": 10.0, "step": 0.002}
    result = simulate(System.model_validate(data))
    energy = result["energy_kinetic"] + result["energy_gravity"] + result["energy_elastic"]
    work = sum(result[f"work_{name}"] for name in ("drag", "damping", "friction", "drives"))
    left = (energy - energy[0] - work).values
    exchanged = float(np.abs(result["work_drag"].values).max() + np.abs(result["work_drives"].values).max())
    assert np.abs(left).max() < 2e-4 * exchanged


@pytest.mark.parametrize("where", ["torque on a clamped end", "breaking the surface"])
def test_energy_balance_of_a_torque_and_at_the_surface(where):
    """The work of a torque across the cable, and of the added mass that comes and goes with the wetted length."""
    if where == "torque on a clamped end":
        given = system(
            end={"kind": "free", "position": [5, 0, -10], "mass": 5.0, "inertia": 0.5},
            cable={"start": {"point": "A", "joint": "clamp"}, "end": {"point": "B", "joint": "clamp"}},
            loads=[{"point": "B", "torque": [5.0, 30.0, 10.0]}],
        )
    else:
        floating = {"kind": "free", "position": [7, 0, 0.3], "mass": 1.0, "volume": 0.01}
        held = {"kind": "fixed", "position": [0, 0, -1]}
        given = system(rope={"density": 600.0}, start=held, cable={"start": "A"}, end=floating, environment={})
    data = given.model_dump(exclude_unset=True)
    data["simulation"] |= {"duration": 5.0, "step": 0.002}
    result = simulate(System.model_validate(data))
    energy = result["energy_kinetic"] + result["energy_gravity"] + result["energy_elastic"]
    work = sum(result[f"work_{name}"] for name in ("drag", "damping", "friction", "drives"))
    assert np.abs((energy - energy[0] - work).values).max() < 2e-3 * np.abs(work.values).max()


def test_two_cables_in_series_move_as_one():
    """A rope cut in two at a massless free point, the second half given end to start, moves as the uncut one."""
    whole = system(rope={"bending_stiffness": 0.0}, cable={"start": "A", "attachments": []})
    data = whole.model_dump(exclude_unset=True)
    places = Simulation(whole).outputs()["rope.position"]
    data["points"]["M"] = {"kind": "free", "position": [float(x) for x in places[3]]}
    data["cables"] = {
        "upper": {"type": "rope", "element_lengths": [1.0, 1.5, 0.8], "start": "A", "end": "M"},
        "lower": {"type": "rope", "element_lengths": [1.7, 1.2, 2.0], "start": "B", "end": "M"},
    }
    cut = System.model_validate(data)
    one, two = Simulation(whole), Simulation(cut)
    seen, parts = one.step(1.0), two.step(1.0)
    assert two.compiled.layout["extremes"].start == one.compiled.layout["extremes"].start
    assert parts["lower.position"][0] == pytest.approx(seen["rope.position"][-1], abs=2e-3)
    assert parts["M.position"] == pytest.approx(parts["upper.position"][-1], abs=0)
    assert parts["lower.tension_effective"][-1] == pytest.approx(parts["upper.tension_effective"][-1], abs=1e-9)


def test_a_resumed_run_is_bit_identical():
    given = twisting(start_twist_deg=[3.0] * 6)
    links, again = compiled(given), compiled(given)
    u = links.initial_inputs()
    y, z = links.initial_state(), links.initial_state()
    assert links.advance(0.0, y, 100, 0.005, u, "semi_implicit") is None
    assert again.advance(0.0, z, 60, 0.005, u, "semi_implicit") is None
    fresh = compiled(given)
    assert fresh.advance(0.3, z, 40, 0.005, u, "semi_implicit") is None
    assert (y == z).all()


def test_large_steps_stay_stable_with_stiff_bending():
    """A hundred links of EI = 1571 N m² at 600 times the step an explicit method could take."""
    data = system(rope={"bending_stiffness": 1571.0, "diameter": 0.02, "density": 7850.0},
                  cable={"attachments": []}).model_dump(exclude_unset=True)  # fmt: skip
    rope = data["cables"]["rope"]
    del rope["element_lengths"]
    rope |= {"length": 8.2, "elements": 100}
    data["simulation"] |= {"step": 0.01, "duration": 20.0}
    result = simulate(System.model_validate(data))
    assert np.abs(result["velocity"].values[-1]).max() < 0.5
    kinetic = result["energy_kinetic"].values
    assert kinetic[-1] < 0.05 * kinetic.max()


def test_a_line_comes_to_rest_on_the_seabed():
    """What lies there is carried by the bed: contact forces and the pull at the top make up the weight."""
    data = system(rope={"bending_stiffness": 0.0}, cable={"start": "A", "attachments": []},
                  end={"kind": "free", "position": [5, 0, -9.9]}).model_dump(exclude_unset=True)  # fmt: skip
    data["environment"] = {"seabed": {"depth": 10.0, "stiffness": 1e5, "friction": 0.3, "damping": 1e4}}
    data["simulation"] |= {"duration": 60.0, "step": 0.01}
    last = simulate(System.model_validate(data)).isel(time=-1)
    lift = float(last["contact_force"].sel(axis="z").sum())
    weight = (1800 - 1025) * np.pi / 4 * 0.05**2 * 8.2 * 9.81
    top = -float(last["force_end"].sel(end="start", axis="z").item())
    assert lift > 0.2 * weight
    assert lift + top == pytest.approx(weight, rel=1e-3)
    assert float(last["position"].sel(axis="z").min()) > -10.0 + 0.025 - 0.01


@pytest.mark.parametrize(
    ("points", "cables", "what"),
    [
        ({"M": {"kind": "free"}, "C": {"kind": "fixed", "position": [6, 0, -5]}},
         {"other": {"type": "rope", "length": 8, "elements": 4, "start": "C", "end": "B"},
          "third": {"type": "rope", "length": 8, "elements": 4, "start": "B", "end": "M"}},
         "three or more cable ends in one free point"),
        ({"M": {"kind": "free", "position": [0, 3, -12]}},
         {"other": {"type": "rope", "length": 8, "elements": 4, "start": "B", "end": "M"},
          "third": {"type": "rope", "length": 8, "elements": 4, "start": "M", "end": "B"}},
         "cables that close a loop"),
    ],
)  # fmt: skip
def test_branches_and_loops_are_refused_with_a_sentence(points, cables, what):
    data = system().model_dump(exclude_unset=True)
    data["points"] |= points
    data["cables"] |= cables
    with pytest.raises(UnsupportedSystem, match=f"{what}.*use formulation: bars"):
        compiled(System.model_validate(data))
