"""What an FMU costs beside the simulation it was made of, and FMUs run together beside the clock."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fairlead.simulate import Simulation
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.sinking_case import paper_case

STEP = 0.1
MACRO_STEP = 0.25
DURATION = 500.0
"""Simulated time of a co-simulation, s."""
REPEATS = 3
GOAL = 20.0
"""Times real time, for three FMUs together."""
SIGNALS = """
signals:
  A.position: {unit: m, base: [0, -375, 0], harmonic: {amplitude: [0, 50, 0], angular_frequency: 0.01, begin: 100}}
"""
COMMAND = "import sys; from fairlead.cli.main import main; main(sys.argv[1:])"


def measure() -> Iterator[Record]:
    """Best of a few, by the clock: FMUs in threads have no CPU time of their own. Nothing without FMPy."""
    if find_spec("fmpy") is None:
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "side.yaml").write_text(paper_case(STEP).to_yaml(), encoding="utf-8")
        (folder / "signals.yaml").write_text(SIGNALS, encoding="utf-8")
        _fairlead("fmu", folder / "side.yaml", "-o", folder / "side.fmu", "-q")
        _fairlead("fmu", folder / "signals.yaml", "-o", folder / "signals.fmu", "-q")
        alone = min((_together(folder, (), STEP) for _ in range(REPEATS)), key=lambda told: float(told["wall_time"]))
        cost = 1e6 * alone["fmus"]["port"]["time_in_steps"] * STEP / DURATION
        yield Record("FMU of the sinking cables, a step", cost, "µs", "Simulation.step", _simulation())
        for others in (("rgps",), ("rgps", "starboard")):
            wall = min(float(_together(folder, others, MACRO_STEP)["wall_time"]) for _ in range(REPEATS))
            name = f"{1 + len(others)} FMUs together, {DURATION:g} s in steps of {MACRO_STEP:g} s"
            yield Record(name, wall, "s", f"goal of {GOAL:g} x real time", DURATION / GOAL)


def _together(folder: Path, others: Sequence[str], step: float) -> dict[str, Any]:
    """What `fairlead cosim` says of the side `port` with others beside it."""
    files = {"port": "side.fmu", "starboard": "side.fmu", "rgps": "signals.fmu"}
    sides = [name for name in ("port", *others) if name != "rgps"]
    setup = {
        "step": step, "duration": DURATION, "output_every": 5.0,
        "fmus": {name: files[name] for name in ("port", *others)},
        "connections": {"rgps.A.position": [f"{name}.A.position" for name in sides]} if "rgps" in others else {},
        "outputs": [f"{name}.tension_max" for name in sides],
    }  # fmt: skip
    (folder / "setup.yaml").write_text(json.dumps(setup), encoding="utf-8")
    told: dict[str, Any] = json.loads(_fairlead("cosim", folder / "setup.yaml", "-o", folder / "out.nc", "--json"))
    if told["status"] != "complete":
        raise RuntimeError(told["status"])
    return told


def _fairlead(*arguments: object) -> str:
    """One command in a process of its own; its output."""
    command = [sys.executable, "-c", COMMAND, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _simulation() -> float:
    """A step of the same system in Python [µs]."""
    best, steps = float("inf"), round(DURATION / STEP)
    for _ in range(REPEATS):
        simulation = Simulation(paper_case(STEP))
        simulation.step(STEP)
        began = time.perf_counter()
        for _ in range(steps):
            simulation.step(STEP)
        best = min(best, time.perf_counter() - began)
    return 1e6 * best / steps
