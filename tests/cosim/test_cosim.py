"""FMUs run together give what one simulation of the whole gives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from click.testing import CliRunner

from fairlead.cli.main import main
from fairlead.cosim.errors import CosimError
from fairlead.cosim.fmu import export, link
from fairlead.cosim.master import run_setup
from fairlead.cosim.record import save
from fairlead.cosim.setup import Setup, load_setup
from fairlead.model import ModelError, load_text
from fairlead.results import open_result
from fairlead.simulate import Simulation
from fairlead.simulate.pacing import Pacer

from .foreign_body import build_body

WITHIN = 0.01
"""Of the largest value: what a split system may differ from the whole."""

SEA = """
environment: {current: [{z: 0, velocity: [-1.5, 0.2, 0]}]}
types: {rope: {diameter: 0.04, density: 1400, axial_stiffness: 2e5}}
"""
TIME = "simulation: {duration: 10, step: 0.01, output_every: 0.5, start: statics}\n"
# two floats towed side by side, each on a line of its own; they are told to move across
FLOAT = "{{kind: controlled, position: [-40, {y}, -1]{motion}}}"
LINE = "{{type: rope, length: 45, elements: 8, start: {ship}, end: {end}}}"
MOTION = ", follow: filtered, motion: {harmonic: {amplitude: [0, 1.5, 0], period: 20, ramp: 4}}"
RGPS = """
signals:
  port.position: {unit: m, base: [-40, 10, -1], harmonic: {amplitude: [0, 1.5, 0], period: 20, ramp: 4}}
  starboard.position: {unit: m, base: [-40, -10, -1], harmonic: {amplitude: [0, 1.5, 0], period: 20, ramp: 4}}
"""


def side(name: str, y: float, motion: str = "") -> str:
    points = f"points:\n  ship: {{kind: fixed, position: [0, 0, 0]}}\n  {name}: {FLOAT.format(y=y, motion=motion)}\n"
    return f"{SEA}{points}cables: {{line: {LINE.format(ship='ship', end=name)}}}\n{TIME}"


def both() -> str:
    points = "".join(
        f"  {name}: {FLOAT.format(y=y, motion=MOTION)}\n" for name, y in (("port", 10), ("starboard", -10))
    )
    cables = "".join(f"  {name}_line: {LINE.format(ship='ship', end=name)}\n" for name in ("port", "starboard"))
    return f"{SEA}points:\n  ship: {{kind: fixed, position: [0, 0, 0]}}\n{points}cables:\n{cables}{TIME}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Two sides and the generator of their positions; both sides as FMUs, made once."""
    place = tmp_path_factory.mktemp("cosim")
    (place / "rgps.yaml").write_text(RGPS)
    for name, y, version in (("port", 10.0, "3.0"), ("starboard", -10.0, "2.0")):
        (place / f"{name}.yaml").write_text(side(name, y))
        export(place / f"{name}.yaml", place / f"{name}.fmu", version, targets=[link.host()])
    return place


def three(**changes: object) -> Setup:
    return Setup.model_validate(
        {
            "title": "two sides and their commands", "step": 0.02, "duration": 10, "output_every": 0.5,
            "fmus": {"rgps": "rgps.yaml", "port": "port.fmu", "starboard": "starboard.fmu"},
            "connections": {"rgps.port.position": "port.port.position",
                            "rgps.starboard.position": "starboard.starboard.position"},
            **changes,
        }
    )  # fmt: skip


def assert_within(shown: xr.DataArray, expected: np.ndarray) -> None:
    assert shown.shape == expected.shape
    assert np.abs(shown.to_numpy() - expected).max() <= WITHIN * np.abs(expected).max()


def test_two_sides_and_a_generator_give_what_the_whole_gives(folder):
    """The set-up of Skjong et al., Fig. 9, in small: FMI 2 and 3, an FMU and files made into FMUs on the fly."""
    outcome = run_setup(three(fmus={"rgps": "rgps.yaml", "port": "port.yaml", "starboard": "starboard.fmu"}), folder)
    assert outcome.status == "complete"
    whole = Simulation(load_text(both(), "both.yaml")).run()
    force = whole.force_end
    for name in ("port", "starboard"):
        assert_within(
            outcome.result[f"{name}.line.force_start"], force.sel(cable=f"{name}_line", end="start").to_numpy()
        )
        place = whole.point_position.sel(point=name).to_numpy()
        assert_within(outcome.result[f"{name}.{name}.position_reached"], place)
    assert np.abs(force.sel(cable="port_line").to_numpy()[-1] - force.sel(cable="port_line").to_numpy()[0]).max() > 10


def test_side_by_side_or_one_after_the_other_the_numbers_are_the_same(folder):
    results = [run_setup(three(parallel=parallel, duration=2), folder).result for parallel in (True, False)]
    assert results[0].drop_attrs().identical(results[1].drop_attrs())


def test_a_body_made_by_others_hangs_in_our_cables_as_in_one_system(tmp_path):
    """Two cables and the body between them as three FMUs, the body in C by the headers of the standard.

    It is let go a little above where it would rest.
    """
    ends = {"left": ([-30, 0, 0], 31.5), "right": ([28, 6, 0], 30.0)}
    sea = SEA.replace("axial_stiffness: 2e5", "axial_stiffness: 4e5, damping_time: 0.05")
    time = "simulation: {start: catenary, duration: 3, step: 0.001, output_every: 0.1}\n"

    def model(names: tuple[str, ...], middle: str) -> str:
        points = "".join(f"  {n}: {{kind: fixed, position: {ends[n][0]}}}\n" for n in names)
        cables = "".join(
            f"  {n}: {{type: rope, length: {ends[n][1]}, elements: 8, start: {n}, end: M, allow_stretch: true}}\n"
            for n in names
        )
        return f"{sea}points:\n{points}  M: {middle}\ncables:\n{cables}{time}"

    free = "{{kind: free, position: {place}, mass: 2000}}"
    rest = load_text(model(tuple(ends), free.format(place=[0, 0, -9])), "rest.yaml").with_settings(start="statics")
    place = [round(float(x), 3) for x in Simulation(rest).outputs()["M.position"] + (0.05, 0.03, 0.1)]
    for n in ends:
        held = f"{{kind: controlled, position: {place}, cutoff: 200}}"
        (tmp_path / f"{n}.yaml").write_text(model((n,), held))
    build_body(tmp_path, (0.0, 0.0, 0.0))
    setup = Setup.model_validate(
        {
            "step": 0.001, "duration": 3, "output_every": 0.1,
            "fmus": {"left": "left.yaml", "right": "right.yaml",
                     "body": {"file": "body.fmu", "start": {"mass": 2000, "position": place}}},
            "connections": {"left.left.force_end": "body.force_a", "right.right.force_end": "body.force_b",
                            "body.position": ["left.M.position", "right.M.position"]},
        }
    )  # fmt: skip
    outcome = run_setup(setup, tmp_path)
    assert outcome.status == "complete"
    whole = Simulation(load_text(model(tuple(ends), free.format(place=place)), "whole.yaml")).run()
    moved = whole.point_position.sel(point="M").to_numpy()
    assert np.ptp(moved[:, 2]) > 0.1
    assert_within(outcome.result["body.position"], moved)
    assert_within(outcome.result["left.left.force_end"], whole.force_end.sel(cable="left", end="end").to_numpy())


def test_start_values_and_single_coordinates_can_be_given(folder):
    setup = three(
        duration=1,
        fmus={
            "rgps": "rgps.yaml",
            "port": {"file": "port.yaml",
                     "start": {"types.rope.density": 1600, "environment.current[0].velocity": [0, 1, 0]}},
            "starboard": {"file": "starboard.fmu", "start": {"starboard.position.z": -2}},
        },
        connections={"rgps.port.position.y": ["port.port.position.y", "starboard.starboard.position.y"]},
        outputs=["port.port.position_reached", "starboard.starboard.position_reached.z"],
    )  # fmt: skip
    result = run_setup(setup, folder).result
    assert list(result.data_vars) == ["port.port.position_reached", "starboard.starboard.position_reached.z"]
    assert result["port.port.position_reached"].dims == ("time", "axis")
    assert result["starboard.starboard.position_reached.z"].to_numpy()[-1] == pytest.approx(-2, abs=0.1)


def test_results_go_to_netcdf_and_to_csv(folder, tmp_path):
    result = run_setup(three(duration=1), folder).result
    save(result, tmp_path / "out.nc")
    with xr.open_dataset(tmp_path / "out.nc", engine="h5netcdf") as stored:
        assert stored["port.line.force_start"].attrs["units"] == "N"
        assert stored.attrs["status"] == "complete"
        assert np.array_equal(stored["port.line.force_start"], result["port.line.force_start"])
    save(result, tmp_path / "out.csv")
    head, *rows = (tmp_path / "out.csv").read_text().splitlines()
    assert head.startswith("time [s],")
    assert "port.line.force_start.x [N]" in head.split(",")
    assert [len(row.split(",")) for row in rows] == [len(head.split(","))] * 3


def test_the_result_is_one_of_a_run_for_those_who_draw_and_report_it(folder, tmp_path, monkeypatch):
    """Cables and points of both FMUs, each with the name of its FMU where two have the same."""
    sides = {name: f"{name}.yaml" for name in ("rgps", "port", "starboard")}
    outcome = run_setup(three(duration=2, fmus=sides), folder)
    save(outcome.result, tmp_path / "out.nc")
    result = open_result(tmp_path / "out.nc")
    assert list(result.cable.to_numpy()) == ["port.line", "starboard.line"]
    assert list(result.point.to_numpy()) == ["port.ship", "port", "starboard.ship", "starboard"]
    whole = Simulation(load_text(both(), "both.yaml")).run(duration=2)
    for name in ("port", "starboard"):
        cable, own = f"{name}.line", f"{name}_line"
        for field in ("position", "velocity", "tension_effective", "contact_force", "force_end"):
            assert_within(result[field].sel(cable=cable), whole[field].sel(cable=own).to_numpy())
        assert np.allclose(result.arc_length.sel(cable=cable), whole.arc_length.sel(cable=own))
        assert_within(result.point_position.sel(point=name), whole.point_position.sel(point=name).to_numpy())
    assert (result.point_position.sel(point="port.ship") == 0).all()
    assert_within(result.tension_max, whole.tension_max.to_numpy())
    assert "port.line.position" not in result, "what stands along cables is not kept twice"
    monkeypatch.setattr("fairlead.view.report.report.FIGURES", ())  # figures have tests of their own
    kinds = ("--kind", "geometry", "--kind", "tension_history")
    commands = (("plot", "pictures", kinds), ("view", "replay.html", ("--no-open",)),
                ("report", "report.html", ("--no-open",)))  # fmt: skip
    for name, output, options in commands:
        done = CliRunner().invoke(main, [name, str(tmp_path / "out.nc"), "-o", str(tmp_path / output), *options])
        assert done.exit_code == 0, (name, done.output, done.exception)
    assert {"geometry.png", "tension_history.png"} <= {path.name for path in (tmp_path / "pictures").iterdir()}


def test_an_fmu_of_fmi_2_shows_its_shape_when_asked(folder, tmp_path):
    """Taken apart into numbers there, put together here."""
    export(folder / "port.yaml", tmp_path / "port.fmu", "2.0", outputs=["line.position"], targets=[link.host()])
    result = run_setup(three(fmus={"port": "port.fmu"}, connections={}, duration=1), tmp_path).result
    assert result.position.dims == ("time", "cable", "node", "axis")
    assert result.position.sel(cable="line").to_numpy()[0, -1] == pytest.approx([-40, 10, -1])
    assert not [name for name in result.data_vars if "[" in str(name)]


def test_it_keeps_to_the_clock(folder):
    now = [0.0]
    pacer = Pacer(2.0, clock=lambda: now[0], sleep=lambda s: now.__setitem__(0, now[0] + s))
    outcome = run_setup(three(fmus={"rgps": "rgps.yaml"}, connections={}, duration=1), folder, pacer=pacer)
    assert now[0] == pytest.approx(0.5), "1 s at twice the pace of the clock"
    assert outcome.result.attrs["real_time_steps"] == 50
    assert outcome.result.attrs["late_steps"] == 0


def test_an_fmu_that_cannot_go_on_ends_the_run_and_what_was_computed_is_kept(folder):
    table = "[[0, 0, 0, 0], [1, 0, 0, 0], [1.1, 5e8, 0, 0]]"
    (folder / "wild.yaml").write_text(f"signals: {{p: {{unit: m, base: [-40, 10, -1], table: {table}}}}}")
    setup = three(
        fmus={"wild": "wild.yaml", "port": "port.fmu"}, connections={"wild.p": "port.port.position"}, duration=5
    )
    outcome = run_setup(setup, folder)
    assert outcome.status.startswith("stopped: 'port' could not take its inputs")
    assert "port.position" in outcome.status
    assert outcome.result.time.to_numpy()[-1] == 1.0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"connections": {"rgps.prot.position": "port.port.position"}}, ["rgps.prot.position -> ", "'port.position'"]),
        ({"connections": {"rgps.port.position": "port.line.force_end"}}, ["an output, not an input"]),
        ({"connections": {"rgps.port.position": "port.port.position.x"}}, ["3 numbers cannot go into 1"]),
        ({"connections": {"port.line.force_end": "starboard.starboard.position"}}, ["gives N and takes m"]),
        ({"outputs": ["port.line.force"]}, ["outputs", "line.force"]),
        ({"fmus": {"rgps": "nowhere.fmu"}, "connections": {}}, ["fmus.rgps", "nowhere.fmu"]),
        ({"fmus": {"port": {"file": "port.fmu", "start": {"port.positoin": 1}}}, "connections": {}},
         ["fmus.port.start.port.positoin", "port.position"]),
        ({"fmus": {"port": {"file": "port.fmu", "start": {"types.rope.density": -1}}}, "connections": {}},
         ["fmus.port.start.types.rope.density", "must lie between"]),
    ],
)  # fmt: skip
def test_what_cannot_be_wired_is_named(folder, changes, words):
    with pytest.raises(CosimError) as told:
        run_setup(three(**changes), folder)
    assert all(word in str(told.value) for word in words), told.value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fmus: {}\nstep: 1\nduration: 2", [":1:", "no FMU"]),
        ("fmus: {a: a.fmu}\nstep: 1\nduration: 2.5", [":3:", "whole number of steps"]),
        ("fmus: {a: a.fmu}\nstep: 1\nduration: 2\nconnections: {b.x: a.y}", [":4:", "'b.x' begins with no name"]),
        ("fmus: {a: a.fmu}\nstep: 1\nduration: 2\nconnections: {a.x: a.y, a.z: a.y}", ["already gets its value"]),
        ("fmus: {a: a.fmu}\nstep: 1\nduraton: 2", ["duraton", "duration"]),
    ],
)
def test_mistakes_in_the_file_have_a_line_and_a_cure(text, words, tmp_path):
    (tmp_path / "setup.yaml").write_text(text)
    with pytest.raises(ModelError) as told:
        load_setup(tmp_path / "setup.yaml")
    assert all(word in str(told.value) for word in words), told.value
