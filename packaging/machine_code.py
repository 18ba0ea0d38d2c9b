"""Machine code for a wheel: `python packaging/machine_code.py x86_64 src/fairlead/machine_code [formulation …]`.

Every formulation is compiled once, in a process of its own, for the small systems that the tests are warmed up with and
those that studies need beside; what numba has made of it is turned into libraries for all levels of processors of the
architecture (`fairlead.algebra.native`) and linked by zig against an old C library, so that a wheel runs on any Linux
of the last ten years. One machine makes the wheels of all architectures.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LEVELS = {"x86_64": ("x86-64", "x86-64-v3"), "aarch64": ("aarch64",)}
"""Levels of processors of each architecture that a wheel has libraries for."""
COMPILE = Path(__file__).resolve().parents[1] / "tests" / "first_compilation.py"


def make(architecture: str, folder: Path, formulations: list[str] | None = None) -> None:
    """Fill `folder` with the libraries of the formulations (all of them)."""
    sys.path.insert(0, str(COMPILE.parent))
    from first_compilation import SYSTEMS

    from fairlead.algebra.native import DEBUGGING

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as cache, ThreadPoolExecutor(os.cpu_count()) as pool:
        asked = {
            "NUMBA_CACHE_DIR": cache, "FAIRLEAD_MACHINE_CODE": str(folder),
            "FAIRLEAD_LEVELS": " ".join(LEVELS[architecture]),
        }  # fmt: skip
        plain = {name: value for name, value in os.environ.items() if name not in DEBUGGING}
        jobs = {
            name: pool.submit(subprocess.run, [sys.executable, str(COMPILE), name], env=plain | asked, check=True)
            for name in formulations or SYSTEMS
        }
        for name, job in jobs.items():
            job.result()
            count = len(list(folder.glob(f"formulations-{name}-*/*.so")))
            print(f"{name}: {count} libraries", flush=True)
            if count == 0:
                sys.exit(f"no library of '{name}' was made; is this numba one that fairlead.algebra.shortcuts knows?")


if __name__ == "__main__":
    make(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
