"""Equilibrium and natural frequencies of links: their own consistency, and the same cable by bars."""

import numpy as np
import pytest

from fairlead.model import System
from fairlead.statics import natural_modes, solve

from .systems import compiled, system


def streaming(formulation):
    """A bare cable that hangs straight down at first and streams far aft in a fast current."""
    return System.model_validate(
        {
            "environment": {"current": [{"z": 0, "velocity": [-2, 0, 0]}]},
            "types": {"wire": {"diameter": 0.025, "density": 2500.0, "axial_stiffness": 2e7,
                               "drag": {"normal": 1.2, "axial": 0.01}}},
            "points": {"stern": {"kind": "fixed", "position": [0, 0, -1]},
                       "tail": {"kind": "free", "position": [0, 0, -61]}},
            "cables": {"tow": {"type": "wire", "length": 60.0, "elements": 12, "start": "stern", "end": "tail"}},
            "simulation": {"start": "catenary", "formulation": formulation, "duration": 1.0, "step": 0.01},
        }
    )  # fmt: skip


def test_a_streaming_cable_rests_and_swings_as_with_bars():
    """The way there is long: links are not to flip over on it."""
    found = {name: solve(streaming(name)) for name in ("bars", "links")}
    places = [np.array(rest.outputs["tow.position"]) for rest in found.values()]
    assert np.abs(places[0] - places[1]).max() < 2e-3
    assert places[1][-1, 2] < -15.0
    omega = [natural_modes(rest.compiled, rest.y, 6).omega for rest in found.values()]
    assert omega[0] == pytest.approx(omega[1], rel=1e-3)


def test_stiffness_is_the_slope_of_the_forces():
    """In equilibrium, with bending, attachments, a clamp, a current and twist; small moves in random directions."""
    rest = solve(system(rope={"torsional_stiffness": 30.0}))
    linear = rest.compiled.linearised()
    stiffness = linear.tangent(rest.y)
    rng = np.random.default_rng(2)
    for _ in range(5):
        dx = 1e-6 * rng.normal(size=linear.size)
        ahead, behind = linear.residual(linear.displaced(rest.y, dx)), linear.residual(linear.displaced(rest.y, -dx))
        slope = 0.5 * (behind - ahead)
        assert np.abs(slope - stiffness @ dx).max() < 1e-5 * np.abs(slope).max()


def test_mass_matrix_gives_the_kinetic_energy():
    links = compiled(system(rope={"torsional_stiffness": 30.0}))
    linear, rng = links.linearised(), np.random.default_rng(3)
    y = links.initial_state()
    state = y[:36].reshape(6, 2, 3)
    w = rng.normal(size=(6, 3))
    state[:, 1] = w - np.sum(w * state[:, 0], axis=1)[:, None] * state[:, 0]
    speeds, row = linear.speeds(y), links.shape.empty_row()
    links.observe(0.0, y, links.initial_inputs(), 0.005, row)
    assert 0.5 * speeds @ (linear.mass(y) @ speeds) == pytest.approx(
        row[links.shape.column("energy_kinetic")], rel=1e-12
    )
