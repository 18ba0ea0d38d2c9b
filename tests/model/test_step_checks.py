"""A step too long for what the file makes happen is warned of, with the step to use; each period is a closed form."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.model import System, warnings
from fairlead.model.step_checks import axial_period, bounce_period
from fairlead.statics import natural_modes, solve

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))
MASS, EA, LENGTH, PER_METRE = 20e3, 1e8, 100.0, 12.0


def lift(step=0.01, motion=None, formulation="bars", waves=None, **payload):
    """A load of 20 t on 100 m of wire under a crane tip."""
    tip = {"kind": "controlled", "position": [0, 0, 10]} | ({"motion": motion} if motion else {})
    return System.model_validate(
        {
            "environment": {"waves": waves} if waves else {},
            "types": {"wire": {"diameter": 0.05, "mass_per_length": PER_METRE, "axial_stiffness": EA}},
            "points": {"tip": tip, "load": {"kind": "free", "position": [0, 0, -90], "mass": MASS} | payload},
            "cables": {"wire": {"type": "wire", "length": LENGTH, "elements": 10, "start": "tip", "end": "load"}},
            "simulation": {"formulation": formulation, "duration": 60 * step, "step": step},
        }
    )


def heave(period, ramp=None):
    return {"harmonic": {"amplitude": [0, 0, 1.0], "period": period, "ramp": period if ramp is None else ramp}}


def said(system):
    return [str(problem) for problem in warnings(system) if "simulation.step" in str(problem)]


def test_the_bounce_is_that_of_a_mass_on_a_spring_with_a_third_of_the_wire():
    known = 2 * math.pi * math.sqrt((MASS + PER_METRE * LENGTH / 3) * LENGTH / EA)
    assert bounce_period(lift(), "load") == pytest.approx(known, rel=1e-12)
    assert bounce_period(lift(added_mass=5e3), "load") == pytest.approx(known * math.sqrt(25.4 / 20.4), rel=1e-12)
    assert bounce_period(lift(), "tip") is None


def test_the_bounce_is_a_natural_mode_of_the_system():
    rest = solve(lift())
    modes = natural_modes(rest.compiled, rest.y, 30)
    named = zip(modes.omega, modes.motions, strict=True)
    bounce = min(omega for omega, motion in named if motion in ("axial", "vertical"))
    assert 2 * math.pi / bounce == pytest.approx(bounce_period(lift(), "load"), rel=5e-3)


def test_the_axial_period_is_twice_the_way_at_the_speed_of_sound():
    """And a wire in sections of one kind has that of the whole."""
    wire = lift()
    assert axial_period(wire, wire.cables["wire"]) == pytest.approx(2 * LENGTH / math.sqrt(EA / PER_METRE), rel=1e-12)
    half = {"type": "wire", "length": LENGTH / 2, "elements": 5}
    parts = wire.model_dump(mode="json", exclude_unset=True)
    parts["cables"]["wire"] = {"sections": [half, half], "start": "tip", "end": "load"}
    parts = System.model_validate(parts)
    assert axial_period(parts, parts.cables["wire"]) == pytest.approx(2 * LENGTH / math.sqrt(EA / PER_METRE), rel=1e-12)


@pytest.mark.parametrize(("step", "warned"), [(0.5, True), (0.1, True), (0.02, True), (0.005, False)])
def test_a_load_that_bounces_needs_a_hundred_steps_a_bounce(step, warned):
    """0.89 s under a crane tip of 4 s; a first-order step of 0.0088 s or less does."""
    found = said(lift(step, heave(4.0)))
    assert bool(found) is warned
    if warned:
        assert any("use a step of at most 0.0089 s" in sentence for sentence in found)


def test_schemes_that_do_not_damp_need_fewer():
    assert not said(lift(0.025, heave(4.0), "spline"))
    assert "at most 0.035 s" in said(lift(0.05, heave(4.0), "spline"))[0]


def test_a_slow_motion_does_not_make_it_bounce_and_a_jerk_does():
    assert not said(lift(0.02, heave(30.0)))
    assert "bouncing" in said(lift(0.02, heave(30.0, ramp=0.0)))[0]
    assert not said(lift(0.02))
    assert "bouncing" in said(lift(0.02).with_settings(start="unstretched"))[0]


def test_motions_and_waves_take_forty_steps():
    assert "points.tip.motion" in said(lift(0.5, heave(12.0)))[0]
    assert "use a step of at most 0.3 s" in said(lift(0.5, heave(12.0)))[0]
    regular = {"kind": "regular", "height": 1.0, "period": 12.0}
    assert "environment.waves" in said(lift(0.5, waves=regular))[0]
    assert not said(lift(0.3, waves=regular))
    sea = {"kind": "jonswap", "significant_height": 1.0, "peak_period": 12.0}
    assert "use a step of at most 0.15 s" in said(lift(0.2, waves=sea))[0]


def test_each_train_and_each_wave_of_a_list_that_counts_takes_them_too():
    """Of trains the whole period of a regular one; of a list the shortest with a tenth of the highest amplitude."""
    swell, wind = ({"kind": "regular", "height": 1.0, "period": period} for period in (12.0, 8.0))
    assert not said(lift(0.2, waves=[swell, wind]))
    (found,) = said(lift(0.25, waves=[swell, wind]))
    assert "environment.waves.trains[1]" in found
    assert "use a step of at most 0.2 s" in found
    rows = [[1.0, 12.0, 0.0, 0.0], [-0.1, 8.0, 0.0, 0.0], [0.09, 4.0, 0.0, 0.0]]
    assert not said(lift(0.2, waves={"kind": "components", "table": rows}))
    (found,) = said(lift(0.25, waves={"kind": "components", "table": rows}))
    assert "use a step of at most 0.2 s" in found


def test_waves_of_tension_count_where_they_are_excited():
    """10 km of wire: 2L/c = 7 s, near the motion of 12 s; 25 steps of it are more than 40 of the motion."""
    data = lift(0.29, heave(12.0)).model_dump(mode="json", exclude_unset=True)
    data["points"]["load"] = {"kind": "fixed", "position": [0, 0, -9990]}
    data["cables"]["wire"] |= {"length": 10001.0}
    far = System.model_validate(data)
    period = axial_period(far, far.cables["wire"])
    assert period == pytest.approx(6.93, abs=0.01)
    assert "waves of tension in 'wire'" in said(far)[0]
    assert f"use a step of at most {math.floor(100 * period / 25) / 100:g} s" in said(far)[0]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_keep_to_it(path):
    assert not said(fl.load(path))


def test_too_long_a_step_does_lose_the_peaks():
    """What the warning says is so: the ring of a load after a jerk, a quarter of the bound and ten times it."""
    peaks = []
    for factor in (0.25, 10.0):
        system = lift(0.0088 * factor, heave(5.0, ramp=0.0))
        result = fl.simulate(system.with_settings(duration=1.056, output_every=0.0088 * factor, start="statics"))
        peaks.append(float(np.nanmax(result["tension_effective"].values)))
    assert peaks[1] < 0.95 * peaks[0]
