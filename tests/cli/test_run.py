"""`fairlead run`."""

from __future__ import annotations

import json
import sys

import pytest

from fairlead.formulations.contract import Failure
from fairlead.results import open_result, settings_of
from fairlead.simulate import SimulationError
from fairlead.simulate.lock import ResultLock

pytestmark = pytest.mark.usefixtures("toy_formulation")


def test_a_run_writes_its_result_and_a_summary(fairlead, chain_file):
    result = fairlead("run", "chain.yaml")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "a toy chain"
    assert lines[1].startswith("simulated         4 s in ")
    assert lines[1].endswith(" x real time")
    head, row = (next(line for line in lines if line.startswith(word)) for word in ("cable ", "chain "))
    assert head.split("  ")[1].strip() == "largest tension"
    assert " m  its start  " in row
    assert len(row) == len(head), "columns are aligned"
    assert lines[-1] == "result            chain.nc"
    assert "warning: toy: it is over\n" in result.stderr
    saved = open_result("chain.nc")
    assert saved.attrs["status"] == "complete"
    assert saved.attrs["input_file"] == chain_file.read_text()


def test_json_is_all_there_is_on_stdout(fairlead, chain_file):
    result = fairlead("run", chain_file, "--json", "-o", "other.nc")
    numbers = json.loads(result.stdout)
    assert numbers["output"] == "other.nc"
    assert numbers["status"] == "complete"
    assert numbers["duration"] == pytest.approx(4.0)
    assert numbers["speed"] > 0
    assert numbers["tension_max"]["cable"] == "chain"
    assert "toy: it is over" in numbers["warnings"]


def test_quiet_is_quiet_but_for_warnings(fairlead, chain_file):
    result = fairlead("run", chain_file, "--quiet")
    assert result.stdout == ""
    assert all(line.startswith("warning: ") for line in result.stderr.splitlines())


def test_values_of_the_file_are_changed_from_the_command_line(fairlead, chain_file):
    options = ("--duration", "0.02 min", "--step", "5 ms", "--output-every", "0.2", "--integrator", "rk4")
    result = fairlead("run", chain_file, *options, "--set", "types.cord.axial_stiffness=3 kN", "--set", "title=stiffer")
    assert result.exit_code == 0
    saved = open_result("chain.nc")
    assert saved["time"].values[-1] == pytest.approx(1.2)
    assert saved.attrs["title"] == "stiffer"
    settings = settings_of(saved)
    assert settings["types"]["cord"]["axial_stiffness"] == 3000.0
    assert settings["simulation"]["integrator"] == "rk4"
    assert settings["simulation"]["step"] == 0.005


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--set", "types.cord.diametr=1"), "types.cord.diametr: unknown key; did you mean 'diameter'?"),
        (("--set", "loads[3].force=[0, 0, 0]"), "there is nothing at 'loads[3].force' to set"),
        (("--set", "nonsense"), "'nonsense' is not of the form path.to.value=VALUE"),
        (("--step", "5 kN"), "simulation.step: "),
        (("--step", "-1"), "simulation.step: must be above 0 s"),
        (("--integrator", "rk5"), "simulation.integrator: "),
        (("--formulation", "bar"), "simulation.formulation: "),
        (("--integrator", "explicit_euler"), "formulation 'toy' has no integrator 'explicit_euler'"),
        (("-o", "chain.yaml"), "the result cannot be written over the input file"),
        (("-o", "nowhere/run.nc"), "there is no folder nowhere"),
        (("--speed", "2"), "--speed has no meaning without --real-time"),
        (("--real-time", "--speed", "0"), "--speed must be a positive number, times real time, not 0"),
        (("--real-time", "--speed", "fast"), "'fast' is not a valid float"),
        (("--plot", "chain.yaml"), "--plot chain.yaml: cannot make this folder (File exists)"),
        (("--set", "points.A.position[3]=1"), "'points.A.position' holds 3 entries, [0] to [2]"),
        (
            ("--set", "points.A.position.x=1"),
            "'points.A.position' holds nothing by name; its entries are set by number",
        ),
        (("--set", "title[0]=x"), "'title' is not a list; set it as a whole: title"),
        (("--set", "loads[0].force=[0, 0, 0]"), "'loads' is not given in the file; set it as a whole: loads"),
        (("--set", 'inputs."B.postion".constant=[1, 2, 3]'), "there is no such input; did you mean 'B.position'?"),
    ],
)
def test_wrong_values_are_named_and_nothing_is_run(fairlead, chain_file, options, message):
    result = fairlead("run", "chain.yaml", *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_every_mistake_of_a_file_is_listed(fairlead, chain_file):
    chain_file.write_text(chain_file.read_text().replace("diameter", "diametr").replace("elements", "element"))
    result = fairlead("run", chain_file)
    assert result.exit_code == 2
    assert "did you mean 'diameter'?" in result.stderr
    assert "did you mean 'elements'?" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_run_is_resumed_and_lengthened(fairlead, chain_file):
    fairlead("run", chain_file, "--duration", "1")
    result = fairlead("run", chain_file, "--resume", "--json")
    assert result.exit_code == 0
    numbers = json.loads(result.stdout)
    assert numbers["duration"] == pytest.approx(3.0), "what this call simulated"
    assert numbers["time_end"] == pytest.approx(4.0)


def test_resuming_a_changed_file_is_refused(fairlead, chain_file):
    fairlead("run", chain_file, "--duration", "1")
    result = fairlead("run", chain_file, "--resume", "--set", "types.cord.axial_stiffness=1e4")
    assert result.exit_code == 2
    assert "cannot resume, the input differs" in result.stderr


def test_an_earlier_result_is_replaced_with_a_word(fairlead, chain_file):
    fairlead("run", chain_file, "--duration", "1")
    assert "chain.nc: replaces the earlier result" in fairlead("run", chain_file).stderr


def test_a_run_that_fails_keeps_its_result_and_exits_with_1(fairlead, chain_file):
    result = fairlead("run", chain_file, "--set", "types.cord.axial_stiffness=1e9")
    assert result.exit_code == 1
    assert "status            stopped: t = " in result.stdout
    assert open_result("chain.nc").attrs["status"].startswith("stopped: t = ")


def test_pictures_on_the_way(fairlead, chain_file, tmp_path):
    result = fairlead("run", chain_file, "--duration", "1", "--plot", "pictures")
    assert result.exit_code == 0
    assert (tmp_path / "pictures" / "tension_history.png").stat().st_size > 1000


def test_one_entry_of_a_list_can_be_set(fairlead, chain_file):
    result = fairlead("run", chain_file, "--duration", "1", "--set", "points.B.position[0]=9.8")
    assert result.exit_code == 0
    assert open_result("chain.nc")["point_position"].sel(point="B").values[0].tolist() == [9.8, 0.0, 0.0]


@pytest.mark.parametrize("name", ['"B.position"', "'B.position'"])
def test_a_name_with_dots_is_set_in_quotes(fairlead, chain_file, name):
    options = ("--set", f"inputs.{name}.constant=[9.8, 0, 0]", "--set", f"inputs.{name}.constant[1]=0.5")
    result = fairlead("run", chain_file, "--duration", "1", *options)
    assert result.exit_code == 0, result.stderr
    assert open_result("chain.nc")["point_position"].sel(point="B").values[-1].tolist() == [9.8, 0.5, 0.0]


def test_inputs_of_the_file_drive_the_run_from_a_csv_beside_it(fairlead, chain_file):
    chain_file.with_name("moves.csv").write_text("time,x,y,z\n0,9.9,0,0\n1,9.5,0,0\n")
    text = chain_file.read_text() + "inputs: {B.position: {csv: {file: moves.csv, columns: [x, y, z]}}}\n"
    chain_file.write_text(text)
    assert fairlead("run", chain_file).exit_code == 0
    saved = open_result("chain.nc")
    assert saved["point_position"].sel(point="B").values[-1].tolist() == [9.5, 0.0, 0.0]
    assert settings_of(saved)["inputs"]["B.position"]["table"] == [[0, 9.9, 0, 0], [1, 9.5, 0, 0]]
    chain_file.write_text(text.replace("moves", "move"))
    result = fairlead("run", chain_file)
    assert result.exit_code == 2
    assert "did you mean 'moves.csv'?" in result.stderr


def test_a_run_in_real_time_reports_its_late_steps(fairlead, chain_file):
    result = fairlead("run", chain_file, "--duration", "0.5", "--real-time", "--speed", "50")
    assert result.exit_code == 0
    line = next(line for line in result.stdout.splitlines() if line.startswith("real time         at 50 x the clock, "))
    assert "of 50 steps late" in line
    result = fairlead("run", chain_file, "--duration", "0.5", "--real-time", "--speed", "50", "--json")
    kept = json.loads(result.stdout)["real_time"]
    assert (kept["speed"], kept["steps"]) == (50.0, 50)
    assert 0 <= kept["late_steps"] <= 50
    assert kept["worst_lateness"] >= 0.0
    assert open_result("chain.nc").attrs["late_steps"] == kept["late_steps"]
    assert json.loads(fairlead("run", chain_file, "--json").stdout)["real_time"] is None


def test_a_result_that_another_run_is_writing_is_left_alone(fairlead, chain_file):
    with ResultLock(chain_file.with_name("chain.nc")):
        result = fairlead("run", chain_file)
    assert result.exit_code == 2
    assert "is writing this result now; wait for it to end, or choose another file with -o" in result.stderr


def test_the_summary_may_leave_out_the_beginning(fairlead, chain_file):
    done = fairlead("run", chain_file, "--duration", "1", "--after", "0.5")
    assert "summary           of what came after 0.5 s" in done.stdout
    numbers = json.loads(fairlead("run", chain_file, "--duration", "1", "--after", "0.5", "--json").stdout)
    assert numbers["time_start"] >= 0.5
    assert numbers["tension_max"]["time"] >= 0.5
    assert "the run is from 0 to 1 s" in fairlead("run", chain_file, "--duration", "1", "--after", "7").stderr


def test_what_looks_wrong_is_shown_before_a_failure_is_explained(fairlead, chain_file, monkeypatch):
    def broken(system):
        raise SimulationError(Failure(0.0, "cable 'chain'", "it tears", "a guess", "a cure"))

    monkeypatch.setattr(sys.modules["fairlead.simulate"], "Simulation", broken)
    monkeypatch.setattr("fairlead.model.warnings", lambda system: ["points.A.position: above the water"])
    done = fairlead("run", chain_file)
    assert done.exit_code == 1
    assert done.stderr.index("warning: points.A.position: above the water") < done.stderr.index("a guess")


def test_resume_with_nothing_to_resume_starts_from_the_beginning(fairlead, chain_file, toy_formulation):
    done = fairlead("run", chain_file, "--duration", "1", "-o", "new.nc", "--resume")
    assert done.exit_code == 0, done.output
    assert "new.nc: there is no result to go on from; the run starts from the beginning" in done.stderr
    assert open_result("new.nc").attrs["status"] == "complete"
