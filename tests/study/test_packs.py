"""A study of many scenarios by bars: in packs, to the numbers of runs one by one."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from fairlead.ensembles import crowd
from fairlead.ensembles.bench import Bench
from fairlead.ensembles.engine import EngineError
from fairlead.ensembles.packs import why_not
from fairlead.simulate import Simulation
from fairlead.study import plan as planning
from fairlead.study.carry_out import MANY
from fairlead.study.costs import CONSTANTS, START, costs
from fairlead.study.job import StudyJob
from fairlead.study.order import batches
from tests.ensembles.gpu_on_a_core import GpuOnACore

IN_BARS = {
    "vary:\n  environment.waves.significant_height: [1, 2 m]\n  environment.waves.seed: {seeds: 2}":
    "vary:\n  types.chain.drag.normal: {uniform: [0.8, 1.6]}\n  types.chain.drag.axial: {uniform: [0.05, 0.2]}\n"
    "design: {sample: 66}",
    "run: {duration: 4, discard: 1}": "run: {duration: 2, discard: 0.5}",
    "line.tension@top: [mean, std, max, min]": "line.tension@top: [mean, std, max, min]\n  top.speed: [max]",
}  # fmt: skip


@pytest.fixture
def in_bars(study, folder):
    """The line in waves by bars: 66 scenarios of drag."""
    path = folder / "line.yaml"
    path.write_text(path.read_text().replace("formulation: lumped", "formulation: bars"))
    return study(IN_BARS)


def test_many_scenarios_run_in_packs_to_the_numbers_of_single_runs(in_bars):
    assert len(in_bars) >= MANY
    known = costs(in_bars.ready)
    assert known.kinds == (CONSTANTS, CONSTANTS)
    assert why_not(Simulation(in_bars.scenario(0)), in_bars.ready.wanted) is None
    assert not in_bars.plan(1).alone
    result = in_bars.run(workers=2)
    assert result.attrs["status"] == "complete"
    numbers = np.array([0, 7, 65])
    single = StudyJob(in_bars.ready, known).run(numbers, Bench(), lambda: False)
    found = np.stack([result[column.name].values[numbers] for column in StudyJob(in_bars.ready, known).columns], axis=1)
    assert found == pytest.approx(single.values, rel=1e-8)
    assert len(np.unique(result["line.tension@top.max"].values)) == len(in_bars)


def test_digits_hang_neither_on_workers_nor_on_what_was_built(in_bars):
    """A scenario whose constants come from the record has those of one that was built."""
    job = StudyJob(in_bars.ready, costs(in_bars.ready), many=True)
    bench, numbers = Bench(), np.arange(12)
    together = job.run(numbers, bench, lambda: False)
    given = in_bars.values(3)
    assert bench.member(job.costs.constants(given), job.costs.alike(given)) is not None, "by the record"
    for i in (3, 10):
        assert np.array_equal(job.run(np.array([i]), Bench(), lambda: False).values[0], together.values[i])


def test_a_scenario_that_cannot_run_in_a_pack_runs_by_itself(study, folder):
    path = folder / "line.yaml"
    path.write_text(path.read_text().replace("formulation: lumped", "formulation: bars"))
    made = study(IN_BARS | {"line.tension@top: [mean, std, max, min]": "line.force@top: [max]"})
    job = StudyJob(made.ready, costs(made.ready), many=True)
    alone = StudyJob(made.ready, costs(made.ready))
    numbers = np.arange(2)
    one, other = (by.run(numbers, Bench(), lambda: False).values for by in (job, alone))
    assert np.array_equal(one, other)
    told = made.plan(1)
    assert told.alone == "'line.force@top' is not among what packs and a GPU tell; keep tensions and motions"
    assert f"one scenario at a time in each thread: {told.alone}" in told.lines()


def test_a_plan_tells_the_time_of_packs(in_bars, study, monkeypatch):
    """Where packs carry the scenarios and there are many; else that of single runs."""
    assert 0.0 < in_bars.plan(1).run < np.inf
    monkeypatch.setattr(planning, "seconds_a_step", lambda simulation, step, most: 1.0)
    monkeypatch.setattr(planning, "seconds_a_step_of_a_pack", lambda members, step, most: 2.0)
    steps = study(IN_BARS | {"design: {sample: 66}": "design: {sample: 8}"}).plan(1).run
    assert steps > 10.0
    assert in_bars.plan(1).run == 0.25 * steps


def test_batches_are_whole_packs():
    pieces = list(batches(np.arange(100), seconds_each=3.0, workers=2, together=8))
    assert [len(piece) for piece in pieces] == [8] * 12 + [4]
    assert np.array_equal(np.concatenate(pieces), np.arange(100))


def test_on_a_gpu_it_has_the_numbers_of_packs_and_goes_on_from_its_batches(study, folder, monkeypatch):
    """Three batches: two of 32 on the GPU, and two scenarios that are too few for it."""
    path = folder / "line.yaml"
    path.write_text(path.read_text().replace("formulation: lumped", "formulation: bars"))
    here = study(IN_BARS, "here").run(workers=1)
    made = study(IN_BARS | {"seed: 7": "seed: 7\nengine: gpu"})

    def missing():
        raise crowd.NoGpu("numba-cuda finds no GPU here")

    monkeypatch.setattr("fairlead.study.study.open_gpu", partial(crowd.open_gpu, gpu=missing))
    with pytest.raises(EngineError, match="engine: gpu: numba-cuda finds no GPU here; use engine: here"):
        made.run()
    gpu = GpuOnACore()
    monkeypatch.setattr("fairlead.study.study.open_gpu", partial(crowd.open_gpu, gpu=lambda: gpu))
    monkeypatch.setattr(crowd, "LEAST", 16)
    monkeypatch.setattr(crowd, "MOST", 16)  # 32 in waves
    first = made.run(stop=lambda: gpu.launches > 0)
    assert first.attrs["status"] == "stopped: on request"
    assert made.status()["done"] == 32
    result = made.resume()
    assert gpu.launches == 4, "the steps of each batch and its last sample"
    assert result.attrs["status"] == "complete"
    for name in ("mean", "std", "max", "min"):
        there, known = (one[f"line.tension@top.{name}"].values for one in (result, here))
        assert there == pytest.approx(known, rel=1e-9)


def test_beside_a_gpu_starts_of_their_own_are_made_ready_by_all_cores(study, folder, monkeypatch):
    """To the same digits; the bench of the thread that waits for them builds nothing."""
    path = folder / "line.yaml"
    path.write_text(path.read_text().replace("formulation: lumped", "formulation: bars"))
    weights = "drag.axial: {uniform: [0.05, 0.2]}", "mass_per_length: {uniform: [50, 70]}"
    made = study({old: new.replace(*weights) for old, new in IN_BARS.items()})
    job = StudyJob(made.ready, costs(made.ready), many=True)
    assert START in job.costs.kinds
    shared = crowd.SharedBench(crowd.GpuCompanies(GpuOnACore(), 32))
    monkeypatch.setattr(shared, "simulation", None)
    found, known = (job.run(np.arange(3), bench, lambda: False) for bench in (shared, Bench()))
    assert np.array_equal(found.numbers, known.numbers)
    assert np.array_equal(found.values, known.values)
    assert found.status == ["complete"] * 3


def test_auto_asks_for_a_gpu_where_a_study_is_large_and_falls_back(in_bars, monkeypatch):
    asked = []

    def none(*what):
        asked.append(what)
        raise EngineError("there is none")

    monkeypatch.setattr("fairlead.study.study.open_gpu", none)
    monkeypatch.setattr("fairlead.study.study.find_spec", lambda name: True)
    with in_bars.engine() as engine:
        assert engine.name == "here"
    assert not asked
    monkeypatch.setattr("fairlead.study.study.MANY_FOR_A_GPU", 60)
    with in_bars.engine() as engine:
        assert engine.name == "here"
    assert len(asked) == 1
