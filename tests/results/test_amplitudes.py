"""Amplitudes at the beginning and the end of a run."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.results.amplitudes import amplitudes


@pytest.mark.parametrize("heading", [0.0, 0.7])
def test_a_swing_that_decays(heading):
    """e^(−t/30) sin 2πt: over 30 s the largest amplitude of the first third is that at t = ¼, of the last at 20¼."""
    t = np.linspace(0.0, 30.0, 3001)
    x = 2.0 * np.exp(-t / 30.0) * np.sin(2.0 * np.pi * t)
    place = np.stack([7.0 + x * np.cos(heading), x * np.sin(heading), -5.0 + 0.1 * x], axis=1)
    found = amplitudes(t, place)
    assert found["swing"]["first"] == pytest.approx(2.0 * np.exp(-0.25 / 30.0), rel=0.01)
    assert found["swing"]["kept"] == pytest.approx(np.exp(-20.0 / 30.0), rel=0.01)
    assert found["heave"]["last"] == pytest.approx(0.2 * np.exp(-20.5 / 30.0), rel=0.02)


def test_what_does_not_move_keeps_nothing():
    found = amplitudes(np.arange(4.0), np.ones((4, 3)))
    assert found == {
        "swing": {"first": 0.0, "last": 0.0, "kept": None},
        "heave": {"first": 0.0, "last": 0.0, "kept": None},
    }
