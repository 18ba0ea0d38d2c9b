"""Spectra of tension: at which periods a cable is worked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairlead.results import ResultError

from .histories import CableHistory, cable_histories
from .style import FAINT, PALETTE, in_house_style, legend_beside, new_figure, panel_area, plain, scale_for, short

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST_SAMPLES = 16
ROUNDING = 1e-8
"""A standard deviation below this part of the largest tension is none."""
SEGMENTS = 4  # pieces of the record, overlapping by half, whose spectra are averaged


def spectral_density(
    times: NDArray[np.float64], values: NDArray[np.float64], segments: int = SEGMENTS
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One-sided spectral density S(f) of a history about its mean: frequencies (Hz) and S (unit squared per Hz).

    Welch's method with a Hann window; unevenly spaced samples are brought onto even ones by straight lines. The area
    under S is the variance.
    """
    known = np.isfinite(values)
    times, values = times[known], values[known]
    if len(times) < LEAST_SAMPLES:
        raise ResultError(f"a spectrum needs {LEAST_SAMPLES} samples or more, not {len(times)}; record more often")
    even = np.linspace(times[0], times[-1], len(times))
    length = min(len(even), max(LEAST_SAMPLES, 2 * len(even) // (segments + 1)))
    return _welch(np.interp(even, times, values), float(even[1] - even[0]), length)


def _welch(
    values: NDArray[np.float64], interval: float, length: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean of |X_k|² over pieces of so many samples, each about its own mean and under a Hann window, per Hz.

    In numpy, since `scipy.signal` takes a second to import and a report needs nothing else of it.
    """
    window = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(length) / length)
    pieces = np.lib.stride_tricks.sliding_window_view(values, length)[:: length - length // 2]
    heights = np.abs(np.fft.rfft(window * (pieces - pieces.mean(axis=1, keepdims=True)), axis=1)) ** 2
    density = heights.mean(axis=0) * interval / np.sum(window**2)
    density[1 : (length + 1) // 2] *= 2.0  # what stands at −f; 0 and, of an even length, the last stand alone
    return np.asarray(np.fft.rfftfreq(length, interval), np.float64), density


@in_house_style
def spectra(dataset: xr.Dataset, after: float | None = None) -> Figure:
    """Spectral density of the tension at the end of each cable that varies most, over samples from ``after`` (s) on.

    Of many cables those that vary most are drawn. The period of the largest peak is written beside it.
    """
    chosen = dataset["time"].values >= (-np.inf if after is None else after)
    times = np.asarray(dataset["time"].values[chosen], dtype=np.float64)
    figure = new_figure(dataset, "Spectra of tension at the end that varies most", 11.0, 5.6)
    grid = figure.add_gridspec(1, 1, **panel_area(figure, left=1.0, right=2.3, below=0.52))
    axes = figure.add_subplot(grid[0])
    axes.set_xlabel("frequency (Hz)")
    axes.set_ylabel("spectral density (N²/Hz)")
    found = [series for series in (_liveliest(cable, chosen) for cable in cable_histories(dataset)) if series]
    found = sorted(found, key=lambda series: -float(np.nanstd(series[2])))[: len(PALETTE)]
    if len(times) < LEAST_SAMPLES or not found:
        axes.text(0.5, 0.5, f"fewer than {LEAST_SAMPLES} samples: no spectrum", transform=axes.transAxes, ha="center")
        return figure
    if not any(_varies(series[2]) for series in found):
        axes.text(0.5, 0.5, "the tension does not vary", transform=axes.transAxes, ha="center", color=FAINT)
        return figure
    divisor, unit = scale_for([np.nanmax(np.abs(series[2])) for series in found], "N")
    handles, labels, strongest = [], [], 0.0
    for (name, end, values), colour in zip(found, PALETTE, strict=False):
        frequency, density = spectral_density(times, values / divisor)
        (line,) = axes.plot(frequency[1:], density[1:], color=colour)
        handles.append(line)
        strongest = max(strongest, float(density[1:].max()))
        labels.append(f"{short(name)}, {end}")
        if line is handles[0]:
            _mark_peak(axes, frequency[1:], density[1:], colour)
    axes.set_ylabel(f"spectral density ({unit}²/Hz)")
    interval = float(np.median(np.diff(times)))
    axes.set_title(f"Samples every {interval:.3g} s: periods down to {2 * interval:.3g} s show")
    low, high = axes.get_ylim()
    if strongest > 0.0:
        axes.set_yscale("log")
        axes.set_ylim(max(low, high * 1e-6, 1e-300), high * 3.0)
    axes.set_xlim(0.0, float(frequency[-1]))
    legend_beside(axes, handles, labels)
    return figure


def peak_frequency(frequency: NDArray[np.float64], density: NDArray[np.float64]) -> float:
    """Frequency of the largest peak, Hz: the top of the parabola through the logarithm of it and its neighbours."""
    peak = int(np.argmax(density))
    if not 0 < peak < len(density) - 1 or min(density[peak - 1 : peak + 2]) <= 0.0:
        return float(frequency[peak])
    below, top, above = np.log(density[peak - 1 : peak + 2])
    bend = below - 2.0 * top + above
    shift = 0.5 * (below - above) / bend if bend < 0.0 else 0.0
    return float(frequency[peak] + shift * (frequency[1] - frequency[0]))


def _liveliest(cable: CableHistory, chosen: NDArray[np.bool_]) -> tuple[str, str, NDArray[np.float64]] | None:
    """Name, end and tension of the end of a cable whose tension varies most; None where too little is known."""
    ends = [(end, cable.end_tension(k)[chosen]) for k, end in enumerate(("start", "end"))]
    ends = [(end, values) for end, values in ends if np.isfinite(values).sum() >= LEAST_SAMPLES]
    if not ends:
        return None
    end, values = max(ends, key=lambda one: float(np.nanstd(one[1])))
    return (cable.name, end, values)


def _varies(values: NDArray[np.float64]) -> bool:
    """Whether a tension varies by more than rounding."""
    return float(np.nanstd(values)) > ROUNDING * float(np.nanmax(np.abs(values)))


def _mark_peak(axes: Axes, frequency: NDArray[np.float64], density: NDArray[np.float64], colour: str) -> None:
    peak = int(np.argmax(density))
    if density[peak] <= 0.0:
        return
    axes.plot(frequency[peak], density[peak], "o", ms=5, color=colour, mec="white", mew=0.8)
    late = peak > 0.6 * len(frequency)
    axes.annotate(
        plain(f"{1 / peak_frequency(frequency, density):.3g} s"),
        (frequency[peak], density[peak]),
        xytext=(-7 if late else 7, 3),
        textcoords="offset points",
        ha="right" if late else "left",
        color=FAINT,
        fontsize=9,
    )
