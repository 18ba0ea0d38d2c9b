"""The second-order step: what it damps, how fast it converges, and that its state holds all it needs."""

from itertools import pairwise

import numpy as np
import pytest
from oracle.joint_gains import STRING
from oracle.quaternions import product

from fairlead.model import ModelError, load_text
from fairlead.simulate import Simulation, simulate

G = 9.80665
CRANE = """
environment: {{water_density: 0}}
types: {{wire: {{diameter: 0.03, mass_per_length: {mass}, axial_stiffness: 4.0e7, drag: none}}}}
points:
  top: {{kind: fixed, position: [0, 0, 40]}}
  load: {{kind: free, mass: 5000, position: {place}, velocity: {velocity}}}
cables: {{wire: {{start: top, end: load, type: wire, length: 30, allow_stretch: true, elements: {elements}}}}}
simulation: {{formulation: bars, duration: 300, step: {step}, start: catenary{more}}}
"""
STRETCH = 1 + 5000 * G / 4.0e7


def crane(angle, step, elements=10, heading=0.0, mass=3.0, circling=False, more=""):
    """A load of 5 t on 30 m of wire at an angle (rad) to the plumb line, at rest or on its way round a circle."""
    length = 30 * (1 + (STRETCH - 1) / np.cos(angle) if circling else 1 + (STRETCH - 1) * np.cos(angle))
    out = length * np.sin(angle)
    place = np.array([out * np.cos(heading), out * np.sin(heading), 40 - length * np.cos(angle)]).tolist()
    speed = out * np.sqrt(G / (length * np.cos(angle))) if circling else 0.0
    velocity = np.array([-speed * np.sin(heading), speed * np.cos(heading), 0.0]).tolist()
    text = CRANE.format(mass=mass, place=place, velocity=velocity, elements=elements, step=step, more=more)
    return Simulation(load_text(text)), out


def place_of(simulation):
    return simulation.compiled.tables(simulation.state).hub_state.position[0].copy()


@pytest.mark.parametrize(("step", "elements", "heading", "bound"), [(0.05, 10, 0.0, 0.005), (0.1, 40, 0.7, 0.02)])
def test_a_crane_load_keeps_its_swing(step, elements, heading, bound):
    """In a vacuum the amplitude is constant; the first-order step is left with 22 % and 4 % of it after 17 swings."""
    simulation, out = crane(np.radians(5), step, elements, heading)
    direction, period = np.array([np.cos(heading), np.sin(heading), 0.0]), 2 * np.pi * np.sqrt(30 * STRETCH / G)
    simulation.step(round(17 * period / step) * step)
    swing = []
    for _ in range(round(1.1 * period / step)):
        simulation.step(step)
        swing.append(abs(place_of(simulation) @ direction))
    assert max(swing) == pytest.approx(out, rel=bound)


def test_a_conical_pendulum_keeps_its_radius():
    simulation, out = crane(np.arcsin(0.1), 0.01, circling=True, mass=0.001)
    for _ in range(10):
        simulation.step(10.0)
        assert np.hypot(*place_of(simulation)[:2]) == pytest.approx(out, rel=1e-3)


STRING_TEXT = """
environment: {{water_density: 0, gravity: 1.0e-9}}
types: {{w: {{diameter: 0.02, mass_per_length: 1.0, axial_stiffness: 1.0e8, drag: none}}}}
points: {{a: {{kind: fixed, position: [0, 0, 1]}}, b: {{kind: fixed, position: [20.02, 0, 1]}}}}
cables: {{c: {{start: a, end: b, type: w, length: 20, allow_stretch: true, elements: 20}}}}
simulation: {{formulation: bars, duration: 100, step: {step}, start: catenary}}
"""


def vibration(mode, step, steps):
    """Amplitudes of a mode of a string of 20 elements under 100 kN that is set up by `set_state`."""
    simulation = Simulation(load_text(STRING_TEXT.format(step=step)))
    state = simulation.compiled.tables(simulation.state)
    nodes, length = 1e-4 * np.sin(mode * np.pi * np.arange(21) / 20), 20.02 / 20
    for i, (low, high) in enumerate(pairwise(nodes)):
        tilt = -0.5 * np.arctan2(high - low, length)
        state.bar_state.position[i, 2] += 0.5 * (low + high)
        state.bar_state.turn[i] = product(np.array([np.cos(tilt), 0.0, np.sin(tilt), 0.0]), state.bar_state.turn[i])
    simulation.set_state(0.0, state.y)
    shape, found = np.sin(mode * np.pi * (np.arange(20) + 0.5) / 20), []
    for _ in range(steps):
        simulation.step(step)
        found.append((simulation.compiled.tables(simulation.state).bar_state.position[:, 2] - 1.0) @ shape)
    return np.array(found)


def frequency(mode):
    """rad/s of such a mode: rods with their ends at the nodes have the consistent mass matrix."""
    turn = mode * np.pi / 20
    return np.sqrt(1e5 * (2 - 2 * np.cos(turn)) / ((2 + np.cos(turn)) / 3))


def largest_root(series):
    """Of the three-term recurrence that a series follows."""
    rows = np.stack([series[2:-1], series[1:-2], series[:-3]], axis=1)
    a, b, c = np.linalg.lstsq(rows, series[3:], rcond=None)[0]
    return max(np.roots([1.0, -a, -b, -c]), key=lambda z: (abs(z), z.imag))


@pytest.mark.parametrize(("mode", "step", "steps"), [(1, 0.002, 300), (5, 0.005, 40), (19, 0.002, 30), (19, 0.02, 25)])
def test_modes_of_a_taut_string_follow_the_cubic(mode, step, steps):
    """(z - 1)²[(1 + b₁Ω²) z + b₀Ω²] + Ω² z² = 0 with Ω = ωh, of the string stiffness; 0.1, 1.3, 2.2 and 22 here."""
    (b1, b0), square = STRING, (frequency(mode) * step) ** 2
    lead, past = 1 + b1 * square, b0 * square
    expected = max(np.roots([lead, past - 2 * lead + square, lead - 2 * past, past]), key=lambda z: (abs(z), z.imag))
    found = largest_root(vibration(mode, step, steps))
    assert abs(found) == pytest.approx(abs(expected), abs=2e-4)
    assert abs(np.angle(found)) == pytest.approx(abs(np.angle(expected)), rel=1e-3)


def test_resolved_modes_keep_their_energy_and_others_lose_it():
    """Bounds on the roots alone: ζ at 100 and 40 steps a period, and the spectral radius far beyond."""
    b1, b0 = STRING
    for turn, bound in ((2 * np.pi / 100, 1e-5), (2 * np.pi / 40, 2e-4)):
        square = turn**2
        lead, past = 1 + b1 * square, b0 * square
        root = max(np.roots([lead, past - 2 * lead + square, lead - 2 * past, past]), key=lambda z: (abs(z), z.imag))
        assert 0 < -np.log(abs(root)) / abs(np.angle(root)) < bound
    assert max(abs(np.roots([b1, b0 - 2 * b1 + 1, b1 - 2 * b0, b0]))) < 0.61


CURRENT = """
environment:
  current: [{{z: 0, velocity: [1.0, 0, 0]}}, {{z: -50, velocity: [0.5, 0.2, 0]}}, {{z: -120, velocity: [0.1, 0.3, 0]}}]
types:
  wire:
    {{diameter: 0.03, mass_per_length: 3.0, axial_stiffness: 4.0e7, damping_time: 0.02,
      drag: {{normal: 1.2, axial: 0.01}}}}
points:
  top:
    kind: controlled
    position: [0, 0, -1]
    motion: {{harmonic: {{amplitude: [1.0, 0, 0.5], period: 8, ramp: 8}}}}
  load: {{kind: free, mass: 2000, volume: 0.3, drag_area: 0.5, added_mass: 300, position: [0, 0, -100.9]}}
cables: {{wire: {{start: top, end: load, type: wire, length: 100, elements: 20}}}}
simulation: {{formulation: bars, duration: 20, step: {step}, start: statics{more}}}
"""


def towed(step, seconds=12.0, more=""):
    """Places of a load on a wire in a sheared current, the pull on its top, and the energy that is left over."""
    simulation = Simulation(load_text(CURRENT.format(step=step, more=more)))
    outputs = [simulation.step(0.5) for _ in range(round(2 * seconds))]
    energy = np.array([
        o.energy_kinetic + o.energy_gravity + o.energy_elastic - o.work_drag - o.work_damping - o.work_drives
        for o in outputs
    ])  # fmt: skip
    return (
        np.array([o["load.position"] for o in outputs]), np.array([o["wire.force_start"] for o in outputs]), energy,
        np.array([o.work_drag for o in outputs]),
    )  # fmt: skip


def test_order_of_places_and_forces():
    """Differences of successive halvings; the first-order step has the orders 1.1 and less."""
    runs = [towed(step) for step in (0.1, 0.05, 0.025, 0.0125)]
    gaps = [[np.sqrt(np.mean((a[k] - b[k]) ** 2)) for a, b in pairwise(runs)] for k in (0, 1)]
    places, forces = (np.log2(np.array(gap[:-1]) / gap[1:]) for gap in gaps)
    assert places.min() > 1.8
    assert forces.min() > 1.6


def test_energy_balance_of_a_load_in_a_current():
    """What the works leave over is of second order: a quarter with half the step, and small beside the work of drag."""
    left = []
    for step in (0.1, 0.05):
        _, _, energy, drag = towed(step)
        left.append(np.abs(energy - energy[0]).max() / np.abs(drag).max())
    assert left[0] < 0.01
    assert left[1] < 0.4 * left[0]


def test_a_run_goes_on_to_the_bit_from_its_state():
    whole, _ = crane(np.radians(20), 0.05)
    first, _ = crane(np.radians(20), 0.05)
    whole.step(3.0)
    first.step(1.5)
    resumed, _ = crane(np.radians(20), 0.05)
    resumed.set_state(first.time, first.state)
    resumed.step(1.5)
    layout = whole.compiled.layout
    for block in layout.blocks:
        if block.name != "extremes":  # those since the latest sample, which one of the two has taken half-way
            left, right = (run.state[block.start : block.stop] for run in (whole, resumed))
            assert np.array_equal(left, right), block.name
    for name in ("wire.position", "wire.tension_effective", "wire.force_start", "energy_elastic", "load.velocity"):
        assert np.array_equal(whole.outputs()[name], resumed.outputs()[name]), name


def test_forces_belong_to_the_time_they_are_labelled_with():
    """A taut line whose end is moved along it, slowly against its axial waves: the pull is EA/L times the motion.
    The first-order step reports it a step early."""
    period, step = 2.0, 0.05
    text = f"""
environment: {{water_density: 0, gravity: 1.0e-9}}
types: {{w: {{diameter: 0.02, mass_per_length: 0.1, axial_stiffness: 1.0e6, drag: none}}}}
points:
  a: {{kind: fixed, position: [0, 0, 1]}}
  b: {{kind: controlled, position: [20.2, 0, 1], motion: {{harmonic: {{amplitude: [0.05, 0, 0], period: {period},
       ramp: 4}}}}}}
cables: {{c: {{start: a, end: b, type: w, length: 20, allow_stretch: true, elements: 10}}}}
simulation: {{formulation: bars, duration: 30, step: {step}, start: catenary}}
"""
    simulation = Simulation(load_text(text))
    simulation.step(8.0)
    rows = [(o.time, -o["c.force_end"][0]) for o in (simulation.step(step) for _ in range(round(2 * period / step)))]
    time, pull = np.array(rows).T
    wave = np.exp(-2j * np.pi * time / period)
    late = np.angle(np.sum((pull - pull.mean()) * wave) / np.sum(np.sin(2 * np.pi * time / period) * wave))
    assert abs(late) < 0.02 * 2 * np.pi * step / period


def test_a_line_that_sinks_in_long_steps_keeps_its_terminal_speed():
    """hc/m is 3.3 here. Weight in water over drag, w = rho d C U^2/2; a drag of which the step takes less than its
    tangent makes the speed go to and fro."""
    text = """
environment: {water_density: 1025, gravity: 9.81}
types: {w: {diameter: 0.044, density: 1400, axial_stiffness: 1.0e6, drag: {normal: 1.2, axial: 0.02},
            added_mass: {normal: 1, axial: 0}}}
points: {a: {kind: free, position: [0, 0, -5]}, b: {kind: free, position: [10, 0, -5]}}
cables: {c: {start: a, end: b, type: w, length: 10, elements: 5}}
simulation: {formulation: bars, duration: 200, step: 1.0, start: catenary}
"""
    simulation = Simulation(load_text(text))
    simulation.step(50.0)
    speeds = np.array([simulation.step(1.0)["c.velocity"][2, 2] for _ in range(10)])
    terminal = np.sqrt(375.0 * 9.81 * np.pi / 4 * 0.044 / (0.5 * 1025.0 * 1.2))
    assert speeds == pytest.approx(np.full(10, -terminal), rel=1e-3)


SNAP = """
environment: {{water_density: 0, gravity: 1e-6}}
types: {{wire: {{diameter: 0.02, mass_per_length: 0.01, axial_stiffness: 5e6}}}}
points:
  tip: {{kind: fixed, position: [0, 0, 0]}}
  load: {{kind: free, mass: 1000, position: [49, 0, 0], velocity: [3, 0, 0]}}
cables: {{wire: {{type: wire, length: 50, elements: 20, start: tip, end: load}}}}
simulation: {{formulation: bars, duration: 1.5, step: {step}, start: catenary, output_every: {step}}}
"""


def test_a_snap_load_has_its_peak():
    """A load caught by a slack wire of stiffness k: v sqrt(k m). The first-order step finds 0.92 of it."""
    result = simulate(load_text(SNAP.format(step=0.005)))
    assert float(result["tension_effective_max"].max()) == pytest.approx(3.0 * np.sqrt(5e6 / 50.0 * 1000.0), rel=0.02)


def settings_of(text):
    return load_text(
        "types: {w: {diameter: 0.01, density: 4000, youngs_modulus: 60 GPa}}\n"
        "points: {a: {kind: fixed, position: [0, 0, -1]}, b: {kind: fixed, position: [9, 0, -1]}}\n"
        "cables: {c: {start: a, end: b, type: w, length: 10, elements: 4}}\n"
        f"simulation: {{formulation: bars, duration: 1, step: 0.01{text}}}\n"
    ).simulation.bars


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("", True),
        (", bars: {compression: carried}", True),
        (", bars: {scheme: second_order}", True),
        (", bars: {scheme: first_order}", False),
        (", bars: {theta: 0.55}", False),
        (", bars: {geometric_stiffness: undamped}", False),
        (", bars: {tuning: literal}", False),
    ],
)
def test_old_files_that_tune_the_old_step_keep_it(text, second):
    settings = settings_of(text)
    assert settings.is_second_order == second
    assert type(settings).model_validate(settings.model_dump()).is_second_order == second  # as a result keeps it


@pytest.mark.parametrize(
    ("key", "value"), [("theta", "0.55"), ("geometric_stiffness", "damped"), ("tuning", "common_beta")]
)
def test_settings_of_the_old_step_do_not_go_with_the_new_one(key, value):
    with pytest.raises(ModelError, match=rf"simulation.bars.{key}.*second_order.*use 'scheme: first_order'|or 'scheme"):
        settings_of(f", bars: {{scheme: second_order, {key}: {value}}}")
