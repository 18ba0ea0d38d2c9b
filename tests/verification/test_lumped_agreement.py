"""Point masses beside bars where they can be compared, and proof that elsewhere neither model has an answer."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import pytest
import xarray as xr

from fairlead.simulate import simulate
from fairlead.studies.verification.checks.lumped_agreement import RUNS, SHAPE, TENSION, Run, apart, differences, example

SHORTER = {"spline_example_1": 20.0, "spline_example_2": 20.0}
"""s, of those that take long; `fairlead verify` compares all from beginning to end."""


@pytest.mark.parametrize("name", RUNS)
def test_the_examples_come_out_as_with_bars(name: str) -> None:
    tension, shape = differences(name, SHORTER.get(name))
    assert tension < TENSION
    assert shape < SHAPE


@lru_cache(maxsize=3)
def ran(name: str, method: str, step: float | None, duration: float | None, finer: int) -> xr.Dataset:
    """A run, kept for the test that looks at it again."""
    return simulate(example(name, Run(step=step, duration=duration, finer=finer)), formulation=method)


def changes(name: str, method: str, run: Run, other: Run, every: int) -> tuple[float, float]:
    """How far one formulation is from itself on a finer mesh or with a smaller step: tension, place."""
    one, two = (ran(name, method, which.step, which.duration, which.finer) for which in (run, other))
    return apart(one, two, run, every)


@pytest.mark.parametrize("method", ["bars", "lumped"])
def test_a_line_under_compression_has_no_answer_without_bending(method: str) -> None:
    """Twice the elements change each model by itself far more than the bounds, and four times the elements again."""
    windows = ((5.0, 95.0),)
    runs = [Run(duration=40.0, tension=windows, shape=windows, finer=finer) for finer in (1, 2, 4)]
    for coarse, fine in pairwise(runs):
        tension, shape = changes("sinking_cables", method, coarse, fine, 2)
        assert tension > 20 * TENSION
        assert shape > SHAPE


@pytest.mark.parametrize("method", ["bars", "lumped"])
def test_the_blows_of_landing_nodes_depend_on_the_step(method: str) -> None:
    """Half the step changes each model by itself by more than the bound; the shape stays."""
    windows = ((375.0, 520.0),)
    run = Run(duration=520.0, tension=windows, shape=windows)
    tension, shape = changes("sinking_cables", method, run, run._replace(step=0.00625), 1)
    assert tension > 5 * TENSION
    assert shape < 0.1 * SHAPE


@pytest.mark.parametrize("method", ["bars", "lumped"])
def test_a_whip_has_no_answer_after_its_crack(method: str) -> None:
    """Before it twice the elements leave each model within the bounds, after it they do not."""
    before, after = ((0.0, 1.9),), ((2.05, 2.5),)
    for windows, agrees in ((before, True), (after, False)):
        run = Run(duration=2.5, tension=windows, shape=windows, finer=2)
        tension, shape = changes("paper_cable_swinging", method, run, run._replace(finer=4), 2)
        assert (tension < TENSION and shape < SHAPE) == agrees


def test_kinks_that_meet_in_air_depend_on_the_mesh() -> None:
    """Twice the elements change the peaks of the two models, together, by more than the bound; the shapes stay."""
    run = RUNS["spline_example_2"]._replace(tension=((50.0, 80.0),), duration=80.0)
    found = [
        changes("spline_example_2", method, run, run._replace(finer=2 * run.finer), 2) for method in ("bars", "lumped")
    ]
    assert sum(tension for tension, _ in found) > TENSION
    assert max(shape for _, shape in found) < SHAPE
