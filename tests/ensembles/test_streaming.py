"""Statistics folded sample by sample against the same from the whole history, each by its plainest definition."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from fairlead.ensembles.channels import COLUMN, Channel
from fairlead.ensembles.collector import Collector, Question
from fairlead.ensembles.wanted import Wanted
from fairlead.results import ObservationShape

ASTM = [-2.0, 1.0, -3.0, 5.0, -1.0, 3.0, -4.0, 4.0, -2.0]
"""The history of ASTM E1049-85, figure 6."""


class Bare(Channel):
    """The first column of a row, its least and largest in the next two."""

    def rule(self, shape):
        return [COLUMN, 0, 1, 1, 1, 2]


def folded(rows, times, piece=7, start=None, length=100.0, **asked):
    """The statistics of a channel, by name, told in pieces."""
    wanted = Wanted(Bare("x", "x", "x", -1, "N", "x"), **asked)
    shape = ObservationShape((), (), (), ())
    question = Question([wanted], shape, times[0] if start is None else start, length)
    collector = Collector(question, np.zeros((1, 1, 2)))
    for first in range(0, len(rows), piece):
        part = np.ascontiguousarray(rows[first : first + piece])
        collector.take(part[None], times[first : first + piece], 0, len(part))
    return dict(zip((column.statistic for column in wanted.columns(length)), collector.rows()[0], strict=True))


def plain(values):
    """Rows that know of nothing between the samples."""
    values = np.asarray(values, dtype=float)
    return np.column_stack([values, np.full((len(values), 2), np.nan)]), np.arange(len(values), dtype=float)


def counted(history):
    """Rainflow as the standard words it, rule by rule on a list of points: (range, count)."""
    triples = zip(history, history[1:], history[2:], strict=False)
    turns = [history[0], *(b for a, b, c in triples if (b - a) * (c - b) < 0), history[-1]]
    read, cycles = [], []
    for point in turns:
        read.append(point)
        while len(read) >= 3:
            x, y = abs(read[-1] - read[-2]), abs(read[-2] - read[-3])
            if x < y:
                break
            if len(read) == 3:  # y contains the starting point: half a cycle, its first point goes
                cycles.append((y, 0.5))
                read = read[1:]
            else:
                cycles.append((y, 1.0))
                read = [*read[:-3], read[-1]]
    return cycles + [(abs(b - a), 0.5) for a, b in pairwise(read)]


def test_the_cycles_of_the_standards_example():
    """ASTM E1049-85, 5.4.4: ranges 3, 4, 6, 8, 9 count 0.5, 1.5, 0.5, 1, 0.5."""
    table = {3.0: 0.5, 4.0: 1.5, 6.0: 0.5, 8.0: 1.0, 9.0: 0.5}
    found = folded(*plain(ASTM), piece=2, exponents=(1.0, 3.0))
    assert found["cycles"] == 4.0
    assert found["damage_m1"] == pytest.approx(sum(n * r for r, n in table.items()))
    assert found["damage_m3"] == pytest.approx(sum(n * r**3 for r, n in table.items()))


@pytest.mark.parametrize("seed", range(5))
def test_a_random_history_by_its_definitions(seed):
    random = np.random.default_rng(seed)
    x = np.cumsum(random.normal(size=300)) + 5.0 * random.normal(size=300)
    levels = (float(np.quantile(x, 0.3)), float(np.quantile(x, 0.9)))
    found = folded(
        *plain(x), mean=True, std=True, least=True, largest=True, percentiles=(5.0, 50.0, 99.0), exceeds=levels,
        upcrossings=levels, exponents=(3.0, 5.0),
    )  # fmt: skip
    assert found["mean"] == pytest.approx(x.mean(), rel=1e-12)
    assert found["std"] == pytest.approx(x.std(), rel=1e-12)
    assert (found["min"], found["max"]) == (x.min(), x.max())
    assert (found["min_time"], found["max_time"]) == (x.argmin(), x.argmax())
    bin_width = np.ptp(x) / 1024
    for percent in (5, 50, 99):
        near = np.quantile(x, percent / 100, method="inverted_cdf"), np.quantile(x, percent / 100, method="higher")
        assert min(near) - bin_width <= found[f"p{percent}"] <= max(near) + bin_width
    for level in levels:
        assert found[f"exceeds_{level:g}"] == np.mean(x > level)
        assert found[f"upcrossings_{level:g}"] == sum(a < level <= b for a, b in pairwise(x))
    for m in (3, 5):
        assert found[f"damage_m{m}"] == pytest.approx(sum(n * r**m for r, n in counted(list(x))), rel=1e-12)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_percentiles_of_values_that_leap(side):
    """A few near each other, then one a million times as far, then all between: bins hold what was in them before."""
    near = 5.0 + 1e-6 * np.arange(10)
    between = np.linspace(5.0, 5.0 + side * 4e6, 50)
    x = np.concatenate([near, between[-1:], between, -0.5 * between])
    found = folded(*plain(x), percentiles=(1.0, 10.0, 50.0, 90.0, 100.0))
    width = (x.max() - x.min()) / 1024  # at least half of the bins are between the least and the largest
    for percent in (1, 10, 50, 90, 100):
        least, most = (
            np.quantile(x, percent / 100, method="inverted_cdf"),
            np.quantile(x, percent / 100, method="higher"),
        )
        assert least - width <= found[f"p{percent}"] <= most + width


def test_turning_points_are_kept_when_there_are_many():
    """Ever smaller ranges close no cycle: all points wait for the end, in room that grows on the way."""
    x = [(-1.0) ** k * (200 - k) for k in range(200)]
    found = folded(*plain(x), exponents=(3.0,))
    assert found["damage_m3"] == pytest.approx(sum(n * r**3 for r, n in counted(x)), rel=1e-12)


def test_peaks_between_the_samples_count():
    """A sine of 40 steps a period, seen at every fifth step with the extremes of the steps between."""
    t = np.arange(0, 401)
    x = np.sin(2.0 * np.pi * t / 40.0 + 0.3)
    at = np.arange(0, 401, 5)
    rows = np.array([(x[k], x[max(0, k - 4) : k + 1].min(), x[max(0, k - 4) : k + 1].max()) for k in at])
    asked = {"least": True, "largest": True, "upcrossings": (0.99,), "exponents": (3.0,), "block": 100.0}
    found = folded(rows, at.astype(float), length=400.0, **asked)
    whole = folded(*plain(x), length=400.0, **asked)
    seen = folded(*plain(x[at]), length=400.0, **asked)
    for name in ("min", "max", "upcrossings_0.99", "cycles"):
        assert found[name] == whole[name]
    assert found["damage_m3"] == pytest.approx(whole["damage_m3"], rel=1e-12)
    assert seen["damage_m3"] < 0.99 * whole["damage_m3"]
    blocks = [x[100 * k + (k > 0) : 100 * k + 101].max() for k in range(4)]
    assert [found[f"block_maxima_{k}"] for k in range(4)] == blocks


def two_sines(t):
    """Of 40 and 97 steps a period."""
    return np.sin(2.0 * np.pi * t / 40.0 + 0.3) + 0.6 * np.sin(2.0 * np.pi * t / 97.0)


def seen_aside(steps, every, aside):
    """Rows of `two_sines` at every so many steps; the extremes are those of that history so much of a step aside."""
    other = two_sines(np.arange(steps + 1) + aside)
    at = np.arange(0, steps + 1, every)
    between = [other[max(0, k - every) : max(1, k)] for k in at]
    return np.array([(two_sines(k), x.min(), x.max()) for k, x in zip(at, between, strict=True)]), at.astype(float)


@pytest.mark.parametrize("every", [1, 2, 5])
@pytest.mark.parametrize("aside", [-0.3, 0.3])
def test_extremes_taken_a_part_of_a_step_early_or_late_make_no_cycles(every, aside):
    """Where the history rises or falls steadily, extremes lie beyond the samples: that is no reversal."""
    found = folded(*seen_aside(2000, every, aside), exponents=(3.0,))
    cycles = counted(list(two_sines(np.arange(2001))))
    assert found["cycles"] == sum(n for _, n in cycles)
    assert found["damage_m3"] == pytest.approx(sum(n * r**3 for r, n in cycles), rel=0.01)


@pytest.mark.parametrize("every", [1, 2])
@pytest.mark.parametrize("aside", [-0.05, 0.05])
def test_extremes_taken_a_little_early_or_late_cross_no_levels(every, aside):
    found = folded(*seen_aside(2000, every, aside), upcrossings=(-0.2, 0.1, 0.3))
    x = two_sines(np.arange(2001))
    for level in (-0.2, 0.1, 0.3):
        assert found[f"upcrossings_{level:g}"] == sum(a < level <= b for a, b in pairwise(x))


def test_what_is_not_there_is_no_number():
    found = folded(*plain([np.nan, np.nan]), mean=True, largest=True, percentiles=(50.0,), exponents=(3.0,))
    assert np.isnan(list(found.values())).all()
    found = folded(*plain([np.nan, 3.0, 3.0]), mean=True, std=True, percentiles=(50.0,), exponents=(3.0,))
    assert found["mean"] == 3.0
    assert found["std"] == found["cycles"] == found["damage_m3"] == 0.0
    assert found["p50"] == pytest.approx(3.0, rel=1e-5)
