"""Chains of rigid links against the paper's singular values and an elastic cable."""

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.studies.verification.checks import chain_elastic, chain_singular_values
from fairlead.studies.verification.checks.chain_singular_values import example, singular_values, snapshots


def test_the_check_runs_the_shipped_example():
    assert example() == fl.load(Path(__file__).parents[2] / "examples" / "chain_of_links.yaml")


def test_every_record_passes():
    """The elastic cable over 2 s; `fairlead verify` goes on to 10 s."""
    for record in (*chain_singular_values.check(), *chain_elastic.check(duration=2.0)):
        assert record.passed, record


def test_first_five_singular_values():
    """Independent solution of the same chain."""
    motion = snapshots()
    assert singular_values(motion[:, :, 0])[:5] == pytest.approx([10.3448, 2.2342, 0.0740, 0.0428, 0.0158], abs=2e-4)
    assert singular_values(motion[:, :, 2])[:5] == pytest.approx([46.1599, 0.6552, 0.1403, 0.0380, 0.0199], abs=2e-4)


def test_forty_links_after_two_seconds():
    """Nodes 10, 20 and 30 of the independent solution."""
    places = fl.Simulation(example(40, duration=2.0)).run()["position"].values[-1, 0][[10, 20, 30]][:, [0, 2]]
    known = np.array([[11.6729, -0.2697], [22.6466, 3.7652], [31.9697, 10.8663]])
    assert places == pytest.approx(known, abs=2e-4)
