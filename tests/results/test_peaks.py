"""Extremes of output intervals: those of the steps, with the samples where no step has left anything."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.results.peaks import Along, force_in_steps, in_steps, since

SAMPLED = np.array([5.0, 3.0, 4.0, 7.0])


def test_the_first_sample_stands_for_itself_and_the_last_one_counts_with_its_steps():
    """No step begins at the last sample, and what was before the first does not belong to the run."""
    most = in_steps(SAMPLED, np.array([9.0, 6.0, 8.0, 6.5]), largest=True)
    assert most.tolist() == [5.0, 6.0, 8.0, 7.0]
    least = in_steps(SAMPLED, np.array([-9.0, 2.0, 1.0, 7.5]), largest=False)
    assert least.tolist() == [5.0, 2.0, 1.0, 7.0]


@pytest.mark.parametrize("nothing", [np.nan, np.inf])
def test_where_no_step_has_left_anything_it_is_the_sample(nothing):
    found = in_steps(SAMPLED, np.array([nothing, 6.0, nothing, nothing]), largest=True)
    assert found.tolist() == [5.0, 6.0, 4.0, 7.0]
    assert in_steps(SAMPLED, None, largest=True) is SAMPLED


def test_what_begins_at_a_sample_has_that_sample(dataset):
    time = float(dataset["time"].values[1])
    assert since(dataset, time)["time"].values[0] == time
    assert since(dataset, np.nextafter(time, 1e9))["time"].values[0] == float(dataset["time"].values[2])


def test_the_forces_of_an_end_are_its_own(dataset):
    largest = dataset["force_end_max"].copy()
    largest[:, 0, 0], largest[:, 0, 1] = 1e6, 2e6
    changed = dataset.assign(force_end_max=largest)
    for end in (0, 1):
        _, _, high = force_in_steps(changed, 0, end)
        assert (high[1:-1] == (end + 1) * 1e6).all()


def test_distances_on_a_drum_are_from_where_the_line_leaves_it():
    """100 m of line in four elements, of which 30 m are out at first and 60 m at last: the load is that far away."""
    along = Along(np.linspace(0.0, 100.0, 5), np.array([30.0, 60.0]), np.array([0.0, 10.0]))
    assert [along.at(4, time) for time in (0.0, 5.0, 10.0)] == [30.0, 45.0, 60.0]
    assert [along.at(node, 10.0) for node in range(5)] == [0.0, 0.0, 10.0, 35.0, 60.0]
    assert along.widest.tolist() == [0.0, 0.0, 10.0, 35.0, 60.0]
    assert along.origin == "its drum"
