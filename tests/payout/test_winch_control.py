"""Winches with a controller: a load that hangs still under a heaving crane, a wire held at its tension."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.payout.control import CONSTANT_TENSION, HEAVE_UP, controlled_rate
from fairlead.studies.verification.checks.winch_control import (
    BAND,
    COMPENSATION,
    FASTEST,
    FORMULATIONS,
    GOAL,
    GRAVITY,
    HEAVE,
    HELD,
    LENGTH,
    MASS,
    PER_LENGTH,
    SPEED,
    TENSION,
    check,
    hoist,
)


def test_controllers_do_what_their_laws_say():
    """Heave left in the load, 1 % of it; tension off its goal, 6 % of that."""
    for record in check():
        assert record.passed, f"{record.name}: {record.value} against {record.reference}"


def heights(result):
    return result["point_position"].sel(point="load", axis="z").values


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_heave_compensation_keeps_the_load_still(formulation):
    """The load moves by less than 1 % of the heave of the crane; without the controller, with all of it."""
    result = fl.simulate(hoist(formulation, COMPENSATION))
    tip = result["point_position"].sel(point="tip", axis="z").values
    assert np.ptp(tip) > 1.9 * HEAVE
    assert np.ptp(heights(result)) < 0.01 * np.ptp(tip)
    bare = hoist(formulation, COMPENSATION).to_dict()
    del bare["cables"]["wire"]["winch"]["control"]
    assert np.ptp(heights(fl.simulate(fl.System.model_validate(bare)))) > 0.95 * np.ptp(tip)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_compensation_adds_to_the_schedule(formulation):
    """Lowered at 0.3 m/s by the schedule, the load goes down at 0.3 m/s, whatever the crane does."""
    result = fl.simulate(hoist(formulation, COMPENSATION, winch={"rate": 0.3}, duration=24))
    t, z = result["time"].values, heights(result)
    late = t > 5.0
    fit = np.polyfit(t[late], z[late], 1)
    assert fit[0] == pytest.approx(-0.3, rel=2e-3)
    assert np.abs(z[late] - np.polyval(fit, t[late])).max() < 0.02 * HEAVE


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_compensation_along_the_wire_takes_out_what_its_end_moves_along_it(formulation):
    """A wire aslant to a fixed place, its winch moved to and fro along it: its tension stays, by a tenth; across the
    wire the winch has nothing to take out."""
    along, across = np.array([3.0, 6.0, -2.0]) / 7.0, np.array([6.0, -2.0, 3.0]) / 7.0

    def swing(way, control):
        motion = {"harmonic": {"amplitude": way.tolist(), "period": 8.0, "ramp": 4.0}}
        winch = {"end": "start", "length_min": 30.0, "length_max": 50.0, "control": control}
        wire = {"type": "wire", "length": 39.6, "elements": 6, "start": "ship", "end": "held", "winch": winch}
        system = fl.System.model_validate(
            {
                "environment": {"water_density": 0.0, "gravity": 0.1},
                "types": {"wire": {"diameter": 0.01, "mass_per_length": 0.2, "axial_stiffness": 1e5,
                                   "damping_time": 0.02}},
                "points": {
                    "ship": {"kind": "controlled", "position": [0, 0, -1], "motion": motion},
                    "held": {"kind": "fixed", "position": (40.0 * along - [0, 0, 1]).tolist()},
                },
                "cables": {"wire": {**wire, "allow_stretch": True}},
                "simulation": {"formulation": formulation, "duration": 20.0, "step": 0.01, "output_every": 0.1},
            }
        )  # fmt: skip
        result = fl.simulate(system)
        return np.ptp(result["tension_effective"].values[:, 0, -2]), np.ptp(result["wire.winch.length"].values)

    control = {"kind": "heave_compensation", "speed_max": 2.0, "along": "wire"}
    tension, paid = swing(0.3 * along, control)
    bare, _ = swing(0.3 * along, {**control, "efficiency": 1e-6})
    assert bare > 1000.0
    assert tension < 0.1 * bare
    assert paid == pytest.approx(0.6, rel=0.05)
    assert swing(0.3 * across, control)[1] < 0.01


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_limits_of_the_drive_are_kept(formulation):
    """Speed and acceleration never pass their limits, and the heave above them goes into the load."""
    most, change = 0.5 * SPEED, 0.4
    control = {**COMPENSATION, "speed_max": most, "acceleration_max": change}
    result = fl.simulate(hoist(formulation, control, output_every=0.01, duration=24))
    rate = result["wire.winch.rate"].values
    assert np.abs(rate).max() == pytest.approx(most, rel=1e-9)
    assert np.abs(np.diff(rate)).max() <= 0.01 * change * (1 + 1e-9)
    assert np.ptp(heights(result)) > 0.3 * HEAVE


@pytest.mark.parametrize("formulation", ["lumped", "bars"])
def test_constant_tension_stays_in_its_band_on_a_held_wire(formulation):
    """Within the band at all times, once the first slack is in."""
    result = fl.simulate(hoist(formulation, TENSION, end=HELD))
    late = result["time"].values > 10.0
    pull = np.linalg.norm(result["force_end"].sel(cable="wire", end="start").values, axis=-1)[late]
    assert np.abs(pull - GOAL).max() < BAND


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_constant_tension_of_a_hanging_load_hoists_or_lowers_it(formulation):
    """A goal above the weight hauls the load in: at the speed of (goal - weight) speed_max / band on a still crane."""
    weight = (MASS + LENGTH * PER_LENGTH) * GRAVITY
    goal = weight + 0.1 * BAND
    system = hoist(formulation, {**TENSION, "tension": goal}, duration=12)
    still = system.to_dict()
    del still["points"]["tip"]["motion"]
    result = fl.simulate(fl.System.model_validate(still))
    rate = result["wire.winch.rate"].values
    lost = PER_LENGTH * GRAVITY * (LENGTH - result["wire.winch.length"].values)
    assert rate[60:] == pytest.approx(-FASTEST * (goal - weight + lost[60:]) / BAND, rel=0.03)


def test_formulations_agree_on_a_compensated_lowering():
    """Lengths to half of what the crane moves in a step (5 mm), rates to what the drive changes in a step (5 mm/s),
    heights 1 cm, tension 0.3 % rms."""
    control = {**COMPENSATION, "efficiency": 0.8, "lag": 0.3, "speed_max": 0.8, "acceleration_max": 0.5}
    runs = [fl.simulate(hoist(name, control, winch={"rate": 0.2}, duration=20)) for name in FORMULATIONS]
    for other in runs[1:]:
        for name, bound in (("wire.winch.length", 0.5 * 0.01 * SPEED), ("wire.winch.rate", (1 + 1e-9) * 0.5 * 0.01)):
            assert np.abs(other[name].values - runs[0][name].values).max() < bound
        assert np.abs(heights(other) - heights(runs[0])).max() < 0.01
        one, two = (
            np.linalg.norm(run["force_end"].sel(cable="wire", end="start").values, axis=-1)[20:]
            for run in (runs[0], other)
        )
        assert np.sqrt(np.mean((one - two) ** 2)) < 0.003 * one.mean()  # where the drive meets its limit, forces jump


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_run_resumed_is_the_same_run(formulation):
    """What the controller remembers is in the state: gone on with in a fresh system, it is the same bit by bit."""
    from fairlead.formulations import compile_system
    from fairlead.shape.layout import first_geometry

    system = hoist(formulation, {**TENSION, "tension": 2.2e4, "lag": 0.2, "acceleration_max": 0.3})
    one, two = (compile_system(system, first_geometry(system), formulation) for _ in range(2))
    y, u = one.initial_state(), one.initial_inputs()
    assert one.advance(0.0, y, 120, 0.01, u, one.scheme) is None
    resumed = y.copy()
    assert one.advance(1.2, y, 80, 0.01, u, one.scheme) is None
    assert two.advance(1.2, resumed, 80, 0.01, u, two.scheme) is None
    assert np.array_equal(y, resumed)


@pytest.mark.parametrize("lag", [0.0, 0.3, 2.0])
def test_a_controller_reads_the_tension_that_its_step_leaves_through_its_lag(lag):
    """f grows by h (T − f)/(τ + h), T = T₀ + h k (ṡ − rate) with the very rate that the winch then has, for its f."""
    h, k, tension, opening, goal, gain = 0.05, 4e4, 2.6e4, 0.3, 3e4, 5e-5
    record, y = np.array([CONSTANT_TENSION, goal, gain, 2.0, np.inf, lag]), np.array([0.1, 2.8e4])
    rate = controlled_rate.py_func(0.2, tension, opening, k, (0.0, 0.0, 0.7), (0.0, 0.0, -1.0), h, record, 0, y, 0)
    left = tension + h * k * (opening - rate)
    assert y[1] == pytest.approx(2.8e4 + h / (lag + h) * (left - 2.8e4), rel=1e-12)
    assert rate == pytest.approx(0.2 + gain * (y[1] - goal), rel=1e-12)
    assert abs(rate) < 2.0


def test_compensation_comes_late_by_its_lag():
    """After a step of the speed the rate goes to it as 1 − (1 + h/τ)⁻ⁿ, the implicit form of 1 − exp(−t/τ)."""
    h, lag, speed = 0.01, 0.5, 0.8
    record, y = np.array([HEAVE_UP, 0.0, 1.0, 2.0, np.inf, lag]), np.zeros(2)
    for n in range(1, 101):
        y[0] = controlled_rate.py_func(0.0, 0.0, 0.0, 0.0, (3.0, 1.0, speed), (0.0, 0.0, -1.0), h, record, 0, y, 0)
        assert y[0] == pytest.approx(speed * (1.0 - (1.0 + h / lag) ** -n), rel=1e-12)
    assert y[0] == pytest.approx(speed * (1.0 - np.exp(-2.0)), rel=0.01)
