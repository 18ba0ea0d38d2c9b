"""Two connected cables sinking to the seabed, against an independent implementation of the same equations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

import fairlead
from fairlead.model import System, load
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

SOURCE = "Case 1 of Skjong, Reite and Aarsæther, independent implementation, step 0.0125 s"
TIMES = (100, 300, 500)  # s
NODES = (10, 25, 40, 50)  # from A, 10 m apart; 50 is the junction
POSITIONS = np.array(
    [
        [[21.06, -330.55, -86.59], [14.76, -210.70, -168.47], [21.66, -72.94, -122.25], [37.34, 0.0, -55.70]],
        [[35.31, -343.17, -87.50], [42.83, -238.66, -188.95], [46.85, -92.12, -180.96], [58.62, 0.0, -143.92]],
        [[44.96, -350.47, -85.39], [65.60, -248.28, -186.61], [60.02, -99.88, -200.00], [55.13, 0.0, -200.00]],
    ]
)
"""(time, node, axis), m"""
FORCE_AT_A = np.array([255.8, 325.7, 299.8])
"""(time,), N, size of the whole force of the cable on A"""


def example() -> System:
    """The case that ships with the program."""
    package = Path(fairlead.__file__).parent
    installed = package / "examples"
    folder = installed if installed.is_dir() else package.parents[1] / "examples"
    return load(folder / "sinking_cables.yaml")


def sink(step: float, system: System | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Nodes (time, node of the left cable, 3) m and forces on A (time, 3) N at TIMES."""
    simulation = Simulation(system or example(), step=step, duration=500.0, output_every=100.0)
    nodes, forces = [], []
    for time in TIMES:
        seen = simulation.step(time - simulation.time)
        nodes.append(np.array(seen["left.position"]))
        forces.append(np.array(seen["left.force_start"]))
    return np.array(nodes), np.array(forces)


def check() -> Iterator[Record]:
    """Node positions and the force at A with a fine and a coarse step."""
    for step, reach in ((0.0125, 0.03), (0.5, 0.2)):
        nodes, forces = sink(step)
        distances = np.linalg.norm(nodes[:, NODES] - POSITIONS, axis=2)
        for time, distance in zip(TIMES, distances.max(axis=1), strict=True):
            name = f"sinking cables, nodes at {time} s, step {step:g} s [m]"
            yield Record.absolute(name, SOURCE, float(distance), 0.0, reach)
        for time, force, exact in zip(TIMES, np.linalg.norm(forces, axis=1), FORCE_AT_A, strict=True):
            name = f"sinking cables, force on A at {time} s, step {step:g} s"
            yield Record.relative(name, SOURCE, float(force), float(exact), 0.005)
