"""Line that a winch pays out or hauls in while it moves: lengths, speeds and tensions against what they must be."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.results import energy_balance

GRAVITY, MASS, PER_LENGTH = 9.81, 200.0, 4.0
FORMULATIONS = ("bars", "lumped")


def lowered(formulation, winch, stiffness=1e8, duration=20.0, tip=None, step=0.01, every=0.01, mass=MASS):
    """A load on 20 m of wire under a crane, in air, its wire stretched by its weight; `tip` moves the crane."""
    stretch = 20.0 * (mass + 0.5 * PER_LENGTH * 20.0) * GRAVITY / stiffness
    moved = {} if tip is None else {"motion": {"harmonic": tip}}
    return fl.simulate(
        fl.System.model_validate(
            {
                "environment": {"water_density": 0.0, "gravity": GRAVITY},
                "types": {
                    "wire": {"diameter": 0.03, "mass_per_length": PER_LENGTH, "axial_stiffness": stiffness,
                             "damping_time": 0.02},
                },
                "points": {
                    "tip": {"kind": "controlled", "position": [0, 0, 60], **moved},
                    "load": {"kind": "free", "position": [0, 0, 40 - stretch], "mass": mass},
                },
                "cables": {
                    "wire": {"type": "wire", "length": 20.0, "elements": 8, "start": "tip", "end": "load",
                             "allow_stretch": True, "winch": {"end": "start", "length_max": 50.0, **winch}},
                },
                "simulation": {
                    "formulation": formulation, "duration": duration, "step": step, "output_every": every,
                    "start": "statics",
                },
            }
        )
    )  # fmt: skip


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_schedule_is_followed_to_its_integral(formulation, sign):
    """Rates that change evenly between rows: lengths are exact at every sample, in both directions."""
    times, rates = np.array([0.0, 2.0, 5.0, 6.0, 9.0, 10.0]), sign * np.array([0.0, 0.6, 0.6, 1.0, 0.2, 0.0])
    winch = {"table": np.stack([times, rates], axis=1).tolist(), "length_min": 5.0}
    result = lowered(formulation, winch, duration=10.0, every=0.5)
    t = result["time"].values
    fine = np.linspace(0.0, 10.0, 10001)
    rate = np.interp(fine, times, rates)
    paid = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * 1e-3)])
    assert result["wire.winch.length"].values == pytest.approx(20.0 + np.interp(t, fine, paid), abs=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("stiffness", [1e8, 4e4])
@pytest.mark.parametrize("rate", [0.5, -0.5])
def test_line_goes_through_the_drum_without_a_jolt(formulation, stiffness, rate):
    """Splits and merges leave the pull at the drum what it carries: the weight below, stiff or stretched by 5 %."""
    winch = {"table": [[0.0, 0.0], [4.0, rate], [20.0, rate]], "length_min": 4.0}
    result = lowered(formulation, winch, stiffness)
    late = result["time"].values > 6.0
    out, pull = result["wire.winch.length"].values[late], np.linalg.norm(result["force_end"].values[:, 0, 0], axis=-1)
    assert np.ptp(out) > 6.0
    assert pull[late] == pytest.approx((MASS + PER_LENGTH * out) * GRAVITY, rel=0.01)


@pytest.mark.parametrize(("formulation", "bound"), [("bars", 0.01), ("lumped", 0.004)])
def test_energy_of_soft_line_that_is_paid_out_and_hauled_in(formulation, bound):
    """Line stretched by 20 % leaves the drum with its stretch: what the drive gives has T(1 + T/2EA) a metre."""
    winch = {"table": [[0.0, 0.0], [3.0, 0.6], [9.0, 0.6], [12.0, -0.6], [18.0, -0.6], [20.0, 0.0]], "length_min": 4.0}
    result = lowered(formulation, winch, stiffness=1e4, every=0.1, step=0.005)
    assert np.ptp(result["wire.winch.length"].values) > 3.0
    assert energy_balance(result).error < bound


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_line_that_swings_while_it_is_paid_out_keeps_its_energy(formulation):
    """Heavy line without a load, its upper end moved aside: it turns about the drum from which it comes."""
    tip = {"amplitude": [2.0, 1.0, 0.0], "period": 9.0}
    winch = {"table": [[0.0, 0.0], [2.0, 1.0], [16.0, 1.0], [20.0, 0.0]]}
    result = lowered(formulation, winch, tip=tip, every=0.1, mass=1.0, step=0.005)
    assert energy_balance(result).error < 0.002


SHAKEN = {"amplitude": [1.5, 1.0, 0.0], "period": 2.5}


def test_a_merge_hands_the_momentum_of_half_an_element_on():
    """Of point masses: the element at the drum, half as long as others by then, leaves half its mass to the node behind
    it, which goes on with 0.2 of the velocity of the node that is gone and 0.8 of its own."""
    result = lowered("lumped", {"rate": -1.5, "length_min": 6.0}, tip=SHAKEN, duration=8.0, step=0.001, every=0.001)
    velocity = result["velocity"].values[:, 0]
    count, shares = np.isfinite(velocity[:, :, 0]).sum(axis=1), []
    for i in np.flatnonzero(np.diff(count) < 0):
        gone, kept = velocity[i, -count[i] + 1], velocity[i, -count[i] + 2]
        apart = gone - kept
        if np.linalg.norm(apart) > 0.5:
            shares.append((velocity[i + 1, -count[i] + 2] - kept) @ apart / (apart @ apart))
    assert len(shares) >= 2
    assert np.array(shares) == pytest.approx(np.full(len(shares), 0.2), abs=0.05)


def test_line_that_merges_came_short_by_is_paid_out_in_the_end():
    """Of point masses: two elements at an angle become one as long as their ends are apart; what is owed follows with
    the line. In two swings at the end all that is out is there, but for moments of slack."""
    table = [[0.0, 0.0], [1.0, -1.5], [9.0, -1.5], [11.0, 1.5], [18.0, 1.5], [19.0, 0.0]]
    result = lowered("lumped", {"table": table, "length_min": 4.0}, tip=SHAKEN, step=0.002, every=0.02)
    position = result["position"].values[:, 0]
    assert np.isfinite(position[:, :, 0]).sum(axis=1).min() < 6, "four elements are gone on the way"
    reach = np.nansum(np.linalg.norm(np.diff(position, axis=1), axis=-1), axis=1)
    short = result["wire.winch.length"].values - reach
    assert abs(np.median(short[-250:])) < 0.003


def whirled(formulation, rate, along, across, elements):
    """Heavy line with a load at its end that turns about the drum it comes from, without weight; its angular momentum
    about the drum over that at first, in time."""
    system = fl.System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": 0.0},
            "types": {"wire": {"diameter": 0.03, "mass_per_length": PER_LENGTH, "axial_stiffness": 1e7,
                               "damping_time": 0.02}},
            "points": {
                "drum": {"kind": "fixed", "position": [0, 0, 0]},
                "load": {"kind": "free", "position": [10.0 * x for x in along], "velocity": [5.0 * x for x in across],
                         "mass": 50.0},
            },
            "cables": {
                "wire": {"type": "wire", "length": 10.0, "elements": elements, "start": "drum", "end": "load",
                         "allow_stretch": True,
                         "winch": {"end": "start", "table": [[0, 0], [2, rate], [8, rate]], "length_max": 20.0,
                                   "length_min": 2.0}},
            },
            "simulation": {"formulation": formulation, "duration": 8.0, "step": 0.002, "output_every": 0.1,
                           "start": "catenary"},
        }
    )  # fmt: skip
    result = fl.simulate(system)
    found = []
    for x, v in zip(result["position"].values[:, 0], result["velocity"].values[:, 0], strict=True):
        x, v = x[np.isfinite(x[:, 0])], v[np.isfinite(x[:, 0])]
        mass = PER_LENGTH * np.linalg.norm(np.diff(x, axis=0), axis=1)
        of_line = 2.0 * np.cross(x[:-1], v[:-1]) + 2.0 * np.cross(x[1:], v[1:])
        of_line += np.cross(x[:-1], v[1:]) + np.cross(x[1:], v[:-1])
        found.append(mass @ of_line / 6.0 + 50.0 * np.cross(x[-1], v[-1]))
    first = (10.0 * 5.0 * 50.0 + PER_LENGTH * 10.0 * 10.0 * 5.0 / 3.0) * np.cross(along, across)
    assert found[0] == pytest.approx(first, abs=1e-6)
    return np.array(found) @ first / (first @ first)


PLANES = [((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), ((0.0, 0.6, -0.8), (0.6, 0.64, 0.48))]


@pytest.mark.parametrize("rate", [0.8, -0.8])
@pytest.mark.parametrize(("along", "across"), PLANES)
def test_line_that_turns_about_its_drum_keeps_its_angular_momentum(rate, along, across):
    """Line enters and leaves where it is at rest, so (Ml² + ρl³/3)ω stays: it turns faster as it is hauled in."""
    assert whirled("bars", rate, along, across, 4) == pytest.approx(1.0, abs=3e-4)


def test_angular_momentum_of_masses_that_turn_about_a_drum_converges():
    """Line of point masses enters at the first mass, not at the drum: an error of second order in their distance."""
    coarse, fine = (abs(whirled("lumped", -0.8, *PLANES[1], n)[-1] - 1.0) for n in (4, 8))
    assert coarse < 0.04
    assert coarse / fine == pytest.approx(4.0, rel=0.1)
