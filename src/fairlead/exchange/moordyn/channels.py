"""Channels of MoorDyn over time: what OUTPUTS names, from a result, as the text table that MoorDyn writes (.out)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from fairlead.model import System
from fairlead.model.bodies import rotation_matrix

from ..errors import ExportError
from .attitude import angles_of
from .rod_writing import cylinder_of, rods_of
from .segment_tension import rope_tension, segment_tension

if TYPE_CHECKING:
    import xarray as xr

Tension = Literal["segment", "end"]
"""What the tension at an end is: of the last element, as MoorDyn has it, or the pull on the support."""
UNITS = {"P": "(m)", "V": "(m/s)", "F": "(N)", "T": "(N)"}
_TENSION = re.compile(r"(FAIR|ANCH)TEN(\d+)")
_LINE = re.compile(r"(?:LINE|L)(\d+)(?:(TENA|TENB)|N(\d+|A|B)(?:(T|TEN)|([PVF])([XYZ])))")
_POINT = re.compile(r"(?:POINT|CON|P)(\d+)(?:(T|TEN)|([PVF])([XYZ]))")
_ROD = re.compile(r"(?:ROD|R)(\d+)(?:N(\d+|A|B))?P([XYZ])")
_BODY = re.compile(r"(?:BODY|B)(\d+)(R?)([PVFM]?)([XYZ])")


@dataclass(frozen=True)
class _Piece:
    """A line of a deck: part of a cable, from node `first` on, of so many elements."""

    cable: str
    first: int
    count: int


class Channels:
    """Series of a result by MoorDyn's names for them."""

    def __init__(self, dataset: xr.Dataset, tension: Tension = "segment") -> None:
        self._data, self._tension = dataset, tension
        self._system = System.model_validate(json.loads(dataset.attrs["settings"]))
        self._pieces = _pieces(self._system)
        """Lines by their numbers."""

    @property
    def usual(self) -> list[str]:
        """Tensions at both ends of every line."""
        return [name.format(number) for name in ("FairTen{}", "AnchTen{}") for number in self._pieces]

    def series(self, name: str) -> tuple[np.ndarray, str] | None:
        """Values over time and their unit; None for a channel that is not known or not in the result."""
        word = name.upper()
        if match := _TENSION.fullmatch(word):
            return self._end_tension(match[2], 1 if match[1] == "FAIR" else 0)
        if match := _LINE.fullmatch(word):
            return self._line(match)
        if match := _POINT.fullmatch(word):
            return self._point(match)
        if match := _ROD.fullmatch(word):
            return self._rod(match)
        return self._body(match) if (match := _BODY.fullmatch(word)) else None

    def _line(self, match: re.Match[str]) -> tuple[np.ndarray, str] | None:
        number, both, node, tension, kind, axis = match.groups()
        piece = self._pieces.get(number)
        if both is not None or piece is None or piece.cable not in self._data["cable"].values:
            return None if both is None else self._end_tension(number, 0 if both == "TENA" else 1)
        at = {"A": 0, "B": piece.count}.get(node, int(node) if node.isdigit() else -1)
        if not 0 <= at <= piece.count or kind == "F":
            return None
        if tension is not None:
            if at in (0, piece.count):
                return self._end_tension(number, 0 if at == 0 else 1)
            return self._of(piece, "tension_effective", piece.first + at), UNITS["T"]
        variable = "position" if kind == "P" else "velocity"
        return self._of(piece, variable, piece.first + at)[:, "XYZ".index(axis)], UNITS[kind]

    def _end_tension(self, number: str, side: int) -> tuple[np.ndarray, str] | None:
        piece = self._pieces.get(number)
        if piece is None or piece.cable not in self._data["cable"].values:
            return None
        cable = self._system.cables[piece.cable]
        at = piece.first + (piece.count - 1 if side else 0)
        ends = {0: 0, cable.element_count - 1: 1}
        if self._tension == "end" and at in ends:
            force = self._data["force_end"].sel(cable=piece.cable).isel(end=ends[at]).values
            return np.linalg.norm(force, axis=1), UNITS["T"]
        segment = cable.segments()[at]
        kind = self._system.types[segment.type_name]
        if kind.axial is not None:
            return rope_tension(*(self._of(piece, "tension_effective", node) for node in (at, at + 1))), UNITS["T"]
        steps, velocities = (
            self._of(piece, variable, at + 1) - self._of(piece, variable, at) for variable in ("position", "velocity")
        )
        return segment_tension(kind, segment.length, steps, velocities), UNITS["T"]

    def _of(self, piece: _Piece, variable: str, node: int) -> np.ndarray:
        found: np.ndarray = self._data[variable].sel(cable=piece.cable).isel(node=node).values
        return found

    def _point(self, match: re.Match[str]) -> tuple[np.ndarray, str] | None:
        number, tension, kind, axis = match.groups()
        name = self._place(number)
        if name is None:
            return None
        if tension is not None or kind == "F":
            pull = sum((self._pull(cable, end) for cable, end in self._ends_at(name)), np.zeros((1, 3)))
            return (np.linalg.norm(pull, axis=1) if tension else pull[:, "XYZ".index(axis)]), UNITS["F"]
        variable = "position" if kind == "P" else "velocity"
        for cable, end in self._ends_at(name):
            if cable in self._data["cable"].values:
                node = self._system.cables[cable].element_count if end else 0
                values = self._data[variable].sel(cable=cable).isel(node=node).values
                return values[:, "XYZ".index(axis)], UNITS[kind]
        return None

    def _place(self, number: str) -> str | None:
        """Where lines end at point `number`: of that name, or the n-th of all points."""
        ends = {end.point for cable in self._system.cables.values() for end in (cable.start, cable.end)}
        wanted = f"point{number}"
        for end in ends:
            if end.rpartition(".")[2] == wanted:
                return end
        points = list(self._system.points)
        numbered = any(re.fullmatch(r"(.*\.)?point\d+", end) for end in ends)
        return None if numbered or not 0 < int(number) <= len(points) else points[int(number) - 1]

    def _ends_at(self, place: str) -> list[tuple[str, int]]:
        return [
            (name, side)
            for name, cable in self._system.cables.items()
            for side, end in enumerate((cable.start, cable.end))
            if end.point == place
        ]

    def _pull(self, cable: str, side: int) -> np.ndarray:
        if cable not in self._data["cable"].values:
            return np.full((1, 3), np.nan)
        found: np.ndarray = self._data["force_end"].sel(cable=cable).isel(end=side).values
        return found

    def _axes(self, name: str) -> np.ndarray:
        """Own axes of a body over time (time, 3, 3), in columns."""
        angles = (np.degrees(self._data[f"{name}.{angle}"].values) for angle in ("roll", "pitch", "yaw"))
        return np.array([rotation_matrix(one) for one in zip(*angles, strict=True)])

    def _rod(self, match: re.Match[str]) -> tuple[np.ndarray, str] | None:
        """Where a rod is that is a body here: its end A, or one of its nodes."""
        number, node, axis = match.groups()
        name = f"rod{number}"
        owner, pieces, a, b = self._rod_in(name)
        if f"{owner}.roll" not in self._data:
            return None
        at = {None: 0, "A": 0, "B": pieces}.get(node, int(node) if node and node.isdigit() else 0)
        if at > pieces:
            return None
        place = a + (b - a) * at / pieces
        middle = self._data["point_position"].sel(point=owner).values
        return (middle + self._axes(owner) @ place)[:, "XYZ".index(axis)], UNITS["P"]

    def _rod_in(self, name: str) -> tuple[str, int, np.ndarray, np.ndarray]:
        """The body that a rod is, or is a member of; its pieces; its ends A and B in the frame of that."""
        body = rods_of(self._system).get(name)
        if body is not None:
            half = np.array([0.0, 0.0, 0.5 * cylinder_of(body).height])
            return name, body.strips or 1, -half, half
        for owner, other in self._system.bodies.items():
            member = getattr(other, "members", {}).get(name)
            if member is not None:
                a, b = (np.asarray(end) for end in member.ends)
                return owner, member.strips, a, b
        return "", 1, np.zeros(3), np.zeros(3)

    def _body(self, match: re.Match[str]) -> tuple[np.ndarray, str] | None:
        number, turn, kind, axis = match.groups()
        name = f"body{number}"
        if name not in self._system.bodies:
            names = list(self._system.bodies)
            if any(re.fullmatch(r"body\d+", one) for one in names) or not 0 < int(number) <= len(names):
                return None
            name = names[int(number) - 1]
        at = "XYZ".index(axis)
        if kind == "F" and not turn:
            ends = [found for end in self._system.bodies[name].attachments for found in self._ends_at(f"{name}.{end}")]
            pull = sum((self._pull(cable, end) for cable, end in ends), np.zeros((1, 3)))
            return pull[:, at], UNITS["F"]
        if turn and not kind and f"{name}.roll" in self._data:
            return np.array([angles_of(axes) for axes in self._axes(name)])[:, at], "(deg)"
        if turn or kind not in ("P", "V") or name not in self._data["point"].values:
            return None
        variable = "point_position" if kind == "P" else "point_velocity"
        return self._data[variable].sel(point=name).values[:, at], UNITS[kind]


def write_channels(
    dataset: xr.Dataset, path: Path, names: Sequence[str] = (), tension: Tension = "segment"
) -> list[str]:
    """Write the table of the channels asked for, else of the tensions at all ends; returns those that are not known."""
    channels = Channels(dataset, tension)
    times = np.asarray(dataset["time"].values)
    columns, units, titles, unknown = [times], ["(s)"], ["Time"], []
    for name in names or channels.usual:
        found = channels.series(name)
        if found is None:
            unknown.append(name)
            continue
        columns.append(np.broadcast_to(found[0], times.shape))
        units.append(found[1])
        titles.append(name)
    if len(columns) == 1:
        what = f"none of the channels {', '.join(unknown)} is" if unknown else "no line, and no channel asked for, is"
        raise ExportError(f"{path}: {what} in the result")
    rows = ["\t".join(titles), "\t".join(units)]
    rows += ["\t".join(f"{value:.8g}" for value in row) for row in np.stack(columns, axis=1)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return unknown


def _pieces(system: System) -> dict[str, _Piece]:
    """Lines by number: of cables named line3, or line5_6 for two that are one here; else cables as they come. The last
    number of a name stands for all sections that are left: line3 is the whole of a cable of two."""
    named: dict[str, _Piece] = {}
    for name, cable in system.cables.items():
        match = re.fullmatch(r"line(\d+(?:_\d+)*)", name)
        if match is None:
            return {
                str(number): _Piece(other, 0, entry.element_count)
                for number, (other, entry) in enumerate(system.cables.items(), 1)
            }
        first = 0
        numbers = match[1].split("_")
        for number, stretch in zip(numbers, cable.stretches, strict=False):
            count = cable.element_count - first if number == numbers[-1] else stretch.element_count
            named[number] = _Piece(name, first, count)
            first += count
    return named
