"""Rows of LINE TYPES, whose columns have changed with the versions of MoorDyn and are often taken for one another."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..notes import Notes
from .rows import Reader, numbers_from
from .sections import Row

Columns = Literal["auto", "v1", "v2"]
LEAD = 11340.0
"""Density of lead, kg/m^3: nothing that is laid in the sea is denser."""
STEEL = 7850.0


@dataclass(frozen=True)
class LineType:
    """A row of LINE TYPES. `ea`, `ba` and `ei` as they are written; the coefficients in this order whatever theirs."""

    line: int
    name: str
    diameter: float
    mass: float
    ea: str
    ba: str
    ei: str
    drag: float
    added: float
    axial_drag: float
    axial_added: float
    lift: float = 0.0
    shedding: Mapping[str, float] = field(default_factory=dict)
    """`band` dF and `frequency` cF, where they are given."""
    breaking_load: float = 0.0
    working_curves: tuple[str, ...] = ()
    """Shape, k1 and k2 of SYROPE WORKING CURVES, as they are written; then EA names the original curve itself."""


def read_line_type(
    row: Row, headings: tuple[str, ...], columns: Columns, few: bool, reader: Reader, notes: Notes
) -> LineType:
    """One line type. Rows of nine columns are of MoorDyn 1: no EI, and the order Ca, CaAx, Cd, CdAx.

    few: MoorPy's files may end after EA.
    """
    name = row.fields[0]
    what = f"line type {name}"
    if few and 4 <= len(row.fields) < 9:
        notes.changed(what, "ends after EA, as MoorPy's may: no damping, no drag, no added mass", row.line)
        diameter, mass = reader.number(row, 1, what, "Diam"), reader.number(row, 2, what, "Mass/m")
        return LineType(row.line, name, diameter, mass, row.fields[3], "0", "0", 0.0, 0.0, 0.0, 0.0)
    if len(row.fields) < 9:
        reader.wrong(
            row.line,
            f"{what} has {len(row.fields)} columns; it needs 10: name, Diam, Mass/m, EA, BA, EI, Cd, Ca, CdAx, CaAx",
        )
        return LineType(row.line, name, 1.0, 1.0, "1", "0", "0", 0.0, 0.0, 0.0, 0.0)
    diameter, mass = reader.number(row, 1, what, "Diam"), reader.number(row, 2, what, "Mass/m")
    first = len(row.fields) == 9 or (numbers_from(row, 5) == 4 and len(row.fields) < 10)
    at = 5 if first else 6
    ei = "0" if first else row.fields[5]
    names = ("Ca", "CaAx", "Cd", "CdAx") if first or columns == "v1" else ("Cd", "Ca", "CdAx", "CaAx")
    values = {key: reader.number(row, at + i, what, key) for i, key in enumerate(names)}
    lift = 0.0
    shedding: dict[str, float] = {}
    if not first and numbers_from(row, 6) > 4:
        lift = reader.number(row, 10, what, "Cl")
        given = zip(("band", "frequency"), ("dF", "cF"), range(11, 6 + numbers_from(row, 6)), strict=False)
        shedding = {key: reader.number(row, at, what, name) for key, name, at in given}
    if first:
        notes.changed(what, "has the nine columns of MoorDyn 1: no EI, then Ca, CaAx, Cd, CdAx", row.line)
    elif columns == "auto":
        _warn_of_order(what, values, headings, row.line, notes)
    _warn_of_diameter(what, diameter, mass, row.line, notes)
    return LineType(
        row.line,
        name,
        diameter,
        mass,
        row.fields[3],
        row.fields[4],
        ei,
        values["Cd"],
        values["Ca"],
        values["CdAx"],
        values["CaAx"],
        lift,
        shedding,
    )


def _warn_of_order(what: str, values: dict[str, float], headings: tuple[str, ...], line: int, notes: Notes) -> None:
    old = any(name in headings for name in ("CAN", "CDN", "CAT", "CDT"))
    if not old and not values["CdAx"] > values["Cd"] > 0.0:
        return
    read = ", ".join(f"{name} {values[name]:g}" for name in ("Cd", "Ca", "CdAx", "CaAx"))
    why = "the heading says Ca, CaAx, Cd, CdAx" if old else "a cable with more drag along than across is seldom meant"
    notes.doubtful(what, f"MoorDyn reads these as {read}; {why}; --columns v1 takes them as Ca, CaAx, Cd, CdAx", line)


def _warn_of_diameter(what: str, diameter: float, mass: float, line: int, notes: Notes) -> None:
    if not diameter > 0.0 or not mass > LEAD * math.pi * diameter**2 / 4.0:
        return
    solid = math.sqrt(4.0 * mass / (math.pi * STEEL))
    why = f"is denser than lead with a diameter of {diameter:g} m; is that the bar of a chain? The volume of steel of"
    notes.doubtful(what, f"{why} that mass has a diameter of {solid:.3g} m", line)
