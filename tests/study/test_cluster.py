"""Studies on a cluster: a real one of two processes, of which one is killed in the middle, to the digits of `here`."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import ExitStack

import numpy as np
import pytest
from distributed import KilledWorker, LocalCluster

from fairlead.ensembles import cluster as places
from fairlead.ensembles import on_cluster
from fairlead.ensembles.cluster import open_cluster
from fairlead.ensembles.engine import AHEAD, Batch, EngineError
from fairlead.ensembles.on_cluster import LOST, OnCluster
from fairlead.model import ModelError

MANY = {"seeds: 2": "seeds: 10", "duration: 4, discard: 1": "duration: 2, discard: 0.4"}


@pytest.fixture(scope="module")
def place():
    """Where a scheduler with two workers listens."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", memory_limit=0, silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


class Then:
    """Progress that does something once, after the first batch."""

    def __init__(self, what):
        self.what, self.told = what, []

    def begin(self, done, total):
        self.told.append((done, total))

    def update(self, done, failed):
        if len(self.told) == 1:
            self.what()
        self.told.append((done, failed))

    def close(self):
        pass


def test_a_worker_that_is_killed_costs_nothing_but_time(study, place):
    here = study(MANY, "here").run(workers=1)
    made = study(MANY)
    with open_cluster(place) as engine:
        assert engine.described() == f"cluster {place}: 2 workers with 2 threads"
        before = engine.client.run(os.getpid)
        assert len(set(before.values())) == 2
        progress = Then(lambda: os.kill(min(before.values()), signal.SIGKILL))
        found = made.run(engine=engine, progress=progress)
        engine.client.wait_for_workers(2, timeout=120)
        after = set(engine.client.run(os.getpid).values())
    assert len(progress.told) > 3
    assert min(before.values()) not in after
    assert max(before.values()) in after
    assert found.attrs["status"] == "complete"
    assert found.drop_attrs().identical(here.drop_attrs())


class Endless:
    """Scenarios that end when they are asked to, and after a minute in any case."""

    def run(self, numbers, bench, stop):
        until = time.monotonic() + 60.0
        while time.monotonic() < until and not stop():
            time.sleep(0.01)
        done = numbers[:1] if stop() else numbers
        return Batch(done, np.zeros((len(done), 1)), ["complete"] * len(done), np.full(len(done), np.nan), 0.0)


def test_when_it_is_stopped_tasks_under_way_come_back_with_what_they_have(place):
    asked = []
    with open_cluster(place) as engine:
        pieces = (np.arange(k, k + 3) for k in range(0, 30, 3))
        found = list(engine.carry_out(Endless(), pieces, lambda: asked.append(1) or len(asked) > 3))
    assert 0 < len(found) <= AHEAD * 2
    assert [len(batch.numbers) for batch in found] == [1] * len(found)


def test_a_cluster_without_workers_can_be_left(monkeypatch):
    monkeypatch.setattr(on_cluster, "SECONDS_TO_END", 0.1)
    asked = []
    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address=":0", silence_logs=50) as cluster,
        open_cluster(cluster.scheduler_address) as engine,
    ):
        assert "no worker yet" in engine.described()
        pieces = iter([np.arange(3)])
        assert list(engine.carry_out(Endless(), pieces, lambda: asked.append(1) or len(asked) > 3)) == []


class Told:
    """A task that is done as soon as it is handed out; scenario 1 takes its worker down, and whoever else is there."""

    def __init__(self, numbers, beside):
        self.numbers, self.lost = numbers, 1 in numbers or any(1 in other.numbers for other in beside)

    def add_done_callback(self, call):
        self.call = call

    def result(self):
        if self.lost:
            raise KilledWorker("task", None, 3)
        n = len(self.numbers)
        return Batch(self.numbers, np.zeros((n, 1)), ["complete"] * n, np.full(n, np.nan), 0.0)


class TwoAtATime:
    """What the engine asks of a client, with two tasks on a worker at a time."""

    def __init__(self):
        self.waiting = []

    def submit(self, function, name, numbers, pure):
        task = Told(numbers, self.waiting)
        for other in self.waiting:
            other.lost |= 1 in numbers
        self.waiting.append(task)
        return task

    def nthreads(self):
        """Asked before tasks are handed out."""
        for task in self.waiting:
            task.call(task)
        self.waiting = []
        return {"worker": 1}

    def register_plugin(self, plugin, name):
        pass

    unregister_worker_plugin = cancel = lambda self, what: None


class Nothing:
    def without(self, numbers, status):
        return Batch(numbers, np.full((1, 1), np.nan), [status], np.full(1, np.nan), 0.0)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_scenario_that_takes_its_workers_down_fails_alone(size, monkeypatch):
    """Of batches in one worker's hands two at a time; each scenario comes back once, and none is called guilty that
    was not lost while nothing else was under way, be it a batch by itself."""
    client = TwoAtATime()
    monkeypatch.setattr(on_cluster, "SECONDS_TO_HEAR", 0.0)
    engine = OnCluster("tcp://here:1", client, ExitStack())

    def stop():
        client.nthreads()
        return False

    pieces = iter(np.split(np.arange(12), range(size, 12, size)))
    found = list(engine.carry_out(Nothing(), pieces, stop))
    numbers = np.concatenate([batch.numbers for batch in found])
    assert sorted(numbers.tolist()) == list(range(12))
    status = [text for batch in found for text in batch.status]
    assert [int(i) for i, text in zip(numbers, status, strict=True) if text == LOST] == [1]


def test_a_cluster_that_goes_away_ends_it_with_a_sentence_and_what_is_done_stays(study):
    made = study(MANY)
    with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=":0", silence_logs=50) as cluster,
        open_cluster(cluster.scheduler_address) as engine,
    ):
        part = made.run(engine=engine, progress=Then(cluster.close))
    assert "is gone" in part.attrs["status"]
    assert 0 < made.status()["done"] < 20
    assert made.resume(workers=1).attrs["status"] == "complete"


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("nowhere", "--cluster nowhere: is no place of a cluster; give tcp://HOST:PORT"),
        ("local:0", "one worker at least"),
        ("tcp://127.0.0.1:9", r"there is no cluster at tcp://127\.0\.0\.1:9 .* start one with `dask scheduler`"),
        ("slurm.yaml", "slurm.yaml: there is no 'sbatch' on this machine"),
    ],
)
def test_a_cluster_that_is_not_there_is_told(where, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(places, "SECONDS_TO_ANSWER", 0.3)
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "slurm.yaml").write_text("slurm: {cores: 4, memory: 1 GB}\njobs: 2\n")
    with pytest.raises(EngineError, match=said):
        open_cluster(where)


def test_a_file_of_a_cluster_has_its_mistakes_told_with_their_lines(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match=r"slurm\.yaml: there is no such file"):
        open_cluster("slurm.yaml")
    (tmp_path / "slurm.yaml").write_text("slurm: {cores: 4}\npbs: {cores: 4}\njob: 2\n")
    with pytest.raises(ModelError) as error:
        open_cluster("slurm.yaml")
    assert [line.split(": ")[0] for line in str(error.value).splitlines()] == ["slurm.yaml:2:1", "slurm.yaml:3:1"]


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "fairlead.ensembles.on_cluster", raising=False)
    with pytest.raises(EngineError, match=r"needs Dask, .* pip install 'fairlead\[cluster\]'"):
        open_cluster("local:2")


def test_jobs_are_asked_for_as_the_file_says(tmp_path, monkeypatch):
    """By an `sbatch` that keeps what it is given."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sbatch").write_text(f"#!/bin/sh\ncat $1 > {tmp_path}/$$.job\necho Submitted batch job $$\n")
    (tmp_path / "scancel").write_text("#!/bin/sh\n")
    for name in ("sbatch", "scancel"):
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "slurm.yaml").write_text(
        'slurm: {cores: 16, memory: 32GB, queue: night, walltime: "02:00:00", log_directory: .}\njobs: 2\n'
    )
    with open_cluster("slurm.yaml") as engine:
        assert "no worker yet, it begins when one has joined" in engine.described()
        assert engine.workers == 1
        scheduler = engine.client.scheduler.address
        until = time.monotonic() + 60
        while len(jobs := list(tmp_path.glob("*.job"))) < 2 and time.monotonic() < until:
            time.sleep(0.05)
    for text in (job.read_text() for job in jobs):
        assert "#SBATCH -p night" in text
        assert "#SBATCH --cpus-per-task=16" in text
        assert "#SBATCH -t 02:00:00" in text
        assert scheduler in text
    assert len(jobs) == 2
