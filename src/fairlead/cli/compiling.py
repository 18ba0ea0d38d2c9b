"""What a first run compiles, by two processes: `python -m fairlead.cli.compiling FILE`.

It imports nothing but what kernels are made by, so that it may run while the rest of the program is installed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from fairlead.model import System, load


def compile_for(file: Path) -> None:
    """Compile what a run of a model file needs: a process beside this one the step, this one the statics."""
    from fairlead.statics.solution import settled

    words = [sys.executable, "-m", "fairlead.cli.compiling", "--step", str(file)]
    beside = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    settled(load(file))
    beside.wait()


def take_a_step(system: System) -> None:
    """One step of a system as it is laid out, which needs no statics."""
    from fairlead.simulate import Simulation

    Simulation(system.with_settings(start="catenary")).step(system.simulation.step)


if __name__ == "__main__":
    if sys.argv[1] == "--step":
        take_a_step(load(sys.argv[2]))
    else:
        compile_for(Path(sys.argv[1]))
