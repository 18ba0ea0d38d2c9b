"""Bars of one cable are computed eight side by side, or one by one where the seabed is surveyed: it is the same."""

import numpy as np
import pytest

from fairlead.model import load_text
from fairlead.simulate import Simulation

LINE = """
environment:
  seabed: {SEABED, friction: 0.4}
  waves: {kind: jonswap, significant_height: 2, peak_period: 7, components: 20, ramp: 2, seed: 3, direction_deg: 35,
          stretching: STRETCHING}
  current: [{z: 0, velocity: [0.6, -0.2, 0]}, {z: -40, velocity: [0.1, 0.3, 0]}]
  current_field: {t: [0, 4, 8], x: [0, 60], velocity: [[0, 0, 0], [0.2, 0, 0], [0.3, -0.4, 0.05], [0, 0.3, 0],
                                                       [-0.2, 0.1, 0], [0.1, 0.1, -0.1]]}
types: {rope: {diameter: 0.1, density: 1900, axial_stiffness: 3 MN, drag: {normal: 1.2, axial: 0.1}BENDING}}
points: {A: {kind: fixed, position: [0, 0, -39.5]}, B: {kind: fixed, position: [70, 20, 0.5]}}
cables: {line: {type: rope, length: 90, elements: 27, start: A, end: BMORE}}
simulation: {formulation: bars, start: statics, bars: {wave_reach: REACH}, duration: 8, step: 0.02, output_every: 0.5}
"""
PLANE = "depth: 40"
SURVEYED = "bathymetry: {x: [-200, 200], y: [-200, 200], depth: [[40, 40], [40, 40]]}"
STIFF = ", bending_stiffness: 200"
WEIGHT = ", attachments: [{at: 55, mass: 300, volume: 0.05}]"
WINCH = ", winch: {end: end, rate: 0.4}"


@pytest.mark.parametrize(
    ("bending", "more", "stretching", "reach"),
    [
        ("", "", "wheeler", 1000),
        (STIFF, "", "none", 1000),
        ("", "", "vertical", 12.5),
        (STIFF, WEIGHT, "wheeler", 12.5),
        ("", WINCH, "wheeler", 1000),
    ],
)
def test_a_line_from_the_seabed_through_the_surface_of_a_stirred_sea(bending, more, stretching, reach):
    """Some of its bars lie on the bed, some are awash, some are dry; waves, of which only those above a depth feel
    anything, in the midst of eight bars; a current over depth, time and place; a weight on one bar, a winch."""

    def run(seabed: str):
        text = LINE.replace("SEABED", seabed).replace("STRETCHING", stretching).replace("REACH", str(reach))
        return Simulation(load_text(text.replace("BENDING", bending).replace("MORE", more)))

    side_by_side, one_by_one = run(PLANE), run(SURVEYED)
    together, each = side_by_side.run(), one_by_one.run()
    for name in ("position", "velocity"):
        assert together[name].values == pytest.approx(each[name].values, rel=1e-9, abs=1e-8, nan_ok=True), name
    forces = each["tension_effective"].values
    bound = 1e-6 * np.nanmax(forces)
    assert together["tension_effective"].values == pytest.approx(forces, rel=1e-8, abs=bound, nan_ok=True)
    heights = each["position"].values[-1, 0, :, 2]
    assert np.nanmin(heights) < -39.8
    assert np.nanmin(np.abs(heights)) < 1.0
    assert lanes_in_use(side_by_side) == 8
    assert lanes_in_use(one_by_one) == 1


def lanes_in_use(simulation: Simulation) -> int:
    """Of the table in which bars are handed over: its first eight numbers are the same one of eight bars."""
    ready = simulation.compiled.tables(simulation.state).ready
    first = np.concatenate([ready.one[0], ready.two[0], ready.held[0, :2]])
    return np.count_nonzero(first)
