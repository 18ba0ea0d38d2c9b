"""Loads keep their directions in space: on a body that has turned, whatever its axes have become."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from fairlead.model import load_text
from fairlead.simulate import Simulation

TEXT = """
environment: {{water_density: 0, gravity: 0}}
types: {{thread: {{diameter: 0.001, mass_per_length: 1e-6, axial_stiffness: 10, drag: none}}}}
points: {{E: {{kind: free, position: [0, 0, 1]}}}}
bodies:
  box: {{kind: free, position: [0, 0, 0], orientation_deg: [30, -40, 70], mass: 10, inertia: [2, 3, 4],
        attachments: {{middle: [0, 0, 0], side: [0.5, -0.3, 0.2]}}}}
cables: {{thread: {{type: thread, length: 1, elements: 1, start: box.middle, end: E}}}}
loads: [{load}]
simulation: {{formulation: {formulation}, duration: 10, step: 0.001, start: catenary}}
"""
FIRST = Rotation.from_euler("xyz", [30, -40, 70], degrees=True)


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize(
    ("load", "key", "value", "torque"),
    [
        ("{{name: p, point: box, torque: [{}, {}, {}]}}", "p.torque", (1.0, -2.0, 0.5), (1.0, -2.0, 0.5)),
        ("{{name: p, point: box.side, force: [{}, {}, {}]}}", "p.force", (2.0, 3.0, -4.0),
         np.cross(FIRST.apply([0.5, -0.3, 0.2]), (2.0, 3.0, -4.0))),
    ],
)  # fmt: skip
def test_a_turned_body_turns_as_torques_in_space_ask(formulation, live, load, key, value, torque):
    """By ½ R J⁻¹ Rᵀ τ t² within the first twentieth of a radian, τ given, or r × F of a force at a lever r."""
    given = (0.0, 0.0, 0.0) if live else value
    file = {"formulation": formulation, "load": load.format(*given)}
    out = Simulation(load_text(TEXT.format(**file))).step(0.2, {key: value} if live else {})
    now = Rotation.from_euler("xyz", [float(out[f"box.{name}"]) for name in ("roll", "pitch", "yaw")])
    asked = 0.5 * 0.2**2 * FIRST.apply(FIRST.inv().apply(torque) / [2.0, 3.0, 4.0])
    assert np.linalg.norm(asked) > 0.005
    assert (now * FIRST.inv()).as_rotvec() == pytest.approx(asked, abs=0.02 * np.linalg.norm(asked))
