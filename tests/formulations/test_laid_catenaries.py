"""Cables that start as catenaries: what holds in every formulation."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.statics import solve


@pytest.mark.parametrize("formulation", ["bars", "lumped", "links", "tether", "spline"])
@pytest.mark.parametrize("end", [[18, 0, -5], [14, 7, -9]])
def test_a_cable_laid_as_a_catenary_stays_at_its_tension(formulation, end):
    """It is laid with its stretch, of a quarter of a thousandth, and rings by no more than 2 %."""
    hung = System.model_validate(
        {
            "types": {"chain": {"diameter": 0.05, "mass_per_length": 20.0, "axial_stiffness": 1e7}},
            "points": {"a": {"kind": "fixed", "position": [0, 0, -5]}, "b": {"kind": "fixed", "position": end}},
            "cables": {"line": {"type": "chain", "length": 20.0, "elements": 16, "start": "a", "end": "b"}},
            "simulation": {"start": "catenary", "formulation": formulation, "duration": 1.0, "step": 0.005},
        }
    )
    rest = solve(hung.with_settings(formulation="lumped")).outputs["line.tension_effective"]
    seen = simulate(hung)["tension_max"].values
    assert seen == pytest.approx(np.full(len(seen), np.max(rest)), rel=0.02)
