"""Seas by components, by a record, by a table and of several trains; currents over time and place."""

import math

import numpy as np
import pytest
from kernels.plain import plain

from fairlead.model import Environment, ModelError
from fairlead.sea import water
from fairlead.sea.waves import jonswap, wave_components

RAMP = {"ramp": 0.0}


def surface(environment, t, x=0.0, y=0.0):
    a, kx, ky, omega, phase = wave_components(environment).T[:, :, None]
    return (a * np.cos(kx * x + ky * y - omega * np.asarray(t) + phase)).sum(axis=0)


def sea(waves, depth=40.0, **more):
    return Environment.model_validate({"waves": waves, "seabed": {"depth": depth}, **more})


def test_a_component_is_the_regular_wave_of_the_same_numbers():
    given = sea({"kind": "components", "table": [[0.8, 7.0, 35.0, 20.0]], **RAMP})
    wanted = sea({"kind": "regular", "height": 1.6, "period": 7.0, "direction_deg": 35.0, "phase_deg": 20.0, **RAMP})
    np.testing.assert_allclose(wave_components(given), wave_components(wanted), rtol=1e-14)
    assert given.waves.main_height == wanted.waves.main_height


def test_trains_are_added_and_grow_together():
    swell = {"kind": "regular", "height": 1.0, "period": 12.0, "direction_deg": -40.0}
    wind = {"kind": "jonswap", "significant_height": 1.5, "peak_period": 6.0, "components": 20}
    both = sea([wind, swell])
    alone = [wave_components(sea(train)) for train in (wind, swell)]
    np.testing.assert_array_equal(wave_components(both), np.concatenate(alone))
    assert both.waves.ramp == 12.0
    assert both.waves.main_height == pytest.approx(math.hypot(1.0, 1.5))
    assert both.waves.main_period == 6.0


def test_irregular_trains_are_independent_of_each_other():
    """Var η = ΣVar η of the trains: with numbers in common, two equal ones would be one of twice the height."""
    train = {"kind": "jonswap", "significant_height": 2.0, "peak_period": 8.0, "components": 30, **RAMP}
    trains = [train, {**train, "direction_deg": 90.0}, {**train, "direction_deg": 45.0}]
    t = np.arange(0.0, 40000.0, 0.5)
    found = surface(sea(trains), t).std()
    assert 4 * found == pytest.approx(sea(trains).waves.main_height, rel=0.05)
    alone = wave_components(sea(train))
    np.testing.assert_array_equal(wave_components(sea(trains))[:30], alone)  # a first train is as it is alone
    omega = wave_components(sea(trains))[:, 3]
    assert len(np.unique(omega)) == 90


def test_a_sea_of_several_trains_comes_back_from_a_result():
    """Which holds what was left out, too: ramps of 8 and 12 s under the one of the sea."""
    swell = {"kind": "regular", "height": 1.0, "period": 12.0}
    whole = sea({"kind": "several", "trains": [swell, {**swell, "period": 8.0}], "stretching": "vertical"})
    again = Environment.model_validate(whole.model_dump(mode="json"))
    assert again.waves.ramp == 12.0
    np.testing.assert_array_equal(wave_components(again), wave_components(whole))


def test_a_spectrum_that_is_largest_at_no_frequency_has_its_peak_among_its_waves():
    rows = [[0.0, 3.0], [0.3, 0.1], [0.7, 0.5], [1.5, 0.0]]
    given = sea({"kind": "spectrum", "table": rows})
    assert given.waves.main_period == given.waves.ramp == pytest.approx(2 * math.pi / 0.7)
    assert np.isfinite(water.pack(given)).all()


def test_a_record_comes_back_where_it_was_measured_and_travels_from_there():
    """A sum of waves that fit the record's length is found with its amplitudes, and runs at the speed of its waves."""
    step, count, place, heading = 0.5, 400, (30.0, -12.0), 25.0
    t = 7.0 + step * np.arange(count)
    length = step * count
    periods = length / np.array([12, 25, 40])
    parts = zip((0.8, 0.3, 0.1), periods, (0.2, 1.0, 2.0), strict=True)
    height = sum(a * np.cos(2 * np.pi * t / p + f) for a, p, f in parts)
    rows = np.column_stack([t, height + 0.05]).tolist()  # the gauge is 5 cm too high
    given = sea({"kind": "record", "table": rows, "direction_deg": heading, "position": place, **RAMP})
    np.testing.assert_allclose(surface(given, t, *place), height, atol=1e-9)
    assert len(wave_components(given)) == 3
    assert given.waves.main_period == pytest.approx(periods[0])
    for (a, kx, ky, omega, _), size in zip(wave_components(given), (0.8, 0.3, 0.1), strict=True):
        k = math.hypot(kx, ky)
        assert a == pytest.approx(size)
        assert math.degrees(math.atan2(ky, kx)) == pytest.approx(heading)
        assert omega**2 == pytest.approx(9.81 * k * math.tanh(40.0 * k))


def test_short_waves_of_a_record_are_noise():
    t = np.arange(0.0, 100.0, 0.25)
    height = np.cos(2 * np.pi * t / 10.0) + 0.2 * np.cos(2 * np.pi * t / 1.25)
    rows = np.column_stack([t, height]).tolist()
    assert 2 * np.pi / wave_components(sea({"kind": "record", "table": rows}))[:, 3].max() >= 2.0 * (1 - 1e-9)
    both = sea({"kind": "record", "table": rows, "shortest_period": 1.0})
    np.testing.assert_allclose(surface(both, t), height, atol=1e-9)


def test_a_table_of_the_jonswap_spectrum_is_that_sea():
    peak = 2 * math.pi / 9.0
    omega = peak * np.linspace(0.4, 5.0, 800)
    shape = jonswap(omega, peak, 3.3)
    energy = float(np.sum(0.5 * np.diff(omega) * (shape[1:] + shape[:-1])))
    rows = np.column_stack([omega, shape * (2.0 / 4) ** 2 / energy]).tolist()
    table = sea({"kind": "spectrum", "table": rows, "components": 40, "seed": 5, "spreading": 6.0})
    named = sea({"kind": "jonswap", "significant_height": 2.0, "peak_period": 9.0, "components": 40, "seed": 5,
                 "spreading": 6.0})  # fmt: skip
    assert table.waves.main_height == pytest.approx(2.0)
    np.testing.assert_allclose(wave_components(table), wave_components(named), rtol=2e-3, atol=2e-4)


@pytest.mark.parametrize(
    ("waves", "said"),
    [
        ([], "trains: must hold at least one train"),
        ([{"kind": "regular", "height": 9, "period": 2}], r"trains\[0\].height: 9 m is too high"),
        ([{"kind": "regular", "height": 1, "period": 9, "ramp": 30}, {"kind": "regular", "height": 1, "period": 5,
           "ramp": 20}], r"trains\[1\].ramp: belongs to the whole sea"),
        ([{"kind": "regular", "height": 1, "period": 9, "stretching": "none"}],
         r"trains\[0\].stretching: belongs to the whole sea"),
        ({"kind": "components", "table": []}, "must hold at least one row"),
        ({"kind": "record", "table": [[0, 0], [1, 1], [0.5, 0], [2, 0]]}, "times must grow"),
        ({"kind": "record", "table": [[0, 1], [1, 1], [2, 1], [3, 1]]}, "holds no wave longer than 2 s"),
        ({"kind": "record"}, "needs one of 'table' and 'csv'"),
        ({"kind": "spectrum", "table": [[1, 0], [2, 0]]}, "holds no energy"),
        ({"kind": "spectrum", "table": [[1, 1], [1, 0]]}, "must grow from row to row"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_sea_is_told(waves, said):
    with pytest.raises(ModelError, match=said):
        sea(waves)


def test_a_record_is_read_from_a_file(tmp_path):
    from fairlead.model import load_text

    lines = "\n".join(f"{0.5 * k},{math.cos(math.pi * k / 10):.6f}" for k in range(200))
    (tmp_path / "gauge.csv").write_text("time,eta\n" + lines)
    text = """
environment: {waves: {kind: record, csv: {file: gauge.csv, columns: [eta]}}}
types: {rope: {diameter: 0.1, mass_per_length: 20, axial_stiffness: 1e7}}
points: {A: {kind: fixed, position: [0, 0, -50]}, B: {kind: fixed, position: [40, 0, 0]}}
cables: {line: {type: rope, length: 70, elements: 4, start: A, end: B}}
simulation: {duration: 10, step: 0.1}
"""
    waves = load_text(text, str(tmp_path / "case.yaml")).environment.waves
    assert (waves.csv, len(waves.table)) == (None, 200)
    assert waves.main_period == pytest.approx(10.0)


# --- currents ---------------------------------------------------------------------------------------------------------


def field(**more):
    return Environment.model_validate({"current_field": more})


def test_a_current_on_a_grid_is_linear_along_every_axis_and_accelerates_what_it_carries():
    """u = (1 + 2t)(3 − x)(y + 5)(z + 40)·c is linear in each: the grid has it exactly, and ∂u/∂t too."""
    axes = {"t": [0.0, 4.0, 9.0], "x": [-10.0, 20.0], "y": [0.0, 5.0, 30.0], "z": [-40.0, -3.0, 0.0]}

    def exact(t, x, y, z):
        return np.array([1e-4, -2e-4, 5e-5]) * (1 + 2 * t) * (3 - x) * (y + 5) * (z + 45)

    rows = [exact(t, x, y, z).tolist() for t in axes["t"] for x in axes["x"] for y in axes["y"] for z in axes["z"]]
    given = water.pack(field(**axes, velocity=rows))
    fluid = plain(water.fluid)
    for t, x, y, z in np.random.default_rng(2).uniform((0.1, -9, 1, -39), (8.9, 19, 29, -1), (30, 4)):
        velocity, acceleration, _, _ = fluid(t, x, y, z, given)
        np.testing.assert_allclose(velocity, exact(t, x, y, z), rtol=1e-12, atol=1e-14)
        rate = exact(t, x, y, z) * 2 / (1 + 2 * t)
        np.testing.assert_allclose(acceleration, rate, rtol=1e-9, atol=1e-12)
    held, still, _, _ = fluid(50.0, -99.0, 400.0, 7.0, given)
    np.testing.assert_allclose(held, exact(9.0, -10.0, 30.0, 0.0))
    assert still == (0.0, 0.0, 0.0)


def test_it_is_added_to_the_current_by_height_and_to_waves():
    more = {"current": [{"z": 0.0, "velocity": [0.5, 0.0, 0.0]}, {"z": -50.0, "velocity": [0.0, 0.0, 0.0]}]}
    waves = {"waves": {"kind": "regular", "height": 1.0, "period": 8.0, "ramp": 0.0}}
    grid = {"current_field": {"t": [0.0, 10.0], "velocity": [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]}}
    fluid, at = plain(water.fluid), (4.0, 3.0, -2.0, -10.0)
    parts = [fluid(*at, water.pack(Environment.model_validate(part))) for part in (more, waves, grid)]
    whole = fluid(*at, water.pack(Environment.model_validate(more | waves | grid)))
    for k in (0, 1):
        np.testing.assert_allclose(whole[k], np.sum([part[k] for part in parts], axis=0), atol=1e-14)


def test_a_grid_of_the_current_is_read_from_a_file_in_any_order(tmp_path):
    lines = ["z,t,vy,vx", "0,5,2,1", "-10,5,4,3", "0,0,0,0", "-10,0,0,0.5"]
    (tmp_path / "flow.csv").write_text("\n".join(lines))
    found = field(file=str(tmp_path / "flow.csv")).current_field
    assert (found.t, found.z, found.counts) == ((0.0, 5.0), (-10.0, 0.0), (2, 1, 1, 2))
    assert found.velocity == ((0.5, 0.0, 0.0), (0.0, 0.0, 0.0), (3.0, 4.0, 0.0), (1.0, 2.0, 0.0))
    (tmp_path / "flow.csv").write_text("\n".join(lines[:-1]))
    with pytest.raises(ModelError, match=r"has no velocity at t = 0, z = -10"):
        field(file=str(tmp_path / "flow.csv"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"t": [0, 1], "velocity": [[0, 0, 0]]}, r"holds 1 rows where t, x, y and z ask for 2 x 1 x 1 x 1 = 2"),
        ({"z": [0, -1], "velocity": [[0, 0, 0], [0, 0, 0]]}, "z: must grow"),
        ({"t": [0]}, "needs one of 'velocity' and 'file'"),
        ({"t": [0, 1], "file": "flow.csv"}, "t: cannot stand beside 'file'"),
        ({"velocity": [[0, 0, 0]], "file": "flow.csv"}, "file: cannot stand beside 'velocity'"),
    ],
)
def test_what_is_wrong_with_a_grid_of_the_current_is_told(given, said):
    with pytest.raises(ModelError, match=said):
        field(**given)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"t,vx,vy\n0,1,0\n5,1,0\n0,2,0\n", "line 4: the velocity at t = 0 is given a second time"),
        (b"vx,vy\n1,0\n1,0\n", "line 3: the velocity of all places and times is given a second time"),
        (b"t,vx,v\xffy\n0,1,0\n", "is not UTF-8 text"),
        (b"t,vx," + b"y" * 200_000 + b"\n0,1,0\n", "is no CSV"),
        (b"t,vx\n0,1\n", "has no columns vx and vy"),
        (b"", "has no columns vx and vy"),
    ],
)
def test_what_is_wrong_with_a_file_of_the_current_is_told(tmp_path, content, said):
    (tmp_path / "flow.csv").write_bytes(content)
    with pytest.raises(ModelError, match=said):
        field(file=str(tmp_path / "flow.csv"))
