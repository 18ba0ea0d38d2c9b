"""The surface of the sea in pictures: where the waves of the result are, grown from still water."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from kernels.plain import plain

from fairlead.model import Environment
from fairlead.sea import water, waves
from fairlead.view import geometry
from fairlead.view.film import Picture
from fairlead.view.replay.scene import scene
from fairlead.view.waves import Surface, surface_of

from .systems import straight_cables

LENGTH = 60.0  # m, of the wave
K, OMEGA = 2 * math.pi / LENGTH, math.sqrt(9.81 * 2 * math.pi / LENGTH)
ALONG_X = [2.0, K, 0.0, OMEGA, 0.3]
elevation = plain(water.elevation)


def in_waves(*rows, ramp=0.0):
    """A cable of 200 m along x at 10 m depth, at rest, under waves."""
    dataset = straight_cables([((0, 0, -10), (200, 0, -10))])
    dataset.attrs.update(wave_components=json.dumps(rows), wave_ramp=ramp)
    return dataset


def side_line(figure):
    """The surface in the view from the side."""
    lines = [line for line in figure.axes[2].lines if len(line.get_xdata()) == 800]
    assert len(lines) == 1
    return np.array(lines[0].get_data())


def test_the_elevation_is_the_sum_of_the_sines():
    surface = surface_of(in_waves(ALONG_X, [1.0, 0.0, 2 * K, 1.5, 1.0]))
    x, y = np.array([3.0, -40.0]), np.array([7.0, 11.0])
    expected = 2.0 * np.cos(K * x - OMEGA * 5.0 + 0.3) + np.cos(2 * K * y - 1.5 * 5.0 + 1.0)
    assert surface.elevation(5.0, x, y) == pytest.approx(expected)
    assert surface.elevation(5.0, 3.0, 7.0) == pytest.approx(expected[0])
    assert surface.highest == pytest.approx(3.0)


def test_waves_grow_from_still_water_over_the_ramp():
    surface = surface_of(in_waves(ALONG_X, ramp=10.0))
    assert surface.elevation(0.0, 1.0, 0.0) == 0.0
    assert [surface.growth(t) for t in (-1.0, 5.0, 10.0, 99.0)] == [0.0, 0.5, 1.0, 1.0]


def test_the_water_moves_as_in_the_kernels():
    """The elevation that a run feels, and the one that is drawn."""
    sea = {"waves": {"kind": "jonswap", "significant_height": 2, "peak_period": 8, "direction_deg": 30}}
    environment = Environment.model_validate(sea | {"seabed": {"depth": 40}})
    drawn = Surface(waves.wave_components(environment), environment.waves.ramp)
    packed = water.pack(environment)
    for t in (0.0, 3.0, 50.0):
        felt = elevation(t, 12.0, -7.0, packed)
        assert float(drawn.elevation(t, 12.0, -7.0)) == pytest.approx(felt, abs=1e-9)


def test_what_is_no_list_of_waves_is_still_water():
    for wrong in ("[[1, 2]]", "not JSON", '[["a", 1, 1, 1, 1]]', "[[NaN, 1, 1, 1, 1]]", "{}"):
        dataset = in_waves(ALONG_X)
        dataset.attrs["wave_components"] = wrong
        assert not surface_of(dataset).moves
    dataset.attrs.update(wave_components="[[1, 1, 1, 1, 1]]", wave_ramp="long")
    assert not surface_of(dataset).moves


def test_waves_shorter_than_the_mesh_are_left_out():
    surface = surface_of(in_waves(ALONG_X, [0.5, 20 * K, 0.0, 3.0, 0.0]))
    assert len(surface.longer_than(10.0).rows) == 1
    assert not surface.longer_than(100.0).moves


def test_the_geometry_shows_the_surface_of_its_last_instant():
    dataset = in_waves(ALONG_X)
    x, z = side_line(geometry(dataset))
    time = float(dataset["time"][-1])
    assert z == pytest.approx(2.0 * np.cos(K * x - OMEGA * time + 0.3))
    early = side_line(geometry(dataset, instants=[0.0]))
    assert early[1] == pytest.approx(2.0 * np.cos(K * x + 0.3))
    still = side_line(geometry(straight_cables([((0, 0, -10), (200, 0, -10))])))
    assert (still[1] == 0.0).all()


def test_the_geometry_draws_the_surface_in_space_as_patches():
    figure = geometry(in_waves(ALONG_X))
    counts = [len(c.get_facecolor()) for c in figure.axes[0].collections]
    assert max(counts) > 1000
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert any(label.startswith("surface at") for label in labels)
    assert "mean surface" not in labels


@pytest.mark.parametrize("view", ["space", "side", "top"])
def test_the_surface_of_a_film_moves_with_the_waves_alone(view):
    """The cable rests: whatever changes is water, or the clock and the mark below."""
    size = (640, 360)
    changes = []
    for rows in ([ALONG_X], []):
        picture = Picture(in_waves(*rows), view=view, size=size)
        first, later = (picture.at(t).astype(int)[60:280, :560] for t in (0.0, 1.6))
        changes.append(float((np.abs(first - later).max(axis=-1) > 4).mean()))
    assert changes[0] > 0.002
    assert changes[1] == 0.0


def test_from_the_side_the_film_shows_the_crest_where_it_is():
    picture = Picture(in_waves(ALONG_X), view="side", size=(1280, 720))
    image = picture.at(2.0).astype(int)
    axes = picture._axes
    for x in (60.0, 100.0, 140.0):
        z = 2.0 * math.cos(K * x - OMEGA * 2.0 + 0.3)
        column, row = axes.transData.transform((x, z))
        blue = image[int(720 - row) - 8 : int(720 - row) + 9, int(column)]
        water = np.flatnonzero(blue[:, 2] - blue[:, 0] > 12)
        assert len(water) > 0
        assert abs(water[0] - 8) <= 2, "the first blue pixel from above is the surface"


def test_the_replay_gets_waves_and_their_ramp():
    record = scene(in_waves(ALONG_X, ramp=12.0), "run", 10**7)
    assert record["wave_ramp"] == 12.0
    assert record["waves"][0] == pytest.approx(ALONG_X, rel=1e-5)
