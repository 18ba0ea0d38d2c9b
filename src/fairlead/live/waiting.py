"""While a twin is put together: a page at its address says what is waited for, and opens the twin's when it is there.

The first start on a machine compiles for a minute. Who has opened the address by then reads so, instead of an error of
the browser. Programs are answered 503 until the twin itself answers.
"""

from __future__ import annotations

import contextlib
import html
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from socket import AF_INET, AF_INET6
from socketserver import ThreadingTCPServer

from .server.guard import Guard, headers

AGAIN = "const ask = () => fetch('/').then((a) => a.ok && location.reload(), () => 0); setInterval(ask, 1000);"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light"><link rel="icon" href="data:,"><title>Live twin: starting</title></head>
<body><h1>The twin is starting</h1><p role="status">@WORDS@</p>
<p>This page goes on by itself when it is there.</p><script>@AGAIN@</script></body></html>
"""


@contextlib.contextmanager
def waiting(guard: Guard, words: str) -> Iterator[None]:
    """Say so at the address of a server that is not there yet; nothing where somebody else listens there already."""
    text = PAGE.replace("@WORDS@", html.escape(words)).replace("@AGAIN@", AGAIN).encode()

    class Handler(BaseHTTPRequestHandler):
        timeout = 5.0

        def do_GET(self) -> None:
            known = guard.knows_host(self.headers.get("host"))
            self.send_response(503 if known else 403)
            for name, value in headers((AGAIN,)).items():
                self.send_header(name, value)
            self.send_header("retry-after", "1")
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            if known:
                self.wfile.write(text)

        def log_message(self, format: str, *words: object) -> None:
            pass

    try:
        server = _Server((guard.bind, guard.port), Handler) if guard.port else None
    except OSError:
        server = None  # whoever serves in earnest says so
    if server is None:
        yield
        return
    thread = threading.Thread(target=server.serve_forever, args=(0.1,), name="fairlead-waiting", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingTCPServer):
    daemon_threads = allow_reuse_address = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self.address_family = AF_INET6 if ":" in address[0] else AF_INET
        super().__init__(address, handler)

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # who hangs up
