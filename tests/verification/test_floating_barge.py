"""A box barge floats upright, rolls with its own period and heels under a moment as naval architecture says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad

from fairlead.model import ModelError, load_text, warnings
from fairlead.model.bodies import FreeBody
from fairlead.model.floating import block_of
from fairlead.simulate import simulate
from fairlead.statics import solve

LENGTH, WIDTH, HEIGHT, DRAUGHT = 12.0, 6.0, 3.0, 1.3
RHO, G, INERTIA = 1025.0, 9.81, 4.0e5
MASS = RHO * LENGTH * WIDTH * DRAUGHT
BM = WIDTH**2 / (12.0 * DRAUGHT)
GM = BM + 0.5 * DRAUGHT - 0.5 * HEIGHT
BM_PITCH = LENGTH**2 / (12.0 * DRAUGHT)
FORMULATIONS = "bars", "lumped", "multibody"
SHAPE = f"shape: {{box: {{length: {LENGTH}, width: {WIDTH}, height: {HEIGHT}}}}}"
HEIGHTS = (
    f"volume: {LENGTH * WIDTH * HEIGHT}, height: {HEIGHT}, "
    f"metacentric_height: [{GM!r}, {BM_PITCH + 0.5 * DRAUGHT - 0.5 * HEIGHT!r}]"
)
WATERPLANE = (
    f"volume: {LENGTH * WIDTH * HEIGHT}, waterplane: {{area: {LENGTH * WIDTH}, "
    f"second_moment: [{LENGTH * WIDTH**3 / 12.0!r}, {LENGTH**3 * WIDTH / 12.0!r}]}}"
)


def barge(by: str = SHAPE, roll: float = 0.0, torque: float = 0.0, settings: str = "") -> str:
    """A barge held by a light line against a small pull, its centre of mass in its middle."""
    return f"""
environment: {{water_density: {RHO}, gravity: {G}}}
types: {{string: {{diameter: 1 mm, mass_per_length: 0.01, axial_stiffness: 1e4, drag: none}}}}
points: {{far: {{kind: fixed, position: [40, 0, 1]}}}}
bodies:
  barge: {{kind: free, position: [0, 0, {0.5 * HEIGHT - DRAUGHT}], orientation_deg: [{roll}, 0, 0], mass: {MASS},
    inertia: [{INERTIA}, 1.2e6, 1.5e6], {by}, attachments: {{bow: [6, 0, 0]}}}}
cables: {{line: {{type: string, length: 34.02, elements: 2, start: barge.bow, end: far}}}}
loads: [{{point: barge, force: [-400, 0, 0], torque: [{torque}, 0, 0]}}]
simulation: {{duration: 5.4, step: 0.02, output_every: 0.1, start: catenary{settings}}}
"""


def righting(angle: float) -> float:
    """W (GM + ½ BM tan²φ) sin φ, exact for a box until its deck edge meets the water, N m."""
    return MASS * G * (GM + 0.5 * BM * math.tan(angle) ** 2) * math.sin(angle)


def roll_period(amplitude: float) -> float:
    """Of the undamped roll I φ̈ = −W(GM + ½BM tan²φ) sin φ; the little heave that goes with it left out."""

    def lost(angle: float) -> float:
        return quad(righting, angle, amplitude)[0]

    def slow(s: float) -> float:  # φ = a sin s takes the end points' infinities away
        return amplitude * math.cos(s) / math.sqrt(2.0 * lost(amplitude * math.sin(s)) / INERTIA)

    return 4.0 * quad(slow, 0.0, 0.5 * math.pi * (1.0 - 1e-7))[0]


@pytest.mark.parametrize(
    ("formulation", "by", "step", "left"),
    [("bars", SHAPE, 0.005, 6e-3), ("lumped", SHAPE, 0.02, 2e-3), ("lumped", HEIGHTS, 0.02, 2e-3),
     ("lumped", WATERPLANE, 0.02, 2e-3), ("multibody", SHAPE, 0.02, 2e-3)],
    ids=["bars", "lumped", "lumped by metacentric height", "lumped by waterplane", "multibody"],
)  # fmt: skip
def test_a_barge_rolls_with_the_period_of_its_metacentric_height(
    formulation: str, by: str, step: float, left: float
) -> None:
    """And keeps its energy: nothing damps it. In `bars` speeds are half a step ahead of places: a share ωh/2 of it."""
    result = simulate(load_text(barge(by, 8.0), "barge.yaml"), formulation=formulation, step=step)
    roll, t = result["barge.roll"].values, result.time.values
    down = np.flatnonzero((roll[:-1] > 0.0) & (roll[1:] <= 0.0))
    at = [float(t[i] + (t[i + 1] - t[i]) * roll[i] / (roll[i] - roll[i + 1])) for i in down[:2]]
    period = roll_period(math.radians(8.0))
    assert at[1] - at[0] == pytest.approx(period, rel=1e-3)
    assert period == pytest.approx(2.0 * math.pi * math.sqrt(INERTIA / (MASS * G * GM)), rel=0.01)
    swing = quad(righting, 0.0, math.radians(8.0))[0]
    energy = (result.energy_kinetic + result.energy_gravity + result.energy_elastic).values
    work = sum(result[name].values for name in ("work_drag", "work_damping", "work_friction", "work_drives"))
    assert energy - energy[0] - work == pytest.approx(np.zeros(len(t)), abs=left * swing)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("degrees", [2.0, 20.0])
def test_a_moment_heels_a_barge_to_where_it_rights_itself(formulation: str, degrees: float) -> None:
    angle = math.radians(degrees)
    system = load_text(barge(torque=righting(angle), settings=f", formulation: {formulation}"), "barge.yaml")
    rest = solve(system)
    assert rest.report.stable
    assert float(rest.outputs["barge.roll"]) == pytest.approx(angle, rel=1e-4)
    middle = (0.5 * HEIGHT - DRAUGHT) * math.cos(angle)  # wall-sided: its middle line keeps its draught along itself
    assert float(rest.outputs["barge.position"][2]) == pytest.approx(middle, abs=1e-3)


def test_a_hull_heaves_with_the_stiffness_of_its_waterplane() -> None:
    """ω² = ρ g A / m, at any amplitude that keeps deck and keel out of the surface: it is wall-sided."""
    text = barge(WATERPLANE).replace(f"{0.5 * HEIGHT - DRAUGHT}]", f"{0.5 * HEIGHT - DRAUGHT + 0.4}]")
    system = load_text(text, "barge.yaml").with_settings(formulation="lumped")
    period = 2.0 * math.pi * math.sqrt(MASS / (RHO * G * LENGTH * WIDTH))
    at = simulate(system, step=period / 400, output_every=period / 8, duration=2.0 * period)
    heave = at["point_position"].sel(point="barge", axis="z").values - (0.5 * HEIGHT - DRAUGHT)
    assert heave == pytest.approx([0.4 * math.cos(0.25 * math.pi * i) for i in range(17)], abs=2e-3)


def test_a_metacentric_height_stands_for_the_block_that_has_it() -> None:
    body = load_text(barge(HEIGHTS), "barge.yaml").bodies["barge"]
    assert isinstance(body, FreeBody)
    assert block_of(body, RHO) == pytest.approx((LENGTH, WIDTH))


def test_a_hull_is_given_by_its_waterplane() -> None:
    """Area A and second moments I of an ellipse: its metacentric heights are KB + I/V - KG over the keel K, and the
    block that stands for it has A and both I, though no rectangle of that area has them."""
    area, roll, pitch = math.pi * 6.0 * 2.0, math.pi / 4.0 * 6.0 * 2.0**3, math.pi / 4.0 * 6.0**3 * 2.0
    volume, above = 100.0, 0.2
    by = f"volume: {volume}, waterplane: {{area: {area!r}, second_moment: [{roll!r}, {pitch!r}]}}"
    system = load_text(barge(by + BUOYANT.format(above)), "barge.yaml")
    body = system.bodies["barge"]
    assert isinstance(body, FreeBody)
    displaced = MASS / RHO
    KB, KG = 0.5 * displaced / area, 0.5 * volume / area - above
    assert body.metacentric_height == pytest.approx([KB + second / displaced - KG for second in (roll, pitch)])
    assert load_text(system.to_yaml(), "again.yaml") == system == system.with_values({"title": ""})
    heavier = system.with_values({"bodies.barge.mass": 1.05 * MASS}).bodies["barge"]
    assert isinstance(heavier, FreeBody)
    assert block_of(heavier, RHO) == pytest.approx(block_of(body, RHO)), "the waterplane stays what it is"
    length, width = block_of(body, RHO)
    assert body.volume / body.height == pytest.approx(area)
    assert area * width**2 / 12.0 == pytest.approx(roll)
    assert area * length**2 / 12.0 == pytest.approx(pitch)


BUOYANT = ", centre_of_buoyancy: [0, 0, {}]"
BARE = f"volume: {LENGTH * WIDTH * HEIGHT}, height: {HEIGHT}"


@pytest.mark.parametrize(
    ("by", "warned"),
    [(BARE, True), (BARE + BUOYANT.format(-0.4), True), (BARE + BUOYANT.format(0.4), False), (SHAPE, False),
     (HEIGHTS, False), ("volume: 50", False)],
    ids=["at its centre of mass", "below", "above", "shape", "metacentric height", "it sinks"],
)  # fmt: skip
def test_a_floating_body_that_nothing_rights_is_a_warning(by: str, warned: bool) -> None:
    said = [str(problem) for problem in warnings(load_text(barge(by), "barge.yaml"))]
    assert any("floats, but nothing rights it" in text and "metacentric_height" in text for text in said) == warned


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (SHAPE + ", volume: 3", "follows from 'shape' already"),
        (SHAPE + ", metacentric_height: [1, 1]", "follows from 'shape' already"),
        (WATERPLANE + ", height: 3", "is given, and 'height' too"),
        (WATERPLANE.replace("volume", "footprint"), "give its 'volume' as well"),
        (BARE + ", metacentric_height: [-3, 5]", "less than any waterplane gives"),
        ("volume: 50, metacentric_height: [1, 1]", "does not float by itself"),
    ],
)
def test_righting_that_cannot_be_is_refused(by: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        load_text(barge(by), "barge.yaml")
