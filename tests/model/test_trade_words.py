"""Words of the trade stand for what one would write by hand: modules, stiffener, net panel, track."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

from fairlead.model import ModelError, load_text
from fairlead.model.trade_words import Net, Track
from fairlead.simulate import simulate

PAGE = Path(__file__).parents[2] / "docs" / "words_of_the_trade.md"
FILE = """
types: {{wire: {{diameter: 0.1, mass_per_length: 20, axial_stiffness: 100 MN, bending_stiffness: 5 kN*m^2}}}}
points:
  a: {{kind: fixed, position: [0, 0, 0]}}
  b: {{kind: fixed, position: [40, 0, -10]}}
  {points}
bodies: {{{bodies}}}
cables:
  line: {{type: wire, length: 60, elements: 30, start: {start}, end: b{line}}}
  {cables}
simulation: {{duration: 0.1, step: 0.01, formulation: {formulation}}}
"""
DEFAULTS = {"points": "", "bodies": "", "start": "a", "line": "", "cables": "", "formulation": "bars"}


def system(**changes: str):
    return load_text(FILE.format(**{**DEFAULTS, **changes}))


MODULE = "mass: 20, volume: 0.1, drag_area: 0.3, added_mass: 50"


@pytest.mark.parametrize("row", ["every: 5 m, from: 20, to: 42", "count: 5, from: 20, to: 40"])
def test_modules_are_attachments(row):
    by_hand = ", ".join(f"{{at: {at}, {MODULE}}}" for at in (20, 25, 30, 35, 40))
    assert system(line=f", modules: {{type: float, {row}, {MODULE}}}") == system(line=f", attachments: [{by_hand}]")


def test_rows_of_modules_stand_beside_attachments_and_reach_from_end_to_end():
    rows = f"[{{count: 3, {MODULE}}}, {{count: 1, {MODULE}}}]"
    line = system(line=f", attachments: [{{at: 3, mass: 1}}], modules: {rows}")
    assert [item.at for item in line.cables["line"].attachments] == [3.0, 0.0, 30.0, 60.0, 0.0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("every: 5, to: 70, mass: 1", "reach to 70 m, and the cable is 60 m long"),
        ("every: 5, count: 3, mass: 1", "cannot stand beside"),
        ("mass: 1", "needs one of 'every' and 'count'"),
        ("every: 5, from: 30, to: 20, mass: 1", "must lie behind 'from'"),
        ("type: float, every: 5, mass: 200, volume: 0.1", "does not float: 200 kg in 0.1 m"),
        ("type: weight, every: 5, mass: 20, volume: 0.1", "does not sink"),
        ("every: 5, form: 3, mass: 1", "unknown key"),
    ],
)
def test_modules_that_contradict_are_mistakes(words, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        system(line=f", modules: {{{words}}}")


def test_a_net_panel_is_a_drag_area():
    """Løland's coefficient at a solidity of 0.2: 0.33·0.2 + 6.54·0.04 − 4.88·0.008 = 0.28856 across, 0.04 along."""
    net = Net(area=50.0, solidity=0.2)
    assert net.drag(1.0) == pytest.approx(50.0 * 0.28856)
    assert net.drag(0.0) == pytest.approx(50.0 * 0.04)
    at_point = system(points="n: {kind: free, position: [40, 5, -20], mass: 10, net: {area: 50, solidity: 0.2}}",
                      cables="x: {type: wire, length: 15, elements: 3, start: b, end: n}")  # fmt: skip
    assert at_point.points["n"].drag_area == pytest.approx(14.428)
    body = "n: {{kind: free, position: [40, 5, -20], mass: 10, inertia: [1, 1, 1], attachments: {{t: [0, 0, 0]}}, "
    body += "{drag}}}"
    cables = "x: {type: wire, length: 15, elements: 3, start: b, end: n.t}"
    word = body.format(drag="net: {area: 50, solidity: 0.2, normal: y}")
    by_hand = body.format(drag=f"drag_area: [2.0, {net.drag(1.0)!r}, 2.0]")
    assert system(bodies=word, cables=cables).bodies["n"] == system(bodies=by_hand, cables=cables).bodies["n"]
    with pytest.raises(ModelError, match="cannot stand beside 'drag_area'"):
        system(bodies=body.format(drag="drag_area: [1, 1, 1], net: {area: 5, solidity: 0.2}"), cables=cables)


SHIP = "ship: {{kind: prescribed, {how}, attachments: {{stern: [-30, 0, 0]}}}}"
TOWED = "tow: {type: wire, length: 80, elements: 4, start: ship.stern, end: a}"


def test_a_course_and_a_speed_are_a_velocity_and_a_heading():
    word = SHIP.format(how="position: [0, 0, 0], track: {course_deg: 60, speed: 2 m/s}")
    velocity = [2.0 * math.cos(math.radians(60)), 2.0 * math.sin(math.radians(60)), 0.0]
    by_hand = SHIP.format(how=f"position: [0, 0, 0], orientation_deg: [0, 0, 60], velocity: {velocity}")
    assert system(bodies=word, cables=TOWED) == system(bodies=by_hand, cables=TOWED)
    with pytest.raises(ModelError, match="cannot stand beside 'velocity'"):
        system(bodies=SHIP.format(how="position: [0, 0, 0], velocity: [1, 0, 0], track: {course_deg: 0, speed: 1}"),
               cables=TOWED)  # fmt: skip


def test_waypoints_are_passed_at_speed_with_turns_that_do_not_jerk():
    rows = np.array(Track(waypoints=((0.0, 0.0), (300.0, 0.0), (300.0, 200.0)), speed=2.0, turn=40.0).rows())
    t, x, y, heading = rows.T
    assert (t[0], x[0], y[0], heading[0]) == (0.0, 0.0, 0.0, 0.0)
    assert (t[-1], x[-1], y[-1]) == pytest.approx((250.0, 300.0, 200.0))
    assert heading[-1] == pytest.approx(90.0)
    velocity = np.diff(rows[:, 1:3], axis=0) / np.diff(t)[:, np.newaxis]
    assert np.linalg.norm(velocity, axis=1) == pytest.approx(2.0, rel=0.3), "slower only in the corner"
    jumps = np.linalg.norm(np.diff(velocity, axis=0), axis=1)
    assert jumps.max() < 0.5, "no step of the size of the speed, 2.8 m/s at a corner without a turn"
    ship = system(bodies=SHIP.format(how="track: {waypoints: [[0, 0], [300, 0], [300, 200]], speed: 2}"), cables=TOWED)
    assert ship.bodies["ship"].position == (0.0, 0.0, 0.0)
    assert ship.bodies["ship"].motion.table[-1][1:3] == pytest.approx((300.0, 200.0))
    how = "track: {waypoints: [[0, 0], [9, 0]], speed: 2}, motion: {harmonic: {period: 9, amplitude: [0, 0, 1]}}"
    with pytest.raises(ModelError, match="cannot stand beside 'motion'"):
        system(bodies=SHIP.format(how=f"position: [0, 0, 0], {how}"), cables=TOWED)


STIFFENER = "length: 3, root_diameter: 0.4, tip_diameter: 0.12, youngs_modulus: 70 MPa, elements: {count}"
HELD = "{{point: a, joint: clamp, direction: [1, 0, -0.2], {more}}}"


def taper(pieces: int) -> tuple[str, str]:
    """Types and sections of the same taper by hand, in pieces with the stiffness of their middle."""
    types, sections = [], []
    for k in range(pieces):
        outer = 0.4 + (k + 0.5) / pieces * (0.12 - 0.4)
        bending = 5e3 + 70e6 * math.pi / 64 * (outer**4 - 0.1**4)
        mass = 20 + 1150 * math.pi / 4 * (outer**2 - 0.1**2)
        types.append(f"t{k}: {{diameter: {outer!r}, mass_per_length: {mass!r}, axial_stiffness: 100 MN, "
                     f"bending_stiffness: {bending!r}}}")  # fmt: skip
        sections.append(f"{{type: t{k}, length: {3 / pieces!r}, elements: 1}}")
    return ", ".join(types), ", ".join(sections)


def clamped_by_hand(pieces: int, formulation: str):
    types, sections = taper(pieces)
    start = HELD.format(more="").replace(", }", "}")
    text = FILE.format(**{**DEFAULTS, "start": start, "formulation": formulation})
    text = text.replace("5 kN*m^2}", "5 kN*m^2}, " + types)
    text = text.replace("type: wire, length: 60, elements: 30",
                        f"sections: [{sections}, {{type: wire, length: 57, elements: 114}}]")  # fmt: skip
    return load_text(text.replace("duration: 0.1", "start: statics, duration: 0.1"))


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_a_stiffener_bends_as_a_fine_taper_made_by_hand(formulation):
    """Moment at the clamp and along the taper, and the curvature M/EI, against a taper of four times as many pieces."""
    start = HELD.format(more="stiffener: {" + STIFFENER.format(count=15) + "}")
    word = system(start=start, formulation=formulation)
    assert word.cables["line"].end.stiffener is None
    assert sum(section.length for section in word.cables["line"].sections) == pytest.approx(60.0)
    word = word.with_values({"simulation.start": "statics", "cables.line.elements": 120})
    assert word.cables["line"].sections[-1].elements == 114
    coarse, fine = simulate(word), simulate(clamped_by_hand(60, formulation))
    arc, moment = (r[k].values for r, k in ((coarse, "arc_length"), (coarse, "bending_moment")))
    there = np.interp(arc[0], fine["arc_length"].values[0], fine["bending_moment"].values[-1, 0])
    inside = arc[0] <= 4.0
    largest = there[inside].max()
    assert np.abs(moment[-1, 0] - there)[inside].max() < 0.03 * largest
    assert moment[-1, 0, 0] == pytest.approx(fine["bending_moment"].values[-1, 0, 0], rel=0.02)


def test_the_sharpest_bend_is_gentler_with_a_stiffener():
    """That is what it is for: without it the clamp bends the bare cable."""
    plain = system(start=HELD.format(more="").replace(", }", "}"))
    stiff = system(start=HELD.format(more="stiffener: {" + STIFFENER.format(count=15) + "}"))
    fine = {"simulation.start": "statics"}
    bare = simulate(plain.with_values({**fine, "cables.line.elements": 240}))
    held = simulate(stiff.with_values({**fine, "cables.line.elements": 240}))
    assert float(held["curvature_max"].max()) < 0.5 * float(bare["curvature_max"].max())


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("{point: a, stiffener: {length: 3, root_diameter: 0.4, youngs_modulus: 7e7}}", "no meaning for a ball joint"),
        ("{point: a, joint: clamp, stiffener: {length: 70, root_diameter: 0.4, youngs_modulus: 7e7}}", "longer than"),
        ("{point: a, joint: clamp, stiffener: {length: 3, root_diameter: 0.05, youngs_modulus: 7e7}}", "thinner than"),
    ],
)
def test_stiffeners_that_cannot_be_are_mistakes(start, message):
    with pytest.raises(ModelError, match=message):
        system(start=start)


def test_what_is_written_out_loads_again_as_the_same_system():
    """Results keep the whole system: reading it must not write anything out twice."""
    start = HELD.format(more="stiffener: {" + STIFFENER.format(count=4) + "}")
    one = system(start=start, line=f", modules: {{count: 3, from: 10, to: 50, {MODULE}}}")
    again = type(one).model_validate(one.model_dump(mode="json"))
    assert again == one
    assert load_text(one.to_yaml()) == one


@pytest.mark.parametrize("number", range(4))
def test_every_fragment_of_the_page_is_a_system(number):
    fragments = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(fragments) == 4
    assert load_text(fragments[number]).cables


def test_values_inside_a_word_can_be_changed():
    """As the file has them: what the word stood for before is not left behind."""
    one = system(line=f", modules: {{every: 5, from: 20, to: 40, {MODULE}}}")
    other = one.with_values({"cables.line.modules.every": 10, "cables.line.modules.mass": 30})
    assert [item.at for item in other.cables["line"].attachments] == [20.0, 30.0, 40.0]
    assert {item.mass for item in other.cables["line"].attachments} == {30.0}
    again = one.with_settings(step=0.02).with_values({"cables.line.modules.to": 30})
    assert [item.at for item in again.cables["line"].attachments] == [20.0, 25.0, 30.0]
    assert again.simulation.step == 0.02


def test_a_mistake_in_one_row_of_modules_names_its_key():
    text = """
types: {chain: {diameter: 0.1, mass_per_length: 20, axial_stiffness: 1e8}}
points: {a: {kind: fixed, position: [0, 0, -50]}, b: {kind: fixed, position: [80, 0, 0]}}
cables: {c: {type: chain, length: 100, start: a, end: b, modules: {type: float, every: 0, mass: 10, volume: 0.1}}}
"""
    with pytest.raises(ModelError, match=r"cables\.c\.modules\.every: must be above 0"):
        load_text(text)
