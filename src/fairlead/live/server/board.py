"""What can be seen of the twin just now: written by its thread, read by every viewer's task. The latest wins."""

from __future__ import annotations

import asyncio
import json
import math
import threading
from collections import deque
from typing import Any

PAST = 3600
"""Pictures that are kept for those who come later: an hour, one a second."""
PAST_BYTES = 8 << 20
"""Of the past that a viewer is sent at most; where there is more, every second or third picture."""


class Board:
    """Holds the header, the latest frame and the latest text of every kind; wakes the viewers when one changes."""

    def __init__(self) -> None:
        self.header: dict[str, Any] = {}
        self.frame: bytes | None = None
        self.frames = 0
        self.texts: dict[str, tuple[int, str]] = {}
        self._lock = threading.Lock()
        self._past: deque[bytes] = deque(maxlen=PAST)
        self._trends: deque[Any] = deque(maxlen=PAST)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: set[asyncio.Future[None]] = set()

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Say in which loop the viewers wait."""
        self._loop = loop

    def show(self, frame: bytes, *, keep: bool = False) -> None:
        """A new frame; ``keep`` it for those who come later."""
        with self._lock:
            self.frame, self.frames = frame, self.frames + 1
            if keep:
                self._past.append(frame)
        self._wake()

    def say(self, kind: str, content: Any) -> None:
        """A new text of a kind: state, alarms, trends, forecast."""
        text = to_text(kind, content)
        with self._lock:
            number = self.texts[kind][0] + 1 if kind in self.texts else 1
            self.texts[kind] = (number, text)
            if kind == "trends":
                self._trends.append(content)
        self._wake()

    def past(self) -> bytes:
        """Frames of the last hour, one after the other, thinned to what is sensible to send."""
        with self._lock:
            frames = list(self._past)
        every = max(1, math.ceil(sum(map(len, frames)) / PAST_BYTES))
        return b"".join(frames[::-every][::-1])

    def trends(self) -> str:
        """All that was said of trends in the last hour."""
        with self._lock:
            return to_text("past", list(self._trends))

    async def changed(self, frames: int, seen: dict[str, int]) -> None:
        """Wait until there is something newer than ``frames`` frames and texts of these numbers."""
        while not self._newer(frames, seen):
            future = asyncio.get_running_loop().create_future()
            self._waiting.add(future)
            try:
                if self._newer(frames, seen):
                    return
                await future
            finally:
                self._waiting.discard(future)

    def _newer(self, frames: int, seen: dict[str, int]) -> bool:
        return self.frames > frames or any(number > seen.get(kind, 0) for kind, (number, _) in self.texts.items())

    def _wake(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake_all)

    def _wake_all(self) -> None:
        for future in self._waiting:
            if not future.done():
                future.set_result(None)


def to_text(kind: str, content: Any) -> str:
    """A message; numbers that JSON does not know (infinite, not a number) become null."""
    return json.dumps({"kind": kind, "content": _plain(content)}, allow_nan=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
