"""How a long run tells where it is."""

from __future__ import annotations

import sys
import time
from typing import Any, Protocol, TextIO

from fairlead.results.words import force, number

SECONDS_BETWEEN_LINES = 10.0


class Progress(Protocol):
    """Told of a run's advance once an output interval. Times are simulated seconds, tensions newtons."""

    def begin(self, start: float, end: float) -> None:
        """The run goes from `start` to `end`; what was to be compiled is compiled."""

    def update(self, time: float, tension_max: float) -> None:
        """The run has reached `time`; the largest tension so far."""

    def close(self) -> None:
        """The run is over, complete or not."""


class Silent:
    """No progress at all."""

    def begin(self, start: float, end: float) -> None:
        pass

    def update(self, time: float, tension_max: float) -> None:
        pass

    def close(self) -> None:
        pass


class _Pace:
    """Simulated seconds per second of the clock."""

    def __init__(self, start: float):
        self._start = start
        self._began = time.perf_counter()

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self._began

    def speed(self, now: float) -> float:
        return (now - self._start) / max(self.elapsed, 1e-9)


class Lines:
    """A line now and then, for logs and pipes."""

    def __init__(self, stream: TextIO | None = None, seconds_between: float = SECONDS_BETWEEN_LINES):
        self._stream = stream or sys.stderr
        self._between = seconds_between

    def begin(self, start: float, end: float) -> None:
        self._end = end
        self._pace = _Pace(start)
        self._next = self._between

    def update(self, time: float, tension_max: float) -> None:
        if self._pace.elapsed < self._next:
            return
        self._next = self._pace.elapsed + self._between
        self._stream.write(
            f"{time:.6g} of {self._end:.6g} s simulated, {number(self._pace.speed(time), 3)} x real time, "
            f"largest tension {force(tension_max)}\n"
        )
        self._stream.flush()

    def close(self) -> None:
        pass


class Bar:
    """A bar on a terminal, redrawn in place."""

    def begin(self, start: float, end: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        self._pace = _Pace(start)
        self._rich = RichProgress(
            TextColumn("{task.fields[time]}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TextColumn("{task.fields[speed]}"),
            TextColumn("{task.fields[tension]}"),
            TimeRemainingColumn(compact=True),
            console=Console(stderr=True),
            transient=True,
        )
        self._end = end
        self._task: Any = self._rich.add_task("", total=end - start, time="", speed="", tension="")
        self._start = start
        self._rich.start()

    def update(self, time: float, tension_max: float) -> None:
        self._rich.update(
            self._task,
            completed=time - self._start,
            time=f"t = {time:.6g} of {self._end:.6g} s",
            speed=f"{number(self._pace.speed(time), 3)} x real time",
            tension=f"largest tension {force(tension_max)}",
        )

    def close(self) -> None:
        if hasattr(self, "_rich"):
            self._rich.stop()


def for_terminal(stream: TextIO | None = None) -> Progress:
    """A bar where a person watches, lines where nobody does."""
    stream = stream or sys.stderr
    return Bar() if stream.isatty() else Lines(stream)
