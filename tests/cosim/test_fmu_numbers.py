"""An FMU computes what the simulation in Python does."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.model import load_text
from fairlead.simulate import Simulation

from .host import run_by_fmpy
from .systems import LINE, OUTPUTS

TOLERANCE = 1e-10
LAST_DIGIT = 4 * 2e6 / (22.0 / 4) * np.spacing(45.0)
"""What the last digits of the coordinates of both ends, rounded in two steps, are worth in an element of the chain,
EA/l times them, N: slack chain pulls less."""


def simulation() -> Simulation:
    return Simulation(load_text(LINE, "line.yaml"))


def assert_same(host, seen):
    for name in OUTPUTS:
        expected = np.ravel(seen[name])
        shown = host[f"{name}_reached" if name == "top.position" else name]
        known = LAST_DIGIT if "tension" in name or "force" in name else 0.0
        assert np.abs(shown - expected).max() <= max(TOLERANCE * np.abs(expected).max(), known), name


def test_run_by_fmpy_it_gives_the_numbers_of_a_recorded_run(path):
    expected = simulation().run()
    seen = run_by_fmpy(path, 4.0)
    assert np.allclose(seen["time"], expected.time)
    tension = expected.tension_max.to_numpy()
    assert np.abs(seen["tension_max"] - tension).max() <= TOLERANCE * tension.max()
    force = expected.force_end.sel(cable="upper", end="start").to_numpy()
    three = "upper.force_start" in seen.dtype.names
    shown = seen["upper.force_start"] if three else np.stack([seen[f"upper.force_start.{a}"] for a in "xyz"], axis=1)
    assert np.abs(shown - force).max() <= TOLERANCE * np.abs(force).max()


def test_without_inputs_the_motion_of_the_file_is_followed(opened):
    host, sim = opened().start(), simulation()
    assert_same(host, sim.outputs())
    for k in range(16):
        host.step(k * 0.25, 0.25)
        assert_same(host, sim.step(0.25))


def test_an_input_that_is_set_is_held_until_it_is_set_again(opened):
    host, sim = opened().start(), simulation()
    host.step(0.0, 0.5)
    sim.step(0.5)
    for k, place in enumerate([(1.0, 0.5, -1.0), (2.0, 0.0, -2.0)]):
        host["top.position"] = place
        assert host["top.position"].tolist() == list(place)
        for i in range(2):
            host.step(0.5 + 0.5 * (2 * k + i), 0.5)
            assert_same(host, sim.step(0.5, inputs={"top.position": place}, hold=True))


@pytest.mark.parametrize("step", [0.013, 0.02, 0.05, 0.0333])
def test_a_step_of_the_host_is_split_into_equal_steps_no_longer_than_the_files(opened, step):
    host, sim = opened().start(), simulation()
    for k in range(10):
        host.step(k * step, step)
        assert_same(host, sim.step(step))


def test_instances_do_not_know_of_each_other(opened):
    one, other, sim = opened().start(), opened().start(), simulation()
    other["top.position"] = (3.0, 0.0, 0.0)
    for k in range(8):
        one.step(k * 0.1, 0.1)
        other.step(k * 0.1, 0.1)
        assert_same(one, sim.step(0.1))
    assert not np.allclose(one["top.position_reached"], other["top.position_reached"])


def test_a_later_start_time_is_the_time_of_the_motion(opened):
    host, sim = opened().start(begin=10.0), simulation()
    sim.set_state(10.0, sim.state)
    host.step(10.0, 0.5)
    assert host["time"].tolist() == [10.5]
    assert_same(host, sim.step(0.5))


def test_in_fmi_2_one_coordinate_may_be_set_and_the_others_stay_where_they_were(opened):
    host, sim = opened(), simulation()
    if not host.two:
        start = host.description.modelVariables[1]
        assert start.name == "top.position"
        assert [float(x) for x in start.start.split()] == [0.0, 0.0, -1.0]
        return
    host.start()
    host["top.position.x"] = [2.0]
    assert host["top.position"].tolist() == [2.0, 0.0, -1.0]
    host.step(0.0, 0.5)
    assert_same(host, sim.step(0.5, inputs={"top.position": (2.0, 0.0, -1.0)}, hold=True))
