"""Waves on the sea: one regular train, or an irregular sea by its spectrum."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from fairlead.model.kinds import OfKind, known_kind, tag_of
from fairlead.model.part import TAG, Part
from fairlead.model.values import Degrees, Quantity, Whole

_Height = Annotated[float, Quantity("m", above=0)]
_Period = Annotated[float, Quantity("s", above=0)]
_Ramp = Annotated[float, Quantity("s", at_least=0)]
_DIRECTION = "direction the waves run towards, from x (north), positive towards y (west)"
_STRETCHING = (
    "where the motion of the water is read near the surface: `wheeler` as far below the moving surface as linear "
    "theory below the mean one, `vertical` as at mean water all the way up a crest, `none` not at all above mean water"
)
_RAMP = "time over which the waves grow from nothing to full; one {} when left out"

Stretching = Literal["wheeler", "vertical", "none"]

STEEPEST = 0.142
"""Height over length of the steepest wave in deep water; a steeper one breaks (Miche)."""


def wavenumber(omega: float, depth: float, gravity: float) -> float:
    """k [1/m] of ω² = g k tanh(k h): Newton's method from above, where it cannot fail."""
    deep = omega * omega / gravity
    if not math.isfinite(depth):
        return deep
    k = deep / math.sqrt(math.tanh(deep * depth))
    for _ in range(50):
        t = math.tanh(k * depth)
        step = (gravity * k * t - omega * omega) / (gravity * (t + k * depth * (1 - t * t)))
        k -= step
        if abs(step) <= 1e-15 * k:
            break
    return k


def breaking_height(period: float, depth: float, gravity: float) -> float:
    """Height [m] above which a wave of this period breaks: 0.142 λ tanh(k h)."""
    k = wavenumber(2 * math.pi / period, depth, gravity)
    return STEEPEST * 2 * math.pi / k * math.tanh(min(k * depth, 50.0))


class RegularWaves(OfKind):
    """One train of waves of one height and period: η = ½ height cos(k·x − 2πt/period + phase)."""

    kind: Literal["regular"] = Field(default="regular", description="`regular`")
    height: _Height = Field(description="height of the waves, from trough to crest")
    period: _Period = Field(description="their period")
    direction_deg: Degrees = Field(default=0.0, description=_DIRECTION)
    phase_deg: Degrees = Field(default=0.0, description="phase at x = y = 0 and t = 0, where 0 is a crest")
    ramp: _Ramp = Field(default_factory=lambda known: known.get("period") or 0.0, description=_RAMP.format("period"))
    stretching: Stretching = Field(default="wheeler", description=_STRETCHING)

    @property
    def main_period(self) -> float:
        """The period that tells how the sea feels, s."""
        return self.period

    @property
    def main_height(self) -> float:
        """The height that tells how the sea feels, m."""
        return self.height


class JonswapWaves(OfKind):
    """An irregular sea with the JONSWAP spectrum, as a sum of regular waves with random phases."""

    kind: Literal["jonswap"] = Field(default="jonswap", description="`jonswap`")
    significant_height: _Height = Field(description="significant height of the waves, 4 times the standard deviation")
    peak_period: _Period = Field(description="period at the peak of the spectrum")
    gamma: Annotated[float, Quantity(at_least=1, at_most=20)] = Field(
        default=3.3, description="peakedness; 1 is the Pierson-Moskowitz sea"
    )
    direction_deg: Degrees = Field(default=0.0, description=_DIRECTION)
    spreading: Annotated[float, Quantity(at_least=1, at_most=1000)] | None = Field(
        default=None, description="exponent s of cos^2s((angle)/2) about the direction; long crests when left out"
    )
    components: Annotated[int, Whole(2, 1000)] = Field(
        default=60, description="number of regular waves it is made of, each with the same share of the energy"
    )
    seed: Annotated[int, Whole(0, 2**32 - 1)] = Field(
        default=1, description="number that chooses the random phases: the same seed gives the same sea"
    )
    ramp: _Ramp = Field(
        default_factory=lambda known: known.get("peak_period") or 0.0, description=_RAMP.format("peak period")
    )
    stretching: Stretching = Field(default="wheeler", description=_STRETCHING)

    @property
    def main_period(self) -> float:
        """The period that tells how the sea feels, s."""
        return self.peak_period

    @property
    def main_height(self) -> float:
        """The height that tells how the sea feels, m."""
        return self.significant_height


WAVE_KINDS: dict[str, type[Part]] = {"regular": RegularWaves, "jonswap": JonswapWaves}


Waves = Annotated[
    Annotated[
        Annotated[RegularWaves, Tag(TAG + "regular")] | Annotated[JonswapWaves, Tag(TAG + "jonswap")],
        Discriminator(tag_of(WAVE_KINDS)),
    ],
    BeforeValidator(known_kind("waves", "a mapping with a kind", WAVE_KINDS)),
]
