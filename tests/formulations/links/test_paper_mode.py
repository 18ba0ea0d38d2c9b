"""Pereira et al. as published: its equations, its singular point, what its mode carries and what it refuses."""

import numpy as np
import pytest

from fairlead.formulations import compile_system
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.links.paper.schema import FORCE, SCHEMA
from fairlead.formulations.links.paper.step import accelerate
from fairlead.model import System
from fairlead.shape.layout import first_geometry
from fairlead.simulate import Simulation, SimulationError
from fairlead.studies.verification.checks.links_paper_tables import elevations, published_cable

from .systems import system


def compiled(given):
    return compile_system(given, first_geometry(given))


@pytest.mark.parametrize("reading", ["literal", "consistent"])
def test_the_step_solves_the_equations_of_the_lagrangian(reading):
    """h = 0: A θ̈ = −C θ̇ − K θ − f + weight, with damping on each coordinate or, consistent, on relative elevations."""
    links = compiled(published_cable(0.0, reading=reading))
    model, rng = links.lagrangian, np.random.default_rng(1)
    for _ in range(5):
        y = links.initial_state()
        y[:12] = 0.5 * rng.normal(size=12)
        theta, rates = np.concatenate([y[:6], np.zeros(3)]), np.concatenate([y[6:12], np.zeros(3)])
        work = links.work.copy()
        assert accelerate(0.0, 0.0, y, links.ints, links.reals, work) == 0
        lever = np.eye(3) if reading == "literal" else np.eye(3) - np.eye(3, k=-1)
        damping = np.zeros((9, 9))
        damping[:3, :3] = lever.T @ np.diag([10.5, 0.5, 0.5]) @ lever
        damping[3:6, 3:6] = np.diag([4.2, 0.2, 0.2])
        right = model.gravity_torque(theta) - model.stiffness_matrix @ theta - model.coriolis(theta, rates)
        exact = np.linalg.solve(model.mass_matrix(theta)[:6, :6], (right - damping @ rates)[:6])
        found = SCHEMA.tables(links.ints, links.reals, y, work).rhs.value
        assert found == pytest.approx(exact, rel=1e-10, abs=1e-10 * np.abs(exact).max())


@pytest.mark.parametrize("step", [1e-2, 1e-3])
@pytest.mark.parametrize("reading", ["literal", "consistent"])
def test_large_steps_survive_elevation_zero(step, reading):
    """All links pass through elevation zero, where azimuth has no inertia; first order, but never lost."""
    coarse = elevations(0.0, step, reading=reading)
    fine = elevations(0.0, 2e-4, reading=reading)
    assert np.abs(coarse - fine)[0].max() < 1.2 * step
    assert np.isfinite(coarse).all()


def test_halving_the_step_halves_the_error():
    coarse, middle, fine = (elevations(0.0, h) for h in (4e-4, 2e-4, 1e-4))
    assert np.abs(coarse - middle).max() / np.abs(middle - fine).max() == pytest.approx(2.0, rel=0.05)


def test_without_azimuth_springs_the_singular_point_is_named():
    """Straight down from the start: nothing holds the azimuth, and the failure says so and what to do."""
    given = published_cable(0.0, azimuth_stiffness=None, azimuth_damping=None, start_elevation_deg=[0.0] * 3)
    with pytest.raises(SimulationError, match=r"azimuth has no meaning.*azimuth_stiffness"):
        Simulation(given).step(1.0)
    assert "elevation zero" in compiled(given).start_notes(1e-4)[0]


def test_drag_of_the_published_size_in_air_is_none():
    """The coefficient belongs to water."""
    assert elevations(0.0, 1e-3, drag="force") == pytest.approx(elevations(0.0, 1e-3), abs=1e-14)
    links = compiled(published_cable(1025.0, drag="force"))
    assert links.tables(links.initial_state()).drag == FORCE


def test_energy_goes_where_the_ledger_says():
    given = published_cable(1025.0, 1e-4)
    links = compiled(given)
    y, row, u = links.initial_state(), links.shape.empty_row(), links.initial_inputs()
    links.observe(0.0, y, u, 1e-4, row)
    first = row[links.shape.total_block][:3].sum()
    assert links.advance(0.0, y, 20_000, 1e-4, u, "semi_implicit") is None
    links.observe(2.0, y, u, 1e-4, row)
    totals = row[links.shape.total_block]
    assert totals[:3].sum() - first == pytest.approx(totals[3:7].sum(), rel=3e-3)
    assert totals[3] < 0
    assert totals[4] < 0


def test_end_torque_twists_the_cable_by_torque_over_stiffness():
    """Consistent: every joint twists by M/k in the end; in the first link's frame they add up."""
    given = published_cable(0.0, 1e-3, reading="consistent", start_twist_deg=[0.0] * 3, start_elevation_deg=[1e-3] * 3)
    data = given.model_dump(exclude_unset=True)
    data["loads"] = [{"point": "load", "torque": [0, 0, -5.0]}]
    seen = Simulation(System.model_validate(data)).step(2.0)
    assert [float(seen[f"twist_{i}"]) for i in (1, 2, 3)] == pytest.approx([5.0 / 200.0] * 3, rel=1e-3)


def test_what_the_mode_refuses_is_told_in_a_sentence():
    paper = {"mode": "paper"}
    with pytest.raises(UnsupportedSystem, match=r"fixed at its start and free at its end.*mode: physical"):
        compiled(system(end={"kind": "fixed", "position": [3, 2, -11]}, links=paper))
    with pytest.raises(UnsupportedSystem, match="attachments"):
        compiled(system(links=paper))
    data = published_cable(0.0, 1e-3).model_dump(exclude_unset=True)
    data["environment"] = {"waves": {"kind": "regular", "height": 1, "period": 6}}
    with pytest.raises(UnsupportedSystem, match=r"for no waves and a steady current; use .*links.mode: physical"):
        Simulation(System.model_validate(data))
    with pytest.raises(UnsupportedSystem, match=r"elevation_stiffness: holds 2 numbers for 6 links"):
        compiled(system(links={"elevation_stiffness": [1.0, 2.0]}))
