"""Splines as beams: deflections, frequencies and the critical torque, against closed forms."""

import math

import numpy as np
import pytest

from fairlead.statics import solve
from fairlead.studies.verification.checks import spline_beams, spline_greenhill
from fairlead.studies.verification.checks.spline_beams import EI, GRAVITY, LENGTH, MASS, beam, deflection


@pytest.mark.parametrize("check", [spline_beams.check, spline_greenhill.check])
def test_every_record_passes(check):
    for record in check():
        assert record.passed, record


@pytest.mark.parametrize(("elements", "known"), [(4, 0.950), (8, 0.9875), (16, 0.9969)])
def test_lumped_weight_bends_less(elements, known):
    """1 - 0.8/n²: the share of the load that lumping puts on the supports."""
    exact = 5.0 * MASS * GRAVITY * LENGTH**4 / (384.0 * EI)
    assert deflection(solve(beam(elements, "lumped", gravity=GRAVITY))) / exact == pytest.approx(known, abs=1e-4)


def test_cantilever_moment_and_reactions():
    rest = solve(beam(6, cantilever=True))
    load = spline_beams.LOAD
    assert rest.outputs["rod.bending_moment"][[0, 3]] == pytest.approx([load * LENGTH, 0.5 * load * LENGTH], rel=1e-5)
    assert rest.outputs["rod.shear"][1:-1] == pytest.approx(load, rel=1e-5)
    assert rest.outputs["rod.force_start"] == pytest.approx([0, 0, -load], abs=1e-8)


def test_joints_that_keep_normal_to_a_direction_buckle_at_about_half_the_torque():
    """Another joint, another number: 0.509 of Greenhill's, with a symmetric stiffness."""
    ratio = spline_greenhill.critical_torque("conservative") / (2.0 * math.pi * spline_greenhill.EI / 10.0)
    assert ratio == pytest.approx(0.509, abs=2e-3)
    matrix = spline_greenhill.stiffness(1.0, "conservative", 16)
    assert matrix == pytest.approx(matrix.T, abs=1e-6 * np.abs(matrix).max())
