"""How a long run tells where it is."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from typing import Any, Protocol, TextIO

from fairlead.pages import in_notebook
from fairlead.words import force, number

SECONDS_BETWEEN_LINES = 10.0
SECONDS_BETWEEN_PICTURES = 0.1


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


class Cell:
    """A bar under the cell of a notebook; its last state stays there."""

    def begin(self, start: float, end: float) -> None:
        display = import_module("IPython.display").display  # there, since a notebook is
        self._start, self._end = start, end
        self._pace = _Pace(start)
        self._next = 0.0
        self._last: tuple[float, float] | None = None
        self._shown = display(self._bundle(start, ""), raw=True, display_id=True)

    def update(self, time: float, tension_max: float) -> None:
        self._last = (time, tension_max)
        if self._pace.elapsed >= self._next:
            self._next = self._pace.elapsed + SECONDS_BETWEEN_PICTURES
            self._draw()

    def close(self) -> None:
        if hasattr(self, "_shown"):
            self._draw()

    def _draw(self) -> None:
        if self._last is not None and self._shown is not None:
            time, tension = self._last
            words = f"{number(self._pace.speed(time), 3)} x real time, largest tension {force(tension)}"
            self._shown.update(self._bundle(time, words), raw=True)

    def _bundle(self, time: float, words: str) -> dict[str, str]:
        done = (time - self._start) / max(self._end - self._start, 1e-9)
        text = ", ".join(filter(None, (f"{time:.6g} of {self._end:.6g} s", words)))
        bar = f'<progress value="{done:.4f}" max="1" style="width: 20em; vertical-align: middle"></progress>'
        return {"text/html": f"<div>{bar} {text}</div>", "text/plain": text}


def for_watcher(stream: TextIO | None = None) -> Progress:
    """A bar where a person watches, on a terminal or in a notebook; lines where nobody does."""
    if stream is None and in_notebook():
        return Cell()
    stream = stream or sys.stderr
    return Bar() if stream.isatty() else Lines(stream)
