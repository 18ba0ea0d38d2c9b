"""One viewer: a task that writes the latest to it, and one that reads the little it may say."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ..inputs.intake import Allowance
from .board import Board, to_text
from .guard import Guard

LONGEST = 4096
"""Bytes of a message of a viewer."""
MOST_A_SECOND = 10.0
FIRST_WORD = 5.0
"""Seconds within which a viewer says who it is."""
PATIENCE = 60.0
"""Seconds that one message may take to be read; who takes longer has gone."""
HELLO, REFUSED, TOO_MUCH, FULL = "hello", 4403, 1008, 1013
NOT_TEXT = 1003

log = logging.getLogger("fairlead.live")

Asked = Callable[[dict[str, Any]], Awaitable[Any]]


class Viewers:
    """All who look on.

    acknowledge  takes the name of an alarm
    ask          answers a what-if; None where there are none
    admitted     is told the address of everyone who has shown to be a viewer
    """

    def __init__(
        self,
        board: Board,
        guard: Guard,
        most: int,
        acknowledge: Callable[[str], object],
        ask: Asked | None,
        admitted: Callable[[tuple[str, int] | None], None] = lambda address: None,
    ):
        self.board, self.guard, self.most = board, guard, most
        self._admitted = admitted
        self._acknowledge, self._ask = acknowledge, ask
        self._asking = asyncio.Lock()
        self.present = 0

    async def meet(self, socket: WebSocket) -> None:
        """The whole life of one connection."""
        headers = socket.headers
        known = self.guard.knows_origin(headers.get("origin"), headers.get("host"))
        shown = self.guard.may_look(headers.get("authorization"))
        if not (known or (shown and "origin" not in headers)):
            log.warning("viewer refused: origin %r", headers.get("origin", "")[:80])
            await socket.close(REFUSED)  # before it is accepted: 403
            return
        if self.present >= self.most:
            await socket.close(FULL)
            return
        try:
            await socket.accept()
            may_ask = await self._introduced(socket, shown)
            if may_ask is not None:
                await self._let_in(socket, may_ask)
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass

    async def _let_in(self, socket: WebSocket, may_ask: bool) -> None:
        """A viewer takes a place only now: whoever has not said who it is takes none."""
        if self.present >= self.most:
            await socket.close(FULL)
            return
        self.present += 1
        self._admitted(None if socket.client is None else (socket.client.host, socket.client.port))
        try:
            await self._serve(socket, may_ask)
        finally:
            self.present -= 1

    async def _introduced(self, socket: WebSocket, shown: bool) -> bool | None:
        """Whether the viewer may ask for what-ifs; None where it may not even look."""
        try:
            message = await asyncio.wait_for(_message(socket), FIRST_WORD)
        except TimeoutError:
            message = None
        tokens = message.get(HELLO) if isinstance(message, dict) else None
        if not isinstance(tokens, dict) or not (shown or self.guard.local or self.guard.is_viewer(tokens.get("token"))):
            log.warning("viewer refused: token")
            await socket.close(REFUSED)
            return None
        return self._ask is not None and self.guard.may_ask(tokens.get("sandbox"))

    async def _serve(self, socket: WebSocket, may_ask: bool) -> None:
        await _send(socket, to_text("header", self.board.header | {"sandbox": may_ask}))
        writer = asyncio.create_task(self._write(socket))
        reader = asyncio.create_task(self._read(socket, may_ask))
        try:
            done, _ = await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (writer, reader):
                task.cancel()
            await asyncio.gather(writer, reader, return_exceptions=True)

    async def _write(self, socket: WebSocket) -> None:
        """The latest, whenever there is something newer and the last one has gone: who is slow skips."""
        board, frames, seen = self.board, 0, {}  # type: ignore[var-annotated]
        while True:
            await board.changed(frames, seen)
            for kind, (number, text) in list(board.texts.items()):
                if number > seen.get(kind, 0):
                    seen[kind] = number
                    await _send(socket, text)
            if board.frames > frames and board.frame is not None:
                frames, frame = board.frames, board.frame
                await _send(socket, frame)

    async def _read(self, socket: WebSocket, may_ask: bool) -> None:
        allowance = Allowance(MOST_A_SECOND, 2 * MOST_A_SECOND)
        while True:
            message = await _message(socket)
            if message is None or not allowance.take(time.monotonic()):
                await socket.close(TOO_MUCH if message is not None else NOT_TEXT)
                return
            if message.keys() == {"acknowledge"} and isinstance(message["acknowledge"], str):
                self._acknowledge(message["acknowledge"][:200])
            elif message.keys() == {"ask"} and isinstance(message["ask"], dict) and may_ask and self._ask is not None:
                await self._answer(socket, message["ask"])
            else:
                await _send(socket, to_text("refused", "this is not understood, or not allowed"))

    async def _answer(self, socket: WebSocket, question: dict[str, Any]) -> None:
        assert self._ask is not None
        if self._asking.locked():
            await _send(socket, to_text("refused", "another what-if is being computed; ask again in a moment"))
            return
        async with self._asking:
            try:
                answer = await self._ask(question)
            except ValueError as error:
                await _send(socket, to_text("refused", str(error)))
                return
        await _send(socket, to_text("sandbox", answer))


async def _send(socket: WebSocket, message: str | bytes) -> None:
    sending = socket.send_text(message) if isinstance(message, str) else socket.send_bytes(message)
    try:
        await asyncio.wait_for(sending, PATIENCE)
    except TimeoutError:
        raise WebSocketDisconnect(FULL) from None


async def _message(socket: WebSocket) -> dict[str, Any] | None:
    """The next message, as an object; None where it is no such thing."""
    received = await socket.receive()
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code") or 1000)
    text = received.get("text")
    if text is None or len(text) > LONGEST:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
