"""Mistakes with rings, shapes, bodies and winches are reported like all others: place, cause and cure."""

from __future__ import annotations

import pytest

from fairlead.model import ModelError, load_text

from .files import SPREAD


def mistakes_in(text: str) -> list[str]:
    with pytest.raises(ModelError) as caught:
        load_text(text, "f.yaml")
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # points
        ("kind: passive, position: [-90, 10", "kind: pasive, position: [-90, 10",
         "f.yaml:6:17: points.float.kind: 'pasive' is no kind of point; did you mean 'passive'?"),
        ("shape: {sphere: {diameter: 2}}", "shape: {}",
         "points.float.shape: needs one of 'sphere' and 'cylinder' and 'box'; add 'sphere' or 'cylinder' or 'box'"),
        ("shape: {sphere: {diameter: 2}}", "shape: {sphere: {diameter: 2}, box: {length: 1, width: 1, height: 1}}",
         "points.float.shape.box: cannot stand beside 'sphere'"),
        ("shape: {sphere: {diameter: 2}}", "shape: {sphere: {diametr: 2}}",
         "points.float.shape.sphere.diametr: unknown key; did you mean 'diameter'?"),
        (", shape: {sphere: {diameter: 2}}", "", "points.float: 'shape' is missing; add it: its outside"),
        ("mass: 2 t, shape", "mass: 0, shape", "points.float.mass: must be above 0 kg, not 0 kg"),
        ("drag_coefficient: 1.2", "drag_coefficient: -1", "points.spar.drag_coefficient: must be at least 0"),
        ("stiffness: 2 kN/m", "stiffness: 0", "points.driven.stiffness: must be above 0 N/m, not 0 N/m"),
        ("stiffness: 2 kN/m", "stiffness: 2 kN", "points.driven.stiffness: '2 kN' is a force, not a force per length"),
        ("damping: 3 kN*s/m", "damping: 3 kN", "points.driven.damping: '3 kN' is a force, not a force per speed; give"),
        ("force_max: 20 kN, tension_max: 50 kN", "force_max: 20 kN",
         "points.driven: 'tension_max' is missing; add it: pull of a cable at which"),
        ("motion: {table: [[0, 0, 0, 0], [100, 0, 5, 0]]}", "motion: {table: [[0, 0, 0, 0], [0, 0, 5, 0]]}",
         "points.driven.motion.table[1]: times must grow from row to row"),
        # rings
        ("cable: lead_in, at", "cable: leadin, at",
         "points.ring.cable: there is no cable 'leadin'; did you mean 'lead_in'?"),
        ("cable: lead_in, at", "cable: spur, at",
         "points.ring.cable: the ring cannot slide along 'spur', which ends in it; name the"),
        ("at: 45", "at: 145", "points.ring.at: 145 m is beyond the end of 'lead_in' at 100 m; use 100 m or less"),
        ("at: 45", "at: -1", "points.ring.at: must be at least 0 m, not -1 m"),
        ("at: 45", "position: [0, 0, 0], at: 45", "points.ring.position: unknown key"),
        ("friction: 0.2", "friction: -0.2", "points.ring.friction: must be at least 0"),
        ("start: ring", "start: {point: ring, joint: clamp}",
         "cables.spur.start.joint: a ring turns freely about its cable, so nothing can be clamped to 'ring'; use"),
        ("start: ring, end: deflector.tail", "start: vessel.tip, end: deflector.tail",
         "points.ring: no cable ends here; join a cable to it, or remove it"),
        ("length: 120, elements: 12, start: ring", "length: 30, elements: 12, start: ring",
         "bodies.deflector: the cables from here to 'winch' have 75 m < "),
        # bodies
        ("kind: free, position: [-60", "kind: fixed, position: [-60",
         "bodies.deflector.kind: 'fixed' is no kind of body; known here: free, floating and prescribed"),
        ("kind: free, position: [-60", "position: [-60",
         "bodies.deflector: 'kind' is missing; add 'kind: free, floating or prescribed'"),
        ("deflector: {kind: free", "float: {kind: free",
         "bodies.float: a point has the same name; give one of them another name"),
        ("inertia: [900, 5000, 5200]", "inertia: [900, 5000, 6200]",
         "bodies.deflector.inertia: no body has the moments of inertia [900, 5000, 6200] kg*m^2: one is more than"),
        ("inertia: [900, 5000, 5200]", "inertia: [900, 5000]",
         "bodies.deflector.inertia: must hold 3 numbers [Ixx, Iyy, Izz], not 2"),
        ("inertia: [900, 5000, 5200]", "inertia: [0, 5000, 5200]", "bodies.deflector.inertia[0]: must be above 0"),
        ("orientation_deg: [0, 0, 30]", "orientation_deg: 30",
         "bodies.deflector.orientation_deg: must be a list [roll, pitch, yaw], not 30"),
        ("attachments: {arm: [1.5, 0, 0]", "attachments: {arm: [1.5, 0]",
         "bodies.deflector.attachments.arm: must hold 3 numbers [x, y, z], not 2"),
        ("attachments: {arm: [1.5, 0, 0]", 'attachments: {"a.b": [1.5, 0, 0], arm: [1.5, 0, 0]',
         "'a.b' is no name; use up to 64 letters"),
        ("end: deflector.tail", "end: deflector.tal",
         "cables.spur.end: 'deflector' has no attachment 'tal'; known here: deflector.arm, deflector.tail"),
        ("end: deflector.tail", "end: deflctor.tail",
         "cables.spur.end: there is no body 'deflctor'; did you mean 'deflector.tail'?"),
        ("end: deflector.tail", "end: deflector",
         "cables.spur.end: 'deflector' is a body: a cable is joined to one of its attachments; known here: deflector."),
        ("end: deflector.tail", "end: deflector.tail.x", "'deflector.tail.x' is no name; name a point, as in 'A'"),
        ("end: deflector.tail", "end: deflektor", "cables.spur.end: there is no point 'deflektor'"),
        ("start: tug.hook", "start: winch", "bodies.tug: no cable ends here; join a cable to an attachment, or remove"),
        ("[60, 5, 0, 0, 0, 0, 20 deg]", "[60, 5, 0, 0]",
         "bodies.tug.motion.table[1]: must hold 7 numbers [t, x, y, z, roll_deg, pitch_deg, yaw_deg], not 4"),
        ("[60, 5, 0, 0, 0, 0, 20 deg]", "[0, 5, 0, 0, 0, 0, 20 deg]",
         "bodies.tug.motion.table[1]: times must grow from row to row"),
        ("period: 9", "period: 0", "bodies.vessel.motion.harmonic.period: must be above 0 s"),
        ("length: 130, elements: 10, start: {point: vessel.tip", "length: 100, elements: 10, start: {point: vessel.tip",
         "cables.wide: is shorter than the distance of its ends: 100 m < 111.87"),
        # winches
        ("winch: {end: start, rate: -0.1", "winch: {end: left, rate: -0.1",
         "cables.wide.winch.end: must be start or end, not 'left'"),
        ("winch: {end: start, rate: -0.1", "winch: {rate: -0.1", "cables.wide.winch: 'end' is missing; add it:"),
        ("winch: {end: start, rate: -0.1", "winch: {end: start, table: [[0, 1]], rate: -0.1",
         "cables.wide.winch.table: cannot stand beside 'rate'; keep one of"),
        ("winch: {end: end, length_max: 200}", "winch: {end: end}",
         "cables.stern.winch: the greatest length is not known: no rate, no table, no length_max; add 'rate'"),
        ("winch: {end: end, length_max: 200}", "winch: {end: end, length_max: 100}",
         "cables.stern.winch.length_max: 100 m is less than the cable has at the start, 130 m; use 130 m or more"),
        ("winch: {end: end, length_max: 200}", "winch: {end: end, length_max: 200, length_min: 150}",
         "cables.stern.winch.length_min: 150 m is more than the cable has at the start, 130 m; use 130 m or less"),
        ("winch: {end: end, length_max: 200}", "winch: {end: end, length_max: 200, length_min: 250}",
         "cables.stern.winch.length_min: 250 m is more than length_max, 200 m; use 200 m or less"),
        ("rate: -0.1, mode: rescale", "rate: -2, mode: rescale",
         "cables.wide.winch.rate: hauls in past length_min, 13 m, at t = 58.5 s, and would reach -70 m; stop it by "
         "58.5 s, use a rate of -1.17 m/s, or make the cable longer"),
        ("rate: -0.1, mode: rescale", "rate: 2, length_max: 200, mode: rescale",
         "cables.wide.winch.rate: pays out past length_max, 200 m, at t = 35 s, and would reach 330 m; stop it by 35 "
         "s, use a rate of 0.7 m/s, or set length_max to 330 m"),
        ("[30, 0]], length_max: 120", "[30, 0]], length_max: 105",
         "cables.lead_in.winch.table: pays out past length_max, 105 m, at t = 15 s, and would reach 110 m; stop it"),
        ("[30, 0]], length_max: 120", "[30, -1]], length_max: 120",
         "cables.lead_in.winch.table: hauls in past length_min, 50 m, at t = "),
        ("[10, 0.5], [20", "[30, 0.5], [20", "cables.lead_in.winch.table[2]: times must grow from row to row"),
        ("split: 1.6, merge: 0.6", "split: 1.4, merge: 0.6",
         "cables.lead_in.winch.split: an element split at 1.4 leaves 0.4, which merges at once: merge is 0.6; use 1.6"),
        ("merge_after_reversal: 0.3", "merge_after_reversal: 0.7",
         "cables.lead_in.winch.merge_after_reversal: 0.7 is more than merge, 0.6; use 0.6 or less"),
        ("mode: rescale", "mode: rescale, split: 2", "cables.wide.winch.split: has no meaning for 'mode: rescale'"),
        ("elements: 20, start: winch", "elements: 20, attachments: [{at: 5, mass: 3}], start: winch",
         "cables.lead_in.attachments: clump weights and floats cannot pass a winch; join two cables in a free point"),
        ("start: ring, end: deflector.tail", "start: ring, end: deflector.tail, winch: {end: start, rate: 0.1}",
         "cables.spur.winch.end: the winch cannot stand on the ring 'ring'; put it at the other end, or on a point"),
        ("winch: {end: end, length_max: 200}", "winch: {end: end, length_max: 1e9}",
         "cables: have 76923135 elements in all, more than 100000"),
        # loads
        ("point: float, force", "point: flot, force", "loads[0].point: there is no point or body 'flot'; did you mean"),
        ("point: deflector.arm", "point: deflector.am", "loads[2].point: 'deflector' has no attachment 'am'; known"),
        ("name: foil", "name: streamer",
         "loads[2].name: 'streamer' is also the name of loads[0]; give each load a name of its own"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_spread(old: str, new: str, expected: str) -> None:
    assert old in SPREAD
    found = mistakes_in(SPREAD.replace(old, new, 1))
    assert any(expected in line for line in found), "\n".join(found)


def test_one_slip_makes_one_mistake() -> None:
    for old, new in (
        ("end: deflector.tail", "end: deflector.tal"),
        ("start: tug.hook", "start: tug.hok"),
        ("period: 9", "period: -9"),
        ("cable: lead_in, at", "cable: leadin, at"),
        ("kind: prescribed, position: [20, 0, 0]", "kind: prescibed, position: [20, 0, 0]"),
        ("shape: {sphere: {diameter: 2}}", "shape: {sphere: {diameter: -2}}"),
        ("[10, 0.5], [20", "[30, 0.5], [20"),
    ):
        found = mistakes_in(SPREAD.replace(old, new, 1))
        assert len(found) == 1, "\n".join(found)


def test_rings_cannot_hang_on_each_other_in_a_circle() -> None:
    text = SPREAD.replace("bodies:\n", "  other: {kind: sliding, cable: spur, at: 5}\nbodies:\n").replace(
        "start: winch, end: float", "start: other, end: float"
    )
    found = mistakes_in(
        text.replace("winch: {kind: fixed", "end: {kind: fixed").replace("start: tug.hook", "start: end")
    )
    circles = [line for line in found if "in a circle" in line]
    assert len(circles) == 1
    assert "points.other.cable: rings hang on each other in a circle: other on ring on other; let one" in circles[0]


def test_all_mistakes_of_a_spread_are_told_at_once() -> None:
    text = SPREAD
    for old, new in (
        ("mass: 2 t, shape", "mass: -2 t, shape"),
        ("cable: lead_in, at", "cable: leadin, at"),
        ("inertia: [900, 5000, 5200]", "inertia: [900, 5000]"),
        ("start: tug.hook", "start: tug.hok"),
        ("rate: -0.1, mode", "rate: -2, mode"),
        ("name: foil", "name: streamer"),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    found = "\n".join(mistakes_in(text))
    for path in ("points.float.mass", "points.ring.cable", "bodies.deflector.inertia", "cables.tow.start",
                 "cables.wide.winch.rate", "loads[2].name"):  # fmt: skip
        assert path in found
