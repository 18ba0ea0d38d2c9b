"""The seabed pushes and rubs, and never holds: a bar of 20 kg and a lying cable against Coulomb's block."""

import numpy as np
import pytest

import fairlead as fl
from fairlead.studies.verification.checks.unilateral_seabed import (
    FOOTPRINT,
    GRAVITY,
    MASS,
    STIFFNESS,
    lift,
    rub,
    slide,
    sliding_acceleration,
    stop,
)
from verification.closed_forms import elastic_coulomb_force, slope_distance, stopping

SLOPE = 0.2
ANGLE = np.arctan(SLOPE)


@pytest.mark.parametrize("damping", [0.0, 1e4, 1e5])
def test_a_lifted_bar_leaves_freely(damping):
    """No adhesion, however much the bed damps: it never pulls (0 N), and lifting costs no more than the weight and the
    mass's acceleration (10 % here); clear of the bed the bar weighs what it weighs, to 1e-6."""
    lifted = lift(damping)
    contact, hold = lifted["contact_force"].values[:, 0, :, 2], -lifted["force_end"].values[:, 0, :, 2].sum(axis=1)
    assert contact.min() >= 0.0
    assert contact[0] == pytest.approx(np.full(2, 0.5 * MASS * GRAVITY), rel=0.01)
    assert np.all(contact[lifted["time"].values > 1.5] == 0.0)
    assert hold.max() < 1.1 * MASS * GRAVITY
    assert hold[-1] == pytest.approx(MASS * GRAVITY, rel=1e-6)


def test_a_cable_peels_off_the_bed_with_the_weight_of_what_hangs():
    """A chain lying on the bed, lifted slowly by one end, pulls with the weight of the lifted part: 1 % of the whole.

    No bar is ever held down by more than 1 % of its own weight.
    """
    length, elements, mass = 40.0, 80, 50.0
    system = fl.System.model_validate(
        {
            "environment": {"seabed": {"depth": 10.0, "stiffness": 1e5, "damping": 1e4, "friction": 0.5}},
            "types": {"chain": {"diameter": 0.05, "mass_per_length": mass, "axial_stiffness": 1e7}},
            "points": {
                "tail": {"kind": "free", "position": [0, 0, -9.975]},
                "hook": {
                    "kind": "controlled",
                    "position": [39.9, 0, -9.975],
                    "motion": {"table": [[0, 0, 0, 0], [2, 0, 0, 0], [42, 0, 0, 8]]},
                },
            },
            "cables": {
                "chain": {"type": "chain", "length": length, "elements": elements, "start": "tail", "end": "hook"}
            },
            "simulation": {"start": "catenary", "duration": 50.0, "step": 0.01, "output_every": 0.5},
        }
    )
    result = fl.simulate(system)
    weight = system.types["chain"].weight_in_water(system.environment) * length
    contact = result["contact_force"].values[:, 0, :, 2]
    assert contact.min() > -0.01 * weight / elements
    pull = -result["force_end"].sel(end="end", axis="z").values[:, 0]
    late = result["time"].values > 5.0
    assert pull[late] == pytest.approx(weight - contact.sum(axis=1)[late], abs=0.01 * weight)
    assert contact[-1, -16:] == pytest.approx(np.zeros(16))  # the last 8 m hang: they end 8 m above the bed
    assert pull[-1] > 0.2 * weight


@pytest.mark.parametrize("friction", [0.0, 0.1, 0.19])
def test_above_the_friction_angle_it_slides_with_coulombs_acceleration(friction):
    """tan(slope) = 0.2 > µ: g (sin - µ cos), to 1e-6."""
    exact = 2.0 * slope_distance(1.0, ANGLE, friction)
    assert sliding_acceleration(SLOPE, friction) == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("friction", [0.21, 0.5])
def test_below_the_friction_angle_it_sticks_for_good(friction):
    """tan(slope) = 0.2 < µ: it stops within 1 cm and does not creep, 1e-6 m in 49 s (viscous friction would)."""
    time, way = slide(SLOPE, friction, duration=50.0)
    held = way[time > 1.0]
    assert held.max() < 0.01
    assert np.ptp(held) < 1e-6


def test_a_sliding_bar_stops_after_coulombs_distance():
    """v²/(2µg) from 1 m/s: 1 % at h = 1 ms; then it stays."""
    way = stop(1.0, 0.4, 0.001)
    distance, time = stopping(1.0, 0.4)
    assert way[-1] == pytest.approx(distance, rel=0.01)
    rest = round(1.5 * time / 0.01)
    assert np.ptp(way[rest:]) < 2.0 * 0.4 * MASS * GRAVITY / (STIFFNESS * FOOTPRINT)


@pytest.mark.parametrize(("shear_stiffness", "bound"), [(1e4, 0.005), (1e5, 0.03)])
def test_friction_is_elastic_until_it_slips(shear_stiffness, bound):
    """A bar drawn to and fro by 20 mm: the force follows the spring's return mapping at every instant; the bound, as a
    part of µN, is the way of one step times the stiffness."""
    path, force = rub(0.5, shear_stiffness, 0.005)
    exact = -elastic_coulomb_force(path, shear_stiffness * FOOTPRINT, 0.5 * MASS * GRAVITY)
    assert np.abs(force - exact)[1:].max() < bound * 0.5 * MASS * GRAVITY
    assert np.abs(exact).max() == pytest.approx(0.5 * MASS * GRAVITY)
