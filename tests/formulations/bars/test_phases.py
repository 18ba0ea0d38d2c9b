"""A step in phases, as a GPU takes it, is the step that a core makes."""

from __future__ import annotations

import numpy as np
import pytest
from kernels.phases import by_phases

from fairlead.formulations.bars.phases import PHASES
from fairlead.formulations.bars.schema import SCHEMA
from fairlead.formulations.bars.step import RANGE, STRAIN
from fairlead.model import load_text
from fairlead.results.extremes import NODE_EXTREMES, NODES_FROM_END, UNSET
from fairlead.simulate import Simulation
from tests.ensembles.test_packs import NET

ROUNDING = 1e6 * 2.0**-52
"""Of the largest number of a part."""
STEPS = 300


def by_phases_of(one, y, steps, passes):
    """Status after steps in phases from the state y, which is then that at the end, and the fault that is left."""
    work, u = one.work.copy(), one.initial_inputs()
    status = by_phases(0.0, y, steps, 0.02, u, one.ints, one.reals, work, one.kind, passes)
    fault = SCHEMA.tables(one.ints, one.reals, y, work).fault
    return status, (fault.time, fault.cable, fault.element)


@pytest.mark.parametrize("body", ["mass: 20, volume: 0.05", "mass: 0"])
def test_phases_make_the_step_of_a_core(body):
    """A net whose rope goes slack and snaps, over a bed: in some steps the first pass is not the last. At a point
    without mass an element pushes as well. The core takes eight bars at a time where it can, and so rounds otherwise:
    snaps make some 1e6 roundings of it, on one processor more than on another. When an extreme was is not compared:
    of two that are alike to rounding either may be the first.
    """
    one = Simulation(load_text(NET.replace("mass: 20, volume: 0.05", body))).compiled
    y, u, passes = one.initial_state(), one.initial_inputs(), np.zeros(2, dtype=np.int64)
    there = y.copy()
    status, _ = by_phases_of(one, there, STEPS, passes)
    assert status == 0
    assert passes.min() > 10
    assert one.advance(0.0, y, STEPS, 0.02, u, one.scheme) is None
    parts = "bar_state hub_state controls multipliers contact slack_since snap ledger extremes"
    for part in parts.split():
        found, wanted = there[one.layout[part]], y[one.layout[part]]
        if part == "extremes":
            nodes = NODE_EXTREMES * int(one.ints[-NODES_FROM_END])
            found, wanted = found[:nodes], wanted[:nodes]
        largest = np.abs(wanted[np.abs(wanted) < UNSET]).max(initial=1.0)
        assert found == pytest.approx(wanted, rel=1e-9, abs=ROUNDING * largest), part


@pytest.mark.parametrize(
    ("away", "whirling", "status"), [((2, 10), (), STRAIN), ((), (3, 10), RANGE), ((10,), (3,), STRAIN)]
)
def test_a_fault_is_that_of_a_core(away, whirling, status):
    """Bars far off their places, or turning about their axes much too fast. A core looks at all tensions before it
    moves a bar, the phases go bar by bar; what they tell of is the same."""
    one = Simulation(load_text(NET)).compiled
    y = one.initial_state()
    state = SCHEMA.tables(one.ints, one.reals, y, one.work).bar_state
    state.position[list(away), 0] += 600.0
    state.spin[list(whirling), 2] = 1e6
    found, fault = by_phases_of(one, y.copy(), 1, np.zeros(2, dtype=np.int64))
    assert found == status
    assert one.advance(0.0, y, 1, 0.02, one.initial_inputs(), one.scheme) is not None
    kept = SCHEMA.tables(one.ints, one.reals, y, one.work).fault
    assert fault == (kept.time, kept.cable, kept.element)


def test_a_sample_alone_takes_the_phases_up_to_it():
    assert [phase.kernel.__name__ for phase in PHASES.up_to_sample] == ["forward", "back", "sampled"]
