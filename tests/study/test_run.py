"""Running a study: the numbers of single runs, whoever runs them and however often it is stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import xarray as xr

import fairlead as fl
from fairlead.ensembles.bench import Bench
from fairlead.results import ResultError
from fairlead.results.places import Patient, alone_in
from fairlead.study.carry_out import StudyRun
from fairlead.study.costs import CONSTANTS, START, STRUCTURE, costs
from fairlead.study.histories import NAME
from fairlead.study.job import StudyJob
from fairlead.view.rainflow import rainflow
from fairlead.words import percentage

SEEDS = "environment.waves.seed: {seeds: 2}"


def same(one: xr.Dataset, other: xr.Dataset) -> bool:
    return one.drop_attrs().identical(other.drop_attrs())


def test_a_scenario_has_the_numbers_of_a_run_of_its_own(study):
    made = study({"line.tension@top: [mean, std, max, min]":
                  "line.tension@top: [mean, std, max, min]\n  back.force@other: [max]\n  top.z: [max]\n"
                  "  back.tension: [max]",
                  "discard: 1": "discard: 0"})  # fmt: skip
    result = made.run(workers=1)
    assert result.attrs["status"] == "complete"
    i = 3
    single = fl.simulate(made.scenario(i))
    tension = single["tension_effective"].sel(cable="line").isel(node=5).values
    assert result["line.tension@top.mean"].values[i] == pytest.approx(tension.mean(), rel=1e-14)
    assert result["line.tension@top.std"].values[i] == pytest.approx(tension.std(), rel=1e-10)
    largest = single["tension_effective_max"].sel(cable="line").isel(node=5).values
    assert result["line.tension@top.max"].values[i] == max(np.nanmax(largest), tension[0])
    ends = single.sel(cable="back", end="start")
    force = max(np.nanmax(ends["force_end_max"]), np.linalg.norm(ends["force_end"], axis=1).max())
    assert result["back.force@other.max"].values[i] == pytest.approx(force, rel=1e-12)
    assert result["back.tension.max"].values[i] == np.nanmax(single["tension_effective_max"].sel(cable="back").values)
    assert result["top.z.max"].values[i] == single["point_position"].sel(point="top").values[:, 2].max()
    assert list(result["environment.waves.significant_height"].values) == [1.0, 2.0, 1.0, 2.0]


def test_cycles_are_those_of_the_plain_history_of_the_tension(study):
    """Extremes of steps lie beyond the samples by a little, as `lumped` takes them elsewhere in the step; that makes no
    cycles (there were three times as many). Forty seconds of waves of 8 s at every step, and at every fourth."""
    seas = {"line.tension@top: [mean, std, max, min]": "line.tension*: [max, {rainflow: {m: [3]}}]",
            "environment.waves.significant_height: [1, 2 m]": "environment.waves.significant_height: [2 m]",
            SEEDS: "environment.waves.seed: {seeds: 1}", "duration: 4": "duration: 40"}  # fmt: skip
    for name, sample in {"every_step": 0.05, "every_fourth": 0.2}.items():
        made = study(seas | {"discard: 1": f"discard: 0, sample: {sample}"}, name)
        result = made.run(workers=1)
        single = fl.simulate(made.scenario(0).with_settings(output_every=0.05))
        for end, node in {"top": 5, "anchor": 0}.items():
            plain = rainflow(single["tension_effective_max"].sel(cable="line").isel(node=node).values[1:])
            counted = plain[:, 0] > 1e-3 * plain[:, 0].max()
            damage = float(np.sum(plain[:, 2] * plain[:, 0] ** 3))
            assert result[f"line.tension@{end}.cycles"].values[0] <= plain[:, 2].sum()
            assert result[f"line.tension@{end}.cycles"].values[0] >= plain[counted, 2].sum() - 1.0
            assert result[f"line.tension@{end}.damage_m3"].values[0] == pytest.approx(damage, rel=0.03)


def test_what_varies_costs_what_it_changes(study):
    def kinds(varied: str) -> tuple[str, ...]:
        return costs(study({SEEDS: varied}).ready).kinds

    assert kinds(SEEDS) == (CONSTANTS, CONSTANTS)
    assert kinds("types.chain.drag.normal: [1.2, 1.3]") == (CONSTANTS, CONSTANTS)
    assert kinds("types.chain.axial_stiffness: [2e8, 3e8]") == (CONSTANTS, START)
    assert kinds("environment.waves.components: [8, 9]") == (CONSTANTS, STRUCTURE)
    assert kinds("cables: {lose: each}") == (CONSTANTS, STRUCTURE)


def test_a_shared_start_and_any_number_of_workers_give_the_same_digits(study):
    made = study({SEEDS: "types.chain.axial_stiffness: [2e8, 3e8]\n  environment.waves.seed: {seeds: 2}"})
    job = StudyJob(made.ready, costs(made.ready))
    numbers = np.arange(len(made))
    shared = job.run(numbers, Bench(), lambda: False)
    alone = np.concatenate([job.run(numbers[i : i + 1], Bench(), lambda: False).values for i in numbers])
    assert np.array_equal(shared.values, alone)
    assert np.array_equal(job.run(numbers[::-1], Bench(), lambda: False).values[::-1], alone)
    assert np.array_equal(made.run(workers=2)["line.tension@top.max"].values, alone[:, 4])


def test_a_scenario_that_fails_says_when_and_leaves_the_others_alone(study):
    """Of two points that the line is pulled to, one is a kilometre away."""
    path = "points.top.motion.harmonics[0].amplitude"
    result = study({SEEDS: f"{path}: [[0.5, 0, 0.5], [2000, 0, 0]]"}).run(workers=1)
    good = study({SEEDS: f"{path}: [[0.5, 0, 0.5]]"}, "good").run(workers=1)
    assert [str(status)[:8] for status in result["status"].values] == ["complete", "failed: "] * 2
    assert (result["failed_at"].values[[1, 3]] > 0.0).all()
    assert np.isnan(result["failed_at"].values[[0, 2]]).all()
    assert np.isnan(result["line.tension@top.max"].values[[1, 3]]).all()
    assert np.array_equal(result["line.tension@top.max"].values[[0, 2]], good["line.tension@top.max"].values)


def test_it_goes_on_where_it_was_stopped_and_takes_up_more_scenarios(study):
    whole = study(name="whole").run(workers=1)
    made = study()
    part = made.run(workers=1, stop=lambda: any(made.folder.glob("batch_*.npz")))
    assert part.attrs["status"] == "stopped: on request"
    done = made.status()["done"]
    assert 0 < done < 4
    assert (part["status"].values == "not run").sum() == 4 - done
    with pytest.raises(ResultError, match="are there already; resume runs what is missing"):
        made.run()
    assert same(made.resume(workers=1), whole)
    more = study({"seeds: 2": "seeds: 3"})
    assert more.status()["missing"] == 2
    assert same(more.resume(workers=1).isel(scenario=slice(0, 4)), whole)


def test_a_damaged_batch_is_run_again_and_another_study_is_not_mixed_in(study):
    made = study()
    whole = made.run(workers=1)
    batch = sorted(made.folder.glob("batch_*.npz"))[0]
    batch.write_bytes(batch.read_bytes()[:-100])
    assert "cannot be read" in made.status()["notes"][0]
    assert same(made.resume(workers=1), whole)
    with pytest.raises(ResultError, match="batches of another study"):
        study({"duration: 4": "duration: 5"}).status()
    with pytest.raises(ResultError, match="nothing to go on from"):
        study(name="new").resume()


def test_two_do_not_run_one_study_at_a_time(study):
    made = study()
    made.folder.mkdir()
    with alone_in(made.folder) as alone:
        assert alone
        with pytest.raises(ResultError, match="somebody else is running this study"):
            made.run(workers=1)
        assert made.status()["done"] == 0, "asking is free"
    assert made.run(workers=1).attrs["status"] == "complete"


def test_what_another_wrote_while_a_study_was_prepared_is_kept(study, monkeypatch):
    made, other = study({"seeds: 2": "seeds: 6"}), study({"seeds: 2": "seeds: 6"})
    plan = type(made).plan
    first_batch = lambda: made.status()["done"] > 0  # noqa: E731

    def meanwhile(self, *workers):
        if self is made and not made.status()["done"]:
            other.run(workers=1, stop=first_batch)
        return plan(self, *workers)

    monkeypatch.setattr(type(made), "plan", meanwhile)
    assert made.run(workers=1).attrs["status"] == "complete"
    assert made.status()["missing"] == 0, "on the disk, too"


def test_a_full_disk_ends_it_with_a_sentence_and_loses_nothing_that_was_written(study, monkeypatch):
    made, written = study(), Patient.write

    def full(self, content):
        if len(list(made.folder.glob("batch_*.npz"))) >= 1:
            self._error = OSError(28, "No space left on device")
        return written(self, content)

    with monkeypatch.context() as patch:
        patch.setattr(Patient, "write", full)
        result = made.run(workers=1)
    assert "No space left on device" in result.attrs["status"]
    assert "free some space" in result.attrs["status"]
    assert made.status()["done"] == 1
    assert made.resume(workers=1).attrs["status"] == "complete"


class Late:
    """An engine that begins with certain scenarios, and whose batches under way come in after it was told to end."""

    name, workers, together = "late", 1, 8

    def __init__(self, *begun):
        self.begun, self.passes = [np.array(numbers) for numbers in begun], 0

    def carry_out(self, job, batches, stop):
        self.passes += 1
        if self.begun:
            yield from [job.run(numbers, Bench(), lambda: False) for numbers in self.begun]
            self.begun = []
        else:
            for numbers in batches:
                if stop():
                    return
                yield job.run(numbers, Bench(), lambda: False)


BAD = "points.top.motion.harmonics[0].amplitude: [[0.5, 0, 0.5], [2000, 0, 0]]"
"""The second of two scenarios fails."""


def ended(result: xr.Dataset, allowed: str) -> str:
    """The sentence of a study that ended because of those that failed, by what is in the result."""
    status = [str(text)[:7] for text in result["status"].values]
    failed, run = status.count("failed:"), len(status) - status.count("not run")
    return f"stopped: {percentage(failed / run)} of {run} scenarios failed, more than {allowed}"


def test_it_ends_when_too_many_fail(study):
    failing = {SEEDS: f"environment.waves.seed: {{seeds: 8}}\n  {BAD.replace('0.5, 0, 0.5', '1900, 0, 0')}",
               "seed: 7": "stop: {failed: 10 %}"}  # fmt: skip
    result = study(failing, "failing").run(workers=1)
    assert result.attrs["status"] == ended(result, "10 %")
    assert 3 <= (result["failed_at"] > 0.0).sum() < 32


def test_why_it_ended_is_told_of_all_that_came_in(study):
    """Three of the first four fail; then five more come in that were under way, of which two fail."""
    rough = {SEEDS: f"environment.waves.seed: {{seeds: 8}}\n  {BAD}"}
    made = study(rough | {"seed: 7": "stop: {failed: 40 %}"})
    result = made.run(engine=Late([0, 1, 3, 5], [2, 4, 6, 7, 9]))
    assert result.attrs["status"] == ended(result, "40 %") == "stopped: 56 % of 9 scenarios failed, more than 40 %"
    assert made.status()["failed"] == 5
    made = study(rough | {"seed: 7": "stop: {failed: 60 %}"}, "calmer")
    late = Late([0, 1, 3, 5], [2, 4, 6, 8, 7])
    assert made.run(engine=late).attrs["status"] == "complete", "with those under way it was not so: it goes on"
    assert late.passes == 2
    assert made.status()["failed"] == 16


def test_it_ends_when_enough_is_known(study):
    sure = {"seed: 7": "design: {sample: 200}\nstop: {converged: {line.tension@top: mean within 40 %}}",
            "duration: 4, discard: 1": "duration: 0.4"}  # fmt: skip
    result = study(sure, "sure").run(workers=1)
    assert "as sure as was asked for" in result.attrs["status"]
    assert 30 <= (result["status"].values == "complete").sum() < 200


class Asking:
    """An engine that asks whether it is to end whenever `ask` is called, as a worker does at any time."""

    name, workers, together = "asking", 1, 8

    def carry_out(self, job, batches, stop):
        self.ask = stop
        for numbers in batches:
            if stop():
                return
            yield job.run(numbers, Bench(), lambda: False)


def test_a_reason_to_end_is_not_lost_when_it_comes_while_a_batch_is_counted(study, monkeypatch):
    made, engine, counted, wanted = study(), Asking(), StudyRun._enough, []

    def heard(self, done, estimates=True):
        found = counted(self, done, estimates)
        wanted.append("the end, for a moment")
        engine.ask()
        wanted.clear()
        return found

    monkeypatch.setattr(StudyRun, "_enough", heard)
    part = made.run(engine=engine, stop=lambda: bool(wanted))
    assert part.attrs["status"] == "stopped: on request"
    assert (part["status"].values == "not run").sum() == made.status()["missing"] == 3


def test_the_worst_scenarios_are_run_again_with_their_histories(study):
    made = study({"[mean, std, max, min]": "[max]\n  histories: {scenarios: worst 1 of line.tension@top}"})
    result = made.run(workers=1)
    worst = int(np.argmax(result["line.tension@top.max"].values))
    history = fl.open_result(made.folder / "histories" / NAME.format(worst))
    assert list(result["history"].values).index(NAME.format(worst)) == worst
    largest = history["tension_effective_max"].sel(cable="line").isel(node=5).where(history["time"] > 1.0)
    assert float(largest.max()) == result["line.tension@top.max"].values[worst]


WAITING = """
import time
from fairlead.cli.main import program
from fairlead.simulate.interrupts import Interrupts
from fairlead.study.store import Store
write, note, heard = Store.write, Interrupts.note, []
def written(self, batch):
    write(self, batch)
    until = time.monotonic() + 300
    while not heard and time.monotonic() < until:
        time.sleep(0.01)
Store.write, Interrupts.note = written, lambda self, *signal: (heard.append(1), note(self, *signal))
program()
"""
"""The command line, which waits for a signal when the first batch is written."""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_kill_at_any_time_loses_at_most_what_is_under_way(study, number, folder):
    made = study({"seeds: 2": "seeds: 20", "duration: 4": "duration: 12"})
    command = [sys.executable, "-c", WAITING, "study", "run", "storm.yaml", "--workers", "1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while len(list(made.folder.glob("batch_*.npz"))) < 1 and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(number)
    _, told = process.communicate(timeout=600)
    done = made.status()["done"]
    assert 0 < done < 40
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert b"goes on" in told
    made.resume(workers=1)
    assert made.status() | {"core_seconds": 0, "notes": []} == {
        "scenarios": 40, "done": 40, "failed": 0, "missing": 0, "core_seconds": 0, "notes": [], "failures": {},
    }  # fmt: skip
    assert not list(made.folder.glob(".*partial"))
