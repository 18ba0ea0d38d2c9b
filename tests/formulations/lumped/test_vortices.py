"""Vortices behind a cable: their frequency, how they follow a cable that swings, and what that makes of a taut one."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from kernels.plain import plain

import fairlead as fl
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.lumped.vortices import shedding_rate
from fairlead.results import energy_balance

WAKE = SimpleNamespace(diameter=0.1, centre=0.18, width=0.08)
SPEED = 0.5
RATE = 2 * math.pi * SPEED / WAKE.diameter
"""rad/s of f̂ = 1."""


def shed(swing, seconds=40.0, step=4e-3):
    """Phase of the wake (n,) behind an element that is made to swing with this f̂; times (n,)."""
    rate = plain(shedding_rate)
    times = step * np.arange(round(seconds / step))
    omega, phases, phase = RATE * swing, [], 0.3
    for t in times:
        across, turning = 0.01 * math.cos(omega * t), -0.01 * omega * math.sin(omega * t)
        phases.append(phase)
        phase += step * rate(phase, SPEED, across, turning, omega, WAKE)
    return np.array(phases), times


def test_behind_a_cable_that_is_still_they_go_with_the_speed_over_the_diameter():
    assert plain(shedding_rate)(1.0, SPEED, 0.0, 0.0, 5.0, WAKE) == pytest.approx(RATE * 0.18)


@pytest.mark.parametrize("swing", [0.12, 0.15, 0.18, 0.24])
def test_within_their_band_they_lock_in_with_the_lag_that_closes_it(swing):
    """Adler: φ̇ is that of the swing, and sin(φ_v − φ) = (f̂ − f₀)/Δf."""
    phase, times = shed(swing)
    late = times > 25.0
    assert np.polyfit(times[late], phase[late], 1)[0] == pytest.approx(RATE * swing, rel=1e-3)
    lag = np.sin(RATE * swing * times[late] - phase[late])
    assert lag.mean() == pytest.approx((swing - 0.18) / 0.08, abs=0.01)


@pytest.mark.parametrize("swing", [0.05, 0.40])
def test_beyond_it_they_slip_by_the_beat_of_adlers_equation(swing):
    """The mean of f̂ is that of the swing, less ±√((f̂ − f₀)² − Δf²)."""
    phase, times = shed(swing, 80.0)
    off = swing - 0.18
    mean = swing - math.copysign(math.sqrt(off**2 - 0.08**2), off)
    assert np.polyfit(times, phase, 1)[0] == pytest.approx(RATE * mean, rel=0.02)


def test_a_band_wider_than_the_frequency_turns_no_wake_back():
    """A file may not say so, a parameter that changes in a run may."""
    wide = SimpleNamespace(diameter=0.1, centre=0.18, width=0.3)
    assert plain(shedding_rate)(math.pi / 2, SPEED, 1.0, -1e-9, 5.0, wide) == 0.0
    assert plain(shedding_rate)(-math.pi / 2, SPEED, 1.0, -1e-9, 5.0, wide) == pytest.approx(RATE * 0.48)


def taut(speed, z=-10.0, environment=None, lift=0.8, cable=None, **more):
    """A taut cable across a current, whose first swing across it takes 1 s in water."""
    length, mass, diameter = 12.0, 20.0, 0.1
    heavy = mass + 1025.0 * math.pi * diameter**2 / 4
    tension = heavy * (2 * length) ** 2
    return fl.System.model_validate(
        {
            "environment": {
                "gravity": 1e-6, "current": [{"z": 0.0, "velocity": [speed, 0.0, 0.0]}], **(environment or {}),
            },
            "types": {
                "rope": {
                    "diameter": diameter, "mass_per_length": mass, "axial_stiffness": 1e7,
                    "drag": {"normal": 1.2, "axial": 0.0}, "vortices": {"lift": lift},
                }
            },
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, z]},
                "B": {"kind": "fixed", "position": [0, length * (1 + tension / 1e7), z]},
            },
            "cables": {
                "line": {
                    "type": "rope", "length": length, "elements": 6, "start": "A", "end": "B", "allow_stretch": True,
                    **(cable or {}),
                }
            },
            "simulation": {"formulation": "lumped", "duration": 30.0, "step": 0.02, "output_every": 0.02, **more},
        }
    )  # fmt: skip


def swing_of(result, node=3):
    """Amplitude over diameter of a node across the flow, and its period, s, once it has settled."""
    z, t = result["position"].values[:, 0, node, 2] + 10.0, result["time"].values
    z, t = z[t > 15.0] - z[t > 15.0].mean(), t[t > 15.0]
    up = np.flatnonzero((z[:-1] < 0.0) & (z[1:] >= 0.0))
    return math.sqrt(2.0) * z.std() / 0.1, float(np.diff(t[up]).mean()) if len(up) > 1 else math.inf


@pytest.fixture(scope="module")
def locked_in():
    return fl.simulate(taut(0.1 / 0.18))


def test_a_taut_cable_locks_in_and_swings_until_drag_takes_what_lift_gives(locked_in):
    """With no lag ½ρD|u|(C_l U − C_d ẏ) does no work on ẏ = V sin(πs/L) cos φ: V = (4/π) U C_l/C_d, at its own 1 Hz."""
    size, period = swing_of(locked_in)
    assert period == pytest.approx(1.0, rel=0.03)
    assert size == pytest.approx(4 / math.pi * (0.1 / 0.18) * 0.8 / 1.2 * period / (2 * math.pi * 0.1), rel=0.05)


def test_what_vortices_give_and_drag_takes_is_booked(locked_in):
    assert energy_balance(locked_in).error < 0.01


def test_vortices_too_slow_for_a_cable_push_it_with_their_own_period():
    """At 0.2 m/s its 1 Hz would ask for f̂ = 0.5. What is pushed slowly follows the push, its velocity leads by a
    quarter turn, and that draws f̂ to the edge of the band, f₀ + Δf; it hardly moves."""
    size, period = swing_of(fl.simulate(taut(0.2)))
    assert size < 0.08
    assert period == pytest.approx(0.1 / (0.26 * 0.2), rel=0.02)


def test_faster_ones_find_the_second_swing_of_the_cable():
    """At 1.1 m/s 2 Hz has f̂ = 0.18: the middle rests, the halves swing against each other."""
    result = fl.simulate(taut(1.1, step=0.01, output_every=0.01))
    size, period = swing_of(result, 1)
    assert period == pytest.approx(0.5, rel=0.08)
    assert size > 20 * swing_of(result, 3)[0]


def test_a_state_holds_the_vortices():
    """From a state of the run the same follows, to the last bit; with wakes half a turn on, another motion."""
    first, second = fl.Simulation(taut(0.5)), fl.Simulation(taut(0.5))
    first.step(4.0)
    second.state = first.state
    assert np.array_equal(first.step(0.2)["line.position"], second.step(0.2)["line.position"])
    state = first.state
    tables = first.compiled.tables(state)
    tables.shed.phase = (tables.shed.phase + math.pi) % (2 * math.pi)
    second.state = state
    apart = first.step(0.4)["line.position"] - second.step(0.4)["line.position"]
    assert np.abs(apart).max() > 0.01


def test_statics_know_no_vortices_and_what_has_no_memory_refuses_them():
    rest = fl.statics(taut(0.5)).outputs["line.position"]
    assert np.abs(np.asarray(rest)[:, 2] + 10.0).max() < 1e-6
    for settings in ({"integrator": "rk4", "start": "catenary"}, {"formulation": "bars"}):
        with pytest.raises(UnsupportedSystem, match="vortices"):
            fl.Simulation(taut(0.5, **settings))


def test_a_step_too_long_for_the_vortices_is_told():
    told = [str(problem) for problem in fl.warnings(taut(1.0))]
    assert any("types.rope.vortices" in text and "0.385" in text for text in told)


@pytest.mark.parametrize(
    "environment",
    [{"current": [], "current_field": {"t": [0.0, 9.0], "velocity": [[0, 0, 0], [1, 0, 0]]}}, {"current": []}],
    ids=["field", "tow"],
)
def test_so_it_is_in_a_current_that_changes_and_under_tow(environment):
    system = taut(0.0, environment=environment)
    if "current_field" not in environment:
        led = {"kind": "controlled", "velocity": [-1.0, 0.0, 0.0]}
        points = {name: {**led, "position": point.position} for name, point in system.points.items()}
        system = system.with_values({"points": points})
    told = [str(problem) for problem in fl.warnings(system)]
    assert any("types.rope.vortices" in text and "0.385" in text for text in told)


def test_below_the_reach_of_waves_they_are_those_of_the_current():
    """Bit for bit as without waves, and otherwise within reach of them."""

    def run(reach, waves=True):
        sea = {"waves": {"kind": "regular", "height": 2.0, "period": 8.0, "ramp": 1.0}} if waves else {}
        system = taut(0.5, environment={"gravity": 9.81, **sea}, duration=2.0, lumped={"wave_reach": reach})
        return fl.simulate(system)["position"].values

    calm = run(None, waves=False)
    assert np.array_equal(run(5.0), calm)
    assert np.abs(run(20.0) - calm).max() > 0.01


def test_a_cable_half_in_the_water_is_pushed_by_half():
    """From rest the inner nodes start with F h/(m + σ A)."""

    def start(z, lift=0.8):
        simulation = fl.Simulation(taut(0.5, z=z, lift=lift, step=1e-3, output_every=1e-3))
        simulation.step(1e-3)
        return simulation.compiled.tables(simulation.state).node.velocity[1:-1, 2]

    added = 1025.0 * math.pi * 0.1**2 / 4
    half = 0.5 * (20.0 + added) / (20.0 + 0.5 * added)
    np.testing.assert_allclose(start(0.0) - start(0.0, 0.0), half * start(-10.0), rtol=0.02, atol=1e-6)
    assert np.abs(start(-10.0)).max() > 1e-4


def test_the_way_to_rest_leaves_no_memory_in_the_wakes():
    simulation = fl.Simulation(taut(0.5))
    simulation.step(1.0)
    y = simulation.state.copy()
    tables = simulation.compiled.tables
    before = tables(y).shed.phase.copy()
    system = simulation.compiled.linearised()
    assert system.relax(y, 5, 0.02)
    assert tables(y).shed.since.all()
    rest = tables(system.settled(y)).shed
    assert np.array_equal(rest.phase, before)
    for seen in (rest.since, rest.velocity, rest.across2, rest.turning2):
        assert not seen.any()


def test_without_lift_runge_kutta_takes_them():
    compiled = fl.Simulation(taut(0.5, lift=0.0, integrator="rk4", start="catenary")).compiled
    assert compiled.tables(compiled.initial_state()).wakes == 0


def test_through_a_winch_wakes_go_with_their_elements():
    """Phases begin once round over what is out; a new element takes over the wake of the one it was split from, and
    neither from that nor from two made one does a jump of velocity look like an acceleration."""
    winch = {"winch": {"end": "start", "length_max": 16.0}}
    simulation = fl.Simulation(taut(0.5, cable=winch))

    def out():
        tables = simulation.compiled.tables(simulation.state)
        count = int(tables.drum.count[0])
        last = tables.cable.allotted_first[0] + tables.cable.allotted_count[0]
        return count, *(getattr(tables.shed, name)[last - count : last] for name in ("phase", "since", "turning2"))

    phase = out()[1]
    np.testing.assert_allclose(phase, 2 * math.pi * (np.arange(6) + 0.5) / 6)
    simulation.step(0.2)
    for rate, then in ((2.0, 7), (-2.0, 6)):
        for _ in range(100):
            simulation.step(0.02, inputs={"line.winch.rate": rate})
            count, phase, since, turning2 = out()
            if count == then:
                break
        assert count == then
        if then == 7:
            assert phase[0] == phase[1]
            assert turning2[0] == turning2[1] > 0.0
        assert not since[:2].any()
        assert since[3:] == pytest.approx(0.02)
        simulation.step(0.2, inputs={"line.winch.rate": rate})
