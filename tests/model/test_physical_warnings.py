"""Warnings name the quantity, the threshold and the cure, and never stop anything."""

from __future__ import annotations

import pytest

from fairlead.model import load_text, warnings
from fairlead.model.geometry import catenary_parameter

from .files import SINKING

EVERYDAY = """\
title: A cable between two hooks
types:
  rope: {diameter: 0.05, density: 3000, youngs_modulus: 10 GPa}
points:
  A: {kind: fixed, position: [0, 0, -10]}
  B: {kind: controlled, position: [80, 0, -10]}
cables:
  rope: {type: rope, length: 100, elements: 40, start: A, end: B}
simulation: {duration: 10, step: 0.01}
"""


def warned(text: str) -> list[str]:
    return [str(problem) for problem in warnings(load_text(text, "f.yaml"))]


def test_an_everyday_system_gives_no_warning() -> None:
    assert warned(EVERYDAY) == []


def test_the_sinking_cables_warn_of_their_bending_stiffness() -> None:
    found = warned(SINKING)
    assert len(found) == 2
    assert found[0] == (
        "f.yaml:10:84: types.wire.bending_stiffness: EI = 1,825,000 N*m^2 > 44,160 N*m^2, "
        "twice the EI of a solid rod of this EA; use 22,100 N*m^2 = EA * diameter^2 / 16 or less"
    )
    assert "types.wire.torsional_stiffness: GJ = " in found[1]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("elements: 40", "elements: 4", "cables.rope: elements are long for its curvature: 25 m > 8."),
        ("length: 100, elements: 40", "length: 200, elements: 400",
         "cables.rope: is very slack at the start: 200 m > twice the 80 m between its ends; shorten it"),
        ("length: 100, elements: 40", "element_lengths: [10, 10, 10, 10, 10, 10, 10, 10, 10, 9, 1]",
         "cables.rope: elements 10 and 11 are very unequal: 9 m beside 1 m, ratio 9 > 5; let element lengths"),
        ("density: 3000", "density: 900",
         "types.rope: is lighter than water and rises: 900 kg/m^3 < 1,025 kg/m^3; check"),
        ("density: 3000", "density: 30000", "types.rope: is heavier than lead: 30,000 kg/m^3 > 11,500 kg/m^3; check"),
        ("10 GPa", "1000 GPa", "types.rope.youngs_modulus: EA = 1,963 MN makes it stiffer than solid steel"),
        ("10 GPa", "20 kPa", "% > 5 % when hung by one end in water; check EA"),
        ("types:", "environment: {water_density: 1.025}\ntypes:",
         "environment.water_density: 1.025 kg/m^3 is outside 900"),
        ("types:", "environment: {gravity: 98.1}\ntypes:", "environment.gravity: 98.1 m/s^2 is outside 9.7 to 9.9"),
        ("types:", "environment: {viscosity: 1e-3}\ntypes:", "environment.viscosity: 0.001 m^2/s is outside 5e-7"),
        ("types:", "environment: {current: [{z: 0, velocity: [9, 0, 0]}]}\ntypes:",
         "environment.current[0]: the water flows at 9 m/s > 5 m/s; check the unit"),
        ("types:", "environment: {current_field: {t: [0, 9], velocity: [[0, 0, 0], [6, 8, 0]]}}\ntypes:",
         "environment.current_field: the water flows at 10 m/s > 5 m/s; check the unit"),
        ("types:", "environment: {seabed: {depth: 5}}\ntypes:", "points.A.position: is 5 m below the seabed > 5 cable"),
        ("start: A", "start: {point: A, joint: clamp}", None),
        ("10 GPa}", "10 GPa, bending_stiffness: 10}", None),
        ("kind: controlled, ",
         "kind: controlled, follow: filtered, motion: {harmonic: {amplitude: [0, 0, 1], period: 1}}, ",
         "points.B.motion: the filter lets only 93% of the motion through: 6.28 rad/s > 5 rad/s, half the cutoff"),
        ("kind: controlled, ", "kind: controlled, motion: {table: [[0, 0, 0, 0], [1, 50, 0, 0]]}, ",
         "points.B.motion: moves at up to 50 m/s > 20 m/s; check offsets and times"),
        ("simulation:", "loads: [{point: A, force: [1, 0, 0]}]\nsimulation:",
         "loads[0]: acts on 'A', which is fixed and does not give way; let it act on a free point"),
        ("simulation:", "loads: [{point: A}]\nsimulation:", "loads[0]: has neither force nor torque; give one"),
        ("duration: 10, step: 0.01", "duration: 1000000, step: 1, output_every: 1",
         "simulation.output_every: the result takes about 5.2 GB > 2 GB; use an output_every of 2.6 s or more"),
    ],
)  # fmt: skip
def test_what_looks_wrong_is_named(old: str, new: str, expected: str | None) -> None:
    assert old in EVERYDAY
    found = warned(EVERYDAY.replace(old, new, 1))
    if expected is None:
        assert found == []
    else:
        assert any(expected in line for line in found), "\n".join(found)


@pytest.mark.parametrize(("count", "told"), [(1000, False), (1001, True)])
def test_a_sea_of_very_many_waves_is_named(count: int, told: bool) -> None:
    rows = ", ".join(["[0.001, 9, 0, 0]"] * count)
    found = warned(EVERYDAY.replace("types:", f"environment: {{waves: {{kind: components, table: [{rows}]}}}}\ntypes:"))
    sentence = "environment.waves: is a sum of 1,001 regular waves > 1,000, and a run is slow; leave out the lowest"
    assert [line.split(": ", 1)[1] for line in found] == [sentence] * told


def test_so_is_a_long_record_in_one_of_several_trains() -> None:
    """A surface that is level but for one moment: all frequencies are in it, n/2 of them."""
    rows = ", ".join(f"[{k}, {0.1 if k == 7 else 0}]" for k in range(2100))
    record = f"{{kind: record, shortest_period: 0.1, table: [{rows}]}}"
    waves = f"environment: {{waves: [{{kind: regular, height: 1, period: 9}}, {record}]}}"
    found = [line for line in warned(EVERYDAY.replace("types:", f"{waves}\ntypes:")) if "regular waves" in line]
    assert len(found) == 1
    assert "environment.waves.trains[1]: is a sum of 1,050 regular waves" in found[0]
    assert "make 'shortest_period' longer" in found[0]


def test_the_number_of_elements_advised_ends_the_warning() -> None:
    (message,) = warned(EVERYDAY.replace("elements: 40", "elements: 4"))
    advised = int(message.split("use elements: ")[1].split()[0])
    assert warned(EVERYDAY.replace("elements: 40", f"elements: {advised}")) == []


def test_a_floating_cable_that_says_so_is_believed_and_a_word_in_the_title_is_not() -> None:
    light = EVERYDAY.replace("density: 3000", "density: 900")
    assert warned(light.replace("density: 900", "density: 900, floating: true")) == []
    (message,) = warned(light.replace("A cable", "A floating cable with buoyancy"))
    assert "types.rope: is lighter than water and rises" in message
    assert message.endswith("or say 'floating: true' where it is meant")
    (message,) = warned(EVERYDAY.replace("density: 3000", "density: 3000, floating: true"))
    assert "types.rope.floating: is said to float, and sinks: 3,000 kg/m^3 >= 1,025 kg/m^3" in message


def test_a_heavy_clump_that_no_node_lies_under_is_named() -> None:
    clump = "attachments: [{at: 33.2, mass: 300}], start: A"
    rope = EVERYDAY.replace("start: A", clump)
    assert warned(rope) == [], "a node is put there"
    pieces = rope.replace("length: 100, elements: 40", f"element_lengths: [{', '.join(['5'] * 20)}]")
    (found,) = warned(pieces)
    assert "cables.rope.attachments[0].at: lies 1.8 m from the nearest node, and weighs 2.943 kN of the " in found
    assert warned(pieces.replace("mass: 300", "mass: 1")) == []


def test_a_cable_whose_end_is_moved_out_is_not_slack() -> None:
    slack = EVERYDAY.replace("[80, 0, -10]", "[30, 0, -10]").replace("elements: 40", "elements: 400")
    assert any("is very slack at the start" in line for line in warned(slack))
    moved = slack.replace("kind: controlled", "kind: controlled, motion: {table: [[0, 0, 0, 0], [9, 40, 0, 0]]}")
    assert warned(moved) == []


def test_a_bend_at_a_clamp_that_is_not_resolved_is_named() -> None:
    text = EVERYDAY.replace("start: A", "start: {point: A, joint: clamp}")
    (message,) = warned(text.replace("10 GPa}", "10 GPa, bending_stiffness: 100}"))
    assert "cables.rope.start: the bend at the clamp is not resolved: element 2.5 m > " in message
    assert "or 'joint: ball' if its bending moment does not matter" in message


def test_a_part_that_nothing_holds_is_named() -> None:
    (message,) = warned(EVERYDAY.replace("kind: fixed", "kind: free").replace("kind: controlled", "kind: free"))
    assert "cables.rope: drifts freely: no fixed or controlled point holds it; join it to one, unless" in message


def test_a_torque_where_nothing_is_clamped_is_named() -> None:
    text = EVERYDAY.replace("kind: controlled", "kind: free").replace(
        "simulation:", "loads: [{point: B, torque: [1, 0, 0]}]\nsimulation:"
    )
    (message,) = warned(text)
    assert "loads[0].torque: a torque on 'B' turns no cable: none is clamped there" in message
    assert warned(text.replace("end: B", "end: {point: B, joint: clamp}")) == []


def test_cables_that_fold_or_lie_on_the_seabed_are_not_judged_by_a_catenary() -> None:
    assert warned(EVERYDAY.replace("types:", "environment: {seabed: {depth: 15}}\ntypes:").replace("40", "4")) == []
    folded = EVERYDAY.replace("[80, 0, -10]", "[0, 0, -60]")
    assert any("or move its ends apart: it folds sharply" in line for line in warned(folded))


def test_the_catenary_parameter_solves_its_equation() -> None:
    # Level catenary of a published comparison: span 80 m, length 100 m, w = 16.408 N/m, H = 554.9 N (EA 1.82e8 N).
    assert catenary_parameter(80, 0, 100) * 16.408 == pytest.approx(554.916, rel=2e-5)
    assert catenary_parameter(0, 0, 10) == 0


@pytest.mark.parametrize(
    ("shape", "orientation", "warned"),
    [
        ("{box: {length: 15, width: 6, height: 2}}", "[0, 0, 0]", False),
        ("{box: {length: 25, width: 6, height: 2}}", "[0, 0, 0]", True),
        ("{box: {length: 6, width: 25, height: 2}}", "[0, 0, 30]", True),
        ("{cylinder: {diameter: 3, height: 40}}", "[0, 0, 0]", False),  # a spar
        ("{cylinder: {diameter: 3, height: 40}}", "[0, 90, 0]", True),  # lying
        ("{cylinder: {diameter: 3, height: 40}}, strips: 10", "[0, 90, 0]", False),  # in strips along it
    ],
)
def test_a_body_longer_than_a_fifth_of_the_waves_is_told_to_take_coefficients(shape, orientation, warned):
    """Waves of 8 s are 100 m long."""
    system = load_text(
        f"""
environment: {{waves: {{kind: regular, height: 1, period: 8}}}}
types: {{line: {{diameter: 0.02, density: 1500, axial_stiffness: 1e6}}}}
points: {{anchor: {{kind: fixed, position: [30, 0, -30]}}}}
bodies:
  raft: {{kind: free, position: [0, 0, 0], orientation_deg: {orientation}, mass: 50e3, inertia: [1e6, 1e6, 1e6],
    floating: true, attachments: {{eye: [0, 0, 0]}}, shape: {shape}}}
cables: {{line: {{type: line, length: 50, elements: 5, start: raft.eye, end: anchor}}}}
simulation: {{duration: 1, step: 0.01}}
""",
        "raft.yaml",
    )
    found = [str(problem) for problem in warnings(system) if "more than a fifth" in str(problem)]
    assert len(found) == warned
    assert all("bodies.raft.shape" in text and "kind: floating" in text for text in found)
