"""How long a fresh process waits, and what it weighs: the package, the command, a first and a later run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.sinking_case import paper_case

REPEATS = 5
RUN = """
import json, os, resource, sys
from fairlead.cli.main import program
sys.argv[1:] = ["run", sys.argv[1], "-o", sys.argv[2], "--quiet"]
try:
    program()
finally:
    spent = resource.getrusage(resource.RUSAGE_SELF)
    most = spent.ru_maxrss
    if os.path.exists("/proc/self/status"):
        # ru_maxrss of a process begins with that of the one that started it: here the bench, with its compiler.
        most = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(json.dumps([spent.ru_utime + spent.ru_stime, most]))
"""


def measure() -> Iterator[Record]:
    """Best of a few for what is quick; the first run has a cache folder of its own, so that it compiles."""
    bare = _best("pass")
    yield Record("import fairlead", _best("import fairlead") - bare, "s", "goal", 0.5)
    help_page = _best("from fairlead.cli.main import main; main(['--help'])")
    yield Record("fairlead --help", help_page, "s", "bare python", bare)
    with tempfile.TemporaryDirectory() as folder:
        case = Path(folder) / "case.yaml"
        case.write_text(paper_case(0.1).with_settings(duration=10.0, output_every=1.0).to_yaml(), encoding="utf-8")
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(Path(folder) / "cache")}
        first, _, _ = _run(case, environment)
        yield Record("first run ever, compiling", first, "s", "goal", 16.0)
        later, cpu, memory = (min(found) for found in zip(*(_run(case, environment) for _ in range(3)), strict=True))
        yield Record("a later run of 10 s", later, "s", "goal", 3.0)
        yield Record("a later run of 10 s, CPU", cpu, "s", "goal", 0.6)
        yield Record("memory of that run", memory, "MB", "goal", 400.0)


def _run(case: Path, environment: dict[str, str]) -> tuple[float, float, float]:
    """Wall time [s], CPU time [s] and peak memory [MB] of one `fairlead run` in a fresh process."""
    began = time.perf_counter()
    arguments = [sys.executable, "-c", RUN, str(case), str(case.with_suffix(".nc"))]
    done = subprocess.run(arguments, check=True, capture_output=True, text=True, env=environment)
    wall = time.perf_counter() - began
    cpu, kilobytes = json.loads(done.stdout.splitlines()[-1])
    return wall, cpu, kilobytes / 1024


def _best(code: str) -> float:
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, env=os.environ.copy())
        times.append(time.perf_counter() - began)
    return min(times)
