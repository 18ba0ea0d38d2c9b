"""How lines come in: UDP, TCP, a serial port, files that grow, MQTT.

Each is a coroutine that runs until it is cancelled, hands every line to its `Intake` with the time of its arrival, and
mends itself: a port that is busy, a server that went, a file that is not there yet are told in ``health.fault`` and
tried again.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .intake import Intake, Lines

AGAIN = 2.0  # s between attempts
LOOK = 0.1  # s between looks at a file
CHUNK = 1 << 16
MOST_PACKET = 1 << 14  # bytes of one datagram that are looked at

Clock = Callable[[], float]


class MissingExtra(ImportError):
    """A library that only some inputs need is not installed; the text says how to get it."""


async def udp(intake: Intake, host: str, port: int, clock: Clock = time.time) -> None:
    """Listen for datagrams; each holds one line or several."""

    class Listener(asyncio.DatagramProtocol):
        def datagram_received(self, data: bytes, address: Any) -> None:
            for line in data[:MOST_PACKET].splitlines():
                intake.line(line, clock())

    while True:
        try:
            transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(Listener, local_addr=(host, port))
        except OSError as error:
            intake.health.fault = f"cannot listen on {host}:{port} ({error.strerror or error})"
            await asyncio.sleep(AGAIN)
            continue
        try:
            await asyncio.Event().wait()
        finally:
            transport.close()


async def tcp(intake: Intake, host: str, port: int, clock: Clock = time.time) -> None:
    """Connect to a server of sentences, again and again."""
    while True:
        try:
            reader, writer = await asyncio.open_connection(host, port)
        except OSError as error:
            intake.health.fault = f"no connection to {host}:{port} ({error.strerror or error})"
            await asyncio.sleep(AGAIN)
            continue
        try:
            lines = Lines()
            while data := await reader.read(CHUNK):
                for line in lines.feed(data):
                    intake.line(line, clock())
            intake.health.fault = f"{host}:{port} closed the connection"
        except OSError as error:
            intake.health.fault = f"{host}:{port}: {error.strerror or error}"
        finally:
            writer.close()
        await asyncio.sleep(AGAIN)


async def tail(
    intake: Intake,
    path: Path,
    on_head: Callable[[bytes], str] | None = None,
    clock: Clock = time.time,
) -> None:
    """Read a file to its end and what is written to it from then on; one that is replaced or cut is begun again.

    ``on_head`` takes the first line, of a file that has one, and says what is wrong with it.
    """
    while True:
        try:
            with open(path, "rb", buffering=0) as file:
                await _follow(intake, path, file, on_head, clock)
        except OSError as error:
            intake.health.fault = f"{path}: {error.strerror or error}"
        await asyncio.sleep(LOOK)


async def _follow(intake: Intake, path: Path, file: Any, on_head: Callable[[bytes], str] | None, clock: Clock) -> None:
    lines, waiting = Lines(), on_head is not None
    while True:
        data = file.read(CHUNK)
        for line in lines.feed(data or b""):
            if waiting and on_head is not None:
                waiting = False
                trouble = on_head(line)
                if trouble:
                    intake.health.fault = f"{path}: {trouble}"
                    await asyncio.sleep(AGAIN)
                    return
            else:
                intake.line(line, clock())
        if data:
            await asyncio.sleep(0)
            continue
        await asyncio.sleep(LOOK)
        there, here = os.stat(path), os.fstat(file.fileno())
        if not os.path.samestat(there, here) or here.st_size < file.tell():
            return


async def serial_port(intake: Intake, device: str, baud: int, clock: Clock = time.time) -> None:
    """Read a serial port (needs pyserial)."""
    serial = require("serial", "an input on a serial port", "pyserial")
    while True:
        try:
            port = serial.Serial(device, baud, timeout=0.2)
        except (OSError, ValueError) as error:  # pyserial's own errors are OSErrors
            intake.health.fault = f"{device}: {error}"
            await asyncio.sleep(AGAIN)
            continue
        try:
            lines = Lines()
            while True:
                data = await asyncio.to_thread(port.read, 256)
                for line in lines.feed(data):
                    intake.line(line, clock())
        except OSError as error:
            intake.health.fault = f"{device}: {error}"
        finally:
            port.close()
        await asyncio.sleep(AGAIN)


async def mqtt(intake: Intake, host: str, port: int, topic: str, clock: Clock = time.time) -> None:
    """Subscribe to a topic of an MQTT broker (needs paho-mqtt); messages as those of HTTP."""
    client_module = require("paho.mqtt.client", "an input over MQTT", "paho-mqtt")
    client = client_module.Client(client_module.CallbackAPIVersion.VERSION2)

    def connected(client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        intake.health.fault = "" if not reason.is_failure else f"{host}:{port}: {reason}"
        client.subscribe(topic)

    def left(client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        intake.health.fault = f"{host}:{port}: disconnected ({reason})"

    client.on_connect, client.on_disconnect = connected, left
    client.on_message = lambda client, userdata, message: intake.line(bytes(message.payload), clock())
    client.reconnect_delay_set(1, 10)
    client.connect_async(host, port)
    client.loop_start()
    try:
        await asyncio.Event().wait()
    finally:
        await asyncio.to_thread(client.loop_stop)


def require(module: str, what: str, package: str) -> Any:
    """A library that only some inputs need."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(f"{what} needs {package}, which is not installed: pip install {package}") from error
