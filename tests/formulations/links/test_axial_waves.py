"""Links do not stretch along their length: motions that excite axial waves or bouncing loads are a warning."""

from __future__ import annotations

import math

import numpy as np

import fairlead as fl
from fairlead.formulations import compile_system
from fairlead.shape.layout import first_geometry

LENGTH, EA, MASS = 100.0, 1e6, 10.0
AXIAL = 2.0 * LENGTH / math.sqrt(EA / MASS)
"""Period of the first axial mode of the line held at both ends [s]."""
AMPLITUDE = 0.01


def line(period: float, below: dict | None = None) -> fl.System:
    """A line straight down from a point that goes up and down; in air, below it a fixed point or a load."""
    return fl.System.model_validate(
        {
            "environment": {"water_density": 0.0},
            "types": {"wire": {"diameter": 0.05, "mass_per_length": MASS, "axial_stiffness": EA}},
            "points": {
                "top": {"kind": "controlled", "position": [0, 0, 200],
                        "motion": {"harmonic": {"amplitude": [0, 0, AMPLITUDE], "period": period, "ramp": period}}},
                "below": below or {"kind": "fixed", "position": [0, 0, 200 - 1.05 * LENGTH]},
            },
            "cables": {"line": {"type": "wire", "length": LENGTH, "elements": 20, "start": "top", "end": "below",
                                "allow_stretch": True}},
            "simulation": {"formulation": "links", "duration": 8 * period, "step": period / 200,
                           "output_every": period / 50, "start": "statics"},
        }
    )  # fmt: skip


def notes(system: fl.System) -> tuple[str, ...]:
    return compile_system(system, first_geometry(system)).start_notes(system.simulation.step)


def amplitude(system: fl.System) -> float:
    """Of the force on the upper point, in the phase of its motion [N], over the last four periods."""
    result, period = fl.simulate(system), system.points["top"].motion.sines[0].period
    times = result["time"].values
    last = times > 4.0 * period
    force = result["force_end"].values[:, 0, 0, 2][last]
    return 2.0 * float(np.mean((force - force.mean()) * np.sin(2.0 * np.pi * times[last] / period)))


def test_a_motion_near_the_axial_resonance_is_a_warning_and_the_estimate_is_that_of_the_closed_form():
    """At ten axial periods κL = 0.31: EA κ cot κL is 3.3 % below EA/L, and links are a fifth of (κL)² and more off."""
    near = line(10.0 * AXIAL)
    (note,) = notes(near)
    assert "waves of tension run along 'line'" in note
    assert "by about 6.6 %" in note
    angle = math.pi / 10.0
    exact = EA / LENGTH * angle / math.tan(angle) * AMPLITUDE
    error = abs(abs(amplitude(near)) / exact - 1.0)
    assert 0.02 < error < 0.08
    (worse,) = notes(line(1.1 * AXIAL))
    assert "by any amount, as near a resonance; use formulation: bars or lumped" in worse


def test_a_slow_motion_is_none():
    assert notes(line(20.0 * AXIAL)) == ()


def test_a_load_that_would_bounce_is_a_warning():
    """2 t on the line: ω₀² = (EA/L)/(M + mL/3); a motion of three such periods is amplified by 1/9 too little."""
    load = {"kind": "free", "position": [0, 0, 98], "mass": 2000.0}
    period = 2.0 * math.pi * math.sqrt((2000.0 + MASS * LENGTH / 3.0) / (EA / LENGTH))
    (note,) = notes(line(3.0 * period, below=load))
    assert "'below' bounces on its cables" in note
    assert "by about 11 %" in note
    assert notes(line(5.0 * period, below=load)) == ()
