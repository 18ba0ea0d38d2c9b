"""What a first run compiles, in two parts that two processes do at once.

`python -m fairlead.cli.compiling --step FILE` compiles a step, `--rest FILE` the statics. Both import nothing but what
kernels are made by, so that they may run while the rest of the program is still fetched; `--pages` then imports what a
page is drawn by, so that its bytecode and the list of fonts are there as well.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

from fairlead.model import System, load


def compile_for(file: Path) -> None:
    """Compile what a run of a model file needs: a process beside this one the step, this one the statics."""
    words = [sys.executable, "-m", "fairlead.cli.compiling", "--step", str(file)]
    beside = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    find_rest(load(file))
    beside.wait()


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
