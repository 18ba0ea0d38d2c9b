"""Corners and panels of mesh files: STL, OBJ and Nemoh's .dat by readers of our own, anything else by `meshio`.

Each reader gives points (n, 3) and panels (m, 4), or raises `ValueError` with what is wrong and in which line.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import struct
from pathlib import Path

import numpy as np

LARGEST_FILE = 200_000_000
"""Bytes: no mesh that boundary elements can use is larger."""


def read_corners(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) and panels (m, 4) of a file as they stand there; `ValueError` says why there are none."""
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise ValueError(f"the file has {size / 1e6:.0f} MB; give a coarser mesh")
        if size == 0:
            raise ValueError("the file is empty")
        reader = {".stl": _stl, ".obj": _obj, ".dat": _nemoh}.get(path.suffix.lower())
        return _meshio(path) if reader is None else reader(path.read_bytes())
    except OSError as error:
        raise ValueError(f"the file cannot be opened: {error.strerror or error}") from None


def _lines(data: bytes) -> list[list[str]]:
    """Words of every line of a text, in whatever encoding it is written."""
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not wide and b"\0" in data:
        raise ValueError("it holds binary data where text is expected")
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "latin-1"):
        try:
            return [line.split() for line in data.decode(encoding).splitlines()]
        except UnicodeDecodeError:
            continue
    raise ValueError("its text cannot be decoded")


def _numbers(words: list[str], count: int, line: int, what: str) -> list[float]:
    """The first `count` numbers of a line."""
    if len(words) < count:
        raise ValueError(f"line {line}: {what} needs {count} numbers, there are {len(words)}")
    try:
        return [float(word) for word in words[:count]]
    except ValueError:
        raise ValueError(f"line {line}: {what} '{' '.join(words[:count])[:60]}' is not made of numbers") from None


def _whole(value: float, line: int) -> int:
    if not value.is_integer() or abs(value) > 2**53:
        raise ValueError(f"line {line}: {value:g} is no number of a corner")
    return int(value)


def _stl(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    if data[:5] == b"solid" and b"facet" in data[:2000]:
        rows = [_numbers(words[1:], 3, k + 1, "a vertex") for k, words in enumerate(_lines(data))
                if words[:1] == ["vertex"]]  # fmt: skip
        points = np.array(rows, dtype=float).reshape(-1, 3)
        if len(points) % 3:
            raise ValueError(f"it ends within a triangle: {len(points)} vertices are no multiple of 3")
    else:
        if len(data) < 84:
            raise ValueError("it ends within its head: it is no STL file, or only the beginning of one")
        (count,) = struct.unpack_from("<I", data, 80)
        if len(data) < 84 + 50 * count:
            raise ValueError(
                f"the file is shorter than it says: {count} triangles, but room for {(len(data) - 84) // 50}; it is no "
                "STL file, or only the beginning of one"
            )
        kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
        points = np.frombuffer(data, kind, count, 84)["corners"].reshape(-1, 3).astype(float)
    faces = np.arange(len(points)).reshape(-1, 3)
    return points, np.column_stack((faces, faces[:, 2]))


def _obj(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    points: list[list[float]] = []
    faces: list[list[int]] = []
    for number, words in enumerate(_lines(data), 1):
        if words[:1] == ["v"]:
            points.append(_numbers(words[1:], 3, number, "a corner"))
        elif words[:1] == ["f"]:
            if not 3 <= len(words) - 1 <= 4:
                raise ValueError(f"line {number}: a panel with {len(words) - 1} corners, not 3 or 4")
            named = _numbers([word.split("/")[0] for word in words[1:]], len(words) - 1, number, "a panel")
            corners = [_whole(value, number) for value in named]
            if 0 in corners:
                raise ValueError(f"line {number}: corners are counted from 1, not 0")
            corners = [c - 1 if c > 0 else len(points) + c for c in corners]
            faces.append([*corners[:3], corners[-1]])
    if not points:
        raise ValueError("it has no corners: no line begins with 'v'")
    return np.array(points, dtype=float).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 4)


def _nemoh(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Nemoh's mesh: a head line, `number x y z` until a line of zeros, then four corner numbers a panel until zeros."""
    rows = [(k + 1, words) for k, words in enumerate(_lines(data)) if words and k > 0]
    points: list[list[float]] = []
    for line, words in rows:
        values = _numbers(words, 4, line, "a corner")
        if values[0] == 0:
            break
        points.append(values[1:])
    else:
        raise ValueError("no line of zeros ends the corners: it is no Nemoh mesh, or only the beginning of one")
    faces = []
    for line, words in rows[len(points) + 1 :]:
        values = _numbers(words, 4, line, "a panel")
        if values[0] == 0:
            break
        faces.append([_whole(value, line) - 1 for value in values])
    return np.array(points, dtype=float).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 4)


def _meshio(path: Path) -> tuple[np.ndarray, np.ndarray]:
    try:
        import meshio
    except ImportError:
        raise ValueError(
            f"'{path.suffix}' files need meshio, which is not installed; `pip install fairlead[meshes]`, or convert "
            "the file to .stl, .obj or Nemoh's .dat"
        ) from None
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            mesh = meshio.read(path)
            parts = [np.column_stack((block.data[:, :3], block.data[:, -1])) for block in mesh.cells
                     if block.type in ("triangle", "quad")]  # fmt: skip
            points = np.asarray(mesh.points, dtype=float)
    except (Exception, SystemExit) as error:  # its readers raise all sorts of things, and leave the program
        words = " ".join(str(error).split()) if not isinstance(error, SystemExit) else ""
        raise ValueError(f"meshio cannot make sense of it{': ' if words else ''}{words[:120]}") from None
    if not parts:
        raise ValueError("it has neither triangles nor quads")
    if points.ndim != 2 or points.shape[1] != 3:
        raise ValueError("its corners have not three coordinates each")
    return points, np.concatenate(parts).astype(np.int64)
