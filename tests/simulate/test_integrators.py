"""Integrators: their order, their error control, and what they say when they cannot go on."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from fairlead.algebra.compiled import entry
from fairlead.formulations.contract import Layout
from fairlead.simulate import UnknownIntegrator, integrators

from .toy import Toy, chain

FREQUENCIES = np.array([1.0, 2.5, 7.0])  # rad/s


@entry
def _oscillators(t, y, u, ints, reals, work, dy):
    n = ints[0]
    for i in range(n):
        dy[i] = y[n + i]
        dy[n + i] = -(reals[i] ** 2) * y[i]
    return 0


@entry
def _bursting(t, y, u, ints, reals, work, dy):
    dy[0] = y[0] ** 2
    return 0


def oscillators():
    """Linear oscillators x'' = -w^2 x started at x = 1: x = cos w t."""
    n = len(FREQUENCIES)
    layout = Layout.of(("x", n, "m", 1.0), ("v", n, "m/s", 1.0), ("adaptive_step", 1, "s", 0.0))
    return SimpleNamespace(
        formulation="oscillators", schemes=(), rhs=_oscillators, settle=None, layout=layout,
        ints=np.array([n]), reals=FREQUENCIES.copy(), work=np.zeros(1),
    )  # fmt: skip


def error_after(integrator, duration, steps):
    y = np.concatenate([np.ones(3), np.zeros(4)])
    failure = integrator.advance(0.0, y, steps, duration / steps, np.zeros(0))
    assert failure is None
    return float(np.abs(y[:3] - np.cos(FREQUENCIES * duration)).max())


def order_of(errors, sizes):
    return np.log(errors[0] / errors[-1]) / np.log(sizes[0] / sizes[-1])


def test_rk4_is_of_order_four_on_linear_oscillators():
    steps = (100, 200, 400)
    errors = [error_after(integrators.create("rk4", oscillators()), 3.0, n) for n in steps]
    assert errors[0] < 1e-3
    assert order_of(errors, [1 / n for n in steps]) == pytest.approx(4.0, abs=0.1)


def test_rk2_is_of_order_two_in_the_steps_it_chooses():
    errors, sizes = [], []
    for tolerance in (1e-5, 1e-7, 1e-9):
        integrator = integrators.create("rk2", oscillators(), tolerance, tolerance)
        errors.append(error_after(integrator, 3.0, 10))
        sizes.append(3.0 / integrator.accepted)
    assert order_of(errors, sizes) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8])
def test_rk2_error_stays_near_the_tolerance_times_the_steps(tolerance):
    integrator = integrators.create("rk2", oscillators(), tolerance, tolerance)
    assert error_after(integrator, 3.0, 10) < 2.0 * tolerance * integrator.accepted
    assert integrator.rejected < 0.2 * integrator.accepted


@pytest.mark.parametrize(("name", "order"), [("semi_implicit", 1.0), ("rk4", 4.0)])
def test_order_on_a_swinging_chain(name, order):
    system = Toy(chain(elements=4))
    ends = []
    for steps in (200, 400, 6400):
        y = system.initial_state()
        assert integrators.create(name, system).advance(0.0, y, steps, 1.0 / steps, system.initial_inputs()) is None
        ends.append(y[system.layout["position"]])
    coarse, fine = (np.abs(end - ends[-1]).max() for end in ends[:2])
    assert np.log2(coarse / fine) == pytest.approx(order, abs=0.35)


def test_rk2_goes_on_with_the_step_it_left_in_the_state():
    system = oscillators()
    integrator = integrators.create("rk2", system)
    y = np.concatenate([np.ones(3), np.zeros(4)])
    integrator.advance(0.0, y, 1, 1.0, np.zeros(0))
    last = y[-1]
    assert 1e-4 < last < 0.1
    before = integrator.accepted
    integrator.advance(1.0, y, 1, last / 2, np.zeros(0))
    assert integrator.accepted == before + 1
    assert y[-1] == last, "a step cut short by the end of the interval does not shorten the next one"


@pytest.mark.parametrize("name", ["semi_implicit", "rk2", "rk4"])
def test_no_step_at_all_compiles_and_changes_nothing(name):
    system = Toy(chain())
    y = system.initial_state()
    assert integrators.create(name, system).advance(0.0, y, 0, 0.01, system.initial_inputs()) is None
    assert np.array_equal(y, system.initial_state())


def test_settle_is_called_once_an_accepted_step():
    system = Toy(chain())
    y = system.initial_state()
    integrator = integrators.create("rk2", system)
    integrator.advance(0.0, y, 10, 0.01, system.initial_inputs())
    assert y[system.layout["steps"]] == integrator.accepted > 0


def test_rk2_says_where_it_creeps():
    layout = Layout.of(("x", 1, "m", 1.0), ("adaptive_step", 1, "s", 0.0))
    system = SimpleNamespace(
        formulation="burst", schemes=(), rhs=_bursting, settle=None, layout=layout,
        ints=np.zeros(1, dtype=np.int64), reals=np.zeros(1), work=np.zeros(1),
    )  # fmt: skip
    failure = integrators.create("rk2", system).advance(0.0, np.array([1.0, 0.0]), 20, 0.1, np.zeros(0))
    assert failure is not None
    assert failure.time == pytest.approx(1.0, abs=1e-2), "x' = x^2 from 1 is infinite at t = 1"
    assert "state 'x'" in str(failure)
    assert "semi_implicit" in failure.cure


@pytest.mark.parametrize("name", ["semi_implicit", "rk4", "rk2"])
def test_a_failing_kernel_is_explained_by_the_formulation(name):
    system = Toy(chain())
    u = system.initial_inputs()
    u[:3] = (1e7, 0.0, 0.0)
    failure = integrators.create(name, system).advance(2.0, system.initial_state(), 10, 0.01, u)
    assert failure is not None
    assert failure.what == "a spring is torn"
    assert 2.0 <= failure.time <= 2.1


def test_unknown_integrators_and_missing_right_hand_sides_name_what_there_is():
    system = Toy(chain())
    with pytest.raises(
        UnknownIntegrator, match="has no integrator 'explicit_euler'; there are: semi_implicit, rk2, rk4"
    ):
        integrators.create("explicit_euler", system)
    without = SimpleNamespace(formulation="mute", schemes=("semi_implicit",), scheme="semi_implicit", rhs=None)
    with pytest.raises(UnknownIntegrator, match="gives no right-hand side for integrator 'rk4'"):
        integrators.create("rk4", without)


def test_a_second_process_finds_the_driver_on_disk():
    """The drivers take `rhs` as a first-class function; passed as a dispatcher they would be compiled every time."""
    code = (
        f"from {Toy.__module__} import Toy, chain\n"
        "from fairlead.simulate import integrators\n"
        "from fairlead.simulate.integrators import rk4\n"
        "toy = Toy(chain())\n"
        "integrators.create('rk4', toy).advance(0.0, toy.initial_state(), 1, 0.01, toy.initial_inputs())\n"
        "found = rk4._steps.dispatcher.stats\n"
        "print(sum(found.cache_hits.values()), sum(found.cache_misses.values()))\n"
    )
    system = Toy(chain())
    integrators.create("rk4", system).advance(0.0, system.initial_state(), 1, 0.01, system.initial_inputs())
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert found.stdout.split() == ["1", "0"]
