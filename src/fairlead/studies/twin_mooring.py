"""A mooring line for a twin to follow: where its fairlead is and what it pulls is measured, where its anchor is is not.

Truth: three times as many elements, more drag, a current of which the twin knows nothing, and an anchor that lies
nearer than the file has it. The twin estimates the way of the anchor, the drag and the current, which would otherwise
be taken for 0.2 m of chain.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fairlead.model import System, load
from fairlead.simulate import Simulation
from fairlead.twin import TwinFile, load_twin

from .shipped import examples

NEARER = 0.8
"""By which the anchor really is nearer to the fairlead, m."""
REST = np.array([365.0, 0.0, -10.0])
WAVES = ((1.2, 0.5, 9.0, 0.0), (0.8, 0.4, 12.5, 1.0), (0.4, 0.3, 7.0, 2.5))
"""Surge and heave [m], period [s] and phase of the fairlead's motion."""
EVERY = 0.5
"""Between measurements, s."""
NOISE = 0.03
"""Of the tension, as a share."""
CUTOFF = 20.0
"""Of the filter of the fairlead, rad/s."""
FOLDER = examples() / "twin_mooring"


def system() -> System:
    """The mooring line as its twin has it."""
    return load(FOLDER / "mooring.yaml")


def twin_file() -> TwinFile:
    """The example's twin, which does not look ahead."""
    return load_twin(FOLDER / "twin.yaml").model_copy(update={"look_ahead": None})


def fairlead(t: float) -> np.ndarray:
    """Where the fairlead is, (3,) m."""
    place = REST.copy()
    for surge, heave, period, phase in WAVES:
        angle = 2.0 * np.pi * t / period + phase
        place += min(t / 20.0, 1.0) * np.array([surge * np.sin(angle), 0.0, heave * np.cos(angle)])
    return place


def sea(duration: float, elements: int = 144, step: float = 0.02) -> Iterator[tuple[float, np.ndarray, float]]:
    """Time [s], place of the fairlead [m] and pull there [N], as they really are."""
    anchor = [NEARER, *np.array(system().points["anchor"].position)[1:].tolist()]
    sim = Simulation(
        system().with_values(
            {"environment.current": [{"z": 0, "velocity": [0.5, 0.3, 0]}], "types.chain.drag.normal": 1.6,
             "points.anchor.position": anchor, "cables.chain.elements": elements, "simulation.step": step}
        )
    )  # fmt: skip
    lag = 2.0**0.5 / CUTOFF
    for k in range(1, round(duration / EVERY) + 1):
        t = k * EVERY
        speeds = [(fairlead(x + 0.01) - fairlead(x - 0.01)) / 0.02 for x in (t - EVERY, t)]
        goal = fairlead(t) + lag * speeds[1]
        seen = sim.step(EVERY, {"fairlead.position": goal}, speeds={"fairlead.position": speeds})
        yield t, fairlead(t), float(np.linalg.norm(seen["chain.force_end"]))


def follow(twin: Any, truth: list[tuple[float, np.ndarray, float]], seed: int) -> list[tuple[float, float, float]]:
    """Give a twin what is measured: (time, its pull, the true one) every half second."""
    rng, found = np.random.default_rng(seed), []
    twin.put("fairlead.position", fairlead(0.0), 0.0)
    for t, place, pull in truth:
        twin.put("fairlead.position", place, t)
        twin.put("pull", pull * (1.0 + NOISE * rng.normal()), t)
        now = twin.advance(t)
        found.append((t, float(np.linalg.norm(now.mean["chain.force_end"])), pull))
    return found
