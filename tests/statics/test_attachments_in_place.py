"""Clump weights sit where the file has them: a node is put there, or those beside share them."""

import numpy as np
import pytest

from fairlead.statics import solve
from statics.systems import current, fixed, free, system, wire

ELEMENTS, LENGTH = 16, 100.0
EACH = LENGTH / ELEMENTS
NODE = 5
FORMULATIONS = ("bars", "lumped", "links")


def hung(formulation, lengths, *clumps):
    """What a hung wire pulls its start by with these clumps, each (place, mass), (3,) [N]."""
    line = {
        "type": "wire",
        "element_lengths": list(lengths),
        "start": "A",
        "end": "B",
        "attachments": [{"at": at, "mass": mass} for at, mass in clumps],
    }
    described = system(
        types={"wire": wire()},
        points={"A": fixed(0, 0, -5), "B": fixed(90, 0, -5)},
        cables={"line": line},
        simulation={"duration": 1.0, "step": 0.01, "formulation": formulation},
    )
    return np.asarray(solve(described).outputs["line.force_start"])


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_pull_changes_smoothly_as_a_clump_goes_across_an_element(formulation):
    """No quarter of the way makes half of the change, as a jump to the nearest node would; nor is there a jump at the
    nodes themselves."""
    places = (NODE + np.linspace(0.0, 1.0, 5)) * EACH
    pull = np.array([hung(formulation, [EACH] * ELEMENTS, (at, 200.0))[0] for at in places])
    change = pull[-1] - pull[0]
    assert change > 0.05 * pull[0]
    assert (np.diff(pull) > 0.0).all()
    assert np.diff(pull).max() < 0.5 * change
    assert np.abs(np.diff(pull, 2)).max() < 0.02 * pull[0]
    beside = [hung(formulation, [EACH] * ELEMENTS, (NODE * EACH + gap, 200.0))[0] for gap in (-1e-3, 1e-3)]
    assert beside == pytest.approx([pull[0]] * 2, rel=1e-4)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_clump_between_nodes_pulls_as_its_shares_at_them(formulation):
    """A straight element hands a force on it to its ends by the lever rule; to a part of the strain of 2e-4, for bars
    stretch in their joints and not between them."""
    at = (NODE + 0.3) * EACH
    shared = hung(formulation, [EACH] * ELEMENTS, (NODE * EACH, 140.0), ((NODE + 1) * EACH, 60.0))
    assert hung(formulation, [EACH] * ELEMENTS, (at, 200.0)) == pytest.approx(shared, rel=2e-5)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_clump_half_way_agrees_with_a_node_there(formulation):
    """An element that cannot kink under the clump pulls less, by a part that falls with its length: 2.4 % of 16."""
    at = (NODE + 0.5) * EACH
    coarse = hung(formulation, [EACH] * ELEMENTS, (at, 200.0))
    kinked = hung(formulation, [EACH] * NODE + [0.5 * EACH] * 2 + [EACH] * (ELEMENTS - NODE - 1), (at, 200.0))
    fine = hung(formulation, [0.5 * EACH] * 2 * ELEMENTS, (at, 200.0))
    assert kinked == pytest.approx(fine, abs=1e-3 * np.linalg.norm(fine))
    assert 0.01 < 1.0 - coarse[0] / fine[0] < 0.03
    assert coarse[2] == pytest.approx(fine[2], rel=0.01)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(("elements", "at"), [(4, 3.7), (7, 3.7), (5, 5.4)])
def test_a_heavy_clump_on_a_light_line_hangs_as_two_straight_legs(formulation, elements, at):
    """Legs of 3.7 and 6.3 m under 100 kg, in any heading: the triangle has one shape, and its legs pull by the sine
    rule. Shared by the nodes of four equal elements it would pull 10 % less."""
    length, mass, start, end = 10.0, 100.0, np.array([0.0, 0.0, -5.0]), np.array([3.0, 6.0, -3.8])
    described = system(
        types={"wire": wire(diameter=0.004)},
        points={"A": fixed(*start), "B": fixed(*end)},
        cables={
            "line": {
                "type": "wire", "length": length, "elements": elements, "start": "A", "end": "B",
                "attachments": [{"at": at, "mass": mass}],
            }
        },
        simulation={"duration": 1.0, "step": 0.01, "formulation": formulation},
    )  # fmt: skip
    chord = end - start
    flat, rise = np.hypot(chord[0], chord[1]), chord[2]
    whole = np.hypot(flat, rise)
    one, two = at, length - at
    along = (one**2 - two**2 + whole**2) / (2 * whole)
    drop = np.sqrt(one**2 - along**2)
    knee = np.array([along * flat + drop * rise, along * rise - drop * flat]) / whole
    pulls = np.linalg.solve(np.column_stack((-knee / one, (np.array([flat, rise]) - knee) / two)), [0.0, mass * 9.81])
    found = solve(described).outputs
    for side, pull in zip(("start", "end"), pulls, strict=True):
        assert np.linalg.norm(found[f"line.force_{side}"]) == pytest.approx(pull, rel=4e-3), "wire of 0.6 kg stretches"


def test_clump_on_a_tree_leans_as_its_shares_do():
    """`multibody` has no cable between two held points: one that hangs in a current, by the place of its tip."""

    def tip(*clumps):
        line = {"type": "wire", "element_lengths": [2.0] * 5, "start": "A", "end": "B"}
        described = system(
            environment=current(0.0, 0.8, 0.0),
            types={"wire": wire()},
            points={"A": fixed(0, 0, -5), "B": free(3, 0, -14, mass=20.0)},
            cables={"line": {**line, "attachments": [{"at": at, "mass": mass} for at, mass in clumps]}},
            simulation={"duration": 1.0, "step": 0.01, "formulation": "multibody"},
        )
        return np.asarray(solve(described).outputs["B.position"])

    between = tip((4.6, 30.0))
    assert between == pytest.approx(tip((4.0, 21.0), (6.0, 9.0)), abs=1e-6)
    assert np.abs(between - tip((4.0, 30.0))).max() > 1e-3
