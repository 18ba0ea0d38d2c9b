"""Settings all tests share: no windows, one thread a process, and kernels compiled once for all processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("NUMBA_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import settings

# A shell in the background hands on a Ctrl-C that is ignored; tests of interruptions need one that is not.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The first example of a property may compile for seconds; a failure must come again when the test is run again.
settings.register_profile("fairlead", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fairlead"))

TWO_BARS = """
types: {rope: {diameter: 0.1, density: 2000, axial_stiffness: 1 MN}}
points: {A: {kind: controlled, position: [0, 0, 0]}, B: {kind: fixed, position: [1.5, 0, 0]}}
cables: {line: {type: rope, length: 2, elements: 2, start: A, end: B}}
simulation: {duration: 1, step: 0.01}
"""


FREE_END = TWO_BARS.replace("{kind: fixed, position: [1.5, 0, 0]}", "{kind: free}")
RING_AND_WINCH = """
types: {rope: {diameter: 0.1, density: 2000, axial_stiffness: 1 MN}}
points:
  A: {kind: fixed, position: [0, 0, 0]}
  B: {kind: fixed, position: [1.5, 0, 0]}
  R: {kind: sliding, cable: line, at: 1}
  E: {kind: free}
cables:
  line: {type: rope, length: 2, elements: 2, start: A, end: B, winch: {end: start, rate: 0.1}}
  drop: {type: rope, length: 2, elements: 2, start: R, end: E}
simulation: {duration: 1, step: 0.01}
"""
COMPILED_FIRST = (
    "import sys; from fairlead.model import load_text; from fairlead.simulate import Simulation; "
    "Simulation(load_text(sys.argv[1], 'first.yaml'), formulation=sys.argv[2], integrator=sys.argv[3]).warm_up()"
)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Before several processes start to work, compile once what all of them will need; they fetch it from the disk."""
    is_worker = hasattr(config, "workerinput")
    processes = getattr(config.option, "numprocesses", None)
    if is_worker or not processes or config.option.collectonly:
        return
    from fairlead.algebra.compiled import is_compiled
    from fairlead.formulations import NAMES

    kernels = [(FREE_END if name == "multibody" else TWO_BARS, name, "auto") for name in NAMES if name != "reduced"]
    kernels += [(RING_AND_WINCH, "bars", "auto"), (TWO_BARS, "bars", "rk2"), (TWO_BARS, "bars", "rk4")]
    if not is_compiled("bars"):
        print("compiling the kernels (once, about two minutes)", flush=True)
    with ThreadPoolExecutor(processes) as pool:
        list(pool.map(_compile, kernels))


def _compile(kernel: tuple[str, str, str]) -> None:
    """Compile one system's kernels in a process of its own; what fails there will fail, and be told, in its tests."""
    subprocess.run([sys.executable, "-c", COMPILED_FIRST, *kernel], capture_output=True, check=False)
