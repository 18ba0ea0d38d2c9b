"""Curvature at clamps, and limits of cables as lines in figures."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead import view
from fairlead.model import load_text
from fairlead.simulate import simulate
from fairlead.view.histories import cable_histories
from fairlead.view.shape import curvature, curvature_along

from .systems import straight_cables

CLAMPED = """
types:
  umbilical: {{diameter: 0.12, mass_per_length: 22, axial_stiffness: 300 MN, bending_stiffness: 10 kN*m^2,
              minimum_bend_radius: 4, breaking_load: 60 kN}}
points:
  top: {{kind: fixed, position: [0, 0, -8]}}
  frame: {{kind: fixed, position: [30, 0, -30]}}
cables:
  umbilical:
    {{type: umbilical, length: 45, elements: 90, start: {{point: top, joint: clamp, direction: [1, 0, 0]}}, end: frame}}
simulation: {{start: statics, duration: 0.1, step: 0.01, formulation: {formulation}}}
"""


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_curvature_at_a_clamp_is_that_of_the_clamp(formulation):
    """At rest every step sees the same curvature. The polygon knows no clamp and takes that of its neighbour."""
    result = simulate(load_text(CLAMPED.format(formulation=formulation)))
    (cable,) = cable_histories(result)
    drawn = curvature_along(result, 0, cable.position)
    assert drawn[-1, 0] == pytest.approx(result["curvature_max"].values[-1, 0, 0], rel=0.01)
    assert drawn[-1, 0] > 1.1 * curvature(cable.position)[-1, 0]
    assert drawn[-1, -1] == pytest.approx(0.0, abs=1e-6), "a ball joint carries no moment"
    bent = next(axes for axes in view.envelopes(result).axes if axes.get_ylabel().startswith("curvature"))
    assert any(np.nanmax(line.get_ydata()) == pytest.approx(drawn[-1, 0], rel=0.01) for line in bent.lines)


def limited(breaking):
    """A cable at 1 kN whose type tells its breaking load."""
    settings = {"types": {"rope": {"breaking_load": breaking}}, "cables": {"cable_0": {"type": "rope"}}}
    return straight_cables([((0, 0, 0), (10, 0, -10))], settings=settings)


def test_a_breaking_load_in_reach_is_a_line_and_one_far_above_is_told():
    for figure in (view.tension_along, view.envelopes, view.tension_history):
        axes = figure(limited(2.0e3)).axes[0]
        assert any(np.allclose(line.get_ydata(), 2.0) for line in axes.lines), figure.__name__
        assert axes.get_ylim()[1] > 2.0
        far = figure(limited(1.0e6)).axes[0]
        assert far.get_ylim()[1] < 3.0
        assert any(text.get_text().endswith("1,000 kN") for text in far.texts)
