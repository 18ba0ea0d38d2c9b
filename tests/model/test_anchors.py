"""Points on the seabed: how they are written, and what is said of those that look misplaced."""

import pytest

from fairlead.model import ModelError, load_text, warnings
from fairlead.model.anchors import held_on_bed

FILE = """
environment: {{{sea}}}
types: {{chain: {{diameter: 0.1, mass_per_length: 40, axial_stiffness: 100 MN}}}}
points: {{{name}: {point}, B: {{kind: fixed, position: [100, 0, -10]}}}}
cables: {{line: {{type: chain, length: 141, elements: 30, start: {name}, end: B}}}}
simulation: {{duration: 1, step: 0.01}}
"""


def system(point: str, sea: str = "seabed: {depth: 60}", name: str = "A"):
    return load_text(FILE.format(point=point, sea=sea, name=name), "f.yaml")


def told(*args: str, **kwargs: str) -> list[str]:
    return [str(problem) for problem in warnings(system(*args, **kwargs))]


@pytest.mark.parametrize("point", ["{kind: anchor, position: [-10, 3]}", "{kind: fixed, position: [-10, 3, bed]}"])
def test_an_anchor_is_a_fixed_point_on_the_bed_wherever_that_is(point):
    found = system(point, sea="seabed: {depth: 60, slope: [0.1, 0]}")
    assert found.points["A"].kind == "fixed"
    assert found.points["A"].position == (-10, 3, -61)
    assert found.with_values({"environment.seabed.depth": 70}).points["A"].position == (-10, 3, -71)
    assert found.with_settings(step=0.1).points["A"].position == (-10, 3, -61)
    assert "A: {kind: fixed, position: [-10, 3, bed]}" in found.to_yaml()
    assert load_text(found.to_yaml(), "f.yaml") == found
    assert held_on_bed(found, found.cables["line"]) == (True, False)


def test_there_is_no_anchor_without_a_bed():
    with pytest.raises(ModelError, match=r"points.A.position: is on the seabed, and there is none; add 'environment"):
        system("{kind: anchor, position: [0, 0]}", sea="")


@pytest.mark.parametrize(("z", "held"), [(-60, True), (-60.1, True), (-59.9, True), (-60.2, False), (-59.8, False)])
def test_an_end_is_held_on_the_bed_within_a_diameter(z, held):
    found = system(f"{{kind: fixed, position: [0, 0, {z}]}}")
    assert held_on_bed(found, found.cables["line"]) == (held, False)


def test_the_diameter_is_that_which_touches_the_bed_of_the_part_that_ends_there():
    """A chain of links 0.5 m wide is held 0.4 m off the bed where it ends, the thin wire at the other end is not."""
    text = """
environment: {seabed: {depth: 60}}
types:
  wire: {diameter: 0.1, mass_per_length: 40, axial_stiffness: 100 MN}
  chain: {diameter: 0.1, contact_diameter: 0.5, mass_per_length: 40, axial_stiffness: 100 MN}
points: {A: {kind: fixed, position: [0, 0, -59.6]}, B: {kind: fixed, position: [100, 0, -59.6]}}
cables:
  line: {start: A, end: B, sections: [{type: %s, length: 51, elements: 5}, {type: %s, length: 51, elements: 5}]}
simulation: {duration: 1, step: 0.01}
"""
    for kinds, held in ((("wire", "chain"), (False, True)), (("chain", "wire"), (True, False))):
        found = load_text(text % kinds, "f.yaml")
        assert held_on_bed(found, found.cables["line"]) == held


@pytest.mark.parametrize(
    ("position", "name", "words"),
    [
        ("[0, 0, -60.3]", "A", "points.A.position: is 0.3 m below the seabed, which is at z = -60 m there"),
        ("[0, 0, -65]", "A", "points.A.position: is 5 m below the seabed > 5 cable diameters (0.5 m)"),
        ("[0, 0, -59.2]", "A", "points.A.position: hangs 0.8 m above the seabed"),
        ("[0, 0, -50]", "anchor", "points.anchor.position: hangs 10 m above the seabed"),
        ("[0, 0, 60]", "A", "points.A.position: is 60 m above the water, and the seabed is at z = -60 m there"),
    ],
)
def test_an_anchor_that_is_not_on_the_bed_is_told_with_a_cure(position, name, words):
    found = told(f"{{kind: fixed, position: {position}}}", name=name)
    assert any(words in problem and "[0, 0, bed]" in problem for problem in found), found


def test_what_is_called_an_anchor_hangs_nowhere_above_the_bed_untold():
    (problem,) = told("{kind: anchor, position: [0, 0, -50]}")
    assert "points.A.position: hangs 10 m above the seabed" in problem
    assert told("{kind: fixed, position: [0, 0, -50]}") == []


def test_points_on_the_bed_and_far_above_it_are_not_told_of():
    assert told("{kind: anchor, position: [0, 0]}") == []
    assert told("{kind: fixed, position: [0, 0, -20]}", sea="seabed: {depth: 90}") == []


def test_a_current_above_the_water_is_told():
    (problem,) = told(
        "{kind: anchor, position: [0, 0]}", sea="seabed: {depth: 60}, current: [{z: 50, velocity: [1, 0, 0]}]"
    )
    assert "environment.current[0].z: z = 50 m is above the water" in problem
    assert "use z = -50" in problem


def test_a_law_of_drag_in_a_mapping_is_one_sentence():
    with pytest.raises(ModelError, match=r"types.chain.drag: holds a law where coefficients belong; .* drag: reynolds"):
        load_text(FILE.format(point="{kind: anchor, position: [0, 0]}", sea="seabed: {depth: 60}", name="A").replace(
            "100 MN", "100 MN, drag: {kind: reynolds}"))  # fmt: skip


def test_a_lift_over_a_seabed_without_depth_is_no_traceback():
    text = FILE.format(point="{kind: fixed, position: [100, 0, 10]}", sea="seabed: {stiffness: 1e5}", name="A").replace(
        "end: B}", "end: B, winch: {end: start, rate: 1}}"
    )
    with pytest.raises(ModelError, match=r"environment.seabed.*'depth' is missing"):
        load_text(text)
