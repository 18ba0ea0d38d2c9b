"""Water, current, waves and seabed of a MoorDyn file."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairlead.model.csv_columns import Unreadable
from fairlead.model.depth_files import grid_of

from ..encoding import text_of
from ..notes import PUT_IT_THERE, Notes
from .deck import Deck
from .rows import Reader, Vector
from .side_files import put_water

if TYPE_CHECKING:
    from .convert import Converted

NEAR_BED = 0.01
"""Part of the depth within which the end of a line is taken to lie on the bed."""


def put_surroundings(deck: Deck, into: Converted, reader: Reader, notes: Notes, folder: Path) -> None:
    """Fill `environment`. MoorDyn's bed meets the axis of a line, ours its skin: it is half a diameter deeper."""
    options = deck.options
    for key, meaning in (("water_density", "density"), ("gravity", "gravity")):
        into.put("environment", key, options[meaning].value, options[meaning].line, _assumed(options[meaning].line))
    bed: dict[str, Any] = {"stiffness": options["bed_stiffness"].value, "damping": options["bed_damping"].value}
    if options["friction"].value > 0.0:
        bed["friction"] = options["friction"].value
        why = "rubs as it moves and, unlike there, sticks at rest"
        notes.changed("seabed friction", why, options["friction"].line)
    survey = _survey(deck, notes, reader, folder)
    depth, line, comment = _depth(deck, survey, notes)
    if depth == math.inf:
        put_water(deck, into, reader, notes, folder)
        return
    if not depth > 0.0:
        reader.wrong(line, f"the water is {depth:g} m deep", "give its depth as the option WtrDpth, in m")
        return
    shift = 0.5 * width_on_bed(deck, depth)
    if survey is not None:
        rows = [[value + shift for value in row] for row in survey["depth"]]
        bed = {"bathymetry": {**survey, "depth": rows}, **bed}
    into.put(
        "environment",
        "seabed",
        {"depth": depth + shift, **bed},
        line,
        f"{comment}; MoorDyn's bed meets the axis of a line, ours its skin: half a diameter deeper",
    )
    notes.changed("seabed", f"{depth:g} m for the axis of a line is {depth + shift:.6g} m for its skin", line)
    put_water(deck, into, reader, notes, folder)


def _assumed(line: int | None) -> str:
    return "" if line is not None else "MoorDyn's own value, where the file gives none"


def _survey(deck: Deck, notes: Notes, reader: Reader, folder: Path) -> dict[str, Any] | None:
    """The grid of depths that the file names, if it does and there is one."""
    given, option = deck.options.get("depth"), deck.options.get("seafloor")
    if option is None and given is not None and isinstance(given.value, str):
        option = given
    if option is None:
        return None
    name = str(option.value)
    if not (folder / name).is_file() and (folder / Path(name).name).is_file():
        name = Path(name).name  # MoorDyn's path begins in the folder it is started in
    if not (folder / name).is_file():
        why = f"a seabed that is not flat (there is no file {name} beside this one)"
        notes.missing(f"option {option.key}", why, option.line, "sea", PUT_IT_THERE)
        return None
    try:
        survey = grid_of(text_of(folder / name).splitlines(), folder / name)
    except Unreadable as reason:
        reader.wrong(option.line, str(reason), reason.hint)
        return None
    notes.taken(f"option {option.key}", f"{len(survey['x'])} x {len(survey['y'])} depths of {name}", option.line)
    return survey


def _depth(deck: Deck, survey: dict[str, Any] | None, notes: Notes) -> tuple[float, int | None, str]:
    points = [p for p in deck.points.values() if p.held.kind in ("fixed", "coupled", "free")]
    lowest = min((p.position[2] for p in points), default=0.0)
    given, grid = deck.options.get("depth"), deck.options.get("seafloor")
    if given is not None and isinstance(given.value, str):
        given, grid = None, given
    if survey is not None and grid is not None:
        values = [value for row in survey["depth"] for value in row]
        return sum(values) / len(values), grid.line, f"{grid.key}, its mean"
    if given is None and not any(p.held.kind == "fixed" and p.position[2] == lowest < 0.0 for p in points):
        why = "is not given, and no anchor says where the seabed is: there is none, the water is deep"
        notes.doubtful("water depth", why, None)
        return math.inf, None, ""
    if given is None:
        why = f"is not given; MoorDyn takes the lowest point, {-lowest:g} m (in OpenFAST it comes from elsewhere)"
        notes.doubtful("water depth", why, None)
        return -lowest, None, "depth of the lowest point"
    if -lowest > given.value * (1 + 1e-9) and given.value > 0.0:
        why = f"{given.value:g} m is less than the depth of the lowest point; MoorDyn takes that, {-lowest:g} m"
        notes.doubtful(f"option {given.key}", why, given.line)
        return -lowest, given.line, "depth of the lowest point"
    return given.value, given.line, given.key


def width_on_bed(deck: Deck, depth: float) -> float:
    """Diameter of the type of which most lies on the bed, m: of lines that end there, else of all; 0 without any."""
    lines = deck.lines.values()
    if not lines:
        return 0.0
    return deck.types[
        most_on_bed((one.type, one.length, any(_on_bed(deck, end, depth) for end in one.ends)) for one in lines)
    ].diameter


def most_on_bed(lines: Iterable[tuple[str, float, bool]]) -> str:
    """Of lines given by type, length and whether they end on the bed: the type of which most does, or is there."""
    found = list(lines)
    there = [line for line in found if line[2]] or found
    lengths = {kind: sum(length for other, length, _ in there if other == kind) for kind, _, _ in there}
    return max(lengths, key=lambda kind: lengths[kind])


def on_bed(position: Vector, depth: float) -> bool:
    """Whether an anchor lies on the bed, or so near that it is meant to."""
    return position[2] <= -depth * (1.0 - NEAR_BED)


def _on_bed(deck: Deck, end: str, depth: float) -> bool:
    point = deck.points.get(end)
    return point is not None and point.held.kind == "fixed" and on_bed(point.position, depth)
