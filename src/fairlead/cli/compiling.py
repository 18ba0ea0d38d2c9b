"""What a first run compiles, in two parts that two processes do at once.

`step_beside` compiles a step in a process beside this one, which looks for the equilibrium meanwhile. `python -m
fairlead.cli.compiling --step FILE` does the one alone, `--rest FILE` the other. Both import nothing but what kernels
are made by, so that they may run while the rest of the program is still fetched; `--pages` then imports what a page is
drawn by, so that its bytecode and the list of fonts are there as well.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from importlib import import_module

from fairlead.model import System, load


@contextlib.contextmanager
def step_beside(system: System) -> Iterator[None]:
    """Compile a step of a system in a process of its own, and at the end of the `with` wait for it.

    For the time in which its equilibrium is looked for. Where its machine code is there, where there is one core or no
    folder to keep it in, or where a run begins without statics, it does nothing.
    """
    child = os.fork() if _is_worth_it(system) else -1
    if child == 0:
        _take_a_step_and_end(system)
    try:
        yield
    except BaseException:
        if child > 0:
            os.kill(child, signal.SIGKILL)
        raise
    finally:
        if child > 0:
            os.waitpid(child, 0)


def _is_worth_it(system: System) -> bool:
    from fairlead.algebra.compiled import cache_root, is_compiled

    if system.simulation.from_first_shape or is_compiled(system.simulation.formulation):
        return False
    if not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2 or "numba" in sys.modules:
        return False
    try:
        cache_root().mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(cache_root(), os.W_OK | os.X_OK)


def _take_a_step_and_end(system: System) -> None:
    """What the process beside does: without a word, and without what this one does at its end."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        take_a_step(system)
    finally:
        os._exit(0)


def find_rest(system: System) -> None:
    """The equilibrium of a system."""
    from fairlead.statics.solution import settled

    settled(system)


def take_a_step(system: System) -> None:
    """One step of a system as it is laid out, which needs no statics."""
    from fairlead.simulate import Simulation

    Simulation(system.with_settings(start="catenary")).step(system.simulation.step)


def import_pages() -> None:
    """Import what `fairlead demo` needs beside the kernels."""
    drawing = ("backends.backend_agg", "backends.backend_svg", "font_manager")
    for name in (
        "h5netcdf",
        *(f"matplotlib.{part}" for part in drawing),
        "mpl_toolkits.mplot3d",
        "fairlead.view.showcase",
    ):
        import_module(name)


if __name__ == "__main__":
    if sys.argv[1] == "--pages":
        import_pages()
    else:
        {"--step": take_a_step, "--rest": find_rest}[sys.argv[1]](load(sys.argv[2]))
