"""Runs of real bars, stopped and resumed: contact, friction, a moving end and a release all live in the state."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.model import load_text
from fairlead.simulate import Simulation

LINE = """
environment:
  seabed: {depth: 10, stiffness: 1e5, friction: 0.5}
  current: [{z: 0, velocity: [0.3, 0.1, 0]}]
types:
  chain: {diameter: 0.05, mass_per_length: 20, axial_stiffness: 1e7, bending_stiffness: 10, torsional_stiffness: 10}
points:
  A: {kind: fixed, position: [0, 0, -9.9]}
  M: {kind: free, position: [14, 0, -8], mass: 10}
  B: {kind: controlled, position: [20, 0, 0], motion: {harmonic: {amplitude: [0.5, 0.2, 0.5], period: 3}}}
  C: {kind: fixed, position: [14, 4, -4]}
cables:
  ground: {type: chain, length: 15, elements: 8, start: A, end: M}
  riser: {type: chain, length: 11, elements: 6, start: M, end: B}
  stay: {type: chain, length: 6.5, elements: 3, start: M, end: {point: C, joint: clamp, release: {time: 1.5}}}
simulation: {duration: 3, step: 0.01, output_every: 0.25}
"""


@pytest.fixture(scope="module")
def whole():
    return Simulation(load_text(LINE)).run()


def assert_same(a, b):
    for name in a.variables:
        left, right = a[name].values, b[name].values
        assert np.array_equal(left, right, equal_nan=left.dtype.kind == "f"), name


def test_the_line_touches_the_bed_and_is_released(whole):
    assert whole.attrs["status"] == "complete"
    assert np.abs(whole["contact_force"].sel(cable="ground", axis="z")).max() > 10.0
    stay = np.linalg.norm(whole["force_end"].sel(cable="stay", end="end").values, axis=1)
    assert (stay[whole["time"].values < 1.4] > 1.0).all()
    assert (stay[whole["time"].values > 1.6] == 0.0).all()


def test_the_same_file_twice_is_bit_identical(whole):
    assert_same(Simulation(load_text(LINE)).run(), whole)


@pytest.mark.parametrize("samples", [1, 5, 8])
def test_a_resumed_run_is_bit_identical(whole, tmp_path, samples):
    calls = iter(range(1000))
    part = Simulation(load_text(LINE)).run(output=tmp_path / "run.nc", stop=lambda: next(calls) >= samples)
    assert part.sizes["time"] == samples + 1
    assert_same(Simulation(load_text(LINE)).run(output=tmp_path / "run.nc", resume=True), whole)


def test_a_state_set_in_another_simulation_has_the_same_future(whole):
    first, second = (Simulation(load_text(LINE)) for _ in range(2))
    first.step(1.0)
    second.set_state(first.time, first.state)
    for _ in range(4):
        assert np.array_equal(first.step(0.2).row, second.step(0.2).row, equal_nan=True)
