"""The reduced cable as a formulation: forces that are gradients, states that resume, systems that are not its own."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.formulations import compile_system
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.reduced import Assembly
from fairlead.model import System
from fairlead.reduction import compiled, galerkin
from fairlead.results import energy_balance
from fairlead.shape.layout import first_geometry
from fairlead.simulate import Simulation
from fairlead.statics import solve
from fairlead.studies.verification.checks.reduced_slack_cable import short as slack_cable


@pytest.fixture(scope="module")
def model():
    return galerkin(Simulation(slack_cable(2, duration=5.0)).run(), 6, 4)


def test_forces_are_the_gradient_of_what_is_stored(model):
    """Stretching, bending, twisting and weight, away from rest."""
    reduced = compiled(slack_cable(2), model)
    y = reduced.initial_state()
    y[reduced.layout["coordinate"]] += 0.01 * np.random.default_rng(1).normal(size=model.modes.shape[2])
    u = reduced.initial_inputs()
    u[reduced.inputs["cable.twist"]] = 2.0
    forces = reduced.forces(0.0, y, u)
    for i in range(model.modes.shape[2]):
        sides = []
        for sign in (1.0, -1.0):
            moved = y.copy()
            moved[i] += sign * 1e-5
            row = reduced.shape.empty_row()
            reduced.observe(0.0, moved, u, 1.0, row)
            sides.append(row[reduced.shape.column("energy_gravity")] + row[reduced.shape.column("energy_elastic")])
        assert forces[i] == pytest.approx(-(sides[0] - sides[1]) / 2e-5, rel=2e-5, abs=2.0)


def test_it_starts_at_rest_and_stays_there(model):
    """Ends that stand still: the equilibrium moves nowhere."""
    data = slack_cable(2).model_dump(mode="json", exclude_unset=True)
    data["points"]["B"] = {"kind": "fixed", "position": [28.28, 28.28, 20.0]}
    system = System.model_validate(data).with_settings(step=0.02, duration=5.0, output_every=0.5, spline__twists=None)
    places = Simulation.of(compiled(system, model)).run()["position"].values
    assert np.abs(places - places[0]).max() < 1e-6


def test_it_starts_from_statics_too(model, tmp_path):
    """The equilibrium between the first ends is that of the full model, as far as ten shapes of 5 s hold it."""
    path = model.save(tmp_path / "cable.rom.nc")
    system = slack_cable(2, step=0.02, output_every=0.5)
    reduced = {"formulation": "reduced", "integrator": "auto", "reduced": {"model": str(path)}}
    simulation = Simulation(system, start="statics", **reduced)
    assert simulation.statics is not None
    known = solve(system).outputs["cable.position"]
    assert simulation.outputs()["cable.position"] == pytest.approx(known, abs=0.02)


def test_strains_are_those_of_the_full_element(model):
    """Mean Green strain e of the splines: what the full formulation makes EA ε/(1 + ε) of, (1 + ε)² = 1 + 2e."""
    system = slack_cable(2)
    full = compile_system(system, first_geometry(system))
    y = full.initial_state()
    places = y[full.layout["position"]].reshape(1, -1, 3)
    strains = Assembly.of(system, "spline", first_geometry(system).nodes).strains(places)[0]
    stretch = np.sqrt(1.0 + 2.0 * strains)
    pulls = system.types["steel"].ea * (1.0 - 1.0 / stretch)
    assert pulls == pytest.approx(y[full.layout["tension"]], rel=1e-6)


def test_the_twist_is_counted_against_the_direction_of_the_full_model(model):
    """Normal to the plane in which the cable first hangs, its end where all its sines have it at t = 0."""
    system = slack_cable(2)
    full, own = compile_system(system, first_geometry(system)), compiled(system, model)
    known = full.tables(full.initial_state()).torsion.axis[0]
    assert own.tables(own.initial_state()).torsion.axis[0] == pytest.approx(known, abs=1e-12)
    assert known == pytest.approx(np.array([1.0, -1.0, 0.0]) / np.sqrt(2.0), abs=1e-9)


def test_coordinates_are_those_of_vibration(model):
    """Mass and stiffness under the first tensions are diagonal among them: nothing is left beside the diagonal."""
    own = compiled(slack_cable(2), model)
    tables = own.tables(own.initial_state())
    k, p, m = tables.modes, tables.tensions, tables.state
    shapes = own._built.shapes
    mass = own._built.assembly.mass_form(shapes)[:k, :k]
    assert np.abs(mass - np.diag(np.diag(mass))).max() < 1e-9 * np.abs(mass).max()
    strings = np.einsum("a,iaj->ij", tables.first_pull.value, tables.form.value.reshape(m, p, m))
    stiffness = (own._built.assembly.bending_form(shapes) + strings)[:k, :k]
    assert np.abs(stiffness - np.diag(np.diag(stiffness))).max() < 1e-9 * np.abs(stiffness).max()


def test_damping_differs_along_the_cable():
    """Two types with damping times of their own: reduced, they take as much as in the full run, within 2 %."""
    data = slack_cable(1, duration=10.0).model_dump(mode="json", exclude_unset=True)
    del data["cables"]["cable"]["type"], data["cables"]["cable"]["length"], data["cables"]["cable"]["elements"]
    for name, time in (("steel", 0.1), ("calm", 0.4)):
        data["types"][name] = data["types"]["steel"] | {"damping_time": {"axial": 1e-3, "bending": time, "torsion": 0}}
    data["cables"]["cable"]["sections"] = [
        {"type": "steel", "length": 23.5, "elements": 8}, {"type": "calm", "length": 23.5, "elements": 8},
    ]  # fmt: skip
    system = System.model_validate(data).with_settings(step=0.01, integrator="midpoint")
    full = Simulation(system).run()
    reduced = Simulation.of(compiled(system, galerkin(full, 12, 8))).run()
    assert energy_balance(reduced).error < 1e-6
    assert float(full["work_damping"][-1]) < -0.1
    assert float(reduced["work_damping"][-1]) == pytest.approx(float(full["work_damping"][-1]), rel=0.02)


def test_a_resumed_run_is_the_same_to_the_last_bit(model):
    reduced = compiled(slack_cable(2), model)
    once, twice, u = reduced.initial_state(), reduced.initial_state(), reduced.initial_inputs()
    assert reduced.advance(0.0, once, 40, 0.025, u, "midpoint") is None
    assert reduced.advance(0.0, twice, 17, 0.025, u, "midpoint") is None
    again = compiled(slack_cable(2), model)
    assert again.advance(17 * 0.025, twice, 23, 0.025, u, "midpoint") is None
    assert np.array_equal(once, twice)


def changed(**parts) -> System:
    data = slack_cable(2).model_dump(mode="json", exclude_unset=True)
    for path, value in parts.items():
        inner = data
        *steps, last = path.split("__")
        for step in steps:
            inner = inner[step]
        inner[last] = value
    return System.model_validate(data)


@pytest.mark.parametrize(
    ("system", "sentence"),
    [
        (changed(cables__cable__length=48.0), "another system: length of the cable .m. 47 there, 48 here"),
        (changed(types__steel__bending_stiffness=1.0), "bending stiffness"),
        (changed(environment__water_density=1025.0), "water density"),
        (changed(cables__cable__elements=20), "number of elements 16 there, 20 here"),
    ],
)
def test_a_system_it_was_not_made_for_is_refused(model, system, sentence):
    with pytest.raises(UnsupportedSystem, match=sentence):
        compiled(system, model)


def test_what_it_cannot_carry_is_refused():
    with pytest.raises(UnsupportedSystem, match="needs the file of a reduced model"):
        Simulation(slack_cable(1), formulation="reduced")
    with pytest.raises(UnsupportedSystem, match="there is no such reduced model"):
        Simulation(slack_cable(1), formulation="reduced", reduced={"model": "nowhere.rom.nc"})
    with pytest.raises(UnsupportedSystem, match=r"environment\.seabed needs a seabed"):
        Simulation(changed(environment__seabed={"depth": 50}), formulation="reduced")
