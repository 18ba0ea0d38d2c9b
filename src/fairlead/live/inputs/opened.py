"""The inputs of a twin's file as they run: each with its parser, its intake and its transport."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fairlead.model.units import parse_unit
from fairlead.twin import TwinFile
from fairlead.twin.sources import Source

from . import nmea, transports
from .intake import Intake
from .plausible import bound_of
from .reading import Parsed, Refusal
from .rows import Columns, parse_message, parse_row
from .stamps import Sorter


@dataclass(frozen=True)
class Opened:
    """An input and how it is kept running; ``run`` is None for one that others bring values to."""

    intake: Intake
    run: Callable[[], Awaitable[None]] | None = None


def open_inputs(file: TwinFile, folder: Path, sorter: Sorter) -> dict[str, Opened]:
    """Every input of the file; paths in it are relative to ``folder``. `MissingExtra` where a library is missing."""
    heard = ((name, source) for name, source in file.inputs.items() if source.kind != "calls")
    return {name: _opened(name, source, folder, sorter) for name, source in heard}


def _opened(name: str, source: Source, folder: Path, sorter: Sorter) -> Opened:
    factors = {column: float(parse_unit(unit)[0]) for column, unit in source.columns.items()}
    if source.kind == "nmea":
        intake = _intake(name, source, sorter, partial(nmea.parse, talker=source.talker))
        return Opened(intake, _carrier(intake, source, folder))
    if source.kind == "csv_tail":
        rows = _Rows(source.time, factors)
        intake = _intake(name, source, sorter, rows.parse, limited=False)
        return Opened(intake, partial(transports.tail, intake, folder / str(source.file), rows.head))
    intake = _intake(name, source, sorter, lambda text, arrival: parse_message(text, source.time, factors))
    if source.kind == "mqtt":
        transports.require("paho.mqtt.client", f"the input '{name}', over MQTT,", "paho-mqtt")
        host, port = address(str(source.host), 1883)
        return Opened(intake, partial(transports.mqtt, intake, host, port, str(source.topic)))
    return Opened(intake)


def _intake(
    name: str, source: Source, sorter: Sorter, parse: Callable[[bytes, float], Parsed], *, limited: bool = True
) -> Intake:
    bounds = {column: bound_of(unit) for column, unit in source.columns.items()}
    return Intake(
        name, parse, sorter, delay=source.delay, silent_after=source.silent_after, limited=limited, bounds=bounds
    )


def _carrier(intake: Intake, source: Source, folder: Path) -> Callable[[], Awaitable[None]]:
    if source.udp is not None:
        return partial(transports.udp, intake, *address(source.udp, 10110))
    if source.tcp is not None:
        return partial(transports.tcp, intake, *address(source.tcp, 10110))
    if source.serial is not None:
        transports.require("serial", f"the input '{intake.name}', on a serial port,", "pyserial")
        return partial(transports.serial_port, intake, source.serial, source.baud)
    return partial(transports.tail, intake, folder / str(source.file))


def address(text: str, port: int) -> tuple[str, int]:
    """Host and port of ``127.0.0.1:10110``; ``port`` where none is given."""
    host, _, number = text.rpartition(":")
    if not host or not number.isdigit():
        return text.strip("[]"), port
    return host.strip("[]"), int(number)


class _Rows:
    """Rows of a file whose first line names its columns."""

    def __init__(self, time: str | None, factors: dict[str, float]):
        self._time, self._factors = time, factors
        self._columns: Columns | None = None

    def head(self, line: bytes) -> str:
        found = Columns.of(line.decode("utf-8-sig", "replace"), self._time, self._factors)
        self._columns = found if isinstance(found, Columns) else None
        return found if isinstance(found, str) else ""

    def parse(self, line: bytes, arrival: float) -> Parsed:
        return Refusal("no columns") if self._columns is None else parse_row(line, self._columns)
