"""Films: they move, end in time, and say what is missing."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from browser.pictures import colours_in
from PIL import Image

from fairlead.results import ResultError
from fairlead.view.film import Picture, encoders, film
from fairlead.view.film.camera import camera, window
from fairlead.view.film.film import film_times
from fairlead.view.film.picture import round_step

from .spreads import lowered_load, towed_spread
from .systems import straight_cables

SMALL = (320, 180)


def test_the_picture_moves_and_keeps_what_stands_still():
    picture = Picture(lowered_load(), size=(640, 360))
    early, late, again = picture.at(5.0), picture.at(80.0), picture.at(5.0)
    assert early.shape == (360, 640, 3)
    changed = np.abs(early.astype(int) - late).max(axis=-1) > 30
    assert 0.001 < changed.mean() < 0.2
    assert (early == again).all(), "an image depends on its time alone"
    assert not changed[:20, :200].any(), "the title stands still"


@pytest.mark.parametrize("view", ["space", "side", "top"])
@pytest.mark.parametrize("colour", ["tension", "curvature", "speed"])
def test_every_view_and_colour_shows_the_cables(view, colour):
    picture = Picture(lowered_load(), view=view, colour=colour, size=SMALL).at(60.0)
    assert colours_in(picture) > 100


def test_a_moment_colours_cables_that_have_one():
    load = lowered_load()
    with pytest.raises(ResultError, match="no bending moment; colour by tension, curvature, speed"):
        Picture(load, colour="moment", size=SMALL)
    load["bending_moment"].values[..., 5:10] = 2e3
    picture = Picture(load, view="side", colour="moment", size=SMALL).at(60.0)
    assert colours_in(picture) > 100


def test_a_spread_that_sails_away_stays_in_the_picture():
    dataset = towed_spread(cables=3, nodes=11, samples=401)
    picture = Picture(dataset, view="top", size=(640, 360))
    for time in (0.0, 400.0):
        scene = picture.at(time)[70:270, 30:560].astype(int)
        warm = (scene[..., 0] - scene[..., 2] > 60) | (scene[..., 2] - scene[..., 1] > 90)
        assert warm.sum() > 200, time


def test_from_the_side_up_is_up_and_from_above_north_is_up_or_right():
    long_x, long_y = np.array([100.0, 10.0, 10.0]), np.array([10.0, 100.0, 10.0])
    up, north, west = np.array([[0.0, 0, 1]]), np.array([[1.0, 0, 0]]), np.array([[0.0, 1, 0]])
    for extent in (long_x, long_y):
        assert camera("side", extent).project(up)[0].tolist() == [0.0, 1.0]
    assert camera("top", long_x).project(north)[0].tolist() == [1.0, 0.0]
    assert camera("top", long_x).project(west)[0].tolist() == [0.0, 1.0]
    assert camera("top", long_y).project(north)[0].tolist() == [0.0, 1.0]
    assert camera("top", long_y).project(west)[0].tolist() == [-1.0, 0.0]
    assert camera("side", long_x, stretch=5.0).project(up)[0].tolist() == [0.0, 5.0]


def test_the_window_follows_only_what_goes_far():
    places = np.zeros((50, 2, 3))
    places[:, 1, 0] = 100.0
    assert not window(places, None).travels
    places[:, :, 0] += np.linspace(0.0, 1000.0, 50)[:, np.newaxis]
    moving = window(places, None)
    assert moving.travels
    low, high = moving.at(np.array([1050.0, 0.0, 0.0]))
    assert low[0] < 1000.0 < 1100.0 < high[0]
    assert np.isfinite(window(np.full((3, 2, 3), np.nan), None).low).all()


def test_a_gif_has_all_images_and_one_palette(tmp_path):
    seen = []
    path = film(lowered_load(), tmp_path / "load.gif", speed=60.0, size=SMALL, progress=lambda *at: seen.append(at))
    with Image.open(path) as picture:
        assert picture.n_frames == 25 == len(seen)
        assert picture.size == SMALL
        first = np.asarray(picture.convert("RGB"), dtype=int)
        picture.seek(24)
        assert np.abs(np.asarray(picture.convert("RGB"), dtype=int) - first).max() > 50
    assert seen[-1] == (25, 25)


def test_an_mp4_plays_as_long_as_asked(tmp_path):
    path = film(lowered_load(), tmp_path / "load.mp4", speed=60.0, rate=10.0, size=SMALL)
    raw = subprocess.run(
        [encoders.ffmpeg(), "-loglevel", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
        capture_output=True,
        check=True,
    ).stdout
    images = np.frombuffer(raw, dtype=np.uint8).reshape(-1, SMALL[1], SMALL[0], 3).astype(int)
    assert len(images) == 20
    assert np.abs(images[0] - images[-1]).max() > 50


def test_what_is_missing_is_named_with_the_cure(tmp_path, monkeypatch):
    monkeypatch.setattr(encoders, "ffmpeg", lambda: None)
    with pytest.raises(ResultError, match=r'pip install "fairlead\[film\]".*\.gif'):
        film(lowered_load(), tmp_path / "load.mp4")
    with pytest.raises(ResultError, match=r"written as \.mp4 or \.gif"):
        film(lowered_load(), tmp_path / "load.avi")
    with pytest.raises(ResultError, match="there is no folder"):
        film(lowered_load(), tmp_path / "nowhere" / "load.gif")
    with pytest.raises(ResultError, match="even numbers"):
        film(lowered_load(), tmp_path / "load.gif", size=(321, 180))
    with pytest.raises(ResultError, match="no view called front"):
        film(lowered_load(), tmp_path / "load.gif", view="front")
    with pytest.raises(ResultError, match="positive number"):
        film(lowered_load(), tmp_path / "load.gif", speed=0.0)
    assert list(tmp_path.iterdir()) == []


def test_a_film_that_ffmpeg_cannot_write_says_why(tmp_path):
    (tmp_path / "load.mp4").mkdir()
    with pytest.raises(ResultError, match="ffmpeg could not write the film"):
        film(lowered_load(), tmp_path / "load.mp4", speed=60.0, size=SMALL)


def test_times_run_from_first_to_last():
    times = film_times(np.array([3.0, 50.0, 103.0]), 10.0, 25.0)
    assert (times[0], times[-1], len(times)) == (3.0, 103.0, 250)
    assert film_times(np.array([7.0]), None, 25.0).tolist() == [7.0]
    assert len(film_times(np.array([0.0, 1000.0]), None, 25.0)) == 500


def test_one_sample_or_nothing_finite_can_be_filmed():
    one = straight_cables([((0, 0, 0), (20, 0, -10))], samples=1)
    assert Picture(one, size=SMALL).at(0.0).std() > 5
    one["position"].values[:] = np.nan
    one["tension_effective"].values[:] = np.inf
    Picture(one, size=SMALL).at(0.0)


@pytest.mark.parametrize(("rough", "step"), [(0.9, 1.0), (1.1, 2.0), (3.0, 5.0), (70.0, 100.0)])
def test_grids_have_round_steps(rough, step):
    assert round_step(rough) == pytest.approx(step)
