"""How much of a cable lies on the bed, and how it pulls up at its ends."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.results import ObservationShape, build_dataset, summarise, summary_lines
from fairlead.results import observation as obs

ARC = (0.0, 10.0, 20.0, 30.0, 40.0)
SHAPE = ObservationShape(("line",), (5,), (), (ARC,))


def lying(first_height: float, touching: tuple[int, ...], pull: tuple[float, float, float] = (1.0, 0.0, 0.0)):
    """A line along x of which some nodes touch the bed and the first one is held, so much above it (m)."""
    row = np.zeros((1, SHAPE.size))
    table = SHAPE.node_table(row, 0)[0]
    table[:, 0] = ARC
    table[0, 2] = first_height
    table[list(touching), obs.NODE_CONTACT_FORCE + 2] = 50.0
    row[0, SHAPE.end_block] = (*pull, 1e-12, 0.0, -2e-12)  # the other end is free, but for rounding
    return build_dataset(SHAPE, np.zeros(1), row, {})


@pytest.mark.parametrize(
    ("height", "touching", "length"),
    [(0.0, (1, 2), 25.0), (0.4, (1, 2), 25.0), (1.0, (1, 2), 20.0), (0.0, (2,), 10.0), (0.0, (), 0.0),
     (0.0, (1, 2, 3), 40.0)],
)  # fmt: skip
def test_half_of_each_element_that_meets_in_a_node_that_touches(height, touching, length):
    """An end that an anchor holds touches too, where the line lies beside it as flat as 1 in 20."""
    assert lying(height, touching)["grounded_length"].values[0, 0] == pytest.approx(length)


@pytest.mark.parametrize(
    ("pull", "degrees"), [((3.0, 4.0, 5.0), 45.0), ((0.0, -2.0, -2.0), -45.0), ((-1.0, 0.0, 0.0), 0.0)]
)
def test_the_angle_of_a_pull_is_above_the_horizontal_in_any_heading(pull, degrees):
    angles = np.degrees(lying(0.0, (1,), pull)["uplift_angle"].values[0, 0])
    assert angles[0] == pytest.approx(degrees)
    assert np.isnan(angles[1]), "no pull has no direction"


@pytest.mark.parametrize(
    ("pull", "told"),
    [
        ((1.0, 0.0, 0.0), ", no uplift at its start"),
        ((1.0, 0.0, 1e-5), ", no uplift at its start"),
        ((1.0, 0.0, 0.001), "uplift at its start up to 0.0573 deg"),
        ((1.0, 0.0, 0.1), "uplift at its start up to 5.71 deg"),
    ],
)
def test_the_pull_on_an_anchor_is_told_as_people_write_it(pull, told):
    assert told in "\n".join(summary_lines(summarise(lying(0.0, (1, 2), pull))))


def test_statics_and_a_run_say_the_same_of_one_state():
    """A chain of 20 elements on the bed: statics said that it lies to the last node that touches, the run to the middle
    of the next element. The length on the bed is also that of the closed form within half an element."""
    system = fl.System.model_validate(
        {
            "environment": {"seabed": {"depth": 50}},
            "types": {"chain": {"diameter": 0.1, "mass_per_length": 100, "axial_stiffness": 5e8}},
            "points": {
                "anchor": {"kind": "anchor", "position": [0, 0]},
                "top": {"kind": "fixed", "position": [170, 0, 0]},
            },
            "cables": {"line": {"type": "chain", "length": 200, "elements": 40, "start": "anchor", "end": "top"}},
            "simulation": {"formulation": "lumped", "duration": 0.02, "step": 0.01},
        }
    )
    rest = fl.statics.solve(system).summary()["cables"]["line"]["grounded"]
    result = fl.simulate(system)
    assert len(rest) == 1
    lies = rest[0]["to"] - rest[0]["from"]
    assert lies == pytest.approx(float(result["grounded_length"].values[0, 0]))
    assert rest[0]["touchdowns"][0]["arc_length"] == rest[0]["to"]
    weight = (100 - 1025 * np.pi / 4 * 0.1**2) * 9.80665
    pull = float(np.abs(result["force_end"].values[0, 0, 0, 0]))
    hanging = np.sqrt(50.0**2 + 2 * 50.0 * pull / weight)  # of an inextensible catenary that touches down
    assert lies == pytest.approx(200 - hanging, abs=0.5 * 5 + 0.5)
