"""Momentum, angular momentum and kinetic energy of a line whose bar at the drum is split, or merged with the next."""

import numpy as np
import pytest
from oracle.quaternions import matrix

from fairlead.model import load_text
from fairlead.simulate import Simulation

MASS_PER_LENGTH, DIAMETER = 2.0, 0.05
FLYING = """
environment: {{water_density: 0, gravity: 0}}
types: {{wire: {{diameter: 0.05, mass_per_length: 2, axial_stiffness: 1e12, drag: none, damping_time: 0.01}}}}
points:
  A: {{kind: free, position: [3, 1, -2], mass: 30}}
  P: {{kind: free, position: [4.92, 3.4, -4.56], mass: 20}}
cables:
  wire: {{type: wire, length: 4, elements: 4, start: A, end: P, winch: {{end: {end}, length_max: 7}}}}
simulation: {{start: catenary, duration: 100, step: 0.001}}
"""
TURN, SPEED = np.array([0.7, -0.4, 0.5]), np.array([0.3, 1.1, -0.6])
ALONG = np.array([0.48, 0.6, -0.64])
NEVER = {"split_at": 1e9, "merge_at": 0.0}


def flying(end):
    """A line in empty space between two free masses, its drum at one of them; it neither splits nor merges yet."""
    simulation = Simulation(load_text(FLYING.format(end=end)))
    set_marks(simulation, NEVER)
    return simulation


def set_marks(simulation, marks):
    """Marks of the drum's rules, in parts of the nominal length."""
    for mark, value in marks.items():
        setattr(simulation.compiled.tables(simulation.state).drum, mark, value)


def haul_in_at_once(simulation, end, length):
    """Shorten the bar at the drum by a length (m); the drum comes along, and the line stays straight."""
    y = simulation.state
    tables = simulation.compiled.tables(y)
    bar, hub, along = (-4, 0, ALONG) if end == "start" else (3, 1, -ALONG)
    tables.bar_state.position[bar] += 0.5 * length * along
    tables.hub_state.position[hub] += length * along
    tables.winch_state.paid_out -= length
    tables.winch_state.first_length -= length
    simulation.state = y


def turn_as_one(simulation):
    """Give all bars and masses the velocities of one rigid body that translates and turns."""
    y = simulation.state
    for name in ("bar_state", "hub_state"):
        for body in simulation.compiled.tables(y).block(name):
            body[7:10] = SPEED + np.cross(TURN, body[:3])
            body[10:] = matrix(body[3:7]).T @ TURN
    simulation.state = y


def motion(simulation):
    """Bars of the line, their momentum, angular momentum about the origin and kinetic energy, and that observed."""
    tables, out = simulation.compiled.tables(simulation.state), simulation.outputs()
    first, count = tables.cable.first[0], tables.cable.count[0]
    momentum, angular, energy = np.zeros(3), np.zeros(3), 0.0
    for bar in range(first, first + count):
        body, length = tables.block("bar_state")[bar], tables.bar.length[bar]
        mass = MASS_PER_LENGTH * length
        inertia = mass * np.array([DIAMETER**2 / 16 + length**2 / 12] * 2 + [DIAMETER**2 / 8])
        place, velocity, spin = body[:3], body[7:10], body[10:]
        momentum += mass * velocity
        angular += mass * np.cross(place, velocity)
        angular += matrix(body[3:7]) @ (inertia * spin)
        energy += 0.5 * mass * velocity @ velocity + 0.5 * inertia @ spin**2
    return count, momentum, angular, energy, float(out["energy_kinetic"])


def with_and_without(simulation, dt, rate, marks):
    """Motion after the same step, the second time with a split or merge at its end."""
    time, y = simulation.time, simulation.state
    found = []
    for chosen in (NEVER, marks):
        set_marks(simulation, chosen)
        simulation.set_state(time, y)
        simulation.step(dt, {"wire.winch.rate": rate})
        found.append(motion(simulation))
    return found


@pytest.mark.parametrize("end", ["start", "end"])
def test_the_parts_of_a_turning_bar_carry_what_it_carried(end):
    """1.45 m become 0.45 m and 1 m. The wire hardly stretches, so that no joint has to open."""
    simulation = flying(end)
    turn_as_one(simulation)
    simulation.step(0.45, {"wire.winch.rate": 1.0})
    whole, parts = with_and_without(simulation, 0.001, 1.0, {"split_at": 1.0})
    assert (whole[0], parts[0]) == (4, 5)
    assert min(np.abs(whole[1]).min(), np.abs(whole[2]).min()) > 0.1, "it translates and turns"
    for before, after in zip(whole[1:], parts[1:], strict=True):
        assert after == pytest.approx(before, rel=1e-9)


@pytest.mark.parametrize("end", ["start", "end"])
def test_two_bars_that_turn_as_one_carry_the_same_when_merged(end):
    """0.6 m and 1 m in line become 1.6 m; hauled in so slowly that no jolt comes with it."""
    simulation = flying(end)
    haul_in_at_once(simulation, end, 0.4)
    turn_as_one(simulation)
    parts, whole = with_and_without(simulation, 1e-7, -1e-9, {"merge_at": 1.0})
    assert (parts[0], whole[0]) == (4, 3)
    for before, after in zip(parts[1:], whole[1:], strict=True):
        assert after == pytest.approx(before, rel=1e-8)


def test_two_bars_with_an_angle_between_them_keep_their_momentum_when_merged():
    """With that of the line the merged bar is too short for, which is owed; the hinge's own motion is lost."""
    simulation = flying("start")
    turn_as_one(simulation)
    simulation.step(0.4, {"wire.winch.rate": -1.0})
    parts, whole = with_and_without(simulation, 0.001, -1.0, {"merge_at": 1.0})
    assert (parts[0], whole[0]) == (4, 3)
    tables = simulation.compiled.tables(simulation.state)
    owed, velocity = tables.winch_state.debt[0], tables.bar_state.velocity[-3]
    assert owed > 1e-4
    assert whole[1] + MASS_PER_LENGTH * owed * velocity == pytest.approx(parts[1], rel=1e-9)
    assert whole[2] == pytest.approx(parts[2], rel=1e-3)
    assert 0.99 * parts[3] < whole[3] < parts[3]


SOFT = """
environment: {{water_density: 0, gravity: 9.81}}
types: {{wire: {{diameter: 0.05, mass_per_length: 0.01, axial_stiffness: 1e4, drag: none, damping_time: 0.05}}}}
points:
  A: {{kind: fixed, position: [0, 0, 0]}}
  P: {{kind: free, position: [0, 0, -5.4905], mass: 100}}
cables:
  wire: {{type: wire, length: 5, elements: 5, start: {start}, end: {end}, allow_stretch: true,
         winch: {{end: {side}, table: [[0, 0], [6, 0.5], [9, 0.5]], length_max: 9}}}}
simulation: {{duration: 9, step: 0.005}}
"""


@pytest.mark.parametrize(("start", "end", "side"), [("A", "P", "start"), ("P", "A", "end")])
def test_line_behind_a_split_goes_on_as_fast_as_the_line_ahead_of_it(start, end, side):
    """Light line under a constant pull T: all that has left the drum moves with the load, at L̇(1 + T/EA). The joint
    behind the bar at the drum opens by TL̇/2EA as that bar grows, 0.025 m/s here, and no more once it is split.
    What is left is the load's bounce, which every bar has its part of."""
    simulation = Simulation(load_text(SOFT.format(start=start, end=end, side=side)))
    simulation.step(6.5, {})
    count, splits = 0, 0
    while simulation.time < 8.99:
        simulation.step(0.005, {})
        tables = simulation.compiled.tables(simulation.state)
        first, before = tables.cable.first[0], count
        count = int(tables.cable.count[0])
        if count != before + 1 or before == 0:
            continue
        splits += 1
        speeds = -tables.bar_state.velocity[first : first + count, 2]
        drum, behind, one, two = speeds[:4] if tables.winch.at_end[0] == 0 else speeds[:-5:-1]
        assert two == pytest.approx(0.5 * 1.0981, rel=0.03)
        assert two - drum > 0.02
        assert behind == pytest.approx(2.0 * one - two, abs=0.002)
    assert splits >= 1
