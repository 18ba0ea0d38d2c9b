"""Systems of our own with surveyed beds, waves, currents, clamped ends, sections and weights, written for MoorDyn: it
moves them as we do."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import numpy as np
import pytest
from marks import slowly

from fairlead import simulate
from fairlead.cli.export import beginnings
from fairlead.exchange import write_moordyn
from fairlead.exchange.moordyn.channels import Channels
from fairlead.exchange.notes import Notes
from fairlead.model import load_text
from fairlead.sea.waves import wave_components

pytestmark = pytest.mark.skipif(importlib.util.find_spec("moordyn") is None, reason="moordyn is not installed")

PERIOD, SWAY, EVERY = 16.0, 3.0, 0.1
HOST = """
import json, sys, numpy, moordyn
file, at, sway, period, every, end = json.loads(sys.argv[1])
system = moordyn.Create(file)
x = numpy.array(at)
moordyn.SetVerbosity(system, moordyn.LEVEL_ERR)
moordyn.Init(system, x.tolist(), [0.0] * len(x))
lines = [moordyn.GetLine(system, i + 1) for i in range(moordyn.GetNumberLines(system))]
found, w, dt = [], 2 * numpy.pi / period, every / 20
for k in range(round(end / dt)):
    t = k * dt
    now, speed = x.copy(), numpy.zeros(len(x))
    now[0], speed[0] = x[0] + sway * numpy.sin(w * t), sway * (numpy.sin(w * (t + dt)) - numpy.sin(w * t)) / dt
    moordyn.Step(system, now.tolist(), speed.tolist(), t, dt)
    if k % 20 == 19:
        found.append([moordyn.GetLineFairTen(line) for line in lines])
open("found.json", "w").write(json.dumps(found))
moordyn.Close(system)
"""
MOORING = """
types: {chain: {diameter: 0.09, mass_per_length: 78, axial_stiffness: 3e8, damping_ratio: 1.0,
                drag: {normal: 2.4, axial: 0.3}, added_mass: {normal: 1.0}}}
points:
  anchor: {kind: fixed, position: [260, 0, bed]}
  bow: {kind: controlled, position: [0, 0, -5], motion: {harmonic: {amplitude: [3, 0, 0], period: 16}}}
cables: {line1: {type: chain, length: 288, elements: 60, start: anchor, end: bow}}
environment: {seabed: {depth: 80, stiffness: 1e5}}
simulation: {formulation: lumped, duration: 64, step: 0.02, output_every: 0.1, lumped: {theta: 0.5}}
"""
"""A chain that a bow sways."""
BED = {"x": list(range(0, 300, 10)), "y": [-100, 100],
       "depth": [[80 - 5 * np.sin(x / 60) ** 2] * 2 for x in range(0, 300, 10)]}  # fmt: skip
IN_TIME = {"t": [0, 32, 64], "z": [-80, 0],
           "velocity": [[0.1, 0.2, 0], [0.3, 0.5, 0], [0.2, 0.1, 0], [0.8, 0.2, 0], [0.1, 0.2, 0],
                        [0.3, 0.5, 0]]}  # fmt: skip
IN_PLACE = {"t": [0, 64], "x": [-50, 300], "y": [-50, 50], "z": [-80, 0],
            "velocity": [[0.001 * k, 0.05 * (k % 2), 0] for k in range(0, 320, 20)]}  # fmt: skip
PARTS = {"sections": [{"type": "chain", "length": 150, "elements": 30},
                      {"type": "rope", "length": 138, "elements": 30}], "start": "anchor", "end": "bow"}  # fmt: skip
UNEVEN = {"type": "chain", "element_lengths": [6.0] * 24 + [4.0] * 36, "start": "anchor", "end": "bow"}
ROPE = {"diameter": 0.12, "mass_per_length": 30, "axial_stiffness": 1e8, "damping_ratio": 1.0,
        "drag": {"normal": 1.6, "axial": 0.1}, "added_mass": {"normal": 1.0}}  # fmt: skip
WEIGHT = [{"at": 192, "mass": 1500, "volume": 0.2, "drag_area": 0.5, "added_mass": 100}]
JUMPER = """
types: {pipe: {diameter: 0.3, mass_per_length: 140, axial_stiffness: 3e7, damping_ratio: 0.3, bending_stiffness: 1e6,
               drag: {normal: 1.0, axial: 0.0}, added_mass: {normal: 1.0}}}
points:
  head: {kind: fixed, position: [70, 0, -10]}
  bow: {kind: controlled, position: [0, 0, -10], motion: {harmonic: {amplitude: [3, 0, 0], period: 16}}}
cables:
  line1: {type: pipe, length: 90, elements: 36, start: {point: head, joint: clamp, direction: [-0.3, 0, -1]}, end: bow}
environment: {seabed: {depth: 80, stiffness: 1e5}}
simulation: {formulation: lumped, duration: 64, step: 0.02, output_every: 0.1, lumped: {theta: 0.5}}
"""
"""A pipe between a head that holds its direction and a bow."""


def beside(text, changes, tmp_path, settled) -> tuple[float, float, Notes]:
    """rms of the difference of the tensions at the top in parts of their range, and that of the peaks, in the first
    sway after they have settled: so MoorDyn need not come to rest as far as the file has it, for most of its time."""
    system = load_text(text).with_values(changes | {"simulation.duration": settled + PERIOD})
    notes = Notes()
    for name, content in write_moordyn(system, beginnings(system), notes, wave_components(system.environment)).items():
        (tmp_path / (name or "lines.txt")).write_text(content.replace("100.0  TmaxIC", "20.0  TmaxIC"))
    (start,) = [p.position for p in system.points.values() if p.kind == "controlled"]
    end = system.simulation.duration
    asked = json.dumps(["lines.txt", list(start), SWAY, PERIOD, EVERY, end])
    command = [sys.executable, "-c", HOST, asked]
    subprocess.run(command, capture_output=True, cwd=tmp_path, check=True)
    theirs = np.array(json.loads((tmp_path / "found.json").read_text()))[:, -1]
    result = simulate(system)
    ours = Channels(result).series("FAIRTEN1")[0][1:]
    late = np.arange(1, len(theirs) + 1) * EVERY > settled
    ours, theirs = ours[late], theirs[late]
    span = float(np.ptp(theirs))
    return float(np.sqrt(np.mean((ours - theirs) ** 2)) / span), abs(ours.max() - theirs.max()) / theirs.max(), notes


@pytest.mark.parametrize(
    ("text", "changes", "settled", "told"),
    [
        (MOORING, {}, 16, []),
        (MOORING, {"environment.seabed.bathymetry": BED}, 16, ["environment.seabed"]),
        (MOORING, {"environment.seabed.slope": [0.06, 0]}, 16, ["environment.seabed.slope"]),
        (MOORING, {"environment.waves": {"kind": "regular", "height": 4, "period": 9, "direction_deg": 30}}, 20,
         ["environment.waves", "environment.waves.ramp 9 s"]),
        (JUMPER, {}, 32, []),
        (MOORING, {"types.rope": ROPE, "cables.line1": PARTS}, 16, ["cables.line1"]),
        *slowly(
            (MOORING, {"environment.seabed.slope": [-0.03, 0]}, 16, ["environment.seabed.slope"]),
            (MOORING, {"environment.current_field": IN_TIME}, 32, []),
            (MOORING, {"environment.current_field": IN_PLACE}, 16, []),
            (MOORING, {"cables.line1": UNEVEN}, 16, ["cables.line1"]),
            (MOORING, {"cables.line1.attachments": WEIGHT}, 16, ["cables.line1"]),
        ),
    ],
    ids=["flat", "bathymetry", "slope", "waves", "clamp", "sections", "slope down", "current in time",
         "current in place", "uneven", "weight"],
)  # fmt: skip
def test_moordyn_moves_what_was_written_as_we_do(text, changes, settled, told, tmp_path):
    """Within the bounds that files of MoorDyn's are held to: 1.5 % of the range rms, 2 % of the peak."""
    apart, peak, notes = beside(text, changes, tmp_path, settled)
    print(f"{apart:.3%} of the range, peak {peak:.3%}")
    assert apart < 0.015
    assert peak < 0.02
    assert {note.what for note in notes} >= set(told)
