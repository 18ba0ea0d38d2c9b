"""How long a study would take: packs as full as they will be, of different scenarios, and trials that fail."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from fairlead.algebra.lanes import WIDTH
from fairlead.ensembles.engine import Here
from fairlead.ensembles.members import Member
from fairlead.simulate import Simulation
from fairlead.study import plan as planning
from fairlead.study import timing
from fairlead.study.costs import STRUCTURE, costs
from fairlead.study.filling import Filling, filling
from fairlead.study.order import batch_size

VARIED = "vary:\n  environment.waves.significant_height: [1, 2 m]\n  environment.waves.seed: {seeds: 2}"
DRAG = {VARIED: "vary:\n  types.chain.drag.normal: {uniform: [0.8, 1.6]}\ndesign: {sample: 66}"}
ELEMENTS = {
    VARIED: "vary:\n  types.chain.drag.normal: {uniform: [0.8, 1.6]}\n"
    f"  cables.line.elements: {list(range(4, 20))}\ndesign: {{sample: 66}}"
}


@pytest.fixture
def one_second(monkeypatch):
    """A step of a pack takes a second, whoever is in it."""
    monkeypatch.setattr(planning, "seconds_a_step_of_a_pack", lambda members, step, most: 1.0)


def steps(made):
    settings = made.ready.system.simulation
    return round(settings.duration / settings.step)


@pytest.mark.usefixtures("one_second")
def test_scenarios_of_one_structure_share_the_time_of_full_packs(study):
    made = study(DRAG)
    told = made.plan(1)
    assert told.run == pytest.approx(steps(made) / WIDTH)
    assert not [line for line in told.lines() if line.startswith("packs of")]


@pytest.mark.usefixtures("one_second")
def test_scenarios_of_structures_of_their_own_share_packs_with_their_like_alone(study):
    """66 scenarios of sixteen numbers of elements; a batch is one pack, when steps take as long as that."""
    made = study(ELEMENTS)
    assert STRUCTURE in costs(made.ready).kinds
    kinds = {Member.of(Simulation(made.scenario(i))).kind for i in range(WIDTH)}
    assert len(kinds) > WIDTH / 2
    told = made.plan(1)
    assert told.run == pytest.approx(steps(made) * len(kinds) / WIDTH)
    assert told.fill == pytest.approx(WIDTH / len(kinds))
    (line,) = (line for line in told.lines() if line.startswith("packs of 8 hold 1."))
    assert line.endswith(" scenarios each: few of a batch are of one structure")


def test_larger_batches_have_fuller_packs():
    two = Filling(("one", "other") * 8, (), 1.0)
    assert two.fill(8) == 4.0
    assert two.fill(16) == 8.0
    assert Filling(("one",) * 9, (), 1.0).fill(9) == 4.5, "the ninth has a pack of its own"
    assert Filling(("one",) * 8, (), 0.0).fill(8) == 1.0, "of one structure, but none was of the kind of another"


def test_what_is_timed_are_different_scenarios_of_one_kind(study):
    for changes in (DRAG, ELEMENTS):
        members = filling(costs(study(changes).ready)).members
        assert len({member.kind for member in members}) == 1
        assert len({member.constants.tobytes() for member in members}) == len(members) > 1


def test_other_engines_are_planned_without_packs(study, monkeypatch):
    class Elsewhere(Here):
        name = "elsewhere"

    def packs(members, step, most):
        raise AssertionError("machine code of packs is made for nothing")

    monkeypatch.setattr(planning, "seconds_a_step_of_a_pack", packs)
    made = study(DRAG)
    assert made.run(engine=Elsewhere(1), stop=lambda: True).attrs["status"] == "stopped: on request"
    with pytest.raises(AssertionError, match="for nothing"):
        made.run(engine=Here(1), stop=lambda: True)


@pytest.mark.parametrize(("good", "known"), [(10**6, 0.001), (16, 0.001), (15, 0.001), (3, math.nan)])
def test_a_trial_that_fails_leaves_what_was_known_before(monkeypatch, good, known):
    """Steps of a millisecond, of which so many go well; one that fails ends at once."""
    clock, made = [0.0], []
    monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=lambda: clock[0]))

    def run(n):
        made.append(n)
        clock[0] += 0.001 * n if n <= good else 1e-6
        return n <= good

    assert timing.seconds_of_one(run, 1000) == pytest.approx(known, nan_ok=True)
    assert made == [4, 16, 64, 256][: len(made)]
    assert timing.seconds_of_one(run, 1) == pytest.approx(0.001), "no more steps than the run has"


def test_a_time_that_is_not_known_is_said_and_the_study_runs(study, monkeypatch):
    monkeypatch.setattr(planning, "seconds_a_step", lambda simulation, step, most: math.nan)
    made = study()
    told = made.plan(2)
    assert told.lines()[5] == (
        "engine here: 2 workers; how long it takes is not known: a scenario that was tried fails in its first steps"
    )
    assert not [line for line in told.lines() if "nan" in line or line.startswith("engine dask")]
    assert told.plain()["seconds"] is told.plain()["seconds_each"] is None
    assert batch_size(1000, math.nan, 2, WIDTH) == WIDTH
    assert made.run(workers=1).attrs["status"] == "complete"


def test_steps_that_fail_at_once_have_no_time(study, monkeypatch):
    simulation = Simulation(study().scenario(0))
    assert timing.seconds_a_step(simulation, 0.05, 20) > 0.0
    nowhere = np.full_like(simulation.state, np.nan)
    monkeypatch.setattr(Simulation, "state", property(lambda self: nowhere))
    assert math.isnan(timing.seconds_a_step(simulation, 0.05, 20))
