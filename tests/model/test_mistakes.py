"""Each mistake is reported with file, line, column, path, what is wrong and what would be right."""

from __future__ import annotations

import json

import pytest

from fairlead.model import ModelError, load_text

from .files import EVERYTHING, SINKING


def mistakes_in(text: str) -> list[str]:
    with pytest.raises(ModelError) as caught:
        load_text(text, "f.yaml")
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("length: 500, elements: 50, start: A", "lenght: 500, elements: 50, start: A",
         "f.yaml:17:23: cables.left.lenght: unknown key; did you mean 'length'?"),
        ("title:", "simulate_it: 1\ntitle:", "f.yaml:1:1: simulate_it: unknown key; did you mean 'simulation'?"),
        ("title:", "qqq: 1\ntitle:",
         "f.yaml:1:1: qqq: unknown key; known here: title, description, environment, types,"),
        ("diameter: 0.044", "diameter: 44 kg", "f.yaml:10:20: types.wire.diameter: '44 kg' is a mass, not a length;"),
        ("diameter: 0.044", "diameter: 44 MM",
         "types.wire.diameter: unknown unit 'MM'; did you mean 'mm'? give a length"),
        ("diameter: 0.044", "diameter: -0.044", "f.yaml:10:20: types.wire.diameter: must be above 0 m, not -0.044 m"),
        ("diameter: 0.044, ", "", "f.yaml:10:3: types.wire: 'diameter' is missing; add it: outer diameter"),
        ("diameter: 0.044", "diameter: .nan",
         "types.wire.diameter: must be a finite number, not nan; give a number in m"),
        ("diameter: 0.044", "diameter: .inf",
         "types.wire.diameter: must be a finite number, not inf; give a number in m"),
        ("diameter: 0.044", "diameter: 1e400", "types.wire.diameter: must be a finite number, not inf;"),
        ("diameter: 0.044", "diameter: " + "9" * 6000, "types.wire.diameter: must be a finite number, not inf;"),
        ("diameter: 0.044", "diameter: 1e200", "types.wire.diameter: 1e+200 m is beyond all measure; stay within"),
        ("density: 1100", "mass_per_length: 1e12",
         "types.wire.mass_per_length: 1e+12 kg/m is beyond all measure; stay within 1e-15 and 1e+07 kg/m"),
        ("velocity: [0.5, 0, 0]", "velocity: [-1e6, 0, 0]",
         "velocity[0]: -1000000 m/s is beyond all measure; stay within 1e-15 and 1000 m/s"),
        ("M: {kind: free, position: [0, 0, 0]}", "M: {kind: free, position: [0, 0, 0], mass: 1e12}",
         "points.M.mass: 1e+12 kg is beyond all measure; stay within 1e-15 and 1e+11 kg"),
        ("diameter: 0.044", "diameter: true", "types.wire.diameter: must be a length, not true; give a number in m"),
        ("diameter: 0.044", "diameter: [1]", "types.wire.diameter: must be a length, not a list of 1;"),
        ("diameter: 0.044", "diameter: ", "types.wire.diameter: must be a length, not nothing;"),
        ("density: 1100, ", "", "types.wire: needs one of 'density' and 'mass_per_length'; add 'density' or"),
        ("density: 1100", "density: 1100, mass_per_length: 1",
         "f.yaml:10:42: types.wire.mass_per_length: cannot stand beside 'density'; keep one of"),
        ("youngs_modulus: 120e9", "youngs_modulus: 120e9, axial_stiffness: 1 MN",
         "types.wire.youngs_modulus: cannot stand beside 'axial_stiffness'; keep one of"),
        ("drag: reynolds", "drag: reynold",
         "types.wire.drag: must be reynolds or none, not 'reynold'; did you mean 'reynolds'?"),
        ("drag: reynolds", "drag: {normal: 1}",
         "f.yaml:11:41: types.wire.drag: 'axial' is missing; add it: coefficient"),
        ("drag: reynolds", "drag: [1, 2]",
         "types.wire.drag: must be a mapping, not a list of 2; its keys are normal, axial"),
        ("start: A", "start: Aa", "f.yaml:17:57: cables.left.start: there is no point 'Aa'; did you mean 'A'?"),
        ("start: A", "start: 7", "cables.left.start.point: must be a name, not 7; put it in quotes: \"7\""),
        ("start: A", "start: {point: A, joint: glue}", "cables.left.start.joint: must be ball or clamp, not 'glue'"),
        ("start: A", "start: {point: A, direction: [0, 0, 1]}",
         "cables.left.start.direction: has no meaning for a ball joint; add 'joint: clamp' or remove it"),
        ("start: A", "start: {point: A, joint: clamp, direction: [0, 0, 0]}",
         "cables.left.start.direction: must be a direction, not a vector without length; e.g."),
        ("start: A", "start: {point: A, release: {}}", "cables.left.start.release: needs one of 'time' and 'tension';"),
        ("start: A, ", "", "f.yaml:17:3: cables.left: 'start' is missing; add it: where the cable starts"),
        ("type: wire, length: 500, elements: 50, start: A", "type: wir, length: 500, elements: 50, start: A",
         "f.yaml:17:17: cables.left.type: there is no cable type 'wir'; did you mean 'wire'?"),
        ("elements: 50, start: A", "elements: 0, start: A",
         "f.yaml:17:46: cables.left.elements: must be at least 1, not 0"),
        ("elements: 50, start: A", "elements: 2.5, start: A", "cables.left.elements: must be a whole number, not 2.5"),
        ("elements: 50, start: A", "elements: 10000000, start: A",
         "cables.left.elements: must be at most 100000, not 10000000"),
        ("elements: 50, start: A", "elements: 100000, start: A",
         "f.yaml:16:1: cables: have 100050 elements in all, more than 100000; use longer elements"),
        ("elements: 50, start: A", "start: A",
         "f.yaml:17:3: cables.left: 'elements' is missing; give 'length' and 'elements', or 'element_lengths'"),
        ("elements: 50, start: A", "element_lengths: [1], start: A",
         "cables.left.length: cannot stand beside 'element_lengths'; keep one of the two"),
        ("length: 500, elements: 50, start: A", "element_lengths: [], start: A",
         "cables.left.element_lengths: must hold at least one length; a cable has one element or more"),
        ("length: 500, elements: 50, start: A", "element_lengths: [400, -2], start: A",
         "f.yaml:17:46: cables.left.element_lengths[1]: must be above 0 m, not -2 m"),
        ("length: 500, elements: 50, start: A", "length: -500, elements: 50, start: A",
         "f.yaml:17:31: cables.left.length: must be above 0 m, not -500 m"),
        ("length: 500, elements: 50, start: A", "length: 300, elements: 50, start: A",
         "f.yaml:17:3: cables.left: is shorter than the distance of its ends: 300 m < 375 m; make it longer, move"),
        ("elements: 50, start: A", "elements: 1, start: A",
         "cables.left: is one straight element of 500 m, which does not fit between ends 375 m apart; use more"),
        ("length: 500, elements: 50, start: A", "element_lengths: [450, 25, 25], start: A",
         "cables.left: has one element longer than all others of 450 m, which does not fit between"),
        ("  right:", "  left:", "f.yaml:18:3: cables.left: duplicate name; it is already given in line 17; remove or"),
        ("depth: 200", "depth: 200, depth: 300",
         "environment.seabed.depth: duplicate key; it is already given in line 8"),
        ("depth: 200", "depth: 0", "environment.seabed.depth: must be above 0 m, not 0 m"),
        ("z: -200", "z: 0",
         "f.yaml:7:11: environment.current[1].z: 0 m is given twice; it is also the z of current[0]"),
        ("velocity: [0.5, 0, 0]", "velocity: [0.5, 0]",
         "f.yaml:6:17: environment.current[0].velocity: must hold 3 numbers [x, y, z], not 2"),
        ("velocity: [0.5, 0, 0]", "velocity: 0.5",
         "environment.current[0].velocity: must be a list [x, y, z], not 0.5"),
        ("velocity: [0.5, 0, 0]", "velocity: [0.5, 0, x]",
         "f.yaml:6:36: environment.current[0].velocity[2]: 'x' is not a number or a number with a unit; give a speed"),
        ("velocity: [0.5, 0, 0]", "speed: 1",
         "environment.current[0]: 'direction_deg' is missing beside 'speed'; add the"),
        ("velocity: [0.5, 0, 0]", "direction_deg: 1",
         "environment.current[0].direction_deg: has no meaning without 'speed'"),
        ("kind: free", "kind: fre", "f.yaml:15:13: points.M.kind: 'fre' is no kind of point; did you mean 'free'?"),
        ("kind: free, ", "", "f.yaml:15:3: points.M: 'kind' is missing; add 'kind: fixed, anchor, controlled, free,"),
        ("M: {kind: free, position: [0, 0, 0]}", "M: 5",
         "points.M: must be a mapping with a kind and a position, not 5"),
        ("kind: free", "kind: free, cutoff: 1", "points.M.cutoff: unknown key; known here: kind, position, velocity,"),
        ("cables:", "  C: {kind: fixed, position: [1, 1, 1]}\ncables:",
         "f.yaml:16:3: points.C: no cable ends here; join a cable to it, or remove it"),
        ("  A: {", "  a.b: {kind: free}\n  A: {",
         "f.yaml:13:3: points.'a.b': 'a.b' is no name; use up to 64 letters, digits"),
        ("formulation: bars", "formulation: lumps", "f.yaml:19:27: simulation.formulation: must be bars"),
        ("step: 0.0125", "step: 0.3",
         "simulation.duration: 1000 s is not a whole number of steps of 0.3 s; use 999.9 s"),
        ("output_every: 1.0", "output_every: 0.99",
         "simulation.output_every: 0.99 s is not a whole number of steps of 0.0125 s; use 0.9875 s"),
        ("output_every: 1.0", "output_every: 2000",
         "simulation.output_every: 2000 s is longer than the duration; use 1000 s or less"),
        ("duration: 1000", "duration: 1e9",
         "simulation.step: makes 8e+10 steps, more than 1e+10; use a step of 0.1 s or"),
        ("duration: 1000", "duration: 2e6",
         "simulation.output_every: makes 2,000,000 samples, more than 1,000,000; use 2 s or more"),
        ("duration: 1000", "duration: 5 m",
         "simulation.duration: '5 m' is a length, not a time; give a time such as 0.1 s"),
        ("title: Two connected cables sinking to the seabed", "title: 2024",
         "f.yaml:1:8: title: must be text, not 2024; put it in quotes"),
        ("types:\n", "types: []\nother:\n",
         "f.yaml:9:8: types: must be a mapping of names to their descriptions, not a list"),
        ("cables:\n", "cables: {}\nx:\n", "f.yaml:16:1: cables: there is no cable; add one"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_file(old: str, new: str, expected: str) -> None:
    assert old in SINKING
    found = mistakes_in(SINKING.replace(old, new, 1))
    assert any(expected in line for line in found), "\n".join(found)
    assert all(line.startswith("f.yaml:") for line in found)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("at: 50", "at: 150",
         "cables.line.attachments[0].at: 150 m is beyond the end of the cable at 130 m; use 130 m or"),
        ("{point: buoy, force", "{point: boy, force",
         "loads[0].point: there is no point or body 'boy'; did you mean 'buoy'?"),
        ("cables: [line, towline]", "cables: [line, lime]",
         "outputs.cables[1]: there is no cable 'lime'; did you mean 'line'?"),
        ("cables: [line, towline]", "cables: [line, line]", "outputs.cables[1]: 'line' is named twice; remove one"),
        ("energy: false", "energy: no", "outputs.energy: must be true or false, not 'no'"),
        ("{type: chain, length: 100", "{type: chian, length: 100",
         "cables.line.sections[0].type: there is no cable type 'chian'; did you mean 'chain'?"),
        ("    start: anchor", "    length: 3\n    start: anchor",
         "cables.line.length: cannot stand beside 'sections'; give it inside each section"),
        ("[0, 0], [10, 1]", "[0, 0], [0, 1]", "loads[0].table[1]: times must grow from row to row, not 0 s after 0 s"),
        ("table: [[0, 0, 0, 0], [10 min, 1, 0, 0]]", "table: []",
         "points.tug.motion.table: must hold at least one row"),
        ("[10 min, 1, 0, 0]", "[10 min, 1, 0]", "points.tug.motion.table[1]: must hold 4 numbers [t, x, y, z], not 3"),
        ("motion: {table:", "motion: {harmonic: {amplitude: [1, 0, 0], period: 9}, table:",
         "points.tug.motion.harmonic: cannot stand beside 'table'; keep one of"),
        ("theta: 0.55", "theta: 0.5", "simulation.bars.theta: must be above 0.5, not 0.5"),
        ("theta: 0.55", "theta: 1.5", "simulation.bars.theta: must be at most 1, not 1.5"),
        ("damping_time: 20 ms", "damping_time: 20 m", "types.chain.damping_time: '20 m' is a length, not a time"),
        ("damping_time: 20 ms", "damping_time: false",
         "types.chain.damping_time: must be a time or a mapping of times, not"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_larger_file(old: str, new: str, expected: str) -> None:
    assert old in EVERYTHING
    found = mistakes_in(EVERYTHING.replace(old, new, 1))
    assert any(expected in line for line in found), "\n".join(found)


def test_one_slip_of_the_pen_is_one_mistake() -> None:
    for old, new in (("length: 500, elements: 50, start: A", "lenght: 500, elements: 50, start: A"),
                     ("points:", "pionts:"), ("start: A", "start: AA"), ("density: 1100", "densty: 1100"),
                     ("step: 0.0125", "stp: 0.0125")):  # fmt: skip
        assert len(mistakes_in(SINKING.replace(old, new, 1))) == 1


def test_all_mistakes_are_found_at_once() -> None:
    text = SINKING
    for old, new in (
        ("viscosity: 1.35e-6", "viscosity: 1.35e-6 kg"),
        ("depth: 200", "depht: 200"),
        ("diameter: 0.044", "diameter: -1"),
        ("start: A, end: M}", "start: A, end: N}"),
        ("type: wire, length: 500, elements: 50, start: M", "type: wier, length: -500, elements: 0, start: M"),
        ("output_every: 1.0", "output_every: 0.01"),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    found = "\n".join(mistakes_in(text))
    for path in ("environment.viscosity", "environment.seabed.depht", "types.wire.diameter", "cables.left.end",
                 "cables.right.type", "cables.right.length", "cables.right.elements",
                 "simulation.output_every"):  # fmt: skip
        assert f": {path}: " in found
    lines = [int(line.split(":")[1]) for line in found.splitlines()]
    assert lines == sorted(lines)


def test_names_are_checked_even_where_a_cable_is_wrong_in_itself() -> None:
    text = SINKING.replace("length: 500, elements: 50, start: A", "length: -1, elements: x, start: nowhere", 1)
    found = "\n".join(mistakes_in(text))
    assert "cables.left.length: must be above 0 m" in found
    assert "cables.left.elements: must be a whole number" in found
    assert "cables.left.start: there is no point 'nowhere'; known here: A, B and M" in found


def test_a_chain_over_free_points_that_is_too_short_is_found() -> None:
    text = SINKING.replace("M: {kind: free, position: [0, 0, 0]}", "M: {kind: free}")
    load_text(text)
    found = mistakes_in(text.replace("length: 500", "length: 370"))
    assert len(found) == 1
    assert "points.A: the cables from here to 'B' have 740 m < 750 m, the distance; make a cable longer" in found[0]


def test_a_cable_may_be_allowed_to_start_stretched() -> None:
    text = SINKING.replace("length: 500", "length: 370")
    assert len(mistakes_in(text)) == 2
    load_text(
        text.replace("end: M}", "end: M, allow_stretch: true}").replace("end: B}", "end: B, allow_stretch: true}")
    )


def test_a_cable_just_as_long_as_its_chord_is_right() -> None:
    load_text(SINKING.replace("length: 500", "length: 375"))
    load_text(SINKING.replace("length: 500, elements: 50", "length: 375, elements: 1"))


def test_a_hundred_thousand_unknown_keys_are_told_in_a_few_sentences():
    """At the outermost level the file is not even read; deeper, a hundred are named."""
    from fairlead.model.part import MOST_UNKNOWN
    from fairlead.model.reader import read

    many = {f"key{k}": k for k in range(100_000)}
    for text in ("\n".join(f"{key}: {value}" for key, value in many.items()), json.dumps(many)):
        (found,) = read(text).mistakes
        assert found[0].message == "the file has 100000 keys at its outermost level, more than 2000"
    with pytest.raises(ModelError) as caught:
        load_text(json.dumps({"simulation": dict.fromkeys(list(many)[:500], 1)}))
    assert "simulation: has 500 unknown keys in all" in str(caught.value)
    assert str(caught.value).count("unknown key") <= MOST_UNKNOWN + 5
