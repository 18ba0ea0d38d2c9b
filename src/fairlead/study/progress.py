"""How a study tells where it is, and when it will end."""

from __future__ import annotations

import sys
import time
from datetime import datetime, timedelta
from typing import Any, Protocol, TextIO

from fairlead.words import number

SECONDS_BETWEEN_LINES = 10.0


class StudyProgress(Protocol):
    """Told after every batch."""

    def begin(self, done: int, total: int) -> None:
        """So many of all scenarios are there already."""

    def update(self, done: int, failed: int) -> None:
        """So many are done now, and so many of them did not come to their end."""

    def close(self) -> None:
        """It is over, complete or not."""


class Silent:
    """No progress at all."""

    def begin(self, done: int, total: int) -> None:
        pass

    def update(self, done: int, failed: int) -> None:
        pass

    def close(self) -> None:
        pass


class Lines:
    """A line now and then, for logs and pipes."""

    def __init__(self, stream: TextIO | None = None, seconds_between: float = SECONDS_BETWEEN_LINES):
        self._stream, self._between = stream or sys.stderr, seconds_between

    def begin(self, done: int, total: int) -> None:
        self._first, self._total, self._began = done, total, time.monotonic()
        self._next = self._between

    def update(self, done: int, failed: int) -> None:
        elapsed = time.monotonic() - self._began
        if elapsed < self._next:
            return
        self._next = elapsed + self._between
        self._stream.write(told(done, self._total, failed, (done - self._first) / elapsed) + "\n")
        self._stream.flush()

    def close(self) -> None:
        pass


class Bar:
    """A bar on a terminal, redrawn in place."""

    def begin(self, done: int, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as RichProgress

        self._first, self._total, self._began = done, total, time.monotonic()
        self._rich = RichProgress(
            BarColumn(), TextColumn("{task.fields[text]}"), console=Console(stderr=True), transient=True
        )
        self._task: Any = self._rich.add_task("", total=total, completed=done, text=f"{done} of {total} scenarios")
        self._rich.start()

    def update(self, done: int, failed: int) -> None:
        pace = (done - self._first) / max(time.monotonic() - self._began, 1e-9)
        self._rich.update(self._task, completed=done, text=told(done, self._total, failed, pace))

    def close(self) -> None:
        if hasattr(self, "_rich"):
            self._rich.stop()


def told(done: int, total: int, failed: int, pace: float) -> str:
    """`120 of 500 scenarios, 3 failed, 2.1 a second, ends about 14:32`."""
    text = f"{done:,} of {total:,} scenarios" + (f", {failed:,} failed" if failed else "")
    if pace > 0.0:
        end = datetime.now() + timedelta(seconds=min((total - done) / pace, 1e8))
        clock = end.strftime("%H:%M" if end - datetime.now() < timedelta(hours=20) else "%d %b %H:%M")
        text += f", {number(pace, 2)} a second, ends about {clock}"
    return text


def for_terminal(stream: TextIO | None = None) -> StudyProgress:
    """A bar where a person watches, lines where nobody does."""
    stream = stream or sys.stderr
    return Bar() if stream.isatty() else Lines(stream)
