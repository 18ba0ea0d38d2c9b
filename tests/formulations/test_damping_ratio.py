"""`damping_ratio` of a cable type: of the critical damping of its elements, whatever their length."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.formulations.bars.rows import half_stiffness
from fairlead.formulations.lumped.build import element_row
from fairlead.formulations.multibody.rows import element_row as multibody_row
from fairlead.model import CableType, ModelError, load_text
from fairlead.model.needs import needs

ROPE = CableType(diameter=0.1, mass_per_length=20.0, axial_stiffness=5e7, damping_ratio=0.3)
FILE = """
types: {rope: {diameter: 0.1, mass_per_length: 20, axial_stiffness: 5e7, damping_ratio: 0.3}}
points: {A: {kind: fixed, position: [0, 0, 0]}, B: {kind: fixed, position: [9, 0, 0]}}
cables: {line: {type: rope, element_lengths: [2, 5, 3], start: A, end: B}}
simulation: {formulation: lumped, duration: 1, step: 0.1}
"""


@pytest.mark.parametrize("length", [0.5, 8.0])
def test_the_fastest_motion_along_a_cable_is_damped_by_that_ratio(length):
    """Nodes of mass m l between springs EA / l: the ratio of a mode is half its frequency times the damping time."""
    count = 60
    stiffness = ROPE.ea / length * (2 * np.eye(count) - np.eye(count, k=1) - np.eye(count, k=-1))
    frequencies = np.sqrt(np.linalg.eigvalsh(stiffness / (ROPE.mass_per_metre * length)))
    ratios = 0.5 * frequencies * ROPE.damping_axial(length)
    assert ratios.max() == pytest.approx(0.3, rel=1e-3)


def test_every_element_has_its_own_damping_time():
    system = load_text(FILE)
    for length in (2.0, 5.0):
        time = 0.3 * length * (20 / 5e7) ** 0.5
        assert element_row(ROPE, length, system)["damping_time"] == pytest.approx(time)
        assert multibody_row(ROPE, length, system)["damping_time"] == pytest.approx(time)
        assert half_stiffness(ROPE, length)[1] == pytest.approx(time)


def test_it_counts_as_damping_and_stands_beside_no_other():
    assert needs(load_text(FILE))["damping"] == "types.rope.damping_ratio"
    with pytest.raises(ModelError, match="damping_ratio: is given, and an axial 'damping_time' too"):
        CableType(diameter=0.1, mass_per_length=20.0, axial_stiffness=5e7, damping_ratio=0.3, damping_time=0.1)
