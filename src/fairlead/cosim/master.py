"""A co-simulation carried out: FMUs take a step side by side, then exchange what is wired (Jacobi).

FMUs that nothing is wired to (generators) go first, so that the others hear what these say of the end of the step.
Between the others every input is held during a step at the value its source had at the beginning of it; so they
advance at the same time, and the order in which they are named does not matter.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fairlead.simulate.interrupts import Interrupts
from fairlead.simulate.pacing import Pacer

from .errors import CosimError, CosimStopped
from .files import top_level_keys
from .fmu import export, link
from .gathered import gathered
from .peaks import Peaks
from .record import Channel, Record
from .setup import Setup
from .signals import export_signals
from .slave import Port, Reader, Slave, Writer

if TYPE_CHECKING:
    import xarray as xr

Report = Callable[[float], None]
"""Told of the simulated time [s] after every sample."""


@dataclass(frozen=True)
class Outcome:
    """What a co-simulation came to."""

    result: xr.Dataset
    status: str
    """"complete", or "stopped: " and why."""
    simulated: float
    wall: float
    """s"""
    shares: dict[str, float]
    """Time spent inside the steps of each FMU, s."""

    @property
    def speed(self) -> float:
        """Simulated seconds per second of the clock."""
        return self.simulated / self.wall if self.wall > 0.0 else float("inf")


@dataclass(frozen=True)
class Wire:
    """A connection between two FMUs."""

    source: str
    target: str
    from_port: Port
    to_port: Port


def run_setup(
    setup: Setup, folder: str | Path = ".", report: Report | None = None, pacer: Pacer | None = None
) -> Outcome:
    """Carry out a co-simulation; files are looked for in `folder`. With a `pacer` it keeps to the clock.

    Raises `CosimError` when it cannot be set up. An FMU that refuses a step ends the run: the outcome holds what was
    computed until then, and why it stopped. Ctrl-C does the same.
    """
    with opened(setup, Path(folder)) as slaves:
        return _carry_out(setup, slaves, wires_of(setup, slaves), report or (lambda t: None), pacer)


@contextmanager
def opened(setup: Setup, folder: Path) -> Iterator[dict[str, Slave]]:
    """All FMUs of a set-up, instantiated; model files are made into FMUs first."""
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        slaves: dict[str, Slave] = {}
        for name, member in setup.fmus.items():
            file = folder / member.file
            if not file.exists():
                raise CosimError(f"fmus.{name}: there is no file {file}")
            slaves[name] = Slave(name, _as_fmu(name, file, scratch))
            stack.callback(slaves[name].close)
        yield slaves


def _as_fmu(name: str, file: Path, scratch: Path) -> Path:
    if file.suffix.lower() == ".fmu":
        return file
    made = scratch / f"{name}.fmu"
    if "signals" in top_level_keys(file):
        export_signals(file, made, targets=(link.host(),))
    else:
        export(file, made, targets=[link.host()])
    return made


def wires_of(setup: Setup, slaves: dict[str, Slave]) -> list[Wire]:
    """Every connection, checked: both ends are there, one gives, the other takes, and they are of a kind."""
    found = []
    for source, target in setup.wires():
        place = f"connections: {source} -> {target}"
        try:
            ends = [slaves[end.partition(".")[0]].port(end.partition(".")[2]) for end in (source, target)]
        except CosimError as error:
            raise CosimError(f"{place}: {error}") from None
        giving, taking = ends
        if taking.causality != "input":
            raise CosimError(f"{place}: '{target}' is {_article(taking.causality)}, not an input; it cannot be written")
        if giving.causality not in ("output", "independent", "input"):
            raise CosimError(f"{place}: '{source}' is {_article(giving.causality)}, not an output")
        if len(giving.numbers) != len(taking.numbers):
            raise CosimError(f"{place}: {len(giving.numbers)} numbers cannot go into {len(taking.numbers)}")
        if giving.unit and taking.unit and giving.unit != taking.unit:
            raise CosimError(f"{place}: it gives {giving.unit} and takes {taking.unit}; wire what has the same unit")
        found.append(Wire(source, target, giving, taking))
    return found


def _article(causality: str) -> str:
    return f"an {causality}" if causality[:1] in "aeio" else f"a {causality}"


class _Exchange:
    """Carries values along all wires in one reading and one writing a FMU."""

    def __init__(self, slaves: dict[str, Slave], wires: list[Wire]):
        self._readers, self._writers = [], []
        at: dict[int, slice] = {}
        count = 0
        for name, slave in slaves.items():
            own = [w for w in wires if w.source.partition(".")[0] == name]
            size = sum(len(w.from_port.numbers) for w in own)
            self._readers.append((Reader(slave, [w.from_port for w in own]), slice(count, count + size)))
            for w in own:
                at[id(w)] = slice(count, count + len(w.from_port.numbers))
                count += len(w.from_port.numbers)
        for name, slave in slaves.items():
            own = [w for w in wires if w.target.partition(".")[0] == name]
            places = np.array([k for w in own for k in range(at[id(w)].start, at[id(w)].stop)], dtype=np.int64)
            self._writers.append((Writer(slave, [w.to_port for w in own]), places))
        self._values = np.zeros(count)

    def carry(self) -> None:
        for reader, place in self._readers:
            self._values[place] = reader.read()
        for writer, places in self._writers:
            writer.write(self._values[places])


def _carry_out(
    setup: Setup, slaves: dict[str, Slave], wires: list[Wire], report: Report, pacer: Pacer | None
) -> Outcome:
    channels = _channels(setup, slaves)
    record = Record(setup, channels)
    readers = [Reader(slave, [c.port for c in channels if c.fmu == name]) for name, slave in slaves.items()]
    peaks = Peaks(channels, slaves)
    exchange = _Exchange(slaves, wires)
    shares = dict.fromkeys(slaves, 0.0)

    def advance(name: str, t: float, dt: float) -> None:
        began = time.perf_counter()
        slaves[name].step(t, dt)
        shares[name] += time.perf_counter() - began

    def sample(t: float) -> None:
        record.add(t, peaks.into(np.concatenate([reader.read() for reader in readers])))

    steps, every = round(setup.duration / setup.step), round(setup.output_every / setup.step)
    status, reached = "complete", 0.0
    _initialise(setup, slaves, exchange)
    sample(0.0)
    began = time.perf_counter()
    if pacer is not None:
        pacer.begin(0.0)
    told = {wire.target.partition(".")[0] for wire in wires}
    sources, others = [name for name in slaves if name not in told], [name for name in slaves if name in told]
    with ThreadPoolExecutor(max_workers=len(slaves)) as pool, Interrupts() as interrupts:
        try:
            for k in range(steps):
                # times from whole numbers and never by adding up
                t, after = k * setup.step, (k + 1) * setup.step
                for group in (sources, others):
                    if setup.parallel and len(group) > 1:
                        for done in [pool.submit(advance, name, t, setup.step) for name in group]:
                            done.result()
                    else:
                        for name in group:
                            advance(name, t, setup.step)
                    exchange.carry()
                reached = after
                peaks.look()
                if pacer is not None:
                    pacer.wait(after, lambda: interrupts.received is not None)
                if (k + 1) % every == 0:
                    sample(after)
                    report(after)
                if interrupts.received:
                    status = f"stopped: {interrupts.received}"
                    break
        except CosimStopped as error:
            status = f"stopped: {error}"
    wall = time.perf_counter() - began
    systems = {name: system for name, slave in slaves.items() if (system := slave.system) is not None}
    kept = {"simulated_time": reached, "wall_time": wall} | ({} if pacer is None else pacer.report())
    result = gathered(record.dataset(status).assign_attrs(kept), systems)
    return Outcome(result, status, reached, wall, shares)


def _initialise(setup: Setup, slaves: dict[str, Slave], exchange: _Exchange) -> None:
    try:
        for name, member in setup.fmus.items():
            for variable, value in member.start.items():
                slaves[name].set_start(variable, value)
        for slave in slaves.values():
            slave.enter(setup.duration)
        exchange.carry()
        for slave in slaves.values():
            slave.begin()
    except CosimStopped as error:
        raise CosimError(str(error)) from None


def _channels(setup: Setup, slaves: dict[str, Slave]) -> list[Channel]:
    names = setup.outputs
    if names is None:
        names = tuple(f"{fmu}.{output}" for fmu, slave in slaves.items() for output in slave.outputs)
    found = []
    for name in names:
        fmu, _, variable = name.partition(".")
        try:
            found.append(Channel(fmu, name, slaves[fmu].port(variable)))
        except CosimError as error:
            raise CosimError(f"outputs: {error}") from None
    # one FMU after the other, as they are read
    return [c for fmu in slaves for c in found if c.fmu == fmu]
