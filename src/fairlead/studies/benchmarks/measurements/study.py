"""A thousand runs of a three-line mooring as a study on all cores of this machine, against a loop of `simulate`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fairlead.ensembles.engine import cores
from fairlead.model import System
from fairlead.simulate.simulation import simulate
from fairlead.studies.benchmarks.measurements.warm_statics import mooring
from fairlead.studies.benchmarks.record import Record

RUNS, LOOP, WARM = 1000, 8, 64
"""Scenarios; runs in the loop; and scenarios of a study before, in which kernels are compiled."""
MOTION = {"harmonics": [{"amplitude": [2.0, 0.5, 1.0], "period": 10, "ramp": 20}]}
NORMAL, AXIAL = (0.8, 1.6), (0.02, 0.2)
STUDY = """
study: three lines of uncertain drag under a platform that moves
system: mooring.yaml
vary:
  types.chain.drag.normal: {{uniform: [{normal[0]}, {normal[1]}]}}
  types.chain.drag.axial: {{uniform: [{axial[0]}, {axial[1]}]}}
design: {{sample: {runs}}}
run: {{duration: 100, discard: 20, step: 0.1, sample: 0.5}}
keep:
  "*.tension@platform": [mean, std, max, {{percentiles: [90]}}, {{rainflow: {{m: [3]}}}}]
"""
COMMAND = "import sys; from fairlead.cli.main import main; main(['study', 'run', sys.argv[1]])"


def measure() -> Iterator[Record]:
    """Time by the clock; the study's is that of its whole process, from the file to the result."""
    system = mooring("bars").with_values({"bodies.platform.motion": MOTION})
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "mooring.yaml").write_text(system.to_yaml(), encoding="utf-8")
        _study(Path(folder), WARM)
        each = _study(Path(folder), RUNS) / RUNS
    loop = _loop(system.with_settings(duration=100.0, step=0.1, output_every=0.5))
    yield Record(f"a run of {RUNS} in a study on {cores()} cores, 100 s", each, "s", "in a loop of simulate", loop)


def _study(folder: Path, runs: int) -> float:
    """Seconds of a study of so many scenarios."""
    path = folder / f"study_{runs}.yaml"
    path.write_text(STUDY.format(runs=runs, normal=NORMAL, axial=AXIAL), encoding="utf-8")
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", COMMAND, path.name], check=True, capture_output=True, cwd=folder)
    return time.perf_counter() - began


def _loop(system: System) -> float:
    """Seconds a run takes in a loop."""
    draw = np.random.default_rng(1)
    simulate(system)
    began = time.perf_counter()
    for _ in range(LOOP):
        values = {"types.chain.drag.normal": draw.uniform(*NORMAL), "types.chain.drag.axial": draw.uniform(*AXIAL)}
        simulate(system.with_values(values))
    return (time.perf_counter() - began) / LOOP
