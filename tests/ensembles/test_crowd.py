"""Members on a GPU, all but its threads: the digits of packs, whoever fails, and what it does not carry."""

from __future__ import annotations

import threading
import warnings
from dataclasses import replace

import numpy as np
import pytest

from fairlead.algebra.lanes import WIDTH
from fairlead.ensembles import companies as on_cores
from fairlead.ensembles import crowd, gpu
from fairlead.ensembles.bench import Bench
from fairlead.ensembles.channels import COLUMN, channels
from fairlead.ensembles.collector import Question
from fairlead.ensembles.companies import Companies
from fairlead.ensembles.crowd import Crowd, GpuCompanies, SharedBench, open_gpu, why_not_there
from fairlead.ensembles.engine import EngineError
from fairlead.ensembles.gpu import GROUP, Gpu, GpuEnsemble, NoGpu, own_tables
from fairlead.ensembles.packs import PackedMembers
from fairlead.ensembles.together import SAMPLES, sampled_together
from fairlead.ensembles.wanted import Wanted
from fairlead.formulations.contract import Failure
from fairlead.model import load_text
from fairlead.rigging.watching import PLACE
from fairlead.sea.water import WAVE_FIRST
from fairlead.simulate import Simulation

from .gpu_on_a_core import GpuOnACore
from .test_packs import CURRENT, NET, members, wanted

ALL = {"mean": True, "std": True, "least": True, "largest": True, "percentiles": (5.0, 90.0), "exponents": (3.0,),
       "exceeds": (1.0,), "upcrossings": (1.0,), "block": 0.5}  # fmt: skip


@pytest.fixture(scope="module")
def system():
    return load_text(NET).with_settings(duration=1.06)


def by_gpu(made, kept, gpu=None):
    device = gpu or GpuOnACore()
    return sampled_together(made, kept, 0.15, lambda *what: Crowd(*what, gpu=device))


def test_members_have_the_statistics_of_packs(system):
    """Five, which leave the last group unfilled; each with a current and, some, with a stiffness of its own, so that
    more tables than those of the sea are a member's own; one that begins elsewhere. The last sample comes sooner."""
    made, kept = members(system, 5), wanted(system, **ALL)
    first = made[0].compiled.schema.tables(
        made[0].compiled.ints, made[3].constants, made[3].state, made[0].compiled.work
    )
    first.bar.drag_normal[:] *= 1.3
    made[4] = replace(made[4], state=made[4].state.copy())
    found, known = by_gpu(made, kept), sampled_together(made, kept, 0.15, PackedMembers)
    for one, other in zip(found, known, strict=True):
        assert np.array_equal(one, other, equal_nan=True)
    assert len({row.tobytes() for row in found}) == 5
    assert own_tables(made[0].compiled, [member.constants for member in made])[-1] == "bar"
    assert own_tables(made[0].compiled, [member.constants for member in made[:3]]) == ("sea", "sea_row")


def test_one_that_fails_is_frozen_and_told(system):
    made, kept = members(system, 4), wanted(system, largest=True)
    good = by_gpu(made, kept)
    made[2].constants[CURRENT] = 1e6  # m/s
    mixed, alone = by_gpu(made, kept), sampled_together(made, kept, 0.15, PackedMembers)
    assert isinstance(mixed[2], Failure)
    assert mixed[2] == alone[2]
    for k in (0, 1, 3):
        assert mixed[k] == pytest.approx(good[k], rel=1e-7, abs=1e-7)


def test_each_has_the_sea_it_was_built_with(system):
    """Scenarios of a study share a compiled system, whose constants are those of the last one that was built; what is
    part of the code of a GPU is the members' own. Those who differ in it are no company."""
    waves = {"kind": "regular", "height": 1.0, "period": 2.5, "ramp": 0.1}
    bench, kept, made = Bench(), wanted(system, largest=True), []
    for stretching in ("wheeler", "none"):
        sea = system.with_values({"environment.waves": waves | {"stretching": stretching}})
        made.append(bench.taken(bench.simulation(sea, "alike"), {}, "alike"))
    assert made[0].compiled is made[1].compiled
    found = [by_gpu([member], kept)[0] for member in made]
    known = [sampled_together([member], kept, 0.15, PackedMembers)[0] for member in made]
    assert not np.array_equal(*known)
    assert np.array_equal(found, known)
    first, last = (GpuEnsemble(made[0].compiled, 1, gpu=GpuOnACore()) for _ in made)
    for one, member in ((first, made[0]), (last, made[1])):
        one.set_rows([member.constants], [member.state], member.inputs)
    assert first.structure != last.structure
    with pytest.raises(ValueError, match="as many waves with the same stretching; run those that differ"):
        first.set_rows([member.constants for member in made], [made[0].state] * 2, made[0].inputs)


def test_waves_that_all_have_are_there_once(system):
    """Members in currents of their own read the waves where there is one copy of them; those in seas of their own have
    theirs. Either way each has the digits of its pack."""
    waves = {"kind": "jonswap", "significant_height": 1.0, "peak_period": 4, "components": 8, "ramp": 0.1}
    kept, sizes = wanted(system, largest=True), []
    sea = system.with_values({"environment.waves": waves})
    for own_seas in (False, True):
        made = members(sea, 3)
        for k, member in enumerate(made):
            member.constants[CURRENT] += 0.1 * k
            if own_seas:
                member.constants[int(member.constants[WAVE_FIRST])] *= 1.0 + 0.1 * k
        known = sampled_together(made, kept, 0.15, PackedMembers)
        assert np.array_equal(by_gpu(made, kept), known)
        them = GpuEnsemble(made[0].compiled, len(made), gpu=GpuOnACore())
        them.set_rows([member.constants for member in made], [member.state for member in made], made[0].inputs)
        sizes.append(them.arrays[2].size // them.members)
    assert sizes[0] == int(made[0].constants[WAVE_FIRST])
    assert sizes[1] == sizes[0] + 2 * 10 * 8  # columns, and rows of them for the sums


def test_turning_points_find_room(system):
    """As many as a history may have before its first cycle closes; they are kept whenever the room for them grows: of
    ranges that shrink all the time, each is half a cycle at the end."""
    made, kept = members(system, 2), wanted(system, exponents=(3.0,))[:1]
    asked = np.array([[PLACE, 0, 0, -1, -1, 0]])
    rules = np.array([[COLUMN, 0, 1, 1, -1, -1]])
    question = Question(kept, made[0].compiled.shape, 0.0, 100.0, rules)
    there = Crowd(made, question, asked, np.zeros((2, 1, 2)), GpuOnACore())
    folds, rows = 16, SAMPLES
    history = (-0.999) ** np.arange(folds * rows)
    rooms = []
    for part in history.reshape(folds, rows):
        there._out[:, :, 0] = part
        there.fold(np.arange(float(rows)), 0, rows)
        rooms.append(there._sums.stack.shape[2])
    assert rooms[0] == crowd.ROOM, "as much as is counted beforehand"
    assert len(set(rooms)) == 3, "it grew twice, with turning points in it"
    ranges = np.abs(np.diff(history))
    assert there.rows() == pytest.approx(np.array([[0.5 * len(ranges), 0.5 * np.sum(ranges**3)]] * 2), rel=1e-12)


def test_few_of_a_kind_run_in_packs(system, monkeypatch):
    made, kept, gpu = members(system, 3), wanted(system, mean=True), GpuOnACore()
    companies = GpuCompanies(gpu, GROUP)
    rows = companies.sampled(made, kept, 0.15, lambda: False)
    assert gpu.launches == 0
    monkeypatch.setattr(crowd, "LEAST", 3)
    there = companies.sampled(made, kept, 0.15, lambda: False)
    assert gpu.launches > 0
    assert np.array_equal(rows, there)
    assert np.array_equal(rows, Companies().sampled(made, kept, 0.15, lambda: False))


def test_what_a_gpu_does_not_carry_is_refused_by_a_sentence(system):
    kept = wanted(system, mean=True)
    engine = open_gpu(Simulation(system), kept, GpuOnACore)
    assert engine.together % GROUP == 0
    assert engine.described() == f"gpu: a core, {engine.together:,} scenarios at a time"
    tether = load_text(NET.replace("formulation: bars", "formulation: lumped, integrator: rk4").replace("0.02", "1e-4"))
    with pytest.raises(EngineError, match="engine: gpu: a GPU takes no steps of 'rk4'; use integrator: semi_implicit"):
        open_gpu(Simulation(tether), kept, GpuOnACore)
    force = [Wanted(channel, mean=True) for channel in channels(system, "upper.force@end")]
    assert why_not_there(Simulation(system), force) == (
        "'upper.force@end' is not among what packs and a GPU tell; keep tensions and motions"
    )

    def missing():
        raise NoGpu("numba-cuda finds no GPU here")

    with pytest.raises(EngineError, match="numba-cuda finds no GPU here; use engine: here"):
        open_gpu(Simulation(system), kept, missing)


class CudaAPIError(Exception):
    """By the name of what numba-cuda raises."""


def test_waves_that_turn_too_often_to_be_counted_are_refused_by_a_sentence(system):
    """The bits in which a GPU counts a phase last for days of the shortest waves."""
    sea = system.with_values({"environment.waves": {"kind": "regular", "height": 0.1, "period": 2.0}})
    made = members(sea.with_values({"simulation.duration": 1e6, "simulation.output_every": 10.0}), 1)
    with pytest.raises(
        EngineError, match=r"gpu: waves of 3.14 rad/s are followed for 9.44e\+05 s on a GPU; use .* here"
    ):
        by_gpu(made, wanted(system, mean=True))
    them = GpuEnsemble(made[0].compiled, GROUP, gpu=GpuOnACore())
    with pytest.raises(NoGpu, match=r"waves of 3\.14 rad/s are followed"):
        them.advance(1e6, 1, 0.1)
    assert them.too_long(9e5) is None
    shared = GpuEnsemble(made[0].compiled, GROUP, ("sea",), GpuOnACore())
    assert (shared.shares_waves, shared.too_long(9e5)) == (True, None)


def test_a_run_too_long_for_its_waves_is_not_for_a_gpu(system):
    kept = wanted(system, mean=True)
    sea = system.with_values({"environment.waves": {"kind": "regular", "height": 0.1, "period": 2.0}})
    assert why_not_there(Simulation(sea), kept) is None
    long = sea.with_values({"simulation.duration": 1e6, "simulation.output_every": 10.0})
    assert "are followed for 9.44e+05 s on a GPU" in why_not_there(Simulation(long), kept)


def test_what_stops_a_gpu_is_a_sentence(system, monkeypatch):
    """Its driver tells that its memory is taken, when it is opened or later; what is wrong here stays what it is."""

    def fails(error):
        def fail(*what):
            raise error

        return fail

    made, kept, gpu = members(system, 3), wanted(system, mean=True), GpuOnACore()
    monkeypatch.setattr(crowd, "LEAST", 3)
    companies = GpuCompanies(gpu, GROUP)
    sentence = r"^engine: gpu: \[2\] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY; use engine: here$"
    full = CudaAPIError("[2] Call to cuMemAlloc results in\nCUDA_ERROR_OUT_OF_MEMORY")
    with pytest.raises(EngineError, match=sentence):
        open_gpu(Simulation(system), kept, fails(full))
    for method in ("full", "watch", "fetch"):
        monkeypatch.setattr(gpu, method, fails(full))
        with pytest.raises(EngineError, match=sentence):
            companies.sampled(made, kept, 0.15, lambda: False)
        monkeypatch.delattr(gpu, method)
    monkeypatch.setattr(gpu, "watch", fails(IndexError("ours")))
    with pytest.raises(IndexError, match="ours"):
        companies.sampled(made, kept, 0.15, lambda: False)


def test_a_gpu_with_too_little_room_is_refused(system, monkeypatch):
    """No more are taken than fit, with all the turning points that the first samples need room for."""
    kept, simulation, made = wanted(system, exponents=(3.0,)), Simulation(system), []

    def company(*what):
        made.append(Crowd(*what, gpu=GpuOnACore()))
        return made[0]

    sampled_together(members(system, 1), kept, 0.0, company)
    arrays = [*made[0].ensemble.arrays[2:], made[0]._out, *made[0]._sums.arrays]
    each = sum(array.nbytes for array in arrays) / GROUP
    engine = open_gpu(simulation, kept, GpuOnACore)
    assert 0.7 * crowd.SHARE * GpuOnACore.free < engine.together * each < crowd.SHARE * GpuOnACore.free
    monkeypatch.setattr(GpuOnACore, "free", 512 * each)
    with pytest.raises(EngineError, match=r"room for \d+ scenarios .* fewer than 512 are quicker on cores; use"):
        open_gpu(simulation, kept, GpuOnACore)


def test_beside_a_gpu_all_cores_are_at_work(system, monkeypatch):
    """On packs of few of a kind, and on scenarios with starts of their own, which come back in their order; those that
    share a start are made ready on one bench."""
    monkeypatch.setattr(crowd, "cores", lambda: 3)
    monkeypatch.setattr(crowd, "READY", 2)
    companies = GpuCompanies(GpuOnACore(), GROUP)
    bench, met = SharedBench(companies), threading.Barrier(3)

    def task(i, where):
        if i % 2 == 0:
            met.wait(60)  # three at a time, or never
        return where

    found = list(bench.each(range(6), task, apart=True))
    assert [i for i, _ in found] == list(range(6))
    assert len({id(where) for _, where in found}) == 3
    assert {where for _, where in bench.each(range(6), lambda i, where: where, apart=False)} == {bench}

    def together(pack, *what):
        met.wait(60)
        return list(pack)

    monkeypatch.setattr(on_cores, "sampled_together", together)
    many = members(system, 1) * (3 * WIDTH)
    assert companies.sampled(many, [], 0.0, lambda: False) == many


def test_that_few_threads_leave_a_gpu_idle_is_not_said_and_other_warnings_are(monkeypatch):
    """Filters of warnings belong to the whole process: none is put aside while other threads may warn."""

    class Code:
        def __call__(self, _):
            warnings.warn("Grid size 1 will likely result in GPU under-utilization due to low occupancy.", stacklevel=1)
            warnings.warn("of another thread", stacklevel=1)

    monkeypatch.setattr(gpu, "require_gpu", lambda: None)
    monkeypatch.setattr(Gpu, "_compiled", lambda *_: Code())
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        Gpu()._code_of(("fill",), lambda: None)(1)
    assert [str(one.message) for one in heard] == ["of another thread"]


def test_in_waves_twice_as_many_are_at_work_with_fewer_registers(system, monkeypatch):
    """Where lines of bars feel them, or each has a sea of its own; few members, those whose lines do not feel them, and
    those by lumped in a sea that all share, have all registers."""
    asked = []

    def compiled(gpu, function, pad, **options):
        asked.append(options)
        return print

    monkeypatch.setattr(gpu, "require_gpu", lambda: None)
    monkeypatch.setattr(Gpu, "_compiled", compiled)
    monkeypatch.setattr(gpu, "stepping", lambda them, watched, lean=False: None)
    monkeypatch.setattr(GpuOnACore, "free", 10**12)
    sea = system.with_values({"environment.waves": {"kind": "regular", "height": 1.0, "period": 2.5}})
    there, kept = Gpu(), wanted(system, mean=True)
    lumped = sea.with_values({"simulation.formulation": "lumped"})
    for one in (system, sea.with_values({"simulation.bars.wave_reach": 0.0}), lumped, sea):
        there._code.clear()
        simulation = Simulation(one)
        for count in (GROUP, open_gpu(simulation, kept, GpuOnACore).together):
            them = GpuEnsemble(simulation.compiled, GROUP, gpu=GpuOnACore())
            them.members = count
            there._steps(them, watched=True)
    assert asked == [{}, {}, {}, {}, {"max_registers": gpu.REGISTERS}]
    them = GpuEnsemble(Simulation(lumped).compiled, GROUP, gpu=GpuOnACore())
    assert not them.gains_by_threads
    them.constants[0, int(them.known[WAVE_FIRST]), 0] *= 2.0  # the first member has a higher wave
    them.set_constants()
    assert them.gains_by_threads
