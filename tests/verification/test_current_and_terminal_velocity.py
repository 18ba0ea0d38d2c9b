"""Drag, buoyancy and added mass of cables in steady flow: sinking, drifting, towing."""

import numpy as np
import pytest

import fairlead as fl
from fairlead.studies.verification.checks.steady_flow import (
    AREA,
    AXIAL,
    DENSITY,
    DIAMETER,
    NORMAL,
    SPEED,
    VISCOSITY,
    WATER,
    WEIGHT,
    sinking_bar,
    towed_cable,
    velocity_after,
)
from verification.closed_forms import critical_angle, sinking_from_rest, submerged_gravity, terminal_sinking_speed

CONSTANT = {"normal": NORMAL, "axial": AXIAL}


def reynolds_normal(speed):
    """Cn of the Reynolds law for Re >= 30."""
    return 1.1 + 4.0 / np.sqrt(speed * DIAMETER / VISCOSITY)


def reynolds_axial(speed):
    """Ct of the Reynolds law."""
    reynolds = speed * DIAMETER / VISCOSITY
    return 1.1 * reynolds**-0.5 + 0.168 * reynolds ** (-1 / 3)


@pytest.mark.parametrize("time", [0.1, 0.5, 1.0])
def test_a_level_bar_sinks_along_the_hyperbolic_tangent(time):
    """Depth and speed of a bar let go at rest, added mass 1: 0.2 % at h = 1 ms."""
    bar = sinking_bar(CONSTANT, 0.001)
    seen = bar.step(time)
    depth, speed = sinking_from_rest(time, WEIGHT, (DENSITY + WATER) * AREA, DIAMETER, WATER, NORMAL)
    assert -200.0 - seen["bar.position"][0, 2] == pytest.approx(depth, rel=0.02 if time < 0.5 else 2e-3)
    assert -seen["bar.velocity"][0, 2] == pytest.approx(speed, rel=2e-3)


@pytest.mark.parametrize("step", [0.01, 0.5])
def test_terminal_speed_does_not_depend_on_the_step(step):
    """w = ½ ρ d Cn v², and the bar drifts with the current: 1e-6, even with steps longer than the way there."""
    velocity = velocity_after(sinking_bar(CONSTANT, step, current=SPEED), 60.0)
    assert velocity == pytest.approx([SPEED, 0.0, -terminal_sinking_speed(WEIGHT, DIAMETER, WATER, NORMAL)], abs=1e-6)


def test_terminal_speed_with_the_reynolds_law():
    """The root of w = ½ ρ d Cn(Re) v²: 1e-6."""
    velocity = velocity_after(sinking_bar("reynolds", 0.1), 60.0)
    assert -velocity[2] == pytest.approx(terminal_sinking_speed(WEIGHT, DIAMETER, WATER, reynolds_normal), rel=1e-6)


def test_without_drag_it_falls_with_its_wet_weight_over_its_whole_inertia():
    """g (ρ - ρw)/(ρ + ρw): 1e-6."""
    velocity = velocity_after(sinking_bar("none", 0.01), 1.0)
    assert -velocity[2] == pytest.approx(submerged_gravity(DENSITY, WATER), rel=1e-6)


@pytest.mark.parametrize(
    ("drag", "normal", "axial", "perimeter"),
    [
        (CONSTANT, NORMAL, AXIAL, np.pi * DIAMETER),
        ({**CONSTANT, "axial_area": "projected"}, NORMAL, AXIAL, DIAMETER),
        ("reynolds", reynolds_normal, reynolds_axial, np.pi * DIAMETER),
    ],
)
def test_a_towed_cable_trails_at_the_critical_angle(drag, normal, axial, perimeter):
    """w cos φ = ½ ρ d Cn U² sin²φ, and dT/ds = w sin φ + ½ ρ P Ct U² cos²φ: both within 0.5 %."""
    angle, growth = towed_cable(drag)
    exact = critical_angle(WEIGHT, DIAMETER, WATER, SPEED, normal, axial, perimeter)
    assert angle == pytest.approx(exact.angle, rel=0.005)
    assert growth == pytest.approx(exact.tension_per_length, rel=0.005)


def test_the_current_is_linear_between_its_heights_and_constant_beyond():
    """Neutral bars at four heights drift with the current there, at the ends of a profile and between: 2 mm/s."""
    heights = {"above": -1.0, "between": -10.0, "deeper": -25.0, "below": -60.0}
    system = fl.System.model_validate(
        {
            "environment": {
                "current": [{"z": -5, "velocity": [1.0, 0, 0]}, {"z": -20, "speed": 0.5, "direction_deg": 90},
                            {"z": -40, "velocity": [0, 0, 0]}],
            },
            "types": {"float": {"diameter": 0.1, "density": 1025.0, "axial_stiffness": 1e6}},
            "points": {
                f"{name}{end}": {"kind": "free", "position": [x, 0, z]}
                for name, z in heights.items() for end, x in (("1", 0.0), ("2", 3.0))
            },
            "cables": {
                name: {"type": "float", "length": 3.0, "elements": 1, "start": f"{name}1", "end": f"{name}2"}
                for name in heights
            },
            "simulation": {"start": "catenary", "duration": 1000.0, "step": 0.5},
        }
    )  # fmt: skip
    seen = fl.Simulation(system).step(1000.0)
    expected = {"above": [1, 0, 0], "between": [2 / 3, 1 / 6, 0], "deeper": [0, 0.375, 0], "below": [0, 0, 0]}
    for name, velocity in expected.items():
        found = 0.5 * (seen[f"{name}.velocity"][0] + seen[f"{name}.velocity"][1])
        assert found == pytest.approx(velocity, abs=2e-3)
