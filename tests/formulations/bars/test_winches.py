"""Winches run by hand: live rates, stops at the least and greatest length, a slack line, a drum under a ring."""

import numpy as np
import pytest

from fairlead.model import load_text
from fairlead.simulate import Simulation

HOIST = """
environment: {water_density: 0, gravity: 9.81}
types: {wire: {diameter: 0.02, mass_per_length: 2, axial_stiffness: 1e6, drag: none, damping_time: 0.01}}
points:
  A: {kind: fixed, position: [0, 0, 0]}
  P: {kind: free, position: [0, 0, -10.006], mass: 50}
cables:
  wire: {type: wire, length: 10, elements: 10, start: A, end: P, allow_stretch: true,
         winch: {end: start, length_min: 7.3, length_max: 12.2}}
simulation: {start: catenary, duration: 100, step: 0.02}
"""
RATE = "wire.winch.rate"


def run_to(simulation, rate, seconds):
    return simulation.step(seconds, {RATE: rate})


def test_a_winch_stands_still_until_told_otherwise():
    simulation = Simulation(load_text(HOIST))
    out = simulation.step(1.0)
    assert out["wire.winch.length"] == 10.0
    out = run_to(simulation, 0.5, 2.0)
    assert out["wire.winch.length"] == pytest.approx(11.0)
    assert out[RATE] == 0.5


@pytest.mark.parametrize(("rate", "length"), [(1.0, 12.2), (-1.0, 7.3)])
def test_it_stops_at_its_least_and_greatest_length(rate, length):
    """The payload comes to rest, carried by its own weight; the rate asked for stays without effect."""
    simulation = Simulation(load_text(HOIST))
    run_to(simulation, rate, 5.0)
    out = simulation.step(10.0)
    assert out["wire.winch.length"] == pytest.approx(length, abs=1e-9)
    assert out[RATE] == pytest.approx(0.0, abs=1e-9)
    assert np.linalg.norm(out["wire.force_end"]) == pytest.approx(50 * 9.81, rel=1e-6)
    assert np.linalg.norm(out["wire.force_start"]) == pytest.approx((50 + 2 * length) * 9.81, rel=1e-6)


def test_rates_that_jump_back_and_forth_leave_a_finite_answer():
    """±2 m/s, changed every 0.3 s: jolts, but length and rest are as they should be."""
    simulation = Simulation(load_text(HOIST))
    for k in range(12):
        run_to(simulation, 2.0 if k % 2 else -2.0, 0.3)
    out = run_to(simulation, 0.0, 20.0)
    assert 7.3 <= out["wire.winch.length"] <= 12.2
    assert np.linalg.norm(out["wire.force_end"]) == pytest.approx(50 * 9.81, rel=1e-4)
    assert out["P.position"][2] == pytest.approx(-out["wire.winch.length"], abs=0.02)


SWINGING = """
environment: {water_density: 0, gravity: 9.81}
types: {wire: {diameter: 0.02, mass_per_length: 0.05, axial_stiffness: 1e6, drag: none, damping_time: 0.01}}
points:
  A: {kind: fixed, position: [0, 0, 0]}
  P: {kind: free, position: [1.0, 0, -9.95], mass: 50}
cables:
  wire: {type: wire, length: 10, elements: 10, start: A, end: P, allow_stretch: true,
         winch: {end: start, rate: -0.4, length_min: 1}}
simulation: {start: catenary, duration: 15, step: 0.005, output_every: 0.05}
"""


def test_a_pendulum_hauled_in_gains_energy_as_its_adiabatic_invariant_says():
    """Slowly shortened, E/ω stays: the swing's horizontal width goes as L^(1/4)."""
    result = Simulation(load_text(SWINGING)).run()
    assert result.attrs["status"] == "complete"
    length = result["wire.winch.length"].values
    place, speed = (result[f"point_{what}"].sel(point="P").values[:, 0] for what in ("position", "velocity"))
    rate = np.sqrt(9.81 / length)
    width = np.sqrt(place**2 + (speed / rate) ** 2)
    ends = [width[:40].mean(), width[-40:].mean()]
    assert length[-1] == pytest.approx(4.0)
    assert ends[1] / ends[0] == pytest.approx((length[-20] / length[20]) ** 0.25, rel=0.05)


RING_AT_THE_DRUM = """
environment: {water_density: 0, gravity: 9.81}
types: {wire: {diameter: 0.02, mass_per_length: 1, axial_stiffness: 1e5, drag: none, damping_time: 0.02}}
points:
  A: {kind: fixed, position: [0, 0, 0]}
  P: {kind: free, position: [0, 0, -5.03], mass: 50}
  S: {kind: sliding, cable: wire, at: 0.6, friction: 0.5, mass: 1}
  B: {kind: fixed, position: [-3, 0, -0.6]}
cables:
  wire: {type: wire, length: 5, elements: 5, start: A, end: P, allow_stretch: true, winch: {end: start, rate: 0.4}}
  stay: {type: wire, length: 3.2, elements: 4, start: S, end: B}
simulation: {start: catenary, duration: 6, step: 0.01, output_every: 0.1}
"""


def test_a_ring_near_the_drum_stays_on_the_line_while_bars_are_made():
    """It slides down until its stay is taut; it moves as its speed says and never leaves the line, which bends over it:
    the way from node to node over the ring is no more than 1 % of an element longer than the straight one."""
    result = Simulation(load_text(RING_AT_THE_DRUM)).run()
    assert result.attrs["status"] == "complete"
    ring = result["point_position"].sel(point="S").values
    speed = result["point_velocity"].sel(point="S").values
    assert np.abs(np.diff(ring, axis=0) - 0.05 * (speed[1:] + speed[:-1])).max() < 0.05
    nodes = result["position"].sel(cable="wire").values
    for place, line in zip(ring[::10], nodes[::10], strict=True):
        a, b = line[:-1], line[1:]
        way = np.linalg.norm(place - a, axis=1) + np.linalg.norm(place - b, axis=1)
        assert np.nanmin(way - np.linalg.norm(b - a, axis=1)) < 0.01
