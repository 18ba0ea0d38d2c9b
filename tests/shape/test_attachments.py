"""Clump weights and floats sit where the file says, between nodes too."""

import numpy as np

from fairlead.model import load_text
from fairlead.shape import first_geometry

LINE = """
types: {{wire: {{diameter: 0.05, density: 3000, youngs_modulus: 1e10}}}}
points: {{A: {{kind: fixed, position: [0, 0, -10]}}, B: {{kind: fixed, position: [90, 0, -20]}}}}
cables: {{line: {{type: wire, {mesh}, start: A, end: B, attachments: [{{at: {at}, mass: 300, volume: 0.05}}]}}}}
simulation: {{duration: 1, step: 0.01}}
"""


def pull(at: float, mesh: str = "length: 100, elements: 16") -> float:
    return first_geometry(load_text(LINE.format(at=at, mesh=mesh))).cables["line"].horizontal


def test_the_pull_changes_smoothly_with_the_place():
    """No jump where the nearest node changes, 3.1 m from either."""
    places = np.linspace(30.0, 50.0, 81)
    pulls = np.array([pull(at) for at in places])
    steps = np.abs(np.diff(pulls))
    assert steps.max() < 3.0 * np.median(steps) + 1e-3 * pulls.mean()
