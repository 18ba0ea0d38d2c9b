"""Each slip in coefficients is found, with its cause and its cure; right ones pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fairlead.floaters import CoefficientError, Coefficients, read, read_drift
from fairlead.floaters.checks import Finding, findings, haskind_ratio
from fairlead.floaters.drift import differs
from fairlead.floaters.wamit import Scale

from .wamit_files import write


def errors(data: Coefficients, band: float | None = None) -> list[Finding]:
    return [one for one in findings(data, band) if one.level == "error"]


def test_the_hemisphere_is_right_in_every_way(ball: Coefficients) -> None:
    assert findings(ball) == []
    np.testing.assert_allclose(haskind_ratio(ball), 1.0, atol=0.004)


def test_another_depth_than_that_of_the_data_is_found_and_the_right_one_named(ball: Coefficients) -> None:
    (found,) = errors(replace(ball, depth=8.0))
    assert found.check == "Haskind"
    assert "set 'coefficients.depth: infinite', which fits" in found.cure


def test_a_frame_turned_with_the_wave_is_recognised(ball: Coefficients) -> None:
    """Surge along every wave and no sway: twice the power in surge, none in sway."""
    turned = ball.excitation.copy()
    turned[..., 0], turned[..., 1] = ball.excitation[18, :, 0], 0.0
    found = errors(replace(ball, excitation=turned))
    assert any("turned with the wave" in one.cure for one in found)


@pytest.mark.parametrize("length", [1.2, 0.8])
def test_a_wrong_unit_of_length_is_found(tmp_path: Path, ball: Coefficients, length: float) -> None:
    write(tmp_path / "ball", ball)
    found = errors(read(tmp_path / "ball", length=length))
    assert any("'length' is wrong" in one.cure for one in found)


def test_a_wrong_first_column_is_found(tmp_path: Path, ball: Coefficients) -> None:
    write(tmp_path / "ball", ball, column="frequency")
    found = errors(read(tmp_path / "ball", first_column="period"))
    assert found
    assert any("first_column" in one.cure for one in found)


def test_limits_that_change_places_are_found(ball: Coefficients) -> None:
    data = replace(ball, added_mass_zero=ball.added_mass_infinite, added_mass_infinite=ball.added_mass_zero)
    assert any(one.check == "limits" and "first_column" in one.cure for one in errors(data))


def test_phases_of_the_other_convention_are_found(ball: Coefficients) -> None:
    (found,) = errors(replace(ball, excitation=ball.excitation.conj()))
    assert found.check == "long waves"
    assert "e^{-iωt}" in found.cure


def test_a_stiffness_that_is_not_that_of_the_waterplane_is_found(ball: Coefficients) -> None:
    (found,) = errors(replace(ball, stiffness=0.8 * ball.stiffness))
    assert found.check == "long waves"
    assert "water_density" in found.cure


def test_negative_damping_is_an_error_where_it_counts_and_a_warning_where_it_is_a_spike(ball: Coefficients) -> None:
    damping = ball.damping.copy()
    damping[20:23, 2, 2] = -0.05 * ball.damping[:, 2, 2].max()
    found = [one for one in findings(replace(ball, damping=damping)) if one.check == "positive damping"]
    assert [one.level for one in found] == ["error"]
    assert "B33 is negative at" in found[0].text
    assert "radiation.band" in found[0].cure
    damping = ball.damping.copy()
    damping[20, 2, 2] = -0.05 * ball.damping[:, 2, 2].max()
    assert "warning" in [one.level for one in findings(replace(ball, damping=damping)) if one.check == found[0].check]
    within = float(ball.omega[19])
    assert not [one for one in findings(replace(ball, damping=damping), within) if one.check == found[0].check]


@pytest.mark.parametrize(("share", "level"), [(0.05, "warning"), (0.2, "error")])
def test_matrices_that_are_not_symmetric_are_named(ball: Coefficients, share: float, level: str) -> None:
    added = ball.added_mass.copy()
    added[7, 0, 2] = share * np.sqrt(ball.added_mass[:, 0, 0].max() * ball.added_mass[:, 2, 2].max())
    (found,) = [one for one in findings(replace(ball, added_mass=added)) if one.check == "symmetry"]
    assert found.level == level
    assert found.text.startswith("A13 and A31 differ")


def test_added_mass_at_infinite_frequency_is_made_where_it_can_be_and_asked_for_where_it_cannot(
    ball: Coefficients,
) -> None:
    (note,) = findings(replace(ball, added_mass_infinite=None))
    assert note.level == "note"
    assert "Ogilvie" in note.text
    cut = ball.omega < 1.5
    short = replace(
        ball, omega=ball.omega[cut], added_mass=ball.added_mass[cut], damping=ball.damping[cut],
        excitation=ball.excitation[:, cut], added_mass_infinite=None,
    )  # fmt: skip
    (found,) = errors(short)
    assert "run T = 0 (WAMIT) or omega = inf (Capytaine)" in found.cure


def test_damping_that_does_not_belong_to_the_added_mass_is_found_by_ogilvie(ball: Coefficients) -> None:
    one_heading = replace(ball, headings=ball.headings[18:19], excitation=ball.excitation[18:19])
    assert not errors(one_heading)
    assert any(one.check == "Ogilvie" for one in findings(replace(one_heading, damping=2.0 * ball.damping)))


QTF = """\
 10.0 10.0 0.0 0.0 1 0 0 0.2 0.0
 10.0  8.0 0.0 0.0 1 0 0 0.3 0.1
  8.0  8.0 0.0 0.0 1 0 0 0.4 0.0
"""


def test_transfer_functions_of_difference_frequencies_are_hermitian(tmp_path: Path) -> None:
    (tmp_path / "a.12d").write_text(QTF)
    found = read_drift(tmp_path / "a.12d", Scale(1000.0, 10.0, 2.0))
    assert found.matrix is not None
    np.testing.assert_allclose(found.omega, [2 * np.pi / 10, 2 * np.pi / 8])
    np.testing.assert_allclose(found.matrix[0, :, :, 0], 2e4 * np.array([[0.2, 0.3 + 0.1j], [0.3 - 0.1j, 0.4]]))
    np.testing.assert_allclose(found.mean[0, :, 0], [4e3, 8e3])
    flat = np.full(50, 0.1)
    omega = np.linspace(0.5, 0.7, 50)
    force = found.mean_force(omega, flat)[0]
    by_hand = 2.0 * np.trapezoid(0.1 * np.interp(omega, found.omega, [4e3, 8e3]), omega)
    assert force == pytest.approx(by_hand)


def test_drift_without_its_mean_is_refused_and_two_ways_to_it_are_compared(tmp_path: Path) -> None:
    (tmp_path / "a.12d").write_text("\n".join(QTF.splitlines()[:2]))
    with pytest.raises(CoefficientError, match="which is the mean force; compute the diagonal too"):
        read_drift(tmp_path / "a.12d")
    with pytest.raises(CoefficientError, match="no wave causes drift"):
        read_drift(tmp_path / "b.8")
    (tmp_path / "a.8").write_text("10 0 0 1 0 0 0.20 0\n8 0 0 1 0 0 0.40 0\n")
    (tmp_path / "a.9").write_text("10 0 0 1 0 0 0.25 0\n10 0 0 -6 0 0 9 0\n8 0 0 1 0 0 0.40 0\n")
    assert differs(read_drift(tmp_path / "a.8"), read_drift(tmp_path / "a.9")) == pytest.approx(0.125)
