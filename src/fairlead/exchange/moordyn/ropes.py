"""How MoorDyn's lines stretch: EA and BA as numbers, tables, two springs, or a rope with working curves (Syrope)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from fairlead.model import System
from fairlead.model.cable_types import CableType
from fairlead.model.problems import ModelError, shown
from fairlead.model.ropes import Curve

from ..encoding import text_of
from .line_types import LineType
from .numerals import is_broken, number
from .rows import Reader

SHAPES = {"LINEAR": "linear", "QUADRATIC": "quadratic", "EXP": "exponential"}
"""Working curves by MoorDyn's names for them."""


@dataclass(frozen=True)
class Stretching:
    """What EA and BA of a type come to, by our keys; what is missing, in words."""

    values: dict[str, Any] = field(default_factory=dict)
    missing: str = ""
    spoils: Literal["motion", "all"] = "all"


def stretching(kind: LineType, reader: Reader, folder: Path) -> Stretching:
    """EA and its damping as keys of a cable type; tables and curves are files in `folder`."""
    what = f"line type {kind.name}"
    if kind.ea.upper().startswith("SYROPE"):
        return _syrope(kind, what, reader, folder)
    parts = [number(part) for part in kind.ea.split("|")]
    if parts == [None] and is_broken(kind.ea) and not os.path.isfile(folder / kind.ea):
        reader.wrong(kind.line, f"EA of {what} is {shown(kind.ea)}, which is no number")
        return Stretching({"axial_stiffness": 1.0})
    if parts == [None]:
        curve = _curve(folder / kind.ea, kind, what, reader)
        if not curve:
            return Stretching({"axial_stiffness": 1.0})
        last = curve[-1]
        return Stretching({"axial": {"table": curve}} | _damped(kind, what, last[1] / last[0], reader))
    if any(part is None for part in parts) or len(parts) > 3:
        reader.wrong(
            kind.line, f"EA of {what} is {shown(kind.ea)}; it is a number, static|dynamic, or static|dynamic|slope"
        )
        return Stretching({"axial_stiffness": 1.0})
    static = parts[0]
    if len(parts) == 1:
        return Stretching({"axial_stiffness": static} | _damped(kind, what, static or 0.0, reader))
    dampers = _dampers(kind, what, reader)
    if not dampers:
        missing = "the dynamic spring of a rope without a damper (its static stiffness alone is taken over)"
        return Stretching({"axial_stiffness": static}, missing, "motion")
    slope = {"dynamic_per_tension": parts[2]} if len(parts) == 3 else {}
    return Stretching({"axial_stiffness": static, "axial": {"dynamic_stiffness": parts[1]} | slope | dampers})


def _damped(kind: LineType, what: str, ea: float, reader: Reader) -> dict[str, Any]:
    damping = number(kind.ba.partition("|")[0])
    if damping is None:
        reader.wrong(kind.line, f"BA of {what} is {shown(kind.ba)}, which is no number")
    elif damping < 0.0:
        return {"damping_ratio": -damping}
    elif damping > 0.0 and ea > 0.0:
        return {"damping_time": {"axial": damping / ea}}
    return {}


def _dampers(kind: LineType, what: str, reader: Reader) -> dict[str, float]:
    """BA of the slow spring and of the quick one; nothing where the first is none."""
    parts = [number(part) for part in kind.ba.split("|")]
    if any(part is None for part in parts) or len(parts) > 2:
        reader.wrong(kind.line, f"BA of {what} is {shown(kind.ba)}; it is that of the static spring|of the dynamic one")
        return {}
    if not (parts[0] or 0.0) > 0.0:
        return {}
    return {"damping": parts[0] or 0.0} | ({"dynamic_damping": parts[1] or 0.0} if len(parts) == 2 else {})


def _text(file: Path, kind: LineType, what: str, reader: Reader) -> list[str]:
    try:
        return text_of(file).splitlines()
    except ModelError as error:
        if os.path.isfile(file):
            reader.wrong(kind.line, f"EA of {what} is {shown(kind.ea)}: {error.problems[0].message}")
            return []
        cure = "put it beside this file, or give the stiffness about the mean tension, in N"
        reader.wrong(kind.line, f"EA of {what} is {shown(kind.ea)}, and there is no file {shown(file.name)}", cure)
        return []


def _curve(file: Path, kind: LineType, what: str, reader: Reader) -> list[list[float]]:
    """Rows of strain and tension; headings are passed over. The rope begins without either."""
    text = _text(file, kind, what, reader)
    rows = [values for line in text if (values := [number(word) for word in line.split()[:2]]) and None not in values]
    found = [[float(value or 0.0) for value in row] for row in rows if len(row) == 2]
    if text and len(found) < 2:
        reader.wrong(kind.line, f"EA of {what} is the file {shown(file.name)}, without rows of strain and tension")
        return []
    return found if not found or found[0] == [0.0, 0.0] else [[0.0, 0.0], *found]


def _syrope(kind: LineType, what: str, reader: Reader, folder: Path) -> Stretching:
    """`SYROPE:file|a|b`: the file names the original curve, the shape of the working curves and k1, k2; where these
    stand in the deck's own section SYROPE WORKING CURVES, it is the original curve."""
    name, _, rest = kind.ea.partition(":")[2].partition("|")
    numbers, nothing = [number(part) for part in rest.split("|")], Stretching({"axial_stiffness": 1.0})
    if len(numbers) != 2 or None in numbers:
        reader.wrong(kind.line, f"EA of {what} is {shown(kind.ea)}; it is SYROPE:file|EA_Dc|EA_D_Lm")
        return nothing
    file, words = folder / name, list(kind.working_curves)
    if not words:
        given = [line.split()[0] for line in _text(file, kind, what, reader) if line.split()]
        if not given:
            return nothing
        file, words = file.parent / given[0], given[1:4]
        if not file.is_file() and (folder / given[0]).is_file():
            file = folder / given[0]
    shape = SHAPES.get(words[0].upper()) if words else None
    k1, k2 = (number(word) for word in (words[1:3] if len(words) > 2 else ("", "")))
    dampers = _dampers(kind, what, reader)
    if shape is None or k1 is None or k2 is None or not dampers:
        cure = "its rows are the file of the original curve, LINEAR, QUADRATIC or EXP, k1, k2; BA is slow|quick"
        reader.wrong(kind.line, f"{what}: {shown(name)} is no description of a Syrope rope, or BA is missing", cure)
        return nothing
    curve = _curve(file, kind, what, reader)
    if not curve:
        return nothing
    curves = {"original_curve": curve, "shape": shape, "k1": k1} | ({} if shape == "linear" else {"k2": k2})
    quick = {"dynamic_stiffness": numbers[0], "dynamic_per_tension": numbers[1]}
    return Stretching({"axial": quick | dampers | {"working_curves": curves}})


# --- writing ---------------------------------------------------------------------------------------------------------
def written(name: str, kind: CableType) -> tuple[object, object, dict[str, str]]:
    """EA and BA of a type as MoorDyn has them, and the files that go with it."""
    axial = kind.axial
    damping: object = float(f"{kind.ea * kind.damping_time.axial:.12g}")
    if kind.damping_ratio is not None:
        damping = -kind.damping_ratio
    if axial is None:
        return kind.ea, damping, {}
    if axial.table is not None:
        return f"{name}_stretch.txt", damping, {f"{name}_stretch.txt": _table(axial.table)}
    quick = (axial.dynamic_stiffness or 0.0, *((axial.dynamic_per_tension,) if axial.dynamic_per_tension else ()))
    dampers = (axial.damping or 0.0, axial.dynamic_damping)
    if axial.working_curves is None:
        return (kind.ea, *quick), dampers, {}
    curves, rope, original = axial.working_curves, f"{name}_syrope.txt", f"{name}_original.txt"
    shape = next(word for word, ours in SHAPES.items() if ours == curves.shape)
    rows = [f"{original}  OWC", f"{shape}  WCType", f"{curves.k1!r}  k1", f"{curves.k2!r}  k2"]
    text = f"SYROPE:{rope}|{axial.dynamic_stiffness!r}|{axial.dynamic_per_tension!r}"
    return text, dampers, {rope: "\n".join(rows), original: _table(curves.original_curve)}


def _table(curve: Curve) -> str:
    rows = [f"{strain!r}  {tension!r}" for strain, tension in curve]
    return "\n".join(["--- tension over strain ---", "Strain  Tension", "(-)  (N)", *rows])  # MoorDyn trips over more


def refusals(system: System) -> Iterable[str]:
    """What of ropes MoorDyn cannot be told."""
    for name, cable in system.cables.items():
        kinds = [system.types[part.type].axial for part in cable.stretches]
        works = any(kind is not None and kind.working_curves is not None for kind in kinds)
        if works and (cable.history is None or cable.history.tension_mean is None):
            yield f"cables.{name}.history: MoorDyn needs tension_max and tension_mean of a rope with working curves"


def histories(system: System, cables: Iterable[str]) -> list[str]:
    """Rows of SYROPE IC, by the cables that lines are of."""
    kept = ((number, system.cables[cable].history) for number, cable in enumerate(cables, 1))
    return [
        f"{number}  {history.tension_max!r}  {history.tension_mean!r}"
        for number, history in kept
        if history is not None and history.tension_mean is not None
    ]
