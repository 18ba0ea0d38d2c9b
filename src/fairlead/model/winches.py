"""Winches: how much cable is paid out, and when."""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field

from fairlead.model.interpolation import interpolated
from fairlead.model.motion import increasing_times
from fairlead.model.part import Part
from fairlead.model.problems import Mistake
from fairlead.model.values import MetresPerSecond, Quantity, Row, Seconds

_Length = Annotated[float, Quantity("m", above=0)]
_Ratio = Annotated[float, Quantity(above=0)]
_SAME = 1e-9
_Speed = Annotated[float, Quantity("m/s", above=0)]
_DRUM_KEYS = ("split", "merge", "merge_after_reversal")


class WinchControl(Part):
    """A controller that turns a winch beside its schedule: it holds a tension, or takes the heave of the winch out.

    `constant_tension` pays out at `speed_max` times (tension - goal) / `band`; `heave_compensation` pays out as fast as
    the winch end rises.
    """

    kind: Literal["constant_tension", "heave_compensation"] = Field(description="what it does")
    speed_max: _Speed = Field(description="greatest speed of the winch, both ways, its schedule included")
    acceleration_max: Annotated[float, Quantity("m/s^2", above=0)] | None = Field(
        default=None, description="greatest change of its speed; no limit when left out"
    )
    lag: Annotated[float, Quantity("s", at_least=0)] = Field(
        default=0.0, description="time constant with which it reads the tension, or the heave"
    )
    tension: Annotated[float, Quantity("N", above=0)] | None = Field(
        default=None, description="of `constant_tension`: tension at the winch that it holds"
    )
    band: Annotated[float, Quantity("N", above=0)] | None = Field(
        default=None,
        description="of `constant_tension`: how far the tension is off where the winch runs at `speed_max`; it stays "
        "within this as long as the winch is fast enough",
    )
    efficiency: Annotated[float, Quantity(above=0, at_most=1)] = Field(
        default=1.0, description="of `heave_compensation`: part of the heave that is taken out"
    )
    along: Literal["vertical", "wire"] = Field(
        default="vertical", description="of `heave_compensation`: the motion it takes out, upward or along the wire"
    )

    def relations(self) -> Iterator[Mistake]:
        if self.kind == "constant_tension":
            for name, example in (("tension", "50 kN"), ("band", "5 kN")):
                if getattr(self, name) is None:
                    yield Mistake((), f"'{name}' is missing for a constant tension", f"add '{name}: {example}'", True)
            unused: tuple[str, ...] = ("efficiency", "along")
        else:
            unused = ("tension", "band")
        for name in unused:
            if getattr(self, name) != type(self).model_fields[name].default:
                message = f"has no meaning for 'kind: {self.kind}'"
                yield Mistake((name,), message, "remove it, or use the other kind", True)


class Winch(Part):
    """A winch at one end of a cable that pays out or hauls in. A positive rate pays out."""

    end: Literal["start", "end"] = Field(description="the end of the cable at the winch")
    rate: MetresPerSecond | None = Field(default=None, description="constant speed of paying out, negative to haul in")
    table: tuple[Annotated[tuple[Seconds, MetresPerSecond], Row("t rate")], ...] | None = Field(
        default=None, description="rows [t, rate], linear between rows, held beyond the ends; instead of `rate`"
    )
    mode: Literal["drum", "rescale"] = Field(
        default="drum",
        description="`drum` creates and absorbs elements at the winch; `rescale` changes all elements together",
    )
    length_max: _Length | None = Field(
        default=None,
        description="greatest length; what the schedule reaches when left out, needed without `rate` and `table`",
    )
    length_min: _Length | None = Field(
        default=None,
        description="least length; one element at the winch when left out, and no more than a tenth of the cable with "
        "`mode: rescale`",
    )
    split: _Ratio = Field(default=1.5, description="an element at the drum is split at this multiple of its length")
    merge: _Ratio = Field(default=0.5, description="an element at the drum is absorbed below this multiple")
    merge_after_reversal: _Ratio = Field(
        default=0.4, description="the same after the rate has changed sign, so that a heaving drum does not chatter"
    )

    control: WinchControl | None = Field(
        default=None, description="a controller that turns it beside its schedule: constant tension, heave compensation"
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        if "control" in given and "length_max" not in given:
            hint = "add 'length_max': the length of cable on board and over the side"
            yield Mistake((), "the greatest length is not known: a controller decides how much is paid out", hint, True)
            return
        if {"rate", "table"} <= given:
            yield Mistake(("table",), "cannot stand beside 'rate'", "keep one of 'rate' and 'table'", True)
        if not given & {"rate", "table", "length_max"}:
            hint = "add 'rate', 'table', or 'length_max' for a winch run live"
            yield Mistake((), "the greatest length is not known: no rate, no table, no length_max", hint, True)

    def relations(self) -> Iterator[Mistake]:
        if self.table is not None:
            yield from increasing_times(self.table, "table")
        elif self.rate is not None and self.control is not None and abs(self.rate) > self.control.speed_max:
            message = f"{abs(self.rate):.6g} m/s is more than control.speed_max, {self.control.speed_max:.6g} m/s"
            yield Mistake(("rate",), message, f"use {self.control.speed_max:.6g} m/s or less")
        if self.length_min is not None and self.length_max is not None and self.length_min > self.length_max:
            message = f"{self.length_min:.6g} m is more than length_max, {self.length_max:.6g} m"
            yield Mistake(("length_min",), message, f"use {self.length_max:.6g} m or less")
        if self.mode == "rescale":
            for name in _DRUM_KEYS:
                if getattr(self, name) != type(self).model_fields[name].default:
                    yield Mistake((name,), "has no meaning for 'mode: rescale'", "remove it, or use 'mode: drum'", True)
        elif self.split < (1 + self.merge) * (1 - _SAME):
            message = f"an element split at {self.split:g} leaves {self.split - 1:.3g}, which merges at once"
            yield Mistake(("split",), f"{message}: merge is {self.merge:g}", f"use {1 + self.merge:g} or more")
        if self.merge_after_reversal > self.merge:
            message = f"{self.merge_after_reversal:g} is more than merge, {self.merge:g}"
            yield Mistake(("merge_after_reversal",), message, f"use {self.merge:g} or less")

    @property
    def understood(self) -> bool:
        """Whether its end and schedule are known; they may not be in a system that has mistakes."""
        return self.end is not None and not any(
            True for _ in increasing_times(((0.0,),) if self.table is None else self.table)
        )

    @property
    def scheduled(self) -> bool:
        """Whether the file tells its rate; it stands still until an input says otherwise when it does not."""
        return self.rate is not None or self.table is not None

    def rate_at(self, t: float) -> float:
        """Speed of paying out at time t, m/s."""
        if self.table is not None:
            return interpolated(self.table, t, straight=True)[0][0]
        return self.rate or 0.0

    def paid_out(self, t: float) -> float:
        """Cable paid out from 0 to t, m, negative when hauled in: the exact integral of the rate."""
        return sum(0.5 * (self.rate_at(a) + self.rate_at(b)) * (b - a) for a, b in pairwise(self.knots(t)))

    def knots(self, t: float) -> list[float]:
        """Times from 0 to t between which the rate is a straight line of one sign, s."""
        inner = [row[0] for row in self.table or () if 0 < row[0] < t]
        times = [0.0, *inner, t] if t > 0 else [0.0]
        found = times[:1]
        for a, b in pairwise(times):
            low, high = self.rate_at(a), self.rate_at(b)
            if low * high < 0:
                found.append(a + (b - a) * low / (low - high))
            found.append(b)
        return found

    def extremes(self, duration: float) -> tuple[float, float]:
        """Least and most cable paid out at any time from 0 to `duration`, m."""
        least = most = total = 0.0
        for a, b in pairwise(self.knots(duration)):
            total += 0.5 * (self.rate_at(a) + self.rate_at(b)) * (b - a)
            least, most = min(least, total), max(most, total)
        return least, most

    def time_of(self, amount: float, duration: float) -> float | None:
        """First time up to `duration` at which `amount` has been paid out (m, negative for hauled in), s."""
        total = 0.0
        for a, b in pairwise(self.knots(duration)):
            low, high = self.rate_at(a), self.rate_at(b)
            step = 0.5 * (low + high) * (b - a)
            if (amount - total) * (amount - total - step) <= 0 and step != 0:
                # Root of low s + slope s^2 / 2 = rest, in the form that keeps its digits when the slope is small.
                rest, slope = amount - total, (high - low) / (b - a)
                root = math.sqrt(max(low * low + 2 * slope * rest, 0.0))
                below = low + math.copysign(root, step)
                return a + (2 * rest / below if below else 0.0)
            total += step
        return None
