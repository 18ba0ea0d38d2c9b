"""Marine growth: thicker, heavier, and by the depth at which an element lies."""

import math

import pytest

import fairlead as fl
from fairlead.formulations import compile_system
from fairlead.model import CableType, ModelError, load_text
from fairlead.model.dump import yaml_text
from fairlead.shape.growth import with_growth
from fairlead.shape.layout import first_geometry

GROWTH = [[0.0, 0.1, 1300.0], [-40.0, 0.06, 1300.0], [-60.0, 0.0, 1300.0]]
TYPE = {"diameter": 0.2, "mass_per_length": 90.0, "axial_stiffness": 1e8, "drag": {"normal": 1.2, "axial": 0.1}}


def hanging(**kind):
    return fl.System.model_validate(
        {
            "types": {"rope": {**TYPE, **kind}},
            "points": {"top": {"kind": "fixed", "position": [0, 0, -1]}, "end": {"kind": "free", "mass": 500.0}},
            "cables": {"line": {"start": "top", "end": "end", "type": "rope", "length": 100.0, "elements": 10}},
            "simulation": {"formulation": "lumped", "duration": 1.0, "step": 0.02},
        }
    )


def test_a_ring_of_growth_weighs_displaces_and_drags():
    """D + 2t; the ring's mass π((D + 2t)² − D²)/4 ρ; stiffness as before."""
    clean = CableType(**TYPE)
    rope = clean.grown(0.05, 1300.0)
    ring = math.pi / 4 * (0.3**2 - 0.2**2)
    assert (rope.diameter, rope.drag_diameter, rope.contact_diameter) == pytest.approx((0.3, 0.3, 0.3))
    assert rope.mass_per_metre - clean.mass_per_metre == pytest.approx(1300.0 * ring)
    assert rope.ea == clean.ea
    sea = hanging().environment
    heavier = rope.weight_in_water(sea) - clean.weight_in_water(sea)
    assert heavier == pytest.approx((1300.0 - 1025.0) * 9.81 * ring)


@pytest.mark.parametrize(("z", "thickness"), [(1.0, 0.0), (0.0, 0.1), (-20.0, 0.08), (-50.0, 0.03), (-90.0, 0.0)])
def test_growth_is_linear_between_heights_and_none_is_in_the_air(z, thickness):
    assert CableType(**TYPE, growth=GROWTH).growth_at(z)[0] == pytest.approx(thickness)


def test_each_element_has_the_growth_of_its_depth():
    system = hanging(growth=GROWTH)
    grown = with_growth(system, first_geometry(system))
    kinds = [grown.types[segment.type_name] for segment in grown.cables["line"].segments(grown)]
    middles = [-6.0 - 10.0 * k for k in range(10)]
    assert [kind.diameter for kind in kinds] == pytest.approx(
        [0.2 + 2 * system.types["rope"].growth_at(z)[0] for z in middles], rel=2e-3
    )
    assert [segment.type_name for segment in system.cables["line"].segments(system)] == ["rope"] * 10


def test_it_hangs_as_heavy_as_its_growth_makes_it():
    """The pull at the top of a cable that hangs straight is the weight of all below it."""
    system = hanging(growth=GROWTH)
    geometry = first_geometry(system)
    grown, sea = with_growth(system, geometry), system.environment
    weights = [s.length * grown.types[s.type_name].weight_in_water(sea) for s in grown.cables["line"].segments(grown)]
    pull = fl.statics(system).outputs["line.force_start"]
    assert -pull[2] == pytest.approx(sum(weights) + 500.0 * 9.81, rel=1e-6)
    compiled = compile_system(system, geometry)
    assert compiled.rebuilt(system).reals == pytest.approx(compiled.reals)


def test_a_height_given_twice_is_a_mistake():
    with pytest.raises(ModelError, match="growth: gives a height twice"):
        CableType(**TYPE, growth=[[0.0, 0.1, 1300.0], [0.0, 0.2, 1300.0]])
    assert load_text(yaml_text(hanging(growth=GROWTH))).types["rope"].growth[1] == (-40.0, 0.06, 1300.0)
