"""Lines come in over UDP, TCP, growing files and a serial port; what is missing or lost is told and tried again."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from functools import partial

import pytest

from fairlead.live.inputs import transports
from fairlead.live.inputs.intake import Intake
from fairlead.live.inputs.nmea import parse, sentence
from fairlead.live.inputs.opened import address, open_inputs
from fairlead.live.inputs.rows import Columns
from fairlead.live.inputs.stamps import Sorter
from fairlead.twin import read_twin

HEADING = sentence("HEHDT,274.07,T")


@pytest.fixture
def heard():
    sorter = Sorter()
    return Intake("gyro", parse, sorter), lambda: [m.fields for m in sorter.take(time.time() + 1.0)]


async def until(condition, coroutine, act=lambda: None) -> None:
    """Run a transport until something has come of it."""
    task = asyncio.create_task(coroutine)
    try:
        end = time.monotonic() + 20.0
        while not condition() and time.monotonic() < end:
            act()
            await asyncio.sleep(0.02)
        assert condition()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def free_port(kind) -> int:
    with socket.socket(socket.AF_INET, kind) as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def test_datagrams_of_several_lines(heard):
    intake, taken = heard
    port = free_port(socket.SOCK_DGRAM)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        act = partial(out.sendto, HEADING + b"\xff\xfe\n" + HEADING, ("127.0.0.1", port))
        asyncio.run(until(lambda: intake.health.accepted >= 2, transports.udp(intake, "127.0.0.1", port), act))
    assert taken()[:2] == [{"heading": 274.07}] * 2
    assert intake.health.refused["not a sentence"] >= 1


def test_a_server_that_goes_is_connected_to_again(heard, monkeypatch):
    intake, _ = heard
    monkeypatch.setattr(transports, "AGAIN", 0.02)
    port = free_port(socket.SOCK_STREAM)
    served = 0

    async def serve(reader, writer):
        nonlocal served
        served += 1
        writer.write(HEADING[:5])
        await writer.drain()
        writer.write(HEADING[5:])
        writer.close()

    async def whole():
        task = asyncio.create_task(transports.tcp(intake, "127.0.0.1", port))
        await asyncio.sleep(0.1)
        assert "no connection" in intake.health.fault
        async with await asyncio.start_server(serve, "127.0.0.1", port):
            while intake.health.accepted < 3:
                await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(asyncio.wait_for(whole(), 20.0))
    assert served >= 3


def test_a_file_is_followed_also_when_it_comes_late_and_is_replaced(heard, tmp_path, monkeypatch):
    intake, _ = heard
    monkeypatch.setattr(transports, "LOOK", 0.01)
    path = tmp_path / "gyro.txt"

    async def whole():
        task = asyncio.create_task(transports.tail(intake, path))
        await asyncio.sleep(0.05)
        assert "gyro.txt" in intake.health.fault
        for count in (1, 2):
            (tmp_path / "new").write_bytes(HEADING)
            os.replace(tmp_path / "new", path)
            while intake.health.accepted < 2 * count - 1:
                await asyncio.sleep(0.01)
            with open(path, "ab") as file:
                file.write(HEADING[:7])
                file.flush()
                await asyncio.sleep(0.03)
                file.write(HEADING[7:])
            while intake.health.accepted < 2 * count:
                await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(asyncio.wait_for(whole(), 20.0))
    assert intake.health.accepted == 4
    assert not intake.health.refused


def test_a_file_with_other_columns_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(transports, "LOOK", 0.01)
    (tmp_path / "winch.csv").write_text("utc,pull\n1,2\n")
    text = "system: tow.yaml\ninputs:\n  winch: {kind: csv_tail, file: winch.csv, time: utc, columns: {tension: kN}}\n"
    [opened] = open_inputs(read_twin(text), tmp_path, Sorter()).values()
    asyncio.run(until(lambda: "no column tension" in opened.intake.health.fault, opened.run()))
    assert isinstance(Columns.of("utc,tension", "utc", {"tension": 1.0}), Columns)


def test_what_is_not_installed_is_named_with_its_cure(tmp_path, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("importlib.import_module", missing)
    for text, package in (("kind: nmea, serial: /dev/ttyUSB0", "pyserial"),
                          ("kind: mqtt, host: broker, topic: winch, columns: {tension: kN}", "paho-mqtt")):  # fmt: skip
        with pytest.raises(transports.MissingExtra, match=f"'a'.*pip install {package}"):
            open_inputs(read_twin(f"system: tow.yaml\ninputs:\n  a: {{{text}}}\n"), tmp_path, Sorter())


def test_a_serial_port_is_read_and_one_that_is_not_there_is_told(heard, monkeypatch):
    intake, _ = heard
    monkeypatch.setattr(transports, "AGAIN", 0.02)
    opened = []

    class Serial:
        def __init__(self, device, baud, timeout):
            opened.append(baud)
            if len(opened) == 1:
                raise OSError("no such device")

        def read(self, count):
            time.sleep(0.01)
            return HEADING

        def close(self):
            pass

    monkeypatch.setattr(transports, "require", lambda *what: type("serial", (), {"Serial": Serial}))
    asyncio.run(until(lambda: intake.health.accepted > 1, transports.serial_port(intake, "/dev/ttyUSB0", 4800)))
    assert opened == [4800, 4800]


def test_addresses_have_a_host_and_a_port():
    assert address("127.0.0.1:10110", 1) == ("127.0.0.1", 10110)
    assert address("broker", 1883) == ("broker", 1883)
    assert address("[::1]:99", 1) == ("::1", 99)
