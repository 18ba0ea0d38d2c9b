"""What a system makes of the coefficients in its files: stiffness without weight, depth, bodies, units, headings."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.floaters import Coefficients
from fairlead.floaters.interpolation import MissingHeading, at_frequencies, at_headings
from fairlead.floaters.waters import Water, waters_of
from fairlead.formulations.floater_sea import excitation_columns
from fairlead.model import Environment
from fairlead.sea.waves import AMPLITUDE, wave_columns

from .buoys import MASS, changed
from .test_readers_of_several import bodies
from .wamit_files import write

GRAVITY = 9.80665


def water_of(system: fl.System) -> Water:
    (water,) = waters_of(system, checked=False)
    return water


def test_weight_in_a_stiffness_is_taken_out_and_what_is_additional_put_in(file: Path, ball: Coefficients) -> None:
    """C₄₄ and C₅₅ hold −m g z of the weight, C₄₆ m g x and C₅₆ m g y."""
    x, y, z = 0.7, -0.4, -2.0
    more = np.diag([1e3, 2e3, 3e3, 4e3, 5e3, 6e3])
    given = {"includes_weight": True, "additional": more.tolist()}
    found = water_of(changed(file, bodies__buoy__centre_of_mass=[x, y, z], bodies__buoy__stiffness=given))
    weight = np.zeros((6, 6))
    weight[3, 3] = weight[4, 4] = -MASS * GRAVITY * z
    weight[3, 5], weight[4, 5] = MASS * GRAVITY * x, MASS * GRAVITY * y
    expected = ball.stiffness - weight + more
    np.testing.assert_allclose(found.coefficients.stiffness, expected, rtol=1e-9, atol=1e-3)


def test_the_depth_of_coefficients_is_that_of_the_sea_unless_it_is_given(file: Path) -> None:
    sea = {"environment__seabed": {"depth": 70.0}}
    assert water_of(changed(file, **sea)).coefficients.depth == 70.0
    for depth, known in ((55.0, 55.0), ("infinite", math.inf)):
        values = sea | {"bodies__buoy__coefficients": {"file": "ball", "depth": depth}}
        assert water_of(changed(file, **values)).coefficients.depth == known


def test_a_body_takes_its_own_of_several(file: Path, ball: Coefficients) -> None:
    """Two hulls in one file, the second twice as large in all its numbers."""
    size, both = np.kron(np.diag([1.0, 2.0]), np.ones((6, 6))), {}
    for name in ("added_mass", "damping", "stiffness", "added_mass_infinite", "added_mass_zero"):
        both[name] = np.tile(getattr(ball, name), (2, 2)) * size
    force = np.concatenate([ball.excitation, 2.0 * ball.excitation], axis=2)
    pair = replace(
        ball, **both, excitation=force, volume=np.full(2, np.nan), centre_of_buoyancy=np.full((2, 3), np.nan),
        reference=np.zeros((2, 3)),
    )  # fmt: skip
    write(file.with_name("ball"), pair)
    found = water_of(changed(file, bodies__buoy__coefficients={"file": "ball", "body": 2})).coefficients
    np.testing.assert_allclose(found.added_mass, 2.0 * ball.added_mass, rtol=1e-9, atol=1e-3)
    np.testing.assert_allclose(found.excitation, 2.0 * ball.excitation, rtol=1e-9, atol=1e-3)


def test_drift_has_the_unit_of_length_of_the_coefficients(file: Path, ball: Coefficients) -> None:
    write(file.with_name("ball"), ball, 4.0)
    file.with_name("ball.8").write_text("6.0 0 0 1 2.0 0 2.0 0\n7.0 0 0 1 2.0 0 2.0 0\n")
    coefficients = {"file": "ball", "length": 4.0}
    drift = {"method": "mean", "file": "ball.8"}
    found = water_of(changed(file, bodies__buoy__coefficients=coefficients, bodies__buoy__drift=drift))
    assert found.drift["buoy"].mean[0, 0, 0] == pytest.approx(2.0 * 1025.0 * GRAVITY * 4.0)


def test_waves_are_seen_from_the_axes_of_the_floater_and_by_each_body() -> None:
    """Axes turned by 20 deg in waves towards 40 deg: those of the heading of 20 deg, of the second body."""
    data = bodies(2, references=False)
    waves = {"kind": "regular", "height": 3.0, "period": 2 * math.pi / data.omega[1], "direction_deg": 40.0}
    sea = wave_columns(Environment.model_validate({"waves": waves}))
    columns = excitation_columns(data, 1, sea, math.radians(20.0))
    found = columns[0::2, 0] + 1j * columns[1::2, 0]
    np.testing.assert_allclose(found, float(sea[AMPLITUDE][0]) * data.excitation[1, 1, 6:], rtol=1e-6)


def test_beyond_the_data_there_is_no_force_and_one_heading_stands_for_its_neighbours_alone() -> None:
    known, table = np.array([0.5, 1.0]), np.array([[[2.0], [4.0]]])
    found = at_frequencies(known, table, np.array([0.2, 0.75, 1.0, 1.2]))[0, :, 0]
    np.testing.assert_allclose(found, [2.0, 3.0, 4.0, 0.0])
    one = table[:, :1]
    assert at_headings(np.zeros(1), one, np.radians([-4.9]))[0, 0] == 2.0
    with pytest.raises(MissingHeading, match="towards 6 deg"):
        at_headings(np.zeros(1), one, np.radians([6.0]))
