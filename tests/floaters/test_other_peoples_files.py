"""Coefficients as people have them: other frequencies in each file, damaged text, radians, motions that are no good."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import fairlead as fl
from fairlead.cli.main import main
from fairlead.floaters import Coefficients, read
from fairlead.floaters.checks import findings
from fairlead.floaters.hemisphere import hemisphere
from fairlead.floaters.surroundings import depth_findings
from fairlead.floaters.waters import waters_of

from .buoys import BUOY, MASS, changed
from .wamit_files import write

ROUND = np.radians(np.arange(-180.0, 181.0, 30.0))


def test_files_with_other_frequencies_are_brought_together(tmp_path: Path) -> None:
    """Radiation at 30, excitation at 37 of its own: both at all of them, as near to the closed solution as is told."""
    omega, waves = np.linspace(0.3, 4.0, 30), np.linspace(0.2, 3.5, 37)
    write(tmp_path / "ball", hemisphere(5.0, omega, ROUND))
    write(tmp_path / "other", hemisphere(5.0, waves, ROUND))
    (tmp_path / "other.3").replace(tmp_path / "ball.3")
    found = read(tmp_path / "ball")
    assert (found.omega[0], found.omega[-1]) == (pytest.approx(0.3), pytest.approx(3.5))
    assert len(found.omega) > 37
    (note,) = (note for note in found.notes if "have other frequencies" in note)
    told = float(re.search(r"about ([\d.]+)% of the largest off", note)[1]) / 100.0
    right = hemisphere(5.0, found.omega, ROUND)
    for key in ("added_mass", "damping", "excitation"):
        got, asked = getattr(found, key)[..., 2], getattr(right, key)[..., 2]
        assert np.abs(got - asked).max() < 1.5 * told * np.abs(asked).max(), key
    assert 0.0 < told < 0.03
    assert not [one for one in findings(found) if one.level == "error"]


def test_coefficients_of_deep_water_are_taken_where_waves_hardly_feel_the_bottom(ball: Coefficients) -> None:
    """A wave of 14 s in 100 m of water: k h from its dispersion, and pushes ωa/tanh kh; in 25 m it is refused."""

    def of(depth: float) -> list[str]:
        waves = {"kind": "regular", "height": 1, "period": 14}
        sea = fl.Environment.model_validate({"seabed": {"depth": depth}, "waves": waves})
        return [f"{one.level}: {one.text}" for one in depth_findings(ball, sea)]

    w, kh = 2.0 * math.pi / 14.0, 1.0
    for _ in range(100):
        kh = w * w * 100.0 / 9.80665 / math.tanh(kh)
    (found,) = of(100.0)
    assert found.startswith("warning: coefficients are for infinite depth, and the sea has 100 m of water")
    told = re.search(r"push ([\d.]+)% less here than they would, and are ([\d.]+)% longer", found)
    assert float(told[1]) / 100.0 == pytest.approx(1.0 - math.tanh(kh), abs=6e-4)
    assert float(told[2]) / 100.0 == pytest.approx(1.0 - math.tanh(kh), abs=6e-4)  # k0/k = tanh kh
    (found,) = of(25.0)
    assert found.startswith("error: ")


def spoilt(ball: Coefficients) -> Coefficients:
    """Surge and sway that belong to no body, irregular frequencies in heave above 4 rad/s, no limits."""
    added, damping = ball.added_mass.copy(), ball.damping.copy()
    added[:, 0, 1] += 0.5 * added[:, 0, 0]
    damping[ball.omega > 4.0, 2, 2] *= -20.0
    return replace(ball, added_mass=added, damping=damping, added_mass_infinite=None)


def test_heave_alone_within_a_band_runs_as_the_whole_would(tmp_path: Path, ball: Coefficients) -> None:
    """Its heave in waves is that with sound coefficients, though all but heave below 4 rad/s is wrong."""
    data = spoilt(ball)
    write(tmp_path / "ball", data, limits=False)
    file = tmp_path / "buoy.yaml"
    file.write_text(BUOY)
    with pytest.raises(fl.ModelError, match=r"A12 and A21 differ .*'coefficients.motions' to those that matter"):
        waters_of(fl.load(file))
    heaving = {"bodies__buoy__coefficients": {"file": "ball", "motions": ["heave"]}}
    banded = {"bodies__buoy__radiation": {"band": 4.0}}
    system = changed(file, **heaving, **banded, simulation__start="catenary")
    (water,) = waters_of(system)
    assert water.added[2, 2] == pytest.approx(ball.added_mass_infinite[2, 2], rel=0.05)
    assert not np.delete(water.added, 2, axis=0).any()
    run = fl.Simulation(system, duration=20.0).run()
    write(tmp_path / "ball", ball)
    whole = fl.Simulation(changed(file, **heaving, simulation__start="catenary"), duration=20.0).run()
    assert np.abs(whole["buoy.heave"].values).max() > 0.2
    np.testing.assert_allclose(run["buoy.heave"], whole["buoy.heave"], atol=0.03)
    assert np.abs(run["buoy.surge"].values).max() < 1e-6


def test_added_mass_at_infinite_frequency_may_be_given(tmp_path: Path, ball: Coefficients) -> None:
    short = replace(ball.within(2.0), added_mass_infinite=None)
    write(tmp_path / "ball", short, limits=False)
    file = tmp_path / "buoy.yaml"
    file.write_text(BUOY)
    with pytest.raises(fl.ModelError, match=r"is missing and cannot be made .* give 'radiation.added_mass_infinite'"):
        waters_of(fl.load(file))
    given = np.diag(ball.added_mass_infinite).tolist()
    (water,) = waters_of(changed(file, bodies__buoy__radiation={"added_mass_infinite": given}))
    np.testing.assert_allclose(np.diag(water.coefficients.added_mass_infinite), given)


@pytest.mark.parametrize(("heavier", "code"), [(1.01, 0), (1.05, 2)])
def test_statics_and_run_agree_on_what_sinks(file: Path, heavier: float, code: int) -> None:
    file.write_text(BUOY.replace(f"mass: {MASS!r}", f"mass: {heavier * MASS!r}"))
    for command in ("statics", "check"):
        result = CliRunner().invoke(main, [command, str(file)])
        assert result.exit_code == code, result.output
        assert "'buoy' would sink by" in result.output
