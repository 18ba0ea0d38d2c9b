"""The server: the page, its modules, the socket of viewers, the past, and the door for measurements over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from ..inputs.intake import Intake
from ..inputs.reading import LONGEST, Refusal
from ..page import Page
from .board import Board
from .connections import Connections, bounded
from .guard import Guard, headers
from .viewers import LONGEST as LONGEST_SAID
from .viewers import Asked, Viewers


class Server:
    """Serves one twin.

    board        what there is to see
    guard        who may
    viewers      how many at once
    inputs       doors for measurements, by name
    acknowledge  takes the name of an alarm
    ask          answers a what-if; None where there are none
    page         False serves the socket and the doors only
    """

    def __init__(
        self,
        board: Board,
        guard: Guard,
        *,
        viewers: int = 50,
        inputs: Mapping[str, Intake] | None = None,
        acknowledge: Callable[[str], object] = lambda name: None,
        ask: Asked | None = None,
        page: bool = True,
        clock: Callable[[], float] = time.time,
    ):
        self.board, self.guard = board, guard
        self.connections = Connections()
        self.viewers = Viewers(board, guard, viewers, acknowledge, ask, self.connections.admit)
        self._inputs, self._clock = inputs or {}, clock
        self._page = Page() if page else None
        self.headers = headers(self._page.scripts if self._page else ())
        routes = [
            WebSocketRoute("/live", self.viewers.meet),
            Route("/past", self._past),
            Route("/trends", self._trends),
            Route("/inputs/{name}", self._input, methods=["POST"]),
        ]
        if self._page:
            routes += [Route("/", self._index), Route("/page/{name}", self._part)]
        self.app = Gate(Starlette(routes=routes), guard, self.headers)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[int]:
        """Listens while the block lasts; gives the port. `OSError` where it cannot."""
        self.board.attach(asyncio.get_running_loop())
        listening = _listen(self.guard.bind, self.guard.port)
        config = uvicorn.Config(
            self.app,
            http=bounded(self.connections),
            ws="websockets-sansio",
            ws_max_size=LONGEST_SAID,
            ws_per_message_deflate=False,
            ws_ping_interval=20.0,
            ws_ping_timeout=20.0,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=1 << 14,
        )
        server = _Quiet(config)
        serving = asyncio.create_task(server.serve([listening]))
        try:
            while not server.started and not serving.done():
                await asyncio.sleep(0.01)
            yield int(listening.getsockname()[1])
        finally:
            server.should_exit = True
            with contextlib.suppress(asyncio.CancelledError):
                await serving
            listening.close()

    async def _index(self, request: Request) -> Response:
        assert self._page is not None
        return Response(self._page.html, media_type="text/html; charset=utf-8")

    async def _part(self, request: Request) -> Response:
        assert self._page is not None
        found = self._page.part(request.path_params["name"])
        if found is None:
            return PlainTextResponse("there is no such part of the page\n", 404)
        return Response(found[0], media_type=found[1])

    async def _past(self, request: Request) -> Response:
        if not self._may_look(request):
            return PlainTextResponse("show the token in the header Authorization\n", 403)
        return Response(self.board.past(), media_type="application/octet-stream")

    async def _trends(self, request: Request) -> Response:
        if not self._may_look(request):
            return PlainTextResponse("show the token in the header Authorization\n", 403)
        return Response(self.board.trends(), media_type="application/json")

    def _may_look(self, request: Request) -> bool:
        return self.guard.local or self.guard.may_look(request.headers.get("authorization"))

    async def _input(self, request: Request) -> Response:
        """A measurement; its own token is always needed: no viewer and no page of somebody else's can post one."""
        if not self.guard.may_feed(request.headers.get("authorization")):
            return PlainTextResponse("show the token of 'feed' in the header Authorization\n", 403)
        intake = self._inputs.get(request.path_params["name"])
        if intake is None:
            return PlainTextResponse(f"there is no such input; there are {', '.join(self._inputs) or 'none'}\n", 404)
        text = b""
        async for chunk in request.stream():
            text += chunk
            if len(text) > LONGEST:
                return PlainTextResponse(f"at most {LONGEST} bytes\n", 413)
        found = intake.line(text, self._clock())
        if isinstance(found, Refusal):
            return PlainTextResponse(f"refused: {found.why}\n", 429 if found.why == "too many" else 422)
        return PlainTextResponse("taken\n", 202)


class Gate:
    """Before everything: the name by which we were called; after it: what the page may do."""

    def __init__(self, app: ASGIApp, guard: Guard, headers: Mapping[str, str]):
        self._app, self._guard = app, guard
        self._headers = [(name.encode("ascii"), value.encode("ascii")) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *self._headers]}
            await send(message)

        given = [value for name, value in scope.get("headers", ()) if name == b"host"]
        host = given[0].decode("latin-1") if len(given) == 1 else None
        if not self._guard.knows_host(host):
            if scope["type"] == "websocket":
                await WebSocket(scope, receive, send).close(1008)
            else:
                await PlainTextResponse("this name is not known here\n", 403)(scope, receive, with_headers)
            return
        await self._app(scope, receive, with_headers)


class _Quiet(uvicorn.Server):
    """A server that leaves signals to the program it runs in."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield


def _listen(bind: str, port: int) -> Any:
    import socket

    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((bind, port))
    except OSError:
        listening.close()
        raise
    listening.setblocking(False)
    return listening
