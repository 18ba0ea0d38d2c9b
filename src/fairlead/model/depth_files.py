"""Depths in files: grids as MoorDyn has them, and soundings anywhere, of which a grid is made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.model.bathymetry import MOST_NODES
from fairlead.model.csv_columns import Row, Unreadable, opened
from fairlead.model.values import LARGEST

LINES_OF_HEAD = 3
"""Lines of a grid file before its rows: counts, and the values of both axes."""

SAME_NODE = 1e-6
"""Of a cell: how far from a node a row may be and still be of it."""

Grid = dict[str, Any]
"""x, y and depth as `Bathymetry` has them."""


def read_grid(path: Path) -> Grid:
    """x, y and depth of a grid file as MoorDyn has it; lines of text before its counts are passed over.

    Where no number is above 0 they are heights, z, and not depths.
    """
    with opened(path) as stream:
        try:
            lines = list(stream)
        except UnicodeDecodeError:
            raise Unreadable("file", f"{path} is not UTF-8 text", "save it as plain text") from None
        except OSError as error:
            raise Unreadable("file", f"{path} cannot be read: {error.strerror or error}", "name a plain file") from None
    return grid_of(lines, path)


def grid_of(lines: Sequence[str], path: Path) -> Grid:
    """The same from the lines of a file."""
    grid = _grid(lines, path)
    if max(max(row) for row in grid["depth"]) <= 0.0:
        grid["depth"] = [[-value for value in row] for row in grid["depth"]]
    return grid


def _grid(text: Sequence[str], path: Path) -> Grid:
    lines = [(number, line.split("#")[0].split()) for number, line in enumerate(text, 1)]
    named = [(number, words) for number, words in lines if words and words[0].lower() in ("ngridx", "ngridy")]
    if named:
        below = [(number, words) for number, words in lines if words and number > named[-1][0]]
        return _counted(_by_rows_of_y(below, path), [words for _, words in named], path)
    rows = [(number, _numbers(words)) for number, words in lines if words]
    while rows and (rows[0][1] is None or len(rows[0][1] or ()) != 2):
        rows.pop(0)
    if len(rows) <= LINES_OF_HEAD:
        message = f"{path} holds no grid of depths"
        raise Unreadable("file", message, "its lines are: nx ny, then nx values of x, ny of y, then rows x y depth")
    (_, counts), (_, x), (_, y), *places = rows
    x, y = x or [], y or []
    for name, axis, count in zip("xy", (x, y), counts or (), strict=True):
        if len(axis) != count or any(not b > a for a, b in pairwise(axis)):
            raise Unreadable("file", f"{path} should have {count:g} growing values of {name} below its counts")
    if len(x) * len(y) > MOST_NODES:
        raise Unreadable("file", f"{path} has more than {MOST_NODES} depths", "thin it out")
    depth = np.full((len(x), len(y)), math.nan)
    for number, row in places:
        if row is None or len(row) != 3:
            raise Unreadable("file", f"{path}, line {number}: is no row x y depth")
        i, j = _node(x, row[0]), _node(y, row[1])
        if i is None or j is None:
            hint = "its x and y are among the values above"
            raise Unreadable("file", f"{path}, line {number}: x = {row[0]:g}, y = {row[1]:g} is no node", hint)
        if not math.isnan(depth[i, j]):
            message = f"{path}, line {number}: the depth at x = {x[i]:g}, y = {y[j]:g} is given a second time"
            raise Unreadable("file", message, "keep one of them")
        depth[i, j] = row[2]
    if np.isnan(depth).any():
        i, j = np.argwhere(np.isnan(depth))[0]
        raise Unreadable("file", f"{path} has no depth at x = {x[i]:g}, y = {y[j]:g}", "every node needs one")
    return {"x": x, "y": y, "depth": depth.tolist()}


def _node(axis: Sequence[float], value: float) -> int | None:
    """Which number of an axis a value is, to a part of the narrowest cell; None where it is none."""
    nearest = int(np.argmin(np.abs(np.subtract(axis, value))))
    cell = min((b - a for a, b in pairwise(axis)), default=1.0)
    return nearest if abs(axis[nearest] - value) <= SAME_NODE * cell else None


def _by_rows_of_y(lines: Sequence[tuple[int, list[str]]], path: Path) -> Grid:
    """The grid below `nGridX` and `nGridY`: a line of x, then lines of y and the depths at each x."""
    rows = [(number, _numbers(words)) for number, words in lines]
    if len(rows) < 2 or rows[0][1] is None or any(not b > a for a, b in pairwise(rows[0][1] or ())):
        raise Unreadable("file", f"{path} has no line of growing values of x below nGridX and nGridY")
    x, columns = rows[0][1], []
    for number, row in rows[1:]:
        if row is None or len(row) != len(x) + 1:
            raise Unreadable("file", f"{path}, line {number}: is no row of y and {len(x)} depths")
        columns.append(row)
    columns.sort()
    return {"x": x, "y": [row[0] for row in columns], "depth": np.array(columns)[:, 1:].T.tolist()}


def _counted(grid: Grid, heads: Sequence[Sequence[str]], path: Path) -> Grid:
    """The grid, which has as many x and y as `nGridX` and `nGridY` say."""
    for key, *said in heads:
        name = key[-1].lower()
        count, found = _numbers(said[:1]), len(grid["x"] if name == "x" else grid["y"])
        if count and count[0] != found:
            hint = "a line of it is missing, or the count is wrong"
            raise Unreadable("file", f"{path} has {found} values of {name} where {key} is {said[0]}", hint)
    return grid


def _numbers(words: Sequence[str]) -> list[float] | None:
    try:
        found = [float(word) for word in words]
    except ValueError:
        return None
    return found if all(abs(value) <= LARGEST for value in found) else None


def gridded(rows: Sequence[Row], spacing: float | None, path: Path) -> Grid:
    """A grid of soundings (x, y, depth): as they are where they lie on one, else read off the flat triangles between
    them (Delaunay's), and off the nearest sounding outside of these."""
    x, y, depth = np.array(rows, dtype=float).T
    xs, ys = np.unique(x), np.unique(y)
    if len(rows) == len(xs) * len(ys) and len({(a, b) for a, b, _ in rows}) == len(rows) and spacing is None:
        order = np.lexsort((y, x))
        return {"x": xs.tolist(), "y": ys.tolist(), "depth": depth[order].reshape(len(xs), len(ys)).tolist()}
    wide, deep = float(np.ptp(x)), float(np.ptp(y))
    if len(rows) < 3 or wide == 0.0 or deep == 0.0:
        hint = "give some that are not all on one line along x or y"
        raise Unreadable("file", f"{path}: its soundings span no area", hint)
    width = spacing or math.sqrt(wide * deep / len(rows))
    counts = [max(2, math.ceil(span / width - 1e-9) + 1) for span in (wide, deep)]
    if counts[0] * counts[1] > MOST_NODES:
        raise Unreadable("spacing", f"{width:.3g} m makes {counts[0] * counts[1]} cells", "make them wider")
    xs, ys = np.linspace(x.min(), x.max(), counts[0]), np.linspace(y.min(), y.max(), counts[1])
    from scipy.interpolate import LinearNDInterpolator, NearestNDInterpolator
    from scipy.spatial import QhullError

    places = np.column_stack([x, y])
    at = np.stack(np.meshgrid(xs, ys, indexing="ij"), axis=-1)
    try:
        found = LinearNDInterpolator(places, depth)(at)
    except QhullError:
        raise Unreadable("file", f"{path}: its soundings span no area", "give some that are not on one line") from None
    outside = np.isnan(found)
    found[outside] = NearestNDInterpolator(places, depth)(at[outside])
    return {"x": xs.tolist(), "y": ys.tolist(), "depth": found.tolist()}
