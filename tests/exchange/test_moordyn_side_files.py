"""Files beside a MoorDyn file: depths of the seabed, currents over time and place, waves."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from fairlead.exchange import read_moordyn
from fairlead.model import ModelError, System
from fairlead.sea.waves import wave_components

from .decks import SPREAD

SEAFLOOR = "2 2\n-400 400\n-50 50\n-400 -50 -120\n-400 50 -120\n400 -50 -100\n400 50 -100\n"
OVER_TIME = "--- currents ---\nspeeds\n\n\n  -40 -20 0\n\n0.0  0 0 0  0 0 0\n15  0.1 0.4 0.8  0 0.2 0.3\n"
IN_SPACE = """2 1 2 2
-100 100
0
-50 0
0 10
""" + "".join(
    f"{x} 0 {z} {t} {0.001 * x * t} {0.01 * t} {0.0}\n" for t in (0, 10) for z in (0, -50) for x in (-100, 100)
)
FREQUENCIES = "0.0 0 0\n0.5 1.2 0.0\n0.8 0.0 0.4 1.5707963267948966\n"
ELEVATION = "\n".join(f"{0.5 * k} {0.7 * math.cos(2 * math.pi * 0.5 * k / 10):.9f}" for k in range(200))


def deck(folder, *options, **files):
    """The spread with more options, and files beside it."""
    text = SPREAD.replace("100   WtrDpth\n", "".join(f"{option}\n" for option in (*options, "100 WtrDpth")))
    (folder / "lines.txt").write_text(text)
    for name, content in files.items():
        (folder / f"{name}.txt").write_text(content)
    return read_moordyn(folder / "lines.txt")


def said(found, kind):
    return "\n".join(note.sentence() for note in found.notes if note.kind == kind)


@pytest.mark.parametrize("option", ["bed.txt SeafloorFile", "SeafloorFile = bed.txt", "SeafloorFile=bed.txt"])
def test_a_grid_of_depths_is_the_seabed_half_a_diameter_deeper(tmp_path, option):
    found = deck(tmp_path, option, bed=SEAFLOOR)
    bed = found.system.environment.seabed
    for x, depth in ((-400.0, 120.0), (0.0, 110.0), (400.0, 100.0)):
        assert bed.level(x, 10.0) == pytest.approx(-(depth + 0.5 * 0.09))
    assert "2 x 2 depths of bed.txt" in said(found, "taken")
    assert not found.notes.spoiling(motion=True)


@pytest.mark.parametrize("feature", ["a bed of depths", "a table of stretch"])
def test_the_channels_of_a_result_are_written_whatever_the_file_holds(tmp_path, feature):
    """Results keep all values of a system, also those that were not given; read again it is the same."""
    if feature == "a bed of depths":
        system = deck(tmp_path, "bed.txt SeafloorFile", bed=SEAFLOOR).system
    else:
        (tmp_path / "lines.txt").write_text(SPREAD.replace("384e6  -0.8", "ea.txt -0.8"))
        (tmp_path / "ea.txt").write_text("-\n-\n-\n0 0\n0.01 4e6\n0.02 9e6\n")
        system = read_moordyn(tmp_path / "lines.txt").system
    assert System.model_validate(json.loads(system.model_dump_json())) == system


def test_a_grid_that_is_not_there_is_missing_and_one_that_is_cut_is_wrong(tmp_path):
    found = deck(tmp_path, "bed.txt SeafloorFile")
    assert "a seabed that is not flat (there is no file bed.txt beside this one)" in said(found, "missing")
    assert found.notes.spoiling(motion=True)
    with pytest.raises(ModelError, match=r"lines.txt:\d+: .*has no depth at x = 400, y = 50"):
        deck(tmp_path, "bed.txt SeafloorFile", bed=SEAFLOOR.replace("400 50 -100\n", ""))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_side_files_may_be_saved_as_the_deck_may(tmp_path, encoding):
    """Bed, current and stretch, each with a letter that is no ASCII."""
    profile = "Strömung\nz u v w\n(m)\n-100 0 0 0\n0 1.5 0.5 0\n"
    files = {"bed": SEAFLOOR + "# Öresund\n", "current_profile": profile, "ea": "é\n-\n-\n0 0\n0.01 4e6\n0.02 9e6\n"}
    for name, text in files.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding=encoding)
    text = SPREAD.replace("384e6  -0.8", "ea.txt -0.8").replace("7     banana", "bed.txt SeafloorFile\n1 Currents")
    (tmp_path / "lines.txt").write_text(text, encoding=encoding)
    found = read_moordyn(tmp_path / "lines.txt")
    assert said(found, "missing") == ""
    sea = found.system.environment
    assert sea.current_table == [(-100.0, (0.0, 0.0, 0.0)), (0.0, (1.5, 0.5, 0.0))]
    assert sea.seabed.level(400.0, 10.0) == pytest.approx(-100.045)
    assert found.system.types["chain"].axial.table[-1] == (0.02, 9e6)


def test_currents_over_time_and_over_place_are_read(tmp_path):
    field = deck(tmp_path, "2 Currents", current_profile_dynamic=OVER_TIME).system.environment.current_field
    assert (field.t, field.z) == ((0.0, 15.0), (-40.0, -20.0, 0.0))
    assert field.velocity[3:] == ((0.1, 0.0, 0.0), (0.4, 0.2, 0.0), (0.8, 0.3, 0.0))
    field = deck(tmp_path, "5 Currents", current_profile_4d=IN_SPACE).system.environment.current_field
    assert (field.t, field.x, field.y, field.z) == ((0.0, 10.0), (-100.0, 100.0), (0.0,), (-50.0, 0.0))
    assert field.velocity[-1] == (1.0, 0.1, 0.0)
    assert field.velocity[4] == (-1.0, 0.1, 0.0)


def test_components_have_moordyns_phases(tmp_path):
    """η = |c| sin(ωt − k d + arg c): at the origin the first is 1.2 sin 0.5t; the second 0.4 cos 0.8t, westward."""
    found = deck(tmp_path, "7 WaveKin", wave_frequencies=FREQUENCIES)
    a, kx, ky, omega, phase = wave_components(found.system.environment).T[:, :, None]
    t = np.linspace(0.0, 40.0, 50)
    exact = 1.2 * np.sin(0.5 * t) + 0.4 * np.cos(0.8 * t)
    np.testing.assert_allclose((a * np.cos(phase - omega * t)).sum(axis=0), exact, atol=1e-12)
    assert abs(kx[1]) < 1e-12 < ky[1]
    assert "waves as a list of components, from wave_frequencies.txt" in said(found, "taken")


def test_a_record_of_the_surface_is_taken_apart(tmp_path):
    waves = deck(tmp_path, "3 WaveKin", wave_elevation=ELEVATION).system.environment.waves
    assert (waves.kind, len(waves.table), waves.shortest_period) == ("record", 200, 2.0)
    assert waves.main_period == pytest.approx(10.0)
    assert waves.main_height == pytest.approx(4 * 0.7 / math.sqrt(2))


@pytest.mark.parametrize(
    ("option", "name", "text", "reason"),
    [
        ("2 Currents", "current_profile_dynamic", OVER_TIME + "30 0.1\n", "line 9 holds no row of a time and 3, 6"),
        ("5 Currents", "current_profile_4d", IN_SPACE[: IN_SPACE.rindex("100 0")], "it has no velocity at t = 10, x"),
        ("5 Currents", "current_profile_4d", "2 2\n0 1\n", "line 1 holds no counts of x, y, z and t"),
        ("7 WaveKin", "wave_frequencies", "0.5 sand 1\n", "line 1 holds no frequency and two parts of an amplitude"),
        ("3 WaveKin", "wave_elevation", "\n\n", "line 1 holds no time and height of the surface"),
        ("1 Currents", "current_profile", "a\nb\nc\n-10 0.5\n", "line 4 holds no row z ux uy uz"),
    ],
)
def test_a_slip_in_a_side_file_is_one_sentence_with_both_lines(tmp_path, option, name, text, reason):
    with pytest.raises(ModelError, match=rf"lines.txt:\d+: {name}.txt: {reason}") as told:
        deck(tmp_path, option, **{name: text})
    assert len(told.value.problems) == 1


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("2 WaveKin", "between whose frequencies MoorDyn puts others"),
        ("7 WaveKin", "there is no file wave_frequencies.txt beside this one"),
        ("3 WaveKin", "there is no file wave_elevation.txt beside this one"),
    ],
)
def test_waves_that_cannot_be_had_spoil_the_motion_and_not_the_rest(tmp_path, option, why):
    notes = deck(tmp_path, option).notes
    assert why in "\n".join(note.sentence() for note in notes)
    assert notes.spoiling(motion=True)
    assert not notes.spoiling(motion=False)


@pytest.mark.parametrize(
    ("option", "name", "text", "message"),
    [
        ("1 Currents", "current_profile", "a\nb\nc\n-9 1 0 0\n-9 2 0 0\n", "line 5 holds no other z than a line above"),
        ("2 Currents", "current_profile_dynamic", OVER_TIME.replace("-20", "-40"), "heights that are given once each"),
        ("2 Currents", "current_profile_dynamic", OVER_TIME.replace("15 ", "0 "), "line 8 holds no other time"),
        ("5 Currents", "current_profile_4d", IN_SPACE + "100 0 0 10 1 1 1\n", "line 14 holds no other x y z t"),
    ],
)
def test_a_current_that_is_given_twice_somewhere_is_wrong(tmp_path, option, name, text, message):
    with pytest.raises(ModelError, match=message):
        deck(tmp_path, option, **{name: text})


def test_a_grid_of_depths_has_as_many_as_it_says(tmp_path):
    grid = "--- bathymetry ---\nnGridX 2\nnGridY {}\n-400 400\n-50 120 100\n50 120 100\n"
    found = deck(tmp_path, "bed.txt SeafloorFile", bed=grid.format(2))
    assert found.system.environment.seabed.level(0.0, 0.0) == pytest.approx(-110.0 - 0.5 * 0.09)
    with pytest.raises(ModelError, match="has 2 values of y where nGridY is 3"):
        deck(tmp_path, "bed.txt SeafloorFile", bed=grid.format(3))
