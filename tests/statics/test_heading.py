"""Floaters that rest at another heading than the file gives: the axes of their coefficients are those of their rest."""

import math

import numpy as np
import pytest

from fairlead.formulations import compile_system
from fairlead.model import System
from fairlead.shape.layout import first_geometry
from fairlead.simulate import Simulation
from fairlead.statics import solve
from statics.test_verified import semi

NEAR = (-18.0, -130.0, 0.0)


def calm(system, **settings):
    """The same without waves."""
    data = system.model_dump(mode="json", exclude_unset=True)
    del data["environment"]["waves"]
    del data["bodies"]["platform"]["drift"]
    data["simulation"] |= settings
    return System.model_validate(data, context={"source": system.source})


@pytest.fixture(scope="module")
def found():
    """After the loss of a line it rests turned by 7 degrees."""
    return solve(semi(NEAR))


@pytest.mark.parametrize("heading", [20.0, -30.0])
def test_the_equilibrium_does_not_depend_on_the_heading_in_the_file(found, heading):
    rest = solve(semi(NEAR, heading))
    assert abs(found.outputs["platform.yaw"]) > 0.1
    assert rest.outputs["platform.position"] == pytest.approx(found.outputs["platform.position"], abs=1e-5)
    assert rest.outputs["platform.yaw"] == pytest.approx(found.outputs["platform.yaw"], abs=1e-7)
    assert rest.outputs["chain_3.force_end"] == pytest.approx(found.outputs["chain_3.force_end"], rel=1e-6)


def test_a_run_stays_where_statics_has_put_it(found):
    sim = Simulation(calm(semi(NEAR)))
    out = sim.step(10.0)
    assert out["platform.position"] == pytest.approx(found.outputs["platform.position"], abs=1e-4)
    assert out["platform.yaw"] == pytest.approx(found.outputs["platform.yaw"], abs=1e-6)


def test_waves_meet_the_floater_at_the_heading_of_its_rest(found):
    """Excitation and drift are those of a file with that heading."""
    sim = Simulation(semi(NEAR))
    turned = semi(NEAR, math.degrees(found.outputs["platform.yaw"]))
    other = compile_system(turned, first_geometry(turned))
    own, given = sim.compiled.tables(sim.state), other.tables(other.initial_state())
    for one, two in ((own.excitation, given.excitation), (own.drift_column, given.drift_column)):
        scale = np.abs(two.number).max()
        assert scale > 0.0
        assert one.number == pytest.approx(two.number, abs=1e-6 * scale)
    assert own.hull.drift_mean == pytest.approx(given.hull.drift_mean, rel=1e-5, abs=1e-3)


def test_a_state_brings_its_axes_along():
    """A run goes on bit by bit from its state, in a system that was compiled with the heading of the file."""
    system = semi(NEAR)
    sim, other = Simulation(system), Simulation.of(compile_system(system, first_geometry(system)))
    sim.step(1.0)
    other.set_state(sim.time, sim.state)
    assert np.array_equal(sim.step(1.0)["chain_3.tension_effective"], other.step(1.0)["chain_3.tension_effective"])
    assert np.array_equal(sim.state, other.state)
