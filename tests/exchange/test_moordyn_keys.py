"""Every key of points and bodies on its way into a MoorDyn file: written, told or refused, and never passed over."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from fairlead.exchange import ExportError, write_moordyn
from fairlead.exchange.moordyn import keys_going_out as keys
from fairlead.exchange.moordyn.opening import from_text
from fairlead.exchange.notes import Notes
from fairlead.model import System, load, load_text
from fairlead.model.body_kinds import BODY_KINDS
from fairlead.model.points import POINT_KINDS

EXAMPLES = Path(__file__).parents[2] / "examples"
MOORING = """
types:
  chain: {diameter: 0.09, mass_per_length: 78, axial_stiffness: 3e8, drag: {normal: 2.4, axial: 0.3}}
  pipe: {diameter: 0.3, mass_per_length: 140, axial_stiffness: 3e7, bending_stiffness: 1e6, drag: {normal: 1, axial: 0}}
points:
  anchor: {kind: fixed, position: [260, 0, bed]}
  bow: {kind: controlled, position: [0, 0, -5]}
bodies:
  buoy: {kind: free, mass: 2000, inertia: [900, 900, 900], volume: 4, position: [-100, 0, -5],
         attachments: {eye: [0, 0, -1]}}
cables:
  line1: {type: chain, length: 288, elements: 24, start: anchor, end: bow}
  line2: {type: pipe, length: 120, elements: 12, start: bow, end: buoy.eye}
environment: {seabed: {depth: 80}}
simulation: {duration: 10, step: 0.02}
"""

BEGIN = "import moordyn as m; s = m.Create('lines.txt'); m.Init(s, [0, 0, -5.0], [0, 0, 0]); m.Close(s)"


def told(changes):
    notes = Notes()
    files = write_moordyn(load_text(MOORING).with_values(changes), None, notes)
    return files, {note.what: (note.kind, note.why) for note in notes}


@pytest.mark.parametrize(
    ("kinds", "fates"), [(POINT_KINDS, keys.POINTS), (BODY_KINDS, keys.BODIES)], ids=["points", "bodies"]
)
def test_no_key_of_a_kind_that_goes_out_is_forgotten(kinds, fates):
    for kind, given in fates.items():
        assert set(given) == set(kinds[kind].model_fields), kind
    assert set(keys.SYSTEM) == set(System.model_fields)
    assert set(kinds) - set(fates) <= {"floating", "passive", "hybrid", "sliding"}


@pytest.mark.parametrize("name", ["floating_spar/spar.yaml", "moored_barge/barge.yaml"])
def test_floating_bodies_are_refused(name):
    with pytest.raises(ExportError, match=r"bodies\.\w+: a floating body, given by hydrodynamic coefficients"):
        write_moordyn(load(EXAMPLES / name), waves=[])


WIND = {"environment.wind": {"velocity": [10, 0, 0]}}


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"bodies.buoy.metacentric_height": [1, 1]}, "bodies.buoy.metacentric_height: MoorDyn does not know where"),
        ({"bodies.buoy.wind": {"area": 3}} | WIND, "bodies.buoy.wind: MoorDyn knows no wind"),
        ({"bodies.buoy.added_inertia": [1, 1, 1]}, "bodies.buoy.added_inertia: MoorDyn has added mass"),
        ({"bodies.buoy.centre_of_buoyancy": [0, 0, 1]}, "bodies.buoy.centre_of_buoyancy: MoorDyn has it at the centre"),
    ],
)
def test_what_would_make_another_system_is_refused(changes, named):
    with pytest.raises(ExportError) as caught:
        told(changes)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "kind"),
    [
        ("bodies.buoy.velocity", [1, 0, 0], "dropped"),
        ("bodies.buoy.footprint", 2.0, "dropped"),
        ("points.bow.velocity", [1, 0, 0], "dropped"),
        ("points.bow.motion", {"harmonic": {"amplitude": [1, 0, 0], "period": 9}}, "dropped"),
        ("inputs", {"bow.position": {"table": [[0, 0, 0, -5], [9, 1, 0, -5]]}}, "dropped"),
    ],
)
def test_what_is_left_out_is_told(path, value, kind):
    _, before = told({})
    _, after = told({path: value})
    (what,) = set(after) - set(before)
    assert what == (path if path != "inputs" else "inputs.bow.position")
    assert after[what][0] == kind


def test_a_body_keeps_its_buoyancy_there_unless_it_does_here():
    keeps = "keeps all its buoyancy and drag where it comes out of the water"
    assert told({})[1]["bodies.buoy"][1] == f"{keeps} and no seabed holds it up"
    assert told({"bodies.buoy.always_wet": True})[1]["bodies.buoy"][1] == "no seabed holds it up"
    assert "bodies.buoy.wind" not in told({"bodies.buoy.wind": {"area": 3}})[1]  # there is none


def test_damping_of_a_body_goes_out_and_comes_in_again():
    damping = {"linear": [10, 20, 30, 0, 0, 0], "quadratic": [1, 2, 3, 4, 0, 0]}
    files, notes = told({"bodies.buoy.damping": damping})
    assert "1  Body1  0.0|0.0|0.0  10.0|20.0|30.0  1.0|2.0|3.0  L" in files[""]
    again = from_text(files[""], "again.txt").system.bodies["body1"].damping
    assert (again.linear, again.quadratic) == ((10, 20, 30, 0, 0, 0), (1, 2, 3, 0, 0, 0))
    assert notes["bodies.buoy.damping"][0] == "changed"
    assert notes["bodies.buoy.damping about the axes"][0] == "dropped"


@pytest.mark.parametrize(
    ("bed", "z"),
    [
        ({"depth": 80}, -79.955),
        ({"depth": 80, "slope": [0.05, 0]}, -66.955),
        ({"bathymetry": {"x": [0, 260, 400], "y": [-9, 9], "depth": [[80, 80], [70, 70], [60, 60]]}}, -69.955),
    ],
    ids=["flat", "slope", "bathymetry"],
)
def test_anchors_lie_on_the_bed_of_moordyn(bed, z):
    """It meets the axis of a line and ours its skin: half a diameter higher, or MoorDyn would deepen its water."""
    files, _ = told({"environment.seabed": bed, "cables.line2.type": "chain"})
    row = next(row.split() for row in files[""].splitlines() if " Fixed " in row)
    assert [float(cell) for cell in row[2:5]] == pytest.approx([260, 0, z], abs=1e-9)
    if set(bed) == {"depth"}:
        again = from_text(files[""], "again.txt")
        assert again.system.environment.seabed.depth == 80
        assert not [note for note in again.notes if note.kind == "doubtful" and "depth" in note.why]


def test_a_point_below_the_bed_is_told():
    assert told({"points.anchor.position": [260, 0, -82]})[1]["points.anchor"][0] == "changed"
    assert "points.anchor" not in told({})[1]


def test_a_weight_on_what_bends_makes_a_hinge():
    weight = [{"at": 60, "mass": 100, "added_mass": 40}]
    _, notes = told({"cables.line2.attachments": weight})
    assert notes["cables.line2"] == ("changed", "turns freely there, and bends on here: at 60 m, where a weight hangs")
    assert notes["cables.line2.attachments[0].added_mass"][0] == "dropped"
    _, notes = told({"cables.line2.attachments": weight, "cables.line2.type": "chain"})
    assert "turns freely" not in notes["cables.line2"][1]
    _, notes = told({"cables.line2.attachments": [{"at": 60, "mass": 100, "volume": 0.1, "added_mass": 40}]})
    assert "cables.line2.attachments[0].added_mass" not in notes


def test_a_clamp_at_what_is_moved_needs_six_numbers():
    clamp = {"point": "bow", "joint": "clamp", "direction": [-1, 0, -1]}
    _, notes = told({"cables.line2.start": clamp})
    assert "six numbers and not the three of the point 'bow'" in notes["cables.line2.start"][1]
    assert "cables.line2.start" not in told({})[1]


def test_damping_of_bending_is_told_of_what_bends():
    damping = {"axial": 0.01, "bending": 0.1, "torsion": 0}
    assert told({"types.pipe.damping_time": damping})[1]["types.pipe.damping_time"][1].endswith("bending is not damped")
    assert "types.chain.damping_time" not in told({"types.chain.damping_time": damping})[1]


@pytest.mark.skipif(importlib.util.find_spec("moordyn") is None, reason="moordyn is not installed")
def test_moordyn_c_passes_over_external_loads_and_keeps_its_depth(tmp_path):
    files, _ = told({"bodies.buoy.damping": {"linear": [10, 20, 30, 0, 0, 0]}})
    (tmp_path / "lines.txt").write_text(files[""])
    done = subprocess.run([sys.executable, "-c", BEGIN], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "ater depth" not in done.stdout + done.stderr
