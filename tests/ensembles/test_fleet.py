"""Members side by side are what separate simulations are, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.ensembles.fleet import Fleet
from fairlead.formulations import NAMES
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import System, load_text
from fairlead.simulate import InputError, Simulation
from fairlead.statics.equilibrium import settle

WIRE = """
environment: {{current: [{{z: 0, velocity: [0.5, 0.2, 0]}}]}}
types: {{wire: {{diameter: 20 mm, density: 7850, youngs_modulus: 20 GPa, drag: {{normal: 1.2, axial: 0.05}}}}}}
points:
  A: {other}
  B: {{kind: controlled, position: [8, 0, -5], motion: {{harmonic: {{amplitude: [0.5, 0, 0.3], period: 2, ramp: 1}}}}}}
cables: {{wire: {{type: wire, length: 10, elements: 6, start: A, end: B}}}}
simulation: {{formulation: {formulation}, start: catenary, duration: 0.4, step: 0.002, output_every: 0.1}}
"""
FIXED = "{kind: fixed, position: [0, 0, -5]}"
LOAD = "{kind: free, position: [8, 0, -15], mass: 20, volume: 0.002}"
DRAG = "types.wire.drag.normal"
CURRENT = "environment.current[0].velocity"
DRAGS, CURRENTS = (0.4, 1.2, 2.5), ((0.5, 0.2, 0.0), (-0.4, 0.1, 0.0), (0.0, 0.0, 0.0))
PLACES = (((8.1, 0.0, -5.0),) * 3, ((8.2, 0.1, -5.0), (8.1, 0.0, -5.1), (8.0, 0.0, -4.9)))


def wire(formulation: str = "bars") -> System:
    return load_text(WIRE.format(formulation=formulation, other=LOAD if formulation == "multibody" else FIXED))


@pytest.mark.parametrize("formulation", [name for name in NAMES if name not in ("reduced", "spline")])
def test_every_member_is_a_simulation_of_its_own_with_its_constants_and_its_inputs(formulation):
    fleet = Fleet(wire(formulation), 3, threads=2 if formulation == "bars" else 1)
    fleet.set_parameters({DRAG: DRAGS, CURRENT: CURRENTS})
    values = [{DRAG: drag, CURRENT: current} for drag, current in zip(DRAGS, CURRENTS, strict=True)]
    alone = [Simulation(wire(formulation).with_values(given)) for given in values]
    for sim in alone:
        sim.set_state(0.0, fleet.Y[0])
        sim.step(0.05)
    fleet.step(0.05)
    for places in PLACES:  # the first time they begin where the point is, then each member goes its own way
        assert len(fleet.step(0.02, {"B.position": places})) == 0
        seen = [sim.step(0.02, {"B.position": place}) for sim, place in zip(alone, places, strict=True)]
    assert np.array_equal(fleet.Y, [sim.state for sim in alone])
    assert np.array_equal(fleet.rows, [out.row for out in seen], equal_nan=True)
    assert np.array_equal(fleet.observe("wire.position"), [out["wire.position"] for out in seen])
    assert fleet.time == pytest.approx(0.09)
    assert not np.allclose(fleet.Y[0], fleet.Y[1])


def test_a_member_that_cannot_go_on_is_left_where_it_was_and_the_others_go_on():
    fleet = Fleet(wire(), 3)
    before = fleet.Y[1].copy()
    places = np.array([[8.0, 0, -5], [1e7, 0, -5], [8.0, 0, -5]])
    assert fleet.step(0.02, {"B.position": places}, hold=True).tolist() == [1]
    assert fleet.lost.tolist() == [1]
    assert np.array_equal(fleet.Y[1], before)
    assert "member 1" in str(fleet.failure(1))
    assert np.array_equal(fleet.Y[0], fleet.Y[2])
    fleet.Y[1], fleet.status[1], fleet.inputs[1] = fleet.Y[0], 0, fleet.inputs[0]
    fleet.step(0.02)
    assert np.array_equal(fleet.Y[0], fleet.Y[1])


@pytest.mark.parametrize("begun", [False, True])
def test_each_settles_with_its_own_constants_and_inputs(begun):
    """As by itself, at the start and later."""
    fleet = Fleet(wire(), 3)
    fleet.set_parameters({CURRENT: CURRENTS})
    if begun:
        fleet.step(0.02, {"B.position": PLACES[1]})
    before, reals = fleet.Y.copy(), fleet.compiled.reals.copy()
    fleet.settle()
    bars = fleet.compiled.layout["bar_state"]
    assert np.array_equal(fleet.compiled.reals, reals)
    for m in range(3):
        alone = Simulation(wire().with_values({CURRENT: CURRENTS[m]})).compiled
        rests, report = settle(alone, before[m], fleet.inputs[m], fleet.time)
        assert report.residual < 1e-3
        assert np.array_equal(fleet.Y[m, bars], rests[bars])
    assert not np.allclose(fleet.Y[0, bars], fleet.Y[2, bars])


def test_a_copy_goes_its_own_way():
    fleet = Fleet(wire(), 3)
    ahead = fleet.copy(2)
    ahead.step(0.02)
    ahead.set_parameters({DRAG: 3.0})
    assert fleet.time == 0.0
    assert ahead.members == 2
    assert np.array_equal(fleet.Y[0], fleet.Y[2])
    assert fleet.P == {}


def test_each_goes_with_speeds_of_its_own_though_to_the_same_place():
    fleet, rates = Fleet(wire(), 3), ((0.5, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, 0.0, -0.3))
    alone = [Simulation(wire()) for _ in rates]
    for sim in alone:
        sim.set_state(0.0, fleet.Y[0])
    for begin, end in (((0.0,) * 3, rates), (rates, (0.0,) * 3)):
        fleet.step(0.02, {"B.position": (8.0, 0.0, -5.0)}, speeds={"B.position": (begin, end)})
        for k, sim in enumerate(alone):
            pair = [one if np.ndim(one) == 1 else one[k] for one in (begin, end)]
            sim.step(0.02, {"B.position": (8.0, 0.0, -5.0)}, speeds={"B.position": pair})
    assert np.allclose(fleet.Y, [sim.state for sim in alone], rtol=0.0, atol=1e-15)
    assert not np.allclose(fleet.Y[0], fleet.Y[1], rtol=0.0, atol=1e-9)


def test_what_does_not_fit_is_said():
    fleet = Fleet(wire(), 3)
    with pytest.raises(InputError, match=r"not an array of shape \(2, 3\)"):
        fleet.step(0.01, {"B.position": (8.0, 0.0, -5.0)}, speeds={"B.position": (np.zeros((2, 3)), np.zeros(3))})
    with pytest.raises(InputError, match="3 numbers for all or a row"):
        fleet.step(0.01, {"B.position": (1.0, 2.0)})
    with pytest.raises(ValueError, match=r"takes an array of shape \(\) for all or \(3,\)"):
        fleet.set_parameters({DRAG: (1.0, 2.0)})
    with pytest.raises(UnsupportedSystem, match="normal': members cannot have these of their own"):
        Fleet(wire("spline"), 2).set_parameters({DRAG: (1.0, 2.0)})
    with pytest.raises(UnsupportedSystem, match="rk4"):
        Fleet(wire(), 2, integrator="rk4")
