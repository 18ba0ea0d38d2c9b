"""One picture of the twin as bytes, little endian: FLT1, sequence (u32), simulated time and wall time (f64), then
x, y, z of every node (f32, m) and its tension (f32, N). Nodes on a drum are NaN. Gaps in the sequence are normal."""

from __future__ import annotations

import struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairlead.results import ObservationShape
from fairlead.results.observation import NODE_COLUMNS, NODE_POSITION, NODE_TENSION

MAGIC = b"FLT1"
HEAD = struct.Struct("<4sIdd")
SCHEMA = 1
"""Version of header, frames and messages."""


class Frame(NamedTuple):
    """A frame as it was unpacked: positions (node, 3), m, and tensions (node,), N."""

    sequence: int
    time: float
    wall: float
    position: NDArray[np.float32]
    tension: NDArray[np.float32]


class Packer:
    """Makes frames of observation rows of one shape; ``origin`` (x, y), m, is taken off every place."""

    def __init__(self, shape: ObservationShape, origin: tuple[float, float] = (0.0, 0.0)):
        self._nodes = shape.node_block
        self._origin = np.array([*origin, 0.0])
        self._numbers = np.empty(4 * shape.node_count, dtype="<f4")
        self._place = self._numbers[: 3 * shape.node_count].reshape(-1, 3)
        self._tension = self._numbers[3 * shape.node_count :]
        self.sequence = 0

    def __call__(self, row: NDArray[np.float64], time: float, wall: float) -> bytes:
        """The next frame."""
        nodes = row[self._nodes].reshape(-1, NODE_COLUMNS)
        np.subtract(nodes[:, NODE_POSITION : NODE_POSITION + 3], self._origin, out=self._place, casting="same_kind")
        self._tension[:] = nodes[:, NODE_TENSION]
        self.sequence = (self.sequence + 1) & 0xFFFFFFFF
        return HEAD.pack(MAGIC, self.sequence, time, wall) + self._numbers.tobytes()


def unpack(data: bytes) -> Frame:
    """What a frame holds; `ValueError` where it is none."""
    if len(data) < HEAD.size or data[:4] != MAGIC or (len(data) - HEAD.size) % 16:
        raise ValueError("not a frame of a live twin")
    _, sequence, time, wall = HEAD.unpack_from(data)
    numbers = np.frombuffer(data, dtype="<f4", offset=HEAD.size)
    nodes = len(numbers) // 4
    return Frame(sequence, time, wall, numbers[: 3 * nodes].reshape(-1, 3), numbers[3 * nodes :])
