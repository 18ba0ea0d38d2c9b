"""Files that lie beside a MoorDyn file: currents, waves and the depths of the seabed."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairlead.model.csv_columns import Unreadable
from fairlead.model.current_field import on_grid
from fairlead.model.problems import ModelError

from ..encoding import text_of
from ..notes import PUT_IT_THERE, Notes, Spoils
from .deck import Deck
from .numerals import number
from .options import Option
from .rows import Reader

if TYPE_CHECKING:
    from .convert import Converted

PROFILE = "current_profile.txt"
OVER_TIME = "current_profile_dynamic.txt"
IN_SPACE = "current_profile_4d.txt"
ELEVATION = "wave_elevation.txt"
FREQUENCIES = "wave_frequencies.txt"
SHORTEST = 2.0
"""s: shorter waves of a record MoorDyn leaves out."""
WATER_KIN = "waterkin"
"""The option of MoorDyn-F that names a file of waves and currents."""
OF_SEA_STATE = "the waves and currents of OpenFAST's module SeaState"
STRETCHING = "wheeler"
"""How MoorDyn reads waves near the surface."""

Rows = list[tuple[int, list[float]]]


class BadRow(Exception):
    """A line of a side file that cannot be used."""

    def __init__(self, line: int, wanted: str) -> None:
        super().__init__(f"line {line} holds no {wanted}")


def put_water(deck: Deck, into: Converted, reader: Reader, notes: Notes, folder: Path) -> None:
    """Currents and waves, into `environment`."""
    readers: dict[str, dict[float, tuple[str, str, Callable[[str], tuple[str, Any]]]]] = {
        "currents": {
            1.0: (PROFILE, "the current", _profile),
            2.0: (OVER_TIME, "the current over time", _over_time),
            5.0: (IN_SPACE, "the current over time and place", _in_space),
        },
        "waves": {
            3.0: (ELEVATION, "waves as a record of the surface", _elevation),
            7.0: (FREQUENCIES, "waves as a list of components", _components),
        },
    }
    for meaning, kinds in readers.items():
        option = deck.options.get(meaning)
        if option is not None and option.key.lower() == WATER_KIN and isinstance(option.value, str):
            put_water_kin(option, into, reader, notes, folder)
            continue
        if option is None or option.value in (0.0, "0"):
            continue
        what = f"option {option.key} {_text(option.value)}"
        spoils: Spoils = "motion" if meaning == "waves" else "sea"
        if option.value not in kinds:
            still = {"currents": "a current as MoorDyn has it there", "waves": _other_waves(option)}[meaning]
            notes.missing(what, still, option.line, spoils)
            continue
        name, said, read = kinds[option.value]
        try:
            key, value = read(text_of(folder / name))
        except ModelError as error:
            if os.path.isfile(folder / name):
                reader.wrong(option.line, f"{name}: {error.problems[0].message}")
                continue
            why = f"{said} (there is no file {name} beside this one)"
            notes.missing(what, why, option.line, spoils, PUT_IT_THERE)
            continue
        except (BadRow, Unreadable) as reason:
            reader.wrong(option.line, f"{name}: {reason}")
            continue
        into.data["environment"][key] = value
        into.comments["environment", key] = f"line {option.line}: {name}"
        notes.taken(what, f"{said}, from {name}", option.line)


def put_water_kin(option: Option, into: Converted, reader: Reader, notes: Notes, folder: Path) -> None:
    """Waves and current of a water kinematics file of MoorDyn-F: a record of the surface, and a profile."""
    name = str(option.value)
    what = f"option {option.key} {name}"
    if name.upper() == "SEASTATE":
        notes.missing(what, OF_SEA_STATE, option.line, "sea")
        return
    try:
        words, profile = _water_kin(text_of(folder / name))
    except ModelError:
        why = f"waves and currents (there is no file {name} beside this one)"
        notes.missing(what, why, option.line, "sea", PUT_IT_THERE)
        return
    except BadRow as reason:
        reader.wrong(option.line, f"{name}: {reason}")
        return
    waves, current = (number(words.get(key, "0")) for key in ("wavekinmod", "currentmod"))
    if 2.0 in (waves, current):
        notes.missing(what, OF_SEA_STATE, option.line, "sea")
    if current == 1.0:
        into.data["environment"]["current"] = profile
        into.comments["environment", "current"] = f"line {option.line}: {name}"
        notes.taken(what, f"the current, from {name}", option.line)
    if waves in (1.0, 3.0):
        record = words.get("wavekinfile", "")
        try:
            _, value = _elevation(_below_headings(text_of(folder / record)))
        except ModelError:
            why = f"waves as a record of the surface (there is no file {record or 'WaveKinFile'} beside this one)"
            notes.missing(what, why, option.line, "motion", PUT_IT_THERE)
            return
        except BadRow as reason:
            reader.wrong(option.line, f"{record}: {reason}")
            return
        into.data["environment"]["waves"] = value | {"direction_deg": number(words.get("wavedir", "0")) or 0.0}
        into.comments["environment", "waves"] = f"line {option.line}: {name}, {record}"
        notes.taken(what, f"waves as a record of the surface, from {record}", option.line)


def _water_kin(text: str) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Values by their keys in lower case, and the samples of the current below CurrentMod and two lines of heading."""
    words: dict[str, str] = {}
    profile: list[dict[str, Any]] = []
    heading: int | None = None
    for line, row in enumerate(text.splitlines(), 1):
        fields = [field.strip("\"'") for field in row.split("#")[0].replace(",", " ").split()]
        if "---" in row:
            if heading is not None:
                break
        elif heading is not None:
            heading += 1
            values = [number(field) for field in fields[:3]]
            if heading > 2 and fields and number(words["currentmod"]) == 1.0:
                if len(values) < 3 or None in values:
                    raise BadRow(line, "row z ux uy of the current")
                profile.append({"z": values[0], "velocity": [values[1], values[2], 0.0]})
        elif len(fields) > 1:
            words.setdefault(fields[1].lower(), fields[0])
            heading = 0 if fields[1].lower() == "currentmod" else None
    if "wavekinmod" not in words and "currentmod" not in words:
        raise BadRow(1, "WaveKinMod or CurrentMod")
    if number(words.get("currentmod", "0")) == 1.0 and not profile:
        raise BadRow(1, "row z ux uy of the current, below CurrentMod and two lines of heading")
    return words, profile


def _below_headings(text: str) -> str:
    """A table without the lines of words above it."""
    lines = text.splitlines()
    while lines and any(number(word) is None for word in lines[0].split()):
        lines.pop(0)
    return "\n".join(lines)


def _other_waves(option: Option) -> str:
    kinds = {1.0: "given by a host", 2.0: "a spectrum, between whose frequencies MoorDyn puts others"}
    return f"waves as {kinds.get(option.value, 'MoorDyn has them')}"


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _rows(text: str, heading: int, wanted: str, counts: tuple[int, ...]) -> Rows:
    """Lines of numbers below the heading; as many in each as one of `counts` (none: any)."""
    found: Rows = []
    for line, row in enumerate(text.splitlines()[heading:], heading + 1):
        words = row.split("#")[0].split()
        values = [number(word) for word in words]
        good = [value for value in values if value is not None]
        if not words:
            continue
        if len(good) < len(values) or (counts and len(good) not in counts):
            raise BadRow(line, wanted)
        found.append((line, good))
    if not found:
        raise BadRow(heading + 1, wanted)
    return found


def _once(seen: set[tuple[float, ...]], place: tuple[float, ...], line: int, said: str) -> None:
    """Keep that a place of a grid is given; it must not be so already."""
    if place in seen:
        raise BadRow(line, f"other {said} than a line above: each is given once")
    seen.add(place)


def _profile(text: str) -> tuple[str, Any]:
    """Three lines of heading, then z ux uy uz."""
    rows = _rows(text, 3, "row z ux uy uz", tuple(range(4, 20)))
    seen: set[tuple[float, ...]] = set()
    for line, row in rows:
        _once(seen, (row[0],), line, "z")
    return "current", [{"z": row[0], "velocity": row[1:4]} for _, row in rows]


def _over_time(text: str) -> tuple[str, Any]:
    """Four lines of heading, a line of heights, one that is passed over; then t, all ux, all uy, all uz."""
    lines = text.splitlines()
    (_, heights), *_ = _rows("\n".join(lines[:5]), 4, "line of heights", ())
    n = len(heights)
    if len(set(heights)) < n:
        raise BadRow(5, "heights that are given once each")
    rows = _rows(text, 6, f"row of a time and {n}, {2 * n} or {3 * n} speeds", (1 + n, 1 + 2 * n, 1 + 3 * n))
    values: dict[tuple[float, ...], tuple[float, ...]] = {}
    seen: set[tuple[float, ...]] = set()
    for line, (time, *speeds) in rows:
        _once(seen, (time,), line, "time")
        parts = [speeds[k * n : (k + 1) * n] or [0.0] * n for k in range(3)]
        for k, z in enumerate(heights):
            values[time, z] = (parts[0][k], parts[1][k], parts[2][k])
    return "current_field", on_grid(["t", "z"], values, "it")


def _in_space(text: str) -> tuple[str, Any]:
    """Counts of x, y, z and t, a line of each axis; then x y z t ux uy uz."""
    (_, counts), *axes = _rows("\n".join(text.splitlines()[:5]), 0, "counts of x, y, z and t", ())
    if len(counts) != 4 or [len(axis) for _, axis in axes] != [int(count) for count in counts]:
        raise BadRow(1, "counts of x, y, z and t that its axes have")
    values: dict[tuple[float, ...], tuple[float, ...]] = {}
    seen: set[tuple[float, ...]] = set()
    for line, row in _rows(text, 5, "row x y z t ux uy uz", (7,)):
        place = (row[3], row[0], row[1], row[2])
        _once(seen, place, line, "x y z t")
        values[place] = (row[4], row[5], row[6])
    return "current_field", on_grid(["t", "x", "y", "z"], values, "it")


def _elevation(text: str) -> tuple[str, Any]:
    """Lines of a time and a height; MoorDyn's waves run along x."""
    rows = [row for _, row in _rows(text, 0, "time and height of the surface", (2,))]
    return "waves", {"kind": "record", "table": rows, "shortest_period": SHORTEST, "stretching": STRETCHING}


def _components(text: str) -> tuple[str, Any]:
    """Lines of ω, two parts of an amplitude c and a direction β [rad]: η = |c| sin(ωt − k d + arg c)."""
    table = []
    for _, row in _rows(text, 0, "frequency and two parts of an amplitude", (3, 4)):
        size = math.hypot(row[1], row[2])
        if row[0] > 0.0 and size > 0.0:
            phase = 90.0 - math.degrees(math.atan2(row[2], row[1]))
            table.append([size, 2.0 * math.pi / row[0], math.degrees(row[3]) if len(row) == 4 else 0.0, phase])
    if not table:
        raise BadRow(1, "wave of some height")
    return "waves", {"kind": "components", "table": table, "stretching": STRETCHING}
