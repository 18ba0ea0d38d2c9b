"""Members one at a time, seen in the middle of their steps: the numbers of observed runs, on a core and as on a GPU."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from marks import slowly

from fairlead.ensembles.collector import Question
from fairlead.ensembles.companies import Companies
from fairlead.ensembles.crowd import Crowd, why_not_there
from fairlead.ensembles.lone import LoneMember
from fairlead.ensembles.members import Member
from fairlead.ensembles.packs import PackedMembers
from fairlead.ensembles.sampler import sampled
from fairlead.ensembles.together import sampled_together
from fairlead.formulations.contract import Failure
from fairlead.model import load_text
from fairlead.rigging.watching import AT_NODE, MOST, OFFSET, PLACE, SPEED
from fairlead.simulate import Simulation

from .gpu_on_a_core import GpuOnACore
from .test_packs import CURRENT, NET, STATES, WAVES, alone, members, wanted

MOTIONS = (PLACE, SPEED, OFFSET)
BENT = NET.replace("axial_stiffness: 1 MN", "axial_stiffness: 1 MN, bending_stiffness: 50").replace(
    "axial_stiffness: 9 MN", "axial_stiffness: 9 MN, bending_stiffness: 200"
)
WOUND = NET.replace("start: K, end: B", "start: K, end: B, winch: {end: end, table: [[0, 0], [1, 0.4]]}")
LUMPED = NET.replace("formulation: bars", "formulation: lumped").replace("duration: 3", "duration: 2.06")
ENDS = ("upper.tension@K", "upper.tension@end", "middle.tension_min")
"""Where a slack line has a least of nothing at many moments."""


@pytest.fixture(scope="module")
def system():
    return load_text(LUMPED)


def by_gpu(made, kept, discard):
    return sampled_together(made, kept, discard, lambda *what: Crowd(*what, gpu=GpuOnACore()))


def test_they_have_the_statistics_of_observed_runs(system):
    """Ends, the most and the least along a line, curvature, clearance, motions; the last sample comes sooner."""
    made, kept = members(system, 3), wanted(system)
    names = [column.name for one in kept for column in one.columns(1.71)]
    told = np.array([name not in {f"{one}.min_time" for one in ENDS} for name in names])
    for member in made[::2]:
        (found,) = sampled_together([member], kept, 0.35, LoneMember)
        observed = sampled(alone(member), kept, 0.35)
        assert found[told] == pytest.approx(observed[told], rel=1e-8, abs=1e-8)
    assert len({row.tobytes() for row in Companies().sampled(made, kept, 0.35, lambda: False)}) == 3


def test_on_a_gpu_they_have_the_same_digits(system):
    made, kept = members(system, 3), wanted(system)
    here = [sampled_together([member], kept, 0.35, LoneMember)[0] for member in made]
    assert np.array_equal(by_gpu(made, kept, 0.35), here, equal_nan=True)


@pytest.mark.parametrize("text", [LUMPED, WAVES, *slowly(BENT, WOUND)], ids=["lumped", "levers", "bent", "wound"])
def test_seeing_them_leaves_their_motion_as_it_is(text):
    """Tensions, places, speeds and ways, however often: they end at the same places."""
    member = Member.of(Simulation(load_text(text)))
    compiled, ends = member.compiled, []
    tensions = [AT_NODE, 1, 0, -1, -1, 0], [MOST, 0, 0, -1, -1, 0]
    asked = np.array([*tensions, *([how, 0, 0, -1, -1, 0] for how in MOTIONS)])
    for every in (1, 7, 40):
        y = member.state.copy()
        status = compiled.lone(
            0.0, y, 40, 0.02, member.inputs, compiled.ints.copy(), member.constants.copy(), compiled.work.copy(),
            compiled.kind, every, asked, np.zeros((1, len(asked), 2)), np.zeros((1, 40, 3 * len(asked))),
        )  # fmt: skip
        assert status == 0
        ends.append(np.concatenate([y[compiled.layout[part]] for part in STATES[compiled.formulation]]))
    assert np.array_equal(ends[0], ends[1])
    assert np.array_equal(ends[0], ends[2])


@pytest.mark.slow  # each kind of bars is compiled for it, for half a minute
@pytest.mark.parametrize("text", [BENT, WOUND], ids=["bent", "wound"])
def test_bars_that_no_pack_carries_have_the_statistics_of_observed_runs(text):
    """Rotation rows and clamps; a winch that pays out, so that of its cable the first nodes are not there yet."""
    system = load_text(text).with_settings(duration=2.06)
    made, kept = members(system, 2), wanted(system)
    names = [column.name for one in kept for column in one.columns(1.71)]
    told = np.array([name not in {f"{one}.min_time" for one in ENDS} for name in names])
    assert Companies().take(Simulation(system), kept)
    for member, found in zip(made, Companies().sampled(made, kept, 0.35, lambda: False), strict=True):
        observed = sampled(alone(member), kept, 0.35)
        assert found[told] == pytest.approx(observed[told], rel=1e-8, abs=1e-8, nan_ok=True)
        assert np.isfinite(found).sum() > 0.8 * len(found)


def test_one_that_fails_is_told_as_a_run_of_its_own_would(system):
    made, kept = members(system, 3), wanted(system)
    good = by_gpu(made, kept, 0.0)
    made[1] = replace(made[1], constants=made[1].constants.copy())
    made[1].constants[CURRENT] = 1e6  # m/s
    single, mixed = sampled(alone(made[1]), kept, 0.0), by_gpu(made, kept, 0.0)
    (here,) = Companies().sampled(made[1:2], kept, 0.0, lambda: False)
    for told in (mixed[1], here):
        assert isinstance(told, Failure)
        assert (told.time, told.place) == (single.time, single.place)
    assert np.array_equal(good[0], mixed[0])
    assert np.array_equal(good[2], mixed[2])


@pytest.mark.parametrize("company", [LoneMember, PackedMembers])
def test_scratch_is_taken_when_it_is_their_turn(system, company):
    """Another thread that has the turn may be in the middle of writing to it."""
    member = members(system, 1)[0]

    class Turn:
        def __enter__(self):
            member.compiled.work[:] = 1.0

        def __exit__(self, *_):
            member.compiled.work[:] = 0.0

    object.__setattr__(member.compiled, "turn", Turn())
    nothing = np.zeros((0, 6), dtype=np.int64)
    question = Question([], member.compiled.shape, 0.0, 1.0, nothing)
    made = company([member], question, nothing, np.zeros((1, 0, 2)))
    assert (made._pack.work if company is PackedMembers else made._work).all()


LINE = """
types: {wire: {diameter: 0.02, mass_per_length: 1.5, axial_stiffness: 1 MN, drag: {normal: 1.2, axial: 0.1}}}
points: {A: {kind: fixed, position: [0, 0, 0]}, B: {kind: free, position: [0, 0, -40], mass: 50, volume: 0.01}}
cables: {line: {type: wire, length: 40, elements: 4, start: A, end: B}}
simulation: {formulation: lumped, duration: 1, step: 0.001}
"""


@pytest.mark.parametrize(("old", "new", "why"), [
    ("lumped", "lumped, integrator: rk4", "a GPU takes no steps of 'rk4'; use integrator: semi_implicit"),
    ("end: B}", "end: {point: B, release: {time: 1}}}", "cables.line: a GPU lets no ends go"),
    ("end: B}", "end: B, winch: {end: start, table: [[0, 0], [1, 0.1]]}}", "a GPU carries no winches of 'lumped'"),
    ("lumped", "links", "formulation 'links' has no steps for a GPU"),
])  # fmt: skip
def test_what_a_gpu_does_not_carry_is_told(old, new, why):
    assert why_not_there(Simulation(load_text(LINE)), []) is None
    assert why_not_there(Simulation(load_text(LINE.replace(old, new))), []) == why


def test_a_channel_whose_cable_is_lost_is_told_as_nothing():
    kept = [one for one in wanted(load_text(LUMPED), mean=True) if one.channel.owner == "upper"]
    system = load_text(LINE).with_settings(duration=0.02)
    (found,) = sampled_together([Member.of(Simulation(system))], kept, 0.0, LoneMember)
    assert len(found) == len(kept)
    assert np.isnan(found).all()
