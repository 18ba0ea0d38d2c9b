"""How long a fresh process waits for the package and the command."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator

from fairlead.studies.benchmarks.record import Record

REPEATS = 5


def measure() -> Iterator[Record]:
    """Best of a few; the time of a bare interpreter is taken off the import and stated for the command."""
    bare = _best("pass")
    yield Record("import fairlead", _best("import fairlead") - bare, "s", "goal", 0.5)
    help_page = _best("from fairlead.cli.main import main; main(['--help'])")
    yield Record("fairlead --help", help_page, "s", "bare python", bare)


def _best(code: str) -> float:
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, env=os.environ.copy())
        times.append(time.perf_counter() - began)
    return min(times)
