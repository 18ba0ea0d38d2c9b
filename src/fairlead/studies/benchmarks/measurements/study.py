"""A thousand runs of a three-line mooring as a study on all cores of this machine, against a loop of `simulate`, and
the same by Dask, where it is installed, with a worker a core."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
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
COMMAND = "import sys; from fairlead.cli.main import main; main(['study', 'run', *sys.argv[1:]])"


def measure() -> Iterator[Record]:
    """Time by the clock; the study's is that of its whole process, from the file to the result. The loop is run before
    and after, so that what else a machine does weighs on both; so are the halves of the study by either engine."""
    system = mooring("bars").with_values({"bodies.platform.motion": MOTION})
    alone = system.with_settings(duration=100.0, step=0.1, output_every=0.5)
    with tempfile.TemporaryDirectory() as folder, _cluster() as place:
        (Path(folder) / "mooring.yaml").write_text(system.to_yaml(), encoding="utf-8")
        _study(Path(folder), WARM)
        loop = _loop(alone)
        each = _study(Path(folder), RUNS) / RUNS
        loop = 0.5 * (loop + _loop(alone))
        if place is not None:
            _study(Path(folder), WARM, place)
            by_dask = _study(Path(folder), RUNS, place) / RUNS
            each_again = _study(Path(folder), RUNS) / RUNS
    yield Record(f"a run of {RUNS} in a study on {cores()} cores, 100 s", each, "s", "in a loop of simulate", loop)
    if place is not None:
        here = 0.5 * (each + each_again)
        yield Record(f"the same by Dask with {cores()} workers", by_dask, "s", "here, before and after", here)


@contextmanager
def _cluster() -> Iterator[str | None]:
    """Where a scheduler with a worker a core listens; None where Dask is not installed."""
    try:
        from distributed import LocalCluster
    except ImportError:
        yield None
        return
    with LocalCluster(n_workers=cores(), threads_per_worker=1, memory_limit=0, dashboard_address=":0") as cluster:
        yield cluster.scheduler_address


def _study(folder: Path, runs: int, cluster: str | None = None) -> float:
    """Seconds of a study of so many scenarios."""
    path = folder / f"study_{runs}.yaml"
    path.write_text(STUDY.format(runs=runs, normal=NORMAL, axial=AXIAL), encoding="utf-8")
    where = ["--cluster", cluster] if cluster is not None else []
    with tempfile.TemporaryDirectory(dir=folder) as output:
        command = [sys.executable, "-c", COMMAND, path.name, "-o", output, *where]
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, cwd=folder)
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
