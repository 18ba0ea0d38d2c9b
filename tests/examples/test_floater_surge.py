"""The overlay of Fig. 13: amplitudes are those of the motions drawn."""

import importlib.util

import numpy as np
import pytest
import xarray as xr

from .files import FOLDER


def swaying(amplitude):
    """A result in which the floater sways with the waves about a place of its own, with a beat of six periods."""
    spec = importlib.util.spec_from_file_location("floater_surge", FOLDER / "floater_surge.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    time = np.arange(0.0, 24 * script.PERIOD, script.PERIOD / 40)
    omega = 2 * np.pi / script.PERIOD
    x = amplitude * np.sin(omega * time) + 0.3 * amplitude * np.sin(omega * time * 7 / 6)
    places = np.zeros((len(time), 1, 3))
    places[:, 0, 0] = 2.0 + x
    dims = ("time", "point", "axis")
    coords = {"time": time, "point": ["floater"], "axis": ["x", "y", "z"]}
    return script, xr.Dataset({"point_position": (dims, places)}, coords)


def test_the_amplitude_is_that_at_the_period_of_the_waves():
    script, result = swaying(0.07)
    assert script.amplitude(*script.surge(result)) == pytest.approx(0.07, rel=1e-6)


def test_both_motions_are_drawn(capsys):
    script, alone = swaying(0.07)
    _, carried = swaying(0.046)
    axis = script.surge_figure(carried, alone).axes[0]
    assert len({line.get_color() for line in axis.lines}) == len(axis.lines) == 2
    assert "cylinder alone: 1.400" in capsys.readouterr().out
