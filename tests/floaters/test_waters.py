"""What a system makes of the coefficients in its files: stiffness without weight, depth, bodies, units, headings."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.floaters import CoefficientError, Coefficients, read_drift
from fairlead.floaters.interpolation import MissingHeading, at_frequencies, at_headings
from fairlead.floaters.waters import Water, water_findings, waters_of
from fairlead.model import Environment
from fairlead.rigging.floater_sea import excitation_columns
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


def test_of_a_drift_file_of_several_bodies_each_takes_its_own_motions(file: Path, ball: Coefficients) -> None:
    twice = np.kron(np.eye(2), np.ones((6, 6)))
    both = {name: np.tile(getattr(ball, name), (2, 2)) * twice for name in ("added_mass", "damping", "stiffness",
            "added_mass_infinite", "added_mass_zero")}  # fmt: skip
    pair = replace(ball, **both, excitation=np.tile(ball.excitation, (1, 1, 2)), volume=np.full(2, np.nan),
                   centre_of_buoyancy=np.full((2, 3), np.nan), reference=np.zeros((2, 3)))  # fmt: skip
    write(file.with_name("ball"), pair)
    rows = [(mode, 2.0 if mode == 1 else 5.0) for mode in (1, 7)]
    file.with_name("ball.8").write_text(
        "".join(f"{period} 0 0 {mode} {t} 0 {t} 0\n" for period in (6.0, 7.0) for mode, t in rows)
    )
    for number, expected in ((1, 2.0), (2, 5.0)):
        coefficients = {"file": "ball", "body": number}
        drift = {"method": "mean", "file": "ball.8"}
        system = changed(file, bodies__buoy__coefficients=coefficients, bodies__buoy__drift=drift)
        found = water_of(system).drift["buoy"]
        assert found.mean.shape[2] == 6
        assert found.mean[0, 0, 0] == pytest.approx(expected * 1025.0 * GRAVITY)


def test_a_drift_file_without_the_body_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.8").write_text("6.0 0 0 1 2 0 2 0\n6.0 0 0 7 3 0 3 0\n")
    with pytest.raises(CoefficientError, match="has no rows of body 3, whose motions are 13 to 18; compute its drift"):
        read_drift(tmp_path / "a.8").of_body(3)


@pytest.mark.parametrize(("rows", "body"), [((1, 2), 2), ((7, 8), 1)])
def test_rows_of_one_body_are_not_taken_for_another(rows: tuple[int, ...], body: int, tmp_path: Path) -> None:
    (tmp_path / "a.8").write_text("".join(f"6.0 0 0 {mode} 2 0 2 0\n" for mode in rows))
    drift = read_drift(tmp_path / "a.8")
    assert drift.of_body(3 - body).mean[0, 0, :2] == pytest.approx(2.0 * 1025.0 * GRAVITY, rel=1e-3)
    with pytest.raises(CoefficientError, match=f"has no rows of body {body}"):
        drift.of_body(body)


def test_the_mirror_of_a_pair_is_made_for_each_motion_by_itself(tmp_path: Path) -> None:
    """Surge has T(5 s, 8 s) alone and sway T(8 s, 5 s): each has the conjugate of its own beside it."""
    own = "".join(f"{T} {T} 0 0 {mode} 1 0 4.0 0\n" for T in (5.0, 8.0) for mode in (1, 2))
    (tmp_path / "a.12d").write_text(own + "5.0 8.0 0 0 1 1 0 1.0 -3.0\n8.0 5.0 0 0 2 1 0 2.0 -5.0\n")
    matrix = read_drift(tmp_path / "a.12d").matrix
    assert matrix is not None
    np.testing.assert_allclose(matrix[0], matrix[0].conj().transpose(1, 0, 2))
    assert np.abs(matrix[0, 0, 1, :2]).min() > 0.0


def test_a_motion_without_a_mean_at_a_frequency_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.8").write_text("6.0 0 0 1 2 0 2 0\n7.0 0 0 1 2 0 2 0\n6.0 0 0 2 2 0 2 0\n")
    with pytest.raises(CoefficientError, match=r"motion 2 has no row of 0\.8976 rad/s with itself"):
        read_drift(tmp_path / "a.8")


@pytest.mark.parametrize(
    ("motions", "level", "words"),
    [((1, 2), "note", "heave, roll, pitch and yaw"), ((1, 3, 4, 5, 6), "warning", "sway"), (range(1, 7), None, "")],
)
def test_motions_that_a_drift_file_lacks_are_told(motions: tuple[int, ...], level: str, words: str, file: Path) -> None:
    rows = [f"{period} 0 0 {mode} 2 0 2 0\n" for period in (6.0, 7.0) for mode in motions]
    file.with_name("ball.8").write_text("".join(rows))
    system = changed(file, bodies__buoy__drift={"method": "mean", "file": "ball.8"})
    found = [one for _, one in water_findings(system, water_of(system)) if one.check == "drift"]
    assert [one.level for one in found] == ([level] if level else [])
    assert all(f"no rows of {words} of 'buoy'" in one.text for one in found)


def test_difference_frequencies_of_a_body_off_the_origin_are_seen_from_its_place(tmp_path: Path) -> None:
    """Two waves meet the body 20 m on later by k1 x and k2 x: their slow force by the difference."""
    (tmp_path / "a.12d").write_text("5.0 5.0 0 0 1 1 0 4.0 0\n8.0 8.0 0 0 1 1 0 2.0 0\n5.0 8.0 0 0 1 1 0 1.0 -3.0\n")
    drift = read_drift(tmp_path / "a.12d")
    moved = drift.seen_from(np.array([20.0, 7.0, 0.0]), math.inf, 9.81)
    assert drift.matrix is not None
    assert moved.matrix is not None
    slow, quick = (w**2 / 9.81 for w in drift.omega)
    turn = np.exp(1j * (quick - slow) * 20.0)
    np.testing.assert_allclose(moved.matrix[0, 1, 0, 0], drift.matrix[0, 1, 0, 0] * turn, rtol=1e-9)
    np.testing.assert_allclose(moved.matrix[0, 0, 1, 0], np.conj(moved.matrix[0, 1, 0, 0]), rtol=1e-9)
    np.testing.assert_allclose(moved.mean, drift.mean)


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
