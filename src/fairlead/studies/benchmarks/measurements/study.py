"""A thousand runs of a three-line mooring as a study on all cores of this machine, against a loop of `simulate`."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from fairlead.ensembles.engine import cores
from fairlead.simulate.simulation import simulate
from fairlead.studies.benchmarks.measurements.warm_statics import mooring
from fairlead.studies.benchmarks.record import Record
from fairlead.study import Study, read_study

RUNS, LOOP, WARM = 1000, 8, 64
"""Scenarios; of these, so many in the loop; and so many in a study before, in which kernels are compiled."""
MOTION = {"harmonics": [{"amplitude": [2.0, 0.5, 1.0], "period": 10, "ramp": 20}]}
STUDY = """
study: three lines of uncertain drag under a platform that moves
system: mooring.yaml
vary:
  types.chain.drag.normal: {{uniform: [0.8, 1.6]}}
  types.chain.drag.axial: {{uniform: [0.02, 0.2]}}
design: {{sample: {runs}}}
run: {{duration: 100, discard: 20, step: 0.1, sample: 0.5}}
keep:
  "*.tension@platform": [mean, std, max, {{percentiles: [90]}}, {{rainflow: {{m: [3]}}}}]
"""


def measure() -> Iterator[Record]:
    """Time by the clock; the study's with all it does from its file to its result."""
    system = mooring("bars").with_values({"bodies.platform.motion": MOTION})
    with tempfile.TemporaryDirectory() as folder:

        def made(runs: int) -> Study:
            return Study(read_study(STUDY.format(runs=runs)), system, Path(folder) / str(runs))

        made(WARM).run()
        study = made(RUNS)
        simulate(study.scenario(0))
        began = time.perf_counter()
        for i in range(LOOP):
            simulate(study.scenario(i))
        loop = (time.perf_counter() - began) / LOOP
        began = time.perf_counter()
        study.run()
        each = (time.perf_counter() - began) / RUNS
    yield Record(f"a run of {RUNS} in a study on {cores()} cores, 100 s", each, "s", "in a loop of simulate", loop)
