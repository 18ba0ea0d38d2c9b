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
    return len(np.unique(pixels(png).reshape(-1, 3) // 16, axis=0))
