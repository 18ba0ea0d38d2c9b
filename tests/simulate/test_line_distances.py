"""Two lines that pass through each other are not passed over in silence."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.results.dataset import warnings_of
from fairlead.results.summary import summarise, summary_lines


def crossing(apart: float) -> fl.System:
    """Two taut wires that cross, the upper one lowered by 2 m through the lower one."""
    down = {"table": [[0, 0, 0, 0], [2, 0, 0, -2]], "interpolation": "linear"}
    return fl.System.model_validate(
        {
            "environment": {"water_density": 0},
            "types": {"wire": {"diameter": 0.05, "density": 7850, "axial_stiffness": 1e6, "damping_time": 0.05}},
            "points": {
                "w": {"kind": "fixed", "position": [0, 0, 0]},
                "e": {"kind": "fixed", "position": [20, 0, 0]},
                "n": {"kind": "controlled", "position": [8, -10, apart], "motion": down},
                "s": {"kind": "controlled", "position": [8, 10, apart], "motion": down},
            },
            "cables": {
                "low": {"type": "wire", "length": 20.01, "elements": 10, "start": "w", "end": "e"},
                "high": {"type": "wire", "length": 20.01, "elements": 10, "start": "n", "end": "s"},
            },
            "simulation": {"formulation": "lumped", "duration": 2, "step": 0.005, "output_every": 0.01},
        }
    )


def test_lines_that_go_through_each_other_are_warned_of():
    result = fl.simulate(crossing(1.0))
    [told] = [text for text in warnings_of(result) if "pass through each other" in text]
    assert told.startswith("cables.low: ")
    nearest = summarise(result)["line_distance"]
    assert nearest["distance"] < 0.025
    assert nearest["along"] == pytest.approx([8.0, 10.0], abs=0.1)
    assert 0.5 < nearest["time"] < 1.5
    assert any(line.startswith("nearest lines") for line in summary_lines(summarise(result)))


def test_lines_that_keep_apart_are_told_by_their_distance_alone():
    """Against the height of a node of the upper line above one of the lower, which slopes by 3 degrees there."""
    result = fl.simulate(crossing(4.0))
    assert not any("pass through" in text for text in warnings_of(result))
    nearest = summarise(result)["line_distance"]
    low, high = (result["position"].sel(cable=name).values for name in ("low", "high"))
    gap = high[:, 5, 2] - low[:, 4, 2]
    assert nearest["distance"] == pytest.approx(np.min(gap), rel=3e-3)
    assert nearest["radii"] == pytest.approx(0.05)
