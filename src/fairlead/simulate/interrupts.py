"""Ctrl-C and a polite kill, heard between output intervals, so that what was computed is kept."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

_DEFAULTS = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}


class Interrupts:
    """While entered, the first SIGINT or SIGTERM is noted in `received`; a second one raises KeyboardInterrupt at once.

    Handlers an application has installed are left alone, and so are threads other than the main one.
    """

    def __init__(self) -> None:
        self.received: str | None = None
        self._previous: dict[int, Any] = {}

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.received is not None:
            raise KeyboardInterrupt
        self.received = "interrupted" if number == signal.SIGINT else "terminated"

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for number, default in _DEFAULTS.items():
                if signal.getsignal(number) is default:
                    self._previous[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)
