"""A twin of two numbers with the manners of the real one: what it says depends on all it heard, and in which order."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from fairlead.live.recording.log import replace_file


class FakeTwin:
    def __init__(self, mute: bool = False) -> None:
        if not mute:
            from .clients import Sea

            self.sea = Sea()
            self.shape = self.sea.shape
        self.mute, self.time, self.members = mute, 0.0, 30
        self.state = np.array([1.0, 0.3])
        self.seen: set[str] = set()

    def hear(self, source: str, fields, stamp: float) -> dict[str, str]:
        if stamp < self.time - 9.0:
            return {source: "late"}
        self.state[0] += 1e-3 * sum(fields.values()) * np.cos(stamp)
        return {source: "accepted"}

    def advance(self, until: float):
        steps = max(1, round((until - self.time) / 0.05))
        for _ in range(steps):
            self.state = np.array([3.7 * self.state[0] % 1.0, self.state[1] + 0.1 * np.sin(self.state[0])])
        self.time = until
        if self.mute:
            return None
        from fairlead.twin import Alarm, Estimate, Health

        rows = np.stack([self.sea.row(until) * (1.0 + 1e-3 * self.state[k]) for k in (0, 1)])
        alarm = Alarm("tension of tow above 5 kN", "red", 0.0, 4e3, 5e3, "N", 0.6, 12.0, bool(self.seen))
        return Estimate(until, rows, self.shape, {}, Health("good", "", self.members, 0, 1.0, 0), (alarm,))

    def thin(self, members: int) -> None:
        self.members = members

    def acknowledge(self, name: str) -> bool:
        self.seen.add(name)
        return True

    def checkpoint(self, path: Path) -> None:
        replace_file(Path(path), np.array([self.time, *self.state]).tobytes())

    @classmethod
    def restore(cls, path: Path) -> FakeTwin:
        twin = cls(mute=True)
        twin.time, *state = np.frombuffer(Path(path).read_bytes())
        twin.time, twin.state = float(twin.time), np.array(state)
        return twin


def run(source: Path, own: Path) -> None:
    """What a process does that may be killed at any time: goes on from where its own folder left off, to the end."""
    import threading

    from fairlead.live.engine import CHECKPOINT, Engine
    from fairlead.live.recording.log import Log, Past

    there = (own / CHECKPOINT).exists()
    twin = FakeTwin.restore(own / CHECKPOINT) if there else FakeTwin(mute=True)
    engine = Engine(twin, log=Log(own, 1.6e9, segment=5.0), folder=own)
    engine.catch_up(Past.of(own).ticks())
    print("ready", engine.number, flush=True)
    engine.repeat(Past.of(source).ticks(), threading.Event(), speed=float(os.environ.get("SPEED", "20")))
    print("state", twin.time.hex(), *(float(v).hex() for v in twin.state), flush=True)


if __name__ == "__main__":
    import sys

    run(Path(sys.argv[1]), Path(sys.argv[2]))
