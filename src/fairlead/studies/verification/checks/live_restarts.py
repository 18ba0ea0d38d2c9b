"""A live twin killed twenty times at random, and one that runs for half an hour: the same estimate, and flat memory."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from fairlead.live.engine import CHECKPOINT, Engine
from fairlead.live.frames import Packer
from fairlead.live.recorded import Recorded
from fairlead.live.recording.log import Heard, Log, Past, Tick
from fairlead.live.server.board import Board
from fairlead.live.showing import Showing
from fairlead.studies.verification.record import Record
from fairlead.twin import Twin

KILLS = 20
SOURCE = "the same twin, undisturbed"
SYSTEM = """
types:
  wire: {diameter: 0.03, density: 2200, youngs_modulus: 20e9, drag: {normal: 1.3, axial: 0.012}}
points:
  stern: {kind: controlled, position: [0, 0, -2], velocity: [2.2, 0, 0]}
  tail: {kind: free, position: [-260, 0, -150]}
cables:
  tow: {type: wire, length: 300, elements: 12, start: stern, end: tail}
simulation: {formulation: bars, start: statics, duration: 10, step: 0.2, output_every: 1}
"""
TWIN = """
system: tow.yaml
clock: {rate: 5 Hz}
inputs:
  gps: {kind: calls}
  acoustic: {kind: calls}
drive:
  stern.position: {from: gps, smooth: 1.5 s}
sensors:
  t200: {measures: tow.position, at: 200 m, from: acoustic, noise: 1 m, delay: {up_to: 5 s}}
estimate:
  members: 20
  every: 5 s
  parameters:
    drag_normal: {of: wire, sd: 20 %, walk: 0.3 %}
look_ahead: {horizon: 60 s, every: 30 s}
limits:
  - {tension: tow, above: 8 kN}
"""


def ticks(seconds: float) -> Iterator[Tick]:
    """A vessel on a straight course with a fix a second, and a transponder every 5 s that is heard 3 s late."""
    chance = np.random.default_rng(18)
    for k in range(round(5 * seconds)):
        until, heard = 0.2 * (k + 1), []
        if k % 5 == 0:
            x, y = 2.2 * until + 0.3 * chance.normal(), 0.3 * chance.normal()
            heard.append(Heard("gps", {"x": x, "y": y, "z": -2.0}, until - 0.1))
        if k % 25 == 20:
            off = chance.normal(size=3)
            place = {"x": 2.2 * (until - 3.0) - 175.0 + off[0], "y": off[1], "z": -95.0 + off[2]}
            heard.append(Heard("acoustic", place, until - 3.0))
        yield Tick(k, until, tuple(heard))


def state(twin: Twin) -> list[str]:
    """All numbers of the members, written so that no bit is lost."""
    import hashlib

    return [twin.time.hex(), hashlib.sha256(twin.fleet.Y.tobytes() + twin.theta.tobytes()).hexdigest()]


def carry_on(folder: Path, source: Path, own: Path, speed: float | None) -> Twin:
    """The twin of a folder, from its checkpoint where there is one, to the end of a log."""
    file, kept = folder / "twin.yaml", own / CHECKPOINT
    twin = Twin.restore(kept, file) if kept.exists() else Twin(file)
    engine = Engine(twin, log=Log(own, 0.0, segment=30.0), folder=own)
    engine.catch_up(Past.of(own).ticks())
    print("ready", flush=True)
    engine.repeat(Past.of(source).ticks(), threading.Event(), speed)
    print(*state(twin), flush=True)
    return twin


def check(kills: int = KILLS, seconds: float = 120.0, soak: float = 1800.0) -> Iterator[Record]:
    """Kills while a log is repeated, and half an hour as fast as it goes."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tow.yaml").write_text(SYSTEM, encoding="utf-8")
        (folder / "twin.yaml").write_text(TWIN, encoding="utf-8")
        log, source = Log(folder / "source", 0.0), folder / "source"
        for tick in ticks(seconds):
            log.write(tick)
        log.close()
        undisturbed = Twin(folder / "twin.yaml")
        Engine(undisturbed).repeat(Past.of(source).ticks(), threading.Event())
        reached, killed = _killed(folder, source, kills, seconds)
        differs = sum(a != b for a, b in zip(reached, state(undisturbed), strict=True))
        yield Record.absolute(f"live twin killed {killed} times, states that differ", SOURCE, differs, 0.0, 0.0)
        yield Record.absolute("live twin, kills that came before its end", SOURCE, killed, kills, 0.0)
        grown = _soaked(folder, soak)
        yield Record.absolute(f"live twin, {soak / 60.0:.0f} min, memory grows by (MB)", "flat", grown, 0.0, 20.0)


def _killed(folder: Path, source: Path, kills: int, seconds: float) -> tuple[list[str], int]:
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from fairlead.studies.verification.checks.live_restarts import carry_on\n"
        "a, b, c, speed = sys.argv[1:]\n"
        "carry_on(Path(a), Path(b), Path(c), float(speed) or None)\n"
    )
    chance, own, killed = random.Random(18), folder / "own", 0
    each = seconds / (kills + 1.0)
    for k in range(kills + 1):
        speed = 0.0 if k == kills else 4.0 * each
        command = [sys.executable, "-c", program, str(folder), str(source), str(own), str(speed)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
        assert process.stdout is not None
        process.stdout.readline()
        if k < kills:
            time.sleep(chance.uniform(0.02, 0.25))
            process.kill()
        rest = process.communicate()[0].split()
        killed += k < kills and not rest
    return rest, killed


def _soaked(folder: Path, seconds: float) -> float:
    """Growth of memory, MB, after an hour of pictures is full: from the first third of the time to its end."""
    twin = Twin(folder / "twin.yaml")
    board, recorded = Board(), Recorded(twin)
    showing = Showing(board, Packer(twin.shape), 0.0, inputs={}, trends=recorded.bands)
    for _ in range(4000):
        board.show(b"\0" * (24 + 16 * twin.shape.node_count), keep=True)
    engine = Engine(twin, on_estimate=showing, folder=folder)
    first = 0.0
    for tick in ticks(seconds):
        engine.make(tick)
        if first == 0.0 and tick.until > seconds / 3.0:
            first = _memory()
    return _memory() - first


def _memory() -> float:
    """Most memory so far, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
