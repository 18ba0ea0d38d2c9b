"""Forces that are reported at a time belong to that time."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead import load_text, simulate
from fairlead.floaters.interpolation import at_frequencies, at_headings
from fairlead.sea.waves import AMPLITUDE, OMEGA, PHASE, wave_columns
from fairlead.simulate import Simulation

from ..floaters import MOTIONS, afloat, body, water

SEA = {"kind": "regular", "height": 2.0, "period": 6.0, "direction_deg": 0.0, "ramp": 1.0}


def test_forces_on_a_floater_are_those_of_its_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hydrostatics −Cξ, damping −BV and the waves' Re a X e^{iωt}, with a step of a sixtieth of the period: half a step
    is 5 % of the largest force."""
    sea = water("p")
    floater = body(excitation={"phase_at": "rest"})
    system = afloat(monkeypatch, [sea], {"p": floater}, "lumped", 0.1, environment={"waves": SEA})
    simulation = Simulation(system)
    wave = wave_columns(system.environment).astype(float)[:, 0]
    data = sea.coefficients
    X = at_headings(data.headings, at_frequencies(data.omega, data.excitation, wave[[OMEGA]]), np.zeros(1))[0]
    simulation.step(10.0)
    rest = None
    for _ in range(30):
        out = simulation.step(0.1)
        moved = np.array([float(out[f"p.{name}"]) for name in MOTIONS])
        buoyant = np.array(out["p.force_hydrostatic"]) + data.stiffness @ moved
        rest = buoyant if rest is None else rest
        np.testing.assert_allclose(buoyant, rest, rtol=0, atol=1e-6 * np.abs(rest).max())
        slowed = -1e4 * np.array(out["p.velocity"])[0]
        assert float(np.array(out["p.force_viscous"])[0]) == pytest.approx(slowed, rel=0.01, abs=20.0)
        at = wave[AMPLITUDE] * X * np.exp(1j * (wave[OMEGA] * simulation.time - wave[PHASE]))
        assert float(np.array(out["p.force_excitation"])[2]) == pytest.approx(at[2].real, abs=0.005 * abs(X[2]))


LYING = """
environment: {water_density: 1025, seabed: {depth: 20, stiffness: 1e4, damping: 1e4}}
types: {chain: {diameter: 0.1, mass_per_length: 50, axial_stiffness: 100 MN}}
points:
  anchor: {kind: fixed, position: [0, 0, -20]}
  top: {kind: controlled, position: [60, 0, -5], motion: {harmonic: {amplitude: [0, 0, 0.5], period: 8, ramp: 8}}}
cables: {line: {type: chain, length: 66, elements: 33, start: anchor, end: top}}
simulation: {formulation: lumped, duration: 24, step: STEP, output_every: 0.4}
"""


def test_the_push_of_the_bed_is_that_of_the_time() -> None:
    """The whole push on a chain that is lifted and laid down, with a long step and with a short one: half a long step
    is 4 % of its range."""

    def run(step: float) -> np.ndarray:
        result = simulate(load_text(LYING.replace("STEP", str(step))))
        return np.nansum(result["contact_force"].sel(cable="line").values[..., 2], axis=1)[25:]

    coarse, fine = run(0.2), run(0.01)
    swing = np.ptp(fine)
    assert np.sqrt(np.mean((coarse - fine) ** 2)) < 0.03 * swing
