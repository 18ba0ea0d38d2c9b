"""A mooring file as a native library with MoorDyn's calls: the numbers of a run, its codes, its states."""

from __future__ import annotations

import ctypes
import json
import math
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from cosim.systems import LINE

import fairlead as fl
import fairlead.compat.moordyn as moordyn
from fairlead.cli.main import main
from fairlead.compat.moordyn.library import Library, build
from fairlead.cosim import fmu
from fairlead.cosim.fmu import link
from fairlead.model import load_text

from .test_moordyn import AT_REST, DECK, ROPE, STILL, WEIGHT, pull_of_two_springs, swung_rope

HOST = Path(__file__).parent / "host.c"
ELSEWHERE = [1.0, 2.0, -11.0, 0.1, -0.2, 0.3, -41.0, 1.0, -21.0]
MOVING = [0.3, -0.2, 0.1, 0.02, -0.01, 0.05, 0.4, 0.5, -0.3]


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("library") / "lines.txt"
    path.write_text(DECK, encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def library(deck: str) -> Library:
    return build(deck, Path(deck).parent / "libmoordyn.so")


class Calls:
    """The library's calls of version 2 on one system, as a host in C makes them."""

    def __init__(self, library: Library, deck: str) -> None:
        self.c = ctypes.CDLL(str(library.path))
        for name in ("Create", "GetLine", "GetPoint", "GetBody"):
            getattr(self.c, f"MoorDyn_{name}").restype = ctypes.c_void_p
        self.system = ctypes.c_void_p(self.c.MoorDyn_Create(deck.encode()))
        assert self.system.value
        self("SetVerbosity", 4096)

    def __call__(self, name: str, *arguments) -> int:
        return getattr(self.c, f"MoorDyn_{name}")(self.system, *arguments)

    def init(self, x, v=STILL) -> int:
        return self("Init", row(x), row(v))

    def step(self, x, v, t: float, dt: float) -> np.ndarray:
        f, time, length = row(STILL), ctypes.c_double(t), ctypes.c_double(dt)
        assert self("Step", row(x), row(v), f, ctypes.byref(time), ctypes.byref(length)) == 0
        assert time.value == t + dt
        return np.array(f)

    def of(self, noun: str, number: int, name: str, *arguments):
        """What `MoorDyn_Get<noun><name>` says of a thing: three numbers, or one where `name` is one of these."""
        thing = ctypes.c_void_p(getattr(self.c, f"MoorDyn_Get{noun}")(self.system, number))
        assert thing.value
        found = ctypes.c_double() if name in ("FairTen", "MaxTen", "NodeCurv", "UnstretchedLength") else row([0.0] * 3)
        by = ctypes.byref(found) if isinstance(found, ctypes.c_double) else found
        assert getattr(self.c, f"MoorDyn_Get{noun}{name}")(thing, *arguments, by) == 0
        return found.value if isinstance(found, ctypes.c_double) else np.array(found)


def row(numbers) -> ctypes.Array:
    return (ctypes.c_double * len(numbers))(*numbers)


@pytest.fixture
def calls(library: Library, deck: str):
    found = Calls(library, deck)
    yield found
    assert found("Close") == 0


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("host") / "host"
    compiler = [shutil.which("cc")] if shutil.which("cc") else [sys.executable, "-m", "ziglang", "cc"]
    done = subprocess.run([*compiler, "-O1", str(HOST), "-ldl", "-o", str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return program


def test_a_host_in_c_gets_the_numbers_of_a_run(host, tmp_path):
    """WEC-Sim's order of calls, while a line that was cut falls; `fairlead run` of the same file."""
    deck, steps, dt = tmp_path / "lines.txt", 60, 0.1
    failure = "--- FAILURE ---\nID Point Line(s) FailTime FailTen\n(-)\n1 1 1 0.5 0\n"
    deck.write_text(DECK.replace("---------------------- OPTIONS", f"{failure}--- OPTIONS"), encoding="utf-8")
    library = build(deck, tmp_path / "libmoordyn.so")
    command = [host, library.path, deck, steps, dt, *AT_REST, *STILL]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True)
    forces = np.array([[float(x) for x in line.split()] for line in done.stdout.splitlines()])
    run = fl.simulate(fl.load(deck).with_values({"simulation.duration": steps * dt, "simulation.output_every": dt}))
    ends = run.force_end.sel(end="end").transpose("time", "cable", "axis").values[1:]
    assert np.ptp(ends[:, 0, 2]) > 1e4, "a line falls"
    largest = np.abs(forces).max()
    assert forces[:, :3] == pytest.approx(ends[:, 0] + ends[:, 1], abs=1e-9 * largest)
    assert forces[:, 6:9] == pytest.approx(ends[:, 2], abs=1e-9 * largest)


def test_it_is_what_the_python_module_is(calls, deck):
    system = moordyn.Create(deck)
    moordyn.Init(system, ELSEWHERE, STILL)
    assert calls.init(ELSEWHERE) == 0
    for k in range(20):
        t = 0.13 * k
        x = np.array(ELSEWHERE) + t * np.array(MOVING)
        f, g = np.array(moordyn.Step(system, x, MOVING, t, 0.13)), calls.step(x, MOVING, t, 0.13)
        assert g == pytest.approx(f, abs=1e-9 * np.abs(f).max())
    for number in (1, 2, 3):
        line = moordyn.GetLine(system, number)
        for name in ("NodePos", "NodeVel", "NodeTen", "NodeForce", "NodeCurv"):
            for node in (0, 2, 6):
                wanted = getattr(moordyn, f"GetLine{name}")(line, node)
                assert calls.of("Line", number, name, node) == pytest.approx(wanted, rel=1e-7, abs=1e-4), (name, node)
        assert calls.of("Line", number, "FairTen") == pytest.approx(moordyn.GetLineFairTen(line), rel=1e-9)
        assert calls.of("Line", number, "MaxTen") == pytest.approx(moordyn.GetLineMaxTen(line), rel=1e-9)
    for number in range(1, 7):
        point = moordyn.GetPoint(system, number)
        assert calls.of("Point", number, "Pos") == pytest.approx(moordyn.GetPointPos(point), abs=1e-9)
        assert calls.of("Point", number, "Force") == pytest.approx(moordyn.GetPointForce(point), rel=1e-8, abs=1e-3)
    floats = [(ctypes.c_float * 3)() for _ in range(4)]
    assert calls("GetFASTtens", ctypes.byref(ctypes.c_int(3)), *floats) == 0
    for mine, theirs in zip(floats, moordyn.GetFASTtens(system, 3), strict=True):
        assert list(mine) == pytest.approx(theirs, rel=1e-6)


def test_tensions_of_a_rope_are_those_of_its_two_springs(tmp_path):
    deck = tmp_path / "rope.txt"
    deck.write_text(ROPE, encoding="utf-8")
    calls = Calls(build(deck, tmp_path / "libmoordyn.so"), str(deck))
    times, found = swung_rope(calls.init, calls.step, lambda: calls.of("Line", 1, "FairTen"))
    wanted = pull_of_two_springs(times)
    assert np.sqrt(np.mean((found - wanted) ** 2)) < 1e-3 * np.ptp(wanted)
    assert calls("Close") == 0


def test_water_that_the_host_gives_is_that_of_the_python_module(tmp_path):
    deck = tmp_path / "lines.txt"
    deck.write_text(DECK.replace("0.001  dtM", "0.001  dtM\n1 WaveKin"), encoding="utf-8")
    calls, system = Calls(build(deck, tmp_path / "libmoordyn.so"), str(deck)), moordyn.Create(str(deck))
    moordyn.Init(system, AT_REST, STILL)
    assert calls.init(AT_REST) == 0
    count = ctypes.c_uint()
    assert calls("ExternalWaveKinInit", ctypes.byref(count)) == 0
    assert count.value == moordyn.ExternalWaveKinGetN(system) == 29
    for k in range(10):
        places = row([0.0] * 87)
        assert calls("ExternalWaveKinGetCoordinates", places) == 0
        x = np.array(moordyn.ExternalWaveKinGetCoordinates(system))
        assert np.array(places).reshape(-1, 3) == pytest.approx(x, abs=1e-7)
        flow = np.column_stack([0.01 * (x[:, 2] + 130.0), 0.002 * x[:, 0], np.full(29, 0.1)])
        u, a = flow, 0.3 * flow
        moordyn.ExternalWaveKinSet(system, u.tolist(), a.tolist(), 0.1 * k)
        assert calls("ExternalWaveKinSet", row(u.ravel()), row(a.ravel()), ctypes.c_double(0.1 * k)) == 0
        f, g = np.array(moordyn.Step(system, AT_REST, STILL, 0.1 * k, 0.1)), calls.step(AT_REST, STILL, 0.1 * k, 0.1)
        assert g == pytest.approx(f, abs=1e-9 * np.abs(f).max())
    assert calls("Close") == 0


def test_a_library_of_another_file_takes_no_water(calls):
    assert calls.init(AT_REST) == 0
    assert calls("ExternalWaveKinInit", None) == -6


def test_a_length_far_from_the_files_is_walked_to_before_the_run(calls, deck, tmp_path):
    """At rest as the file with that length is."""
    line = ctypes.c_void_p(calls.c.MoorDyn_GetLine(calls.system, 1))
    assert calls.c.MoorDyn_SetLineUnstretchedLength(line, ctypes.c_double(260.0)) == 0
    assert calls.init(AT_REST) == 0
    longer = tmp_path / "lines.txt"
    longer.write_text(DECK.replace("1 rope 1 2 148 6", "1 rope 1 2 260 6"), encoding="utf-8")
    system = moordyn.Create(str(longer))
    moordyn.Init(system, AT_REST, STILL)
    f = np.array(moordyn.Step(system, AT_REST, STILL, 0.0, 0.0))
    assert calls.step(AT_REST, STILL, 0.0, 0.0) == pytest.approx(f, abs=1e-6 * np.abs(f).max())


def test_lengths_steps_and_broken_lines_are_those_of_the_python_module(calls, deck):
    """Line 1 is hauled in while it runs, line 2 let go of the body, and the steps are cut to 10 ms."""
    system = moordyn.Create(deck)
    moordyn.SetDt(system, 0.01)
    moordyn.Init(system, AT_REST, STILL)
    assert calls("SetDt", ctypes.c_double(0.01)) == 0
    step = ctypes.c_double()
    assert calls("GetDt", ctypes.byref(step)) == 0
    assert step.value == 0.01
    assert calls.init(AT_REST) == 0
    line, first = ctypes.c_void_p(calls.c.MoorDyn_GetLine(calls.system, 1)), None
    for k in range(12):
        length = 148.0 - 0.05 * k
        moordyn.SetLineUnstretchedLength(moordyn.GetLine(system, 1), length)
        assert calls.c.MoorDyn_SetLineUnstretchedLength(line, ctypes.c_double(length)) == 0
        if k == 6:
            moordyn.BreakLine(system, 4, 2)
            assert calls("BreakLine", 4, 2) == 0
        f, g = np.array(moordyn.Step(system, AT_REST, STILL, 0.1 * k, 0.1)), calls.step(AT_REST, STILL, 0.1 * k, 0.1)
        first = f if first is None else first
        assert g == pytest.approx(f, abs=1e-9 * np.abs(f).max())
        most = moordyn.GetLineMaxTen(moordyn.GetLine(system, 1))
        assert calls.of("Line", 1, "MaxTen") == pytest.approx(most, rel=1e-9)
    assert calls.of("Line", 1, "UnstretchedLength") == length
    assert np.abs(f - first).max() > 1e4, "a line is gone"
    assert calls.init(AT_REST) == 0
    shorter = calls.step(AT_REST, STILL, 0.0, 0.0)
    assert calls.step(AT_REST, STILL, 0.0, 1.0) == pytest.approx(shorter, abs=1e-5 * np.abs(shorter).max())
    assert np.abs(shorter - first).max() > 100.0, "at rest with the length that was set"


def test_a_line_takes_another_stiffness_as_from_python(library, deck):
    """Before Init and on the way: the same forces, and the stiffness of other lines as it was."""
    calls, system = Calls(library, deck), moordyn.Create(deck)
    line, other = (ctypes.c_void_p(calls.c.MoorDyn_GetLine(calls.system, k)) for k in (3, 2))
    ours = moordyn.GetLine(system, 3)
    constant, stiffness = ctypes.c_int(), ctypes.c_double()
    assert calls.c.MoorDyn_IsLineConstantEA(line, ctypes.byref(constant)) == 0
    assert constant.value == 1
    assert calls.c.MoorDyn_GetLineConstantEA(line, ctypes.byref(stiffness)) == 0
    assert stiffness.value == moordyn.GetLineConstantEA(ours)
    whole = stiffness.value
    moordyn.SetLineConstantEA(ours, 0.5 * whole)
    assert calls.c.MoorDyn_SetLineConstantEA(line, ctypes.c_double(0.5 * whole)) == 0
    moordyn.Init(system, AT_REST, STILL)
    assert calls("Init", row(AT_REST), row(STILL)) == 0
    for k, factor in enumerate((0.5, 0.5, 2.0, 2.0, 2.0)):
        moordyn.SetLineConstantEA(ours, factor * whole)
        assert calls.c.MoorDyn_SetLineConstantEA(line, ctypes.c_double(factor * whole)) == 0
        wanted, found = moordyn.Step(system, AT_REST, MOVING, 0.1 * k, 0.1), row([0.0] * 9)
        t, dt = ctypes.c_double(0.1 * k), ctypes.c_double(0.1)
        assert calls("Step", row(AT_REST), row(MOVING), found, ctypes.byref(t), ctypes.byref(dt)) == 0
        assert list(found) == pytest.approx(wanted, rel=1e-3, abs=5.0)
        assert calls.of("Line", 3, "FairTen") == pytest.approx(moordyn.GetLineFairTen(ours), rel=1e-3)
    assert calls.c.MoorDyn_GetLineConstantEA(other, ctypes.byref(stiffness)) == 0
    assert stiffness.value == whole
    assert calls.c.MoorDyn_SetLineConstantEA(line, ctypes.c_double(-1.0)) == -6


def test_a_mooring_of_a_script_has_no_file_to_make_a_library_of(deck, tmp_path):
    system = moordyn.MoorDyn("Mooring.text()", text=Path(deck).read_text(encoding="utf-8"))
    with pytest.raises(moordyn.MoorDynError, match="a library is made of a file"):
        build(system, tmp_path / "libmoordyn.so")


def test_at_rest_anywhere_the_forces_carry_the_lines(calls):
    for x in (AT_REST, ELSEWHERE, [-12.0, 9.0, -4.0, 0.0, 0.3, 1.0, -30.0, 12.0, -8.0]):
        assert calls.init(x) == 0
        f = calls.step(x, STILL, 0.0, 0.0)
        anchors = sum(calls.of("Point", k, "Force") for k in (1, 3, 5))
        assert f[:3] + f[6:] + anchors == pytest.approx([0.0, 0.0, -WEIGHT * (148 + 146 + 118)], rel=1e-6, abs=1.0)
        origin = np.array(x[:3])
        arms = [calls.of("Point", k, "Pos") - origin for k in (2, 4)]
        pulls = [calls.of("Point", k, "Force") for k in (2, 4)]
        moment = sum(np.cross(arm, pull) for arm, pull in zip(arms, pulls, strict=True))
        assert f[3:6] == pytest.approx(moment, abs=1e-9 * np.abs(f).max())
        later = calls.step(x, STILL, 0.0, 2.0)
        assert later == pytest.approx(f, abs=1e-6 * np.abs(f).max()), "it stays at rest"


def test_a_step_is_made_again_from_a_state(calls, tmp_path):
    calls.init(AT_REST)
    for k in range(3):
        calls.step(AT_REST, MOVING, 0.1 * k, 0.1)
    size = ctypes.c_size_t()
    assert calls("Serialize", ctypes.byref(size), None) == 0
    kept = (ctypes.c_uint64 * (size.value // 8))()
    assert calls("Serialize", None, kept) == 0
    path = str(tmp_path / "state").encode()
    assert calls("Save", path) == 0
    once = calls.step(AT_REST, MOVING, 0.3, 0.1)
    assert calls("Deserialize", kept) == 0
    assert np.array_equal(calls.step(AT_REST, MOVING, 0.3, 0.1), once)
    calls.step(AT_REST, STILL, 0.4, 0.5)
    assert calls("Load", path) == 0
    assert np.array_equal(calls.step(AT_REST, MOVING, 0.3, 0.1), once)
    assert calls("BreakLine", 4, 2) == 0
    assert calls("Save", path) == 0
    broken = calls.step(AT_REST, MOVING, 0.4, 0.1)
    assert calls("Load", path) == 0
    assert np.array_equal(calls.step(AT_REST, MOVING, 0.4, 0.1), broken), "a break that is not yet stepped is kept"
    assert calls("Deserialize", kept) == 0
    assert np.array_equal(calls.step(AT_REST, MOVING, 0.3, 0.1), once), "and undone by a state from before it"
    kept[len(kept) // 2] ^= 1
    assert calls("Deserialize", kept) == -3
    (tmp_path / "cut").write_bytes((tmp_path / "state").read_bytes()[:-100])
    assert calls("Load", str(tmp_path / "cut").encode()) == -3
    assert calls("Load", str(tmp_path / "none").encode()) == -1
    assert calls("Save", str(tmp_path / "no" / "place").encode()) == -2


def test_a_line_that_was_let_go_is_whole_after_another_beginning(calls):
    calls.init(AT_REST)
    once = [calls.step(AT_REST, MOVING, 0.1 * k, 0.1) for k in range(3)]
    assert calls("BreakLine", 4, 2) == 0
    gone = [calls.step(AT_REST, MOVING, 0.3 + 0.1 * k, 0.1) for k in range(3)]
    assert np.abs(gone[-1] - once[-1]).max() > 1e4
    calls.init(AT_REST)
    assert np.array_equal([calls.step(AT_REST, MOVING, 0.1 * k, 0.1) for k in range(3)], once)


def test_places_are_known_before_the_beginning(calls, deck):
    """Hosts ask for them to begin there; forces and tensions are not known yet."""
    system = moordyn.Create(deck)
    for number in range(1, 7):
        wanted = moordyn.GetPointPos(moordyn.GetPoint(system, number))
        assert calls.of("Point", number, "Pos") == pytest.approx(wanted, abs=1e-9)
    body = ctypes.c_void_p(calls.c.MoorDyn_GetBody(calls.system, 1))
    place, velocity = row([9.0] * 6), row([9.0] * 6)
    assert calls.c.MoorDyn_GetBodyState(body, place, velocity) == 0
    assert [[*place], [*velocity]] == [*map(list, moordyn.GetBodyState(moordyn.GetBody(system, 1)))]
    point = ctypes.c_void_p(calls.c.MoorDyn_GetPoint(calls.system, 1))
    assert calls.c.MoorDyn_GetPointForce(point, row([0.0] * 3)) == -6


def test_what_cannot_be_done_has_moordyns_codes(calls, deck, tmp_path, capfd):
    x, f, t, dt = row(AT_REST), row(STILL), ctypes.c_double(0.0), ctypes.c_double(0.1)
    step = (f, ctypes.byref(t), ctypes.byref(dt))
    assert calls("Step", x, x, *step) == -6, "not before Init"
    calls.init(AT_REST)
    assert calls("Step", row([math.nan] * 9), x, *step) == -6
    assert calls("Init", row([math.inf] * 9), x) == -6
    assert calls("Init", None, None) == -3
    assert calls("Step", x, x, f, ctypes.byref(t), ctypes.byref(ctypes.c_double(-1.0))) == -6
    assert calls("SetDt", ctypes.c_double(-0.5)) == -6
    assert calls("BreakLine", 1, 2) == -6, "the second line does not end there"
    assert calls("BreakLine", 9, 1) == -6
    assert not calls.c.MoorDyn_GetLine(calls.system, 4)
    line = ctypes.c_void_p(calls.c.MoorDyn_GetLine(calls.system, 1))
    assert calls.c.MoorDyn_GetLineNodePos(line, 7, row([0.0] * 3)) == -6
    assert calls.c.MoorDyn_SetLineUnstretchedLength(line, ctypes.c_double(math.nan)) == -6
    assert calls.c.MoorDyn_Step(None, x, x, *step) == -6
    capfd.readouterr()
    other = tmp_path / "lines.txt"
    other.write_text(DECK.replace("148", "149"), encoding="utf-8")
    assert not calls.c.MoorDyn_Create(str(other).encode())
    told = capfd.readouterr().err
    assert "not the file this library was made from" in told
    assert "fairlead library lines.txt -o libmoordyn.so" in told
    other.write_text(DECK.replace("\n", "\r\n"), encoding="utf-8", newline="")
    again = ctypes.c_void_p(calls.c.MoorDyn_Create(str(other).encode()))
    assert again.value, "line ends of another system are no other file"
    calls.c.MoorDyn_Close(again)
    assert not calls.c.MoorDyn_Create(b"no/such/file.txt")


def test_the_command_says_what_it_made_and_what_it_cannot_make(deck, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["library", deck, "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["output"], told["lines"], told["coupled_degrees_of_freedom"]) == ("libmoordyn.so", 3, 9)
    assert told["target"] == link.host()
    assert Path("libmoordyn.so").stat().st_size == told["bytes"]
    (tmp_path / "case.yaml").write_text("title: no deck\n", encoding="utf-8")
    refused = CliRunner().invoke(main, ["library", "case.yaml"])
    assert refused.exit_code == 2
    assert "fairlead export moordyn case.yaml -o case.txt" in refused.output
    for arguments in (["library", "none.txt"], ["library", deck, "--target", "pdp11"]):
        refused = CliRunner().invoke(main, arguments)
        assert refused.exit_code == 2, refused.output
        assert "Traceback" not in refused.output


@pytest.mark.slow
def test_a_library_for_windows_has_all_calls(library, deck, tmp_path):
    """Run under Wine where there is one for this processor; the linker first makes a C library, which takes minutes."""
    made = build(deck, tmp_path / "libmoordyn.dll", "x86_64-windows")
    code = made.path.read_bytes()
    assert code[:2] == b"MZ"
    calls = set(re.findall(rb"\bMoorDyn_?[A-Z]\w+", library.path.read_bytes()))
    assert len(calls) > 40
    assert {name for name in calls if name + b"\0" not in code} == set()
    wine = shutil.which("wine64") or shutil.which("wine")
    if wine and platform.machine() == "x86_64":
        command = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", str(HOST), "-o", "host.exe"]
        subprocess.run(command, cwd=tmp_path, check=True)
        arguments = [*map(str, (made.path, deck, 3, 0.1, *AT_REST, *STILL))]
        done = subprocess.run([wine, "host.exe", *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert len(done.stdout.splitlines()) == 3


@pytest.mark.slow
def test_an_fmu_for_windows_has_its_library_where_hosts_look(tmp_path):
    for version, folder in (("2.0", "win64"), ("3.0", "x86_64-windows")):
        made = fmu.export(load_text(LINE, "line.yaml"), tmp_path / "line.fmu", version, targets=["x86_64-windows"])
        with zipfile.ZipFile(made.path) as archive:
            assert archive.read(f"binaries/{folder}/line.dll")[:2] == b"MZ"
