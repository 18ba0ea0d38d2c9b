"""What else can be reduced: clamped and loose ends, follower torques, bodies, loads, waves, several and joined cables.

Each is held against its full run: within the 1 % of the motion of the middles that `reduce` asks for by default, with
an energy that balances at steps 60 times as long.
"""

from __future__ import annotations

import numpy as np
import pytest
from marks import slowly

from fairlead.reduction import compiled, error, galerkin
from fairlead.reduction.error import WELL
from fairlead.results import energy_balance
from fairlead.simulate import Simulation
from fairlead.statics import natural_modes, solve

from . import systems

CASES = {
    "clamped at both ends and turned": (systems.clamped, 12, 6),
    "waves and a current": (lambda: systems.in_the_sea(waves=True), 10, 6),
    "a weight at a loose end, pushed": (systems.hanging, 10, 6),
    "two cables in the same points": (systems.two_cables, 18, 12),
    "lumped lines that meet in a knot": (systems.bridle, 16, 10),
}


@pytest.mark.parametrize("name", ["waves and a current", *slowly(*sorted({*CASES} - {"waves and a current"}))])
def test_it_follows_the_full_run(name):
    build, modes, tension_modes = CASES[name]
    system = build()
    full = Simulation(system).run()
    assert full.attrs["status"] == "complete"
    model = galerkin(full, modes, tension_modes)
    assert error(model, full).middle < WELL
    reduced = Simulation.of(compiled(system.with_settings(step=0.025, output_every=0.1), model)).run()
    assert energy_balance(reduced).error < 1e-6
    assert reduced["point_position"].values == pytest.approx(full["point_position"].values, abs=0.1)


def test_a_follower_torque_bends_as_in_the_full_run():
    """It has no potential, so that energy does not balance: by as much as in the full run."""
    system = systems.follower()
    full = Simulation(system).run()
    model = galerkin(full, 12, 6)
    assert error(model, full).middle < WELL
    reduced = Simulation.of(compiled(system.with_settings(step=0.025, output_every=0.1), model)).run()
    given = energy_balance(full).residual
    assert np.abs(given).max() > 1.0
    assert energy_balance(reduced).residual[-1] == pytest.approx(given[-1], abs=0.05 * np.abs(given).max())


def test_lines_in_a_knot_stay_joined():
    system = systems.bridle()
    model = galerkin(Simulation(system.with_settings(duration=5.0)).run(), 10, 6)
    run = Simulation.of(compiled(system.with_settings(step=0.025, output_every=0.1), model)).run()
    places = run["position"].values
    knots = [places[:, 0, 8], places[:, 1, 8], places[:, 2, 0]]
    assert np.ptp(knots, axis=0).max() < 1e-9
    assert np.ptp(knots[0], axis=0).max() > 0.1


def test_frequencies_under_water_have_the_added_mass():
    """A weight on a loose end: the slowest frequency is that of the full model within 1 %."""
    system = systems.hanging()
    full = solve(system)
    known = natural_modes(full.compiled, full.y, count=1).omega[0]
    own = compiled(system.with_settings(start="statics"), galerkin(Simulation(system).run(), 12, 6))
    found = natural_modes(own, own.initial_state(), count=1).omega[0]
    assert found == pytest.approx(known, rel=WELL)
