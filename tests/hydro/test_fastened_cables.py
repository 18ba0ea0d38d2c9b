"""Cables of any formulation on a hull: led exactly, and of one momentum, one energy and one period with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fairlead.formulations import compile_system
from fairlead.formulations.led_ends import LedEnds, led_point
from fairlead.hydro.fastened import Ends, Fastened, Fastening, WithCables
from fairlead.hydro.mechanism import RigidBodies, RigidBody
from fairlead.hydro.subcycling import glide
from fairlead.model import System
from fairlead.results.observation import NODE_VELOCITY
from fairlead.shape.layout import first_geometry

HULL, LOAD, LINE, LENGTH, STIFFNESS, STEP = 1000.0, 100.0, 1.0, 8.0, 1e6, 0.005
AIR = {"water_density": 0.0}
THETA = {"bars": {"bars": {"theta": 0.51}}, "lumped": {"lumped": {"theta": 0.5}}}
"""Steps that hardly damp."""
EVERY = ["bars", "chain", "links", "lumped", "spline", "tether"]


def led(formulation: str, points: dict[str, Any], cables: dict[str, Any], speed: float = 0.0) -> LedEnds:
    """Cables in air, those points called `fairlead…` led."""
    kind = {"diameter": 0.01, "mass_per_length": LINE, "axial_stiffness": STIFFNESS}
    points = {
        name: led_point(point, (speed, 0, 0), 200.0) if name.startswith("fairlead") else point
        for name, point in points.items()
    }
    line = {"type": "wire", "length": LENGTH, "elements": 4, "allow_stretch": True}
    system = System.model_validate(
        {
            "environment": AIR,
            "types": {"wire": kind},
            "points": points,
            "cables": {name: line | cable for name, cable in cables.items()},
            "simulation": {"start": "catenary", "formulation": formulation, "duration": 1, "step": STEP}
            | THETA.get(formulation, {}),
        }
    )
    leading = [name for name in points if name.startswith("fairlead")]
    return LedEnds(compile_system(system, first_geometry(system), formulation), leading)


def pendulum(formulation: str, speed: float = 0.0) -> LedEnds:
    """A load on a line below a point that a hull leads."""
    reach = LENGTH * (0.999 if formulation == "chain" else 1.001)  # which does not stretch
    load = {"kind": "free", "position": [0, 0, -1 - reach], "mass": LOAD, "velocity": [0, 0, 0]}
    return led(
        formulation,
        {"fairlead": (0, 0, -1), "load": load},
        {"line": {"start": "fairlead", "end": "load"}},
        speed=speed,
    )


def swung(formulation: str, hull: float = HULL) -> tuple[WithCables, np.ndarray, np.ndarray]:
    """A hull pushed to 0.5 m/s with a load hanging below, the force that carries both, and the first state."""
    body = RigidBody(hull, free=(True, False, True, False, False, False), velocity=np.array([0.5, 0.0, 0.0]))
    cable = pendulum(formulation, 0.5)
    both = WithCables(RigidBodies([body]), cable, [Fastening(0, np.array([0.0, 0.0, -1.0]))], 0.01)
    return both, np.array([0.0, 0.0, (hull + LOAD + LINE * LENGTH) * 9.81, 0.0, 0.0, 0.0]), both.initial_state()


@pytest.mark.parametrize("formulation", ["bars", "lumped", "tether"])
def test_a_hull_carries_its_cable_and_shares_its_momentum(formulation: str) -> None:
    """The two go on at their common speed in the mean."""
    both, f0, y = swung(formulation)
    hung = LOAD + LINE * LENGTH
    swing = 2.0 * np.pi * np.sqrt(LENGTH / 9.81 * HULL / (HULL + hung))
    pulls, speeds, n = [], [], 80
    for i in range(n):
        y = glide(both, i * swing / n, y, swing / n, 3, lambda t: (f0, np.zeros((6, 6))))
        pulls.append(both.kept(y)[0][0, 2])
        speeds.append(y[7])
    assert np.mean(pulls) == pytest.approx(-hung * 9.81, rel=0.01)
    assert np.mean(speeds) == pytest.approx(0.5 * HULL / (HULL + hung), rel=0.02)
    assert np.ptp(speeds) == pytest.approx(2.0 * 0.5 * hung / (HULL + hung), rel=0.15)


def momentum(both: WithCables, y: np.ndarray, hull: float) -> float:
    """Of hull, line and load along x [N s], with what the hull is still to get."""
    compiled, each = both.cables.compiled, LINE * LENGTH / 4
    state = y[both.parts[1]].copy()
    if compiled.formulation == "bars":
        t = compiled.tables(state)
        line = each * t.bar_state.velocity[:, 0].sum() + LOAD * t.hub_state.velocity[0, 0]
    else:
        compiled.observe(0.0, state, both.cables.u, STEP, row := compiled.shape.empty_row())
        v = compiled.shape.node_table(row, "line")[:, NODE_VELOCITY]
        line = each * (v.sum() - 0.5 * (v[0] + v[-1])) + LOAD * v[-1]
    return float(hull * y[7] + line + both.kept(y)[2][0, 0])


@pytest.mark.parametrize("hull", [HULL, 0.5 * LINE])
@pytest.mark.parametrize("formulation", ["bars", "lumped", "tether"])
def test_momentum_is_kept_to_the_last_digit(formulation: str, hull: float) -> None:
    """Nothing acts along x: what the hull loses line and load have, however light the hull."""
    both, f0, y = swung(formulation, hull)
    before = momentum(both, y, hull)
    start = y[7]
    for i in range(15):
        y = glide(both, i * 0.02, y, 0.02, 4, lambda t: (f0, np.zeros((6, 6))))
    assert abs(momentum(both, y, hull) - before) < 1e-12 * (hull + LOAD)
    assert abs(y[7] - start) > 0.002


@pytest.mark.parametrize("formulation", EVERY)
def test_an_end_is_where_it_is_led(formulation: str) -> None:
    """Along a circle of 1 m at 1 rad/s, in place and velocity, whatever the step."""
    cable = pendulum(formulation, 1.0)
    y, t = cable.compiled.initial_state(), 0.0
    for i in range(60):
        h = STEP * (1.0, 0.5, 0.8)[i % 3]
        s, c, s1, c1 = np.sin(t), np.cos(t), np.sin(t + h), np.cos(t + h)
        start, end = ([[p, 1 - q, -1.0]] for p, q in ((s, c), (s1, c1)))
        cable.lead(t, h, np.array(start), np.array([[c, s, 0.0]]), np.array(end), np.array([[c1, s1, 0.0]]))
        cable.advance(t, y, h)
        t += h
        cable.compiled.observe(t, y, cable.u, h, row := cable.compiled.shape.empty_row())
        point = row[cable.compiled.shape.point("fairlead")]
        np.testing.assert_allclose(point, [s1, 1 - c1, -1.0, c1, s1, 0.0], rtol=0, atol=1e-11)


@pytest.mark.parametrize("formulation", ["bars", "lumped", "tether"])
def test_the_impedance_is_how_the_pull_of_the_coming_step_depends_on_the_acceleration(formulation: str) -> None:
    """p₀ − K (a − a₀) is the pull of a step with any other acceleration, since the equations of a step are linear."""
    cable = pendulum(formulation)
    y, x, v = cable.compiled.initial_state(), np.array([[0.0, 0.0, -1.0]]), np.zeros((1, 3))
    K, p0 = cable.impedance(0.0, y, STEP, x, v, np.zeros((1, 3)))
    assert K[0, 0, 0] >= 0.0
    assert K[0, 2, 2] > (0.4 * LINE * LENGTH / 4 if formulation != "bars" else 0.0)
    a = np.array([[0.3, -0.7, 2.0]])
    cable.prescribe(0.0, STEP, x, v, a)
    p = cable.advance(0.0, y, STEP)
    np.testing.assert_allclose(p, p0 - np.einsum("eij,ej->ei", K, a), rtol=0, atol=1e-6 * np.abs(p).max())


@pytest.mark.parametrize("formulation", ["bars", "lumped", "spline"])
def test_a_hull_on_a_taut_line_bounces_with_its_period(formulation: str) -> None:
    """ω² = EA/L/(M + m/3) of a mass on a heavy spring; nothing is given to it or taken from it."""
    k, still = STIFFNESS / LENGTH, 9.81 * (HULL + 0.5 * LINE * LENGTH) / (STIFFNESS / LENGTH)
    place, amplitude = -LENGTH - still, 0.02
    cable = led(
        formulation,
        {"top": {"kind": "fixed", "position": [0, 0, 0]}, "fairlead": (0, 0, place - amplitude)},
        {"line": {"start": "top", "end": "fairlead"}},
    )
    body = RigidBody(HULL, free=(False, False, True, False, False, False), place=np.array([0, 0, place - amplitude]))
    both = WithCables(RigidBodies([body]), cable, [Fastening(0, np.zeros(3))], STEP)
    y = both.initial_state()
    period = 2.0 * np.pi * np.sqrt((HULL + LINE * LENGTH / 3) / k)
    heights = []
    for i in range(100):
        y = glide(both, i * period / 50, y, period / 50, 2, lambda t: (np.zeros(6), np.zeros((6, 6))))
        heights.append(y[2] - place)
    angles = 2.0 * np.pi * np.arange(1, 101) / 50
    assert np.abs(heights + amplitude * np.cos(angles)).max() < 0.01 * amplitude


def test_ends_move_as_points_of_a_hull_that_turns() -> None:
    """Accelerations are the changes of velocities, and pulls do the work that forces on the hulls do."""
    bodies = [RigidBody(3.0, np.diag([2.0, 3.0, 4.0])), RigidBody(5.0)]
    hulls, rng = RigidBodies(bodies), np.random.default_rng(3)
    fastened = Fastened([Fastening(hull, rng.normal(size=3)) for hull in (1, 0, 1)])
    y, x, pulls = hulls.initial_state() + 0.3 * rng.normal(size=26), rng.normal(size=12), rng.normal(size=(3, 3))

    def ends(time: float) -> Ends:
        return fastened.ends(hulls.motions(0.0, y + time * hulls.rates(0.0, y, x)), 12)

    nudge, now = 1e-5, ends(0.0)
    before, after = ends(-nudge), ends(nudge)
    np.testing.assert_allclose((after.places - before.places) / (2 * nudge), now.velocities, atol=1e-8)
    np.testing.assert_allclose((after.velocities - before.velocities) / (2 * nudge), now.accelerations(x), atol=1e-8)
    work = np.einsum("ein,ei->n", now.jacobian, pulls)
    np.testing.assert_allclose(fastened.on_hulls(hulls.motions(0.0, y), pulls), work, atol=1e-12)


def test_a_point_without_cables_cannot_be_fastened() -> None:
    """The message says what to do."""
    compiled = pendulum("lumped").compiled
    compiled.inputs["crane.position"] = slice(0, 3)
    compiled.system.points["crane"] = compiled.system.points["fairlead"]
    with pytest.raises(ValueError, match="no cable ends at 'crane'"):
        LedEnds(compiled, ["crane"])
