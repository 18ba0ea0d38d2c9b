"""What a replay page holds: small enough, close enough, and honest about both."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.results import ResultError
from fairlead.view.histories import cable_histories
from fairlead.view.replay import replay_page
from fairlead.view.replay.frames import frames_within, largest_miss
from fairlead.view.replay.packing import pack, size, unpack
from fairlead.view.replay.scene import origin_of, scene, to_json
from fairlead.view.replay.waves import wave_components
from fairlead.view.shape import curvature
from fairlead.view.things import cable_facts

from .spreads import lowered_load, towed_spread
from .systems import straight_cables

PLENTY = 10_000_000


@given(st.lists(st.floats(-2e5, 2e5), min_size=1, max_size=40), st.sampled_from([1e-3, 0.005, 0.3]))
def test_rounding_costs_at_most_half_a_step(values, quantum):
    given_values = np.array(values)[:, np.newaxis]
    back = unpack(pack(given_values, quantum))
    assert np.abs(back - given_values).max() <= 0.5 * quantum * (1 + 1e-9) + 1e-9


def test_each_column_may_have_its_own_step():
    values = np.array([[1.0, 1e6], [2.0, 3e6], [4.5, 2e6]])
    back = unpack(pack(values, np.array([0.01, 1e3])))
    assert np.abs(back - values).max(axis=0) == pytest.approx([0.0, 0.0], abs=1e-6)


def test_smooth_motion_takes_less_than_a_byte_a_number():
    t = np.linspace(0.0, 100.0, 1000)[:, np.newaxis]
    values = 30.0 * np.sin(0.3 * t + np.linspace(0.0, 6.0, 300))
    assert size(pack(values, 0.005)) < 0.6 * values.size


def test_numbers_that_are_none_become_zero():
    assert unpack(pack(np.array([[np.nan], [np.inf], [1.0]]), 0.5)).ravel().tolist() == [0.0, 0.0, 1.0]


def test_samples_on_a_straight_line_are_left_out_and_corners_are_kept():
    times = np.arange(101.0)
    values = np.where(times < 40, times, 80 - times)[:, np.newaxis]
    kept = frames_within(times, values, np.array([1e-6]))
    assert {0, 40, 100} <= set(kept.tolist())
    assert len(kept) < 25
    assert largest_miss(times, values, kept).max() < 1e-6


@given(st.integers(0, 2**32 - 1))
def test_dropped_samples_are_never_missed_by_more_than_the_tolerance(seed):
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.1, 2.0, 80))
    values = np.cumsum(rng.normal(size=(80, 3)), axis=0)
    tolerance = np.array([0.1, 1.0, 5.0])
    kept = frames_within(times, values, tolerance)
    assert kept[0] == 0
    assert kept[-1] == 79
    back = np.stack([np.interp(times, times[kept], values[kept, k]) for k in range(3)], axis=1)
    assert (np.abs(back - values).max(axis=0) <= tolerance * (1 + 1e-9)).all()
    assert largest_miss(times, values, kept) == pytest.approx(np.abs(back - values).max(axis=0), abs=1e-9)


def test_samples_on_both_sides_of_a_change_on_the_drum_are_kept():
    values = np.zeros((50, 2))
    values[20:, 1] = np.nan
    kept = frames_within(np.arange(50.0), values, np.ones(2))
    assert {19, 20} <= set(kept.tolist())


def test_a_long_run_is_shown_within_a_centimetre_and_says_so():
    dataset = towed_spread(cables=4, nodes=21, samples=1501)
    record = scene(dataset, "run", PLENTY)
    assert record["accuracy"]["position"] < 0.01
    true = np.concatenate([dataset["position"].values[:, i] for i in range(4)], axis=1)
    shown = unpack(record["position"])
    back = np.empty_like(true)
    for node in range(true.shape[1]):
        for k in range(3):
            back[:, node, k] = np.interp(dataset["time"].values, record["times"], shown[:, node, k])
    miss = np.linalg.norm(back - true, axis=-1).max()
    assert miss <= record["accuracy"]["position"] * (1 + 1e-6)


def test_a_record_that_is_too_large_is_thinned_and_states_the_price():
    dataset = towed_spread(cables=4, nodes=21, samples=1501)
    noise = np.random.default_rng(1).normal(scale=0.02, size=dataset["position"].shape)
    dataset["position"].values[:] += noise
    whole = scene(dataset, "run", PLENTY)
    thin = scene(dataset, "run", 300_000)
    assert whole["accuracy"]["kept"] == 1501
    assert thin["accuracy"]["kept"] < 1501
    assert thin["accuracy"]["position"] > 0.01
    assert len(to_json([thin])) < 330_000


def test_the_largest_tension_of_each_cable_is_kept_within_what_is_stated():
    dataset = towed_spread(samples=601)
    record = scene(dataset, "run", PLENTY)
    (tension,) = (field for field in record["fields"] if field["key"] == "tension")
    shown = unpack(tension["record"]).reshape(-1, 6, 41).max(axis=(0, 2))
    true = dataset["tension_effective"].values.max(axis=(0, 2))
    assert np.abs(shown - true).max() <= record["accuracy"]["values"]["tension"] * true.max()
    assert record["accuracy"]["values"]["tension"] < 0.006


def test_a_peak_between_two_samples_is_told_with_its_cable():
    load = lowered_load()
    steps = load["tension_effective"].copy(data=load["tension_effective"].values.copy())
    steps.values[30, 0, 2] = 2.0 * np.nanmax(steps.values)
    load["tension_effective_max"] = steps
    peak, time = cable_facts(load, cable_histories(load)[0])["peak"]
    assert peak == pytest.approx(float(steps.values[30, 0, 2]), rel=1e-5)
    assert time == load["time"].values[30]


def test_curvature_of_a_circle_is_one_over_its_radius():
    angle = np.linspace(0.0, 2.0, 60)
    circle = 25.0 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)[np.newaxis]
    assert curvature(circle) == pytest.approx(1 / 25.0, rel=1e-3)
    circle[0, :5] = np.nan
    assert np.isnan(curvature(circle)[0, :5]).all()
    assert np.isfinite(curvature(circle)[0, 5:]).all()


def test_what_is_on_the_drum_is_told_apart_from_what_is_at_the_origin():
    load = lowered_load()
    record = scene(load, "run", PLENTY)
    active = unpack(record["active"])[0].astype(bool)
    assert (active == np.isfinite(load["position"].values[0, 0, :, 0])).all()
    assert record["cables"][0]["winch"] == "start"
    assert record["cables"][0]["winch_length"] == "wire.winch.length"
    assert record["cables"][0]["clamped"] == [{"at": 60.0, "floats": False}]
    assert [point["kind"] for point in record["points"]] == ["fixed", "body"]
    assert record["bodies"][0]["angles"] == ["load.roll", "load.pitch", "load.yaw"]
    solid = record["bodies"][0]["solid"]
    assert solid["kind"] == "sphere"
    assert np.pi / 6 * solid["size"][0] ** 3 == pytest.approx(8.0), "of the volume that the file gives"
    assert solid["spokes"] == [[0.0, 0.0, 1.5], [3.0, 2.0, 0.0]]


def test_waves_are_read_from_the_result_the_largest_first():
    rows = [[0.1 * i, 0.01, 0.0, 0.3, 0.0] for i in range(100)]
    dataset = straight_cables([((0, 0, 0), (1, 0, 0))])
    assert wave_components(dataset) == []
    dataset.attrs["wave_components"] = json.dumps(rows)
    found = wave_components(dataset)
    assert len(found) == 64
    assert found[0][0] == pytest.approx(9.9)
    for wrong in ("[[1, 2]]", "not JSON", '[["a", 1, 1, 1, 1]]', "[[NaN, 1, 1, 1, 1]]"):
        dataset.attrs["wave_components"] = wrong
        assert wave_components(dataset) == []


def test_a_system_at_the_coordinates_of_a_chart_is_as_close_as_one_at_the_origin():
    dataset = towed_spread(cables=2, nodes=11, samples=51)
    dataset["position"].values[..., 0] += 6.7e6
    dataset["point_position"].values[..., 0] += 6.7e6
    dataset.attrs["settings"] = json.dumps({"environment": {"seabed": {"depth": 100.0, "slope": [1e-5, 0.0]}}})
    origin = origin_of(dataset)
    record = scene(dataset, "run", PLENTY, origin)
    assert np.abs(unpack(record["position"])).max() < 2000.0
    assert record["seabed"]["depth"] == pytest.approx(100.0 - 1e-5 * origin[0])
    assert origin_of(towed_spread(cables=2, nodes=11, samples=51)) == (0.0, 0.0)


def test_points_at_the_coordinates_of_a_chart_are_where_their_cables_are():
    """UTM, say: cables and the points they end in are counted from one origin, far from that of the chart."""
    near, far = (towed_spread(cables=2, nodes=11, samples=51) for _ in range(2))
    for name in ("position", "point_position"):
        far[name].values[..., :2] += (6_712_345.0, -431_234.0)
    origin = origin_of(far)
    assert origin == (6_712_000.0, -431_000.0)
    shown, close = scene(far, "run", PLENTY, origin), scene(near, "run", PLENTY)
    kept = np.searchsorted(far["time"].values, shown["times"])
    for name, record in (("position", "position"), ("point_position", "point_position")):
        true = far[name].values[kept].reshape(len(kept), -1, 3) - (*origin, 0.0)
        assert np.abs(unpack(shown[record]).reshape(true.shape) - true).max() < 0.005, name
    heads = unpack(shown["point_position"]).reshape(len(kept), -1, 3)[:, 1:]
    first = unpack(shown["position"]).reshape(len(kept), 2, 11, 3)[:, :, 0]
    assert np.abs(heads - first).max() < 0.01, "each streamer begins at its head"
    assert shown["accuracy"]["position"] == pytest.approx(close["accuracy"]["position"], rel=0.5)


def test_a_result_without_cables_has_an_origin_of_its_points():
    far = towed_spread(cables=2, nodes=11, samples=5).drop_dims(["cable", "node"])
    assert origin_of(far) == (0.0, 0.0)
    far["point_position"].values[..., 0] += 6.7e6
    assert origin_of(far)[0] == pytest.approx(6.7e6, abs=500.0)


def test_no_text_can_end_the_script_it_stands_in():
    text = to_json([{"title": "</script><!-- & \u2028"}])
    assert "<" not in text
    assert json.loads(text) == [{"title": "</script><!-- & \u2028"}]


def test_a_page_without_results_is_refused():
    with pytest.raises(ResultError, match="no result"):
        replay_page({})


def test_the_result_is_left_as_it_was():
    load = lowered_load()
    before = load.copy(deep=True)
    replay_page({"load": load})
    assert load.identical(before)


def test_a_long_run_of_a_large_spread_makes_a_small_page():
    """As large as a seismic front end with both sides, 2500 s long, and noisier than one."""
    dataset = towed_spread(cables=52, nodes=12, samples=2501)
    tension = dataset["tension_effective"].values
    tension *= 1.0 + 0.002 * np.random.default_rng(1).normal(size=tension.shape)
    page = replay_page({"spread": dataset})
    assert len(page.encode()) < 15_000_000
    stated = re.search(r'"accuracy":\{"position":([\d.e-]+)', page)
    assert stated is not None
    assert float(stated.group(1)) < 0.01


def test_the_extremes_of_a_field_are_those_of_every_step():
    """A peak between two samples is in no sample; the page states it all the same."""
    load = lowered_load()
    load["tension_effective_max"].values[50, 0, -1] = 1.2e5
    (tension,) = (field for field in scene(load, "run", PLENTY)["fields"] if field["key"] == "tension")
    assert tension["most"] == 1.2e5
    assert tension["range"][1] < 7e4


def test_angles_are_in_degrees_and_what_varies_comes_first():
    load = lowered_load()
    others = {other["name"]: other for other in scene(load, "run", PLENTY)["others"]}
    assert others["load.yaw"]["unit"] == "deg"
    last = unpack(others["load.yaw"]["record"])[-1, 0]
    assert last == pytest.approx(np.degrees(float(load["load.yaw"].values[-1])), rel=1e-3)
    varies = [other["varies"] for other in others.values()]
    assert varies == sorted(varies, reverse=True)
    assert not others["load.pitch"]["varies"]


def test_a_body_without_a_shape_is_drawn_from_its_attachments():
    """Four slings at the corners of a template make a box of that size, as tall as the body, below them."""
    from fairlead.view.solids import solid_of

    corners = {"a": [4, 3, 1.5], "b": [-4, 3, 1.5], "c": [-4, -3, 1.5], "d": [4, -3, 1.5]}
    solid = solid_of({"volume": 6.0, "height": 3.0, "attachments": corners})
    assert (solid["kind"], solid["size"], solid["offset"]) == ("box", [8.0, 6.0, 3.0], [0.0, 0.0, 0.0])
    assert solid_of({"volume": 6.0, "attachments": {"top": [0, 0, 1]}})["kind"] == "sphere"
