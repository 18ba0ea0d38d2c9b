"""Random trees and loops of cables, with clamps, floats, currents and a seabed, come to rest."""

import numpy as np
import pytest
from formulations.bars.random_systems import Choice, random_system

from fairlead.formulations import compile_system
from fairlead.model import System
from fairlead.statics import natural_modes, settle


def without_torques(system):
    """A torque that no clamp takes up has no equilibrium."""
    parts = system.model_dump(exclude_unset=True)
    parts["loads"] = [load | {"torque": [0.0, 0.0, 0.0]} for load in parts.get("loads", ())]
    return System.model_validate(parts)


@pytest.mark.parametrize("seed", range(12))
def test_random_systems_settle(seed):
    """Forces balance, a run stays where it starts, and the frequencies are numbers."""
    choice = Choice(water=seed % 3 > 0, friction=seed % 2 > 0)
    described, geometry = random_system(np.random.default_rng(1000 + seed), choice, step=0.01)
    compiled = compile_system(without_torques(described), geometry)
    y, report = settle(compiled, compiled.initial_state())
    assert report.relative < 1e-6
    still = compiled.linearised()
    left = np.abs(still.residual(y) / still.levers).max()
    assert left == pytest.approx(report.residual, abs=1e-12 * report.weight)  # rounding, summed in another order
    modes = natural_modes(compiled, y, 5)
    assert np.isfinite(modes.omega).all()
    if report.stable:
        rest = still.placed(y)  # without the speed with which driven ends set it going
        held = rest.copy()
        assert still.relax(held, 100, 0.01)
        assert np.abs(held - rest)[compiled.layout["bar_state"]].max() < 1e-4
