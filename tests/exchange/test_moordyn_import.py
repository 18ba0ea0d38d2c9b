"""MoorDyn's files as people write them: what is taken over, what is said about it, and what it means here."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from fairlead.exchange import open_model, read_moordyn, read_moorpy
from fairlead.exchange.moordyn.attitude import angles_of, attitude_deg, matrix
from fairlead.exchange.moordyn.opening import from_text
from fairlead.model import ModelError, load_text, warnings
from fairlead.model.bodies import rotation_matrix

from .decks import MOORPY, OLD, PINS, RODS, SPREAD, line_of


def said(found, kind: str) -> str:
    return "\n".join(note.sentence() for note in found.notes if note.kind == kind)


def test_a_file_becomes_a_system_with_its_numbers():
    system = from_text(SPREAD, "spread.txt").system
    chain, rope = system.types["chain"], system.types["rope"]
    assert (chain.diameter, chain.mass_per_length, chain.ea, chain.ei) == (0.09, 77.7, 384e6, 0.0)
    assert (chain.drag.normal, chain.drag.axial, chain.drag.axial_area) == (1.6, 0.1, "surface")
    assert (rope.added_mass.normal, rope.added_mass.axial) == (1.0, 0.1)
    assert list(system.cables) == ["line1", "line2", "line3"]
    assert (system.cables["line1"].total_length, system.cables["line1"].element_count) == (330, 10)
    assert system.cables["line1"].end.point == "body1.point2"
    assert system.points["point5"].kind == "controlled"
    float_ = system.points["point4"]
    assert (float_.mass, float_.volume, float_.drag_area) == (500, 2.0, 3.0)
    assert float_.added_mass == pytest.approx(1025 * 2.0 * 0.5)


def test_damping_is_a_ratio_where_negative_and_a_force_per_strain_rate_where_positive():
    system = from_text(SPREAD, "spread.txt").system
    chain, rope = system.types["chain"], system.types["rope"]
    assert rope.damping_axial(27.5) == pytest.approx(2.0e5 / 5.0e6)
    length = 33.0  # MoorDyn: BA = zeta (L/N) sqrt(EA m)
    assert chain.damping_axial(length) * chain.ea == pytest.approx(0.8 * length * math.sqrt(384e6 * 77.7))


def test_the_bed_meets_the_axis_there_and_the_skin_here():
    """MoorDyn pushes a node that is below -depth; here a cable touches with its underside."""
    bed = from_text(SPREAD, "spread.txt").system.environment.seabed
    assert bed.depth - 0.5 * 0.09 == pytest.approx(100.0)
    assert (bed.stiffness, bed.damping, bed.friction) == (3e6, 3e5, 0.3)


def test_guessed_positions_are_left_out_and_glued_and_unknown_options_told():
    found = from_text(SPREAD, "spread.txt")
    assert found.system.points["point4"].position is None
    assert f"{line_of(SPREAD, '4 Free')}: point 4: its position is a guess" in said(found, "changed")
    assert "option banana: is not known (value 7)" in said(found, "dropped")
    assert "FrictionCoefficient: stands behind another" in said(found, "doubtful")
    assert found.channels == ["FairTen1", "FairTen3", "L2N3Pz", "AnchTen1", "P4Px", "Body1Fz", "Con4Fx", "Sausage9"]


def test_yaml_names_the_lines_and_loads_to_the_same_system():
    found = from_text(SPREAD, "spread.txt")
    assert "chain: {diameter: 0.09" in found.yaml
    (line,) = [text for text in found.yaml.splitlines() if text.startswith("  line2:")]
    assert line.endswith(f"# line {line_of(SPREAD, '2 chain')}")
    assert load_text(found.yaml) == found.system


def test_turns_are_taken_in_the_other_order():
    angles = (10.0, 20.0, 30.0)
    np.testing.assert_allclose(rotation_matrix(attitude_deg(angles)), matrix(angles), atol=1e-15)
    np.testing.assert_allclose(angles_of(matrix(angles)), angles, atol=1e-12)
    found = from_text(SPREAD, "spread.txt")
    roll, pitch, _ = found.system.bodies["body1"].orientation_deg
    assert (roll, pitch) != (10.0, 20.0)
    assert "the same attitude in other numbers" in said(found, "changed")


def test_a_free_body_has_its_origin_at_its_centre_of_mass():
    body = "1 Free 0 0 -10 0 90 0 4e4 1|0|0 1e6|2e6|3e6 20 1|2 0.5"
    text = SPREAD.replace("1 Coupled 0 0 -10 10 20 0 0 0 0 0 0 0", body)
    found = from_text(text, "free.txt").system.bodies["body1"]
    np.testing.assert_allclose(found.position, (0, 0, -11), atol=1e-12)  # x of the body points down
    assert found.attachments["point2"] == (4.0, 0.0, 0.0)
    assert (found.inertia, found.volume) == ((1e6, 2e6, 3e6), 20.0)
    assert (found.drag_area, found.drag_moment) == ((1, 1, 1), (1025.0,) * 3)
    assert found.added_mass == pytest.approx((10250,) * 3)


def test_files_of_moordyn_1_by_what_is_in_them():
    found = from_text(OLD, "old.dat")
    main = found.system.types["main"]
    assert (main.added_mass.normal, main.added_mass.axial, main.drag.normal, main.drag.axial) == (1.0, 0.0, 1.6, 0.1)
    assert (found.system.cables["line1"].start.point, found.system.cables["line1"].total_length) == ("point1", 270)
    (load,) = found.system.loads
    assert (load.point, load.force) == ("point2", (0, 0, 2000.0))  # kN
    assert "MoorDyn takes the lowest point, 100 m" in said(found, "doubtful")


def test_columns_in_the_old_order_under_new_positions_are_taken_as_moordyn_does_and_told():
    text = SPREAD.replace("Cd  Ca  CdAx  CaAx", "Can Cat Cdn Cdt").replace("1.6 1.0 0.1 0.0", "1.0 0.0 1.1 0.008")
    found = from_text(text, "swapped.txt")
    assert found.system.types["chain"].drag.axial == 1.1
    assert "MoorDyn reads these as Cd 1, Ca 0, CdAx 1.1, CaAx 0.008; the heading says" in said(found, "doubtful")
    other = from_text(text, "swapped.txt", columns="v1")
    assert (other.system.types["chain"].drag.normal, other.system.types["chain"].added_mass.normal) == (1.1, 1.0)
    assert "MoorDyn reads these as" not in said(other, "doubtful")


def test_a_chain_given_by_its_bar_is_told_with_the_diameter_of_its_steel():
    found = from_text(SPREAD.replace("chain 0.09 ", "chain 0.06 "), "bar.txt")
    solid = math.sqrt(4 * 77.7 / (math.pi * 7850))
    assert f"has a diameter of {solid:.3g} m" in said(found, "doubtful")


def test_rods_without_length_join_lines_to_one_cable_and_fixed_ones_clamp():
    found = from_text(RODS, "riser.txt")
    (cable,) = found.system.cables.values()
    assert list(found.system.cables) == ["line1_2_3"]
    assert [(part.type, part.length) for part in cable.stretches] == [("pipe", 40), ("light", 30), ("pipe", 50)]
    assert (cable.start.point, cable.start.joint) == ("point1", "ball")
    assert (cable.end.point, cable.end.joint, cable.end.direction) == ("rod3B", "clamp", (0, 0, 3))  # up into the rod


def test_a_line_starts_stretched_as_far_as_its_formulation_carries():
    """40 m between ends 104 m apart: `lumped` stretches it, `bars`, which a clamp on a body asks for, does not."""
    short = RODS.replace("R1A 40", "R1A 10").replace("R1B 30", "R1B 10").replace("R2B 50", "R2B 20")
    stretched = from_text(short, "riser.txt")
    assert stretched.system.simulation.formulation == "lumped"
    assert "it starts stretched" in said(stretched, "changed")
    assert said(stretched, "missing") == ""
    torn = from_text(short.replace("3 stub Fixed", "3 stub Coupled"), "riser.txt")
    assert torn.system.simulation.formulation == "bars"
    assert "a line that is stretched from 40 m to 103.9" in said(torn, "missing")
    assert torn.system.title.startswith("With lines 1, 2, 3 stretched to 2.6 times the length: ")


def test_without_bending_a_rod_without_length_is_a_point():
    found = from_text(RODS.replace("1e4", "0"), "riser.txt").system
    assert list(found.cables) == ["line1", "line2", "line3"]
    assert found.cables["line2"].start.point == "rod2"
    assert found.points["rod2"].kind == "free"


def test_a_free_rod_is_a_cylinder_that_weighs_the_same():
    text = RODS.replace("2 stub Free  30 0 -40 30 0 -40 0", "2 stub Free  30 0 -40 30 4 -40 2")
    found = from_text(text, "rod.txt")
    rod = found.system.bodies["rod2"]
    assert (rod.mass, rod.volume) == (pytest.approx(200.0), pytest.approx(math.pi * 0.01 * 4))
    np.testing.assert_allclose(rod.place(rod.attachments["A"]), (30, 0, -40), atol=1e-12)
    np.testing.assert_allclose(rod.place(rod.attachments["B"]), (30, 4, -40), atol=1e-12)


def test_rods_on_pins_and_on_bodies_hang_by_joints():
    """Pinned rods stand on a ball joint; a rod of a free body is fixed to it where the body is, turned with it."""
    found = from_text(PINS, "pins.txt")
    system = found.system
    assert system.simulation.formulation == "lumped"
    pin, weld = system.joints["rod1"], system.joints["rod2"]
    assert (pin.kind, pin.parent, pin.child) == ("spherical", "rod1_pin", "rod1.A")
    assert (weld.kind, weld.parent, weld.child) == ("fixed", "body1.rod2", "rod2.A")
    assert (system.bodies["rod1"].strips, system.bodies["rod2"].strips) == (4, 5)
    rod = system.bodies["rod2"]
    np.testing.assert_allclose(rod.place(rod.attachments["B"]), (30, 3, -40), atol=1e-9)
    np.testing.assert_allclose(system.bodies["body1"].place((1, 0, 0)), (30, 1, -40), atol=1e-9)
    assert said(found, "missing") == ""


def test_ends_let_go_as_the_file_says():
    rows = "--- FAILURE ---\nID Point Line(s) FailTime FailTen\n(-)\n1 4 2,3 0 5e5\n--- OUTPUTS ---"
    found = from_text(SPREAD.replace("---------------------- OUTPUTS ----------------------", rows), "x.txt").system
    assert found.cables["line2"].end.release.tension == 5e5
    assert found.cables["line3"].start.release.tension == 5e5


@pytest.mark.parametrize(
    ("old", "new", "feature", "spoils"),
    [
        ("384e6  -0.8", "384e6|500e6 0", "line type chain: the dynamic spring of a rope without a damper", "motion"),
        ("7     banana", "bed.txt SeafloorFile", "option SeafloorFile: a seabed that is not flat", "sea"),
        ("7     banana", "7 WaveKin", "option WaveKin 7: waves as a list of components", "motion"),
        ("7     banana", "1 Currents", "option Currents 1: the current (there is no file", "sea"),
        ("5 Vessel", "5 Turbine2", "point 5: where turbine 2 stands", "all"),
        ("1 Coupled", "1 CoupledPinned", "body 1: a body that turns about its place: its mass and inertia", "all"),
    ],
)  # fmt: skip
def test_what_is_missing_here_is_named_with_its_line_and_stops_what_it_would_spoil(tmp_path, old, new, feature, spoils):
    file = tmp_path / "deck.txt"
    file.write_text(SPREAD.replace(old, new))
    found = read_moordyn(file)
    line = line_of(SPREAD, old if old[0].isdigit() and " " in old and "." not in old else "chain")
    assert f"{line}: {feature}" in said(found, "missing")
    assert feature in found.yaml
    with pytest.raises(ModelError, match=f"deck.txt:{line}: {re.escape(feature)}"):
        open_model(file)
    if spoils == "all":
        with pytest.raises(ModelError, match="is missing here"):
            open_model(file, motion=False)
    else:
        part = feature.partition(": ")[2].partition(" (")[0]
        assert open_model(file, motion=False)[0].title.startswith(f"Without {part}: "), "every result says so"


@pytest.mark.parametrize(
    ("changes", "title"),
    [
        ({"5 Vessel": "5 Turbine2"}, "With turbine 2 at the origin: "),
        ({"1 Coupled": "1 CoupledPinned"}, "With body 1 held in its attitude: "),
        ({"5 Vessel": "5 T2", "7     banana": "1 Currents"}, "Without the current, with turbine 2 at the origin: "),
    ],
)
def test_what_there_is_in_place_of_what_is_missing_stands_in_title_and_warning(changes, title):
    text = SPREAD
    for old, new in changes.items():
        text = text.replace(old, new)
    system = from_text(text, "x.txt").system
    assert system.title.startswith(title)
    instead = title.removesuffix(": ").rpartition("ith ")[2]
    assert any(f"is missing: the numbers are with {instead}" in str(warning) for warning in warnings(system))


@pytest.mark.parametrize(
    ("columns", "wake"),
    [
        ("0.7", (0.7, 0.18, 0.08)),
        ("0.7 0.05", (0.7, 0.18, 0.05)),
        ("0.7 0.05 0.2", (0.7, 0.2, 0.05)),
        ("0.0", None),
    ],
)
def test_lift_and_its_frequencies_are_taken_over(columns, wake):
    found = from_text(SPREAD.replace("1.6 1.0 0.1 0.0", f"1.6 1.0 0.1 0.0 {columns}"), "x.txt")
    taken = found.system.types["chain"].vortices
    assert (taken and (taken.lift, taken.frequency, taken.band)) == wake
    assert ("chain: lift, frequency and band of vortices" in said(found, "taken")) == (wake is not None)
    assert said(found, "missing") == ""


def test_a_current_profile_beside_the_file_is_taken_over(tmp_path):
    file = tmp_path / "deck.txt"
    file.write_text(SPREAD.replace("7     banana", "1 Currents"))
    (tmp_path / "current_profile.txt").write_text("current\nz u v w\n(m)\n-100 0 0 0\n0 1.5 0.5 0\n")
    table = open_model(file)[0].environment.current_table
    assert table == [(-100.0, (0.0, 0.0, 0.0)), (0.0, (1.5, 0.5, 0.0))]


def test_bytes_that_are_no_utf_8_are_no_hindrance(tmp_path):
    file = tmp_path / "deck.dat"
    file.write_bytes(SPREAD.replace("(m^3)", "(m\u02c63)").encode("utf-8") + b"\xff\xb3")
    assert read_moordyn(file).system == from_text(SPREAD, "x").system


def test_moorpys_yaml_and_its_short_rows(tmp_path):
    file = tmp_path / "system.yaml"
    file.write_text(MOORPY)
    found = read_moorpy(file)
    assert open_model(file)[0] == found.system
    assert found.system.types["chain"].breaking_load == 4e6
    line = found.system.cables["north_line"]
    assert (line.start.point, line.end.point, line.element_count) == ("anchor", "hull", 40)
    assert found.system.points["hull"].kind == "controlled"
    short = SPREAD.replace("-0.8   0   1.6 1.0 0.1 0.0", "").replace("1 Fixed  300  0 -100", "1 Fixed  300  0 seabed")
    other = tmp_path / "short.dat"
    other.write_text(short)
    assert read_moorpy(other).system.points["point1"].position == (300, 0, -100)
    with pytest.raises(ModelError, match=r"short.dat:\d+: line type chain has 4 columns"):
        read_moordyn(other)


def test_a_mistake_in_moorpys_yaml_has_its_line(tmp_path):
    file = tmp_path / "system.yaml"
    file.write_text(MOORPY.replace("length: 330", "length: long").replace("endA: anchor", "endA: ankor"))
    with pytest.raises(ModelError) as caught:
        read_moorpy(file)
    assert all(f"{file}:{line_of(MOORPY, '  - {name: north')}: " in line for line in str(caught.value).splitlines())
    assert "ends at point 'ankor', which is not there" in str(caught.value)


def test_a_misspelt_stiffness_is_told_with_the_other_mistakes():
    """It may be the name of a file, and is looked for as one."""
    text = SPREAD.replace("384e6", "38x4e6").replace("1 Fixed  300", "1 Fixed  3oo")
    text = text.replace("3 rope  4 5", "3 rope  4 9")
    with pytest.raises(ModelError) as caught:
        from_text(text, "deck.txt")
    for row, words in (("chain 0.09", "EA of line type chain"), ("1 Fixed", "3oo"), ("3 rope", "ends at point '9'")):
        line = next(i for i, one in enumerate(text.splitlines(), 1) if one.startswith(row))
        assert any(problem.line == line and words in problem.message for problem in caught.value.problems), row


def test_what_has_no_line_of_its_own_is_told_without_one():
    found = from_text(SPREAD, "deck.txt").system
    assert found.problem("simulation.step", "is long").line is None
    assert found.problem("cables.line1.length", "is long").line == line_of(SPREAD, "1 chain")


def test_python_opens_a_deck_wherever_it_takes_a_file(tmp_path):
    import fairlead as fl

    path = tmp_path / "lines.txt"
    path.write_text(SPREAD, encoding="utf-8")
    system = fl.load(path, set={"simulation.step": 0.05})
    assert system == from_text(SPREAD, str(path)).system.with_values({"simulation.step": 0.05})
    pull = fl.Simulation(path).outputs()["line1.force_end"]
    assert fl.statics(path).outputs["line1.force_end"] == pytest.approx(pull)


def test_a_bad_number_a_failure_that_is_cut_and_a_depth_below_nothing_are_told_at_once():
    rows = "--- FAILURE ---\nID Point Line(s) FailTime FailTen\n(-)\n1 4 2,3 soon 5e5\n2 4\n"
    rows += "--- SYROPE IC ---\nLine(s) Tmax0 Tmean0\n(-)\n2 much 1\n---"
    text = SPREAD.replace("---------------------- OUTPUTS ----------------------", rows)
    text = text.replace("1 Fixed  300", "1 Fixed  3x0").replace("100   WtrDpth", "-100 WtrDpth")
    with pytest.raises(ModelError) as told:
        from_text(text, "x.txt")
    words = ("X of point 1", "FailTime of failure 1", "failure 2 has 2 columns", "Tmax0", "option WtrDpth is -100")
    assert all(one in str(told.value) for one in words)
