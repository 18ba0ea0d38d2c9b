"""A mooring line for a twin to follow: where its fairlead is and what it pulls is measured, where its anchor is is not.

Truth: three times as many elements, more drag, a current of which the twin knows nothing, and an anchor that lies
nearer than the file has it. The twin estimates the way of the anchor, the drag and the current, which would otherwise
be taken for 0.2 m of chain. One in ten fixes and one in ten tensions are lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.model import System, load
from fairlead.simulate import Simulation
from fairlead.twin import TwinFile, load_twin

from .shipped import examples

REST = np.array([365.0, 0.0, -10.0])
EVERY = 0.5
"""Between measurements, s."""
NOISE = 0.03
"""Of the tension, as a share."""
LOST = 0.1
"""Share of fixes, and of tensions, that are not heard."""
CUTOFF = 20.0
"""Of the filter of the fairlead, rad/s."""
FOLDER = examples() / "twin_mooring"


def system() -> System:
    """The mooring line as its twin has it."""
    return load(FOLDER / "mooring.yaml")


def twin_file() -> TwinFile:
    """The example's twin."""
    return load_twin(FOLDER / "twin.yaml")


Measured = tuple[float, np.ndarray, float]
"""Time [s], place of the fairlead [m] and pull there [N]."""


@dataclass(frozen=True)
class Scenario:
    """What happens."""

    seed: int
    nearer: float = 0.8
    """By which the anchor really is nearer to the fairlead, m."""
    waves: tuple[tuple[float, float, float, float], ...] = (
        (1.2, 0.5, 9.0, 0.0), (0.8, 0.4, 12.5, 1.0), (0.4, 0.3, 7.0, 2.5)
    )  # fmt: skip
    """Surge and heave [m], period [s] and phase of the fairlead's motion."""
    current: tuple[float, float, float] = (0.5, 0.3, 0.0)
    drag: float = 1.6

    def fairlead(self, t: float) -> np.ndarray:
        """Where the fairlead is, (3,) m."""
        place = REST.copy()
        for surge, heave, period, phase in self.waves:
            angle = 2.0 * np.pi * t / period + phase
            place += min(t / 20.0, 1.0) * np.array([surge * np.sin(angle), 0.0, heave * np.cos(angle)])
        return place

    def sea(self, duration: float, elements: int = 144, step: float = 0.02) -> Iterator[Measured]:
        """Time [s], place of the fairlead [m] and pull there [N], as they really are."""
        anchor = [self.nearer, *np.array(system().points["anchor"].position)[1:].tolist()]
        sim = Simulation(
            system().with_values(
                {"environment.current": [{"z": 0, "velocity": list(self.current)}],
                 "types.chain.drag.normal": self.drag, "points.anchor.position": anchor,
                 "cables.chain.elements": elements, "simulation.step": step}
            )
        )  # fmt: skip
        lag = 2.0**0.5 / CUTOFF
        for k in range(1, round(duration / EVERY) + 1):
            t = k * EVERY
            speeds = [(self.fairlead(x + 0.01) - self.fairlead(x - 0.01)) / 0.02 for x in (t - EVERY, t)]
            goal = self.fairlead(t) + lag * speeds[1]
            seen = sim.step(EVERY, {"fairlead.position": goal}, speeds={"fairlead.position": speeds})
            yield t, self.fairlead(t), float(np.linalg.norm(seen["chain.force_end"]))


def heard(
    truth: Iterable[Measured], seed: int, fix_noise: float = 0.0
) -> Iterator[tuple[float, np.ndarray | None, float | None]]:
    """Time [s], fix of the fairlead [m] and tension [N] as they are measured; None where one is lost.

    fix_noise  of every axis of a fix, m
    """
    rng, of_fixes = np.random.default_rng(seed), np.random.default_rng([seed, 99])
    for t, place, pull in truth:
        seen = place + fix_noise * of_fixes.standard_normal(3)
        fix = seen if rng.uniform() > LOST else None
        yield t, fix, pull * (1.0 + NOISE * rng.normal()) if rng.uniform() > LOST else None


def follow(
    twin: Any, truth: list[Measured], seed: int, shown: Callable[[Any], None] = lambda now: None,
    fix_noise: float = 0.0, silence: tuple[float, float] = (np.inf, np.inf),
) -> list[tuple[float, float, float]]:  # fmt: skip
    """Give a twin what is measured, which is as far behind as its clock says: (time, its pull, the true one).

    shown      is called with every estimate
    fix_noise  of every axis of a fix, m
    silence    from when to when no fixes are heard, s
    """
    found, pulls = [], {round(t / EVERY): pull for t, _, pull in truth}
    for t, fix, tension in heard(truth, seed, fix_noise):
        if fix is not None and not silence[0] <= t < silence[1]:
            twin.put("fairlead.position", fix, t)
        if tension is not None:
            twin.put("pull", tension, t)
        then = t - twin.file.clock.behind
        if then >= EVERY:
            now = twin.advance(then)
            shown(now)
            found.append((then, float(np.linalg.norm(now.mean["chain.force_end"])), pulls[round(then / EVERY)]))
    return found
