"""Corners and panels of mesh files: STL, OBJ, PLY and Nemoh's .dat by readers of our own, anything else by `meshio`.

Each reader gives points (n, 3) and panels (m, 4), or raises `ValueError` with what is wrong and in which line.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from fairlead.results.trial import EndlessReading, require_harmless

LARGEST_FILE = 200_000_000
"""Bytes: no mesh that boundary elements can use is larger."""
LONGEST_LIST = 1000
"""Values in one list of a PLY file."""


def read_corners(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) and panels (m, 4) of a file as they stand there; `ValueError` says why there are none."""
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise ValueError(f"the file has {size / 1e6:.0f} MB; give a coarser mesh")
        if size == 0:
            raise ValueError("the file is empty")
        reader = {".stl": _stl, ".obj": _obj, ".ply": _ply, ".dat": _nemoh}.get(path.suffix.lower())
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
        place = f"line {line}: " if line else ""
        raise ValueError(f"{place}{what} '{' '.join(words[:count])[:60]}' is not made of numbers") from None


def _whole(value: float, line: int) -> int:
    if not value.is_integer() or abs(value) > 2**53:
        raise ValueError(f"{f'line {line}: ' if line else ''}{value:g} is no number of a corner")
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


PLY_TYPES = {
    "char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "float": "f4",
    "double": "f8", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4",
    "float32": "f4", "float64": "f8",
}  # fmt: skip
PLY_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}


@dataclass
class _Element:
    """Of a PLY file: its name, how many there are, and of each property its name, type and type of its count."""

    name: str
    count: int
    properties: list[tuple[str, str, str | None]] = field(default_factory=list)


def _ply(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Polygons of Stanford's format, as text or binary: a head that says what follows, then one element after another.

    No element is larger than the bytes that are left, so that a wrong count ends in an error, not in a long search.
    """
    head, found, rest = data.partition(b"end_header")
    if data[:3] != b"ply" or not found:
        raise ValueError("it does not begin with a head from 'ply' to 'end_header': it is no PLY file, or cut short")
    order, elements = _ply_head(_lines(head))
    body = rest[rest.find(b"\n") + 1 :]
    take = _ply_words(body) if not order else _ply_binary(body, order)
    points: list[list[float]] = []
    faces: list[list[int]] = []
    for element in elements:
        if element.count > len(body):
            raise ValueError(f"it says {element.count} of '{element.name}', and has {len(body)} bytes for them")
        if not element.properties and element.count:
            raise ValueError(f"element '{element.name}' has no properties")
        for _ in range(element.count):
            row = {name: take(kind, counted) for name, kind, counted in element.properties}
            if element.name == "vertex":
                points.append([_single(row.get(axis), axis) for axis in "xyz"])
            elif element.name == "face":
                corners = row.get("vertex_indices", row.get("vertex_index", []))
                if not 3 <= len(corners) <= 4:
                    raise ValueError(f"panel {len(faces) + 1} has {len(corners)} corners, not 3 or 4")
                named = [_whole(value, 0) for value in corners]
                faces.append([*named[:3], named[-1]])
    return np.array(points, dtype=float).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 4)


def _single(values: list[float] | None, axis: str) -> float:
    if values is None or len(values) != 1:
        raise ValueError(f"its vertices have no coordinate '{axis}'")
    return values[0]


def _ply_head(lines: list[list[str]]) -> tuple[str, list[_Element]]:
    order, elements = None, []
    for number, words in enumerate(lines, 1):
        match words:
            case ["format", form, *_] if form in PLY_ORDERS:
                order = PLY_ORDERS[form]
            case ["element", name, count] if count.isdecimal() and len(count) < 16:
                elements.append(_Element(name, int(count)))
            case ["property", "list", counted, kind, name] if elements and {counted, kind} <= PLY_TYPES.keys():
                elements[-1].properties.append((name, PLY_TYPES[kind], PLY_TYPES[counted]))
            case ["property", kind, name] if elements and kind in PLY_TYPES:
                elements[-1].properties.append((name, PLY_TYPES[kind], None))
            case [] | ["ply" | "comment" | "obj_info", *_]:
                pass
            case _:
                raise ValueError(f"line {number}: '{' '.join(words)[:60]}' is nothing that the head of a PLY file has")
    if order is None:
        raise ValueError("its head does not say its format")
    return order, elements


_Take = Callable[[str, "str | None"], list[float]]


def _ply_words(body: bytes) -> _Take:
    words = iter([word for line in _lines(body) for word in line])

    def one() -> float:
        word = next(words, None)
        if word is None:
            raise ValueError("it ends before all that its head says")
        return _numbers([word], 1, 0, "a value")[0]

    return lambda kind, counted: [one() for _ in range(1 if counted is None else _list_length(one()))]


def _ply_binary(body: bytes, order: str) -> _Take:
    at = 0

    def several(kind: str, count: int) -> list[float]:
        nonlocal at
        dtype = np.dtype(order + kind)
        if at + count * dtype.itemsize > len(body):
            raise ValueError("it ends before all that its head says")
        values = np.frombuffer(body, dtype, count, at)
        at += count * dtype.itemsize
        return [float(value) for value in values]

    return lambda kind, counted: several(kind, 1 if counted is None else _list_length(several(counted, 1)[0]))


def _list_length(value: float) -> int:
    if not value.is_integer() or not 0 <= value <= LONGEST_LIST:
        raise ValueError(f"a list of {value:g} values")
    return int(value)


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
            "the file to .stl, .obj, .ply or Nemoh's .dat"
        ) from None
    try:
        require_harmless(path, "meshio")
    except EndlessReading as error:
        raise ValueError(f"{error}: it is damaged, or no '{path.suffix}' file") from None
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
