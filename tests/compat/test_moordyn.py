"""MoorDyn's Python module, moved by Fairlead: order, units, signs and errors of its calls, against hand sums."""

from __future__ import annotations

import importlib
import math
from pathlib import Path

import numpy as np
import pytest

import fairlead.compat.moordyn as moordyn
from fairlead.exchange import Reading
from fairlead.exchange.moordyn.opening import read_moordyn
from fairlead.exchange.moordyn.segment_tension import segment_tension
from fairlead.simulate import Simulation

DENSITY, GRAVITY = 1000.0, 9.81
MASS, DIAMETER, EA = 60.0, 0.1, 2.0e7
WEIGHT = (MASS - DENSITY * math.pi / 4.0 * DIAMETER**2) * GRAVITY
"""Of a metre of line in water, N."""

DECK = f"""\
A body, a point and three lines
---------------------- LINE TYPES ----------------------
Name  Diam  Mass/m  EA  BA/-zeta  EI  Cd  Ca  CdAx  CaAx
(-)   (m)   (kg/m)  (N) (N-s/-) (N-m^2) (-) (-) (-) (-)
rope  {DIAMETER} {MASS} {EA} -0.5 0 1.2 1.0 0.1 0.0
---------------------- BODIES ----------------------
ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca
(#) (-) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)
1 Coupled 0 0 -10 0 0 0 0 0 0 0 0 0
---------------------- POINTS ----------------------
ID Attachment X Y Z M V CdA CA
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed   100   0 -120 0 0 0 0
2 Body1     5   0    0 0 0 0 0
3 Fixed     0 100 -120 0 0 0 0
4 Body1     0   5   -2 0 0 0 0
5 Fixed  -100   0 -120 0 0 0 0
6 Vessel  -40   0  -20 0 0 0 0
---------------------- LINES ----------------------
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(-) (-) (-) (-) (m) (-) (-)
1 rope 1 2 148 6 -
2 rope 3 4 146 6 -
3 rope 5 6 118 6 -
---------------------- OPTIONS---------------
0.001  dtM
{DENSITY} WtrDnsty
{GRAVITY} g
300    WtrDpth
60     TmaxIC
--------------------- need this line ----------------
"""
AT_REST = [0.0, 0.0, -10.0, 0.0, 0.0, 0.0, -40.0, 0.0, -20.0]
STILL = [0.0] * 9
SOFT = f"soft  {DIAMETER} {MASS} {EA / 2.0} -0.5 0 1.2 1.0 0.1 0.0\n"


@pytest.fixture
def deck(tmp_path: Path) -> str:
    path = tmp_path / "lines.txt"
    path.write_text(DECK, encoding="utf-8")
    return str(path)


@pytest.fixture
def system(deck: str) -> moordyn.MoorDyn:
    found = moordyn.Create(deck)
    assert moordyn.NCoupledDOF(found) == 9
    assert moordyn.Init(found, AT_REST, STILL) == 0
    return found


def line_of(system: moordyn.MoorDyn, number: int) -> moordyn.Line:
    return moordyn.GetLine(system, number)


def test_forces_and_moments_balance_the_weight_of_the_lines(system):
    f = np.array(moordyn.Step(system, AT_REST, STILL, 0.0, 0.0))
    anchors = sum(np.array(moordyn.GetPointForce(moordyn.GetPoint(system, k))) for k in (1, 3, 5))
    total = f[:3] + f[6:] + anchors
    assert total == pytest.approx([0.0, 0.0, -WEIGHT * (148 + 146 + 118)], rel=1e-6, abs=1.0)
    pulls = {k: np.array(moordyn.GetPointForce(moordyn.GetPoint(system, k))) for k in (2, 4, 6)}
    assert f[:3] == pytest.approx(pulls[2] + pulls[4])
    assert f[3:6] == pytest.approx(np.cross([5, 0, 0], pulls[2]) + np.cross([0, 5, -2], pulls[4]))
    assert f[6:] == pytest.approx(pulls[6])
    assert f[0] > 0.0 > f[2]
    assert f[6] < 0.0


def test_an_end_segment_pulls_less_than_the_end_by_half_its_weight(system):
    line = line_of(system, 1)
    end, tension = (np.array(call(line, 6)) for call in (moordyn.GetLineNodeForce, moordyn.GetLineNodeTen))
    half = 0.5 * WEIGHT * 148 / 6
    assert -end[2] == pytest.approx(tension[2] + half, rel=1e-5)
    assert np.linalg.norm(tension) == pytest.approx(moordyn.GetLineFairTen(line))
    low = np.array(moordyn.GetLineNodeTen(line, 0))
    assert np.hypot(*low[:2]) == pytest.approx(np.hypot(*tension[:2]), rel=1e-5)  # the same horizontal pull throughout
    assert tension[2] - low[2] == pytest.approx(5 / 6 * WEIGHT * 148, rel=1e-5)
    horizontal, vertical, _, below = moordyn.GetFASTtens(system, 3)
    assert horizontal[0] == pytest.approx(np.hypot(*end[:2]))
    assert vertical[0] == pytest.approx(-end[2])
    assert vertical[0] - below[0] == pytest.approx(WEIGHT * 148, rel=1e-5)
    assert moordyn.GetLineMaxTen(line) == moordyn.GetLineFairTen(line)


def test_ends_go_along_x_plus_v_s_and_bodies_turn_about_their_origin(deck):
    system = moordyn.Create(deck)
    roll, pitch, yaw = 0.1, -0.2, 0.3
    x = [1.0, 2.0, -11.0, roll, pitch, yaw, -41.0, 1.0, -21.0]
    moordyn.Init(system, x, STILL)
    rx, ry, rz = (
        np.array([[1, 0, 0], [0, math.cos(roll), -math.sin(roll)], [0, math.sin(roll), math.cos(roll)]]),
        np.array([[math.cos(pitch), 0, math.sin(pitch)], [0, 1, 0], [-math.sin(pitch), 0, math.cos(pitch)]]),
        np.array([[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]]),
    )
    turn = rx @ ry @ rz
    for number, arm in ((2, [5, 0, 0]), (4, [0, 5, -2])):
        place = moordyn.GetPointPos(moordyn.GetPoint(system, number))
        assert place == pytest.approx(np.array(x[:3]) + turn @ arm, abs=1e-12)
    v = [0.3, -0.2, 0.1, 0.0, 0.0, 0.05, 0.4, 0.5, -0.6]
    moordyn.Step(system, x, v, 7.0, 0.3)
    assert moordyn.GetPointPos(moordyn.GetPoint(system, 6)) == pytest.approx(np.add(x[6:], np.multiply(0.3, v[6:])))
    assert moordyn.GetPointVel(moordyn.GetPoint(system, 6)) == pytest.approx(v[6:], abs=1e-9)
    state, speed = moordyn.GetBodyState(moordyn.GetBody(system, 1))
    assert state == pytest.approx(np.add(x[:6], np.multiply(0.3, v[:6])))
    assert speed == pytest.approx(v[:6])
    place = moordyn.GetLineNodePos(line_of(system, 1), 6)
    assert np.linalg.norm(np.subtract(place, state[:3])) == pytest.approx(5.0, rel=1e-6)
    assert system.simulation.time == pytest.approx(7.3)


def test_a_step_can_be_made_again_and_a_state_kept_in_a_file(system, tmp_path):
    v = [0.0] * 6 + [1.0, 0.5, 0.2]
    before = moordyn.Serialize(system)
    first = moordyn.Step(system, AT_REST, v, 0.0, 0.4)
    moordyn.Step(system, AT_REST, STILL, 0.4, 0.4)
    moordyn.Deserialize(system, before)
    assert moordyn.Step(system, AT_REST, v, 0.0, 0.4) == first
    kept = tmp_path / "kept.state"
    moordyn.Save(system, str(kept))
    again = moordyn.Create(system.file)
    moordyn.Init_NoIC(again, AT_REST, STILL)
    moordyn.Load(again, str(kept))
    moved = [*AT_REST[:6], *np.add(AT_REST[6:], np.multiply(0.4, v[6:]))]
    assert moordyn.Step(again, moved, v, 0.4, 0.2) == moordyn.Step(system, moved, v, 0.4, 0.2)
    data = bytearray(kept.read_bytes())
    data[-3] ^= 4
    kept.write_bytes(bytes(data))
    for spoil in (lambda: moordyn.Load(again, str(kept)), lambda: moordyn.Deserialize(again, before[:7])):
        with pytest.raises(RuntimeError) as refused:
            spoil()
        assert refused.value.code == moordyn.ERRCODE_INVALID_INPUT


def test_a_line_takes_another_length_and_comes_to_rest_with_it(system, deck):
    line = line_of(system, 3)
    assert moordyn.GetLineUnstretchedLength(line) == 118.0
    moordyn.SetLineUnstretchedLength(line, 116.0)
    assert moordyn.GetLineUnstretchedLength(line) == 116.0
    f = [moordyn.Step(system, AT_REST, STILL, 0.5 * k, 0.5)[6:] for k in range(120)]
    short = Path(deck).with_name("short.txt")
    short.write_text(DECK.replace("5 6 118", "5 6 116"), encoding="utf-8")
    other = moordyn.Create(str(short))
    moordyn.Init(other, AT_REST, STILL)
    rest = np.array(moordyn.Step(other, AT_REST, STILL, 0.0, 0.0)[6:])
    assert np.mean(f[60:], axis=0) == pytest.approx(rest, rel=1e-3)


def test_a_line_takes_another_stiffness_and_others_of_its_type_do_not(system, deck):
    """As a file with a second type has it from the start; the stiffness stays when constants are built anew."""
    line, other = line_of(system, 3), line_of(system, 2)
    assert moordyn.IsLineConstantEA(line)
    assert moordyn.GetLineConstantEA(line) == EA
    moordyn.SetLineConstantEA(line, 2.0 * EA)
    moordyn.SetLineConstantEA(line, 0.5 * EA)
    assert (moordyn.GetLineConstantEA(line), moordyn.GetLineConstantEA(other)) == (0.5 * EA, EA)
    moordyn.SetLineUnstretchedLength(other, 146.0)
    f = [moordyn.Step(system, AT_REST, STILL, 0.5 * k, 0.5) for k in range(120)]
    softer = DECK.replace("---------------------- BODIES", SOFT + "---------------------- BODIES")
    soft = Path(deck).with_name("soft.txt")
    soft.write_text(softer.replace("3 rope 5 6", "3 soft 5 6"), encoding="utf-8")
    wanted = moordyn.Create(str(soft))
    moordyn.Init(wanted, AT_REST, STILL)
    rest = moordyn.Step(wanted, AT_REST, STILL, 0.0, 0.0)
    assert np.mean(f[60:], axis=0) == pytest.approx(rest, rel=1e-3, abs=20.0)
    assert rest[6] > 0.95 * moordyn.Step(system_at_rest(deck), AT_REST, STILL, 0.0, 0.0)[6], "softer"
    kind, whole = system.kind(line.row), system.kind(other.row)
    length = 118.0 / 6.0
    assert kind.ea * kind.damping_axial(length) == pytest.approx(whole.ea * whole.damping_axial(length))


def test_a_stiffness_set_before_init_is_the_one_at_rest(deck):
    early, late = moordyn.Create(deck), system_at_rest(deck)
    moordyn.SetLineConstantEA(line_of(early, 3), 0.5 * EA)
    moordyn.Init(early, AT_REST, STILL)
    moordyn.SetLineConstantEA(line_of(late, 3), 0.5 * EA)
    moordyn.Init(late, AT_REST, STILL)
    assert moordyn.Step(early, AT_REST, STILL, 0.0, 0.0) == moordyn.Step(late, AT_REST, STILL, 0.0, 0.0)


def system_at_rest(deck: str) -> moordyn.MoorDyn:
    found = moordyn.Create(deck)
    moordyn.Init(found, AT_REST, STILL)
    return found


def test_a_line_that_breaks_pulls_no_more(system):
    moordyn.BreakLine(system, 6, 3)
    moordyn.SetLineUnstretchedLength(line_of(system, 2), 145.0)  # builds the constants anew
    f = moordyn.Step(system, AT_REST, STILL, 0.0, 0.1)
    assert f[6:] == pytest.approx([0.0] * 3, abs=1e-9)
    assert f[0] > 0.0
    with pytest.raises(RuntimeError, match="line 3 does not end at point 2"):
        moordyn.BreakLine(system, 2, 3)


def test_a_system_at_rest_anew_has_all_its_lines(system):
    """A second Init forgets what was broken and which lengths were set."""
    moordyn.BreakLine(system, 6, 3)
    moordyn.SetLineUnstretchedLength(line_of(system, 2), 145.0)
    moordyn.Init(system, AT_REST, STILL)
    assert moordyn.GetLineUnstretchedLength(line_of(system, 2)) == 146.0
    moordyn.SetLineUnstretchedLength(line_of(system, 1), 147.0)
    assert moordyn.Step(system, AT_REST, STILL, 0.0, 0.1)[6] < -1e3


def test_a_state_tells_which_lines_are_broken(system):
    whole = moordyn.Serialize(system)
    moordyn.BreakLine(system, 6, 3)
    moordyn.Step(system, AT_REST, STILL, 0.0, 0.1)
    broken = moordyn.Serialize(system)
    moordyn.Deserialize(system, whole)
    assert moordyn.Step(system, AT_REST, STILL, 0.0, 0.1)[6] < -1e3
    moordyn.Deserialize(system, broken)
    assert moordyn.Step(system, AT_REST, STILL, 0.1, 0.1)[6:] == pytest.approx([0.0] * 3, abs=1e-9)


@pytest.mark.parametrize("mean", [False, True], ids=["velocity of the start", "mean velocity"])
def test_a_driven_run_is_that_of_the_same_system_in_a_file(deck, mean):
    """The vessel's point swings as a table in a model file does.

    A host that gives the velocity of each step's start has the end half an acceleration times the step's square off at
    its end, from where it jumps; one that gives the mean velocity has it on the chord. Both shake the last segment,
    whose own period is 0.1 s; what remains falls with the step.
    """
    off = [_beside_a_file(deck, step, mean) for step in (0.1, 0.05, 0.025)]
    assert off[1] < 0.5 * off[0]
    assert off[2] < 0.5 * off[1]
    assert off[2] < 0.01


def _beside_a_file(deck: str, step: float, mean: bool, omega: float = 0.4) -> float:
    """Largest difference of the tension at the vessel's end, spring and damper, as part of its range."""
    times = np.arange(round(8.0 / step) + 2) * step
    sway = 0.5 * np.sin(omega * times) ** 2  # starts without a jerk
    speed = np.diff(sway) / step if mean else 0.5 * omega * np.sin(2.0 * omega * times)
    table = [[float(t), float(s), 0.0, 0.0] for t, s in zip(times, sway, strict=True)]
    whole = read_moordyn(deck).system.with_values({"points.point6.motion": {"table": table}})
    system, other, ours, theirs = moordyn.Create(deck), Simulation(whole), [], []
    moordyn.Init(system, AT_REST, STILL)
    kind = whole.types[whole.cables["line3"].type]
    for t, s, u in zip(times[:-2], sway, speed, strict=False):
        x, v = list(AT_REST), list(STILL)
        x[6], v[6] = x[6] + s, u
        moordyn.Step(system, x, v, float(t), step)
        ours.append(moordyn.GetLineFairTen(line_of(system, 3)))
        seen = other.step(step)
        along, rate = (np.diff(seen[f"line3.{what}"][-2:], axis=0) for what in ("position", "velocity"))
        theirs.append(segment_tension(kind, 118 / 6, along, rate)[0])
    return float(np.abs(np.subtract(ours, theirs)).max() / np.ptp(theirs))


def test_things_are_known_by_their_numbers_and_kinds(system):
    counts = (moordyn.GetNumberBodies, moordyn.GetNumberRods, moordyn.GetNumberPoints, moordyn.GetNumberLines)
    assert [count(system) for count in counts] == [1, 0, 6, 3]
    kinds = [moordyn.GetPointType(moordyn.GetPoint(system, k)) for k in (1, 2, 6)]
    assert kinds == [moordyn.POINT_TYPE_FIXED, moordyn.POINT_TYPE_FIXED, moordyn.POINT_TYPE_COUPLED]
    assert moordyn.GetBodyType(moordyn.GetBody(system, 1)) == moordyn.BODY_TYPE_COUPLED
    line, end = moordyn.GetPointAttached(moordyn.GetPoint(system, 6), 0)
    assert (moordyn.GetLineID(line), end, moordyn.GetLineN(line)) == (3, moordyn.ENDPOINT_B, 6)
    assert moordyn.GetLineNumberNodes(line) == 7 == len(moordyn.GetLinePositions(line))
    assert moordyn.GetLineNodePos(line, 0) == pytest.approx([-100.0, 0.0, -120.0])
    assert 0.0 < moordyn.GetLineNodeCurv(line, 3) < 0.05
    assert moordyn.GetLineNodeCurv(line, 0) == 0.0


def test_a_file_is_read_as_it_is_told(tmp_path):
    """Ca CaAx Cd CdAx in the places of Cd Ca CdAx CaAx; a turbine where it stands."""
    file = tmp_path / "lines.txt"
    file.write_text(DECK.replace("6 Vessel  -40   0  -20", "6 Turbine2  -40   0  -20"))
    system = moordyn.MoorDyn(str(file), Reading(columns="v1", turbines={2: (0.0, 3.0, 0.0)}))
    kind = system.deck.types["rope"]
    assert (kind.added, kind.axial_added, kind.drag, kind.axial_drag) == (1.2, 1.0, 0.1, 0.0)
    assert system.lacking() == []


@pytest.mark.parametrize(
    ("option", "name", "begun"),
    [
        ("1 Currents", "current_profile.txt", True),
        ("7 WaveKin", "wave_frequencies.txt", True),
        ("bed.txt SeafloorFile", "bed.txt", False),
    ],
)
def test_a_side_file_that_is_not_there_is_refused_where_moordyn_does(tmp_path, option, name, begun):
    """That of the seabed by Create, those of the water by Init; both with MoorDyn's code, and with the name."""
    file = tmp_path / "lines.txt"
    file.write_text(DECK.replace("0.001  dtM", f"0.001  dtM\n{option}"))
    system = moordyn.Create(str(file)) if begun else None
    with pytest.raises(RuntimeError, match=f"lines.txt:27: option .*there is no file {name} beside") as caught:
        moordyn.Init(system, AT_REST, STILL) if begun else moordyn.Create(str(file))
    assert caught.value.code == moordyn.ERRCODE_INVALID_INPUT_FILE


@pytest.mark.parametrize(("option", "count"), [("1 Currents", 1), ("1 WaveKin", 0)])
def test_what_is_left_out_on_purpose_is_told_by_init_as_elsewhere(tmp_path, capsys, option, count):
    """Once, on the terminal unless that is silenced; water that the host gives is not missing."""
    file = tmp_path / "lines.txt"
    file.write_text(DECK.replace("0.001  dtM", f"0.001  dtM\n{option}"))
    system = moordyn.MoorDyn(str(file), Reading(partial=True))
    moordyn.Init(system, AT_REST, STILL)
    words = f"ERR {file}:27: option Currents 1: the current (there is no file current_profile.txt beside this one)"
    told = capsys.readouterr().err
    assert told.count(f"{words} is missing: the numbers are without it\n") == count
    assert told.count("missing") == count
    assert system.simulation.system.title.startswith("Without the current: ") == bool(count)
    moordyn.SetVerbosity(system, moordyn.LEVEL_NONE)
    moordyn.Init(system, AT_REST, STILL)
    assert capsys.readouterr().err == ""


def test_pictures_and_messages_are_written_where_asked(system, tmp_path):
    picture, log = tmp_path / "now.vtm", tmp_path / "said.log"
    moordyn.SaveVTK(system, str(picture))
    assert "now.vtp" in picture.read_text()
    assert 'NumberOfLines="18"' in (tmp_path / "now.vtp").read_text()
    moordyn.SetLogFile(system, str(log))
    moordyn.SetLogLevel(system, moordyn.LEVEL_WRN)
    moordyn.Log(system, moordyn.LEVEL_MSG, "not this")
    moordyn.Log(system, moordyn.LEVEL_WRN, "but this")
    assert log.read_text() == "WRN but this\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["lines.txt", "now.vtm", "now.vtp", "said.log"]


@pytest.mark.parametrize(
    ("call", "code", "text"),
    [
        (lambda s: moordyn.Step(s, AT_REST[:6], STILL, 0, 0.1), "INVALID_INPUT", "x has 6 numbers; this system has 9"),
        (lambda s: moordyn.Step(s, [math.nan] * 9, STILL, 0, 0.1), "INVALID_INPUT", "x must be finite"),
        (lambda s: moordyn.Step(s, AT_REST, STILL, 0, -0.1), "INVALID_VALUE", "dt not negative"),
        (lambda s: moordyn.GetLine(s, 0), "INVALID_VALUE", "there is no line 0; they are 1 to 3"),
        (lambda s: moordyn.GetLineNodePos(moordyn.GetLine(s, 1), 7), "INVALID_VALUE", "the nodes 0 to 6, not 7"),
        (lambda s: moordyn.Create("nowhere/lines.txt"), "INVALID_INPUT_FILE", "nowhere"),
        (lambda s: moordyn.SaveVTK(s, "nowhere/at/all.vtp"), "INVALID_OUTPUT_FILE", "nowhere"),
        (lambda s: moordyn.GetLineFairTen(moordyn.GetLine(moordyn.Create(s.file), 1)), "INVALID_VALUE", "call Init"),
        (lambda s: moordyn.SetLineConstantEA(moordyn.GetLine(s, 1), -3.0), "INVALID_VALUE", "must be positive, not -3"),
        (lambda s: (moordyn.Close(s), moordyn.Step(s, AT_REST, STILL, 0, 0.1)), "INVALID_VALUE", "was closed"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_with_moordyns_code(system, call, code, text):
    with pytest.raises(RuntimeError, match=text) as refused:
        call(system)
    assert refused.value.code == getattr(moordyn, f"ERRCODE_{code}")


def test_forces_are_moordyns_within_a_hundredth_and_a_half_of_their_range(deck):
    """A body that surges, heaves and pitches, two periods after its start, beside the wheel."""
    peer = pytest.importorskip("moordyn")
    Path(deck).write_text(DECK.replace(" 6 -", " 24 -"), encoding="utf-8")
    ours, theirs = (_surging(module, deck) for module in (moordyn, peer))
    settled = slice(len(ours) // 2, None)
    for some in (slice(0, 3), slice(3, 6), slice(6, 9)):
        off = np.sqrt(np.mean((ours - theirs)[settled, some] ** 2, axis=0)).max()
        assert off < 0.015 * np.ptp(theirs[settled, some], axis=0).max(), some


def _surging(module, deck: str, step: float = 0.1) -> np.ndarray:
    module = importlib.import_module(module.__name__)
    system = module.Create(deck)
    module.SetVerbosity(system, module.LEVEL_NONE)
    module.Init(system, AT_REST, STILL)
    forces, omega = [], 2.0 * math.pi / 8.0
    size = np.array([1.0, 0.0, 0.5, 0.0, 0.02, 0.0, 1.0, 0.0, 0.5])
    for k in range(round(32.0 / step)):
        t = k * step
        grown, growing = (1.0 - math.cos(math.pi * t / 8.0)) / 2.0, math.pi / 16.0 * math.sin(math.pi * t / 8.0)
        if t > 8.0:
            grown, growing = 1.0, 0.0
        x = np.array(AT_REST) + size * grown * math.sin(omega * t)
        v = size * (growing * math.sin(omega * t) + grown * omega * math.cos(omega * t))
        forces.append(module.Step(system, x.tolist(), v.tolist(), t, step))
    module.Close(system)
    return np.array(forces)


def test_what_is_not_carried_says_so_when_it_is_called():
    for name in ("GetWaves", "SetLinePressInt", "GetLineNodeM"):
        with pytest.raises(RuntimeError, match=f"{name} is not there: ") as caught:
            getattr(moordyn, name)(None)
        assert caught.value.code == -7
    with pytest.raises(AttributeError, match="has no 'Fly'"):
        moordyn.Fly()


ROPE = """\
A rope of two springs, taut and without weight
--- LINE TYPES ---
Name Diam Mass/m EA BA EI Cd Ca CdAx CaAx
(-) (m) (kg/m) (N) (N-s) (N-m2) (-) (-) (-) (-)
rope 0.2 31.4159265 1e8|1.6e8 4e9|1.1e7 0 1.2 1.0 0 0
--- POINTS ---
ID Attachment X Y Z M V CdA Ca
(-) (-) (m) (m) (m) (kg) (m3) (m2) (-)
1 Fixed 0 0 -50 0 0 0 0
2 Coupled 101.5 0 -50 0 0 0 0
--- LINES ---
ID Type A B UnstrLen NumSegs Out
(-) (-) (-) (-) (m) (-) (-)
1 rope 1 2 100 4 -
--- OPTIONS ---
200 WtrDpth
1000 WtrDnsty
--- END ---
"""
EA_SLOW, EA_QUICK, BA_SLOW, BA_QUICK = 1e8 * 1.6e8 / 0.6e8, 1.6e8, 4e9, 1.1e7
"""Of the two springs in series whose slow stiffness together is 1e8 N, and their dampers."""


def swung_rope(init, step, tension) -> tuple[np.ndarray, np.ndarray]:
    """Tension over the last of eight periods of 10 s by calls of MoorDyn, with the end swung by 20 cm, at its times."""
    w, dt, found = 2.0 * math.pi / 10.0, 0.1, []
    x = 101.5 + 0.2 * np.sin(w * dt * np.arange(801))
    init([101.5, 0.0, -50.0], [0.0] * 3)
    for k in range(800):
        step([x[k], 0.0, -50.0], [(x[k + 1] - x[k]) / dt, 0.0, 0.0], k * dt, dt)
        found.append(tension())
    return dt * np.arange(701, 801), np.array(found[700:])


def pull_of_two_springs(times: np.ndarray) -> np.ndarray:
    """The closed form: a mean strain of 1.5 % at the slow stiffness, 0.2 % at the complex one of the period."""
    w = 2.0 * math.pi / 10.0
    stiffness = 1.0 / (1.0 / (EA_SLOW + 1j * w * BA_SLOW) + 1.0 / (EA_QUICK + 1j * w * BA_QUICK))
    return 1.5e6 + np.imag(0.002 * stiffness * np.exp(1j * w * times))


def test_tensions_of_a_rope_are_those_of_its_two_springs(tmp_path):
    """What a rope carries is not in its strain alone: the static stiffness would be 13 % of the range off."""
    (tmp_path / "rope.txt").write_text(ROPE, encoding="utf-8")
    system = moordyn.Create(str(tmp_path / "rope.txt"))
    line = line_of(system, 1)
    times, found = swung_rope(
        lambda x, v: moordyn.Init(system, x, v),
        lambda *now: moordyn.Step(system, *now),
        lambda: [moordyn.GetLineFairTen(line), np.linalg.norm(moordyn.GetLineNodeTen(line, 2))],
    )
    assert not moordyn.IsLineConstantEA(line)
    with pytest.raises(RuntimeError, match="no constant stiffness to set"):
        moordyn.SetLineConstantEA(line, 1e8)
    wanted = pull_of_two_springs(times)
    for tension in found.T:
        assert np.sqrt(np.mean((tension - wanted) ** 2)) < 1e-3 * np.ptp(wanted)
