"""Program for the kill test: forks children that write without pause, kills each, and reads what they left.

Half of the children record a run; the others only put finished files in place, so that the kill falls into just that
act. Prints how many of the files read well and how many of the children had got as far as writing one.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np

from fairlead.results import ObservationShape, Recorder, Restart, open_result, read_restart
from fairlead.results.netcdf import write_netcdf
from fairlead.results.variables import global_attributes, result_variables

SHAPE = ObservationShape(("line",), (30,), ("A",), (tuple(range(30)),))


def endless_run(path: Path, child: int) -> None:
    recorder = Recorder(path, SHAPE, {"title": str(child)})
    for sample in range(1_000_000):
        recorder.append(float(sample), np.full(SHAPE.size, float(child)))
        recorder.flush(Restart(float(sample), sample, np.full(3000, float(child))))


def endless_replacing(path: Path, child: int) -> None:
    row = np.full((1, SHAPE.size), float(child))
    attrs = global_attributes({"title": str(child), "status": "running"})
    restart = Restart(0.0, 0, np.full(300_000, float(child)), samples=1)
    while True:
        write_netcdf(path, [result_variables(SHAPE, np.zeros(1), row)], attrs, samples=1, restart=restart)


def check(path: Path) -> int:
    result = open_result(path)
    child = float(result.attrs["title"])
    restart = read_restart(path)
    assert np.all(result["position"].values == child)
    # rows are on the disk before the state that counts them: a kill in between leaves more of them
    assert result.sizes["time"] >= restart.samples
    assert np.array_equal(result["time"].values, np.arange(result.sizes["time"]))
    assert restart.time == restart.samples - 1
    assert np.all(restart.y == child)
    assert result.attrs["status"] in ("running", "stopped: its run was killed")
    return int(child)


def main(path: Path, kills: int) -> None:
    first = Recorder(path, SHAPE, {"title": "-1"})
    first.append(0.0, np.full(SHAPE.size, -1.0))
    first.close("running", Restart(0.0, 0, np.full(3000, -1.0)))
    check(path)
    moments = random.Random(7)
    readable, advanced = 0, 0
    for child in range(kills):
        before = path.stat().st_ino
        process = os.fork()
        if process == 0:
            (endless_run if child % 2 else endless_replacing)(path, child)
        while child % 3 and path.stat().st_ino == before:  # two of three live to replace the file at least once
            time.sleep(0.001)
        time.sleep(moments.uniform(0.0, 0.1))
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        advanced += check(path) == child
        readable += 1
    with Recorder(path, SHAPE, {}) as last:  # a new run clears what the killed ones left half done
        last.append(0.0, np.zeros(SHAPE.size))
    assert os.listdir(path.parent) == [path.name], os.listdir(path.parent)
    print(readable, advanced)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
