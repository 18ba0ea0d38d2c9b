"""Ctrl-C and a polite kill, heard between output intervals, so that what was computed is kept."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

_DEFAULTS = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}


class Interrupts:
    """While entered, the first SIGINT or SIGTERM is noted in `received`; a second one raises KeyboardInterrupt at once.

    Handlers an application has installed are left alone, and so are threads other than the main one. Once what was
    computed is safe, `again` does what the signal would have done.
    """

    def __init__(self) -> None:
        self.received: str | None = None
        self._number = signal.SIGINT
        self._previous: dict[int, Any] = {}

    def note(self, number: int = signal.SIGINT, frame: FrameType | None = None) -> None:
        """Take a signal for received."""
        if self.received is not None:
            raise KeyboardInterrupt
        self._number = signal.Signals(number)
        self.received = "interrupted" if number == signal.SIGINT else "terminated"

    def again(self) -> None:
        """Raise KeyboardInterrupt after a Ctrl-C, or end the process by the signal; nothing where none came."""
        if self.received is None:
            return
        if self._number == signal.SIGINT:
            raise KeyboardInterrupt
        signal.raise_signal(self._number)

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for number, default in _DEFAULTS.items():
                if signal.getsignal(number) is default:
                    self._previous[number] = signal.signal(number, self.note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)
