"""Stiffness of a line that touches down, against the elastic catenary on a flat bed in closed form.

With H and V at the fairlead, w the submerged weight per metre and s = V/w < L the length that hangs,

    x = L − s + (H/w) asinh(V/H) + H L/EA,    z = (H/w)(√(1 + (V/H)²) − 1) + V²/(2 EA w)

(Jonkman 2007 after Irvine 1981, no friction). Its stiffness is the inverse of ∂(x, z)/∂(H, V), here by differences.
"""

import math

import numpy as np
import pytest
from scipy.optimize import fsolve

from fairlead.model import System
from fairlead.statics import solve

LENGTH, SPAN, RISE, EA, RADIUS = 835.5, 796.7, 186.0, 753.6e6, 0.071
WEIGHT = (124.9 - 1025.0 * math.pi * RADIUS**2) * 9.81


def ends(pull):
    h, v = pull
    x = LENGTH - v / WEIGHT + h / WEIGHT * math.asinh(v / h) + h * LENGTH / EA
    z = h / WEIGHT * (math.sqrt(1.0 + (v / h) ** 2) - 1.0) + v**2 / (2.0 * EA * WEIGHT)
    return np.array([x, z])


def closed_form():
    """Stiffness in the plane (2, 2), N/m."""
    pull = fsolve(lambda logs: ends(np.exp(logs)) - [SPAN, RISE], np.log([1e6, 6e5]), xtol=1e-13)
    pull = np.exp(pull)
    give = np.empty((2, 2))
    for i in range(2):
        by = 1e-5 * pull[i] * np.eye(2)[i]
        give[:, i] = (ends(pull + by) - ends(pull - by)) / (2e-5 * pull[i])
    return np.linalg.inv(give)


def line(formulation, elements=20):
    """A chain of the OC4 semi-submersible, its bed so stiff that nothing sinks in."""
    return System.model_validate(
        {
            "environment": {"seabed": {"depth": 200.0, "stiffness": 1e6}},
            "types": {"chain": {"diameter": 2 * RADIUS, "mass_per_length": 124.9, "axial_stiffness": EA}},
            "points": {
                "anchor": {"kind": "anchor", "position": [0.0, 0.0]},
                "fairlead": {"kind": "controlled", "position": [SPAN, 0.0, RISE - 200.0 + RADIUS]},
            },
            "cables": {
                "line": {"type": "chain", "length": LENGTH, "elements": elements, "start": "anchor", "end": "fairlead"}
            },
            "simulation": {"formulation": formulation, "duration": 1.0, "step": 0.01},
        }
    )


@pytest.mark.parametrize("elements", [17, 20, 23])
def test_stiffness_of_a_line_that_touches_down(elements):
    """Elements are divided until it is known to a percent; those of the file are up to 20 % off."""
    rest = solve(line("lumped", elements))
    found, known = rest.refined("fairlead"), closed_form()
    plane = found.held.stiffness[np.ix_([0, 2], [0, 2])]
    assert found.parts > 1
    assert found.error < 0.01
    assert np.diag(plane) == pytest.approx(np.diag(known), rel=0.015)
    assert plane[0, 1] == pytest.approx(known[0, 1], rel=0.02)


def test_the_error_of_the_elements_is_told():
    rest, known = solve(line("lumped")), closed_form()
    found = rest.refined("fairlead")
    off = np.abs(np.diag(rest.stiffness("fairlead"))[[0, 2]] / np.diag(known) - 1.0).max()
    assert off > 0.03
    assert found.coarse == pytest.approx(off, abs=0.02)


def test_a_line_that_hangs_needs_no_refinement():
    data = line("lumped").model_dump(mode="json", exclude_unset=True)
    data["environment"]["seabed"]["depth"] = 400.0
    data["points"]["anchor"] = {"kind": "fixed", "position": [0.0, 0.0, -200.0]}
    rest = solve(System.model_validate(data))
    found = rest.refined("fairlead")
    assert (found.parts, found.error, found.coarse) == (1, 0.0, 0.0)
