"""What viewers of a live twin cost: frames of the seismic front end (608 nodes) at 10 Hz, to 1 and to 20 of them.

The viewers are a process of their own, so that only the server's CPU time is counted; one viewer that reads nothing is
among them in the last record, in which memory is measured.
"""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np

from fairlead.live.frames import Packer
from fairlead.live.server.board import Board
from fairlead.live.server.guard import Guard, Tokens
from fairlead.results import ObservationShape
from fairlead.studies.benchmarks.record import Record

NODES = 608
RATE = 10.0
SECONDS = 10.0
BAR_VIEWERS = 5.0
"""Per cent of a core for 20 viewers."""
BAR_FRAME = 300.0
"""µs for a frame."""
VIEWERS = """
import asyncio, sys, websockets
async def look(port, token, idle):
    headers = {"Authorization": f"Bearer {token}"}
    address = f"ws://127.0.0.1:{port}/live"
    async with websockets.connect(address, additional_headers=headers, compression=None, max_queue=1) as one:
        await one.send('{"hello": {}}')
        seen = 0
        try:
            while True:
                if idle: await asyncio.sleep(3600)
                seen += isinstance(await one.recv(), bytes)
        except (asyncio.CancelledError, websockets.ConnectionClosed):
            return seen
async def main(port, token, count, idle):
    tasks = [asyncio.create_task(look(port, token, k < idle)) for k in range(count)]
    await asyncio.sleep(1.0)
    print("there", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for task in tasks: task.cancel()
    print(*await asyncio.gather(*tasks), flush=True)
asyncio.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
"""


def measure() -> Iterator[Record]:
    """CPU time of the server, of one frame, and memory with one who does not read."""
    shape = ObservationShape(("cable",), (NODES,), (), (tuple(np.linspace(0.0, 6000.0, NODES)),))
    pack, row = Packer(shape), np.random.default_rng(1).normal(size=shape.size)
    yield Record("live frame of 608 nodes", frame_time(pack, row), "µs", "bar", BAR_FRAME)
    try:
        import fairlead.live.server.app  # noqa: F401
    except ImportError:
        return  # the extra `live` is not installed
    for viewers in (1, 20):
        share, seen, _ = asyncio.run(serve(pack, row, viewers, 0))
        yield Record(f"live server, {viewers} viewers at 10 Hz", share, "% of a core", "bar", BAR_VIEWERS)
        yield Record(f"live server, {viewers} viewers, frames that came", 100.0 * seen, "%")
    _, _, grown = asyncio.run(serve(pack, row, 20, 5))
    yield Record("live server, 5 of 20 viewers read nothing, memory grows by", grown, "MB")


def frame_time(pack: Packer, row: np.ndarray) -> float:
    """CPU time of one frame [µs]."""
    began, count = time.process_time(), 2000
    for k in range(count):
        pack(row, float(k), 0.0)
    return 1e6 * (time.process_time() - began) / count


async def serve(pack: Packer, row: np.ndarray, viewers: int, idle: int) -> tuple[float, float, float]:
    """Per cent of a core, share of the frames that reached those who read, and growth of memory [MB]."""
    import socket

    from fairlead.live.server.app import Server

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    board, tokens = Board(), Tokens()
    board.header = {"schema": 1}
    server = Server(board, Guard("127.0.0.1", port, tokens), viewers=viewers)
    async with server.running():
        command = [sys.executable, "-c", VIEWERS, str(port), tokens.view, str(viewers), str(idle)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        await asyncio.to_thread(process.stdout.readline)
        before, began, memory = time.process_time(), time.monotonic(), _memory()
        frames = 0
        while (passed := time.monotonic() - began) < SECONDS:
            board.show(pack(row, passed, 0.0))
            frames += 1
            await asyncio.sleep(max(0.0, began + frames / RATE - time.monotonic()))
        spent, grown = time.process_time() - before, _memory() - memory
        told, _ = await asyncio.to_thread(process.communicate, "")
        seen = [int(word) for word in told.split()]
    reading = [count for count in seen if count > 0] or [0]
    return 100.0 * spent / SECONDS, float(np.mean(reading)) / frames, grown


def _memory() -> float:
    """MB that the process has at most had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
