"""MoorDyn's ropes: tables, two springs and Syrope, read and written."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.exchange.moordyn.opening import read_moordyn
from fairlead.exchange.moordyn.writing import write_moordyn
from fairlead.model import ModelError

DECK = """a rope
--- LINE TYPES ---
Name Diam Mass/m EA BA EI Cd Ca CdAx CaAx
(-) (m) (kg/m) (N) (N-s) (N-m2) (-) (-) (-) (-)
rope 0.2 20 EA BA 0 1.2 1.0 0.1 0
--- POINTS ---
ID Attachment X Y Z M V CdA Ca
(-) (-) (m) (m) (m) (kg) (m3) (m2) (-)
1 Fixed 0 0 -50 0 0 0 0
2 Coupled 30 0 -5 0 0 0 0
--- LINES ---
ID Type A B UnstrLen NumSegs Out
(-) (-) (-) (-) (m) (-) (-)
1 rope 1 2 53 4 -
--- SYROPE IC ---
Line(s) Tmax0 Tmean0
(-) (N) (N)
1 2e6 1e6
--- OPTIONS ---
50 WtrDpth
0.001 dtM
--- END ---
"""
CURVE = "--- curve ---\nStrain Tension\n(-) (N)\n0 0\n0.01 0.4e6\n0.04 3e6\n"
SYROPE = "curve.dat OWC\nEXP WCType\n0.2 k1\n1.5 k2\n"


def deck(folder: Path, ea: str, ba: str, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.dat").write_text(text)
    text = DECK.replace("EA BA 0 1.2", f"{ea} {ba} 0 1.2")
    if not ea.startswith("SYROPE"):
        text = text.replace("--- SYROPE IC ---\nLine(s) Tmax0 Tmean0\n(-) (N) (N)\n1 2e6 1e6\n", "")
    (folder / "deck.txt").write_text(text)
    return folder / "deck.txt"


KINDS = [("1.4e8|1.6e8", "4e9|11e6"), ("1.4e8|1.6e8|0.4", "4e9|11e6"), ("curve.dat", "1e5"), ("curve.dat", "-0.5"),
         ("SYROPE:rope.dat|1.5e8|23", "5e9|1e5")]  # fmt: skip


@pytest.mark.parametrize(("ea", "ba"), KINDS)
def test_what_is_read_is_written_and_read_again(tmp_path, ea, ba):
    found = read_moordyn(deck(tmp_path, ea, ba, curve=CURVE, rope=SYROPE)).system
    again = tmp_path / "again"
    again.mkdir()
    for name, text in write_moordyn(found).items():
        (again / (name or "deck.txt")).write_text(text)
    twice = read_moordyn(again / "deck.txt").system
    assert twice.types["rope"].axial == found.types["rope"].axial
    assert twice.types["rope"].damping_axial(10.0) == pytest.approx(found.types["rope"].damping_axial(10.0))
    assert twice.cables["line1"].history == found.cables["line1"].history


def test_what_the_keys_say(tmp_path):
    rope = read_moordyn(deck(tmp_path, "1.4e8|1.6e8|0.4", "4e9|11e6")).system.types["rope"]
    axial = rope.axial
    assert (rope.ea, axial.dynamic_stiffness, axial.dynamic_per_tension) == (1.4e8, 1.6e8, 0.4)
    assert (axial.damping, axial.dynamic_damping) == (4e9, 11e6)
    system = read_moordyn(deck(tmp_path, "SYROPE:rope.dat|1.5e8|23", "5e9|1e5", curve=CURVE, rope=SYROPE)).system
    curves = system.types["rope"].axial.working_curves
    assert (curves.shape, curves.k1, curves.k2) == ("exponential", 0.2, 1.5)
    assert curves.original_curve == ((0, 0), (0.01, 0.4e6), (0.04, 3e6))
    assert (system.cables["line1"].history.tension_max, system.cables["line1"].history.tension_mean) == (2e6, 1e6)
    table = read_moordyn(deck(tmp_path, "curve.dat", "1e5", curve=CURVE)).system.types["rope"]
    assert table.axial.table == ((0, 0), (0.01, 0.4e6), (0.04, 3e6))
    assert table.damping_time.axial == pytest.approx(1e5 / 75e6)  # MoorDyn's EA of a table is that of its last row


@pytest.mark.parametrize(
    ("ea", "ba", "files", "said"),
    [
        ("gone.dat", "1e5", {}, "there is no file 'gone.dat'"),
        ("curve.dat", "1e5", {"curve": "nothing\n"}, "without rows of strain and tension"),
        ("SYROPE:rope.dat|1.5e8|23", "5e9|1e5", {"rope": "curve.dat OWC\nROUND WCType\n1\n2\n"}, "no description of a"),
        ("SYROPE:rope.dat|1.5e8", "5e9|1e5", {}, "it is SYROPE:file"),
        ("1.4e8|1.6e8|2|3", "5e9", {}, "it is a number, static|dynamic"),
        ("1.4e8|1.6e8", "5e9|x", {}, "it is that of the static spring|of the dynamic one"),
        ("1.8e8|1.6e8", "5e9", {}, "is not above the static stiffness"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path, ea, ba, files, said):
    with pytest.raises(ModelError) as error:
        read_moordyn(deck(tmp_path, ea, ba, **files))
    assert "deck.txt:5" in str(error.value)
    assert said in str(error.value)


PULLED = """
import json, sys, moordyn, numpy as np
system = moordyn.Create(sys.argv[1])
moordyn.Init(system, [30.0, 0.0, -5.0], [0.0, 0.0, 0.0])
line, found = moordyn.GetLine(system, 1), []
for k in range(400):
    t, w = 0.05 * k, 2 * np.pi / 5.0
    moordyn.Step(system, [30.0 + 0.1 * np.sin(w * t), 0.0, -5.0], [0.1 * w * np.cos(w * t), 0.0, 0.0], t, 0.05)
    found.append(moordyn.GetLineFairTen(line))
moordyn.Close(system)
print("\\npulls" + json.dumps(found))
"""


@pytest.mark.skipif(importlib.util.find_spec("moordyn") is None, reason="moordyn is not installed")
@pytest.mark.parametrize("ea", ["1.4e8|2.2e8", "1.4e8|2.2e8|20"])
def test_a_rope_pulls_as_in_moordyn(tmp_path, ea):
    """A line of four segments, its upper end moved by 10 cm in 5 s, when both have settled: 1 % of the range, rms."""
    file = deck(tmp_path, ea, "1e9|2e5")
    file.write_text(file.read_text().replace("1 rope 1 2 53 4", "1 rope 1 2 53.6 4"))
    done = subprocess.run(
        [sys.executable, "-c", PULLED, str(file)], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    (text,) = [line for line in done.stdout.splitlines() if line.startswith("pulls")]
    theirs = np.array(json.loads(text.removeprefix("pulls")))[-100:]
    motion = {"harmonic": {"amplitude": [0.1, 0.0, 0.0], "period": 5.0}}
    system = read_moordyn(file).system.with_values({"points.point2.motion": motion})
    found = fl.simulate(system, duration=20.0, step=0.01, output_every=0.05).tension_effective[1:, 0]
    ours = 0.5 * np.asarray(found[:, -1] + found[:, -2])[-100:]
    miss = ours - theirs
    assert np.sqrt(np.mean(miss**2)) < 0.01 * np.ptp(theirs)


CURVES = {"lin": ("LINEAR", 1.25e8, 0.0), "exp": ("EXP", 0.2, 1.5), "quad": ("QUADRATIC", 0.25, 1.0)}
"""Working curves: shape, k1, k2; the last has no slope where it begins."""
NEW_ROPE = "Strain Tension\n(-) (N)\n0 0\n0.004 0.34e6\n0.02 1.3e6\n0.04 2.4e6\n0.06 4.4e6\n"


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("in_deck", [False, True])
def test_every_shape_of_working_curves_is_read_and_rests_where_it_says(tmp_path, name, in_deck):
    """T of the working curve at the strain of a taut line of 53 m, whose curves begin far below the history's.

    Where the rope would be without its history a quick load would find it softer than a slow one.
    """
    shape, k1, k2 = CURVES[name]
    rope = f"curve.dat OWC\n{shape} WCType\n{k1} k1\n{k2} k2\n"
    named = "curve" if in_deck else "rope"
    path = deck(tmp_path, f"SYROPE:{named}.dat|1.5e8|23", "5e10|1e5", curve=NEW_ROPE, rope=rope)
    text = path.read_text()
    if in_deck:
        section = f"--- SYROPE WORKING CURVES ---\nLineType WCType k1 k2\n(-) (-) (-) (-)\nrope {shape} {k1} {k2}\n"
        text = text.replace("--- POINTS ---", f"{section}--- POINTS ---")
    chord = np.hypot(30.0, 45.0)
    path.write_text(text.replace("1 2 53 4", f"1 2 {chord / 1.018} 4").replace("rope 0.2 20", "rope 0.2 1e-3"))
    found = read_moordyn(path).system
    still = found.with_values({"environment.gravity": 0.0, "environment.seabed": None})
    top, strain, most = 0.02 + 0.02 * 0.7 / 1.1, 0.018, 2e6
    low = top - most / k1 if shape == "LINEAR" else k1 * top
    x = (strain - low) / (top - low)
    part = {"LINEAR": x, "QUADRATIC": x * x, "EXP": np.expm1(1.5 * x) / np.expm1(1.5)}[shape]
    assert fl.statics.solve(still).summary()["tension_max"]["value"] == pytest.approx(most * part, rel=3e-6)
    run = fl.Simulation(still, duration=2.0, output_every=0.5).run()
    assert float(run.tension_effective.max()) == pytest.approx(most * part, rel=1e-5)


def test_a_rope_that_may_be_softer_under_quick_loads_asks_for_its_history(tmp_path):
    rope = "curve.dat OWC\nQUADRATIC WCType\n0.25 k1\n1.0 k2\n"
    path = deck(tmp_path, "SYROPE:rope.dat|1.5e8|23", "5e10|1e5", curve=NEW_ROPE, rope=rope)
    path.write_text(path.read_text().replace("1 2e6 1e6", "1 2e5 1e5"))
    with pytest.raises(ModelError, match=r"was 3.4e\+05 N; .* a 'history' with 1.3e\+06 N as 'tension_max'"):
        read_moordyn(path)
    path.write_text(path.read_text().replace("1 2e5 1e5", "1 1.3e6 1e6"))
    assert read_moordyn(path).system.cables["line1"].history.tension_max == 1.3e6
