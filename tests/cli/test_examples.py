"""`fairlead examples`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fairlead.cli.examples import companions, files


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_every_example_is_listed_with_its_title(fairlead):
    listed = json.loads(fairlead("examples", "list", "--json").stdout)
    assert [entry["name"] for entry in listed] == list(files())
    assert "sinking_cables" in files()
    assert all(entry["title"] for entry in listed)
    assert fairlead("examples").stdout == fairlead("examples", "list").stdout


def test_an_example_is_copied_but_never_over_a_file(fairlead):
    assert fairlead("examples", "copy", "sinking_cables").exit_code == 0
    copied = Path("sinking_cables.yaml")
    assert copied.read_text() == files()["sinking_cables"].read_text()
    copied.write_text("mine")
    again = fairlead("examples", "copy", "sinking_cables")
    assert again.exit_code == 2
    assert "is there already" in again.stderr
    assert copied.read_text() == "mine"
    assert fairlead("examples", "copy", "sinking_cables.yaml", "-o", "other.yaml").exit_code == 0
    assert fairlead("examples", "copy", "sinking_cables", "--force").exit_code == 0
    assert copied.read_text() != "mine"
    Path("folder").mkdir()
    fairlead("examples", "copy", "sinking_cables", "-o", "folder")
    assert Path("folder/sinking_cables.yaml").exists()


def test_an_unknown_example_gets_the_nearest_name(fairlead):
    result = fairlead("examples", "copy", "sinking_cable")
    assert result.exit_code == 2
    assert "did you mean 'sinking_cables'?" in result.stderr


def test_scripts_and_folders_are_copied_too(fairlead):
    result = fairlead("examples", "copy", "steel_cable_angles")
    assert result.exit_code == 0
    assert "try: python steel_cable_angles.py" in result.stdout
    assert Path("steel_cable_angles.py").read_text() == files()["steel_cable_angles"].read_text()
    assert "try: jupyter lab mooring_varied.ipynb" in fairlead("examples", "copy", "mooring_varied").stdout
    assert json.loads(Path("mooring_varied.ipynb").read_text())["cells"]
    told = fairlead("examples", "copy", "seismic_co_simulation").stdout
    assert told.startswith("seismic_co_simulation   (try: cd seismic_co_simulation && fairlead cosim together.yaml")
    assert Path("seismic_co_simulation/together.yaml").exists()
    assert fairlead("examples", "copy", "seismic_co_simulation").exit_code == 2


def test_a_folder_is_listed_by_what_it_shows_and_copied_with_its_first_command(fairlead):
    titles = {entry["name"]: entry["title"] for entry in json.loads(fairlead("examples", "list", "--json").stdout)}
    assert titles["floating_spar"] == "A spar on three lines, by its coefficients"
    assert titles["storm_extremes"] == "Storm extremes of a buoy, intact and with a line lost (a study)"
    assert titles["twin_tow"].endswith("(a live twin)")
    copied = fairlead("examples", "copy", "storm_extremes", "-o", "mine").stdout
    assert copied == "mine   (try: cd mine && fairlead study plan storm.yaml)\n"
    assert "try: fairlead run my_tow)" in fairlead("examples", "copy", "towed_cable", "-o", "my_tow").stdout


def test_what_to_try_can_be_typed_as_it_is(fairlead):
    """Names with blanks are quoted, and a folder that holds files of its own begins with that of the example."""
    told = fairlead("examples", "copy", "towed_cable", "-o", "my tow.yaml").stdout
    assert told == "my tow.yaml   (try: fairlead run 'my tow.yaml')\n"
    Path("my storms").mkdir()
    Path("my storms/a.yaml").write_text("# mine\nstudy: of something else\n")
    told = fairlead("examples", "copy", "storm_extremes", "-o", "my storms/storm_extremes").stdout
    assert "cd 'my storms/storm_extremes' && fairlead study plan storm.yaml" in told
    Path("my storms/storm_extremes/a.yaml").write_text("# mine\nstudy: of something else\n")
    told = fairlead("examples", "copy", "storm_extremes", "-o", "my storms", "--force").stdout
    assert "fairlead study plan storm.yaml" in told


def test_what_goes_with_an_example_is_copied_with_it_but_not_over_files(fairlead):
    """The script that draws a model file, named by either; what a script reads, or the script would fail."""
    told = fairlead("examples", "copy", "steel_cable_in_air", "-o", "cable.yaml").stdout
    assert told.endswith("\nsteel_cable_angles.py   (goes with it)\n")
    assert Path("steel_cable_angles.py").read_text() == files()["steel_cable_angles"].read_text()
    Path("steel_cable_angles.py").write_text("mine")
    assert "angles" not in fairlead("examples", "copy", "steel_cable_in_water").stdout
    assert Path("steel_cable_angles.py").read_text() == "mine"
    fairlead("examples", "copy", "steel_cable_in_water", "--force")
    assert Path("steel_cable_angles.py").read_text() != "mine"
    fairlead("examples", "copy", "floater_cable_payload")
    assert Path("floater_surge.py").exists()
    assert Path("floater_alone.yaml").exists(), "the script draws it beside the other"
    fairlead("examples", "copy", "slack_cables_on_their_modes")
    assert Path("spline_example_1.yaml").exists()
    assert Path("spline_example_2.yaml").exists()


@pytest.mark.parametrize("name", [name for name, path in files().items() if path.suffix == ".yaml"])
def test_every_script_in_the_head_of_an_example_comes_with_it(name):
    head = files()[name].read_text(encoding="utf-8").partition("\ntitle:")[0]
    assert set(re.findall(r"(\w+\.py)\b", head)) <= {path.name for path in companions(files()[name])}
