"""`fairlead statics` and `fairlead modes`."""

from __future__ import annotations

import json

import numpy as np
import pytest
import xarray as xr

from fairlead.results import open_result

MOORING = """
title: a mooring line
environment: {seabed: {depth: 100.05}}
types: {chain: {diameter: 0.1, density: 7800, axial_stiffness: 5e8}}
points: {anchor: {kind: fixed, position: [0, 0, -100]}, ship: {kind: controlled, position: [250, 0, 0]}}
cables: {line: {type: chain, length: 300, elements: 30, start: anchor, end: ship}}
simulation: {duration: 10, step: 0.1}
"""
DRIFTER = """
types: {rope: {diameter: 0.05, density: 3000, axial_stiffness: 1e6}}
points: {a: {kind: free, position: [0, 0, -5]}, b: {kind: free, position: [9, 0, -5]}}
cables: {lost: {type: rope, length: 9, elements: 3, start: a, end: b}}
simulation: {duration: 10, step: 0.1}
"""


@pytest.fixture
def mooring(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "mooring.yaml"
    file.write_text(MOORING)
    return file


def test_statics_prints_ends_lowest_point_and_touchdown(fairlead, mooring):
    result = fairlead("statics", mooring)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "a mooring line"
    assert lines[1].startswith("equilibrium by    newton (")
    words = (
        "largest tension",
        "cable line",
        "start at anchor",
        "end at ship",
        "lowest point",
        "on the seabed",
        "touchdown",
    )
    for word in words:
        assert any(line.strip().startswith(word) for line in lines), word
    assert "kN at 0 deg, heading 0 deg" in result.stdout, "angles as people write them"


def test_many_cables_stand_in_one_table_the_most_loaded_first(fairlead, tmp_path):
    file = tmp_path / "many.yaml"
    points = "".join(f"  p{k}: {{kind: fixed, position: [{10 * k}, 0, 0]}}\n" for k in range(13))
    wire = "type: wire, elements: 8"
    cables = "".join(f"  c{k}: {{{wire}, length: {10.1 + 0.02 * k}, start: p{k}, end: p{k + 1}}}\n" for k in range(12))
    file.write_text(
        "environment: {water_density: 0}\n"
        "types: {wire: {diameter: 0.02, mass_per_length: 2, axial_stiffness: 1e7}}\n"
        f"points:\n{points}cables:\n{cables}simulation: {{duration: 1, step: 0.01}}\n"
    )
    lines = fairlead("statics", file).stdout.splitlines()
    head = next(k for k, line in enumerate(lines) if line.startswith("cable "))
    assert " ".join(lines[head].split()) == "cable largest tension start at pull angle end at pull angle on the seabed"
    assert [line.split()[0] for line in lines[head + 2 : head + 10]] == [f"c{k}" for k in range(8)]
    assert lines[head + 10] == "... and 4 more cables (--json gives all)"
    assert len(json.loads(fairlead("statics", file, "--json").stdout)["cables"]) == 12


def test_what_hangs_straight_down_has_no_heading_and_long_names_stay_in_line(fairlead, tmp_path):
    file = tmp_path / "lift.yaml"
    file.write_text(
        """
title: a load on a wire
types: {wire: {diameter: 20 mm, mass_per_length: 2, axial_stiffness: 20 MN}}
points:
  tip_of_the_crane: {kind: fixed, position: [0, 0, 10]}
  load: {kind: free, position: [0, 0, -10], mass: 2000, volume: 0.5}
cables: {wire: {type: wire, length: 20, elements: 4, start: tip_of_the_crane, end: load}}
simulation: {duration: 1, step: 0.01}
"""
    )
    lines = fairlead("statics", file).stdout.splitlines()
    start, end, lowest = (next(line for line in lines if line.startswith(f"  {word}")) for word in ("st", "en", "lo"))
    assert start.endswith(" kN, straight down")
    assert end.endswith(" kN, straight up")
    column = start.index(start.split()[3])
    assert end[column - 1] == " " != end[column]
    assert lowest[column - 1 : column + 1] == " ("


def test_statics_prints_the_stiffness_of_a_place(fairlead, mooring):
    """Rows of force under columns of moves, its principal values, and JSON with the same numbers."""
    lines = fairlead("statics", mooring, "--stiffness", "ship").stdout.splitlines()
    start = lines.index("stiffness of ship (N/m)")
    assert lines[start + 1].split() == ["x", "y", "z"]
    shown = [[float(word.replace(",", "")) for word in line.split()[1:]] for line in lines[start + 2 : start + 5]]
    numbers = json.loads(fairlead("statics", mooring, "--stiffness", "ship", "--json").stdout)["stiffness"]["ship"]
    assert shown == [pytest.approx(row, rel=1e-3, abs=1e-3) for row in numbers["matrix"]]
    values = [one["stiffness"] for one in numbers["principal"]["displacement"]]
    assert values == pytest.approx(np.linalg.eigvalsh(numbers["matrix"]), rel=1e-6)
    assert numbers["periods"] == []
    assert "N/m along" in lines[start + 5]


def test_the_stiffness_of_a_place_that_is_not_there(fairlead, mooring):
    result = fairlead("statics", mooring, "--stiffness", "shop")
    assert result.exit_code != 0
    assert "there is no place 'shop'" in result.stderr
    assert "ship" in result.stderr


def test_statics_as_json(fairlead, mooring):
    numbers = json.loads(fairlead("statics", mooring, "--json").stdout)
    line = numbers["cables"]["line"]
    assert numbers["rung"] == "newton"
    assert numbers["residual_relative"] < 1e-6
    assert line["end"]["tension"] == pytest.approx(np.linalg.norm(line["end"]["force"]))
    assert line["end"]["angle_deg"] < -20.0  # the line leaves the ship downward
    assert abs(line["end"]["heading_deg"]) == pytest.approx(180.0)  # and towards the anchor
    assert line["tension_max"]["arc_length"] == pytest.approx(300.0)
    (lying,) = line["grounded"]  # from the anchor, which the bed does not push, to the one place where the line rises
    assert lying["from"] == 0.0
    assert [place["arc_length"] for place in lying["touchdowns"]] == [lying["to"]]
    assert 0.0 < lying["to"] < 300.0


def test_statics_writes_a_result_that_can_be_plotted(fairlead, mooring):
    assert fairlead("statics", mooring, "-o", "rest.nc").exit_code == 0
    result = open_result("rest.nc")
    assert result.sizes["time"] == 1
    assert result.attrs["status"] == "complete"
    assert fairlead("plot", "rest.nc", "--kind", "geometry").exit_code == 0


def test_statics_and_modes_draw_pictures(fairlead, mooring):
    assert fairlead("statics", mooring, "-o", "rest.png").exit_code == 0
    assert fairlead("modes", mooring, "-o", "modes.svg", "--count", "4").exit_code == 0
    assert (mooring.parent / "rest.png").stat().st_size > 10_000
    assert (mooring.parent / "modes.svg").stat().st_size > 10_000


def test_values_can_be_changed(fairlead, mooring):
    far, near = (
        json.loads(fairlead("statics", mooring, "--json", "--set", f"points.ship.position=[{x}, 0, 0]").stdout)
        for x in (270, 230)
    )
    assert far["tension_max"]["value"] > 1.2 * near["tension_max"]["value"]


def test_no_equilibrium_is_told_with_its_place(fairlead, tmp_path, monkeypatch):
    monkeypatch.setattr("fairlead.statics.ladder.ROUNDS", 2)  # all of them are gone through in tests of statics
    file = tmp_path / "drifter.yaml"
    file.write_text(DRIFTER)
    result = fairlead("statics", file)
    assert result.exit_code == 1
    assert "cable 'lost'" in result.stderr
    assert "nothing holds" in result.stderr
    assert result.stdout == ""


def test_an_output_of_no_known_kind_is_turned_down(fairlead, mooring):
    result = fairlead("statics", mooring, "-o", "rest.txt")
    assert result.exit_code == 2
    assert ".nc, .png, .svg, .pdf" in result.stderr


def test_modes_prints_a_table(fairlead, mooring):
    result = fairlead("modes", mooring, "--count", "3")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "a mooring line"
    assert "frequency (Hz)" in lines[1]
    assert [line.split()[0] for line in lines[3:]] == ["1", "2", "3"]


def test_modes_as_json_and_netcdf(fairlead, mooring):
    found = json.loads(fairlead("modes", mooring, "--count", "2", "--json", "-o", "modes.nc").stdout)["modes"]
    assert [mode["period"] * mode["frequency"] for mode in found] == pytest.approx([1.0, 1.0])
    assert np.shape(found[0]["shapes"]["line"]) == (31, 3)
    with xr.open_dataset("modes.nc", engine="h5netcdf") as stored:
        assert stored["frequency"].values == pytest.approx([mode["frequency"] for mode in found])
        assert stored["mode_shape"].shape == (2, 1, 31, 3)


@pytest.mark.usefixtures("toy_formulation")
@pytest.mark.parametrize("name", ["statics", "modes"])
def test_a_formulation_without_statics_says_so(fairlead, chain_file, name):
    result = fairlead(name, chain_file)
    assert result.exit_code == 2
    assert "offers neither statics nor modes" in result.stderr
