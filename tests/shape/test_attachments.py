"""Clump weights and floats sit where the file says, between nodes too."""

import numpy as np
import pytest

from fairlead.model import Cable, load_text
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


def test_a_node_is_put_where_something_is_attached():
    """As many elements as were asked for, none shorter than a quarter of an equal one; else those beside share it."""

    def lengths(*places: float, elements: int = 4) -> list[float]:
        line = {"type": "w", "length": 10.0, "elements": elements, "start": "A", "end": "B"}
        cable = Cable.model_validate({**line, "attachments": [{"at": at, "mass": 1.0} for at in places]})
        return [segment.length for segment in cable.segments()]

    assert lengths() == lengths(2.5) == lengths(0.0, 10.0) == [2.5] * 4
    assert lengths(3.7) == pytest.approx([3.7, 2.1, 2.1, 2.1])
    assert lengths(6.1, 2.5) == pytest.approx([2.5, 3.6, 1.95, 1.95])
    assert lengths(0.7) == pytest.approx([0.7, 3.1, 3.1, 3.1])
    assert lengths(0.6) == lengths(9.5) == [2.5] * 4, "too near to an end"
    assert lengths(3.7, 3.9) == lengths(3.7), "two clumps have one node between them"
    assert lengths(5.0, elements=1) == [10.0]
    sections = [{"type": "w", "length": 4, "elements": 2}, {"type": "w", "length": 6, "elements": 3}]
    two = Cable.model_validate(
        {"sections": sections, "start": "A", "end": "B", "attachments": [{"at": 6.6, "mass": 1.0}]}
    )
    assert [segment.length for segment in two.segments()] == pytest.approx([2.0, 2.0, 2.6, 1.7, 1.7])
    winch = Cable.model_validate(
        {"type": "w", "length": 10, "elements": 4, "start": "A", "end": "B", "winch": {"end": "start", "rate": 0.1},
         "attachments": [{"at": 6.6, "mass": 1.0}]}
    )  # fmt: skip
    assert [segment.length for segment in winch.segments()] == [2.5] * 4, "a drum makes equal ones"
