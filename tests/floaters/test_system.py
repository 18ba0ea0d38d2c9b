"""A floater of a file: what is refused with its cure, how it rests on its lines, and what the command says of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

import fairlead as fl
from fairlead.cli.main import main
from fairlead.floaters import Coefficients, read
from fairlead.floaters.equilibrium import AtRest, closing
from fairlead.floaters.surroundings import depth_findings, plain_waves, step_findings
from fairlead.floaters.waters import _beyond_the_band, waters_of
from fairlead.studies.floater import of_system

from .buoys import MASS, changed
from .wamit_files import write


def texts(system: fl.System, level: str = "error") -> str:
    return "\n".join(str(one) for report in of_system(system) for one in report.findings if one.level == level)


def test_a_right_floater_has_nothing_to_complain_of(file: Path, ball: Coefficients) -> None:
    (water,) = waters_of(fl.load(file))
    assert water.names == ("buoy",)
    np.testing.assert_allclose(water.coefficients.added_mass, ball.added_mass, rtol=1e-9, atol=1e-3)
    (report,) = fl.floater(file)
    assert [one.text for one in report.findings if one.level != "note"] == []
    heave = next(mode for mode in report.moored_modes if mode.motion == "heave")
    assert 4.0 < heave.period < 5.0
    assert report.sea is not None
    assert report.sea["standard_deviation"][2] == pytest.approx(0.5, rel=0.25)


REFUSED = {
    "a depth that waves feel": (
        {"environment__seabed": {"depth": 12}, "bodies__buoy__coefficients__depth": "infinite"},
        "coefficients are for infinite depth, and the sea has 12 m of water",
    ),
    "weight that does not float": ({"bodies__buoy__mass": 1.05 * MASS}, "would sink by .*ballast -.* t, or 'volume:"),
    "a centre that trims": (
        {"bodies__buoy__centre_of_mass": [0.3, 0, -2], "bodies__buoy__centre_of_buoyancy": [0, 0, -1.9]},
        "would trim by .*closes it",
    ),
    "a body that capsizes": ({"bodies__buoy__centre_of_mass": [0, 0, 2]}, "capsizes: .* check its centre of mass"),
    "nothing said of its volume": ({"bodies__buoy__volume": None}, "how much water 'buoy' displaces; give 'volume'"),
    "a step too long": ({"simulation__step": 0.5}, "a step of 0.5 s is more than a twentieth"),
}  # fmt: skip


def test_a_sea_is_judged_by_its_spectrum_whatever_waves_a_seed_has_drawn(ball: Coefficients) -> None:
    """0.3 % of a sea of 8 s feel a bottom 100 m down; of twenty waves none or one, which is 5 % of their energy."""
    felt = 0
    for seed in range(40):
        waves = {"kind": "jonswap", "significant_height": 2, "peak_period": 8, "components": 20, "seed": seed}
        sea = fl.Environment.model_validate({"seabed": {"depth": 100.0}, "waves": waves})
        felt += bool((np.hypot(*plain_waves(sea)[:, 1:3].T) * 100.0 < 3.0).any())
        assert not list(depth_findings(ball, sea)), seed
    assert 0 < felt < 40


def test_a_take_off_is_in_the_responses_as_the_matrices_it_stands_for(file: Path) -> None:
    """Spring and damper to earth along an oblique axis beside the middle: k JᵀJ and c JᵀJ with J = [n, r × n]."""
    k, c, r, n = 3e5, 2e5, np.array([2.0, 1.0, -1.0]), np.array([0.6, 0.0, 0.8])
    J = np.concatenate([n, np.cross(r, n)])
    text = file.read_text().replace("points: {}", "points: {A: {kind: fixed, position: [0, 0, -20]}}")
    file.write_text(text + f"ptos: {{p: {{between: [buoy, A], at: {r.tolist()}, axis: {(3 * n).tolist()}, "
                    f"stiffness: {k}, damping: {c}}}}}\n")  # fmt: skip
    (held,) = fl.floater(file)
    file.write_text(text)
    matrix = np.diag([2e4, 2e4, 0, 0, 0, 1e6]) + k * np.outer(J, J)
    given = {"buoy__mooring": {"matrix": matrix.tolist()}, "buoy__damping__linear": (c * np.outer(J, J)).tolist()}
    (known,) = of_system(changed(file, **{f"bodies__{key}": value for key, value in given.items()}))
    np.testing.assert_allclose(held.moored, known.moored, rtol=1e-9, atol=1e-12)
    assert held.free is not None
    assert np.abs(held.moored - held.free).max() > 0.1
    periods = [[(mode.motion, mode.period) for mode in one.moored_modes] for one in (held, known)]
    assert periods[0] == [(motion, pytest.approx(period)) for motion, period in periods[1]]


def test_a_memory_of_the_water_that_is_not_met_is_told_with_the_way_out(file: Path) -> None:
    """Two poles are too few for a hemisphere, and so is a second of the past; sixty seconds are enough."""
    few = changed(file, bodies__buoy__radiation={"method": "state_space", "poles": 2, "tolerance": 0.001})
    assert re.search(r"the fit of the radiation is .*% off with 2 poles; .*convolution", texts(few, "warning"))
    short = changed(file, bodies__buoy__radiation={"method": "convolution", "memory": 1.0})
    assert re.search(r"after 1 s .*% of the largest K.t. is left; set .* to 2 s", texts(short, "warning"))
    assert "radiation" not in texts(changed(file, bodies__buoy__radiation="convolution"), "warning")


def test_the_past_is_taken_where_poles_do_not_meet_the_data_and_nothing_else_is_said(file: Path) -> None:
    """Left to itself a floater is never carried by a poor fit, and says so; Runge–Kutta methods have no other."""
    good, few = changed(file), changed(file, bodies__buoy__radiation={"poles": 2})
    assert [water.recall is None for water in (*waters_of(good), *waters_of(few))] == [True, False]
    assert re.search(r"% off with 2 poles, so that the integral over the past is taken", texts(few, "warning"))
    (past,) = waters_of(changed(file, bodies__buoy__radiation="convolution"))
    (taken,) = waters_of(few)
    assert past.recall is not None
    assert taken.recall is not None
    np.testing.assert_array_equal(taken.recall.rise(np.arange(5.0)), past.recall.rise(np.arange(5.0)))
    assert taken.fit is not None
    assert not len(taken.fit.poles)
    kept = changed(file, bodies__buoy__radiation={"poles": 2}, simulation__integrator="rk4")
    assert waters_of(kept)[0].recall is None
    assert re.search(r"% off with 2 poles; .*convolution", texts(kept, "warning"))


def test_damping_that_poles_have_beyond_the_data_is_told(file: Path, ball: Coefficients) -> None:
    """Data that end below the peak of the damping (1.8 rad/s in surge) leave the rest to the fit."""
    assert "where the data end" not in texts(changed(file), "warning")
    low = ball.omega <= 1.3
    short = replace(
        ball, omega=ball.omega[low], added_mass=ball.added_mass[low], damping=ball.damping[low],
        excitation=ball.excitation[:, low],
    )  # fmt: skip
    write(file.with_name("ball"), short)
    told = texts(changed(file), "warning")
    found = re.search(r"above 1.2 rad/s, where the data end, .* up to ([\d.]+) times as much \(at 1.8 rad/s\)", told)
    assert found is not None, told
    true = ball.damping[:, 0, 0].max() / short.damping[:, 0, 0].max()
    assert float(found[1]) == pytest.approx(true, rel=0.05)  # here the fit is right; nothing in the file tells
    assert "where the data end" not in texts(changed(file, bodies__buoy__radiation="convolution"), "warning")


def test_damping_that_poles_have_beyond_their_band_is_told_of_the_band(file: Path) -> None:
    """The data go on above it: more of them would change nothing."""
    told = texts(changed(file, bodies__buoy__radiation={"band": 1.3}), "warning")
    assert "above 1.2 rad/s, the last frequency within 'radiation.band', the fit" in told
    assert "set 'radiation.band' higher" in told
    assert "compute higher frequencies" not in told


def test_damping_beyond_the_data_is_told_of_the_body_that_moves(file: Path) -> None:
    """A fit of two bodies that damps the second's heave most, above the data."""
    (water,) = waters_of(changed(file))
    pair = replace(
        water.coefficients, damping=np.tile(water.coefficients.damping, (2, 2)),
        added_mass=np.tile(water.coefficients.added_mass, (2, 2)),
    )  # fmt: skip

    class Fit:
        band = float(pair.omega[-1])

        def beyond(self, peaks: np.ndarray) -> tuple[float, int, float]:
            return 3.0, 6 + 2, 4.0

    both = SimpleNamespace(names=("one", "two"), coefficients=pair, fit=Fit())
    ((name, finding),) = _beyond_the_band(both)  # type: ignore[arg-type]
    assert name == "two"
    assert "damps heave up to 3 times" in finding.text


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_named_with_its_cure(file: Path, name: str) -> None:
    values, words = REFUSED[name]
    found = texts(changed(file, **values))
    assert re.search(words, found), found


def test_weight_counted_twice_or_never_is_told_apart() -> None:
    """C of buoyancy -1e6, weight's share +2e6: what floats one way capsizes the other."""
    C = np.diag([0.0, 0.0, 8e5, -1.0e6, -1.0e6, 0.0])
    body = AtRest("b", 1e5, np.array([0.0, 0.0, -2.0]), 97.6, np.zeros(3), 1025.0, 10.0, C, False, np.zeros(6),
                  np.zeros((6, 6)))  # fmt: skip
    assert not [one for one in closing(body) if one.check == "stability"]
    # the same numbers, taken to hold the weight already: its share was taken off once more
    twice = replace(body, buoyancy_stiffness=C - np.diag([0.0, 0.0, 0.0, 2e6, 2e6, 0.0]), has_weight=True)
    first = next(one for one in closing(twice) if one.check == "stability")
    assert "with 'stiffness: {includes_weight: false}' it floats" in first.cure


def test_excitation_that_is_not_there_is_asked_for(file: Path) -> None:
    (file.parent / "ball.3").unlink()
    with pytest.raises(fl.ModelError, match=r"ball\.3 is not there: without it no wave moves 'buoy'; compute it, or"):
        waters_of(fl.load(file))
    assert waters_of(changed(file, bodies__buoy__excitation="none"))


def test_waves_from_where_there_are_no_data_are_refused(file: Path, ball: Coefficients) -> None:
    write(file.parent / "ball", replace(ball, headings=ball.headings[18:19], excitation=ball.excitation[18:19]))
    waters_of(fl.load(file))
    with pytest.raises(fl.ModelError, match=r"a wave runs towards 30 deg .* coefficients for 0 deg only; compute that"):
        waters_of(changed(file, environment__waves__direction_deg=30))


def test_a_sea_shorter_than_the_data_is_told(file: Path, ball: Coefficients) -> None:
    short = ball.omega < 1.4
    write(
        file.parent / "ball",
        replace(ball, omega=ball.omega[short], added_mass=ball.added_mass[short], damping=ball.damping[short],
                excitation=ball.excitation[:, short]),
    )  # fmt: skip
    assert "of the sea's energy lies above 1.35 rad/s" in texts(changed(file), "warning")


def test_wrong_coefficients_are_refused_before_they_reach_a_run(file: Path, ball: Coefficients) -> None:
    write(file.parent / "ball", replace(ball, excitation=ball.excitation.conj()))
    with pytest.raises(fl.ModelError, match=r"buoy\.yaml:.* phase of -90\.0 deg, where 90 belongs; phases are"):
        waters_of(fl.load(file))


def test_a_missing_file_names_itself_and_its_line(file: Path) -> None:
    with pytest.raises(fl.ModelError, match=r"bodies\.buoy\.coefficients: .*hull is not there"):
        waters_of(changed(file, bodies__buoy__coefficients="hull"))


def test_a_step_is_held_against_the_shortest_period() -> None:
    assert not list(step_findings(0.1, [4.0], 8.0))
    (found,) = step_findings(0.5, [12.0], 8.0)
    assert "the sea's peak, 8 s" in found.text


def test_the_command(file: Path) -> None:
    """Table, JSON, page and data; coefficients alone too."""
    run = CliRunner().invoke(main, ["floater", str(file)])
    assert run.exit_code == 0, run.output
    assert "with lines (s)" in run.output
    assert "radiation by poles: surge" in run.output
    page, data = file.parent / "buoy.html", file.parent / "buoy.nc"
    for output in (page, data):
        outcome = CliRunner().invoke(main, ["floater", str(file), "-o", str(output), "--no-open"])
        assert outcome.exit_code == 0, outcome.output
    assert "Natural periods" in page.read_text()
    run = CliRunner().invoke(main, ["floater", str(file.parent / "ball.1"), "--json"])
    (report,) = json.loads(run.output)
    assert report["coefficients"]["frequencies"][2] == 40
    np.testing.assert_allclose(report["haskind"], 1.0, atol=0.01)
    wrong = CliRunner().invoke(main, ["floater", str(file.parent / "none.stl")])
    assert wrong.exit_code == 2
    assert "there is no such mesh file" in wrong.output


def test_coefficients_that_are_there_are_not_replaced(file: Path) -> None:
    """Neither those that are read nor others, and before anything is computed."""
    here = file.parent
    before = (here / "ball.1").read_bytes()
    (here / "hull.HST").write_text("kept")
    for given, root, named in (("ball.1", "ball", "ball.1, .*ball.3, .*ball.hst"), ("none.stl", "hull", "hull.HST")):
        run = CliRunner().invoke(main, ["floater", str(here / given), "--keep", str(here / root)])
        assert run.exit_code == 2
        assert re.search(f"{named} would be replaced; choose another name or remove", " ".join(run.output.split()))
    assert (here / "ball.1").read_bytes() == before
    assert (here / "hull.HST").read_text() == "kept"
    assert not (here / "hull.1").exists()


@pytest.mark.parametrize("lost", ["added_mass_zero", "added_mass_infinite"])
def test_each_limit_that_is_known_is_kept(lost: str, tmp_path: Path, ball: Coefficients) -> None:
    write(tmp_path / "one", replace(ball, **{"added_mass_zero": ball.added_mass[0], lost: None}))
    run = CliRunner().invoke(main, ["floater", str(tmp_path / "one.1"), "--keep", str(tmp_path / "two"), "--json"])
    assert run.exit_code == 0, run.output
    kept = read(tmp_path / "two")
    found = {name: getattr(kept, name) for name in ("added_mass_zero", "added_mass_infinite")}
    assert found.pop(lost) is None
    (other,) = found
    np.testing.assert_allclose(found[other], getattr(read(tmp_path / "one"), other), rtol=1e-9)


def test_a_format_that_is_said_counts_more_than_the_name(tmp_path: Path, ball: Coefficients) -> None:
    """A set of files called ball.dat is no mesh; a mesh has neither a unit of length nor columns."""
    write(tmp_path / "ball.dat", ball)
    (tmp_path / "ball.dat").write_text("no mesh")
    run = CliRunner().invoke(main, ["floater", str(tmp_path / "ball.dat"), "--format", "wamit", "--json"])
    assert run.exit_code == 0, run.output
    assert json.loads(run.output)[0]["coefficients"]["frequencies"][2] == 40
    for option in (["--length", "2"], ["--first-column", "period"]):
        run = CliRunner().invoke(main, ["floater", str(tmp_path / "hull.stl"), *option])
        assert run.exit_code == 2
        assert "leave out --length and --first-column" in " ".join(run.output.split())


def test_the_memory_of_the_fit_is_drawn_within_the_data_as_that_of_the_file_is(file: Path) -> None:
    """Beyond the last frequency nothing tells what poles do; where something does they are the file's."""
    (report,) = of_system(changed(file))
    found = report.dataset()
    known, drawn = found["memory"].values, found["memory_fitted"].values
    radiating = np.abs(known).max(axis=0) > 1e-6 * np.abs(known).max()
    apart = np.abs(drawn - known).max(axis=0)[radiating] / np.abs(known).max(axis=0)[radiating]
    assert radiating.sum() >= 3
    assert apart.max() < 0.01
