"""A loaded ring on a line between two points finds its place, whatever the mesh, and passes nodes without noticing.

Without friction the pull is the same on both sides of a ring. On a line without weight it hangs at the lowest point of
an ellipse whose foci are the ends of the line; on a line with weight between two catenaries that meet in it.
"""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from scipy.optimize import fsolve

from fairlead.model import load_text
from fairlead.simulate import Simulation

SPAN, DROP, LENGTH, TOP = 100.0, 10.0, 120.0, -20.0
GRAVITY, DENSITY, THREAD = 9.81, 1025.0, 0.1
VOLUME = np.pi / 4 * 0.001**2  # of a metre of line or thread, m³
TEXT = """
environment: {{water_density: {density}, gravity: 9.81}}
types:
  rope: {{diameter: 0.001, mass_per_length: {mass}, axial_stiffness: {stiffness}, drag: none, damping_time: 0.01}}
  thread: {{diameter: 0.001, mass_per_length: 0.05, axial_stiffness: 1e5, drag: none, damping_time: 0.01}}
points:
  A: {{kind: fixed, position: [0, 0, -20]}}
  B: {{kind: fixed, position: [{x}, {y}, -30]}}
  S: {{kind: sliding, cable: host, at: {at}, mass: {ring}, drag_area: 3, friction: {friction}}}
  E: {{kind: free, mass: 200}}
cables:
  host: {{type: rope, length: 120, elements: {elements}, start: {start}, end: {end}}}
  drop: {{type: thread, length: 2, elements: 1, start: S, end: E}}
simulation: {{start: catenary, formulation: bars, duration: {duration}, step: {step}, output_every: 1{more}}}
"""


def run(
    elements: int = 25, at: float = 60.0, mass: float = 0.05, stiffness: float = 2e6, ring: float = 10.0,
    friction: float = 0.0, heading: float = 0.0, backwards: bool = False, duration: float = 150.0, step: float = 0.02,
    density: float = DENSITY, more: str = "",
) -> xr.Dataset:  # fmt: skip
    """A ring with 200 kg below it, let go `at` so much line from A, the higher end of its host."""
    start, end = ("B", "A") if backwards else ("A", "B")
    x, y = SPAN * np.cos(np.radians(heading)), SPAN * np.sin(np.radians(heading))
    system = TEXT.format(
        elements=elements, at=LENGTH - at if backwards else at, mass=mass, stiffness=stiffness, ring=ring, x=x, y=y,
        friction=friction, start=start, end=end, duration=duration, step=step, density=density, more=more,
    )  # fmt: skip
    found = Simulation(load_text(system)).run()
    assert found.attrs["status"] == "complete"
    return found


def place(mass: float, stiffness: float, ring: float) -> tuple[float, float, float]:
    """Line from A to the ring, and where the ring hangs: away from A, and its height, m.

    From the ring up, with the horizontal pull H and the vertical pull V there, a catenary of the length l reaches
    H/w (asinh((V + wl)/H) - asinh(V/H)) + Hl/EA and (|H, V + wl| - |H, V|)/w + ((V + wl)² - V²)/2EAw.
    """
    w, load = GRAVITY * (mass - DENSITY * VOLUME), GRAVITY * (ring + 200.0 + THREAD - 2.0 * DENSITY * VOLUME)

    def reach(h: float, v: float, length: float) -> tuple[float, float]:
        up = v + w * length
        x = h / w * (np.arcsinh(up / h) - np.arcsinh(v / h)) + h * length / stiffness
        return x, (np.hypot(h, up) - np.hypot(h, v)) / w + (up**2 - v**2) / (2.0 * stiffness * w)

    def off(unknown: np.ndarray) -> list[float]:
        s, h, one, two = unknown
        (x1, z1), (x2, z2) = reach(h, one, s), reach(h, two, LENGTH - s)
        return [x1 + x2 - SPAN, z1 - z2 - DROP, (one + two) / load - 1.0, (one - two) / load]

    cosine = np.sqrt(1.0 - (SPAN / LENGTH) ** 2)
    first = [0.5 * (LENGTH + DROP / cosine), 0.5 * load * SPAN / LENGTH / cosine, 0.5 * load, 0.5 * load]
    s, h, one, _ = fsolve(off, first, xtol=1e-13)
    x, z = reach(h, one, s)
    return s, x, TOP - z


def line_from_top(found: xr.Dataset, backwards: bool = False) -> np.ndarray:
    along = found["S.along"].values
    return LENGTH - along if backwards else along


CASES = {
    "10 elements": {"elements": 10},
    "25 elements": {},
    "50 elements": {"elements": 50},
    "from the other side": {"at": 78.0},
    "the file names the other end first": {"backwards": True},
    "turned by 37°": {"heading": 37.0},
    "turned by 90°": {"heading": 90.0},
    "a ring without mass": {"ring": 0.0},
    "a stiff line": {"mass": 0.5, "stiffness": 1e8},
    "a line as heavy as the load": {"mass": 1.7},
    "long steps": {"step": 0.1},
    "the first-order step": {"more": ", bars: {scheme: first_order}"},
}


@pytest.mark.parametrize("name", CASES)
def test_a_ring_finds_its_place(name):
    """Within 1 % of an element, along the line and in space."""
    case = {"mass": 0.05, "stiffness": 2e6, "ring": 10.0} | CASES[name]
    found = run(**case)
    s, x, z = place(case["mass"], case["stiffness"], case["ring"])
    element, turn = LENGTH / case.get("elements", 25), np.radians(case.get("heading", 0.0))
    assert abs(line_from_top(found, case.get("backwards", False))[-1] - s) < 0.01 * element
    goal = [x * np.cos(turn), x * np.sin(turn), z]
    assert found["point_position"].sel(point="S").values[-1] == pytest.approx(goal, abs=0.01 * element)


def test_its_place_on_a_line_without_weight_is_the_lowest_point_of_the_ellipse():
    """The reference of this file against the closed form, for a line of a gram a metre that does not stretch."""
    sine = SPAN / LENGTH
    cosine = np.sqrt(1.0 - sine**2)
    s = 0.5 * (LENGTH + DROP / cosine)
    assert place(0.001, 1e12, 10.0) == pytest.approx((s, s * sine, TOP - s * cosine), abs=2e-3)


def test_the_pull_is_the_same_on_both_sides():
    """And the ring presses on the line with what hangs on it. (At the nodes beside it the results have the part of the
    pull along the chord.)"""
    found = run()
    tension = found["tension_effective"].sel(cable="host").values[-1]
    element = int(found["S.along"].values[-1] / 4.8)
    assert tension[element + 2] == pytest.approx(tension[element - 1], rel=2e-3)
    assert found["S.press"].values[-1] == pytest.approx(GRAVITY * 210.1, rel=1e-3)


def test_friction_holds_it_where_the_pulls_differ_by_less():
    """It stops short of its place, stays there, and T₁ - T₂ is no more than μ times the load."""
    friction = 0.1
    found = run(friction=friction)
    along = line_from_top(found)
    assert np.ptp(along[-50:]) < 1e-3
    s = along[-1]
    chord, tilt = np.hypot(SPAN, DROP), np.arctan2(DROP, SPAN)
    angle = np.arccos((s**2 + chord**2 - (LENGTH - s) ** 2) / (2.0 * s * chord))
    one = np.array([np.cos(angle + tilt), -np.sin(angle + tilt)])  # from A down to the ring
    two = (s * one - [SPAN, -DROP]) / (LENGTH - s)
    pulls = np.linalg.solve(np.stack([one, two], axis=1), [0.0, -1.0])
    assert 0.02 < abs(pulls[0] - pulls[1]) < 1.02 * friction


def test_a_ring_that_passes_nodes_keeps_its_energy():
    """In air, without drag, it runs over three nodes and back for ever: it turns where it turned before, and once the
    line is taut 2 % of the energy of the fall at most is lost or gained."""
    found = run(at=62.0, density=0.0, duration=80.0, step=0.005)
    energy = found["energy_kinetic"] + found["energy_gravity"] + found["energy_elastic"]
    works = found["work_friction"] + found["work_drives"] + found["work_drag"] + found["work_damping"]
    missing, along = (energy - works).values[20:], line_from_top(found)
    early, late = along[20:50], along[50:]
    assert np.ptp(late) > 2.5 * 4.8
    assert (late.min(), late.max()) == pytest.approx((early.min(), early.max()), abs=0.02 * 2.5 * 4.8)
    assert np.ptp(missing) < 0.02 * np.ptp(found["energy_gravity"].values)
