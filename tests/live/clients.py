"""A client for the live server made of a plain socket, so that it can also be rude."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import socket
import struct
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from fairlead.live.frames import Packer
from fairlead.live.header import header
from fairlead.live.server.app import Server
from fairlead.live.server.board import Board
from fairlead.live.server.guard import Guard, Tokens
from fairlead.results import ObservationShape

TOKENS = Tokens("v" * 64, "s" * 64, "f" * 64)


class Client:
    """Bytes to a server and back; frames of a socket once it is upgraded."""

    def __init__(self, port: int, timeout: float = 10.0):
        self.port = port
        self.stream = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self._buffer = b""

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], bytes]:
        """One request; headers by keyword, underscores for hyphens, None-like empty strings left out."""
        given = {"host": f"127.0.0.1:{self.port}"} | {key.replace("_", "-"): value for key, value in headers.items()}
        if body:
            given["content-length"] = str(len(body))
        lines = [f"{method} {path} HTTP/1.1", *(f"{key}: {value}" for key, value in given.items() if value), "", ""]
        self.stream.sendall("\r\n".join(lines).encode("latin-1") + body)
        while b"\r\n\r\n" not in self._buffer:
            self._fill()
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        first, *rest = head.decode("latin-1").split("\r\n")
        answered = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in rest)}
        size = int(answered.get("content-length", 0))
        return int(first.split()[1]), answered, self._take(size) if size else b""

    def upgrade(self, **headers: str) -> int:
        """Ask for the socket of viewers; the status, 101 where it was granted."""
        key = base64.b64encode(os.urandom(16)).decode()
        given = {"origin": f"http://127.0.0.1:{self.port}"} | headers
        return self.ask("GET", "/live", upgrade="websocket", connection="Upgrade", sec_websocket_key=key,
                        sec_websocket_version="13", **given)[0]  # fmt: skip

    def say(self, message: Any) -> None:
        self.send(1, json.dumps(message).encode())

    def send(self, opcode: int, data: bytes, *, length: int | None = None) -> None:
        size = len(data) if length is None else length
        short = size if size < 126 else 126 if size < 65536 else 127
        head = bytes([0x80 | opcode, 0x80 | short])
        head += b"" if short < 126 else struct.pack("!H" if short == 126 else "!Q", size)
        mask = os.urandom(4)
        whole = np.frombuffer(data, np.uint8) ^ np.resize(np.frombuffer(mask, np.uint8), len(data))
        self.stream.sendall(head + mask + whole.tobytes())

    def hear(self) -> tuple[int, bytes]:
        """The next frame: its opcode and what is in it; (8, code) when the server closes."""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack("!H", self._take(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", self._take(8))
            data = self._take(size)
            if first & 0x0F == 9:
                self.send(10, data)
                continue
            return first & 0x0F, data

    def until(self, kind: str) -> Any:
        """Messages up to the first text of a kind; what is in it."""
        while True:
            opcode, data = self.hear()
            if opcode == 8:
                raise ConnectionError(f"closed with {struct.unpack('!H', data[:2])[0]}")
            if opcode == 1:
                message = json.loads(data)
                if message["kind"] == kind:
                    return message["content"]

    def frame(self) -> bytes:
        while True:
            opcode, data = self.hear()
            if opcode == 2:
                return data
            assert opcode != 8, data

    def closed(self) -> int | None:
        """The code with which the server closes; None where it just went."""
        try:
            while True:
                opcode, data = self.hear()
                if opcode == 8:
                    return struct.unpack("!H", data[:2])[0]
        except ConnectionError:
            return None

    def close(self) -> None:
        self.stream.close()

    def _take(self, count: int) -> bytes:
        while len(self._buffer) < count:
            self._fill()
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken

    def _fill(self) -> None:
        data = self.stream.recv(1 << 16)
        if not data:
            raise ConnectionError("the server closed the connection")
        self._buffer += data


class Sea:
    """A board with a cable that swings, shown at will."""

    def __init__(self, nodes: int = 21) -> None:
        self.shape = ObservationShape(("tow",), (nodes,), ("stern", "tail"), (tuple(np.linspace(0.0, 100.0, nodes)),))
        self.board = Board()
        settings = {"points": {"stern": {"kind": "controlled"}, "tail": {"kind": "free"}},
                    "environment": {"seabed": {"depth": 120.0}}}  # fmt: skip
        limits = [{"value": 5e3, "name": "limit"}]
        trends = [{"name": "tow.tension", "label": "Tension of tow", "unit": "N", "limits": limits}]
        about = {"title": "A tow", "settings": settings}
        self.board.header, origin = header(self.shape, about, self.row(0.0), 0.0, trends=trends, travels=True)
        self._pack = Packer(self.shape, origin)

    def row(self, time: float) -> np.ndarray:
        row = np.zeros(self.shape.size)
        row[self.shape.extremes.start :] = np.nan
        table, s = self.shape.node_table(row, 0), np.array(self.shape.arc_length[0])
        table[:, 0] = 2.0 * time - 0.8 * s
        table[:, 1] = 5.0 * np.sin(0.1 * time - s / 30.0)
        table[:, 2] = -0.5 * s
        table[:, 6] = 4000.0 - 30.0 * s + 200.0 * np.sin(time)
        row[self.shape.point("stern")][:3] = table[0, :3]
        row[self.shape.point("tail")][:3] = table[-1, :3]
        return row

    def show(self, time: float, keep: bool = False) -> None:
        self.board.show(self._pack(self.row(time), time, 1e9 + time), keep=keep)


@contextlib.contextmanager
def own_port() -> Iterator[int]:
    """A port that no other process is given meanwhile: bound and not listened at, so that a server may take it."""
    with socket.socket() as kept:
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        kept.bind(("127.0.0.1", 0))
        yield kept.getsockname()[1]


@contextlib.contextmanager
def served(board: Board, *, bind: str = "127.0.0.1", port: int = 0, **how: Any) -> Iterator[tuple[Server, int]]:
    """A server in a thread of its own, on a free port unless one is named."""
    if not port:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
    server = Server(board, Guard(bind, port, TOKENS), **how)
    ready, loop = threading.Event(), asyncio.new_event_loop()
    over: asyncio.Event = asyncio.Event()

    async def run() -> None:
        async with server.running():
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), daemon=True)
    thread.start()
    assert ready.wait(10.0)
    try:
        yield server, port
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10.0)
        loop.close()
