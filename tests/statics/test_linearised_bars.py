"""The bars held still: stiffness is the derivative of force, mass the inertia of a run, forces those of a run."""

import numpy as np
import pytest

from fairlead.formulations import compile_system
from fairlead.shape.layout import first_geometry
from statics import systems


def compiled(system):
    return compile_system(system, first_geometry(system))


def disturbed(still, y, size=0.02):
    """The state pushed off its shape at random, with joint forces that fit the gaps."""
    push = np.random.default_rng(1).normal(size=still.size)
    return still.settled(still.displaced(y, size * push / still.levers))


@pytest.mark.parametrize("name", ["mooring", "stiff_loop_of_pipes", "ring_net", "weight_and_float"])
def test_tangent_is_the_derivative_of_the_residual(name):
    bars = compiled(systems.EVERYDAY[name]())
    still = bars.linearised()
    y = disturbed(still, bars.initial_state())
    stiffness = still.tangent(y)
    for seed in range(3):
        direction = np.random.default_rng(seed).normal(size=still.size) / still.levers
        step = 1e-6
        ahead = still.residual(still.displaced(y, step * direction))
        behind = still.residual(still.displaced(y, -step * direction))
        expected = -(ahead - behind) / (2 * step)
        assert stiffness @ direction == pytest.approx(expected, abs=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("name", ["mooring", "ring_net", "weight_and_float"])
def test_residual_is_mass_times_acceleration(name):
    """One tiny step of a run from rest: the velocities it gives, times the mass matrix, are the forces left over.

    Of rods: some joints are pushed, which a line that only pulls would not bear.
    """
    bars = compiled(systems.EVERYDAY[name]().with_values({"simulation.bars.compression": "carried"}))
    still = bars.linearised()
    y = disturbed(still, bars.initial_state(), 1e-4)
    forces = still.residual(y)
    h = 1e-7
    assert bars.advance(0.0, y, 1, h, bars.initial_inputs(), "semi_implicit") is None
    gained = still.mass(y) @ still.speeds(y) / h
    heavy = still.mass(y).diagonal() > 0.0
    assert gained[heavy] == pytest.approx(forces[heavy], abs=1e-4 * np.abs(forces).max())


def test_kept_joint_forces_follow_a_step():
    """After a step the kept forces are those of the linearised gaps, so the forces left over are of second order."""
    bars = compiled(systems.stiff_catenary())
    still = bars.linearised()
    y = disturbed(still, bars.initial_state())
    direction = np.random.default_rng(2).normal(size=still.size) / still.levers
    misses = [np.abs(still.imbalance(still.displaced(y, size * direction))[1]).max() for size in (1e-3, 1e-4)]
    assert misses[0] / misses[1] == pytest.approx(100.0, rel=0.2)


def test_time_stands_still():
    """Relaxation moves no prescribed point, lets nothing go and feels no friction."""
    described = systems.moving_end().model_dump(exclude_unset=True)
    described["cables"]["line"]["start"] = {"point": "A", "release": {"time": 0.0}}
    bars = compiled(systems.system(**described))
    still = bars.linearised()
    y = still.placed(bars.initial_state())
    controls, attached = y[bars.layout["controls"]].copy(), y[bars.layout["attached"]].copy()
    assert still.relax(y, 100, 0.1)
    assert np.array_equal(y[bars.layout["controls"]], controls)
    assert np.array_equal(y[bars.layout["attached"]], attached)


def test_places_have_names():
    bars = compiled(systems.weight_and_float())
    still = bars.linearised()
    assert still.place(0) == "cable 'line', element 1 of 40"
    assert still.place(still.size - 1) == "point 'tail'"


def test_a_reversed_cable_is_counted_from_its_start():
    described = systems.single_bar().model_dump(exclude_unset=True)
    described["cables"]["line"] |= {"start": "tip", "end": "A", "elements": 4}
    still = compiled(systems.system(**described)).linearised()
    assert still.place(0) == "cable 'line', element 4 of 4"
