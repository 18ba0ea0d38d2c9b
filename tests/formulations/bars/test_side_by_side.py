"""Bars of one cable are computed eight side by side, or one by one where the seabed is surveyed: it is the same."""

import numpy as np
import pytest

from fairlead.model import load_text
from fairlead.simulate import simulate

LINE = """
environment:
  seabed: {SEABED, friction: 0.4}
  waves: {kind: jonswap, significant_height: 2, peak_period: 7, components: 20, ramp: 2, seed: 3, direction_deg: 35,
          stretching: STRETCHING}
  current: [{z: 0, velocity: [0.6, -0.2, 0]}, {z: -40, velocity: [0.1, 0.3, 0]}]
  current_field: {t: [0, 4, 8], velocity: [[0, 0, 0], [0.3, -0.4, 0.05], [-0.2, 0.1, 0]]}
types: {rope: {diameter: 0.1, density: 1900, axial_stiffness: 3 MN, drag: {normal: 1.2, axial: 0.1}BENDING}}
points: {A: {kind: fixed, position: [0, 0, -39.5]}, B: {kind: fixed, position: [70, 20, 0.5]}}
cables: {line: {type: rope, length: 90, elements: 27, start: A, end: B}}
simulation: {formulation: bars, start: catenary, duration: 8, step: 0.02, output_every: 0.5}
"""
PLANE = "depth: 40"
SURVEYED = "bathymetry: {x: [-200, 200], y: [-200, 200], depth: [[40, 40], [40, 40]]}"


@pytest.mark.parametrize("stretching", ["wheeler", "none"])
@pytest.mark.parametrize("bending", ["", ", bending_stiffness: 200"])
def test_a_line_from_the_seabed_through_the_surface_of_a_stirred_sea(bending, stretching):
    """Some of its elements lie on the bed, some are awash, some are dry; waves, and a current over depth and time."""

    def run(seabed: str):
        text = LINE.replace("SEABED", seabed).replace("BENDING", bending)
        return simulate(load_text(text.replace("STRETCHING", stretching)))

    together, one_by_one = run(PLANE), run(SURVEYED)
    for name in ("position", "velocity"):
        assert together[name].values == pytest.approx(one_by_one[name].values, rel=1e-9, abs=1e-8), name
    forces = one_by_one["tension_effective"].values
    assert together["tension_effective"].values == pytest.approx(forces, rel=1e-8, abs=1e-6 * np.nanmax(forces))
    heights = one_by_one["position"].values[-1, 0, :, 2]
    assert heights.min() < -39.8
    assert np.any(np.abs(heights) < 1.0)
