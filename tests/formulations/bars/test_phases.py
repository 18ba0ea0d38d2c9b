"""A step in phases, as a GPU takes it, is the step that a core makes."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from fairlead.algebra.compiled import quick_compilation
from fairlead.formulations.bars.phases import PHASES
from fairlead.formulations.bars.schema import SCHEMA
from fairlead.model import load_text
from fairlead.simulate import Simulation
from tests.ensembles.test_packs import NET

prepare = PHASES.prepare
forward, back, further, _, end = (phase.kernel for phase in PHASES.steps)
system = SCHEMA.view
STEPS = 300


@numba.njit
def by_phases(t, y, n, h, u, ints, reals, work, kind, passes):
    sys = system(ints, reals, y, work)
    prepare(kind, h, sys)
    status = 0
    for step in range(n):
        now = t + step * h
        status = forward(now, u, sys)
        if status == 0:
            status = back(now, u, sys)
        passes[0 if sys.before.wrong == 0.0 else 1] += 1
        if status == 0:
            status = further(now, u, sys)
        if status == 0:
            status = end(now, u, sys)
        if status != 0:
            return status
    return status


def test_phases_make_the_step_of_a_core():
    """A net whose rope goes slack and snaps, over a bed: in some steps the first pass is not the last. The core takes
    eight bars at a time where it can, and so rounds otherwise."""
    one = Simulation(load_text(NET)).compiled
    y, u, passes = one.initial_state(), one.initial_inputs(), np.zeros(2, dtype=np.int64)
    there = y.copy()
    with quick_compilation():
        assert by_phases(0.0, there, STEPS, 0.02, u, one.ints, one.reals, one.work, one.kind, passes) == 0
    assert passes.min() > 10
    assert one.advance(0.0, y, STEPS, 0.02, u, one.scheme) is None
    for part in ("bar_state", "hub_state", "contact", "slack_since", "ledger"):
        assert there[one.layout[part]] == pytest.approx(y[one.layout[part]], rel=1e-9, abs=1e-9), part


def test_a_sample_alone_takes_the_phases_up_to_it():
    assert [phase.kernel.__name__ for phase in PHASES.up_to_sample] == ["forward", "back", "further", "sampled"]
