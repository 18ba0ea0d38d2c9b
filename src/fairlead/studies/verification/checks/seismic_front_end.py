"""The seismic front end: the force at the winch of the innermost lead-in, its symmetry, and that the step is small."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from fairlead.simulate import Simulation
from fairlead.studies.seismic import SIDES, Spread
from fairlead.studies.verification.record import Record

SOURCE = "Case 2 of Skjong, Reite and Aarsæther (13.3 to 14.5 kN), independent implementation (13.37 to 14.95 kN)"
SETTLED = 150.0
"""s: the first geometry has come to rest and the sway has begun."""
SWAYING = Spread(step=0.25, duration=1357.0)


def winch_force(spread: Spread, *sides: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Time (samples,) [s] and the force of lead-in 1 on its winch (samples, 3) [N] for each side."""
    result = Simulation(spread.system(*sides)).run()
    forces = {
        side: result["force_end"].sel(cable=f"{side}_lead_in_1", end="start").values for side in sides or tuple(SIDES)
    }
    return result["time"].values, forces


@cache
def swaying() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Both sides swaying together over two periods."""
    return winch_force(SWAYING)


def range_of_force() -> tuple[float, float]:
    """Least and greatest force at the winch of the port lead-in 1 once settled [kN]."""
    time, forces = swaying()
    size = np.linalg.norm(forces["port"][time >= SETTLED], axis=1) / 1e3
    return float(size.min()), float(size.max())


def mirror_error() -> float:
    """Largest difference of port and mirrored starboard forces over the largest force, the sides swaying mirrored."""
    _, forces = winch_force(Spread(step=0.25, duration=300.0, mirrored=True))
    mirrored = forces["starboard"] * np.array([1.0, -1.0, 1.0])
    return float(np.abs(forces["port"] - mirrored).max() / np.abs(forces["port"]).max())


def opposition() -> float:
    """Phase between the port and starboard forces at the frequency of the sway, both sides swaying together [rad]."""
    time, forces = swaying()
    period = (time > SWAYING.duration - 2 * np.pi / SWAYING.sway_rate) * np.exp(-1j * SWAYING.sway_rate * time)
    port, starboard = (np.sum(period * np.linalg.norm(forces[side], axis=1)) for side in SIDES)
    return float(abs(np.angle(port / starboard)))


def step_error(fine: float = 0.025) -> float:
    """Largest difference between steps of 0.25 s and `fine` over the largest force, once settled."""
    sizes = []
    for step in (0.25, fine):
        time, forces = winch_force(Spread(step=step, duration=250.0), "port")
        sizes.append(np.linalg.norm(forces["port"][time >= SETTLED], axis=1))
    return float(np.abs(sizes[0] - sizes[1]).max() / sizes[1].max())


def check() -> Iterator[Record]:
    """Range of the force, symmetry, phase, step."""
    least, most = range_of_force()
    yield Record.absolute("seismic front end, least force at lead-in 1 [kN]", SOURCE, least, 13.35, 0.15)
    yield Record.absolute("seismic front end, greatest force at lead-in 1 [kN]", SOURCE, most, 14.85, 0.15)
    yield Record.absolute("seismic front end, port against starboard, mirrored", "symmetry", mirror_error(), 0.0, 1e-6)
    name = "seismic front end, phase of port against starboard [rad]"
    yield Record.absolute(name, "opposite phase, the paper's Fig. 11", opposition(), np.pi, 0.1)
    yield Record.absolute("seismic front end, step 0.25 s against 0.025 s", "step 0.025 s", step_error(), 0.0, 0.01)
