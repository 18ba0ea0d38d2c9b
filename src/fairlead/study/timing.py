"""How long a step takes, of a run by itself and of a pack: tried for a moment."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

import numpy as np

from fairlead.algebra.lanes import WIDTH
from fairlead.ensembles.members import Member
from fairlead.ensembles.packs import Pack
from fairlead.rigging.watching import ASKED
from fairlead.simulate.simulation import Simulation

TRIAL_SECONDS = 0.3
"""Of the clock, that are spent on finding how long a step takes."""


def seconds_a_step(simulation: Simulation, step: float, most: int) -> float:
    """Of a run by itself, of at most so many steps; NaN where its first ones fail."""
    compiled, y, u = simulation.compiled, simulation.state, simulation.commands
    simulation.warm_up()

    def run(n: int) -> bool:
        with compiled.turn:
            return simulation.integrator.advance(0.0, y.copy(), n, step, u) is None

    return seconds_of_one(run, most)


def seconds_a_step_of_a_pack(members: Sequence[Member], step: float, most: int) -> float:
    """Of all that run side by side, however many they are; NaN where the first steps of each fail."""
    nothing = np.zeros((0, ASKED), dtype=np.int64), np.zeros((WIDTH, 0, 2)), np.zeros((WIDTH, 1, 1))

    def run(n: int) -> bool:
        pack = Pack(members)
        pack.run(0.0, n, step, n, *nothing)
        return not pack.status.all()

    run(1)  # compiles, or loads machine code
    return seconds_of_one(run, most)


def seconds_of_one(run: Callable[[int], bool], most: int) -> float:
    """Seconds of one step; `run` makes some and says whether they went well. They are tried in growing numbers until
    the clock tells, or they fail: then what went well before is what is known; NaN where nothing did."""
    n, known, spent = 0, math.nan, 0.0
    while spent < TRIAL_SECONDS / 4 and n < most:
        n = min(max(4, 4 * n), most)
        began = time.perf_counter()
        if not run(n):
            break
        spent = time.perf_counter() - began
        known = spent / n
    return known
