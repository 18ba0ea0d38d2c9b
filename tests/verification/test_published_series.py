"""Tension over time beside what others have published: OrcaFlex's chains, Lowe and Langley's jumper."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.studies.verification.checks import lowe_and_langley, orcaflex_chains


@pytest.mark.parametrize("check", [orcaflex_chains, lowe_and_langley], ids=["orcaflex", "lowe and langley"])
def test_every_comparison_holds(check):
    for record in check.check():
        assert record.passed, record


def test_the_series_at_the_anchor_tell_how_the_bed_holds_the_chain(monkeypatch):
    mooring, amplitude, theirs = orcaflex_chains.SERIES[1]
    monkeypatch.setattr(orcaflex_chains, "FRICTION", 0.0)
    ours = orcaflex_chains.moved(mooring, amplitude)
    reference = {place: np.array(kept) for place, kept in theirs.items()}
    off = {place: np.sqrt(np.mean((ours[place] - kept) ** 2)) / kept.mean() for place, kept in reference.items()}
    assert off[orcaflex_chains.AT_FAIRLEAD] < 0.02
    assert off[orcaflex_chains.AT_ANCHOR] > 0.1


def test_the_jumpers_tension_tells_its_drag(monkeypatch):
    def without_drag(way=None):
        system = whole(way)
        return system.with_values({"types.pipe.drag": "none"})

    whole = lowe_and_langley.jumper
    monkeypatch.setattr(lowe_and_langley, "jumper", without_drag)
    assert not all(record.passed for record in lowe_and_langley.in_motion(2, "up and down"))


@pytest.mark.parametrize("way", lowe_and_langley.IN_WAVES)
def test_the_default_stretching_is_the_one_nearest_to_the_series_in_waves(way):
    off = {how: lowe_and_langley.off_in_waves(way, stretching=how)[0] for how in ("vertical", "wheeler", "none")}
    assert lowe_and_langley.off_in_waves(way)[0] == off["vertical"] == min(off.values())
    assert off["wheeler"] > 2.0 * off["vertical"]
