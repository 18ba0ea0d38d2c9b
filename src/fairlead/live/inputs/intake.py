"""One input as it runs: lines in, stamped values out; floods, nonsense and jumps stay outside."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping

from .plausible import LARGEST, Plausible
from .reading import LONGEST, Parsed, Reading, Refusal
from .stamps import FUTURE, LATE, Health, Sorter, stamped

MOST_A_SECOND = 200.0
"""Lines that an input may bring in a second, on average over a burst of ten."""
BURST = 10 * MOST_A_SECOND
GLOBE = {"latitude", "longitude"}
LOGGED = 5
"""Refusals of one kind that are logged one by one; of the rest only their number is kept."""

log = logging.getLogger("fairlead.live")


class Allowance:
    """A bucket of tokens: ``rate`` a second, at most ``burst`` at once."""

    def __init__(self, rate: float, burst: float):
        self.rate, self.burst = rate, burst
        self._left = burst
        self._last: float | None = None

    def take(self, now: float) -> bool:
        """Whether one more may pass at ``now``, s."""
        if self._last is not None:
            self._left = min(self.burst, self._left + self.rate * max(0.0, now - self._last))
        self._last = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class Intake:
    """Everything of one input between its transport and the twin.

    name     of the input in the file
    parse    a line and its arrival (UTC, s) to a reading
    sorter   where messages go
    delay    seconds between measuring and arriving, of an instrument that sends no stamps
    limited  False for a file, whose lines may come all at once
    bounds   by field: what no measurement of it is larger than, in SI units
    """

    def __init__(
        self,
        name: str,
        parse: Callable[[bytes, float], Parsed],
        sorter: Sorter,
        *,
        delay: float = 0.0,
        silent_after: float = 5.0,
        limited: bool = True,
        bounds: Mapping[str, float] | None = None,
    ):
        self.name = name
        self._bounds = bounds or {}
        self.health = Health(silent_after)
        self._parse, self._sorter, self._delay = parse, sorter, delay
        self._allowance = Allowance(MOST_A_SECOND, BURST) if limited else None
        self._plausible = Plausible()

    def line(self, text: bytes, arrival: float) -> Parsed:
        """One line or message that arrived at ``arrival`` (UTC, s since 1970). Never raises."""
        if self._allowance is not None and not self._allowance.take(arrival):
            return self._refuse("too many", text)
        found = self._parse(text, arrival)
        if isinstance(found, Reading):
            off = 0.0 if found.stamp is None else found.stamp - arrival
            found = self._checked(stamped(found, arrival, self._delay))
            if isinstance(found, Refusal) and found.why in (FUTURE, LATE) and math.isfinite(off):
                self.health.fault = _of_clocks(off)
        if isinstance(found, Refusal):
            return self._refuse(found.why, text)
        if found is not None and found.stamp is not None:
            self.health.accepted += 1
            self.health.fault = ""
            self.health.last = max(found.stamp, found.stamp if self.health.last is None else self.health.last)
        return found

    def _checked(self, reading: Reading | Refusal) -> Reading | Refusal:
        """On its way to the twin, unless it jumps or too many wait."""
        if isinstance(reading, Refusal):
            return reading
        assert reading.stamp is not None
        fields = reading.fields
        if any(abs(value) > self._bounds.get(name, LARGEST) for name, value in fields.items()):
            return Refusal("impossible")
        if fields.keys() >= GLOBE and not self._plausible(fields["latitude"], fields["longitude"], reading.stamp):
            return Refusal("jump")
        return reading if self._sorter.put(self.name, reading) else Refusal("too many wait")

    def _refuse(self, why: str, text: bytes) -> Refusal:
        self.health.refused[why] += 1
        if self.health.refused[why] <= LOGGED:
            log.info("input %s: refused (%s): %r", self.name, why, text[:80])
        return Refusal(why)


def _of_clocks(off: float) -> str:
    """What is wrong with stamps that are so far ahead of this machine's clock, s."""
    if off > 0.0:
        return f"its stamps are {off:.0f} s ahead of this machine's clock: one of both is wrong"
    return f"its stamps are {-off:.0f} s behind this machine's clock: it comes too late, or one of both is wrong"


class Lines:
    """Bytes as they come, cut into lines; a line that never ends is thrown away."""

    def __init__(self) -> None:
        self._rest = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that ``data`` completes."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        if whole and self._skipping:
            whole, self._skipping = whole[1:], False
        if len(self._rest) > LONGEST:
            self._rest, self._skipping = b"", True
        return [line for line in whole if line.strip()]
