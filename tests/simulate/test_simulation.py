"""A simulation stepped in a loop of one's own."""

from __future__ import annotations

import sys
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

import fairlead
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.simulate import InputError, Simulation, SimulationError

from .toy import Toy, chain


@pytest.fixture
def sim():
    return Simulation.of(Toy(chain()))


def test_a_step_is_split_into_steps_no_longer_than_the_files(sim):
    out = sim.step(0.025)
    assert sim.time == out.time == 0.025
    assert out.toy_steps == 3, "0.025 s in steps of at most 0.01 s"
    assert sim.step(0.01).toy_steps == 4
    assert sim.step(0.3).toy_steps == 34


def test_outputs_are_named_views_of_one_row(sim):
    out = sim.step(0.1)
    assert out["chain.position"].shape == (9, 3)
    assert np.shares_memory(out["chain.position"], out.row)
    assert out["chain.tension_effective"].shape == (9,)
    assert out["chain.force_start"].shape == out["B.velocity"].shape == (3,)
    assert out["tension_max"] == out.tension_max == out["chain.tension_effective"].max()
    assert np.array_equal(np.asarray(out), out.row, equal_nan=True)
    assert np.array_equal(out.row, sim.outputs().row, equal_nan=True)
    assert set(out.names) >= {"A.position", "chain.contact_force", "energy_kinetic", "toy_steps"}
    with pytest.raises(KeyError, match=r"did you mean 'chain\.tension_effective'"):
        out["chain.tension_efective"]
    with pytest.raises(AttributeError, match="no total named 'tension_min'"):
        out.tension_min  # noqa: B018


def test_later_outputs_leave_earlier_ones_alone(sim):
    first = sim.step(0.1)
    kept = first.row.copy()
    sim.step(0.1)
    assert np.array_equal(first.row, kept, equal_nan=True)


def test_inputs_are_held_until_they_are_set_again(sim):
    sim.step(0.1, inputs={"B.position": (9.0, 0.5, 0.0)})
    assert sim.step(0.1)["B.position"].tolist() == [9.0, 0.5, 0.0]
    assert sim.inputs["B.position"].tolist() == [9.0, 0.5, 0.0]
    sim.set_inputs({"B.position": None})
    assert sim.inputs["B.position"] is None
    assert sim.step(0.1)["B.position"].tolist() == [9.9, 0.0, 0.0]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"B.postion": (0, 0, 0)}, r"there is no input 'B.postion'; did you mean 'B.position'\?"),
        ({"B.position": (0, 0)}, r"takes 3 numbers, not an array of shape \(2,\)"),
        ({"B.position": 1.0}, r"takes 3 numbers, not an array of shape \(\)"),
        ({"B.position": (0, np.nan, 0)}, "must be finite, not"),
        ({"B.position": "north"}, "takes 3 numbers, not 'north'"),
        ({"B.position": (0, 0, 0), "brake": np.inf}, "input 'brake' must be finite"),
    ],
)
def test_a_wrong_input_is_named_and_changes_nothing(sim, inputs, message):
    before = sim.state
    with pytest.raises(InputError, match=message):
        sim.step(0.1, inputs=inputs)
    assert np.array_equal(sim.state, before)
    assert sim.time == 0.0
    assert all(value is None for value in sim.inputs.values())


def test_a_number_may_be_given_for_an_input_of_one(sim):
    sim.set_inputs({"brake": 2})
    assert sim.inputs["brake"].tolist() == [2.0]


@pytest.mark.parametrize("dt", [0.0, -1.0, np.nan, np.inf])
def test_time_only_goes_forward(sim, dt):
    with pytest.raises(ValueError, match="dt must be a positive number of seconds"):
        sim.step(dt)


def test_a_state_taken_and_set_again_gives_the_same_future(sim):
    sim.step(0.5)
    then, state = sim.time, sim.state
    future = [sim.step(0.05).row for _ in range(5)]
    sim.set_state(then, state)
    assert all(np.array_equal(sim.step(0.05).row, row, equal_nan=True) for row in future)
    other = Simulation.of(Toy(chain()))
    other.state = state
    assert other.time == 0.0
    assert np.array_equal(other.state, state)
    state[:] = 0.0
    assert not np.array_equal(other.state, state), "a state is copied, not kept"


def test_a_state_must_fit_and_be_finite(sim):
    with pytest.raises(ValueError, match=r"has shape \(44,\), not \(3,\)"):
        sim.state = np.zeros(3)
    broken = sim.state
    broken[0] = np.nan
    with pytest.raises(ValueError, match="number 0 of 'position' is not finite"):
        sim.state = broken


@pytest.mark.parametrize("nonsense", [3, None, [1], {"types": {}}])
def test_what_is_no_system_is_told_so(nonsense):
    for call in (Simulation, fairlead.simulate):
        with pytest.raises(TypeError, match="a simulation takes a System or the path of a model file, not "):
            call(nonsense)


def test_calls_that_make_no_sense_are_told_so(sim):
    with pytest.raises(ValueError, match="duration must be a positive number of seconds, not 'x'"):
        sim.run(duration="x")
    with pytest.raises(ValueError, match="dt must be a positive number of seconds, not '1'"):
        sim.step("1")
    with pytest.raises(InputError, match="inputs are given by name"):
        sim.step(0.1, inputs=[1.0])
    with pytest.raises(ValueError, match="set_state takes a time in s and an array"):
        sim.set_state(None, sim.state)
    with pytest.raises(ValueError, match="set_state takes a time in s and an array"):
        sim.set_state(0.0, "somewhere")


def test_a_failed_step_leaves_the_last_good_state(sim):
    sim.step(0.1)
    before = sim.state
    with pytest.raises(SimulationError, match="a spring is torn") as caught:
        sim.step(0.1, inputs={"B.position": (1e7, 0, 0)})
    assert caught.value.failure.time == pytest.approx(0.1)
    assert np.array_equal(sim.state, before)
    assert sim.time == 0.1
    sim.step(0.1, inputs={"B.position": None})
    assert sim.time == pytest.approx(0.2)


def test_a_number_that_is_none_is_found_and_placed(sim, monkeypatch):
    def observe(t, y, u, h, out):
        Toy.observe(sim.compiled, t, y, u, h, out)
        sim.compiled.shape.node_table(out, 0)[3, 6] = np.inf

    monkeypatch.setattr(sim.compiled, "observe", observe)
    with pytest.raises(SimulationError, match="cable 'chain', node 3 of 8: a number is no longer finite"):
        sim.step(0.1)


def test_nodes_that_are_all_nan_are_inactive_not_wrong(sim, monkeypatch):
    def observe(t, y, u, h, out):
        Toy.observe(sim.compiled, t, y, u, h, out)
        sim.compiled.shape.node_table(out, 0)[7] = np.nan

    monkeypatch.setattr(sim.compiled, "observe", observe)
    assert np.isnan(sim.step(0.1)["chain.position"][7]).all()


@pytest.mark.usefixtures("toy_formulation")
def test_settings_given_by_name_take_the_place_of_the_files(tmp_path):
    file = tmp_path / "chain.yaml"
    file.write_text(chain().to_yaml())
    sim = fairlead.Simulation(file, integrator="rk4", step=0.05)
    assert sim.integrator.name == "rk4"
    assert sim.step(0.1).toy_steps == 2
    assert "toy: the step is 0.05 s" in sim.warnings
    with pytest.raises(fairlead.ModelError, match="stepp: unknown key; did you mean 'step'"):
        fairlead.Simulation(chain(), stepp=1)


@pytest.mark.usefixtures("toy_formulation")
def test_a_simulation_may_start_from_statics(monkeypatch):
    report = SimpleNamespace(notes=("it swings",))
    monkeypatch.setattr("fairlead.statics.settle", lambda compiled, y, u, quick: (y + 0.125, report))
    sim = Simulation(chain(start="statics"))
    assert np.array_equal(sim.state, Toy(chain()).initial_state() + 0.125)
    assert sim.statics is report
    assert "it swings" in sim.warnings
    assert sim.run(duration=0.1).attrs["start"].startswith("statics: ")
    assert Simulation(chain(start="catenary")).run(duration=0.1).attrs["start"] == "catenary"


@pytest.mark.usefixtures("toy_formulation")
def test_without_statics_a_run_starts_from_the_first_shape_and_says_why():
    sim = Simulation(chain())
    assert sim.statics is None
    assert np.array_equal(sim.state, Toy(chain()).initial_state())
    (note,) = [note for note in sim.warnings if note.startswith("simulation.start: ")]
    assert "offers neither statics nor modes" in note
    assert "start: catenary" in note
    assert not [note for note in Simulation(chain(start="catenary")).warnings if "simulation.start" in note]
    with pytest.raises(UnsupportedSystem):
        Simulation(chain(start="statics"))


def test_stepping_costs_microseconds_of_python(sim):
    """The toy observes in slow Python, so only the rest is looked at; the bound is loose, for a busy machine."""
    sim.compiled.observe = lambda t, y, u, h, out: out.fill(0.0)
    sim.step(0.01)
    inputs = {"B.position": (9.9, 0.0, 0.0)}
    times = []
    for _ in range(300):
        began = time.perf_counter()
        sim.step(0.01, inputs)
        times.append(time.perf_counter() - began)
    assert min(times) < 200e-6


def test_a_step_leaves_the_threads_of_the_blas_asleep(sim, monkeypatch):
    """On a busy machine a product of long vectors takes milliseconds, because it wakes them."""
    for name in ("dot", "vdot", "inner", "matmul", "tensordot"):
        monkeypatch.setattr(np, name, lambda *arguments, name=name: pytest.fail(f"np.{name} in a live step"))
    sim.step(0.1, {"B.position": (9.0, 0.5, 0.0)})
    sim.outputs()


def test_other_threads_go_on_while_a_step_is_taken(sim):
    """A server's thread keeps ticking: kernels let go of Python's lock. Nothing else makes this thread give it up."""
    ticks, done, interval = [], threading.Event(), sys.getswitchinterval()

    def tick():
        while not done.wait(1e-3):
            ticks.append(sim.time)

    sim.step(0.1)
    server = threading.Thread(target=tick)
    server.start()
    try:
        sys.setswitchinterval(100.0)
        for _ in range(10):
            before = len(ticks)
            sim.step(3000.0)  # 300 000 steps of the file's, in one call
            inside = len(ticks) - before
            if inside > 10:
                break
    finally:
        sys.setswitchinterval(interval)
        done.set()
        server.join()
    assert inside > 10


def test_what_another_thread_sees_waits_for_the_step_under_way(sim):
    """The scratch memory of a compiled system serves one kernel at a time, now that two threads may be in them."""
    compiled, inside, overlaps = sim.compiled, [], []

    def watched(kernel):
        def call(*arguments):
            overlaps.append(len(inside))
            inside.append(1)
            time.sleep(0.01)
            answer = kernel(*arguments)
            inside.pop()
            return answer

        return call

    compiled.advance, compiled.observe = watched(compiled.advance), watched(compiled.observe)
    reader = threading.Thread(target=lambda: [sim.outputs() for _ in range(5)])
    reader.start()
    for _ in range(5):
        sim.step(0.01)
    reader.join()
    assert len(overlaps) == 15
    assert not any(overlaps)


def test_a_point_that_rests_far_from_its_place_in_the_file_is_told_with_two_cures():
    """A weight that is put beside the place where it hangs; written where it hangs, nothing is said of it."""
    system = fairlead.load_text(
        """
types: {wire: {diameter: 20 mm, mass_per_length: 2, axial_stiffness: 20 MN}}
points:
  tip: {kind: fixed, position: [0, 0, 0]}
  load: {kind: free, position: [9, 0, -15], mass: 2000, volume: 0.5}
cables: {wire: {type: wire, length: 20, elements: 4, start: tip, end: load}}
simulation: {duration: 1, step: 0.01}
""",
        "load.yaml",
    )
    (note,) = [note for note in Simulation(system).warnings if note.startswith("simulation.start: ")]
    assert "'load' at (0, 0, -20.0" in note
    assert note.endswith("; write that into the file, or say start: catenary to begin where the file puts it")
    moved = system.with_values({"points.load.position": [0, 0, -19.99]})
    assert not [note for note in Simulation(moved).warnings if note.startswith("simulation.start: ")]
