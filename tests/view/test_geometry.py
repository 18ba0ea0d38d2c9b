"""Geometry is to scale or says by how much it is not, and is seen from where a map reader expects."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from fairlead import view
from fairlead.view.style import BODY

from .systems import straight_cables


def panels(dataset, **options):
    space, plan, side = view.geometry(dataset, **options).axes
    return space, plan, side


def stretch(axes) -> float:
    """Vertical scale over horizontal scale, from where points land on the page."""
    origin, right, up = axes.transData.transform([(0, 0), (1, 0), (0, 1)])
    return abs(up[1] - origin[1]) / abs(right[0] - origin[0])


def test_views_are_to_scale_when_that_is_readable(dataset):
    _, plan, side = panels(dataset)
    assert stretch(plan) == pytest.approx(1.0)
    assert stretch(side) == pytest.approx(1.0)
    assert "to scale" in side.get_title(loc="left")


def test_a_flat_system_is_stretched_by_the_factor_it_states():
    tow = straight_cables([((0, 0, 0), (-3000, 0, -80))])
    _, plan, side = panels(tow)
    assert stretch(plan) == pytest.approx(1.0)
    factor = stretch(side)
    assert factor > 2
    assert f"vertical scale × {factor:.0f}" in side.get_title(loc="left")


def test_from_above_west_is_on_the_left_when_north_is_up(dataset):
    _, plan, side = panels(dataset)
    assert plan.get_xlabel().startswith("y, west")
    assert plan.xaxis_inverted()
    assert side.xaxis_inverted()


def test_from_above_north_runs_to_the_right_when_the_system_is_long_in_x():
    _, plan, _ = panels(straight_cables([((0, 0, 0), (-300, 20, -80))]))
    assert plan.get_xlabel().startswith("x, north")
    assert not plan.xaxis_inverted()
    assert not plan.yaxis_inverted()


def test_everything_lies_within_the_views(dataset):
    _, plan, side = panels(dataset)
    for axes, up in ((plan, 0), (side, 2)):
        (right, left), (low, high) = axes.get_xlim(), axes.get_ylim()
        position = dataset["position"].values
        assert left <= np.nanmin(position[..., 1])
        assert np.nanmax(position[..., 1]) <= right
        assert low <= np.nanmin(position[..., up])
        assert np.nanmax(position[..., up]) <= high


def test_instants_are_the_nearest_samples(dataset):
    figure = view.geometry(dataset, instants=[0.0, 101.0, 1e9])
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["0 s", "100 s", "600 s", "mean surface", "seabed"]


def test_a_sloping_bed_is_drawn_sloping():
    sloping = straight_cables(
        [((0, 0, 0), (200, 0, -50))], settings={"environment": {"seabed": {"depth": 60, "slope": [0.1, 0.0]}}}
    )
    _, _, side = panels(sloping)
    bed = [line for line in side.lines if len(line.get_xdata()) == 2 and np.ptp(line.get_ydata()) > 0]
    (x0, x1), (z0, z1) = bed[0].get_xdata(), bed[0].get_ydata()
    assert (z1 - z0) / (x1 - x0) == pytest.approx(0.1)
    assert z0 == pytest.approx(-60 + 0.1 * x0)


def test_a_bed_far_below_is_left_out():
    deep = straight_cables([((0, 0, 0), (20, 0, -5))], settings={"environment": {"seabed": {"depth": 4000}}})
    figure = view.geometry(deep)
    assert "seabed" not in [text.get_text() for text in figure.legends[0].get_texts()]
    assert figure.axes[2].get_ylim()[0] > -100


def test_names_of_crowded_points_do_not_cover_each_other():
    fan = straight_cables(
        [((0, 0, 0), (100 * np.cos(a), 100 * np.sin(a), -5)) for a in np.linspace(-1.2, 1.2, 30)],
        points=[f"buoy number {i}" for i in range(30)],
    )
    figure = view.geometry(fan)
    figure.draw_without_rendering()
    plan = figure.axes[1]
    boxes = [text.get_window_extent() for text in plan.texts]
    assert 3 <= len(boxes) < 30
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])


def test_in_air_there_is_no_surface():
    air = straight_cables([((0, 0, 5), (20, 0, -5))], settings={"environment": {"water_density": 0.0}})
    assert "mean surface" not in [text.get_text() for text in view.geometry(air).legends[0].get_texts()]
    sea = straight_cables([((0, 0, 5), (20, 0, -5))], settings={"environment": {"water_density": 1025.0}})
    assert "mean surface" in [text.get_text() for text in view.geometry(sea).legends[0].get_texts()]


def moored_buoy(samples: int = 3):
    """Two lines from anchors up to a buoy that is a cylinder, heeled by 30 degrees."""
    lines = [((200, 0, -50), (0, 0, 0)), ((-100, 173.2, -50), (0, 0, 0))]
    settings = {
        "points": {"A": {"kind": "anchor"}, "B": {"kind": "anchor"}},
        "bodies": {"buoy": {"kind": "free", "shape": {"cylinder": {"diameter": 20.0, "height": 30.0}}}},
        "cables": {
            "line 0": {"start": {"point": "A"}, "end": {"point": "buoy.keel"}},
            "line 1": {"start": {"point": "B"}, "end": {"point": "buoy.keel"}},
        },
    }
    names = {"names": ["line 0", "line 1"], "points": ["buoy", "A"]}
    found = straight_cables(lines, samples=samples, settings=settings, **names)
    for angle, value in (("roll", 0.0), ("pitch", np.radians(30.0)), ("yaw", 0.0)):
        found[f"buoy.{angle}"] = ("time", np.full(samples, value), {"units": "rad"})
    found["point_position"].values[:] = 0.0
    return found.isel(point=[0])


def test_a_body_is_drawn_with_its_shape_turned_as_it_is():
    """A cylinder 20 m wide and 30 m tall, pitched by 30 degrees, reaches 15 cos 30 + 10 sin 30 = 18 m up."""
    _, _, side = panels(moored_buoy())
    drawn = [line for line in side.lines if line.get_color() == BODY]
    highest = max(np.max(line.get_ydata()) for line in drawn)
    assert highest == pytest.approx(15 * np.cos(np.pi / 6) + 10 * np.sin(np.pi / 6), rel=0.01)
    assert side.get_ylim()[1] > highest


def test_lines_to_anchors_have_their_azimuths_in_the_plan():
    _, plan, side = panels(moored_buoy())
    shown = {text.get_text() for text in plan.texts}
    assert {"0°", "120°"} <= shown
    assert not {text.get_text() for text in side.texts} & {"0°", "120°"}


def test_an_azimuth_stands_clear_of_names():
    """A platform whose name runs along a line to the east: the azimuth gives way along its line."""
    from matplotlib.figure import Figure

    from fairlead.view.geometry import _write_azimuth

    axes = Figure(figsize=(6, 4)).add_subplot()
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    ends = np.array([[0.0, 50.0], [100.0, 50.0]])
    (x, y) = axes.transData.transform((45.0, 50.0))
    _write_azimuth(axes, ends, -61.0, [(x - 40.0, x + 40.0, y - 5.0, y + 5.0)])
    (text,) = axes.texts
    assert text.get_text() == "−61°"
    box = text.get_window_extent()
    assert box.x0 > x + 40.0 or box.x1 < x - 40.0
    assert text.get_bbox_patch().get_facecolor()[:3] == (1.0, 1.0, 1.0), "no line runs through its minus sign"


def test_a_system_without_cables_has_limits_of_its_own():
    """A heaving buoy whose path at the chosen instants is one place: what it does between them counts, and its size."""
    alone = moored_buoy(101).drop_dims(["cable", "node"])
    alone["point_position"].values[:, 0, 2] = -7.0 + np.sin(0.1 * np.pi * np.arange(101))
    figure = view.geometry(alone)
    _, plan, side = figure.axes
    assert side.get_ylim()[0] < -20.0
    assert side.get_ylim()[1] > 0.0
    assert np.ptp(plan.get_xlim()) > 20.0
    figure.draw_without_rendering()
    for axes in (plan, side):
        for line in axes.lines:
            assert np.nanmax(line.get_xdata()) <= axes.get_xlim()[1]
            assert np.nanmin(line.get_ydata()) >= axes.get_ylim()[0]


def test_no_number_stands_where_two_axes_in_space_meet():
    """There the last number of one lay on the first, with its minus sign, of the other."""
    space = panels(moored_buoy())[0]
    for axis, (low, high) in ((space.xaxis, space.get_xlim()), (space.yaxis, space.get_ylim())):
        ticks = axis.get_ticklocs()
        assert len(ticks) >= 2
        assert min(ticks) > low + 0.05 * (high - low)
        assert max(ticks) < high - 0.05 * (high - low)


@pytest.mark.parametrize("ends", [((0, 0, 20), (2, 0, 9.5)), ((0, 0, 0), (0, 1, -20)), ((0, 0, 0), (400, 90, -1050))])
def test_the_label_of_the_heights_is_clear_of_their_numbers(ends):
    """Numbers with decimals, with a minus sign, with four digits."""
    figure = view.geometry(straight_cables([ends]))
    figure.draw_without_rendering()
    (space,) = (axes for axes in figure.axes if hasattr(axes, "zaxis"))
    label = space.zaxis.label.get_window_extent()
    for tick in space.zaxis.get_major_ticks():
        if tick.label1.get_visible() and tick.label1.get_text():
            assert not label.overlaps(tick.label1.get_window_extent()), tick.label1.get_text()


@pytest.mark.parametrize("ends", [((-400, -725, -200), (400, 725, 0)), ((-725, -400, -200), (725, 400, 0))])
def test_the_name_of_the_heights_stands_on_the_page(ends):
    """A mooring wider than deep, seen along either axis: its upright axis stands left or right of it."""
    space, _, _ = panels(straight_cables([ends]))
    space.figure.draw_without_rendering()
    name, page = space.zaxis.label.get_window_extent(), space.figure.bbox
    assert name.x0 > page.x0
    assert name.x1 < page.x1


@pytest.mark.parametrize("ends", [((-200, 0, 0), (120, 9, -80)), ((0, 0, 0), (5, 4, -190)), ((0, 0, 0), (0.3, 0, -3))])
def test_names_and_numbers_of_the_view_in_space_stand_clear_of_each_other_and_of_the_panels(ends):
    space, plan, side = panels(straight_cables([ends]))
    space.figure.draw_without_rendering()
    numbers = {axis: _numbers(axis) for axis in (space.xaxis, space.yaxis, space.zaxis)}
    assert all(len(boxes) >= 2 for boxes in numbers.values())
    assert not any(space.zaxis.label.get_window_extent().overlaps(number) for number in numbers[space.zaxis])
    for boxes in numbers.values():
        assert not any(one.overlaps(other) for one, other in pairwise(boxes))
    reach = max(box.x1 for axis, boxes in numbers.items() for box in (*boxes, axis.label.get_window_extent()))
    assert reach < min(panel.yaxis.label.get_window_extent().x0 for panel in (plan, side))


def _numbers(axis):
    low, high = sorted(axis.get_view_interval())
    ticks = zip(axis.get_major_ticks(), axis.get_majorticklocs(), strict=False)
    return [tick.label1.get_window_extent() for tick, value in ticks if low <= value <= high]
