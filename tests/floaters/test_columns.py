"""Columns by strips: what is made from them keeps every relation of linear theory, and comes back from its files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fairlead.floaters import Coefficients, read
from fairlead.floaters.checks import findings, haskind_ratio
from fairlead.floaters.columns import Column, columns
from fairlead.floaters.kernels import infinite_added_mass
from fairlead.model.waves import wavenumber

from .wamit_files import write

RHO, G = 1025.0, 9.80665


@pytest.fixture(scope="module")
def three() -> Coefficients:
    """Three columns of 4 m radius, 20 m deep, 15 m from the middle, on plates."""
    around = 15.0 * np.exp(1j * np.radians([60.0, 180.0, 300.0]))
    parts = [Column(at.real, at.imag, ((-20.0, 4.0), (0.0, 4.0)), 2e5) for at in around]
    return columns([parts], np.arange(0.2, 2.6, 0.12).tolist(), np.radians(np.arange(-180.0, 181.0, 15.0)).tolist())


def test_nothing_is_found_wrong_with_them(three: Coefficients) -> None:
    assert [one for one in findings(three) if one.level != "note"] == []
    np.testing.assert_allclose(haskind_ratio(three), 1.0, atol=0.01)


def test_over_a_bottom_all_relations_hold_with_its_depth() -> None:
    """In 30 m of water: Haskind, Ogilvie, long waves; a thin column is pushed by 2ρV times the water's acceleration."""
    parts = [Column(x, 0.0, ((-12.0, 1.5), (0.0, 1.5)), 2e4) for x in (-20.0, 0.0, 20.0)]
    omega, round_ = np.arange(0.2, 3.0, 0.1), np.radians(np.arange(-180.0, 181.0, 10.0))
    found = columns([parts], omega.tolist(), round_.tolist(), depth=30.0)
    assert found.depth == 30.0
    assert [one for one in findings(found) if one.level == "error"] == []
    np.testing.assert_allclose(haskind_ratio(found)[1:], 1.0, atol=0.01)  # along the row headings are too far apart
    assert np.nanmax(np.abs(haskind_ratio(found, np.inf) - 1.0)) > 0.05
    (one,) = (columns([[Column(0.0, 0.0, ((-12.0, 0.2), (0.0, 0.2)))]], [0.4], [0.0], depth=30.0),)
    w, k = 0.4, wavenumber(0.4, 30.0, G)
    z = np.linspace(-12.0, 0.0, 401)
    pushed = np.trapezoid(w * w * np.cosh(k * (z + 30.0)) / np.sinh(k * 30.0), z)
    assert abs(one.excitation[0, 0, 0]) == pytest.approx(2.0 * RHO * np.pi * 0.04 * pushed, rel=2e-3)


def test_columns_that_are_one_hull_move_less_water() -> None:
    """With a tenth of its own added mass a column is pushed by 1.1 of the water it displaces, where 2 would be."""
    alone, joined = (
        columns([[Column(0.0, 0.0, ((-5.0, 1.0), (0.0, 1.0)), sideways=(part, 1.0))]], [0.2], [0.0, np.pi / 2])
        for part in (1.0, 0.1)
    )
    assert joined.added_mass_infinite[0, 0] == pytest.approx(0.1 * alone.added_mass_infinite[0, 0])
    assert joined.added_mass_infinite[1, 1] == pytest.approx(alone.added_mass_infinite[1, 1])
    assert abs(joined.excitation[0, 0, 0] / alone.excitation[0, 0, 0]) == pytest.approx(0.55)
    assert abs(joined.excitation[1, 0, 1] / alone.excitation[1, 0, 1]) == pytest.approx(1.0)


def test_hydrostatics_are_those_of_the_columns(three: Coefficients) -> None:
    area = 3 * np.pi * 16.0
    assert three.volume[0] == pytest.approx(20.0 * area, rel=1e-3)
    assert three.stiffness[2, 2] == pytest.approx(RHO * G * area, rel=1e-3)
    second = 3 * np.pi * 64.0 + np.pi * 16.0 * 15.0**2 * 1.5  # own and that of their distances
    assert three.stiffness[4, 4] == pytest.approx(RHO * G * (second - 10.0 * 20.0 * area), rel=2e-3)
    np.testing.assert_allclose(three.centre_of_buoyancy[0], [0, 0, -10], atol=1e-9)


def test_added_mass_is_what_the_damping_makes_of_it(three: Coefficients) -> None:
    """Surge at infinite frequency: the water displaced, which Ogilvie's relation finds from A and B."""
    displaced = RHO * 3 * np.pi * 16.0 * 20.0
    assert three.added_mass_infinite is not None
    assert three.added_mass_infinite[0, 0] == pytest.approx(displaced, rel=1e-3)
    assert infinite_added_mass(three).value[0, 0] == pytest.approx(displaced, rel=0.02)


def test_a_long_wave_lifts_by_the_waterplane_and_pushes_a_quarter_period_ahead(three: Coefficients) -> None:
    head = int(np.abs(three.headings).argmin())
    surge, heave = three.excitation[head, 0, 0], three.excitation[head, 0, 2]
    assert heave.real == pytest.approx(three.stiffness[2, 2], rel=0.1)
    assert np.degrees(np.angle(surge)) == pytest.approx(90.0, abs=3.0)


def test_they_come_back_from_their_files(tmp_path: Path, three: Coefficients) -> None:
    write(tmp_path / "three", three, digits=6)
    back = read(tmp_path / "three", water_density=RHO, gravity=G)
    np.testing.assert_allclose(back.added_mass, three.added_mass, rtol=1e-5, atol=1e-5 * three.added_mass.max())
    np.testing.assert_allclose(back.excitation, three.excitation, rtol=1e-5, atol=1e-6 * np.abs(three.excitation).max())


def test_sway_and_roll_are_surge_and_pitch_seen_from_the_side(three: Coefficients) -> None:
    """Three columns round a middle are the same from every side: a push aside above the water rolls the other way."""
    for table in (three.damping, three.added_mass):
        np.testing.assert_allclose(table[:, 1, 3], -table[:, 0, 4], rtol=1e-6)
        np.testing.assert_allclose(table[:, 3, 3], table[:, 4, 4], rtol=1e-6)


def test_a_long_wave_lifts_less_by_the_water_that_it_moves_with_itself(three: Coefficients) -> None:
    """X₃ = C₃₃ − ω²(ρV + A₃₃) to first order in the wave number: a body that moves as the water does feels nothing."""
    head, w = int(np.abs(three.headings).argmin()), float(three.omega[0])
    assert three.added_mass_infinite is not None
    moved = RHO * three.volume[0] + three.added_mass_infinite[2, 2]
    missing = three.stiffness[2, 2] - three.excitation[head, 0, 2].real
    assert missing == pytest.approx(w**2 * moved, rel=0.1)


@pytest.mark.parametrize("apart", [30.0, 20.0, 15.0])
def test_headings_too_far_apart_for_short_waves_are_not_blamed_on_the_file(apart: float) -> None:
    """A platform 120 m wide: what is summed round over few headings is off by 70 % where its waves are short."""
    wide = columns_of(60.0, np.arange(0.1, 2.0, 0.04), apart)
    assert [one for one in findings(wide) if one.check == "Haskind"] == []
    ratio = haskind_ratio(wide)
    np.testing.assert_allclose(ratio[np.isfinite(ratio)], 1.0, atol=0.02)
    wrong = replace(wide, damping=1.5 * wide.damping)
    assert "Haskind" in [one.check for one in findings(wrong) if one.level == "error"], "of what can be judged"


def test_where_no_wave_can_be_judged_by_its_headings_it_is_told(three: Coefficients) -> None:
    short = three.omega > 1.9
    far = columns_of(40.0, three.omega[short], 30.0)
    found = [one for one in findings(far) if one.check == "Haskind"]
    assert [(one.level, one.text) for one in found] == [
        ("note", "headings 30 deg apart are too far to see whether excitation and damping fit")
    ]


def columns_of(radius: float, omega: np.ndarray, apart: float) -> Coefficients:
    around = radius * np.exp(1j * np.radians([60.0, 180.0, 300.0]))
    parts = [Column(at.real, at.imag, ((-20.0, 6.0), (0.0, 6.0))) for at in around]
    return columns([parts], omega.tolist(), np.radians(np.arange(-180.0, 180.0, apart)).tolist())
