"""One observation row: every number has one place, and the places follow the agreed order."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from fairlead.results import NODE_COLUMNS, TOTALS, Extra, ObservationShape


@pytest.fixture
def small() -> ObservationShape:
    extras = (Extra("winch_length", "m"), Extra("slack"))
    return ObservationShape(("a", "b"), (2, 4), ("P", "Q", "R"), ((0, 1), (0, 1, 2, 3)), extras)


def test_a_row_is_nodes_then_ends_then_points_then_totals_then_extras_then_extremes(small):
    assert NODE_COLUMNS == 13
    assert small.node_block == slice(0, 13 * 6)
    assert small.end_block == slice(78, 78 + 12)
    assert small.point_block == slice(90, 90 + 18)
    assert small.total_block == slice(108, 116)
    assert small.extra_block == slice(116, 118)
    assert small.extremes.start == 118
    assert small.size == 118 + 3 * 6 + 9 * 2 + 3 * 4 + 4 * 3


def test_named_blocks_cover_the_row_once_each(small):
    blocks = [small.cable_nodes(c) for c in "ab"] + [small.cable_ends(c) for c in "ab"]
    blocks += [small.point(p) for p in "PQR"] + [small.total_block, small.extra_block]
    blocks += [small.cable_extremes(c) for c in "ab"]
    own = [small.cable_peaks(c) for c in "ab"]
    blocks += [own[0][:9], own[1][:9], own[0][9:], own[1][9:], slice(small.extremes.point_start, small.size)]
    assert np.concatenate([np.arange(small.size)[b] for b in blocks]).tolist() == list(range(small.size))
    assert [small.column(name) for name in TOTALS] == list(range(108, 116))
    assert small.column("slack") == 117


def test_a_cable_is_seen_as_a_table_of_its_nodes_without_a_copy(small):
    rows = np.zeros((5, small.size))
    small.node_table(rows, "b")[:, 3, 12] = 7.0
    assert small.node_table(rows, 1).shape == (5, 4, 13)
    assert np.all(rows[:, 13 * 6 - 1] == 7.0)
    assert small.node_table(rows[0], 0).shape == (2, 13)


def test_names_that_are_not_there_say_which_are(small):
    with pytest.raises(KeyError, match=r"no cable named 'c'.*a, b"):
        small.cable_nodes("c")
    with pytest.raises(KeyError, match="work_drag"):
        small.column("work_of_art")
    with pytest.raises(IndexError):
        small.point(3)


def test_a_shape_that_contradicts_itself_is_refused():
    with pytest.raises(ValueError, match="'a' has 3 nodes but arc_length gives 2"):
        ObservationShape(("a",), (3,), (), ((0, 1),))
    with pytest.raises(ValueError, match="one entry a cable"):
        ObservationShape(("a",), (3, 2), (), ((0, 1, 2),))
    with pytest.raises(ValueError, match="names must differ"):
        ObservationShape(("a", "a"), (2, 2), (), ((0, 1), (0, 1)))


def test_importing_results_loads_no_heavy_library():
    code = (
        "import sys, fairlead.results;"
        "print([m for m in ('xarray', 'h5netcdf', 'h5py', 'matplotlib', 'pandas', 'numba') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
