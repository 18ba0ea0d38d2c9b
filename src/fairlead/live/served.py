"""The live page of a twin that a program moves by itself: `twin.serve()`."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from typing import Any, Self

from fairlead.twin import Twin

from .asking import answer
from .frames import Packer
from .header import of_twin
from .recorded import Recorded
from .server.board import Board
from .server.guard import Guard, Tokens
from .showing import Showing


class Served:
    """A page that shows every estimate of a twin, until it is closed; to this machine alone.

    twin  it is moved by others; nothing here moves it
    port  to listen at; any that is free if 0

    ``address`` is that of the page, with the token for what-ifs where the twin's file allows them.
    """

    def __init__(self, twin: Twin, port: int) -> None:
        self._twin, self._tokens = twin, Tokens()
        self._board, recorded = Board(), Recorded(twin)
        self._board.header, origin = of_twin(twin, recorded)
        epoch = time.time() - twin.time
        self._showing = Showing(self._board, Packer(twin.shape, origin), epoch, inputs={}, trends=recorded.bands,
                                forecast=lambda: twin.forecast)  # fmt: skip
        self._ready, self._trouble = threading.Event(), None
        self._loop, self._port = asyncio.new_event_loop(), port or _free()
        self._over = asyncio.Event()
        self._thread = threading.Thread(target=self._serve, name="fairlead-page", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._trouble is not None:
            raise self._trouble
        self._showing(twin.estimate)
        twin.shown.append(self._showing)

    _trouble: BaseException | None

    @property
    def address(self) -> str:
        """Of the page."""
        sandbox = f"#sandbox={self._tokens.sandbox}" if self._twin.file.server.sandbox else ""
        return f"http://127.0.0.1:{self._port}/{sandbox}"

    def close(self) -> None:
        """Stop showing it."""
        if self._showing in self._twin.shown:
            self._twin.shown.remove(self._showing)
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._over.set)
            self._thread.join(10.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _serve(self) -> None:
        try:
            self._loop.run_until_complete(self._running())
        except BaseException as error:
            self._trouble = error
        finally:
            self._loop.close()
            self._ready.set()

    async def _running(self) -> None:
        from .server.app import Server

        twin = self._twin
        ask = self._answer if twin.file.server.sandbox else None
        guard = Guard("127.0.0.1", self._port, self._tokens)
        server = Server(self._board, guard, viewers=twin.file.server.viewers, acknowledge=twin.acknowledge, ask=ask)
        async with server.running():
            self._ready.set()
            await self._over.wait()

    async def _answer(self, question: dict[str, Any]) -> Any:
        return await asyncio.to_thread(answer, self._twin, self._twin.lock, question)


def _free() -> int:
    """A port that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
