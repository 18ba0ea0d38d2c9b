"""Playing the sea to a live twin: messages at the times at which they arrive, as instruments send them."""

from __future__ import annotations

import argparse
import contextlib
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import numpy as np

from fairlead.live.inputs.nmea import sentence
from fairlead.twin import load_twin
from fairlead.twin.earth import Frame

Event = tuple[float, Callable[[float], None]]
"""When it is due [s], and what is then called with the moment of time 0 [s since 1970]."""


def gga(frame: Frame, place: np.ndarray, utc: float) -> bytes:
    """A GPS fix of a place in the axes of a frame, (3,) m, at a time [s since 1970]."""
    latitude, longitude = frame.latitude, frame.longitude
    for _ in range(6):  # the way back from metres, by Newton's method with the radius of the earth for a slope
        x, y, _ = frame.local(latitude, longitude) - place
        c, s = np.cos(np.radians(frame.heading)), np.sin(np.radians(frame.heading))
        latitude -= np.degrees((c * x + s * y) / 6.37e6)
        longitude -= np.degrees((s * x - c * y) / (6.37e6 * np.cos(np.radians(latitude))))
    moment = datetime.fromtimestamp(utc, UTC)
    clock = f"{moment:%H%M%S}.{moment.microsecond // 10000:02d}"
    where = f"{_minutes(latitude, 2, 'NS')},{_minutes(longitude, 3, 'EW')}"
    return sentence(f"GPGGA,{clock},{where},4,12,0.8,{place[2]:.2f},M,0.0,M,,")


def _minutes(angle: float, digits: int, sides: str) -> str:
    """Degrees and minutes as NMEA writes them, with their side."""
    whole = round(float(abs(angle)) * 60e7)  # whole steps of the last digit: sixty minutes never appear
    return f"{whole // 600_000_000:0{digits}d}{whole % 600_000_000 / 1e7:010.7f},{sides[int(angle < 0)]}"


class Table:
    """A CSV file that grows; what a row does not say is left empty."""

    def __init__(self, path: Path, columns: Iterable[str]) -> None:
        self.path, self.columns = path, ("utc", *columns)
        path.write_text(",".join(self.columns) + "\n", encoding="utf-8")

    def add(self, utc: float, values: Mapping[str, float]) -> None:
        cells = [f"{utc:.3f}", *(f"{values[name]:.4f}" if name in values else "" for name in self.columns[1:])]
        with self.path.open("a", encoding="utf-8") as file:
            file.write(",".join(cells) + "\n")


class Udp:
    """Datagrams to an address."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._to, self._socket = (host, int(port)), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def send(self, data: bytes) -> None:
        self._socket.sendto(data, self._to)


def arguments(about: str | None, duration: float, seed: int) -> argparse.Namespace:
    """What a sea is asked for: `duration` [s], `seed`, and whether it is played `alone`, without its twin."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--duration", type=float, default=duration, help=f"of the sea, s (default {duration:g})")
    parser.add_argument("--seed", type=int, default=seed, help=f"what chance follows from (default {seed})")
    parser.add_argument("--alone", action="store_true", help="play the sea only, without starting the twin")
    return parser.parse_args()


def play(events: Iterable[Event], folder: Path, alone: bool) -> None:
    """Start the twin in a folder, unless the sea is to be alone, and call each event when it is due, until all are
    over or someone presses Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # who ends the sea ends its twin
    with contextlib.suppress(KeyboardInterrupt), contextlib.nullcontext() if alone else _twin(folder):
        print("the sea is played; Ctrl-C ends it", flush=True)
        start = time.time()
        for due, happen in events:
            wait = start + due - time.time()
            if wait > 0.0:
                time.sleep(wait)
            happen(start)
    signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _twin(folder: Path) -> Iterator[None]:
    """`fairlead live twin.yaml`, begun anew, while the block lasts."""
    program = "from fairlead.cli.main import program\nprogram()"
    process = subprocess.Popen([sys.executable, "-c", program, "live", "twin.yaml", "--fresh"], cwd=folder)
    server = load_twin(folder / "twin.yaml").server
    try:
        while process.poll() is None and not _answers(server.bind, server.port):
            time.sleep(0.2)
        yield
    finally:
        process.terminate()
        process.wait()


def _answers(host: str, port: int) -> bool:
    """Whether a twin listens; what says only that it is being compiled does not."""
    asked = HTTPConnection(host, port, timeout=5.0)
    with contextlib.suppress(OSError, HTTPException), contextlib.closing(asked):
        asked.request("HEAD", "/")
        return asked.getresponse().status < 500
    return False
