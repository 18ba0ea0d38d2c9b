"""Rings start on the bars of their cable, bodies carry the ends joined to them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model.files import SPREAD

from fairlead.model import load_text
from fairlead.shape import Slider, first_geometry
from fairlead.shape.rings import ring_order, slider_at, slider_position

FORK = """\
types:
  wire: {diameter: 0.03, density: 3000, axial_stiffness: 50 MN}
points:
  A: {kind: fixed, position: [0, 0, 0]}
  B: {kind: fixed, position: [100, 0, 0]}
  C: {kind: fixed, position: [50, 60, -20]}
  ring: {kind: sliding, cable: line, at: 47}
cables:
  line: {type: wire, length: 130, elements: 13, start: A, end: B}
  branch: {type: wire, length: 90, elements: 9, start: ring, end: C}
simulation: {duration: 1, step: 0.1}
"""


def on_bar(point: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    """Distance of a point from the straight bar between two nodes."""
    along = (second - first) / np.linalg.norm(second - first)
    return float(np.linalg.norm(np.cross(point - first, along)))


@pytest.mark.parametrize("at", [0.0, 3.0, 10.0, 47.0, 65.0, 129.9, 130.0])
def test_a_ring_starts_on_the_bars_of_its_cable(at: float) -> None:
    geometry = first_geometry(load_text(FORK.replace("at: 47", f"at: {at}")))
    nodes, ring = geometry.nodes["line"], geometry.points["ring"]
    element, offset = geometry.sliders["ring"]
    assert on_bar(ring, nodes[element], nodes[element + 1]) < 1e-9
    assert 10 * element + 5 + offset == pytest.approx(at)
    # The way along the bars from the start to the ring is as long as the cable up to there.
    ways = np.linalg.norm(np.diff([*nodes[: element + 1], ring], axis=0), axis=1)
    way = float((ways / (1.0 + geometry.cables["line"].strain[: element + 1])).sum())
    assert way == pytest.approx(at, abs=1e-6)
    assert geometry.nodes["branch"][0] == pytest.approx(ring, abs=1e-9)


def test_a_ring_is_not_put_on_the_smooth_catenary() -> None:
    """In the middle of a bar of a sagging cable the curve lies beside the chord between the nodes."""
    system = load_text(FORK.replace("at: 47", "at: 65").replace("elements: 13", "elements: 5"))
    coarse = first_geometry(system)
    fine = first_geometry(load_text(FORK.replace("at: 47", "at: 65").replace("elements: 13", "elements: 1301")))
    low, high = coarse.nodes["line"][2], coarse.nodes["line"][3]
    assert coarse.points["ring"] == pytest.approx(0.5 * (low + high), abs=1e-9)
    assert fine.points["ring"][2] < coarse.points["ring"][2] - 0.1


def test_a_ring_is_told_where_it_starts() -> None:
    notes = first_geometry(load_text(FORK)).notes
    assert any(note.startswith("note: point 'ring' starts on cable 'line' at (") for note in notes)


def test_a_cable_from_a_ring_places_the_free_point_at_its_end() -> None:
    """A weight hung from a ring hangs below it by the length of its cable."""
    text = FORK.replace("C: {kind: fixed, position: [50, 60, -20]}", "C: {kind: free, mass: 100}")
    geometry = first_geometry(load_text(text))
    ring, weight = geometry.points["ring"], geometry.points["C"]
    strain = geometry.cables["branch"].strain
    assert weight == pytest.approx(ring - [0, 0, 90 * (1.0 + strain.mean())], abs=1e-6)
    assert strain.min() > 0


def test_the_end_of_the_cable_and_the_ring_on_it_agree_when_both_are_found() -> None:
    """The line ends in a free point that a cable from the ring's own branch also holds."""
    text = FORK.replace("B: {kind: fixed, position: [100, 0, 0]}", "B: {kind: free, mass: 500}").replace(
        "simulation:", "  stay: {type: wire, length: 80, elements: 8, start: B, end: C}\nsimulation:"
    )
    geometry = first_geometry(load_text(text))
    element, _ = geometry.sliders["ring"]
    nodes = geometry.nodes["line"]
    assert on_bar(geometry.points["ring"], nodes[element], nodes[element + 1]) < 1e-9
    for name, cable in load_text(text).cables.items():
        ends = geometry.points[cable.start.point], geometry.points[cable.end.point]
        assert np.linalg.norm(ends[1] - ends[0]) <= cable.total_length * (1 + 1e-9), name


def test_a_ring_on_a_cable_that_ends_in_a_ring() -> None:
    text = FORK.replace("cables:", "  second: {kind: sliding, cable: branch, at: 33}\n"
                        "  D: {kind: fixed, position: [0, 60, -40]}\ncables:").replace(
        "simulation:", "  twig: {type: wire, length: 95, elements: 5, start: second, end: D}\nsimulation:"
    )  # fmt: skip
    # written before the ring it depends on
    system = load_text(text)
    swapped = system.model_copy(update={"points": dict(reversed(system.points.items()))})
    assert ring_order(swapped) == ring_order(system) == ["ring", "second"]
    geometry = first_geometry(system)
    element, offset = geometry.sliders["second"]
    nodes = geometry.nodes["branch"]
    assert (element, offset) == (3, pytest.approx(-2.0))
    assert geometry.points["second"] == pytest.approx(nodes[3] + 0.3 * (nodes[4] - nodes[3]), abs=1e-9)


def test_a_ring_on_a_stretched_cable_stays_in_proportion() -> None:
    text = FORK.replace("length: 130, elements: 13", "length: 90, elements: 9, allow_stretch: true")
    geometry = first_geometry(load_text(text))
    assert geometry.cables["line"].taut
    assert geometry.points["ring"] == pytest.approx([100 * 47 / 90, 0, 0], abs=1e-2)


def test_bodies_carry_their_attachments() -> None:
    system = load_text(SPREAD)
    geometry = first_geometry(system)
    turn = math.radians(30)
    arm = [-60 + 1.5 * math.cos(turn), 80 + 1.5 * math.sin(turn), -5]
    assert geometry.points["deflector.arm"] == pytest.approx(arm)
    assert geometry.nodes["wide"][-1] == pytest.approx(arm, abs=1e-9)
    assert geometry.nodes["wide"][0] == pytest.approx([20, 2, 6], abs=1e-9)
    for name, body in system.bodies.items():
        position, rotation = geometry.bodies[name]
        assert rotation @ rotation.T == pytest.approx(np.eye(3), abs=1e-14)
        for attachment, offset in body.attachments.items():
            place = position + rotation @ np.array(offset)
            assert geometry.points[f"{name}.{attachment}"] == pytest.approx(place, abs=1e-12)
            assert system.place(f"{name}.{attachment}").position == pytest.approx(place, abs=1e-12)
    for name in ("float", "spar", "driven"):
        assert geometry.points[name] == pytest.approx(system.points[name].position)
    assert set(geometry.points) == {*system.points, "deflector.arm", "deflector.tail", "vessel.tip", "vessel.stern",
                                    "tug.hook"}  # fmt: skip


def test_a_body_starts_where_its_motion_starts() -> None:
    moved = SPREAD.replace("[[0, 0, 0, 0, 0, 0, 0], [60, 5", "[[0, 1, 2, 3, 0, 0, 90], [60, 5").replace(
        "hook: [0, 0, 0]", "hook: [2, 0, 0]"
    )
    geometry = first_geometry(load_text(moved))
    assert geometry.bodies["tug"].position == pytest.approx([21, 102, 3])
    assert geometry.points["tug.hook"] == pytest.approx([21, 104, 3])


def test_a_cable_hangs_free_points_from_a_body() -> None:
    text = SPREAD.replace("driven: {kind: hybrid", "lump: {kind: free, mass: 1 t}\n  driven: {kind: hybrid").replace(
        "  tow: {", "  drop: {type: rope, length: 30, elements: 3, start: vessel.stern, end: lump}\n  tow: {"
    )
    geometry = first_geometry(load_text(text.replace("density: 1020", "density: 1200")))
    assert geometry.points["lump"] == pytest.approx(
        [17, 0, 2 - 30 * (1 + geometry.cables["drop"].strain.mean())], abs=1e-6
    )


def test_a_winched_cable_is_laid_out_with_its_first_length() -> None:
    geometry = first_geometry(load_text(SPREAD))
    lengths = np.linalg.norm(np.diff(geometry.nodes["lead_in"], axis=0), axis=1)
    lengths /= 1.0 + geometry.cables["lead_in"].strain
    assert lengths == pytest.approx(np.full(20, 5.0), abs=1e-6)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0.1, 20), min_size=1, max_size=8), st.floats(0, 1))
def test_a_slider_is_where_the_arc_length_says(lengths: list[float], part: float) -> None:
    """On a straight cable along x the ring is at x = at."""
    array = np.array(lengths)
    at = part * float(array.sum())
    slider = slider_at(array, at)
    assert isinstance(slider, Slider)
    assert 0 <= slider.element < len(lengths)
    assert abs(slider.offset) <= 0.5 * lengths[slider.element]
    nodes = np.zeros((len(lengths) + 1, 3))
    nodes[1:, 0] = np.cumsum(array)
    assert slider_position(nodes, array, slider) == pytest.approx([at, 0, 0], abs=1e-9)
