"""Rings that slide along a cable, rigid bodies and winches against full matrices, and rings in motion.

The oracle writes every row of rings, levers and growing bars at full width and solves one dense system. What agrees
here covers hosts in either direction, hosts between free points, two rings on one host, a cable between two rings, a
ring on a cable that hangs from a ring, bodies with levers and clamps, and winches of both modes at both ends.
"""

import numpy as np
import pytest

from fairlead.model import load_text
from fairlead.simulate import Simulation
from formulations.bars.random_systems import disturbed
from formulations.bars.rigged import RiggedTwin

AIR = """
environment: {water_density: 0, gravity: 9.81}
types:
  rope: {diameter: 0.03, mass_per_length: 2, axial_stiffness: 1e5, drag: none, damping_time: 0.01}
  hose: {diameter: 0.05, mass_per_length: 3, axial_stiffness: 1e5, bending_stiffness: 50, torsional_stiffness: 30,
         drag: none}
simulation: {start: catenary, duration: 1, step: 0.005, bars: {compression: carried}}
"""
SYSTEMS = {
    "on a cable between fixed points": """
points:
  A: {kind: fixed, position: [0, 0, 0]}
  B: {kind: fixed, position: [10, 0, -1]}
  S: {kind: sliding, cable: host, at: 5.2, friction: 0.2, mass: 3}
  E: {kind: free, mass: 1}
cables:
  host: {type: rope, length: 10.2, elements: 4, start: A, end: B}
  drop: {type: rope, length: 2, elements: 2, start: S, end: E}
""",
    "on a clamped hose that the file names from its free end": """
points:
  A: {kind: fixed, position: [0, 0, 0]}
  H: {kind: free, mass: 5, position: [4, 1, -6]}
  S: {kind: sliding, cable: host, at: 2.0, friction: 0.3, mass: 3}
  E: {kind: free, mass: 1}
cables:
  host: {type: hose, length: 7.6, elements: 3, start: H, end: {point: A, joint: clamp}}
  drop: {type: hose, length: 2, elements: 2, start: E, end: S}
""",
    "two on one cable between free points, tied to each other": """
points:
  A: {kind: fixed, position: [0, 0, 0]}
  B: {kind: fixed, position: [12, 0, 0]}
  H: {kind: free, mass: 4, position: [2, 0, -1]}
  I: {kind: free, mass: 4, inertia: 1, position: [10, 0.5, -1]}
  S: {kind: sliding, cable: host, at: 2.1, friction: 0.2, mass: 3}
  T: {kind: sliding, cable: host, at: 7.3, mass: 2}
cables:
  left: {type: rope, length: 2.3, elements: 2, start: A, end: H}
  right: {type: rope, length: 2.4, elements: 2, start: I, end: B}
  host: {type: hose, length: 8.4, elements: 4, start: H, end: I}
  bridle: {type: rope, length: 6, elements: 3, start: S, end: T}
""",
    "with a rigid body clamped to its sling": """
points:
  A: {kind: fixed, position: [0, 0, 0]}
  B: {kind: fixed, position: [10, 0, 0]}
  S: {kind: sliding, cable: host, at: 4.1, friction: 0.1, mass: 3}
bodies:
  box: {kind: free, position: [5, 0.2, -4], orientation_deg: [10, 20, 30], mass: 20, inertia: [4, 5, 6],
        attachments: {top: [0.3, 0.1, 0.8], aft: [-0.7, 0, 0.2]}}
cables:
  host: {type: rope, length: 10.4, elements: 3, start: A, end: B}
  sling: {type: hose, length: 3, elements: 2, start: S, end: {point: box.top, joint: clamp}}
  tag: {type: rope, length: 6.5, elements: 2, start: box.aft, end: A}
""",
    "on a cable that hangs from a ring": """
points:
  A: {kind: fixed, position: [0, 0, 0]}
  B: {kind: fixed, position: [10, 0, 0]}
  S: {kind: sliding, cable: host, at: 4.1, friction: 0.1, mass: 3}
  T: {kind: sliding, cable: second, at: 1.1, mass: 1}
  E: {kind: free, mass: 3}
cables:
  host: {type: rope, length: 10.4, elements: 3, start: A, end: B}
  second: {type: rope, length: 3, elements: 2, start: S, end: E}
  third: {type: rope, length: 5.2, elements: 2, start: A, end: T}
""",
}
WINCH = """
points:
  A: {{kind: fixed, position: [0, 0, 0]}}
  P: {{kind: free, mass: 30, position: [4, 0, -9]}}
  S: {{kind: sliding, cable: line, at: 6.1, friction: 0.1, mass: 3}}
  E: {{kind: free, mass: 1}}
cables:
  line: {{type: rope, length: 10, elements: 4, start: {0}, end: {1}, winch: {{end: {2}, mode: {3}, rate: 0.7}}}}
  drop: {{type: rope, length: 2, elements: 1, start: S, end: E}}
"""


def disturbed_twin(text, seed):
    twin, rng = RiggedTwin(load_text(AIR + text)), np.random.default_rng(seed)
    disturbed(rng, twin.y, twin.tables)
    for row in twin.tables.block("ring_state"):
        row[1], row[2] = rng.choice([-1.0, 1.0]) * 1e-4, 60.0
    return twin


def compare_steps(twin, steps):
    """Accelerations and forces of every step, from where the compiled system has come to, to 1e-6 of the largest.

    The row of a ring's pull is a thousand times as stiff as the line: rounding of 1e-16 in |d₁| + |d₂| becomes 1e-9 of
    the forces, and more where the equations are solved in another order.
    """
    count = sum(len(place.bars) for place in twin.places)
    moving = [*range(count), *(twin.point_body[name] for name in twin.free)]
    visited = set()
    for step in range(steps):
        twin.settle_rings()
        visited |= {(k, ring.bar) for k, ring in enumerate(twin.rings)}
        state = twin.oracle_state()
        expected = twin.oracle.solve(twin.half_way(0.0, state)[0] if twin.second else state)
        bars, rates = twin.tables.ring_state.on_bar.copy(), twin.tables.ring_state.rate.copy()
        assert twin.kernel_steps(1, done=step) is None
        found = twin.kernel_solution()
        for k, ring in enumerate(twin.rings):  # c̈ stands in the place of a turn of the ring
            if twin.tables.ring_state.on_bar[k] == bars[k]:
                found.alpha[ring.ring, 0] = (rates[k] - twin.tables.ring_state.rate[k]) / twin.h
            else:
                expected.alpha[ring.ring, 0] = 0.0
        for what in ("a", "alpha"):
            a, b = getattr(found, what)[moving], getattr(expected, what)[moving]
            assert np.abs(a - b).max() < 1e-6 * np.abs(b).max(), f"{what} in step {step}"
        assert np.abs(found.position - expected.position).max() < 1e-6 * np.abs(expected.position).max()
    return visited


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", SYSTEMS)
def test_rings_against_full_matrices(name, seed):
    compare_steps(disturbed_twin(SYSTEMS[name], seed), 12)


def test_a_ring_that_passes_a_joint_stays_in_accord_with_full_matrices():
    """The same equations whichever bar it is on, at 4 m/s past three of four bars."""
    twin = RiggedTwin(load_text(AIR + SYSTEMS["on a cable between fixed points"].replace("0.2, mass", "0, mass")))
    twin.tables.hub_state.velocity[:, 0] = 4.0
    twin.tables.bar_state.velocity[4:, 0] = 4.0
    visited = compare_steps(twin, 160)
    assert {bar for _, bar in visited} == {2, 3}


def test_a_bar_that_two_rings_share_becomes_straight_again():
    text = SYSTEMS["two on one cable between free points, tied to each other"]
    text = text.replace("at: 2.1", "at: 2.6").replace("at: 7.3", "at: 3.8").replace("length: 6,", "length: 2,")
    twin = RiggedTwin(load_text(AIR + text))
    state = twin.tables.ring_state
    assert state.on_bar[0] == state.on_bar[1]
    state.short[0], state.rate[0] = 0.01, 0.5
    assert twin.kernel_steps(20) is None
    assert state.on_bar[0] == state.on_bar[1]
    assert np.abs(state.short).max() < 1e-4


@pytest.mark.parametrize("mode", ["drum", "rescale"])
@pytest.mark.parametrize("end", ["start", "end"])
@pytest.mark.parametrize("points", [("A", "P"), ("P", "A")])
def test_winches_against_full_matrices(points, end, mode):
    """A bar that grows slides through its ends: speeds s, and the Coriolis part 2 s w × t of their acceleration."""
    for seed in range(2):
        compare_steps(disturbed_twin(WINCH.format(*points, end, mode), seed), 1)


RESUMED = """
environment: {water_density: 1025}
types: {rope: {diameter: 0.03, mass_per_length: 2, axial_stiffness: 1e5}}
points:
  A: {kind: fixed, position: [0, 0, 0]}
  B: {kind: fixed, position: [10, 0, -4]}
  S: {kind: sliding, cable: host, at: 3, friction: 0.1, mass: 30}
  E: {kind: free, mass: 20}
cables:
  host: {type: rope, length: 11.5, elements: 8, start: A, end: B, winch: {end: start, rate: 0.7}}
  drop: {type: rope, length: 3, elements: 3, start: S, end: E}
simulation: {start: catenary, duration: 4, step: 0.01, output_every: 0.25}
"""


def test_a_resumed_run_with_a_winch_and_a_ring_is_bit_identical(tmp_path):
    """The bar a ring is on, its slip, the bars out and the length owed all live in the state."""
    whole = Simulation(load_text(RESUMED)).run()
    assert whole.attrs["status"] == "complete"
    assert np.ptp(whole["S.along"].values) > 1.5
    assert whole["host.winch.length"].values[-1] == pytest.approx(14.3)
    calls = iter(range(1000))
    Simulation(load_text(RESUMED)).run(output=tmp_path / "run.nc", stop=lambda: next(calls) >= 7)
    again = Simulation(load_text(RESUMED)).run(output=tmp_path / "run.nc", resume=True)
    for name in whole.variables:
        left, right = whole[name].values, again[name].values
        assert np.array_equal(left, right, equal_nan=left.dtype.kind == "f"), name
