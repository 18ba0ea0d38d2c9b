"""Floaters by coefficients in the model: where they are, what their file says, and what it cannot say."""

from __future__ import annotations

import math

import pytest

from fairlead.model import FloatingBody, ModelError, System, load_text
from fairlead.model.needs import needs

SEMI = """\
environment: {seabed: {depth: 200}}
types: {}
points: {bottom: {kind: fixed, position: [0, 0, -200]}}
bodies:
  platform:
    kind: floating
    position: [10, 0, 0]
    orientation_deg: [0, 0, 90]
    mass: 14000 t
    centre_of_mass: [0, 0, -10]
    inertia: [1.1e10, 1.1e10, 1.2e10]
    coefficients: coefficients/semi
    attachments: {f1: [20, 35, -14]}
cables: {}
simulation: {formulation: lumped, start: catenary, duration: 10, step: 0.1}
"""


def semi(**changes: object) -> System:
    return load_text(SEMI).with_values({f"bodies.platform.{key}": value for key, value in changes.items()})


def body(**changes: object) -> FloatingBody:
    found = semi(**changes).bodies["platform"]
    assert isinstance(found, FloatingBody)
    return found


def test_places_are_given_from_the_reference_point_which_is_the_origin() -> None:
    """A body turned by 90 degrees about z has its x along y."""
    place = semi().place("platform.f1")
    assert place.offset == (20, 35, -14)
    assert place.position == pytest.approx((10 - 35, 20, -14))
    assert semi().place("platform").position == pytest.approx((10, 0, 0))


def test_a_floater_displaced_in_pitch_turns_about_its_reference_point() -> None:
    tilted = body(orientation_deg=[0, 0, 0], displaced=[1, 0, 2, 0, 5, 0])
    a = math.radians(5)
    assert tilted.start_position == (11, 0, 2)
    assert tilted.place((0, 0, -10)) == pytest.approx((11 - 10 * math.sin(a), 0, 2 - 10 * math.cos(a)))


def test_matrices_may_be_given_by_their_diagonal() -> None:
    damped = body(damping={"linear": [1, 2, 3, 4, 5, 6]})
    assert damped.damping.linear is not None
    assert [damped.damping.linear[i][i] for i in range(6)] == [1, 2, 3, 4, 5, 6]
    assert damped.damping.linear[0][1] == 0
    full = [[float(i == j) for j in range(6)] for i in range(6)]
    assert body(mooring={"matrix": full}).mooring.matrix == tuple(map(tuple, full))


def test_short_forms_are_the_long_ones() -> None:
    assert body().coefficients.file == "coefficients/semi"
    assert body(radiation="none").radiation.method == "none"
    assert body(excitation="none").excitation.method == "none"
    assert body(**{"coefficients.depth": "infinite"}).coefficients.depth == "infinite"


def test_a_floater_survives_being_written_and_read() -> None:
    first = semi(**{"coefficients.depth": "infinite"}, inertia=[1.1e10, 1.1e10, 1.2e10, 0, 1e8, 0])
    assert load_text(first.to_yaml()) == first


def test_a_floater_needs_a_formulation_that_carries_it() -> None:
    assert {"bodies", "floating"} <= set(needs(semi()))


MISTAKES = {
    "a floater that is trimmed at rest": ({"orientation_deg": [0, 5, 0]}, "only its yaw"),
    "three rows": ({"mooring": {"matrix": [[1, 2, 3]] * 3}}, "six rows"),
    "a short row": ({"mooring": {"matrix": [[1.0] * 5] * 6}}, "row 1 does not hold six numbers"),
    "no body has such moments": ({"inertia": [1, 1, 3]}, "one is more than the other two"),
    "two moments": ({"inertia": [1, 1]}, "three numbers or six"),
    "damping that drives": ({"damping": {"quadratic": [-1, 0, 0, 0, 0, 0]}}, "at least 0"),
    "drift without a file": ({"drift": "newman"}, "needs a file"),
    "a whole matrix from mean forces": ({"drift": {"method": "qtf", "file": "a.8"}}, "no whole matrix"),
    "thrust twice": ({"thrust": {"at": [0, 0, 90], "force": 1, "table": [[0, 0]]}}, "cannot stand beside"),
    "thrust by a wind that does not blow": ({"thrust": {"at": [0, 0, 90], "table": [[0, 0]]}}, "no wind"),
    "a current that does not flow": (
        {"current": {"area": [1, 1], "length": 1, "coefficients": [[0, 1, 0, 0]]}}, "no current",
    ),
    "headings out of order": (
        {"wind": {"area": [1, 1], "length": 1, "coefficients": [[90, 1, 0, 0], [0, 1, 0, 0]]}}, "must rise",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(name: str) -> None:
    changes, words = MISTAKES[name]
    with pytest.raises(ModelError, match=words):
        semi(**changes)


PTO_MISTAKES = {
    "with itself": ({"between": ["platform", "platform"], "axis": [0, 0, 1], "damping": 1}, "twice"),
    "with nobody": ({"between": ["platform", "spar"], "axis": [0, 0, 1], "damping": 1}, "neither a floating body"),
    "without effect": ({"between": ["platform", "bottom"], "axis": [0, 0, 1]}, "neither stiffness"),
    "without direction": ({"between": ["platform", "bottom"], "axis": [0, 0, 0], "damping": 1}, "direction"),
    "the wrong way round": ({"between": ["bottom", "platform"], "axis": [0, 0, 1], "damping": 1}, "swap them"),
    "stops": ({"between": ["platform", "bottom"], "axis": [0, 0, 1], "limits": [1, -1]}, "not below"),
}


@pytest.mark.parametrize("name", PTO_MISTAKES)
def test_mistakes_of_power_take_offs_are_named(name: str) -> None:
    pto, words = PTO_MISTAKES[name]
    with pytest.raises(ModelError, match=words):
        semi().with_values({"ptos.heave": pto})
