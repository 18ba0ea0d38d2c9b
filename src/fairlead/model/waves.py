"""Waves on the sea: one regular train, an irregular sea by its spectrum, those of `seas`, and several at once."""

import math
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from fairlead.model.kinds import OfKind, known_kind, tag_of
from fairlead.model.part import TAG, Part
from fairlead.model.problems import Mistake
from fairlead.model.seas import (
    DIRECTION,
    RAMP,
    SEED,
    SPREADING,
    STRETCHED,
    STRETCHING,
    ComponentWaves,
    Height,
    Period,
    Ramp,
    RecordWaves,
    SpectrumWaves,
    Stretching,
)  # fmt: skip
from fairlead.model.values import Degrees, Quantity, Whole

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
    height: Height = Field(description="height of the waves, from trough to crest")
    period: Period = Field(description="their period")
    direction_deg: Degrees = Field(default=0.0, description=DIRECTION)
    phase_deg: Degrees = Field(default=0.0, description="phase at x = y = 0 and t = 0, where 0 is a crest")
    ramp: Ramp = Field(default_factory=lambda known: known.get("period") or 0.0, description=RAMP.format("one period"))
    stretching: Stretching = Field(default=STRETCHED, description=STRETCHING)

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
    significant_height: Height = Field(description="significant height of the waves, 4 times the standard deviation")
    peak_period: Period = Field(description="period at the peak of the spectrum")
    gamma: Annotated[float, Quantity(at_least=1, at_most=20)] = Field(
        default=3.3, description="peakedness; 1 is the Pierson-Moskowitz sea"
    )
    direction_deg: Degrees = Field(default=0.0, description=DIRECTION)
    spreading: Annotated[float, Quantity(at_least=1, at_most=1000)] | None = Field(default=None, description=SPREADING)
    components: Annotated[int, Whole(2, 1000)] = Field(
        default=60, description="number of regular waves it is made of, each with the same share of the energy"
    )
    seed: Annotated[int, Whole(0, 2**32 - 1)] = Field(default=1, description=SEED)
    ramp: Ramp = Field(
        default_factory=lambda known: known.get("peak_period") or 0.0, description=RAMP.format("one peak period")
    )
    stretching: Stretching = Field(default=STRETCHED, description=STRETCHING)

    @property
    def main_period(self) -> float:
        """The period that tells how the sea feels, s."""
        return self.peak_period

    @property
    def main_height(self) -> float:
        """The height that tells how the sea feels, m."""
        return self.significant_height


TRAINS: dict[str, type[Part]] = {
    "regular": RegularWaves, "jonswap": JonswapWaves, "components": ComponentWaves, "record": RecordWaves,
    "spectrum": SpectrumWaves,
}  # fmt: skip

_Train = (
    Annotated[RegularWaves, Tag(TAG + "regular")]
    | Annotated[JonswapWaves, Tag(TAG + "jonswap")]
    | Annotated[ComponentWaves, Tag(TAG + "components")]
    | Annotated[RecordWaves, Tag(TAG + "record")]
    | Annotated[SpectrumWaves, Tag(TAG + "spectrum")]
)
Train = Annotated[
    Annotated[_Train, Discriminator(tag_of(TRAINS))],
    BeforeValidator(known_kind("waves", "a mapping with a kind", TRAINS)),
]


class SeveralWaves(OfKind):
    """Several trains at once, each of any other kind: a swell under a wind sea. A list of them may stand for it."""

    kind: Literal["several"] = Field(default="several", description="`several`")
    trains: tuple[Train, ...] = Field(description="the trains, each a mapping with a kind")
    ramp: Ramp = Field(
        default_factory=lambda known: max((train.ramp for train in known.get("trains") or ()), default=0.0),
        description=RAMP.format("the longest of its trains'"),
    )
    stretching: Stretching = Field(default=STRETCHED, description=STRETCHING)

    def relations(self) -> Iterator[Mistake]:
        if not self.trains:
            yield Mistake(("trains",), "must hold at least one train")
        for index, train in enumerate(self.trains):
            for key in ("ramp", "stretching"):  # a result holds those left out, too
                field = type(train).model_fields[key]
                left_out = field.get_default(call_default_factory=True, validated_data=vars(train))
                if getattr(train, key) not in (getattr(self, key), left_out):
                    yield Mistake(("trains", index, key), "belongs to the whole sea", "give it beside 'trains'")

    @property
    def highest(self) -> Any:
        """The train that counts most."""
        return max(self.trains, key=lambda train: train.main_height)

    @property
    def main_period(self) -> float:
        """Of the train that counts most, s."""
        return float(self.highest.main_period)

    @property
    def main_height(self) -> float:
        """√ΣH² of its trains, m."""
        return math.sqrt(sum(train.main_height**2 for train in self.trains))

    @property
    def direction_deg(self) -> float:
        """Of the train that counts most, degrees."""
        return float(self.highest.direction_deg)


WAVE_KINDS: dict[str, type[Part]] = {**TRAINS, "several": SeveralWaves}


def _listed(value: Any) -> Any:
    return {"kind": "several", "trains": value} if isinstance(value, (list, tuple)) else value


Waves = Annotated[
    Annotated[_Train | Annotated[SeveralWaves, Tag(TAG + "several")], Discriminator(tag_of(WAVE_KINDS))],
    BeforeValidator(known_kind("waves", "a mapping with a kind, or a list of them", WAVE_KINDS)),
    BeforeValidator(_listed),
]
