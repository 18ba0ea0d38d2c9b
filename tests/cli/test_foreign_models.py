"""Files of MoorDyn on the command line: imported, run, solved, shown and written as they are."""

from __future__ import annotations

import json
import math

import click
import pytest
from exchange.decks import MOORPY, SPREAD

import fairlead as fl
from fairlead.cli.main import COMMANDS, main
from fairlead.exchange.moordyn.opening import from_text
from fairlead.model import load


@pytest.fixture
def deck(tmp_path, monkeypatch):
    """A MoorDyn file in an empty folder, which is the working folder."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "lines.txt"
    file.write_text(SPREAD)
    return file


def test_import_writes_a_model_and_says_what_became_of_each_line(fairlead, deck):
    done = fairlead("import", "moordyn", "lines.txt", "-o", "case.yaml")
    assert done.exit_code == 0
    assert load("case.yaml") == from_text(SPREAD, "lines.txt").system
    for words in ("taken", "changed", "dropped", "doubtful", "line type chain", "option banana", "fairlead statics"):
        assert words in done.stdout
    again = fairlead("import", "moordyn", "lines.txt", "-o", "case.yaml")
    assert again.exit_code == 2
    assert "is there already" in again.stderr


def test_import_as_json_without_a_file_writes_none(fairlead, deck):
    found = json.loads(fairlead("import", "moordyn", "lines.txt", "--json").stdout)
    assert found["output"] is None
    assert {note["kind"] for note in found["notes"]} == {"taken", "changed", "dropped", "doubtful"}
    assert [path.name for path in deck.parent.iterdir()] == ["lines.txt"]


def test_a_bed_that_is_not_there_is_told_by_everything_at_rest_and_stops_a_run(fairlead, deck):
    """At rest over a flat bed is a state of its own, told as such; how it moves over another is not."""
    deck.write_text(SPREAD.replace("7     banana", "bed.txt SeafloorFile"))
    bed = "a seabed that is not flat (there is no file bed.txt beside this one)"
    rest = fairlead("statics", "lines.txt")
    assert rest.exit_code == 0
    assert f"option SeafloorFile: {bed} is missing: the numbers are without it" in rest.stderr
    assert rest.stdout.startswith("Without a seabed that is not flat: ")
    refused = fairlead("run", "lines.txt")
    assert refused.exit_code == 2
    cure = "put it there, or go on without it: --partial"
    assert f"option SeafloorFile: {bed} is missing here; {cure}" in refused.stderr
    done = fairlead("run", "lines.txt", "--partial", "--duration", "0.1", "--output-every", "0.1")
    assert done.exit_code == 0
    assert "the numbers are without it" in done.stderr
    assert fairlead("import", "moordyn", "lines.txt", "-o", "case.yaml").exit_code == 0
    assert "# Missing here: " in (deck.parent / "case.yaml").read_text()


def test_what_a_deck_is_without_is_carried_by_every_result_and_told_once(fairlead, deck, monkeypatch):
    """Another title takes it away from nothing but the title."""
    assert "no mistakes, 2 warnings" in fairlead("check", "lines.txt").stdout
    deck.write_text(SPREAD.replace("7     banana", "1 Currents"))
    missing = "option Currents 1: the current (there is no file current_profile.txt beside this one) is missing"
    told = f"lines.txt:33: {missing}: the numbers are without it"
    short = ["--partial", "--duration", "0.1"]
    runs = [["run", *short], ["compare", "--with", "lumped", *short]]
    for command in (["check"], ["statics"], ["modes", "--count", "1"], *runs):
        done = fairlead(command[0], "lines.txt", *command[1:], "--set", "title=calm", "--json")
        assert done.exit_code == 0
        assert json.loads(done.stdout)["warnings"].count(told) == 1, command
        assert done.stderr.count(told) == 1, command
    checked = fairlead("check", "lines.txt")
    assert checked.stderr.count(told) == 1
    assert "no mistakes, 3 warnings" in checked.stdout
    rest = fl.statics("lines.txt")
    assert told in rest.notes
    assert told in rest.dataset().attrs["warnings"]
    assert told in fl.open_result("lines.nc").attrs["warnings"]
    monkeypatch.setattr("fairlead.view.report.report.FIGURES", ())  # figures have tests of their own
    assert fairlead("report", "lines.nc", "-o", "report.html", "--no-open").exit_code == 0
    assert missing in (deck.parent / "report.html").read_text()
    assert told in repr(fl.load("lines.txt", partial=True, set={"title": "calm"}))


def test_what_helps_is_said_in_the_words_of_who_asks(fairlead, deck):
    deck.write_text(SPREAD.replace("5 Vessel", "5 Turbine2"))
    go_on = "go on with turbine 2 at the origin"
    with pytest.raises(fl.ModelError) as refused:
        fl.load("lines.txt")
    assert "say it: fairlead.load(..., turbines={2: (x, y, z)})" in str(refused.value)
    assert f"{go_on}: fairlead.load(..., partial=True)" in str(refused.value)
    (deck.parent / "study.yaml").write_text("system: lines.txt\nkeep: {line1.tension@end: [max]}\n")
    told = fairlead("study", "plan", "study.yaml").stderr
    assert "import it with --turbines 2=x,y and name the YAML" in told
    assert f"{go_on}: import it with --partial and name the YAML" in told
    assert f"{go_on}: --partial" in fairlead("statics", "lines.txt").stderr


@pytest.mark.parametrize(
    ("wrong", "error", "sentence"),
    [
        ({"columns": "v9"}, ValueError, "columns is 'v9'; it is one of 'auto', 'v1', 'v2'"),
        ({"turbines": {1: (math.nan, 0.0, 0.0)}}, ValueError, "turbine 1 is put at .*three finite numbers"),
        ({"turbines": {1: (0.0, 0.0)}}, ValueError, "turbine 1 is put at .*three finite numbers"),
        ({"partal": True}, TypeError, r"load\(\) got an unexpected keyword argument 'partal'"),
    ],
)
def test_a_slip_in_how_to_read_is_a_sentence(deck, wrong, error, sentence):
    with pytest.raises(error, match=sentence):
        fl.load("lines.txt", **wrong)


OF_OTHER_FILES = {"study", "live", "cosim", "plot", "film", "reduce"}
"""Commands that take a file of their own, which names a system, or only a result."""


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_that_takes_a_model_has_the_same_options_for_it(name):
    command = main.get_command(click.Context(main), name)
    files = {"file", "result", "results", "what"} & {p.name for p in command.params if isinstance(p, click.Argument)}
    options = {option for parameter in command.params for option in parameter.opts}
    takes_models = bool(files) and name not in OF_OTHER_FILES
    assert options.issuperset({"--columns", "--turbines", "--partial"}) == takes_models


@pytest.mark.parametrize("place", ["1=nan,0", "1=0,inf", "1=0,0,-inf"])
def test_a_turbine_stands_at_finite_numbers(fairlead, deck, place):
    done = fairlead("statics", "lines.txt", "--turbines", place)
    assert done.exit_code == 2
    assert f"'{place}' is not of the form 1=x,y or 1=x,y,z, in finite numbers" in done.stderr


def test_turbines_stand_where_they_are_told(fairlead, deck):
    deck.write_text(SPREAD.replace("5 Vessel", "5 Turbine2"))
    assert fairlead("import", "moordyn", "lines.txt", "-o", "a.yaml").exit_code == 2
    assert fairlead("import", "moordyn", "lines.txt", "-o", "a.yaml", "--turbines", "2=1,2").exit_code == 0
    assert load("a.yaml").bodies["turbine2"].position == (1, 2, 0)
    assert "is not of the form" in fairlead("import", "moordyn", "lines.txt", "--turbines", "2=here").stderr
    refused = fairlead("statics", "lines.txt")
    assert refused.exit_code == 2
    cure = "say it: --turbines 2=x,y, or go on with turbine 2 at the origin: --partial"
    assert cure in refused.stderr
    partly = fairlead("check", "lines.txt", "--partial")
    assert "is missing: the numbers are with turbine 2 at the origin" in partly.stderr
    assert partly.stdout.startswith("With turbine 2 at the origin: ")
    farm = "NumTurbines\nWT_X WT_Y WT_Z FASTInFile\n(m) (m) (m) (string)\n0 0 0 a.fst\n1 2 0 b.fst\n--- SUPER ---\n"
    (deck.parent / "farm.fstf").write_text(farm)
    known = fairlead("statics", "lines.txt", "--turbines", "2=1,2").stdout
    assert fairlead("statics", "lines.txt", "--turbines", "farm.fstf").stdout == known
    (deck.parent / "farm.fstf").write_text(farm, encoding="utf-16")
    assert fairlead("statics", "lines.txt", "--turbines", "farm.fstf").stdout == known
    assert "no file to be read" in fairlead("statics", "lines.txt", "--turbines", "elsewhere.fstf").stderr
    assert "no table of turbines" in fairlead("statics", "lines.txt", "--turbines", "lines.txt").stderr


def test_a_deck_is_solved_run_and_written_as_moordyns_table(fairlead, deck):
    """One statics and one short run, of the file itself."""
    rest = fairlead("statics", "lines.txt", "--json")
    numbers = json.loads(rest.stdout)
    assert "stands behind another on the same line" in rest.stderr
    done = fairlead("run", "lines.txt", "-o", "lines.out", "--duration", "0.2", "--set", "simulation.output_every=0.1")
    assert done.exit_code == 0
    assert "without the channels Sausage9" in done.stderr
    titles, _, *rows = (deck.parent / "lines.out").read_text().splitlines()
    assert titles.split()[:3] == ["Time", "FairTen1", "FairTen3"]
    assert len(rows) == 3
    # the pull on the hull is the tension of the last element and half its weight, which hangs from the end
    half = 0.5 * 33 * 9.81 * (77.7 - 1025 * 0.25 * math.pi * 0.09**2)
    end = numbers["cables"]["line1"]["end"]
    across, up = (end["tension"] * turn(math.radians(end["angle_deg"])) for turn in (math.cos, math.sin))
    assert float(rows[0].split()[1]) == pytest.approx(math.hypot(across, abs(up) - half), rel=1e-4)
    assert fairlead("check", "lines.txt").exit_code == 0


def test_a_deck_is_shown_as_it_rests_and_written_again(fairlead, deck):
    assert fairlead("view", "lines.txt", "--no-open", "-o", "rest.html").exit_code == 0
    assert (deck.parent / "rest.html").stat().st_size > 100_000
    done = fairlead("export", "moordyn", "lines.txt", "-o", "again.txt")
    assert done.exit_code == 0
    again = from_text((deck.parent / "again.txt").read_text(), "again.txt").system
    assert again == from_text(SPREAD, "lines.txt").system
    assert fairlead("export", "moordyn", "lines.txt", "-o", "lines.txt").exit_code == 2
    assert fairlead("export", "a.nc", "b.nc", "-o", "c.csv").exit_code == 2


def test_moorpys_yaml_is_known_by_its_keys(fairlead, deck):
    (deck.parent / "system.yaml").write_text(MOORPY)
    assert fairlead("import", "moorpy", "system.yaml", "-o", "ours.yaml").exit_code == 0
    assert fairlead("check", "system.yaml").stdout.count("no mistakes") == 1


def test_a_broken_deck_is_told_with_its_line(fairlead, deck):
    deck.write_text(SPREAD.replace("1 chain 1 2 330 10", "1 chian 1 2 330 10"))
    done = fairlead("statics", "lines.txt")
    assert done.exit_code == 2
    assert done.stderr.strip().endswith("line 1 is of the type 'chian', which is not there; did you mean 'chain'?")


def test_types_lists_the_catalogue_and_the_numbers_of_one(fairlead):
    listed = fairlead("types").stdout
    titles = [line for line in listed.splitlines() if not line.startswith(" ")]
    assert len({line.index(line.split(maxsplit=1)[1]) for line in titles}) == 1, "one column of titles"
    assert "chain_studless      studless chain" in listed
    assert "DNV-OS-E301" in listed
    shown = json.loads(fairlead("types", "chain_studless", "--nominal-diameter", "185mm", "--json").stdout)
    assert shown["breaking_load"] == pytest.approx(27.4e6, rel=1e-3)
    assert "breaking_load" in fairlead("types", "polyester", "--nominal-diameter", "0.2").stdout
    assert fairlead("types", "rope").exit_code == 2
    assert fairlead("types", "--nominal-diameter", "0.2").exit_code == 2
    assert fairlead("types", "polyester", "--nominal-diameter", "0.2", "--grade", "R4").exit_code == 2


def test_a_library_in_still_water_of_a_file_with_a_current_is_made_only_when_asked(fairlead, deck):
    """The refusal comes before any machine code."""
    deck.write_text(SPREAD.replace("7     banana", "1 Currents"))
    done = fairlead("library", "lines.txt", "-o", "lib.so")
    assert done.exit_code == 2
    missing = "option Currents 1: the current (there is no file current_profile.txt beside this one) is missing here"
    assert f"{missing}; put it there, or go on without it: --partial" in done.stderr
    assert not (deck.parent / "lib.so").exists()
