"""One short run of every formulation: what a cable gains in energy is the work done on it."""

from __future__ import annotations

import pytest
import xarray as xr

from fairlead.formulations import NAMES
from fairlead.model import System, load_text
from fairlead.reduction import compiled, reduce
from fairlead.results import energy_balance
from fairlead.simulate import Simulation

WIRE = """
types: {{wire: {{diameter: 20 mm, density: 7850, youngs_modulus: 20 GPa, drag: {{normal: 1.2, axial: 0.05}}}}}}
points:
  A: {other}
  B: {{kind: controlled, position: [8, 0, -5], motion: {{harmonic: {{amplitude: [0.5, 0, 0.3], period: 2, ramp: 1}}}}}}
cables: {{wire: {{type: wire, length: 10, elements: 8, start: A, end: B}}}}
simulation: {{formulation: {formulation}, start: catenary, duration: 2, step: 0.002, output_every: 0.05}}
"""
FIXED = "{kind: fixed, position: [0, 0, -5]}"
LOAD = "{kind: free, position: [8, 0, -15], mass: 20, volume: 0.002}"


def wire(formulation: str) -> System:
    """A slack wire in water, one end moved to and fro; `multibody` runs trees, so that its other end is a load."""
    other = LOAD if formulation == "multibody" else FIXED
    return load_text(WIRE.format(formulation=formulation, other=other), "wire.yaml")


def run(formulation: str) -> xr.Dataset:
    if formulation != "reduced":
        return Simulation(wire(formulation)).run()
    whole = wire("spline")
    return Simulation.of(compiled(whole, reduce(Simulation(whole).run(), modes=6, tension_modes=3))).run()


@pytest.mark.parametrize("formulation", NAMES)
def test_the_energy_of_a_moved_wire_changes_by_the_work_done_on_it(formulation: str) -> None:
    result = run(formulation)
    assert result.attrs["status"] == "complete"
    assert energy_balance(result).error < 0.01
