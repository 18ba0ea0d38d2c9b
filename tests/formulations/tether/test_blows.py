"""A blow on a light line: as hard as the cable makes it, or the run says how hard it may be."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

import fairlead as fl

MASS, STIFFNESS, LENGTH, SPEED = 1000.0, 1e6, 10.0, 2.0
PEAK = SPEED * np.sqrt(MASS * STIFFNESS / LENGTH)
"""Of a load that flies off on a slack line without weight: 20 kN, a quarter of a period, 0.16 s, after it is caught."""


@cache
def caught(duration: float = 1.4, mass_per_length: float = 0.01, speed: float = SPEED, **tether: Any):
    system = fl.System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": 1e-6},
            "types": {
                "wire": {"diameter": 0.01, "mass_per_length": mass_per_length, "axial_stiffness": STIFFNESS},
            },
            "points": {
                "anchor": {"kind": "fixed", "position": [0, 0, 0]},
                "load": {"kind": "free", "position": [8, 0, 0], "mass": MASS, "velocity": [speed, 0, 0]},
            },
            "cables": {"wire": {"type": "wire", "length": LENGTH, "elements": 4, "start": "anchor", "end": "load"}},
            "simulation": {
                "formulation": "tether", "duration": duration, "step": 0.005, "output_every": 0.01, "start": "catenary",
                "tether": tether,
            },
        }
    )  # fmt: skip
    return fl.simulate(system)


def largest(result) -> float:
    return float(result["tension_max"].max())


def said(result) -> float:
    """The tension [N] that a run says its cable may have had."""
    return 1e3 * float(re.search(r"the cable's may be up to ([0-9.]+) kN", result.attrs["warnings"])[1])


def test_a_light_line_catches_its_load_with_its_own_stiffness():
    result = caught()
    assert largest(result) == pytest.approx(PEAK, rel=0.02)
    assert "softer than the cable" not in result.attrs["warnings"]


@pytest.mark.parametrize("substeps", [60, 40, 20])
def test_soft_links_say_how_hard_the_blow_would_be(substeps):
    """A mass on a spring: the peak goes with the root of its stiffness."""
    result = caught(duration=2.0, substeps=substeps)
    assert largest(result) < 0.75 * PEAK
    assert said(result) == pytest.approx(PEAK, rel=0.03)


def test_a_blow_that_is_not_over_counts_with_what_is_on_its_way():
    """Half a metre into links that stretch by metres, hardly any of the energy has come to them."""
    result = caught(duration=1.25, substeps=1)
    assert largest(result) < 20.0
    assert said(result) == pytest.approx(PEAK, rel=0.03)


def test_soft_links_under_a_steady_pull_are_no_matter():
    """Their integral bears it, and a tether at rest lends nothing."""
    line = {"diameter": 0.02, "mass_per_length": 1.0, "axial_stiffness": 1e6, "drag": "none"}
    system = fl.System.model_validate(
        {
            "types": {"line": line},
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, -1]},
                "B": {"kind": "fixed", "position": [8, 0, -1]},
            },
            "cables": {"line": {"type": "line", "length": LENGTH, "elements": 4, "start": "A", "end": "B"}},
            "simulation": {
                "formulation": "tether", "duration": 2.0, "step": 0.005, "start": "catenary", "tether": {"substeps": 1},
            },
        }
    )  # fmt: skip
    assert "softer than the cable" not in fl.simulate(system).attrs["warnings"]
