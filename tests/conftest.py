"""Settings all tests share: no windows, one thread a process, and kernels compiled once for all processes."""

from __future__ import annotations

import os

os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("NUMBA_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import settings

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


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Before several processes start to work, compile once what all of them will need; they fetch it from the disk."""
    is_worker = hasattr(config, "workerinput")
    if is_worker or not getattr(config.option, "numprocesses", None) or config.option.collectonly:
        return
    from fairlead.algebra.compiled import is_compiled
    from fairlead.model import load_text
    from fairlead.simulate import Simulation

    if not is_compiled("bars"):
        print("compiling the kernels (once, about a minute)", flush=True)
    system = load_text(TWO_BARS, "two_bars.yaml")
    for integrator in ("semi_implicit", "rk2", "rk4"):
        Simulation(system, integrator=integrator).warm_up()
