"""Settings of the `spline` formulation."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from fairlead.model.motion import increasing_times
from fairlead.model.part import Part, exactly_one
from fairlead.model.problems import Mistake
from fairlead.model.values import Degrees, Direction, Name, Quantity, Row, Seconds


class TwistHarmonic(Part):
    """A sine: angle = mean + amplitude * sin(2 pi t / period + phase), faded in over `ramp`."""

    mean_deg: Degrees = Field(default=0.0, description="mean angle")
    amplitude_deg: Degrees = Field(description="amplitude of the angle")
    period: Annotated[float, Quantity("s", above=0)] = Field(description="period of the sine")
    phase_deg: Degrees = Field(default=0.0, description="phase at t = 0")
    ramp: Annotated[float, Quantity("s", at_least=0)] = Field(
        default=0.0, description="time over which the sine grows from nothing to full"
    )


class Twist(Part):
    """How far the end of a cable is turned about its axis against its start; both ends hold the twist."""

    angle_deg: Degrees | None = Field(default=None, description="an angle that never changes")
    table: tuple[Annotated[tuple[Seconds, Degrees], Row("t angle_deg")], ...] | None = Field(
        default=None, description="rows [t, angle_deg], linear between rows, held beyond the ends"
    )
    harmonic: TwistHarmonic | None = Field(default=None, description="a sine about a mean angle")
    torque: Literal["conservative", "follower"] = Field(
        default="conservative",
        description="how the torque enters at a pinned end: `conservative` by a joint that keeps normal to "
        "`reference`, `follower` along the cable's own axis",
    )
    reference: Direction | None = Field(
        default=None,
        description="direction that the twist is counted against; normal to the plane in which the cable first hangs "
        "when left out. The cable must never run along it",
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "angle_deg", "table", "harmonic")

    def relations(self) -> Iterator[Mistake]:
        if self.table is not None:
            yield from increasing_times(self.table, "table")
        if self.reference is not None and not 1e-100 < sum(abs(part) for part in self.reference) < 1e100:
            yield Mistake(("reference",), "must be a direction, not a vector without length", "e.g. [0, 1, 0]")


class SplineSettings(Part):
    """Settings of the `spline` formulation."""

    mass: Literal["consistent", "lumped"] = Field(
        default="consistent",
        description="how mass and weight are spread: `consistent` with the curve, or `lumped` in the nodes",
    )
    twists: dict[Name, Twist] = Field(
        default={},
        description="for cables by name: their ends hold the twist, and turn as given here; cables clamped at both "
        "ends hold it without",
    )
