"""Drives that are not heard: they go as those beside them do, where they did so before, or else as they went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from .smoothing import LEAST
from .tracks import Track

LAGS = (20.0, 30.0, 40.0, 50.0, 60.0)
"""How long before the last fix each trial begins by which it is judged how a drive goes, s."""
CHANGED = 0.1
"""Standard deviation of the speed of a drive after a while, over its speed, where its past is too short to tell."""
LEAST_WAY = 1.0
"""Distance below which two drives count as this far apart, m."""


@dataclass(frozen=True)
class Unheard:
    """A drive that fell silent, from its last fix on."""

    since: float
    """When that was, s."""
    place: np.ndarray
    """There, or where it was thought to be when one of the others fell silent, too."""
    others: dict[str, tuple[np.ndarray, float]]
    """Drives that it goes along with: where they were then, and their weights; none where it goes on by itself."""
    doubt: float
    """Standard deviation of the guess after one second, m; it grows with the root of time where it goes along with
    others (what they differ by wanders), in proportion to it by itself (its speed is wrong)."""

    @classmethod
    def of(cls, track: Track, heard: Mapping[str, Track]) -> Unheard:
        """How a drive goes that fell silent, beside those that are heard: by which of both ways its last minute was
        told better from before."""
        since = track.last
        found = track.at(since)
        assert found is not None
        place, first = found[0], track.fixes[0][0]
        known = {name: other for name, other in heard.items() if other.fixes and other.fixes[0][0] <= first + LAGS[0]}
        others = _weighted(place, {name: _at(other, since) for name, other in known.items()})
        alone, along = [], []
        for lag in LAGS:
            before = track.until(since - lag)
            if len(before.fixes) < 2 or any(other.fixes[0][0] > since - lag for other in known.values()):
                continue
            begun = _at(before, since - lag)
            way = sum(weight * (there - _at(known[name], since - lag)) for name, (there, weight) in others.items())
            alone.append(_rms(_at(before, since) - place) / lag)
            along.append(_rms(begun + way - place) / lag**0.5)
        if others and alone and np.hypot.reduce(along) * np.mean(LAGS) ** 0.5 < np.hypot.reduce(alone) * np.mean(LAGS):
            return cls(since, place, others, _rms(np.array(along)))
        return cls(since, place, {}, _rms(np.array(alone)) if alone else _untried(track))

    def beside(self, t: float, tracks: Mapping[str, Track], heard: Mapping[str, Track]) -> Unheard:
        """The same from a time [s] on, along with those of the others that are still heard, if any are."""
        found = self.at(t, tracks)
        if found is None or not heard or all(name in heard for name in self.others):
            return self
        others = _weighted(found[0], {name: _at(heard[name], t) for name in self.others if name in heard})
        return replace(self, place=found[0], others=others) if others else self

    def spread(self, t: float) -> float:
        """Standard deviation of the guess at a time [s], m along each axis."""
        passed = max(t - self.since, 0.0)
        return self.doubt * (passed**0.5 if self.others else passed)

    def at(self, t: float, tracks: Mapping[str, Track], trend: bool = False) -> tuple[np.ndarray, np.ndarray] | None:
        """Place and rate at a time [s]; None where it goes on by itself. `trend`: with the rate that tells where it
        will be."""
        if not self.others:
            return None
        place, rate = self.place.copy(), np.zeros_like(self.place)
        for name, (there, weight) in self.others.items():
            found = tracks[name].at(t)
            ahead = tracks[name].trend(t) if trend else found
            assert found is not None
            assert ahead is not None
            place += weight * (found[0] - there)
            rate += weight * ahead[1]
        return place, rate


def _untried(track: Track) -> float:
    """Standard deviation of the speed of a drive whose fixes are too few or too far apart for a trial, m/s: that of a
    line through them, and what speeds change by."""
    times = [stamp for stamp, _ in track.fixes]
    found = track.at(times[-1])
    assert found is not None
    if len(times) < 2:
        return LEAST_WAY
    return float(np.hypot(max(track.noise, LEAST) / (times[-1] - times[0]), CHANGED * np.linalg.norm(found[1])))


def _at(track: Track, t: float) -> np.ndarray:
    found = track.at(t)
    assert found is not None
    return found[0]


def _weighted(place: np.ndarray, others: Mapping[str, np.ndarray]) -> dict[str, tuple[np.ndarray, float]]:
    """Where others are, with weights by the inverse square of their distance: of two neighbours on either side, that is
    what lies between them."""
    near = {n: max(LEAST_WAY, float(np.linalg.norm(there - place))) ** -2 for n, there in others.items()}
    return {name: (others[name], weight / sum(near.values())) for name, weight in near.items()}


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(values))))
