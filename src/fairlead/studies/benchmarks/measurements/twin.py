"""What a live twin costs: processor time of estimates, look-aheads, checkpoints and starts, held against its bars."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from fairlead.studies import twin_front_end, twin_tow
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.timing import cpu_seconds
from fairlead.twin import Twin
from fairlead.twin.file import LookAhead

ROUNDS = 5


def measure() -> Iterator[Record]:
    """CPU time, best of a few rounds."""
    started: list[Twin] = []
    file = twin_tow.twin_file(LookAhead(horizon=300.0, every=10000.0))
    start = cpu_seconds(lambda: started.append(Twin(file, twin_tow.system())), ROUNDS)
    yield Record("twin of a tow, 30 members, start", start, "s", "bar", 5.0)
    twin = started[-1]
    feed(twin, 0, 40)
    tens = [cpu_seconds(lambda k=k: feed(twin, 40 + 10 * k, 50 + 10 * k), 1) for k in range(ROUNDS)]  # type: ignore[misc]
    yield Record("twin of a tow, 30 members, CPU time for 10 s", 1e3 * min(tens), "ms", "bar", 70.0)
    yield Record("twin of a tow, look-ahead of 300 s", cpu_seconds(lambda: twin.fork().run(300.0), 2), "s", "bar", 3.0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "checkpoint"
        yield Record("twin of a tow, checkpoint", 1e3 * cpu_seconds(lambda: twin.checkpoint(path)), "ms", "bar", 20.0)
    side = Twin(twin_front_end.twin_file(), twin_front_end.system())
    ones = [cpu_seconds(lambda k=k: sway(side, 10 * k, 10 * k + 10), 1) / 10.0 for k in range(ROUNDS)]  # type: ignore[misc]
    yield Record("twin of a front end's side, 12 members, CPU time for 1 s", 1e3 * min(ones), "ms", "bar", 50.0)


def feed(twin: Twin, start: int, stop: int) -> None:
    """What is heard of a steady tow."""
    for k in range(start, stop):
        t = k + 1.0
        twin.put("stern.position", (twin_tow.SPEED * t, 0.0, twin_tow.STERN), t)
        if k % 10 == 5:
            for name in twin_tow.TRANSPONDERS:
                place = twin.estimate.mean["tow.position"][10]  # type: ignore[index]
                twin.put(name, place, t - 1.0)
            twin.put("load", 2700.0, t)
    twin.advance(float(stop))


def sway(twin: Twin, start: int, stop: int) -> None:
    """What is heard of a front end."""
    for k in range(start, stop):
        for name in twin_front_end.MOVED:
            twin.put(f"{name}.position", twin_front_end.place(name, k + 1.0), k + 1.0)
    twin.put("port_lead_in_1", 14e3, float(stop))
    twin.advance(float(stop))
