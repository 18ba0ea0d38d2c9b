"""A system as a MoorDyn file and back, and its channels over time as MoorDyn's table."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import numpy as np
import pytest

from fairlead.exchange import ExportError, read_moordyn, write_moordyn
from fairlead.exchange.moordyn.channels import Channels, write_channels
from fairlead.exchange.moordyn.opening import from_text
from fairlead.exchange.notes import Notes
from fairlead.model import System
from fairlead.sea.waves import wave_components

from .decks import OLD, PINS, RODS, SPREAD

FREE_BODY = SPREAD.replace(
    "1 Coupled 0 0 -10 10 20 0 0 0 0 0 0 0", "1 Free 0 0 -10 10 20 5 4e4 1|0|0.5 1e6|2e6|2.5e6 20 1|2|3|4|5|6 0.5|0.1|1"
)
RELEASE = SPREAD.replace(
    "---------------------- SOLVER", "--- FAILURE ---\nID Point Lines Time Ten\n(-)\n1 4 2,3 30 0\n--- SOLVER"
)
SHEDDING = SPREAD.replace("1.6 1.0 0.1 0.0", "1.6 1.0 0.1 0.0 0.7 0.05 0.2")
GUESS = {"point4": (-101.0, 1.0, -51.0), "point2": (55.0, 0.0, -35.0)}
PULL = """
import json, sys, moordyn
system = moordyn.Create(sys.argv[1])
x = json.loads(sys.argv[2])
moordyn.Init(system, x, [0.0] * len(x))
lines = [moordyn.GetLine(system, i + 1) for i in range(moordyn.GetNumberLines(system))]
ends = [[moordyn.GetLineNodeTen(line, i) for i in (0, moordyn.GetLineN(line))] for line in lines]
print("pulls", json.dumps(ends))
moordyn.Close(system)
"""


@pytest.mark.parametrize(
    "deck", [SPREAD, FREE_BODY, RELEASE, SHEDDING], ids=["spread", "free body", "release", "vortices"]
)
def test_in_and_out_and_in_again_is_the_same_system(deck):
    first = from_text(deck, "first.txt").system
    text = write_moordyn(first, GUESS)[""]
    second = from_text(text, "second.txt").system
    assert second == first
    assert write_moordyn(second, GUESS)[""] == text


def test_another_diameter_of_drag_goes_out_in_the_coefficients():
    """The same drag and lift a metre and the same frequencies in Hz come in again, on the one diameter of MoorDyn."""
    first = from_text(SHEDDING, "first.txt").system.with_values({"types.chain.drag_diameter": 0.27})
    here = first.types["chain"]
    there = from_text(write_moordyn(first, GUESS)[""], "second.txt").system.types["chain"]
    assert (here.drag_diameter, there.drag_diameter) == (0.27, 0.09)
    assert (there.diameter, there.added_mass) == (here.diameter, here.added_mass)
    for of in (lambda t: t.drag.normal, lambda t: t.drag.axial, lambda t: t.vortices.lift):
        assert of(there) * there.drag_diameter == pytest.approx(of(here) * here.drag_diameter)
    for of in (lambda t: t.vortices.frequency, lambda t: t.vortices.band):
        assert of(there) / there.drag_diameter == pytest.approx(of(here) / here.drag_diameter)


def test_rods_go_out_and_come_in_again_as_they_are_held():
    """One on a pin, one on a free body that is turned; what belongs to no line is written as rods alone."""
    first = from_text(PINS, "first.txt").system
    text = write_moordyn(first)[""]
    rows = [row.split() for row in text.splitlines()]
    assert ["1", "rod1", "Pinned", "60.0", "0.0", "-40.0", "60.0", "0.0", "-36.0", "4", "-"] in rows
    (on_body,) = (row for row in rows if row[1:3] == ["rod2", "Body1"])
    assert [float(x) for x in on_body[3:9]] == pytest.approx([1, 0, 0, 3, 0, 0], abs=1e-9)
    second = from_text(text, "second.txt").system
    assert second.joints == first.joints
    for name, rod in first.bodies.items():
        again = second.bodies[name]
        for key in ("mass", "inertia", "drag_area", "added_mass", "position"):
            assert getattr(again, key) == pytest.approx(getattr(rod, key), rel=1e-9, abs=1e-9)
        assert again.strips == rod.strips
    hinged = first.model_copy(update={"joints": {"x": first.joints["rod1"].model_copy(update={"kind": "fixed"})}})
    with pytest.raises(ExportError, match=r"joints\.x: MoorDyn knows rods on pins"):
        write_moordyn(hinged)


def test_the_bed_is_moved_there_and_back():
    text = write_moordyn(from_text(SPREAD, "x").system, GUESS)[""]
    assert "100.0  WtrDpth" in text


def test_a_current_is_a_file_of_its_own():
    system = from_text(SPREAD, "x").system.with_values({"environment.current": [{"z": 0, "velocity": [1, 0, 0]}]})
    files = write_moordyn(system, GUESS)
    assert "1  Currents" in files[""]
    assert files["current_profile.txt"].splitlines()[3:] == ["0.0 1.0 0.0 0.0"]


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("types.chain.drag", "reynolds", "types.chain.drag: MoorDyn takes constant coefficients"),
        ("types.chain.growth", [[0, 0.05, 1300]], "types.chain.growth: MoorDyn knows no marine growth"),
        ("cables.line1.attachments", [{"at": 0, "mass": 10}], "cables.line1.attachments[0]: hangs at an end"),
        ("cables.line1.winch", {"end": "end", "rate": 0.1}, "cables.line1: 'winch' cannot be said in a row of MoorDyn"),
        ("points.point5",
         {"kind": "passive", "position": [-5, 0, -10], "mass": 9, "shape": {"sphere": {"diameter": 1}}},
         "points.point5: a point of kind 'passive' is unknown to MoorDyn"),
    ],
)  # fmt: skip
def test_what_moordyn_cannot_hold_is_refused_by_name(path, value, named):
    system = from_text(SPREAD, "x").system.with_values({path: value})
    with pytest.raises(ExportError) as caught:
        write_moordyn(system, GUESS)
    assert named in str(caught.value)


def test_what_moordyn_does_without_is_told_and_left_out():
    system = from_text(SPREAD, "x").system.with_values({"types.chain.torsional_stiffness": 1e4})
    notes = Notes()
    write_moordyn(system, GUESS, notes)
    told = [("dropped", "types.chain.torsional_stiffness"), ("changed", "points.point4")]  # it has a volume
    assert [(note.kind, note.what) for note in notes] == told


BEND = RODS.replace("1 Fixed 90 0 -60", "1 Fixed 90 0 -58")
SEABED = {"bathymetry": {"x": [-400, 0, 400], "y": [-50, 50], "depth": [[101, 101], [100, 99], [102, 102]]},
          "depth": 605 / 6, "stiffness": 3e6, "damping": 3e5}  # fmt: skip
WAVES = {"kind": "components", "table": [[1.5, 10.0, 30.0, 20.0], [0.5, 6.0, -45.0, 250.0]]}
FIELDS = {
    "over time": {"t": [0, 10], "z": [-100, 0], "velocity": [[0.1, 0, 0], [0.5, 0.1, 0], [0.2, 0, 0], [0.6, 0.2, 0]]},
    "in space": {"t": [0, 10], "x": [0, 50], "y": [0], "z": [-9], "velocity": [[v, 0, 0] for v in (1, 2, 3, 4)]},
}  # fmt: skip


@pytest.mark.parametrize(
    ("deck", "changes"),
    [
        (SPREAD, {"environment.waves": WAVES}),
        (SPREAD, {"environment.seabed": SEABED}),
        (SPREAD, {"environment.current_field": FIELDS["over time"]}),
        (SPREAD, {"environment.current_field": FIELDS["in space"]}),
        (BEND, {}),
    ],
    ids=["waves", "bathymetry", "current over time", "current in space", "clamp and rods without length"],
)
def test_files_beside_it_come_in_again(deck, changes, tmp_path):
    """What came in of a MoorDyn file with files beside it goes out into such files, and comes in as it was."""
    first = _again(from_text(deck, "first.txt").system.with_values(changes), tmp_path)
    second = _again(first, tmp_path)
    assert second == first
    for path in changes:
        given, kept = (numbers_in(one.with_values({}).model_dump(), path) for one in (
            from_text(deck, "first.txt").system.with_values(changes), first))  # fmt: skip
        np.testing.assert_allclose(kept, given, rtol=1e-9, atol=1e-9)


def numbers_in(data, path):
    """All numbers below a key, in their order."""
    for key in path.split("."):
        data = data[key]

    def walk(value):
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, (list, tuple)):
            return [number for one in value for number in walk(one)]
        return [value] if isinstance(value, (int, float)) and not isinstance(value, bool) else []

    return walk(data)


def _again(system, folder):
    """The system as it comes in from the files it goes out to."""
    for name, text in write_moordyn(system, GUESS, waves=wave_components(system.environment)).items():
        (folder / (name or "lines.txt")).write_text(text)
    return read_moordyn(folder / "lines.txt").system


def test_sections_and_weights_are_lines_with_points_between():
    """A chain with a rope behind it and a clump weight: three lines, two free points, the weight on one of them."""
    system = from_text(SPREAD, "x").system
    parts = [{"type": "chain", "length": 200, "elements": 10}, {"type": "rope", "length": 130, "elements": 5}]
    hung = [{"at": 60, "mass": 900, "volume": 0.1}]
    line = {"sections": parts, "start": "point1", "end": "body1.point2", "attachments": hung}
    system = system.with_values({"cables.line1": line})
    notes = Notes()
    again = from_text(write_moordyn(system, GUESS, notes)[""], "second.txt").system
    cables = [again.cables[f"line{i}"] for i in (1, 2, 3)]
    found = [(cable.type, cable.length, cable.elements) for cable in cables]
    assert found == [("chain", 60, 3), ("chain", 140, 7), ("rope", 130, 5)]
    clump, joint = (again.points[cable.end.point] for cable in cables[:2])
    assert (clump.kind, clump.mass, clump.volume, joint.mass) == ("free", 900, 0.1, 0)
    assert "as 3 lines, joined by free points" in [note.why for note in notes]


@pytest.fixture(scope="module")
def result(dataset):
    """The two sinking cables under the names that an imported system has; positions as the result has them."""
    cables = {
        name: {"type": "rope", "length": float(dataset["arc_length"].sel(cable=old).max()),
               "elements": int(dataset["node_count"].sel(cable=old)) - 1, "start": a, "end": b, "allow_stretch": True}
        for name, old, (a, b) in zip(("line1", "line2"), dataset["cable"].values, (("point1", "point2"),
                                     ("point2", "point3")), strict=True)
    }  # fmt: skip
    system = System.model_validate(
        {
            "types": {"rope": {"diameter": 0.05, "mass_per_length": 5, "axial_stiffness": 1e6}},
            "points": {"point1": {"kind": "fixed", "position": [0, 0, 0]}, "point2": {"kind": "free"},
                       "point3": {"kind": "fixed", "position": [0, 500, 0]}},
            "cables": cables,
            "simulation": {"duration": 1, "step": 0.1},
        }
    )  # fmt: skip
    named = dataset.assign_coords(cable=["line1", "line2"])
    return named.assign_attrs(settings=system.model_dump_json(exclude_unset=True))


def test_channels_are_those_of_the_result(result, tmp_path):
    unknown = write_channels(result, tmp_path / "x.out", ["FairTen1", "l1n2pZ", "Point2Fx", "Line2NBPY", "Sausage9"])
    assert unknown == ["Sausage9"]
    titles, units, *rows = (tmp_path / "x.out").read_text().splitlines()
    assert titles.split() == ["Time", "FairTen1", "l1n2pZ", "Point2Fx", "Line2NBPY"]
    assert units.split() == ["(s)", "(N)", "(m)", "(N)", "(m)"]
    table = np.array([[float(word) for word in row.split()] for row in rows])
    np.testing.assert_allclose(table[:, 0], result["time"])
    np.testing.assert_allclose(table[:, 2], result["position"].values[:, 0, 2, 2], rtol=1e-6)
    pull = result["force_end"].values[:, 0, 1, 0] + result["force_end"].values[:, 1, 0, 0]
    np.testing.assert_allclose(table[:, 3], pull, rtol=1e-6, atol=1e-6)


def test_the_tension_at_an_end_is_that_of_the_element_there(result):
    values, _ = Channels(result).series("FAIRTEN1")
    count = int(result["node_count"].values[0])
    a, b = (result["position"].values[:, 0, i] for i in (count - 2, count - 1))
    length = np.diff(result["arc_length"].values[0, count - 2 : count])[0]
    stretched = np.linalg.norm(b - a, axis=1) / length - 1
    np.testing.assert_allclose(values, np.maximum(0, 1e6 * stretched))
    pull, _ = Channels(result, tension="end").series("FAIRTEN1")
    np.testing.assert_allclose(pull, np.linalg.norm(result["force_end"].values[:, 0, 1], axis=1))


def test_a_number_stands_for_all_sections_of_its_cable(result):
    """`line1` of two sections ends where its second one does."""
    system = json.loads(result.attrs["settings"])
    line = system["cables"]["line1"]
    length, count = line.pop("length"), line.pop("elements")
    kind, first = line.pop("type"), count // 2
    parts = [(first, length * first / count), (count - first, length * (count - first) / count)]
    line["sections"] = [{"type": kind, "length": part, "elements": number} for number, part in parts]
    split = result.assign_attrs(settings=json.dumps(system))
    for channel in ("FAIRTEN1", "ANCHTEN1", f"L1N{count}PZ"):
        np.testing.assert_allclose(Channels(split).series(channel)[0], Channels(result).series(channel)[0], rtol=1e-9)


@pytest.mark.skipif(importlib.util.find_spec("moordyn") is None, reason="moordyn is not installed")
def test_moordyn_finds_the_same_tensions_in_the_file_written(tmp_path):
    """To 0.1 %, from where it settles in either file."""
    settle = "400 TmaxIC\n1e-5 threshIC\n1.0 dtIC\n"
    deck = SPREAD.replace("7     banana  - nobody knows\n", settle).replace(" 0.3 FrictionCoefficient", "")
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text(deck)
    system = from_text(deck, "first.txt").system
    written = write_moordyn(system, {"point4": (-100, 0, -50)})[""]
    lines = [row for row in written.splitlines() if not row.endswith(("TmaxIC", "threshIC", "dtIC"))]
    lines.insert(next(i for i, row in enumerate(lines) if "OPTIONS" in row) + 1, settle.strip())
    second.write_text("\n".join(lines) + "\n")
    coupled = [0, 0, -10, np.radians(10), np.radians(20), 0, -5, 0, -10]
    first_pull, second_pull = (_pulls(file, coupled) for file in (first, second))
    assert first_pull.shape == (3, 2)
    assert first_pull.max() > 1e4
    np.testing.assert_allclose(second_pull, first_pull, rtol=1e-3, atol=1.0)  # line 2 lies slack at its anchor


def _pulls(file, coupled) -> np.ndarray:
    """Tensions at both ends of each line by MoorDyn, in a process of its own."""
    command = [sys.executable, "-c", PULL, str(file), json.dumps([float(x) for x in coupled])]
    done = subprocess.run(command, capture_output=True, text=True, cwd=file.parent, check=True)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("pulls")]
    return np.linalg.norm(np.array(json.loads(line.removeprefix("pulls"))), axis=2)


def test_old_files_are_written_anew():
    system = from_text(OLD, "old.dat").system
    with pytest.raises(ExportError, match="loads: a MoorDyn file cannot hold this"):
        write_moordyn(system, GUESS)
    plain = from_text(OLD.replace("0 0 2 0 0\n", "0 0 0 0 0\n"), "old.dat").system
    assert from_text(write_moordyn(plain, GUESS)[""], "new.txt").system == plain
