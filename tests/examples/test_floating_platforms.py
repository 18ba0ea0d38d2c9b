"""The semi-submersible and the wave-energy device: periods, rest, power; their files are those of the scripts."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.floaters import DOFS
from fairlead.studies.floater import FloaterReport
from fairlead.view.hulls import hulls_of

from .files import FOLDER

SEMI, PAIR, BARGE = FOLDER / "floating_semi", FOLDER / "wave_energy_pair", FOLDER / "moored_barge"


def test_the_semi_has_the_periods_and_the_lines_of_its_size() -> None:
    """Published of hull and chains of this size: heave 17.3, pitch 26.8 s; chains of 70.8 and 19.1 kN/m."""
    (report,) = fl.floater(SEMI / "semi.yaml")
    periods = {mode.motion: mode.period for mode in report.moored_modes}
    assert periods["heave"] == pytest.approx(17.3, rel=0.1)
    assert periods["pitch"] == pytest.approx(26.8, rel=0.1)
    (line,) = report.lines
    assert line.stiffness[0, 0] == pytest.approx(70_800, rel=0.02)
    assert line.stiffness[2, 2] == pytest.approx(19_100, rel=0.03)
    assert [one for one in report.findings if one.level != "note"] == []


def test_the_semi_is_computed_for_its_own_depth() -> None:
    """A storm of 10 m and 15 s, whose waves feel 200 m of water, runs without a word."""
    waves = {"environment.waves.significant_height": 10, "environment.waves.peak_period": 15}
    (report,) = fl.floater(fl.load(SEMI / "semi.yaml").with_values(waves))
    assert [one for one in report.findings if one.level != "note"] == []


def test_the_barge_moves_as_much_water_as_a_wide_flat_hull_does() -> None:
    """Added mass over mass in waves of 4 to 7 s: about 1 to 2 in heave, a few hundredths in surge."""
    (report,) = fl.floater(BARGE / "barge.yaml")
    data = report.coefficients
    sea = (data.omega > 0.9) & (data.omega < 1.6)
    heave, surge = (data.added_mass[sea, i, i] / 4884e3 for i in (2, 0))
    assert 0.8 < heave.min() < heave.max() < 2.0
    assert 1.0 < heave.mean() < 2.0
    assert 0.0 < surge.min() < surge.max() < 0.1
    assert surge.mean() == pytest.approx(0.05, abs=0.02)
    assert [one for one in report.findings if one.level == "error"] == []


def test_thrust_moves_the_semi_until_its_chains_hold_it() -> None:
    """600 kN at 90 m: what the chains pull along x in equilibrium, and the platform as far as the page says."""
    rest = fl.statics(SEMI / "semi.yaml")
    pull = sum(float(rest.outputs[f"chain_{i}.force_end"][0]) for i in (1, 2, 3))
    assert pull == pytest.approx(-600e3, rel=0.01)
    assert float(rest.outputs["platform.surge"]) == pytest.approx(7.47, abs=0.02)
    assert np.degrees(float(rest.outputs["platform.pitch"])) == pytest.approx(2.9, abs=0.05)


@pytest.fixture(scope="module")
def pair() -> FloaterReport:
    (report,) = fl.floater(PAIR / "pair.yaml")
    return report


def test_every_period_of_two_bodies_is_a_mode_of_its_own_and_named_after_what_moves_most(pair: FloaterReport) -> None:
    """Held together by guides, both move in every mode."""
    names = [mode.motion for mode in pair.moored_modes]
    assert len(set(names)) == len(names) == 12
    assert [name.split()[2] for name in names] == sorted(name.split()[2] for name in names), "body by body"
    shapes = np.array([np.sign(mode.shape) * np.sqrt(mode.shares) for mode in pair.moored_modes])
    assert np.linalg.cond(shapes) < 20.0, "no mode is found twice"
    for mode in (*pair.modes, *pair.moored_modes):
        lead = int(mode.shares.argmax())
        assert mode.motion.split(" (")[0] == f"{DOFS[lead % 6]} of {pair.names[lead // 6]}"
        assert mode.shares[lead] > 0.3
    blocks = pair.summary()["radiation"]["blocks"]
    assert ["heave of buoy", "heave of plate"] in blocks


def test_buoy_and_plate_swing_as_one_in_seventeen_seconds(pair: FloaterReport) -> None:
    """The buoy is carried sideways on the column that rolls, and hardly rolls itself against it: that is no mode of
    the plate alone, whose 14.6 s stand beside no other.
    """
    swing = next(mode for mode in pair.moored_modes if mode.period == pytest.approx(16.9, abs=0.1))
    assert swing.motion in ("roll of plate", "roll of plate (2)", "pitch of plate", "pitch of plate (2)")
    assert swing.shares[[0, 1]].sum() > 0.25
    assert swing.shares[[3, 4]].sum() < 0.05
    rows = {(row["motion"], row["without_lines"] is None, row["with_lines"] is None): row for row in pair.periods}
    assert rows["roll of plate", False, True]["without_lines"] == pytest.approx(14.58, abs=0.02)
    heave = rows["heave of buoy", False, False]
    assert heave["without_lines"] == pytest.approx(heave["with_lines"], rel=0.01)
    assert len(pair.periods) == 14


def test_the_take_off_takes_what_the_waves_leave() -> None:
    """Energy over a minute: waves, radiation, dampers, take-off and guides close with what is stored."""
    result = fl.simulate(fl.load(PAIR / "pair.yaml").with_settings(duration=60.0))
    gear, power = result["gear.energy"].values, result["gear.power"].values
    assert gear[-1] == pytest.approx(np.trapezoid(power, result["time"].values), rel=0.1)
    assert gear[-1] > 0.0
    stored = sum(result[f"energy_{one}"].values for one in ("kinetic", "gravity", "elastic"))
    works = sum(result[f"work_{one}"].values for one in ("drag", "damping", "friction", "drives"))
    assert np.ptp(stored - works) < 1e-3 * gear[-1]


def test_the_hull_of_the_barge_is_in_its_result_and_displaces_what_it_should() -> None:
    system = fl.load(BARGE / "barge.yaml")
    result = fl.simulate(system.with_settings(duration=1.0))
    vertices, quads = hulls_of(result)["barge"]
    assert vertices.min(axis=0) == pytest.approx([-30, -10, -4])
    assert vertices.max(axis=0) == pytest.approx([30, 10, 4])
    assert len(quads) == 12
    wet = 60.0 * 20.0 * 4.0
    (water,) = fl.floater(BARGE / "barge.yaml")
    assert system.bodies["barge"].volume == pytest.approx(wet)
    assert water.coefficients.stiffness[2, 2] == pytest.approx(1025.0 * 9.80665 * wet / 4.0, rel=1e-3)


@pytest.mark.parametrize(("folder", "root"), [(SEMI, "semi"), (PAIR, "pair"), (BARGE, "barge")])
def test_the_files_are_those_of_the_script(folder: Path, root: str, tmp_path: Path) -> None:
    runpy.run_path(str(folder / "make_coefficients.py"))["main"](tmp_path)
    made, kept = ((one / f"{root}.hst").read_text().split() for one in (tmp_path, folder))
    assert made == kept
    for name in (f"{root}.1", f"{root}.3"):
        made, kept = ((one / name).read_text().replace("D", "E").split()[:500] for one in (tmp_path, folder))
        np.testing.assert_allclose(np.array(made, float), np.array(kept, float), rtol=2e-3, atol=1e-6)


@pytest.mark.parametrize("file", [SEMI / "semi.yaml", PAIR / "pair.yaml", BARGE / "barge.yaml"], ids=lambda f: f.stem)
def test_there_is_nothing_to_complain_of_in_their_coefficients(file: Path) -> None:
    assert [one.text for report in fl.floater(file) for one in report.findings if one.level != "note"] == []
