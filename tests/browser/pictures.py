"""Statistics of pictures."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def pixels(png: bytes) -> NDArray[np.int16]:
    """(row, column, 3), 0 to 255."""
    with Image.open(io.BytesIO(png)) as picture:
        return np.asarray(picture.convert("RGB"), dtype=np.int16)


def differing(one: bytes, other: bytes) -> float:
    """Share of pixels that differ visibly between two pictures of the same size."""
    return float((np.abs(pixels(one) - pixels(other)).max(axis=-1) > 24).mean())


def colours(png: bytes) -> int:
    """How many different colours a picture has, in steps of 16."""
    return colours_in(pixels(png) // 16)


def colours_in(picture: NDArray[np.integer]) -> int:
    """How many different colours (row, column, 3) has; each is one number, since rows of three are slow to sort."""
    return len(np.unique(picture.astype(np.int64) @ np.array([1 << 16, 1 << 8, 1])))
