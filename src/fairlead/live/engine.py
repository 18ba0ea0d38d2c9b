"""The twin in time: one tick after the other, each written down before it is made.

Everything happens in one process: the server and the inputs in the event loop of its main thread, the twin in a thread
of its own. The compiled kernels let go of the interpreter's lock while they run, so a step does not hold up a viewer;
a tick spends a few milliseconds in Python. Only finishing result files, which does hold the lock, is another process
(:mod:`.recording.segments`). Frames therefore need no shared memory, and a kill ends one process.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .recording.log import Heard, Log, Tick

if TYPE_CHECKING:
    from fairlead.twin import Estimate

    from .inputs.stamps import Sorter
    from .recording.segments import Segments

CHECKPOINT = "checkpoint.npz"
AVERAGED = 50
"""Ticks over which the margin to real time is averaged."""
LOOK = 1.0
"""Longest wait [s] between two looks at the clock, which somebody may set."""
AT_ONCE = 1.0
"""Seconds that a twin which is late makes up for in one tick: fewer would cost more, more would leave it deaf."""
LATE, LATE_FOR, FEWER = 2.0, 20.0, 0.67
"""Seconds behind the clock, and for how long, from which on a twin goes on with fewer members, and with what share."""
FEWEST = 20
"""Members that it keeps at least: with fewer an estimate of several parameters is none."""
LONGEST_GAP = 600.0
"""Seconds that a twin was off which it makes up for when it starts again; after more it begins anew."""

STEPPED = 2.0
"""Seconds from which on this machine's clock was set, and is not just slow or fast for a moment."""
SAID_FOR = 600.0
"""Seconds for which it is said that it was."""
SAME_TIME = 1e-6
"""Seconds below which a tick's time is the twin's: it keeps to its own grid, whose times round otherwise."""

log = logging.getLogger("fairlead.live")


class LiveTwin(Protocol):
    """What the engine asks of a twin; `fairlead.twin.Twin` is one."""

    @property
    def time(self) -> float: ...

    def hear(self, source: str, fields: Mapping[str, float], stamp: float) -> dict[str, str]: ...

    def advance(self, until: float) -> Estimate: ...

    def checkpoint(self, path: Path) -> None: ...

    def acknowledge(self, name: str) -> bool: ...

    def thin(self, members: int) -> None: ...


class Feed:
    """What instruments have said, on the twin's clock, whose 0 is at ``epoch`` (UTC, s since 1970)."""

    def __init__(self, sorter: Sorter, epoch: float):
        self._sorter, self._epoch = sorter, epoch

    def clock_was_set(self, step: float) -> None:
        """Time 0 is so much later on the machine's clock, s; what waits has stamps of both clocks and is left out."""
        self._epoch += step
        self._sorter.clear()

    def take(self, until: float) -> tuple[Heard, ...]:
        """Everything measured up to ``until``, twin's time, that was not taken before."""
        found = self._sorter.take(self._epoch + until)
        return tuple(Heard(one.source, one.fields, one.stamp - self._epoch) for one in found)


def unset() -> float:
    """Seconds of a clock that nobody sets, and that goes on while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class Steps:
    """Tells when a clock was set: by another that nobody can set."""

    def __init__(self, clock: Callable[[], float], steady: Callable[[], float]):
        self._clock, self._steady = clock, steady
        self._apart = clock() - steady()

    def seen(self) -> float:
        """By how much it was set since this was asked last, s; 0 where it was not."""
        before, self._apart = self._apart, self._clock() - self._steady()
        step = self._apart - before
        return step if abs(step) > STEPPED else 0.0


class Engine:
    """Makes ticks.

    twin              the twin
    rate              ticks a second
    log               where they are written down before they are made; None where they come from a log
    segments          where samples go; None keeps none
    folder            of the checkpoint; None makes none
    every, checkpoint seconds between samples and between checkpoints
    on_estimate       is shown every estimate, with its tick
    on_step           is told by how much this machine's clock was set, s
    """

    def __init__(
        self,
        twin: LiveTwin,
        *,
        rate: float = 10.0,
        epoch: float = 0.0,
        log: Log | None = None,
        segments: Segments | None = None,
        folder: Path | None = None,
        every: float = 1.0,
        checkpoint: float = 1.0,
        on_estimate: Callable[[Estimate], None] = lambda estimate: None,
        row_of: Callable[[Estimate], Any] = lambda estimate: estimate.mean.row,
        on_step: Callable[[float], None] = lambda step: None,
    ):
        self.twin, self.rate, self.epoch = twin, rate, epoch
        self.number = -1
        self.margin = float("nan")
        """Simulated time over the time it took to compute it, of late."""
        self.late = 0.0
        """How far the twin is behind the clock, s."""
        self.verdicts: dict[str, int] = {}
        """How often the twin said what of a reading."""
        self.estimate: Estimate | None = None
        self.log, self.segments = log, segments
        self._checkpoint = None if folder is None else folder / CHECKPOINT
        self._on_estimate, self._row_of, self._on_step = on_estimate, row_of, on_step
        self._said, self._said_until = "", -float("inf")
        self._every, self._checkpoint_every = every, checkpoint
        self._sample_due = self._checkpoint_due = -float("inf")
        self._acknowledged: list[str] = []
        self._busy = 0.0
        self._late_since: float | None = None
        self.lock = threading.Lock()
        """Held while the twin moves; whoever copies it holds it, too."""

    def make(self, tick: Tick, *, shown: bool = True) -> Estimate:
        """One tick: what was heard goes in, the twin goes on, and what comes out is kept and shown."""
        began = time.perf_counter()
        if self.log is not None:
            self.log.write(tick)
        before = self.twin.time
        with self.lock:
            for heard in tick.heard:
                for verdict in self.twin.hear(heard.source, heard.fields, heard.stamp).values():
                    self.verdicts[verdict] = self.verdicts.get(verdict, 0) + 1
            if tick.members is not None:
                self.twin.thin(tick.members)
            while self._acknowledged:
                self.twin.acknowledge(self._acknowledged.pop())
            estimate = self.estimate = self.twin.advance(until=tick.until)
        self.number = tick.number
        if self.segments is not None and tick.until >= self._sample_due:
            self._sample_due = tick.until + self._every - 1e-9
            self.segments.put(tick.until, self.epoch + tick.until, self._row_of(estimate))
        if self._checkpoint is not None and tick.until >= self._checkpoint_due:
            self._checkpoint_due = tick.until + self._checkpoint_every - 1e-9
            self.twin.checkpoint(self._checkpoint)
            if self.log is not None:
                self.log.sync()
        self._measure(tick.until - before, time.perf_counter() - began)
        if shown:
            self._on_estimate(estimate)
        return estimate

    def acknowledge(self, name: str) -> None:
        """Have an alarm taken for seen; from any thread."""
        self._acknowledged.append(name)

    def go(
        self,
        feed: Feed,
        stop: threading.Event,
        clock: Callable[[], float] = time.time,
        steps: Steps | None = None,
    ) -> None:
        """With the clock, until ``stop`` is set: at every instant of the grid, or, when late, a second at a time.

        steps  tell, from the moment on at which ``epoch`` was read, when the clock is set: the twin's time then goes
               on as if nothing had happened, since at sea nothing has
        """
        while not stop.is_set():
            if steps is not None and (step := steps.seen()):
                self._take_step(step, feed)
            due = (round(self.twin.time * self.rate) + 1) / self.rate
            wait = self.epoch + due - clock()
            if wait > 0.0:
                stop.wait(min(wait, LOOK))
                continue
            self.late = -wait
            if self.late > 1.0 / self.rate:
                now = int((clock() - self.epoch) * self.rate) / self.rate
                due = max(due, min(now, round((self.twin.time + AT_ONCE) * self.rate) / self.rate))
            self.make(Tick(self.number + 1, due, feed.take(due), self._fewer(clock())))

    def _take_step(self, step: float, feed: Feed) -> None:
        """This machine's clock was set: the twin's time 0 is as much later on it."""
        self.epoch += step
        feed.clock_was_set(step)
        if self._late_since is not None:
            self._late_since += step
        if self.log is not None:
            try:
                self.log.set_epoch(self.epoch)
            except OSError as error:
                log.warning("the log does not say that the clock was set: %s", error)
        self._said = f"this machine's clock was set {'forward' if step > 0.0 else 'back'} by {abs(step):.0f} s"
        self._said_until = self.twin.time + SAID_FOR
        log.warning("%s; the twin goes on", self._said)
        self._on_step(step)

    @property
    def note(self) -> str:
        """What happened of late that a watch should know of; nothing where there is none."""
        return self._said if self.twin.time < self._said_until else ""

    def _fewer(self, now: float) -> int | None:
        """With how many members to go on: fewer where it has been late for a while, which is tried again only later."""
        if self.late < LATE:
            self._late_since = None
            return None
        self._late_since = now if self._late_since is None else self._late_since
        if now - self._late_since < LATE_FOR or self.estimate is None:
            return None
        self._late_since = None
        members = max(FEWEST, round(FEWER * self.estimate.health.members))
        return members if members < self.estimate.health.members else None

    def repeat(
        self,
        ticks: Iterable[Tick],
        stop: threading.Event,
        speed: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """What a log holds, at ``speed`` times the clock or, without, as fast as it goes."""
        began: tuple[float, float] | None = None
        for tick in self._after_now(ticks):
            if stop.is_set():
                return
            if speed is not None:
                began = began or (clock(), tick.until)
                wait = began[0] + (tick.until - began[1]) / speed - clock()
                self.late = max(0.0, -wait)
                if wait > 0.0 and stop.wait(wait):
                    return
            self.make(tick)

    def catch_up(self, ticks: Iterable[Tick]) -> int:
        """Make the ticks after the checkpoint again, without a log of them: they are in it. How many there were."""
        own, self.log = self.log, None
        segments, self.segments = self.segments, None
        try:
            count = 0
            for tick in self._after_now(ticks):
                self.make(tick, shown=False)
                count += 1
            return count
        finally:
            self.log, self.segments = own, segments

    def _after_now(self, ticks: Iterable[Tick]) -> Iterator[Tick]:
        for tick in ticks:
            if tick.until > self.twin.time + SAME_TIME:
                yield tick
            else:
                self.number = max(self.number, tick.number)

    def _measure(self, passed: float, busy: float) -> None:
        share = 1.0 / AVERAGED
        now = busy / passed if passed > 0.0 else self._busy
        self._busy = now if self._busy == 0.0 else (1.0 - share) * self._busy + share * now
        self.margin = 1.0 / self._busy if self._busy > 0.0 else float("inf")
