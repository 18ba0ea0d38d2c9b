"""What an FMU costs beside the simulation it was made of, and FMUs run together beside the clock."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fairlead.simulate import Simulation
from fairlead.studies.benchmarks.record import SPEED, Record
from fairlead.studies.benchmarks.sinking_case import paper_case
from fairlead.studies.seismic import Spread, co_simulation

STEP = 0.1
DURATION = 100.0
"""Simulated time of the FMU alone, s."""
TOGETHER = 300.0
"""Simulated time of the co-simulation, s."""
REPEATS = 3
GOAL = 20.0
"""Times real time, for three FMUs together."""
COMMAND = "import sys; from fairlead.cli.main import main; main(sys.argv[1:])"


def measure() -> Iterator[Record]:
    """By the clock: FMUs in threads have no CPU time of their own. Nothing without FMPy."""
    if find_spec("fmpy") is None:
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "side.yaml").write_text(paper_case(STEP).to_yaml(), encoding="utf-8")
        alone = {"step": STEP, "duration": DURATION, "fmus": {"one": "side.yaml"}, "outputs": ["one.tension_max"]}
        (folder / "alone.yaml").write_text(json.dumps(alone), encoding="utf-8")
        told = _cosim(folder / "alone.yaml")
        cost = 1e6 * told["fmus"]["one"]["time_in_steps"] * STEP / DURATION
        yield Record("FMU of the sinking cables, a step", cost, "µs", "Simulation.step", _simulation())
        for name, text in co_simulation(Spread(duration=TOGETHER)).items():
            (folder / name).write_text(text, encoding="utf-8")
        speed = TOGETHER / float(_cosim(folder / "together.yaml")["wall_time"])
        name = "seismic front end, three FMUs together, exchanged every 0.25 s, speed"
        yield Record(name, speed, SPEED, "goal", GOAL)


def _cosim(setup: Path) -> dict[str, Any]:
    """What `fairlead cosim` says of a set-up."""
    told: dict[str, Any] = json.loads(_fairlead("cosim", setup, "-o", setup.with_suffix(".nc"), "--json"))
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
