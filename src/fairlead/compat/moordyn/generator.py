"""MoorDyn's `moordyn.Generator`: a mooring put together in a script, written as a file of MoorDyn's and opened.

    mooring = moordyn.Generator.Mooring()
    chain = moordyn.Generator.LineMaterial("chain", 0.09, 77.7, 384e6, -0.8, 0, 1.6, 1.0, 0.1, 0.0)
    mooring.AddLineMaterial(chain)
    ...
    system = mooring.Create()

Names and the order of arguments are MoorDyn's; numbers of bodies, rods, points and lines are given as they are added.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from .instance import MoorDyn

Several = float | Sequence[float]


def _words(values: Several, between: str) -> str:
    return between.join(map(str, np.atleast_1d(values).tolist()))


@dataclass
class LineMaterial:
    """A row of LINE TYPES: its name, diameter, mass per length, EA, BA or -zeta, EI, Cd, Ca, CdAx, CaAx."""

    section: ClassVar = ("LINE TYPES", "Name Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx")
    name: str
    d: float
    w: float
    ea: float | str
    ba: float | str
    ei: float
    cdn: float
    can: float
    cdt: float
    cat: float

    def row(self) -> str:
        return " ".join(map(str, (self.name, self.d, self.w, self.ea, self.ba, self.ei,
                                  self.cdn, self.can, self.cdt, self.cat)))  # fmt: skip


@dataclass
class RodMaterial:
    """A row of ROD TYPES: its name, diameter, mass per length, Cd, Ca, CdEnd, CaEnd."""

    section: ClassVar = ("ROD TYPES", "Name Diam Mass/m Cd Ca CdEnd CaEnd")
    name: str
    d: float
    w: float
    cdn: float
    can: float
    cdt: float
    cat: float

    def row(self) -> str:
        return " ".join(map(str, (self.name, self.d, self.w, self.cdn, self.can, self.cdt, self.cat)))


class _HeldOneWay:
    """What is said last of `fixed`, `coupled` and `body` holds: coupled is not fixed, and on a body is not coupled."""

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if value and name == "coupled":
            super().__setattr__("fixed", False)
        elif value and name in ("fixed", "body"):
            super().__setattr__("coupled", False)
            super().__setattr__("fixed", True)


@dataclass
class BodyPoint(_HeldOneWay):
    """How a body is held: fixed until it is said to be coupled, or neither."""

    fixed: bool = True
    coupled: bool = False

    def __str__(self) -> str:
        return "Fixed" if self.fixed else "Coupled" if self.coupled else "Free"


@dataclass
class Body:
    """A row of BODIES; the angles `r` in radians."""

    section: ClassVar = ("BODIES", "ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca")
    type: BodyPoint | str
    p: Sequence[float]
    r: Sequence[float]
    mass: float
    cog: Several
    I: Several
    cda: Several
    vol: float
    ca: Several = 0.0
    name: int = field(default=0, init=False)

    def row(self) -> str:
        angles = [math.degrees(angle) for angle in self.r]
        middle = f"{_words(self.p, ' ')} {_words(angles, ' ')} {self.mass} {_words(self.cog, '|')}"
        last = f"{_words(self.I, '|')} {self.vol} {_words(self.cda, '|')} {_words(self.ca, '|')}"
        return f"{self.name} {self.type} {middle} {last}"


@dataclass
class RodPoint(_HeldOneWay):
    """How a rod is held at its end A: fixed, coupled or free; there or on a body; turning about it where pinned."""

    fixed: bool = True
    pinned: bool = False
    coupled: bool = False
    body: Body | None = None

    def __str__(self) -> str:
        if self.body is not None:
            return f"Body{self.body.name}{'Pinned' if self.pinned else ''}"
        if self.fixed:
            return "Pinned" if self.pinned else "Fixed"
        if self.coupled:
            return "CoupledPinned" if self.pinned else "Coupled"
        return "Free"


@dataclass
class Rod:
    """A row of RODS."""

    section: ClassVar = ("RODS", "ID RodType Attachment Xa Ya Za Xb Yb Zb NumSegs Outputs")
    material: RodMaterial
    point: RodPoint | str
    p0: Sequence[float]
    p1: Sequence[float]
    n: int
    name: int = field(default=0, init=False)

    def row(self) -> str:
        ends = f"{_words(self.p0, ' ')} {_words(self.p1, ' ')}"
        return f"{self.name} {self.material.name} {self.point} {ends} {self.n} -"


@dataclass
class Point:
    """A row of POINTS; its type a word of MoorDyn's, or the body it is on."""

    section: ClassVar = ("POINTS", "ID Attachment X Y Z Mass Volume CdA Ca")
    type: str | Body
    p: Sequence[float]
    mass: float
    vol: float
    cda: float
    ca: float
    name: int = field(default=0, init=False)

    def row(self) -> str:
        held = f"Body{self.type.name}" if isinstance(self.type, Body) else self.type
        return f"{self.name} {held} {_words(self.p, ' ')} {self.mass} {self.vol} {self.cda} {self.ca}"


@dataclass
class LinePoint:
    """Where a line ends: at a point, or at the end A or B of a rod."""

    obj: Point | Rod
    end_point: str = "A"

    def __str__(self) -> str:
        return f"R{self.obj.name}{self.end_point}" if isinstance(self.obj, Rod) else str(self.obj.name)


@dataclass
class Line:
    """A row of LINES."""

    section: ClassVar = ("LINES", "ID LineType AttachA AttachB UnstrLen NumSegs Outputs")
    material: LineMaterial
    point0: LinePoint
    point1: LinePoint
    l: float
    n: int
    name: int = field(default=0, init=False)

    def row(self) -> str:
        return f"{self.name} {self.material.name} {self.point0} {self.point1} {self.l} {self.n} -"


@dataclass
class Failure:
    """A row of FAILURE: lines that are let go from where they end, at a time (s) or at a tension (N)."""

    section: ClassVar = ("FAILURE", "ID Attachment Lines FailTime FailTen")
    point: LinePoint
    lines: Sequence[Line]
    time: float
    ten: float
    name: int = field(default=0, init=False)

    def row(self) -> str:
        return f"{self.name} {self.point} {','.join(str(line.name) for line in self.lines)} {self.time} {self.ten}"


@dataclass
class Option:
    """A row of OPTIONS."""

    name: str
    value: float | str


class Mooring:
    """A mooring of parts that are added one by one. What is wrong with them is said when it is created."""

    def __init__(self) -> None:
        self._types: list[LineMaterial] = []
        self._rod_types: list[RodMaterial] = []
        self._bodies: list[Body] = []
        self._rods: list[Rod] = []
        self._points: list[Point] = []
        self._lines: list[Line] = []
        self._failures: list[Failure] = []
        self._options: list[Option] = []

    def AddLineMaterial(self, mat: LineMaterial) -> None:
        self._types.append(mat)

    def AddRodMaterial(self, mat: RodMaterial) -> None:
        self._rod_types.append(mat)

    def AddBody(self, body: Body) -> None:
        self._bodies.append(body)
        body.name = len(self._bodies)

    def AddRod(self, rod: Rod) -> None:
        self._rods.append(rod)
        rod.name = len(self._rods)

    def AddPoint(self, point: Point) -> None:
        self._points.append(point)
        point.name = len(self._points)

    def AddLine(self, line: Line) -> None:
        self._lines.append(line)
        line.name = len(self._lines)

    def AddFailure(self, failure: Failure) -> None:
        self._failures.append(failure)
        failure.name = len(self._failures)

    def AddOption(self, option: Option) -> None:
        self._options.append(option)

    def text(self) -> str:
        """The file, as MoorDyn reads it."""
        tables = (self._types, self._rod_types, self._bodies, self._rods, self._points, self._lines, self._failures)
        lines = ["--- MoorDyn Input File ---"]
        for rows in tables:
            lines += _table(rows)
        lines += ["--- OPTIONS ---", *(f"{option.value} {option.name}" for option in self._options), "---"]
        return "\n".join(lines) + "\n"

    def Create(self) -> MoorDyn:
        """The mooring, opened: as `moordyn.Create` of its file; files that options name are in the working folder."""
        return MoorDyn("Mooring.text()", text=self.text())


_Row = LineMaterial | RodMaterial | Body | Rod | Point | Line | Failure


def _table(rows: Iterable[_Row]) -> list[str]:
    """A section with its header, names and a line for their units; none where there are no rows."""
    found = list(rows)
    if not found:
        return []
    title, names = found[0].section
    return [f"--- {title} ---", names, " ".join("(-)" for _ in names.split()), *(row.row() for row in found)]
