"""Recorded runs: samples, stops, resumption to the last bit, failures, warnings."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import fairlead
from fairlead.results import ResultError, open_result, read_restart
from fairlead.simulate import Simulation, SimulationError

from .toy import Toy, chain

runs = import_module("fairlead.simulate.run")  # whose folder is also the function `fairlead.simulate`


def new(**simulation) -> Simulation:
    return Simulation.of(Toy(chain(**simulation)))


def after(samples):
    """A `stop` that lets a run record so many samples after the first."""
    calls = iter(range(10**9))
    return lambda: next(calls) >= samples


def assert_same(a: xr.Dataset, b: xr.Dataset) -> None:
    assert set(a.variables) == set(b.variables)
    for name in a.variables:
        left, right = a[name].values, b[name].values
        assert np.array_equal(left, right, equal_nan=left.dtype.kind == "f"), name


class Watcher:
    """A progress that remembers, and may act at each update."""

    def __init__(self, act=None):
        self.act, self.seen, self.closed = act, [], False

    def begin(self, start, end):
        self.span = (start, end)

    def update(self, time, tension_max):
        self.seen.append((time, tension_max))
        if self.act:
            self.act(len(self.seen))

    def close(self):
        self.closed = True


def test_a_run_is_sampled_from_its_start_to_its_end():
    result = new().run()
    assert result.attrs["status"] == "complete"
    assert np.array_equal(result["time"].values, np.arange(41) * 0.1)
    assert result["toy_steps"].values.tolist() == [10.0 * k for k in range(41)]
    assert result.attrs["formulation"] == "toy"
    assert result.attrs["integrator"] == "semi_implicit"
    assert result.attrs["steps"] == 400
    assert result.attrs["simulated_time"] == pytest.approx(4.0)
    assert result.attrs["warnings"].split("\n") == ["toy: the step is 0.01 s", "toy: it is over"]


def test_the_same_run_twice_is_bit_identical():
    assert_same(new().run(), new().run())


def test_a_run_goes_on_from_the_present_time():
    sim = new()
    sim.step(0.35)
    result = sim.run(duration=0.25)
    assert result["time"].values == pytest.approx([0.35, 0.45, 0.55, 0.6])
    assert sim.time == pytest.approx(0.6)


@pytest.mark.parametrize("duration", [0.0, -1.0, np.inf, np.nan])
def test_a_duration_is_positive(duration):
    with pytest.raises(ValueError, match="duration must be a positive number"):
        new().run(duration=duration)


@pytest.mark.parametrize(
    ("integrator", "stops"), [("semi_implicit", (7, 0, 20)), ("semi_implicit", (1,)), ("rk2", (13,)), ("rk4", (13,))]
)
def test_a_run_stopped_and_resumed_equals_an_uninterrupted_one_bit_for_bit(tmp_path, integrator, stops):
    whole = new(integrator=integrator).run()
    output = tmp_path / "run.nc"
    done = 0
    for samples in stops:
        part = new(integrator=integrator).run(output=output, resume=True, stop=after(samples))
        done += samples
        assert part.attrs["status"] == f"stopped: on request at t = {0.1 * done:.9g} s"
        assert part.sizes["time"] == done + 1
    resumed = new(integrator=integrator).run(output=output, resume=True)
    assert resumed.attrs["status"] == "complete"
    assert_same(resumed, whole)
    assert_same(open_result(output), whole)
    assert resumed.attrs["steps"] == whole.attrs["steps"]
    assert len(resumed.attrs["history"].split("\n")) == len(stops) + 1


def test_a_finished_run_can_be_lengthened(tmp_path):
    output = tmp_path / "run.nc"
    new().run(duration=1.0, output=output)
    longer = new(duration=4.0).run(output=output, resume=True)
    assert_same(longer, new().run())


def test_a_finished_run_resumed_is_left_as_it_is(tmp_path):
    output = tmp_path / "run.nc"
    whole = new().run(output=output)
    assert_same(new().run(output=output, resume=True), whole)


def test_resuming_what_is_not_there_begins_it(tmp_path):
    result = new().run(duration=0.5, output=tmp_path / "run.nc", resume=True)
    assert result.sizes["time"] == 6


def test_resuming_another_system_is_refused(tmp_path):
    output = tmp_path / "run.nc"
    new().run(duration=0.5, output=output)
    with pytest.raises(ResultError, match="the input differs"):
        new(step=0.005).run(output=output, resume=True)
    with pytest.raises(ResultError, match="the input differs"):
        new(elements=9).run(output=output, resume=True)
    with pytest.raises(ResultError, match="give a longer duration"):
        new().run(duration=0.3, output=output, resume=True)
    with pytest.raises(ValueError, match="only a run with an output file can be resumed"):
        new().run(resume=True)


def test_resuming_off_the_beat_is_refused(tmp_path):
    output = tmp_path / "run.nc"
    new().run(duration=0.55, output=output)
    with pytest.raises(ResultError, match="is none of the samples asked for"):
        new().run(output=output, resume=True)


def test_a_failure_ends_the_run_and_keeps_what_was_computed(tmp_path):
    sim = new()
    output = tmp_path / "run.nc"
    tear = Watcher(lambda count: sim.set_inputs({"B.position": (1e7, 0, 0)}) if count == 5 else None)
    result = sim.run(output=output, progress=tear)
    assert result.attrs["status"].startswith("stopped: t = 0.5 s, cable 'chain': a spring is torn. Likely cause:")
    assert result.sizes["time"] == 6
    assert_same(open_result(output), result)
    assert open_result(output).attrs["status"] == result.attrs["status"]
    assert read_restart(output).time == pytest.approx(0.5)
    assert np.isfinite(read_restart(output).y).all()
    assert tear.closed


def test_a_system_that_cannot_be_looked_at_is_an_error_at_once():
    sim = new()
    sim.compiled.observe = lambda t, y, u, h, out: out.fill(np.inf)
    with pytest.raises(SimulationError, match="t = 0 s, cable 'chain', node 0 of 8"):
        sim.run()


@pytest.mark.parametrize(("number", "word"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")])
def test_a_signal_ends_the_run_after_the_present_interval(tmp_path, number, word):
    before = signal.getsignal(number)
    watcher = Watcher(lambda count: os.kill(os.getpid(), number) if count == 3 else None)
    result = new().run(output=tmp_path / "run.nc", progress=watcher, return_when_interrupted=True)
    assert result.attrs["status"] == f"stopped: {word} at t = 0.3 s"
    assert result.sizes["time"] == 4
    assert signal.getsignal(number) is before
    assert_same(new().run(output=tmp_path / "run.nc", resume=True), new().run())


def test_ctrl_c_ends_the_loop_a_run_is_in_and_leaves_its_file(tmp_path):
    begun = []
    hit = Watcher(lambda count: os.kill(os.getpid(), signal.SIGINT) if count == 3 else None)

    def loop() -> None:
        for name in ("one.nc", "two.nc"):
            begun.append(name)
            new().run(output=tmp_path / name, progress=hit)

    with pytest.raises(KeyboardInterrupt):
        loop()
    assert begun == ["one.nc"]
    assert open_result(tmp_path / "one.nc").attrs["status"] == "stopped: interrupted at t = 0.3 s"


def test_a_polite_kill_ends_the_process_after_the_file_is_written(tmp_path):
    program = (
        "import os, signal, sys; sys.path.insert(0, sys.argv[1])\n"
        "from simulate.test_run import Watcher, new\n"
        "new().run(output=sys.argv[2], progress=Watcher(lambda n: os.kill(os.getpid(), signal.SIGTERM)))\n"
        "print('still here')"
    )
    tests, output = Path(__file__).resolve().parents[1], tmp_path / "run.nc"
    done = subprocess.run([sys.executable, "-c", program, tests, output], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGTERM, "", "")
    assert open_result(output).attrs["status"] == "stopped: terminated at t = 0.1 s"


def test_a_second_interrupt_ends_the_run_at_once():
    def twice(count):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    result = new().run(progress=Watcher(twice), return_when_interrupted=True)
    assert result.attrs["status"].startswith("stopped: interrupted at t = 0.1")


def test_what_fails_in_the_callers_own_function_leaves_the_file_of_the_last_sample(tmp_path):
    def fail() -> bool:
        if sim.time > 0.25:
            raise LookupError("of the caller's")
        return False

    sim, output = new(), tmp_path / "run.nc"
    with pytest.raises(LookupError):
        sim.run(output=output, stop=fail)
    assert open_result(output).attrs["status"] == "stopped: of the caller's"
    assert os.listdir(tmp_path) == ["run.nc"]
    assert_same(new().run(output=output, resume=True), new().run())


def test_the_first_samples_are_on_disk_soon(tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "FIRST_FLUSH", 0.0)
    output, seen = tmp_path / "run.nc", []
    new().run(duration=0.3, output=output, stop=lambda: seen.append(open_result(output).sizes["time"] if seen else 0))
    assert seen == [0, 2, 2]


def test_a_run_of_long_intervals_has_written_before_its_first_step(tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "SHORT_INTERVAL", 0)
    output, seen = tmp_path / "run.nc", []
    new().run(duration=0.1, output=output, stop=lambda: seen.append(open_result(output).sizes["time"]))
    assert seen == [1]


def test_a_run_in_memory_flushes_nothing(monkeypatch):
    monkeypatch.setattr(runs, "FIRST_FLUSH", 0.0)
    monkeypatch.setattr("fairlead.results.recorder.Recorder.flush", lambda *_: pytest.fail("nothing is to be written"))
    new().run(duration=0.3)


def test_a_run_that_is_over_before_writes_its_result_once(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(runs, "FIRST_FLUSH", np.inf)
    monkeypatch.setattr("fairlead.results.recorder.write_netcdf", lambda *what, **how: written.append(how["samples"]))
    runs.record(new(), tmp_path / "run.nc", duration=0.3)
    assert written == [4]


def test_a_run_at_the_pace_of_the_clock_has_written_before_its_first_step(tmp_path):
    output, seen = tmp_path / "run.nc", []
    note = Watcher(lambda count: seen.append(open_result(output).sizes["time"]))
    new().run(duration=0.2, output=output, progress=note, real_time=True, speed=1e6)
    assert seen[0] == 1


class Disk:
    """A disk that may be full."""

    def __init__(self, monkeypatch):
        self.full = False
        monkeypatch.setattr(runs, "FIRST_FLUSH", 0.0)
        monkeypatch.setattr("fairlead.results.recorder.SHORTEST_FLUSH_PERIOD", 0.0)
        monkeypatch.setattr("fairlead.results.recorder.FLUSH_PERIOD_PER_WRITE", 0.0)
        for place in ("journal", "places"):
            monkeypatch.setattr(f"fairlead.results.{place}.write_at", self.write_at)

    def write_at(self, descriptor, content, offset):
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.pwrite(descriptor, content, offset)


def test_a_disk_that_is_full_for_a_while_costs_the_run_nothing(tmp_path, monkeypatch):
    disk = Disk(monkeypatch)
    output = tmp_path / "run.nc"
    result = new().run(output=output, progress=Watcher(lambda count: setattr(disk, "full", 3 <= count < 30)))
    assert result.attrs["status"] == "complete"
    assert "at t = 0.3 s the result could not be written" in result.attrs["warnings"]
    assert_same(open_result(output), new().run())
    assert os.listdir(tmp_path) == ["run.nc"]


def test_a_disk_that_stays_full_stops_nothing_and_is_told_at_the_end(tmp_path, monkeypatch):
    disk = Disk(monkeypatch)
    output = tmp_path / "run.nc"
    result = new().run(output=output, progress=Watcher(lambda count: setattr(disk, "full", count >= 3)))
    assert re.match(r"stopped: .*run.nc: cannot write the result \(No space left on device\)", result.attrs["status"])
    assert_same(result, new().run())
    assert open_result(output).sizes["time"] == 3, "what was written before is there"


@pytest.mark.parametrize("first_flush", [0.0, np.inf], ids=["in the run", "at its end"])
def test_a_disk_that_is_full_from_the_start_is_an_error(tmp_path, monkeypatch, first_flush):
    disk = Disk(monkeypatch)
    monkeypatch.setattr(runs, "FIRST_FLUSH", first_flush)
    disk.full = True
    with pytest.raises(ResultError, match=r"cannot write the result \(No space left on device\)"):
        new().run(output=tmp_path / "run.nc")
    assert os.listdir(tmp_path) == []


def test_an_application_keeps_its_own_handler():
    heard = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        result = new().run(progress=Watcher(lambda count: os.kill(os.getpid(), signal.SIGINT) if count == 1 else None))
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]
    assert result.attrs["status"] == "complete"


def test_progress_tells_the_time_and_the_largest_tension_so_far():
    watcher = Watcher()
    result = new().run(progress=watcher)
    times, tensions = zip(*watcher.seen, strict=True)
    assert watcher.span == (0.0, pytest.approx(4.0))
    assert list(times) == result["time"].values[1:].tolist()
    assert np.array_equal(tensions, np.maximum.accumulate(result["tension_max"].values)[1:])
    assert watcher.closed


def test_only_the_cables_asked_for_are_recorded():
    system = chain()
    system = type(system).model_validate(system.model_dump(exclude_unset=True) | {"outputs": {"energy": False}})
    result = Simulation.of(Toy(system)).run(duration=0.2)
    assert "energy_kinetic" not in result
    assert "tension_max" in result


@pytest.mark.usefixtures("toy_formulation")
def test_simulate_takes_a_file_and_settings_and_embeds_them(tmp_path):
    file = tmp_path / "chain.yaml"
    file.write_text(chain().to_yaml())
    result = fairlead.simulate(file, duration=1.0, integrator="rk4")
    assert result.attrs["status"] == "complete"
    assert result.attrs["input_file"] == file.read_text()
    assert '"integrator":"rk4"' in result.attrs["settings"]
    assert result.attrs["title"] == "a toy chain"
    assert result.attrs["fairlead_version"] == fairlead.__version__


@pytest.mark.usefixtures("toy_formulation")
def test_simulate_warns_of_a_run_that_stopped(monkeypatch):
    monkeypatch.setattr(Toy, "initial_inputs", lambda self: np.array([1e7, 0.0, 0.0, np.nan]))
    with pytest.warns(RuntimeWarning, match="the run was stopped: .* a spring is torn"):
        result = fairlead.simulate(chain())
    assert result.sizes["time"] == 1
