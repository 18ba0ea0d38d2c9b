"""Inputs that change by themselves: constants, tables and CSV in the file, tables and functions from Python."""

from __future__ import annotations

import copy
import os
import re

import numpy as np
import pytest
import xarray as xr

from fairlead.model import ModelError, System, load
from fairlead.results import ResultError, open_result, settings_of
from fairlead.simulate import InputError, Simulation, SimulationError

from .toy import Toy, chain

RAMP = [[0.0, 9.9, 0.0, 0.0], [1.0, 9.4, 0.5, 0.0], [2.0, 9.9, 0.0, 0.2]]


def driven(inputs: dict, **simulation) -> System:
    system = chain(**simulation)
    return System.model_validate(system.model_dump(exclude_unset=True) | {"inputs": inputs})


def new(inputs: dict | None = None, **simulation) -> Simulation:
    return Simulation.of(Toy(driven(inputs or {}, **simulation)))


def after(samples):
    calls = iter(range(10**9))
    return lambda: next(calls) >= samples


def ramp(t: float) -> np.ndarray:
    rows = np.array(RAMP)
    return np.array([np.interp(t, rows[:, 0], rows[:, k]) for k in (1, 2, 3)])


def assert_same(a: xr.Dataset, b: xr.Dataset) -> None:
    for name in a.variables:
        assert np.array_equal(a[name].values, b[name].values, equal_nan=a[name].dtype.kind == "f"), name


def end_points(result: xr.Dataset) -> np.ndarray:
    return result["point_position"].sel(point="B").values


def test_a_table_moves_a_point_and_is_held_beyond_its_ends():
    result = new({"B.position": {"table": RAMP}}).run(duration=3.0)
    assert end_points(result) == pytest.approx(np.array([ramp(t) for t in result["time"].values]), abs=1e-12)
    assert end_points(result)[-1].tolist() == [9.9, 0.0, 0.2]


def test_a_constant_from_the_file_is_the_same_as_one_set_live():
    place = (9.5, 0.1, 0.0)
    live = new()
    live.set_inputs({"B.position": place})
    assert_same(new({"B.position": {"constant": place}}).run(), live.run())


def test_table_function_and_file_agree():
    rows = np.array(RAMP)
    file = new({"B.position": {"table": RAMP}}).run()
    table = new().run(inputs={"B.position": (rows[:, 0], rows[:, 1:])})
    assert_same(file, table)
    function = new().run(inputs={"B.position": ramp})
    assert function["tension_max"].values == pytest.approx(file["tension_max"].values, rel=1e-9)


def test_a_function_is_asked_for_the_end_of_every_step():
    asked: list[float] = []

    def follow(t: float) -> tuple[float, float, float]:
        asked.append(t)
        return (9.9, 0.0, 0.0)

    new().run(duration=0.2, inputs={"B.position": follow})
    assert asked == pytest.approx([0.0, *(0.01 * k for k in range(1, 21))]), "the first sample, then each step's end"


def test_a_moving_input_acts_within_an_output_interval():
    """Moved and brought back between two samples: held from sample to sample it would not be felt."""
    there_and_back = ([0.0, 0.05, 0.1], [(9.9, 0, 0), (9.0, 0, 0), (9.9, 0, 0)])
    felt = new().run(duration=0.1, inputs={"B.position": there_and_back})
    still = new().run(duration=0.1)
    assert end_points(felt)[-1].tolist() == end_points(still)[-1].tolist()
    assert not np.allclose(felt["velocity"].values[-1], still["velocity"].values[-1], atol=1e-3)


def test_what_is_set_live_wins_over_the_file_until_it_is_handed_back():
    sim = new({"B.position": {"table": RAMP}})
    assert sim.inputs["B.position"] is None
    assert sim.step(0.5)["B.position"] == pytest.approx(ramp(0.5))
    assert sim.step(0.1, {"B.position": (9.0, 0, 0)})["B.position"].tolist() == [9.0, 0.0, 0.0]
    assert sim.inputs["B.position"].tolist() == [9.0, 0.0, 0.0]
    assert sim.step(0.1)["B.position"].tolist() == [9.0, 0.0, 0.0]
    assert sim.step(0.1, {"B.position": None})["B.position"] == pytest.approx(ramp(0.8))


def test_what_a_run_is_given_decides_during_that_run_only():
    sim = new({"B.position": {"constant": [9.5, 0, 0]}})
    sim.set_inputs({"B.position": (9.6, 0, 0)})
    result = sim.run(duration=0.2, inputs={"B.position": (9.7, 0, 0)})
    assert end_points(result)[:, 0].tolist() == [9.7, 9.7, 9.7]
    assert sim.outputs()["B.position"][0] == 9.6
    sim.set_inputs({"B.position": None})
    assert sim.outputs()["B.position"][0] == 9.5


def test_state_and_inputs_taken_and_set_again_give_the_same_future():
    sim = new({"B.position": {"table": RAMP}})
    sim.step(0.3, {"brake": 2.0})
    then, state, inputs = sim.time, sim.state, sim.inputs
    future = [sim.step(0.05).row for _ in range(5)]
    sim.step(0.1, {"B.position": (9.0, 0, 0), "brake": None})
    sim.set_state(then, state, inputs)
    assert all(np.array_equal(sim.step(0.05).row, row, equal_nan=True) for row in future)
    with pytest.raises(InputError, match="there is no input 'brak'"):
        sim.set_state(0.0, state, {"brak": 1.0})
    assert sim.time > then


@pytest.mark.parametrize("stops", [(7, 0, 20), (1,)])
def test_a_driven_run_stopped_and_resumed_equals_an_uninterrupted_one_bit_for_bit(tmp_path, stops):
    inputs = {"B.position": {"table": RAMP}}
    whole = new(inputs).run()
    for samples in stops:
        new(inputs).run(output=tmp_path / "run.nc", resume=True, stop=after(samples))
    assert_same(new(inputs).run(output=tmp_path / "run.nc", resume=True), whole)


def test_resuming_with_other_inputs_is_refused(tmp_path):
    output = tmp_path / "run.nc"
    new({"B.position": {"table": RAMP}}).run(duration=0.5, output=output)
    with pytest.raises(ResultError, match="the input differs"):
        new({"B.position": {"table": RAMP[:2]}}).run(output=output, resume=True)
    new().run(duration=0.5, output=output, inputs={"brake": 1.0})
    with pytest.raises(ResultError, match="the input differs"):
        new().run(output=output, resume=True, inputs={"brake": 2.0})
    new().run(output=output, resume=True, inputs={"brake": 1.0})


def test_a_result_tells_what_drove_it(tmp_path):
    output = tmp_path / "run.nc"
    given = {"B.position": ([0, 1], [(9.9, 0, 0), (9.8, 0, 0)]), "brake": lambda t: t}
    new({"B.position": {"table": RAMP}}).run(duration=0.2, output=output, inputs=given)
    saved = open_result(output)
    assert settings_of(saved)["inputs"]["B.position"]["table"] == RAMP
    assert saved.attrs["inputs"] == '{"B.position": [[0.0, 9.9, 0.0, 0.0], [1.0, 9.8, 0.0, 0.0]], "brake": "function"}'


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        (lambda t: 1 / 0, "its function raised ZeroDivisionError: division by zero"),
        (lambda t: None, "its function returned nothing"),
        (lambda t: (1.0, 2.0), r"takes 3 numbers, not an array of shape \(2,\)"),
        (lambda t: (np.nan, 0.0, 0.0), "must be finite"),
        (lambda t: "north", "takes 3 numbers, not 'north'"),
    ],
)
def test_a_function_that_fails_stops_the_run_and_keeps_what_was_computed(tmp_path, bad, what):
    output = tmp_path / "run.nc"
    result = new().run(output=output, inputs={"B.position": lambda t: (9.9, 0.0, 0.0) if t < 0.345 else bad(t)})
    assert result.attrs["status"].startswith("stopped: t = 0.35 s, input 'B.position': ")
    assert re.search(what, result.attrs["status"])
    assert result.sizes["time"] == 4
    assert_same(open_result(output), result)
    with pytest.raises(SimulationError, match=f"t = 0 s, input 'B.position': .*{what}"):
        new().run(inputs={"B.position": bad})


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"B.postion": (0, 0, 0)}, "there is no input 'B.postion'; did you mean 'B.position'"),
        ({"B.position": (0, 0)}, r"takes 3 numbers, not an array of shape \(2,\)"),
        ({"B.position": None}, "a constant, .* or a function, not None"),
        ({"B.position": ([0, 1], [(0, 0, 0)])}, r"takes times \(n,\) and values \(n, 3\), not"),
        ({"B.position": ([0, 0], [(0, 0, 0), (1, 0, 0)])}, r"times must grow, not 0 s after 0 s \(row 1\)"),
        ({"B.position": ([0, np.nan], [(0, 0, 0), (1, 0, 0)])}, "must be finite"),
        ({"brake": ([], [])}, r"takes times \(n,\)"),
        ([("brake", 1)], "inputs are given by name"),
    ],
)
def test_wrong_inputs_of_a_run_are_named_before_it_starts(inputs, message):
    with pytest.raises(InputError, match=message):
        new().run(inputs=inputs)


def test_an_input_of_one_number_takes_plain_numbers():
    sim = new()
    with sim.driven_by(sim.drives({"brake": ([0.0, 1.0], [0.0, 2.0])})):
        sim.step(0.5)
        assert sim._inputs.u[3] == pytest.approx(1.0)
    assert np.isnan(sim._inputs.u[3])


def test_names_and_sizes_in_the_file_are_checked_when_it_is_compiled(tmp_path):
    with pytest.raises(ModelError) as caught:
        new({"B.postion": {"constant": [1, 2, 3]}, "brake": {"table": [[0, 1, 2]]}, "B.position": {"constant": [1]}})
    text = str(caught.value)
    assert "inputs.'B.postion': there is no such input; did you mean 'B.position'?" in text
    assert "inputs.brake.table: 'brake' takes one number, not 2; give a time and one number" in text
    assert "inputs.'B.position'.constant: 'B.position' takes 3 numbers, not 1" in text
    file = tmp_path / "chain.yaml"
    file.write_text(chain().to_yaml() + "inputs:\n  B.postion: {constant: [1, 2, 3]}\n")
    with pytest.raises(ModelError, match=r"chain.yaml:\d+:3: inputs.'B.postion'"):
        Simulation.of(Toy(load(file)))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({}, "needs one of 'constant' and 'table' and 'csv'"),
        ({"constant": [1], "table": [[0, 1]]}, "cannot stand beside 'constant'"),
        ({"constant": []}, "must hold at least one number"),
        ({"constant": [float("nan")]}, "must be a finite number"),
        ({"table": []}, "must hold at least one row"),
        ({"table": [[0]]}, "must hold a time and at least one value"),
        ({"table": [[0, 1], [1, 2, 3]]}, "holds 3 numbers where the first row holds 2"),
        ({"table": [[0, 1], [0, 2], [0, 3]]}, "times must grow from row to row, not 0 s after 0 s"),
        ({"csv": {"file": "x.csv"}}, "'columns' is missing"),
        ({"csv": {"file": "x.csv", "columns": []}}, "must name at least one column"),
    ],
)
def test_mistakes_in_an_input_of_the_file(entry, message):
    with pytest.raises(ModelError, match=message) as caught:
        driven({"brake": entry})
    assert len(caught.value.problems) == 1


CSV = "time, x, y, z\n0, 9.9, 0, 0\n\n1, 9.4, 0.5, 0\n2, 9.9, 0, 0.2\n"


def with_csv(folder, text: str | None = CSV, name: str = "moves.csv", columns: str = "[x, y, z]"):
    """A model file in a folder with a CSV file beside it."""
    if text is not None:
        (folder / "data").mkdir(exist_ok=True)
        (folder / "data" / "moves.csv").write_text(text)
    file = folder / "chain.yaml"
    entry = f"inputs:\n  B.position:\n    csv: {{file: data/{name}, columns: {columns}}}\n"
    file.write_text(chain().to_yaml() + entry)
    return file


def test_a_csv_is_read_with_the_model_and_travels_as_a_table(tmp_path):
    system = load(with_csv(tmp_path))
    assert system.inputs["B.position"].csv is None
    assert [list(row) for row in system.inputs["B.position"].table] == RAMP
    assert_same(Simulation.of(Toy(system)).run(), new({"B.position": {"table": RAMP}}).run())
    (tmp_path / "data" / "moves.csv").unlink()
    assert system.with_settings(step=0.005).inputs == system.inputs


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "moves2.csv"}, r"csv.file: there is no file .*moves2.csv; did you mean 'moves.csv'"),
        ({"columns": "[x, y, zz]"}, r"csv.columns: .*moves.csv has no column 'zz'; did you mean 'z'"),
        ({"text": CSV.replace("time", "Tim")}, r"csv.time: .* has no column 'time'; did you mean 'Tim'"),
        ({"text": CSV.replace("0.5", "half")}, r"moves.csv, line 4, column 'y': the cell is not a number"),
        ({"text": CSV.replace("0.5", "inf")}, r"line 4, column 'y': the number is not finite"),
        ({"text": CSV.replace("0.5, 0", "0.5")}, r"line 4, column 'z': the cell is missing; the line has 3 cells"),
        ({"text": CSV.replace("\n2,", "\n1,")}, r"line 5: times must grow from row to row, not 1 s after 1 s"),
        ({"text": ""}, "is empty; its first line names the columns"),
        ({"text": "time,x,y,z\n"}, "has no row of numbers"),
        ({"text": "time,x,x,z\n0,1,2,3\n"}, "has the column 'x' twice"),
        ({"text": None}, "there is no file"),
        ({"name": "."}, "is a folder; name a file in it"),
        ({"name": "../../../../../../../../../../dev/zero"}, "is a pipe or a device"),
        ({"text": "root:x:0:0:secret\nadmin:y:1:1:hidden\n"}, "no column 'time'; the 1 columns are named in its first"),
    ],
)
def test_a_csv_that_cannot_be_used_is_named_with_its_line(tmp_path, change, message):
    with pytest.raises(ModelError, match=message) as caught:
        load(with_csv(tmp_path, **change))
    assert len(caught.value.problems) == 1
    assert caught.value.problems[0].line is not None
    assert not any(word in str(caught.value) for word in ("secret", "hidden", "half", "inf ")), "no contents are shown"


def test_a_csv_is_a_file_of_bounded_size(tmp_path, monkeypatch):
    file = with_csv(tmp_path)
    monkeypatch.setattr("fairlead.model.csv_columns.MOST_BYTES", 10)
    with pytest.raises(ModelError, match="MB, more than 1e-05; thin it out"):
        load(file)
    (tmp_path / "data" / "moves.csv").unlink()
    os.mkfifo(tmp_path / "data" / "moves.csv")
    with pytest.raises(ModelError, match="is a pipe or a device"):
        load(file)  # nobody writes to it: a plain open would wait for ever


def test_too_long_a_csv_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("fairlead.model.csv_columns.MOST_ROWS", 2)
    with pytest.raises(ModelError, match="has more than 2 rows"):
        load(with_csv(tmp_path))


def test_outputs_can_be_copied():
    out = new().step(0.1)
    again = copy.copy(out)
    assert np.array_equal(again.row, out.row, equal_nan=True)
    assert again.tension_max == out.tension_max
