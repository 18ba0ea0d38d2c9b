"""What a step of the water costs: filling and factorising the matrices, whole steps, and how both grow."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from fairlead.hydro.linear import Setting
from fairlead.hydro.solver import Direct, Influences
from fairlead.hydro.water import Water
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.timing import cpu_seconds
from fairlead.studies.submerged_sphere import DEPTH, sphere_in_waves

SIZES = {
    "small": (24, Setting(depth=DEPTH)),
    "middle": (48, Setting(depth=DEPTH, columns=48, outer=0.1)),
    "large": (80, Setting(depth=DEPTH, columns=72, outer=0.07)),
}
STEP = 0.157
GOALS = {
    ("small", "stage"): ("goal at 464 unknowns", 0.15),
    ("large", "stage"): ("goal at 2,300 unknowns", 4.5),
    ("large", "step"): ("goal at 2,300 unknowns", 1.5),
}
KINDS = {
    "stage": "matrices and LU at every stage",
    "iterative": "matrices at every stage, GMRES with the LU of the first",
    "step": "matrices frozen over the step",
}


def measure() -> Iterator[Record]:
    """CPU time on one core; half of a symmetric case in 20 m of water, so each pair of panels counts four times."""
    for size, (around, setting) in SIZES.items():
        water = case(around, setting)
        n = water.n_panels
        boundary = water.boundary(0.0, water.initial_state())
        filled = partial(Influences.of, boundary.surface, boundary.hulls[0], DEPTH, True)
        repeats = 5 if n < 1000 else 2
        yield Record(f"hydro, {n} unknowns, filling", cpu_seconds(filled, repeats + 1), "s")
        yield Record(f"hydro, {n} unknowns, LU", cpu_seconds(partial(Direct, filled()), repeats + 1), "s")
        for kind, what in KINDS.items():
            water.matrices = kind
            peer, goal = GOALS.get((size, kind), ("", None))
            yield Record(f"hydro, {n} unknowns, a step, {what}", cost_of_step(water, repeats), "s", peer, goal)


def case(around: int, setting: Setting) -> Water:
    """The submerged sphere in a steep wave."""
    return sphere_in_waves(1.25, linear=False, theory="fenton", around=around, setting=setting, smoothing=0.2)


def cost_of_step(water: Water, repeats: int) -> float:
    """CPU time of one step, s."""
    y = water.initial_state()
    state: list[np.ndarray] = [y]

    def step() -> None:
        state[0] = water.step(0.0, state[0], STEP)

    return cpu_seconds(step, repeats + 1)
