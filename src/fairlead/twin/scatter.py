"""Members that each sway in a way of their own, where nobody tells any longer how a drive sways."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .tracks import FADING, Track

TURNING = 4.0
"""Time constant with which members go over to a motion of their own, and back, at most, s."""
OVER = 12.0
"""Time constants after which they are back."""
SLIGHT = 1e-4
"""Share of the greatest power below which a frequency is left out."""


@dataclass(frozen=True)
class Scatter:
    """How far members are off the course that they have in common: as it swayed, each with phases of its own.

    The course that is expected fades with exp(−bτ), τ after the last fix; what is lost of its variance the members
    have between them, √(1 − exp(−2bτ)) of the motion that was heard.
    """

    since: float
    """Last fix, s."""
    begun: float
    """When it was found to be silent, s."""
    fading: float
    """b, 1/s."""
    frequencies: np.ndarray
    """(frequency,), rad/s."""
    amplitudes: np.ndarray
    """(2, frequency, axis): of the cosine and the sine, m."""
    phases: np.ndarray
    """(member, frequency)."""
    ended: float = np.inf
    """When it was heard again, s."""
    rest: Scatter | None = None
    """What is left of a silence before, from which members are still on their way back."""

    @classmethod
    def of(
        cls, track: Track, begun: float, members: int, key: list[int], rest: Scatter | None = None
    ) -> Scatter | None:
        """Of a track that is silent; None where it did not sway.

        key   what draws follow from
        rest  of a silence before
        """
        sway, gap = track.sway, track.usual_gap
        if sway is None or not gap:
            return None
        count = int((track.last - track.fixes[0][0]) / gap)
        times = track.last - gap * np.arange(count)[::-1]
        places = np.array([track.at(t)[0] for t in times])  # type: ignore[index]
        line = np.polynomial.polynomial.polyfit(times - track.last, places, 1)
        off = places - np.polynomial.polynomial.polyvander(times - track.last, 1) @ line
        window = np.hanning(count)
        lines = np.fft.rfft(window[:, None] * off, axis=0) * 2.0 / np.sqrt(count * np.sum(window**2))
        power = np.sum(np.abs(lines) ** 2, axis=1)
        power[0] = 0.0
        chosen = power > SLIGHT * power.max(initial=0.0)
        if not chosen.any():
            return None
        frequencies = 2.0 * np.pi * np.fft.rfftfreq(count, gap)[chosen]
        phases = np.random.default_rng(key).uniform(0.0, 2.0 * np.pi, (members, len(frequencies)))
        amplitudes = np.stack([lines[chosen].real, -lines[chosen].imag])
        return cls(track.last, begun, FADING * sway.frequency, frequencies, amplitudes, phases, rest=rest)

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """How far each member is off at a time [s], and how fast that changes, (member, axis) each; 0 in the mean."""
        angle = self.frequencies * (t - self.since) + self.phases
        (a, b), c, s = self.amplitudes, np.cos(angle), np.sin(angle)
        off, speed = c @ a + s @ b, (self.frequencies * c) @ b - (self.frequencies * s) @ a
        share, change = self._share(t)
        off, speed = share * off, share * speed + change * off
        left, leaving = (0.0, 0.0) if self.rest is None else self.rest.at(t)
        return off - off.mean(axis=0) + left, speed - speed.mean(axis=0) + leaving

    @property
    def turning(self) -> float:
        """Time constant with which members go over to a motion of their own, and back, s: as fast as it sways."""
        return min(TURNING, FADING / self.fading)

    def _share(self, t: float) -> tuple[float, float]:
        """How much of its motion each member makes, and how fast that changes."""
        if t <= self.begun:
            return 0.0, 0.0
        lost = np.exp(-2.0 * self.fading * (t - self.since))
        grown = np.sqrt(1.0 - lost)
        (begun, faster), (ended, slower) = (_over(t - then, self.turning) for then in (self.begun, self.ended))
        back = 1.0 - ended
        change = begun * back * self.fading * lost / grown + grown * (faster * back - begun * slower)
        return float(begun * back * grown), float(change)

    def spread(self, t: float) -> float:
        """Standard deviation along the axis on which it sways most, m."""
        own = float(self._share(t)[0] * np.sqrt(0.5 * np.sum(self.amplitudes**2, axis=(0, 1)).max()))
        return own if self.rest is None else float(np.hypot(own, self.rest.spread(t)))

    def ending(self, t: float) -> Scatter:
        """The same, on its way back from a time [s] on, if it is not yet; less what is over."""
        over = self.rest is not None and self.rest.is_over(t)
        if t >= self.ended and not over:
            return self
        return replace(self, ended=min(t, self.ended), rest=None if over else self.rest)

    @property
    def ends(self) -> bool:
        """Whether members are on their way back."""
        return self.ended < np.inf

    def thinned(self, members: int) -> Scatter:
        """Of the first so many."""
        rest = None if self.rest is None else self.rest.thinned(members)
        return replace(self, phases=self.phases[:members], rest=rest)

    def is_over(self, t: float) -> bool:
        return t - self.ended > OVER * self.turning and (self.rest is None or self.rest.is_over(t))


def _over(passed: float, turning: float) -> tuple[float, float]:
    """From 0 to 1 without a jerk, so long [s] after it began, and the rate of that."""
    if passed <= 0.0:
        return 0.0, 0.0
    x = passed / turning
    return float(1.0 - (1.0 + x) * np.exp(-x)), float(x * np.exp(-x) / turning)
