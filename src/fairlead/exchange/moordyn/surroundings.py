"""Water, current, waves and seabed of a MoorDyn file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..notes import Notes
from .deck import Deck
from .rows import Reader, Vector, number

if TYPE_CHECKING:
    from .convert import Converted

PROFILE = "current_profile.txt"
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
    depth, line, comment = _depth(deck, notes)
    if not depth > 0.0:
        reader.wrong(line, f"the water is {depth:g} m deep", "give its depth as the option WtrDpth, in m")
        return
    shift = 0.5 * width_on_bed(deck, depth)
    into.put(
        "environment",
        "seabed",
        {"depth": depth + shift, **bed},
        line,
        f"{comment}; MoorDyn's bed meets the axis of a line, ours its skin: half a diameter deeper",
    )
    notes.changed("seabed", f"{depth:g} m for the axis of a line is {depth + shift:.6g} m for its skin", line)
    _put_current(deck, into, reader, notes, folder)
    waves = options.get("waves")
    if waves is not None and waves.value not in (0.0, "0"):
        kinds = {1.0: "given by a host", 2.0: "a record of the surface, on a grid", 3.0: "a record of the surface",
                 7.0: "a list of components"}  # fmt: skip
        why = f"waves as {kinds.get(waves.value, 'MoorDyn has them')}: still water instead"
        notes.missing(f"option {waves.key} {_number_text(waves.value)}", why, waves.line, "motion")


def _assumed(line: int | None) -> str:
    return "" if line is not None else "MoorDyn's own value, where the file gives none"


def _number_text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _depth(deck: Deck, notes: Notes) -> tuple[float, int | None, str]:
    lowest = min(
        (p.position[2] for p in deck.points.values() if p.held.kind in ("fixed", "coupled", "free")), default=0.0
    )
    given, grid = deck.options.get("depth"), deck.options.get("seafloor")
    if grid is not None or (given is not None and isinstance(given.value, str)):
        option = grid or given
        assert option is not None
        notes.missing(f"option {option.key}", f"a seabed that is not flat ({option.value})", option.line)
        given = None if given is not None and isinstance(given.value, str) else given
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
    """Diameter of the type of which most lies on the bed, m: of the lines that end there, else of all."""
    lines = deck.lines.values()
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


def _put_current(deck: Deck, into: Converted, reader: Reader, notes: Notes, folder: Path) -> None:
    option = deck.options.get("currents")
    if option is None or option.value in (0.0, "0"):
        return
    what = f"option {option.key} {_number_text(option.value)}"
    if option.value != 1.0:
        notes.missing(what, "a current that changes over time or from place to place", option.line)
        return
    file = folder / PROFILE
    try:
        rows = file.read_text(encoding="utf-8", errors="replace").splitlines()[3:]
    except OSError:
        notes.missing(what, f"the current: there is no file {PROFILE} beside this one", option.line)
        return
    samples = []
    for line, row in enumerate(rows, 4):
        values = [number(word) for word in row.split()[:4]]
        if not values:
            continue
        if len(values) < 4 or any(value is None for value in values):
            reader.wrong(option.line, f"line {line} of {PROFILE} holds no row z ux uy uz: '{row.strip()[:40]}'")
            return
        samples.append({"z": values[0], "velocity": values[1:]})
    into.data["environment"]["current"] = samples
    into.comments["environment", "current"] = f"line {option.line}: {PROFILE}"
    notes.taken(what, f"{len(samples)} samples of {PROFILE}", option.line)
