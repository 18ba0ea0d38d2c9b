"""What all cables do to a body: their resultant, and its moment about the origin."""

import json

import numpy as np
import pytest
import xarray as xr

import fairlead as fl


def result(cables):
    """Two cables that end on a body which is at (1, 0, 0), and one that does not; one sample."""
    position = np.zeros((1, 3, 2, 3))
    position[0, 0, 1], position[0, 1, 0], position[0, 2, 0] = (1, 2, 0), (1, 0, -3), (9, 9, 9)
    force = np.zeros((1, 3, 2, 3))
    force[0, 0, 1], force[0, 1, 0], force[0, 2, 0] = (10, 0, 0), (0, 5, 1), (100, 100, 100)
    return xr.Dataset(
        {
            "position": (("time", "cable", "node", "axis"), position),
            "force_end": (("time", "cable", "end", "axis"), force),
            "point_position": (("time", "point", "axis"), np.array([[[0.0, 0, 0], [1, 0, 0]]])),
            "node_count": ("cable", [2, 2, 2]),
        },
        coords={"cable": ["a", "b", "c"], "point": ["A", "vessel"]},
        attrs={"settings": json.dumps({"cables": cables})},
    )


ENDS = {
    "a": {"start": "A", "end": "vessel.bow"},
    "b": {"start": {"point": "vessel.keel", "joint": "clamp"}, "end": "A"},
    "c": {"start": "vessel2", "end": "A"},
}


def test_forces_are_added_and_moments_are_about_the_origin_of_the_body():
    force, moment = fl.cable_loads(result(ENDS), "vessel")
    assert force.tolist() == [[10.0, 5.0, 1.0]]
    levers = np.cross([0, 2, 0], [10, 0, 0]) + np.cross([0, 0, -3], [0, 5, 1])
    assert moment.tolist() == [levers.tolist()]


def test_a_body_that_is_not_there_is_told():
    with pytest.raises(fl.ResultError, match="no body or point 'ship' in this result; it has A, vessel"):
        fl.cable_loads(result(ENDS), "ship")
