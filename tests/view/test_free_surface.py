"""Pictures and films of hulls in their own water."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from browser.pictures import colours_in
from click.testing import CliRunner
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

import fairlead as fl
from fairlead.cli.main import main
from fairlead.results import ResultError
from fairlead.view import figures
from fairlead.view.catalogue import save_all
from fairlead.view.film import film
from fairlead.view.free_surface import WaterPicture, hull_places, water_of
from fairlead.view.labels import AXIS_LABELS
from fairlead.view.things import bodies

from .systems import straight_cables

SMALL = (320, 180)
STEP = 0.25


def hydro(mode: str = "linear", **changes: Any) -> dict[str, Any]:
    """A cylinder through the surface in head waves, with a load on a rope over its side."""
    return {
        "title": "Pot with a load",
        "environment": {"seabed": {"depth": 40}, "waves": {"kind": "regular", "height": 0.5, "period": 5, "ramp": 1}},
        "types": {"rope": {"diameter": 0.05, "mass_per_length": 4, "axial_stiffness": 1e5, "drag": "none"}},
        "points": {"load": {"kind": "free", "position": [3, 0, 1], "mass": 100}},
        "bodies": {
            "pot": {
                "kind": "free", "position": [0, 0, -0.5], "mass": 19000, "inertia": [5e4, 5e4, 5e4],
                "attachments": {"tip": [3, 0, 4]},
            }
        },
        "cables": {"rope": {"type": "rope", "length": 2.5, "elements": 2, "start": "pot.tip", "end": "load"}},
        "hydro": {
            "mode": mode,
            "hulls": {"pot": {"cylinder": {"diameter": 4, "height": 4}, "centre": [0, 0, 0.5], "panel_size": 1.6}},
            "surface": {"radius": 40, "outer": 5},
        },
        "simulation": {"start": "catenary",
            "formulation": "multibody", "duration": 8 * STEP, "step": STEP, "output_every": STEP},
    } | changes  # fmt: skip


@pytest.fixture(scope="module")
def floating() -> xr.Dataset:
    """Two seconds of it."""
    result = fl.Simulation(fl.System(**hydro())).run()
    assert result.attrs["status"] == "complete"
    return result


@pytest.fixture(scope="module")
def pair() -> xr.Dataset:
    """Two hulls without a cable, side by side, on the whole surface."""
    data = hydro(points={}, cables={}, types={})
    hull = data["hydro"]["hulls"]["pot"]
    data["bodies"] = {
        name: data["bodies"]["pot"] | {"position": [0, y, -0.5]} for name, y in (("left", 4), ("right", -4))
    }
    data["hydro"]["hulls"] = {"left": hull, "right": hull}
    data["simulation"]["duration"] = 3 * STEP
    result: xr.Dataset = fl.Simulation(fl.System(**data)).run()
    return result


def drawn(figure: Figure) -> np.ndarray:
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].astype(int)


def labels(figure: Figure) -> list[tuple[str, str]]:
    return [(axes.get_xlabel(), axes.get_ylabel()) for axes in figure.axes]


def test_the_surface_is_drawn_in_space_and_from_above_with_units(floating: xr.Dataset) -> None:
    figure = figures(floating, ["free_surface"])["free_surface"]
    space, above, bar = figure.axes
    assert (space.get_xlabel(), space.get_ylabel(), space.get_zlabel()) == AXIS_LABELS  # type: ignore[attr-defined]
    assert labels(figure)[1] == AXIS_LABELS[:2]
    assert bar.get_ylabel() == "perturbation (m)"
    assert colours_in(drawn(figure)) > 500
    outline = np.array(above.lines[0].get_data())
    assert np.ptp(outline[1]) == pytest.approx(4.0, rel=0.1), "the cylinder, whole, though half was computed"
    assert outline[1].min() == pytest.approx(-outline[1].max())
    highest = floating["perturbation_max"].values
    assert f"t = {float(floating['time'].values[np.argmax(highest)]):.2f} s" in " ".join(
        text.get_text() for text in figure.texts
    )


def test_motions_forces_and_the_cable_are_drawn_with_units(floating: xr.Dataset) -> None:
    figure = figures(floating, ["floaters"])["floaters"]
    assert [y for _, y in labels(figure)] == [
        "motion (m)",
        "angle (deg)",
        "force (kN)",
        "height (m)",
        "angle (deg)",
        "length (m)",
    ]
    assert labels(figure)[-1][0] == "time (s)"
    motion = {line.get_label(): np.asarray(line.get_ydata()) for line in figure.axes[0].lines}
    assert {"pot x", "pot z", "incident wave"} <= set(motion)
    assert "pot y" not in motion, "it does not move across the waves"
    z = floating["point_position"].sel(point="pot").values[:, 2]
    np.testing.assert_allclose(motion["pot z"], z - z[0])
    assert [line.get_label() for line in figure.axes[1].lines] == ["pot pitch"]
    force = {line.get_label(): np.asarray(line.get_ydata()) for line in figure.axes[2].lines}["pot z"]
    lifted = floating["pot.water_force_z"].values
    np.testing.assert_allclose(force, (lifted - lifted[0]) / 1e3)
    assert colours_in(drawn(figure)) > 200


def test_the_swing_of_a_rope_is_that_of_what_is_off_its_drum() -> None:
    data = hydro()
    data["cables"]["rope"]["winch"] = {"end": "start", "rate": 0.5}
    result = fl.Simulation(fl.System(**data)).run()
    assert np.isnan(result["position"].values[:, 0, 0]).any(), "the first element is on the drum at first"
    figure = figures(result, ["floaters"])["floaters"]
    (swing,) = next(axes for axes in figure.axes if axes.get_title(loc="left").startswith("Angle")).lines
    assert np.isfinite(np.asarray(swing.get_ydata())).all()


def test_two_hulls_without_cables_are_drawn_each_in_its_place(pair: xr.Dataset) -> None:
    assert pair.attrs["hydro_symmetric"] == "no"
    found = figures(pair)
    assert {"floaters", "free_surface"} <= set(found)
    assert [axes.get_title(loc="left") for axes in found["floaters"].axes][:2] == ["Motion from the start", "Turning"]
    assert len(found["floaters"].axes) == 4
    middles = [panels.reshape(-1, 3).mean(axis=0)[1] for panels in hull_places(pair, water_of(pair), 0).values()]
    assert middles == pytest.approx([4.0, -4.0], abs=0.05)
    assert len(found["free_surface"].axes[1].lines) == 2


def test_the_replay_gets_the_whole_hull(floating: xr.Dataset) -> None:
    (pot,) = [body for body in bodies(floating) if "hull" in body]
    corners = np.reshape(pot["hull"]["corners"], (-1, 3))
    assert floating.attrs["hydro_symmetric"] == "yes"
    assert np.abs(np.hypot(*corners[:, :2].T).max() - 2.0) < 0.12  # corners lie outside: the volume is exact
    assert corners[:, 1].min() == pytest.approx(-corners[:, 1].max())
    assert (corners[:, 2].min(), corners[:, 2].max()) == pytest.approx((-1.5, 2.5), abs=0.01)
    assert max(pot["hull"]["panels"]) < len(corners)


def test_still_water_is_drawn_too() -> None:
    """No wave and no perturbation: nothing to divide by."""
    data = hydro(points={}, cables={}, types={}, environment={"seabed": {"depth": 40}})
    data["bodies"]["pot"]["mass"] = 1025 * np.pi * 8
    data["simulation"]["duration"] = 2 * STEP
    result = fl.Simulation(fl.System(**data)).run()
    for figure in figures(result, ["floaters", "free_surface"]).values():
        assert colours_in(drawn(figure)) > 100


def test_the_film_of_the_water_moves(floating: xr.Dataset) -> None:
    picture = WaterPicture(floating, size=SMALL)
    first, last, again = picture.at(0.0), picture.at(2.0), picture.at(0.0)
    assert first.shape == (180, 320, 3)
    assert (first == again).all(), "an image depends on its time alone"
    assert (np.abs(first.astype(int) - last).max(axis=-1) > 10).mean() > 0.01
    blue = (last[..., 2].astype(int) - last[..., 0] > 40).mean()
    assert blue > 0.05, "the water fills some of the picture"
    assert ((last[..., 0].astype(int) - last[..., 2]) > 60).sum() > 200, "the hull is seen"


@pytest.mark.parametrize("size", [(320, 180), (480, 270), (1280, 720)])
def test_names_of_axes_fit_into_films_of_every_size(floating: xr.Dataset, size: tuple[int, int]) -> None:
    picture = WaterPicture(floating, size=size)
    picture.at(1.0)
    axes = picture._axes
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        box = axis.label.get_window_extent()
        assert min(box.x0, box.y0) > 0.0, axis.label.get_text()
        assert box.x1 < size[0], axis.label.get_text()
        assert box.y1 < 0.94 * size[1], "below the title"


def test_the_command_writes_films_of_the_water(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    data = hydro()
    data["simulation"]["duration"] = 2 * STEP
    fl.Simulation(fl.System(**data)).run(output=tmp_path / "pot.nc")
    wish = ["film", "pot.nc", "--view", "water", "--size", "320x180", "--rate", "4", "-q"]
    done = CliRunner().invoke(main, [*wish, "-o", "pot.gif"])
    assert done.exit_code == 0, done.output
    with Image.open(tmp_path / "pot.gif") as picture:
        assert picture.size == SMALL
        assert picture.n_frames == 3, "one for each sample"
    done = CliRunner().invoke(main, wish)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "pot.mp4").stat().st_size > 1000


def test_results_without_a_free_surface_get_one_sentence(tmp_path: Path) -> None:
    dry = straight_cables([((0, 0, 0), (20, 0, -10))])
    with pytest.raises(ResultError, match=r"has no free surface of its own.*systems with hydro") as refused:
        film(dry, tmp_path / "dry.gif", view="water")
    assert "\n" not in str(refused.value)
    for kind in ("floaters", "free_surface"):
        with pytest.raises(ResultError, match=f"the result has no surface_perturbation, which the figure {kind} shows"):
            save_all(dry, tmp_path / "pictures", [kind])
    assert not {"floaters", "free_surface"} & set(figures(dry))
    assert list(tmp_path.iterdir()) == []
