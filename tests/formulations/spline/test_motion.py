"""Runs: energy, agreement of the integrators and with bars, water, seabed, inputs, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from marks import slowly

import fairlead as fl
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.results import energy_balance

from .systems import MOVED, SEA, WAVES, slack


def run(system, **settings):
    result = fl.Simulation(system, **settings).run()
    assert result.attrs["status"] == "complete"
    return result


@pytest.mark.parametrize("integrator", ["verlet", "midpoint"])
@pytest.mark.parametrize(
    ("case", "bound"),
    [
        ({}, 1e-6),
        ({"simulation": {"start": "catenary", "spline": {"twists": {"rod": {"table": [[0, 0], [2, 300]]}}}}}, 1e-5),
        ({"kind": {"damping_time": 1e-3}}, 3e-4),
        ({"kind": {"axial_stiffness": 4e3, "damping_time": {"axial": 0.05, "bending": 0, "torsion": 0}}}, 3e-4),
        ({"environment": SEA, "kind": {"drag": {"normal": 1.2, "axial": 0.1}}}, 3e-4),
        ({"environment": SEA | {"waves": WAVES}, "kind": {"drag": {"normal": 1.2, "axial": 0.1}}}, 3e-4),
    ],
)
def test_energy_balances(case, bound, integrator):
    """What the moving end, the turning end, damping and water do is what the cable stores; implicitly to rounding."""
    case = dict(case)
    simulation = {"duration": 4.0, "integrator": integrator, "step": 0.002} | case.pop("simulation", {})
    result = run(slack(12, points=MOVED, simulation=simulation, **case))
    assert energy_balance(result).error < (bound if integrator == "verlet" else 1e-9)


def on_the_bed(damping: float, friction: float, **settings):
    """A rod half on the seabed, dragged to and fro and lifted off at one end."""
    wave = {"harmonic": {"amplitude": [0.6, 0.5, 0.4], "period": 3.0, "ramp": 1.0}}
    points = {
        "A": {"kind": "fixed", "position": [0, 0, -9.9]},
        "B": {"kind": "controlled", "position": [5, 0, -8], "cutoff": 1e3, "motion": wave},
    }
    env = {"seabed": {"depth": 10.0, "stiffness": 1e5, "damping": damping, "friction": friction}}
    simulation = {"start": "statics", "duration": 6.0, "output_every": 0.1} | settings
    return slack(
        18, points=points, environment=env, kind={"drag": {"normal": 1.2, "axial": 0.1}}, simulation=simulation
    )


@pytest.mark.parametrize("step", [0.02, 0.005])
@pytest.mark.parametrize(("damping", "friction"), [(1e3, 0.3), (1e5, 1.0), *slowly((1e5, 0.3))])
def test_the_midpoint_rule_gets_on_with_the_seabed(damping, friction, step):
    """Nodes that touch, leave, stick and slip, with damping that would jump at the first touch: every step converges,
    and energy balances to rounding, since the push is the mean one over the step."""
    result = run(on_the_bed(damping, friction, integrator="midpoint", step=step))
    assert energy_balance(result).error < 1e-9
    assert np.abs(result["work_friction"].values[-1]) > 1.0


def test_both_integrators_drag_a_rod_over_the_seabed_alike():
    """Friction keeps the push of the step before as its limit, so that they come together with the step itself."""
    known = run(on_the_bed(1e3, 0.3, step=0.0005))["position"].values
    apart = [
        np.abs(run(on_the_bed(1e3, 0.3, integrator="midpoint", step=step))["position"].values - known).max()
        for step in (0.01, 0.0025)
    ]
    assert apart[0] < 5e-3
    assert apart[1] < 0.4 * apart[0]


def test_the_two_integrators_agree():
    case = {
        "points": MOVED,
        "simulation": {
            "start": "catenary",
            "duration": 4.0,
            "spline": {"twists": {"rod": {"table": [[0, 0], [4, 300]]}}},
        },
    }
    explicit = run(slack(10, **case))["position"].values
    implicit = run(slack(10, **case), integrator="midpoint", step=0.004, output_every=0.02)["position"].values
    assert implicit == pytest.approx(explicit, abs=5e-4)


def test_end_forces_in_a_current_are_those_of_bars():
    """A slack line in water, moved at one end: spline of 24 elements, 48 bars, force on both ends within 1 %."""
    case = {
        "points": {"B": MOVED["B"] | {"cutoff": 20.0}},
        "environment": SEA,
        "kind": {"drag": {"normal": 1.2, "axial": 0.1}, "bending_stiffness": 0},
    }
    settings = {"start": "statics", "duration": 2.0, "output_every": 0.1}
    kind = case["kind"] | {"torsional_stiffness": 0, "damping_time": {"axial": 5e-3}}
    spline = run(slack(24, **(case | {"kind": kind, "simulation": settings})), step=0.002)
    bars = run(slack(48, **(case | {"kind": kind, "simulation": settings})), formulation="bars", step=0.002)
    size = np.linalg.norm(bars["force_end"].values, axis=-1).max()
    assert spline["force_end"].values == pytest.approx(bars["force_end"].values, abs=0.01 * size)
    assert spline["position"].values[:, 0, ::12] == pytest.approx(bars["position"].values[:, 0, :49:24], abs=0.02)


def test_a_cable_comes_to_rest_on_the_seabed_under_its_weight():
    """All of its weight in water that its ends do not carry, the bed carries."""
    points = {"A": {"kind": "fixed", "position": [0, 0, -9.9]}, "B": {"kind": "fixed", "position": [5, 0, -8]}}
    env = {"seabed": {"depth": 10.0, "stiffness": 1e5, "damping": 1e3, "friction": 0.3}}
    case = {"points": points, "environment": env, "kind": {"drag": {"normal": 1.2, "axial": 0.1}}}
    result = run(slack(18, **case, simulation={"start": "statics", "duration": 2.0}))
    last = result.isel(time=-1)
    weight = 9.0 * (5.0 - 1025 * np.pi * 0.03**2 / 4) * 9.81
    carried = last["contact_force"].values[0, :, 2].sum() - last["force_end"].values[0, :, 2].sum()
    assert carried == pytest.approx(weight, rel=1e-3)
    assert last["contact_force"].values[0, :, 2].sum() > 0.3 * weight
    assert np.abs(last["velocity"].values).max() < 1e-4


def test_a_free_end_with_a_weight_swings_as_a_pendulum():
    """A heavy weight on a light line let go at its stretched length: 2 pi sqrt(L/g) after about a quarter of it."""
    weight, angle = 2000.0 * 9.81, 0.01
    stretch = max(np.roots([1.0, 0.0, -1.0, -2.0 * weight / 1e6]).real)  # EA (s² - 1)/2 s = W
    length = 9.0 * stretch
    points = {
        "A": {"kind": "fixed", "position": [0, 0, -5]},
        "B": {
            "kind": "free",
            "position": [length * np.sin(angle), 0, -5 - length * np.cos(angle)],
            "mass": 2000.0,
        },
    }
    light = {"mass_per_length": 0.01, "bending_stiffness": 0, "torsional_stiffness": 0}
    period = 2 * np.pi * np.sqrt(length / 9.81)
    quarter = round(period / 4, 2)
    settings = {"start": "catenary", "duration": quarter}
    result = run(slack(4, points=points, kind=light, cable={"allow_stretch": True}, simulation=settings))
    place = result["point_position"].sel(point="B").values[:, 0]
    swing = length * np.sin(angle)
    assert place[0] == pytest.approx(swing)
    assert place[-1] == pytest.approx(swing * np.cos(2 * np.pi * quarter / period), abs=1e-3 * swing)


def test_a_held_cable_stays_where_it_is():
    """Its first state is its own discrete equilibrium."""
    result = run(slack(10, simulation={"duration": 5.0}))
    assert np.ptp(result["position"].values, axis=0).max() < 1e-9
    assert result.attrs["warnings"] == "" or "divided" in result.attrs["warnings"]


def test_inputs_move_and_turn_the_end():
    sim = fl.Simulation(slack(8, simulation={"spline": {"twists": {"rod": {"angle_deg": 0.0}}}}))
    assert set(sim.inputs) == {"B.position", "rod.twist"}
    still = sim.step(0.05)
    assert np.abs(still["rod.torsion"]).max() < 1e-9
    out = sim.step(0.5, inputs={"B.position": (6.1, 2, -4), "rod.twist": 1.0})
    assert out["B.position"] == pytest.approx((6.1, 2, -4), abs=1e-6)
    assert out["rod.torsion"][3] == pytest.approx(40.0 / 9.0, rel=0.05), "GJ / L a radian"


def test_a_resumed_run_is_bit_identical(tmp_path):
    system = slack(8, points=MOVED, environment=SEA, simulation={"duration": 0.4})
    whole = fl.Simulation(system)
    whole.step(0.2)
    middle, y = whole.time, whole.state
    after = whole.step(0.2)
    other = fl.Simulation(system)
    other.set_state(middle, y)
    assert np.array_equal(other.step(0.2).row, after.row, equal_nan=True)


def test_a_step_too_long_for_newton_stops_cleanly():
    wild = {"harmonic": {"amplitude": [0.0, 0.0, 3.0], "period": 2.3}}
    points = {"B": {"kind": "controlled", "position": [6, 2, -4], "cutoff": 1e6, "motion": wild}}
    settings = {"integrator": "midpoint", "step": 1.0, "duration": 5.0}
    result = fl.Simulation(slack(10, points=points, simulation=settings)).run()
    assert "Newton's method did not converge" in result.attrs["status"]
    assert "use a smaller step" in result.attrs["status"]
    assert np.isfinite(result["position"].values).all()


def test_a_cable_that_runs_along_its_reference_stops_with_a_cure():
    sim = fl.Simulation(slack(8, simulation={"spline": {"twists": {"rod": {"angle_deg": 30.0}}}}))
    along = sim.compiled.tables(sim.state).torsion.axis[0]
    state = sim.state
    state[sim.compiled.layout["position"]] = (np.linspace(0, 9, 9)[:, None] * along).ravel()
    sim.state = state
    with pytest.raises(fl.SimulationError, match=r"twists\.rod\.reference"):
        sim.step(0.01)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"simulation": {"start": "catenary", "spline": {"twists": {"rope": {"angle_deg": 1}}}}},
            r"twists\.rope: there is no cable",
        ),
        (
            {
                "simulation": {"start": "catenary", "spline": {"twists": {"rod": {"angle_deg": 1}}}},
                "kind": {"torsional_stiffness": 0},
            },
            r"twists\.rod: the cable has no torsional stiffness",
        ),
        (
            {
                "points": {"B": {"kind": "free", "position": [6, 2, -4]}},
                "cable": {"end": {"point": "B", "joint": "clamp"}},
            },
            r"points\.B: .* no free points that turn",
        ),
        (
            {
                "points": {"B": {"kind": "free", "position": [6, 2, -4]}},
                "loads": [{"point": "B", "torque": [1, 0, 0]}],
            },
            r"a torque on 'B'",
        ),
    ],
)
def test_what_it_cannot_carry_is_refused_with_a_sentence(change, message):
    with pytest.raises(UnsupportedSystem, match=message):
        fl.Simulation(slack(4, **change))
