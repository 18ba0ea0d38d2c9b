"""Settings all tests share: no windows, one thread a process, and kernels compiled once for all processes."""

from __future__ import annotations

import gc
import os
import signal

os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("NUMBA_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from first_compilation import compile_all
from hypothesis import settings

gc.set_threshold(100_000)  # hundreds of thousands of objects are imported and stay

# A shell in the background hands on a Ctrl-C that is ignored; tests of interruptions need one that is not.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The first example of a property may compile for seconds; a failure must come again when the test is run again.
settings.register_profile("fairlead", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fairlead"))


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Before several processes start to work, compile once what all of them will need; they fetch it from the disk."""
    is_worker = hasattr(config, "workerinput")
    processes = getattr(config.option, "numprocesses", None)
    if not is_worker and processes and not config.option.collectonly:
        compile_all(processes)


def pytest_collection_finish() -> None:
    """What is imported by now stays: looking through it again and again took a twentieth of all tests."""
    gc.collect()
    gc.freeze()
