"""Options of a MoorDyn file: `value key ...`, under the several names each has had."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ..notes import Notes
from .numerals import is_broken, number
from .rows import Reader
from .sections import Row, Section

LEAST = {"depth": 0.0, "density": 0.0, "bed_stiffness": 0.0, "bed_damping": 0.0, "friction": 0.0}
"""What numbers may not be below; a depth is above it."""
NAMES = {
    "g": "gravity", "gravity": "gravity", "rho": "density", "rhow": "density", "wtrdnsty": "density",
    "wtrdpth": "depth", "wtrdepth": "depth", "depth": "depth", "kbot": "bed_stiffness", "kb": "bed_stiffness",
    "cbot": "bed_damping", "cb": "bed_damping", "frictioncoefficient": "friction", "mu_kt": "friction",
    "dtout": "output_every", "wavekin": "waves", "waterkin": "waves", "currents": "currents", "current": "currents",
    "seafloorfile": "seafloor", "bathymetry": "seafloor", "tmaxic": "settling", "ictmax": "settling",
}  # fmt: skip
"""Options that say something about the system, by the names they are found under, in lower case."""
OF_THE_SOLVER = {
    "dtm", "dt", "cfl", "tscheme", "dtic", "icdt", "cdscaleic", "icdfac", "threshic", "icthresh", "icgendynamic",
    "fileic", "dtwave", "unifycurrentgrid", "writeunits", "writelog", "disableoutput", "disableouttime", "outswitch",
    "fricdamp", "statdynfricscale", "mu_ka", "mc", "cv", "inertialf", "inertialf_rampt", "echo", "printit",
}  # fmt: skip
"""Options of MoorDyn's own steps and files, which have no counterpart."""
TEXTS = ("depth", "seafloor", "waves", "currents")
"""Options whose value may be the name of a file."""
EQUATION = re.compile(r"([^\s=:]+)\s*:?=+\s*([^\s=]+)")
"""A key and its value as `key = value`, with blanks or without."""
DEFAULTS = {"gravity": 9.81, "density": 1025.0, "bed_stiffness": 3.0e6, "bed_damping": 3.0e5, "friction": 0.0}

KEY_FIRST = "has its key before its value; taken the other way round"


@dataclass(frozen=True)
class Option:
    """One option: its value, a number or the name of a file, the key as it was written, and its line; None: assumed."""

    value: Any
    key: str
    line: int | None


def read_options(section: Section | None, reader: Reader, notes: Notes) -> dict[str, Option]:
    """Options about the system by what they mean; those given twice count as they are given last."""
    found = {meaning: Option(value, meaning, None) for meaning, value in DEFAULTS.items()}
    for row in section.rows if section is not None else ():
        for value, key in _pairs(row, notes):
            meaning = NAMES.get(key.lower())
            if meaning is not None:
                parsed: float | str | None = number(value)
                if parsed is None and meaning in TEXTS and not is_broken(value):
                    parsed = value
                if parsed is None:
                    reader.wrong(row.line, f"option {key} is '{value}', which is no number")
                elif isinstance(parsed, float) and _too_small(meaning, parsed):
                    least = "above 0" if meaning == "depth" else "0 or more"
                    reader.wrong(row.line, f"option {key} is {parsed:g}", f"it is {least}")
                else:
                    found[meaning] = Option(parsed, key, row.line)
            elif key.lower() in OF_THE_SOLVER:
                notes.dropped(
                    f"option {key}", "belongs to MoorDyn's own steps and files; nothing here needs it", row.line
                )
            else:
                notes.dropped(f"option {key}", f"is not known (value {value}), and was passed over", row.line)
    return found


def _too_small(meaning: str, value: float) -> bool:
    least = LEAST.get(meaning)
    return least is not None and (value < least or (meaning == "depth" and value == least))


def _pairs(row: Row, notes: Notes) -> list[tuple[str, str]]:
    """Value and key of a row, and of those glued to its end."""
    text = " ".join(row.fields)
    first = EQUATION.match(text)
    if first is not None and _known(first[1]):
        equations = [(value.rstrip(":;"), key) for key, value in EQUATION.findall(text) if _known(key)]
        for _, key in equations:
            notes.doubtful(f"option {key}", KEY_FIRST, row.line)
        return equations
    words = [word for word in (word.strip(":;=") for word in row.fields) if word]
    if len(words) < 2:
        notes.doubtful(f"option '{text}'", "has no key beside its value, and was passed over", row.line)
        return []
    if _known(words[0]) and not _known(words[1]):
        notes.doubtful(f"option {words[0]}", KEY_FIRST, row.line)
        words[0], words[1] = words[1], words[0]
    pairs = [(words[0], words[1])]
    at = 2
    while at + 1 < len(words) and number(words[at]) is not None and _known(words[at + 1]):
        notes.doubtful(f"option {words[at + 1]}", "stands behind another on the same line; both were taken", row.line)
        pairs.append((words[at], words[at + 1]))
        at += 2
    return pairs


def _known(word: str) -> bool:
    return word.lower() in NAMES or word.lower() in OF_THE_SOLVER
