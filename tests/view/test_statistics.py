"""Statistics, spectra and envelopes of tension against signals whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead import view
from fairlead.results import ResultError
from fairlead.view.rainflow import turning_points
from fairlead.view.spectra import peak_frequency
from fairlead.view.statistics import significant_range

from .spreads import lowered_load
from .systems import straight_cables


def with_tension(values: np.ndarray, step: float = 0.5):
    """Two cables of four nodes; `values` (time,) is the tension at the end of the second, in N."""
    dataset = straight_cables([((0, 0, 0), (9, 0, -9)), ((0, 0, 0), (9, 9, -9))], samples=len(values))
    dataset = dataset.assign_coords(time=np.arange(len(values)) * step)
    dataset["tension_effective"].values[:] = 1000.0
    dataset["tension_effective"].values[:, 1, 3] = values
    return dataset


def counted(cycles: np.ndarray) -> dict[float, float]:
    return {float(size): float(cycles[cycles[:, 0] == size, 2].sum()) for size in np.unique(cycles[:, 0])}


def test_rainflow_of_the_standard():
    """ASTM E1049-85 (2017), Fig. 6: the history below has ranges 3, 4, 6, 8, 9 with counts 0.5, 1.5, 0.5, 1, 0.5."""
    found = view.rainflow(np.array([-2.0, 1.0, -3.0, 5.0, -1.0, 3.0, -4.0, 4.0, -2.0]))
    assert counted(found) == {3.0: 0.5, 4.0: 1.5, 6.0: 0.5, 8.0: 1.0, 9.0: 0.5}
    inner = found[found[:, 2] == 1.0]
    assert inner.tolist() == [[4.0, 1.0, 1.0]], "the whole cycle from -1 to 3"


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=60))
def test_rainflow_counts_half_a_cycle_for_each_swing_and_no_range_beyond_the_largest(values):
    history = np.array(values, dtype=float)
    cycles = view.rainflow(history)
    assert cycles[:, 2].sum() == pytest.approx(0.5 * (len(turning_points(history)) - 1))
    if len(cycles):
        assert cycles[:, 0].max() == np.ptp(history)


def test_a_sine_has_as_many_cycles_as_periods_and_the_statistics_of_a_sine():
    t = np.arange(0.0, 400.0, 0.5)
    numbers = view.tension_statistics(with_tension(5000.0 + 300.0 * np.sin(2 * np.pi * t / 10.0)))
    end = numbers.sel(cable="cable_1", end="end")
    assert float(end["mean"]) == pytest.approx(5000.0, rel=1e-6)
    assert float(end["std"]) == pytest.approx(300.0 / np.sqrt(2), rel=1e-3)
    assert (float(end["min"]), float(end["max"])) == pytest.approx((4700.0, 5300.0))
    assert float(end["significant"]) == pytest.approx(600.0, rel=1e-3)
    assert float(end["equivalent"]) == pytest.approx(600.0, rel=0.01)
    assert float(end["cycles"]) == pytest.approx(40.0, abs=0.5)
    calm = numbers.sel(cable="cable_0", end="start")
    assert float(calm["std"]) == 0.0
    assert float(calm["cycles"]) == 0.0


def test_the_significant_range_of_a_narrow_band_is_four_standard_deviations():
    rng = np.random.default_rng(3)
    t = np.arange(0.0, 40_000.0, 0.5)
    frequency = rng.normal(0.1, 0.004, 60)
    sea = sum(np.cos(2 * np.pi * f * t + p) for f, p in zip(frequency, rng.uniform(0, 7, 60), strict=True))
    assert significant_range(sea) == pytest.approx(4.0 * sea.std(), rel=0.06)


def test_what_came_before_can_be_left_out():
    values = np.full(200, 1000.0)
    values[:20] = 9e6
    assert float(view.tension_statistics(with_tension(values))["max"].max()) == 9e6
    assert float(view.tension_statistics(with_tension(values), after=10.0)["max"].max()) == 1000.0


def test_the_area_under_a_spectrum_is_the_variance_and_its_peak_the_period():
    t = np.arange(0.0, 2000.0, 0.5)
    values = 700.0 + 50.0 * np.sin(2 * np.pi * t / 12.5) + 5.0 * np.sin(2 * np.pi * t / 3.0)
    frequency, density = view.spectral_density(t, values)
    assert np.sum(density) * frequency[1] == pytest.approx(values.var(), rel=0.02)
    assert 1.0 / peak_frequency(frequency, density) == pytest.approx(12.5, rel=0.01)


@pytest.mark.parametrize("count", [16, 17, 33, 100, 601])
def test_a_spectrum_is_welchs(count):
    from scipy.signal import welch

    values = 3.0 + np.random.default_rng(1).normal(size=count)
    frequency, density = view.spectral_density(0.1 * np.arange(count), values)
    piece = max(16, 2 * count // 5)
    expected = welch(values, fs=10.0, nperseg=piece, detrend="constant")
    np.testing.assert_allclose(frequency, expected[0], rtol=1e-12, atol=0.0)
    np.testing.assert_allclose(density, expected[1], rtol=1e-9, atol=1e-12 * expected[1].max())


def test_a_spectrum_of_uneven_samples_is_that_of_even_ones():
    rng = np.random.default_rng(2)
    t = np.sort(rng.uniform(0.0, 1000.0, 4000))
    frequency, density = view.spectral_density(t, np.sin(2 * np.pi * t / 10.0))
    assert 1.0 / peak_frequency(frequency, density) == pytest.approx(10.0, rel=0.02)


def test_too_few_samples_for_a_spectrum_are_told():
    with pytest.raises(ResultError, match="16 samples or more, not 3"):
        view.spectral_density(np.arange(3.0), np.arange(3.0))


def test_the_spectra_figure_names_the_period():
    t = np.arange(0.0, 400.0, 0.5)
    axes = view.spectra(with_tension(5000.0 + 300.0 * np.sin(2 * np.pi * t / 8.0))).axes[0]
    assert [text.get_text() for text in axes.texts] == ["8 s"]
    assert axes.get_legend().get_texts()[0].get_text() == "cable_1, end"


def test_the_table_shows_the_most_loaded_end_first():
    figure = view.statistics(with_tension(np.linspace(1e3, 8e3, 50)))
    cells = [text.get_text() for text in figure.axes[0].texts]
    assert cells[9:18] == ["cable_1", "end", "4.500", "2.062", "1.000", "8.000", "–", "7.000", "0.5"]


def test_envelopes_hold_least_mean_and_largest_of_what_was_in_the_water():
    values = np.array([[1.0, np.nan], [3.0, np.nan], [8.0, np.nan]])
    low, mean, high = view.envelope(values)
    assert (low[0], mean[0], high[0]) == (1.0, 4.0, 8.0)
    assert np.isnan([low[1], mean[1], high[1]]).all()


def test_the_envelope_figure_has_a_row_for_each_quantity_that_is_not_zero():
    figure = view.envelopes(lowered_load())
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels[0] == "tension (kN)"
    assert "moment (N m)" not in labels
    assert labels[-1] == "height z (m)"
    top = figure.axes[0].lines[1].get_ydata()
    assert np.nanmax(top) == pytest.approx(float(lowered_load()["tension_effective"].max()) / 1e3)
