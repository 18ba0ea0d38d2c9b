"""One seabed and one axial law for all formulations."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from kernels.plain import plain

from fairlead.formulations import compile_system
from fairlead.loads import drag
from fairlead.loads.seabed_contact import bed_push
from fairlead.model import CableType, Environment, load_text
from fairlead.results.observation import ENERGY_ELASTIC
from fairlead.rigging import axial, bed
from fairlead.rigging.elements import bed_row, compact_row, line_row
from fairlead.sea import water
from fairlead.shape import first_geometry
from fairlead.statics import solve

TEXT = """
environment: {{water_density: {density}, seabed: {{depth: 10, stiffness: 1e5, damping: 10, slope: [0.3, -0.2]}}}}
types: {{chain: {{diameter: 40 mm, mass_per_length: 5, axial_stiffness: 1 MN, contact_diameter: 100 mm, drag: {drag}}}}}
points:
  hook: {{kind: fixed, position: [0, 0, -2]}}
  weight: {{kind: free, position: [0, 0, -5], mass: 20, volume: 0.002}}
cables: {{line: {{type: chain, length: 3, elements: 3, start: hook, end: weight}}}}
simulation: {{formulation: {formulation}, start: catenary, duration: 1, step: 0.01}}
"""


def chain(formulation: str = "bars", density: float = 1025.0, drag_law: str = "reynolds"):
    return load_text(TEXT.format(formulation=formulation, density=density, drag=drag_law), "chain.yaml")


def test_the_bed_has_the_height_and_the_normal_of_its_plane():
    """z = −10 + 0.3 x − 0.2 y: a gap is what is left of the height across the slope, less the radius."""
    sea, (x, y) = water.pack(chain().environment), (4.0, 3.0)
    height, n = plain(water.bed_at)(x, y, sea)
    assert height == pytest.approx(-10.0 + 0.3 * x - 0.2 * y)
    assert n == pytest.approx(np.array([-0.3, 0.2, 1.0]) / np.sqrt(1.13))
    for along in ((1.0, 0.0, 0.3), (0.0, 1.0, -0.2)):  # in the plane
        assert np.dot(n, along) == pytest.approx(0.0, abs=1e-15)
    place = np.array([x, y, height]) + 0.7 * np.array(n)
    assert plain(water.bed_gap)(tuple(place), 0.05, sea) == pytest.approx(0.65)
    assert plain(water.bed_clearance)((x, y, height + 0.7), sea) == pytest.approx(0.7)


def test_without_a_bed_everything_is_above_it():
    sea = water.pack(chain().environment.model_copy(update={"seabed": None}))
    assert plain(water.bed_gap)((1.0, 2.0, -1e4), 0.1, sea) == np.inf


BED_STIFFNESS = {
    "bars": lambda t: 2.0 * t.bar.bed_stiffness.sum(),
    "lumped": lambda t: 2.0 * t.element.bed_stiffness.sum(),
    "links": lambda t: t.node.stiffness.sum(),
    "tether": lambda t: t.node.bed_stiffness.sum(),
    "multibody": lambda t: (t.line.length * t.element.bed_stiffness).sum(),
    "spline": lambda t: t.node.bed_stiffness.sum(),
}


@pytest.mark.parametrize("formulation", BED_STIFFNESS)
def test_a_cable_rests_on_its_contact_diameter(formulation: str) -> None:
    """All its nodes together press on the bed with its stiffness times width times length."""
    system = chain(formulation)
    compiled = compile_system(system, first_geometry(system))
    tables = compiled.tables(compiled.initial_state())
    assert BED_STIFFNESS[formulation](tables) == pytest.approx(1e5 * 0.1 * 3.0, rel=1e-9)


@pytest.mark.parametrize("law", ["reynolds", "{normal: 1.2, axial: 0.1}", "none"])
def test_nothing_drags_in_air(law):
    """Neither a cable, whatever its law, nor what hangs in it; in water half the density times area does."""
    air, sea = (chain(density=rho, drag_law=law) for rho in (0.0, 1025.0))
    row = line_row(air.types["chain"], 2.0, air.environment)
    assert (row["drag_law"], row["drag_normal"], row["drag_axial"], row["buoyancy"]) == (drag.NONE, 0.0, 0.0, 0.0)
    wet = line_row(sea.types["chain"], 2.0, sea.environment)
    assert (wet["drag_normal"] > 0.0) == (law != "none")
    body = compact_row(air.environment, 3.0, 0.1, 0.5, 7.0)
    assert (body["mass"], body["drag"], body["added"], body["buoyancy"]) == (3.0, 0.0, 0.0, 0.0)
    assert bed_row(sea.types["chain"], 2.0, sea.environment)["radius"] == pytest.approx(0.05)


@pytest.mark.parametrize("law", [axial.STRAIN, axial.GREEN])
@pytest.mark.parametrize("stretch", [0.9, 1.0, 1.05, 1.4])
def test_stiffness_is_the_slope_of_the_tension_and_tension_that_of_the_energy(law, stretch):
    tension, slope, energy = map(plain, (axial.axial_tension, axial.axial_slope, axial.axial_energy))
    length, ea, d = 7.0, 3e4, 1e-5
    one, two = stretch - d, stretch + d
    way = 2.0 * d * length
    rise = tension(law, two, ea) - tension(law, one, ea)
    assert slope(law, stretch, length, ea) == pytest.approx(rise / way, rel=1e-6)
    work = energy(law, two, length, ea) - energy(law, one, length, ea)
    assert tension(law, stretch, ea) == pytest.approx(work / way, rel=1e-5, abs=1e-4)
    assert tension(law, 1.0, ea) == energy(law, 1.0, length, ea) == 0.0


def test_a_node_in_the_bed_is_pushed_out_along_its_normal_and_held_against_sliding():
    """Without a step: k times the depth less damping; friction is a spring from its anchor, μN at most."""
    kept = SimpleNamespace(
        normal=(0.0, 0.6, 0.8), normal_g=2.0, normal_bias=-50.0, shear_g=3.0, friction=(4.0, 0.0, 0.0)
    )
    a = (1.0, 0.0, 5.0)
    normal, friction, across = plain(bed.pressed)(kept, a)
    assert across == pytest.approx(4.0)
    assert normal == pytest.approx(50.0 - 2.0 * 4.0)
    along = np.array(a) - 4.0 * np.array(kept.normal)
    assert friction == pytest.approx(np.array([4.0, 0.0, 0.0]) - 3.0 * along)
    assert plain(bed.free_fall)(10.0, 4.0, 3.0) == pytest.approx(-2.0)
    assert plain(bed.free_fall)(4.0, 10.0, 3.0) == 0.0  # what floats does not fall


@pytest.mark.parametrize(("part", "touches"), [(0.5, True), (0.7, False)])
def test_what_pressed_on_a_slope_falls_towards_it_by_the_share_of_its_normal(part, touches):
    """On a slope of 4:3, 0.6 of what falls upright in a step h goes along the normal: h² · 0.6 · 2 m/s²."""
    sea = water.pack(Environment(seabed={"depth": 10.0, "slope": (4 / 3, 0.0)}))
    h, fall, k = 0.1, -2.0, 1e3
    place = (0.0, 0.0, -10.0 - part * h * h * fall / 0.6)
    pressed = np.array([0.0, 0.0, -10.0, 5.0])
    found = plain(bed_push)(sea, 0.0, k, 0.0, 0.0, fall, place, (0.0,) * 3, pressed, 0, h, h, h * h, h)
    assert found[0] == touches
    assert found[5] == pytest.approx((-0.8, 0.0, 0.6))


@pytest.mark.parametrize("limit", [1e3, 5.0])
def test_friction_lies_in_the_bed_however_deep_a_node_has_sunk_since(limit):
    """The anchor of its shear spring lies above it, along the normal, and 0.02 m downhill: sticking and slipping."""
    sea = water.pack(Environment(seabed={"depth": 10.0, "slope": (0.75, 0.0), "friction": 0.5}))
    n, downhill = np.array([-0.6, 0.0, 0.8]), np.array([-0.8, 0.0, -0.6])
    place, ks = np.array([0.0, 0.0, -10.0]) - 0.05 * n, 400.0
    memory = np.array([*(place + 0.04 * n + 0.02 * downhill), 2.0 * limit])
    found = plain(bed_push)(sea, 0.0, 1e4, 0.0, ks, 0.0, tuple(place), (0.0,) * 3, memory, 0, 0.0, 0.0, 0.0, 0.0)
    assert found[0]
    assert found[4] == pytest.approx(min(limit, ks * 0.02) * downhill, abs=1e-9)
    assert found[5] == pytest.approx(n)


@pytest.mark.parametrize("law", [axial.STRAIN, axial.GREEN])
@pytest.mark.parametrize("stretch", [0.97, 1.0, 1.05, 2.0])
def test_stretch_and_what_line_gives_back_follow_from_the_law(law, stretch):
    """λ(T(λ)) = λ, and line that enters an element of given span gives −∂E/∂L."""
    tension, energy = plain(axial.axial_tension), plain(axial.axial_energy)
    span, ea, d = 7.0, 3e4, 1e-5
    assert plain(axial.axial_stretch)(law, tension(law, stretch, ea), ea) == pytest.approx(stretch, rel=1e-14)
    more, less = span / stretch + d, span / stretch - d
    given = -(energy(law, span / more, more, ea) - energy(law, span / less, less, ea)) / (2.0 * d)
    assert plain(axial.axial_release)(law, stretch, ea) == pytest.approx(given, rel=1e-5, abs=1e-4)


@pytest.mark.parametrize("formulation", ["lumped", "multibody"])
@pytest.mark.parametrize("strain", axial.LAWS)
def test_a_weight_hangs_where_the_law_of_its_line_has_it(formulation: str, strain: str) -> None:
    """Line without weight in air: T(λ) is that of the load, and the energy in it ∫T dl."""
    text = f"""
environment: {{water_density: 0}}
types: {{line: {{diameter: 20 mm, mass_per_length: 1e-6, axial_stiffness: 10 kN}}}}
points:
  hook: {{kind: fixed, position: [0, 0, 0]}}
  weight: {{kind: free, position: [0, 0, -4.4], mass: 100}}
cables: {{line: {{type: line, length: 4, elements: 2, start: hook, end: weight, allow_stretch: true}}}}
simulation: {{formulation: {formulation}, duration: 1, step: 0.01, {formulation}: {{strain: {strain}}}}}
"""
    rest = solve(load_text(text, "weight.yaml"))
    row = rest.compiled.shape.empty_row()
    rest.compiled.observe(0.0, rest.y, rest.compiled.initial_inputs(), 0.0, row)
    shape = rest.compiled.shape
    stretch, law = -row[shape.point("weight")][2] / 4.0, axial.LAWS[strain]
    load = 100.0 * rest.compiled.system.environment.gravity
    assert plain(axial.axial_tension)(law, stretch, 1e4) == pytest.approx(load, rel=1e-7)
    energy = plain(axial.axial_energy)(law, stretch, 4.0, 1e4)
    assert row[shape.total_block][ENERGY_ELASTIC] == pytest.approx(energy, rel=1e-7)


def test_every_property_of_the_bed_is_that_of_the_footprint():
    """Stiffness, damping and shear stiffness, each times contact diameter and length; nothing without a bed."""
    kind = CableType(diameter=0.1, contact_diameter=0.3, mass_per_length=10.0, axial_stiffness=1e6)
    ground = Environment(seabed={"depth": 10.0, "stiffness": 1e5, "damping": 2e3, "friction_stiffness": 4e4})
    row = bed_row(kind, 5.0, ground)
    assert row == pytest.approx({"radius": 0.15, "bed_stiffness": 1.5e5, "bed_damping": 3e3, "bed_shear": 6e4})
    assert set(bed_row(kind, 5.0, Environment()).values()) == {0.0}
