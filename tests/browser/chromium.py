"""Headless Chromium driven through its DevTools protocol, with nothing but the standard library."""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import secrets
import shutil
import socket
import struct
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlparse
from urllib.request import urlopen

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-gpu-rasterization",
    "--disable-gpu-compositing",  # the software that stands for a graphics card draws the scenes, not the whole page
    "--disable-accelerated-2d-canvas",
    "--remote-debugging-port=0",
)
READ_BACK = "GPU stall due to ReadPixels"  # said of every scene that is put on the page without a graphics card


def find() -> str | None:
    """The browser on this machine; None when there is none."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Socket:
    """A WebSocket to one page: texts out, texts in."""

    def __init__(self, address: str):
        parts = urlparse(address)
        self._stream = socket.create_connection((parts.hostname, parts.port), timeout=60)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self._stream.sendall(
            f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self._buffer = b""
        while b"\r\n\r\n" not in self._buffer:
            self._fill()
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        assert b" 101 " in head.split(b"\r\n")[0], head

    def send(self, text: str) -> None:
        data = text.encode()
        size = len(data)
        if size < 126:
            head = struct.pack("!BB", 0x81, 0x80 | size)
        elif size < 65536:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, size)
        mask = secrets.token_bytes(4)
        masked = bytes(byte ^ key for byte, key in zip(data, itertools.cycle(mask), strict=False))
        self._stream.sendall(head + mask + masked)

    def receive(self) -> str:
        whole = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack("!H", self._take(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", self._take(8))
            data = self._take(size)
            if first & 0x0F in (0, 1):
                whole += data
                if first & 0x80:
                    return whole.decode()

    def close(self) -> None:
        self._stream.close()

    def _take(self, count: int) -> bytes:
        while len(self._buffer) < count:
            self._fill()
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken

    def _fill(self) -> None:
        data = self._stream.recv(1 << 20)
        if not data:
            raise ConnectionError("the browser closed the connection")
        self._buffer += data


class Browser:
    """One browser process and one page in it; a context manager."""

    def __init__(self, wide: int = 1280, tall: int = 720, program: str | None = None):
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.address = "about:blank"  # of what is open, without a fragment
        self._home = tempfile.mkdtemp(prefix="chromium")
        command = [program or find() or "chromium", *FLAGS, f"--window-size={wide},{tall}"]
        self._process = subprocess.Popen(
            [*command, f"--user-data-dir={self._home}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self._home},
        )
        self._numbers = itertools.count(1)
        self._socket = Socket(self._page_address())
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.resize(wide, tall)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(Exception):
            self.call("Browser.close")
        self._socket.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._home, ignore_errors=True)

    def resize(self, wide: int, tall: int, ratio: float = 1.0, mobile: bool = False) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=wide, height=tall, deviceScaleFactor=ratio, mobile=mobile)

    def open(self, page: Path, fragment: str = "") -> None:
        """Open a file and wait until its program stands; what the console says from now on is kept."""
        self.visit(page.resolve().as_uri() + fragment)

    def visit(self, address: str) -> None:
        """The same of an address."""
        self.complaints.clear()
        self.requests.clear()
        self.leave()
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")
        self.address = address.partition("#")[0]

    def leave(self) -> None:
        """Close what is open: nothing is drawn where nobody looks."""
        self.address = "about:blank"
        self.call("Page.navigate", url=self.address)

    def run(self, script: str) -> Any:
        """The value of an expression in the page; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def wait(self, condition: str, seconds: float = 30.0) -> None:
        """Wait until an expression in the page is true."""
        end = time.monotonic() + seconds
        while not self.run(f"Boolean({condition})"):
            if time.monotonic() > end:
                raise TimeoutError(f"{condition} did not come true in {seconds:g} s; console: {self.complaints}")
            time.sleep(0.05)

    def click(self, x: float, y: float) -> None:
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str, code: str = "") -> None:
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code)

    def screenshot(self) -> bytes:
        """What is on the page, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"])

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.receive())
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return dict(message["result"])
            self._hear(message)

    def _hear(self, message: dict[str, Any]) -> None:
        parameters = message.get("params", {})
        method = message.get("method")
        if method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(parameters["exceptionDetails"])[:1000])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in (
            "error",
            "warning",
            "assert",
        ):
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            if READ_BACK not in parameters["entry"]["text"]:
                self.complaints.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def _page_address(self) -> str:
        port_file = Path(self._home) / "DevToolsActivePort"
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self._process.poll() is not None:
                raise RuntimeError(f"the browser ended at once with code {self._process.returncode}")
            with contextlib.suppress(OSError, ValueError):
                port = int(port_file.read_text().split()[0])
                with urlopen(f"http://127.0.0.1:{port}/json/list", timeout=10) as answer:
                    pages = [page for page in json.load(answer) if page["type"] == "page"]
                if pages:
                    return str(pages[0]["webSocketDebuggerUrl"])
            time.sleep(0.1)
        raise TimeoutError("the browser opened no debugging port in 60 s")
