"""Point masses beside bars where they can be compared, and proof that elsewhere neither model has an answer."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fairlead.studies.verification.checks.lumped_agreement import RUNS, SHAPE, TENSION, Run, changes, differences

SHORTER = {
    "towed_cable": 10.0, "steel_cable_in_air": 1.5, "steel_cable_in_water": 1.5,
    "spline_example_1": 10.0, "spline_example_2": 10.0,
}  # fmt: skip
"""s, of those that take long; `fairlead verify` compares all from beginning to end, and shows of the windows that it
leaves out there, where a cable lands and where kinks meet in air, that neither model has an answer in them."""


LONG = {"sinking_cables"}
"""Whose largest tension, of which the bound is a part, comes late: `make verify` runs it."""


@pytest.mark.parametrize("name", [pytest.param(x, marks=pytest.mark.slow if x in LONG else ()) for x in RUNS])
def test_the_examples_come_out_as_with_bars(name: str) -> None:
    tension, shape = differences(name, SHORTER.get(name))
    assert tension < TENSION
    assert shape < SHAPE


@pytest.mark.parametrize("method", ["bars", "lumped"])
def test_a_line_under_compression_has_no_answer_without_bending(method: str) -> None:
    """Twice the elements change each model by itself far more than the bounds, and four times the elements again."""
    windows = ((5.0, 95.0),)
    runs = [Run(duration=20.0, tension=windows, shape=windows, finer=finer) for finer in (1, 2, 4)]
    for coarse, fine in pairwise(runs):
        tension, shape = changes("sinking_cables", method, coarse, fine, 2)
        assert tension > 20 * TENSION
        assert shape > SHAPE


@pytest.mark.parametrize("method", ["bars", "lumped"])
def test_a_whip_has_no_answer_after_its_crack(method: str) -> None:
    """Before it twice the elements leave each model within the bounds, after it they do not."""
    before, after = ((0.0, 1.9),), ((2.05, 2.5),)
    for windows, agrees in ((before, True), (after, False)):
        run = Run(duration=2.5, tension=windows, shape=windows, finer=2)
        tension, shape = changes("paper_cable_swinging", method, run, run._replace(finer=4), 2)
        assert (tension < TENSION and shape < SHAPE) == agrees
