"""One observation of a running system: a flat float64 row, and the map from its columns to names.

A formulation fills such a row inside compiled code once an output interval; everything behind it (the Dataset, the
file, the summary, the pictures) reads it through :class:`ObservationShape`. The order of one row is

1. for each cable, for each node: the 13 ``NODE_COLUMNS``: position (3, m), velocity (3, m/s), effective tension (N),
   shear (N), bending moment (N m), torsion (N m), contact force (3, N);
2. for each cable: force at its start (3, N) and at its end (3, N), both *of the cable on its support*;
3. for each point: position (3, m) and velocity (3, m/s);
4. the ``TOTALS`` of the system;
5. the ``extras``, numbers a formulation adds of its own, one column each;
6. the ``fields``, rows of numbers a formulation adds, such as the height of the water over a mesh;
7. the extremes of all steps since the previous sample (:mod:`.extremes`).

Shear and bending moment are magnitudes (>= 0), torsion has a sign, tension pulls when positive, the contact force is
that of the seabed on the cable. A work is the energy *given to* the cables since the start of the run, so that

    E_kinetic + E_gravity + E_elastic - (the same at the start) = W_drag + W_damping + W_friction + W_drives.

Drag in still water, damping and friction therefore count negative. Inactive nodes (line still on a winch) are NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .extremes import CABLE_EXTREMES, END_EXTREMES, NODE_EXTREMES, POINT_EXTREMES, Extremes

# Plain integers, because compiled kernels read them as constants.
NODE_POSITION = 0
NODE_VELOCITY = 3
NODE_TENSION = 6
NODE_SHEAR = 7
NODE_BENDING_MOMENT = 8
NODE_TORSION = 9
NODE_CONTACT_FORCE = 10
NODE_COLUMNS = 13

END_FORCE_START = 0
END_FORCE_END = 3
END_COLUMNS = 6

POINT_POSITION = 0
POINT_VELOCITY = 3
POINT_COLUMNS = 6

ENERGY_KINETIC = 0
ENERGY_GRAVITY = 1
ENERGY_ELASTIC = 2
WORK_DRAG = 3
WORK_DAMPING = 4
WORK_FRICTION = 5
WORK_DRIVES = 6
TENSION_MAX = 7
TOTALS = (
    "energy_kinetic",
    "energy_gravity",
    "energy_elastic",
    "work_drag",
    "work_damping",
    "work_friction",
    "work_drives",
    "tension_max",
)


@dataclass(frozen=True)
class Extra:
    """One further number per sample that a formulation reports beside the common ones.

    ``name`` names the variable in the Dataset, ``units`` is an SI unit as CF writes it ("1" for a pure number).
    """

    name: str
    units: str = "1"
    long_name: str = ""


@dataclass(frozen=True)
class Field:
    """Many further numbers per sample, one for each of ``size`` places; ``along`` names their dimension."""

    name: str
    size: int
    along: str
    units: str = "1"
    long_name: str = ""


@dataclass(frozen=True)
class ObservationShape:
    """What one observation row holds, and where.

    cables           names, in the order of the row
    nodes_per_cable  number of nodes of each cable (elements + 1)
    points           names, in the order of the row
    arc_length       for each cable, unstretched distance of each node from the cable's start, (node,), m
    extras           further columns after the totals
    fields           further rows of columns at the end of the row
    """

    cables: tuple[str, ...]
    nodes_per_cable: tuple[int, ...]
    points: tuple[str, ...]
    arc_length: tuple[tuple[float, ...], ...]
    extras: tuple[Extra, ...] = ()
    fields: tuple[Field, ...] = ()

    def __post_init__(self) -> None:
        def store(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        store("cables", tuple(self.cables))
        store("nodes_per_cable", tuple(int(n) for n in self.nodes_per_cable))
        store("points", tuple(self.points))
        store("arc_length", tuple(tuple(float(s) for s in cable) for cable in self.arc_length))
        store("extras", tuple(self.extras))
        store("fields", tuple(self.fields))
        if not len(self.cables) == len(self.nodes_per_cable) == len(self.arc_length):
            raise ValueError(
                f"cables ({len(self.cables)}), nodes_per_cable ({len(self.nodes_per_cable)}) and arc_length "
                f"({len(self.arc_length)}) must have one entry a cable"
            )
        for name, count, lengths in zip(self.cables, self.nodes_per_cable, self.arc_length, strict=True):
            if count != len(lengths):
                raise ValueError(f"cable {name!r} has {count} nodes but arc_length gives {len(lengths)}")
        for kind, names in (
            ("cable", self.cables),
            ("point", self.points),
            ("extra", (*(e.name for e in self.extras), *(f.name for f in self.fields))),
        ):
            if len(set(names)) != len(names):
                raise ValueError(f"{kind} names must differ: {', '.join(names)}")

    @cached_property
    def first_node(self) -> tuple[int, ...]:
        """Index of each cable's first node among the nodes of all cables, and their total number at the end."""
        return tuple(int(i) for i in np.concatenate(([0], np.cumsum(self.nodes_per_cable, dtype=int))))

    @property
    def node_count(self) -> int:
        """Number of nodes of all cables together."""
        return self.first_node[-1]

    @property
    def node_block(self) -> slice:
        """All nodes: (node_count * 13,)."""
        return slice(0, NODE_COLUMNS * self.node_count)

    @property
    def end_block(self) -> slice:
        """End forces of all cables: (cable * 6,), N."""
        start = self.node_block.stop
        return slice(start, start + END_COLUMNS * len(self.cables))

    @property
    def point_block(self) -> slice:
        """Positions and velocities of all points: (point * 6,), m and m/s."""
        start = self.end_block.stop
        return slice(start, start + POINT_COLUMNS * len(self.points))

    @property
    def total_block(self) -> slice:
        """The ``TOTALS``: (8,), J and N."""
        start = self.point_block.stop
        return slice(start, start + len(TOTALS))

    @property
    def extra_block(self) -> slice:
        """The ``extras``, one column each."""
        start = self.total_block.stop
        return slice(start, start + len(self.extras))

    @property
    def field_block(self) -> slice:
        """The ``fields``, one after the other."""
        start = self.extra_block.stop
        return slice(start, start + sum(field.size for field in self.fields))

    @cached_property
    def extremes(self) -> Extremes:
        """The extremes at the end of the row, and in the state."""
        counts = (self.node_count, len(self.cables), len(self.points))
        return Extremes(int(self.field_block.stop), int(self.total_block.start), *counts)

    @property
    def size(self) -> int:
        """Length of one row."""
        return self.extremes.stop

    def cable_extremes(self, cable: int | str) -> slice:
        """The extremes of the nodes of one cable: (nodes * 3,)."""
        i = self._index(self.cables, cable, "cable")
        first = self.extremes.start
        return slice(first + NODE_EXTREMES * self.first_node[i], first + NODE_EXTREMES * self.first_node[i + 1])

    def cable_nodes(self, cable: int | str) -> slice:
        """The nodes of one cable, by index or name: (nodes * 13,)."""
        i = self._index(self.cables, cable, "cable")
        return slice(NODE_COLUMNS * self.first_node[i], NODE_COLUMNS * self.first_node[i + 1])

    def cable_ends(self, cable: int | str) -> slice:
        """The end forces of one cable: (6,), start then end, N."""
        start = self.end_block.start + END_COLUMNS * self._index(self.cables, cable, "cable")
        return slice(start, start + END_COLUMNS)

    def point(self, point: int | str) -> slice:
        """Position and velocity of one point: (6,), m and m/s."""
        start = self.point_block.start + POINT_COLUMNS * self._index(self.points, point, "point")
        return slice(start, start + POINT_COLUMNS)

    def field(self, name: str) -> slice:
        """One of the ``fields``, by its name."""
        start = int(self.field_block.start)
        for field in self.fields:
            if field.name == name:
                return slice(start, start + field.size)
            start += field.size
        raise KeyError(f"no field named {name!r}; there are {', '.join(f.name for f in self.fields) or 'none'}")

    def column(self, name: str) -> int:
        """Column of a total or an extra, by its name."""
        if name in TOTALS:
            return int(self.total_block.start) + TOTALS.index(name)
        names = tuple(e.name for e in self.extras)
        if name in names:
            return int(self.extra_block.start) + names.index(name)
        raise KeyError(f"no total or extra named {name!r}; there are {', '.join(TOTALS + names)}")

    def node_table(self, row: NDArray[np.float64], cable: int | str) -> NDArray[np.float64]:
        """The nodes of one cable in one row or in many, as a view: (..., nodes, 13)."""
        return row[..., self.cable_nodes(cable)].reshape(*row.shape[:-1], -1, NODE_COLUMNS)

    def cable_peaks(self, cable: int | str) -> NDArray[np.intp]:
        """Columns of the extremes of one cable as a whole and of its ends."""
        i = self._index(self.cables, cable, "cable")
        whole = self.extremes.cable_start + CABLE_EXTREMES * i + np.arange(CABLE_EXTREMES)
        ends = self.extremes.end_start + 2 * END_EXTREMES * i + np.arange(2 * END_EXTREMES)
        return np.concatenate([whole, ends])

    def peak_table(self, row: NDArray[np.float64], cable: int | str) -> NDArray[np.float64]:
        """The extremes of the nodes of one cable in one row or in many, as a view: (..., nodes, 3)."""
        return row[..., self.cable_extremes(cable)].reshape(*row.shape[:-1], -1, NODE_EXTREMES)

    def peak_tables(self, row: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        """Extremes of whole cables (..., cable, 9), of ends (..., cable, 2, 3) and points (..., point, 4), as views."""
        where, before = self.extremes, row.shape[:-1]
        return (
            row[..., where.cable_start : where.end_start].reshape(*before, len(self.cables), CABLE_EXTREMES),
            row[..., where.end_start : where.point_start].reshape(*before, len(self.cables), 2, END_EXTREMES),
            row[..., where.point_start : where.stop].reshape(*before, len(self.points), POINT_EXTREMES),
        )

    def empty_row(self) -> NDArray[np.float64]:
        """A new row, all NaN, for an ``observe`` to fill: (size,)."""
        return np.full(self.size, np.nan)

    @staticmethod
    def _index(names: Sequence[str], key: int | str, kind: str) -> int:
        if isinstance(key, str):
            if key not in names:
                raise KeyError(f"no {kind} named {key!r}; there are {', '.join(names) or 'none'}")
            return names.index(key)
        if not 0 <= key < len(names):
            raise IndexError(f"{kind} {key} is out of range; there are {len(names)}")
        return key
