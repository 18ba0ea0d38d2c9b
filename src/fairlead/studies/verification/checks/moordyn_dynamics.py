"""Six moorings as MoorDyn files, moved to and fro, beside MoorDyn: tension over time at both ends of their lines.

The files are imported as they are: mesh, damping, seabed and coefficients are the deck's, step and method what the
import gives. Judged over the last two of six periods: the root mean square of the difference at each end, as part of
the range of its tension, and the largest tension there. The numbers are MoorDyn's of this machine where it is
installed, else those kept beside the decks.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

import numpy as np

from fairlead.studies.moordyn_decks import here, kept, there
from fairlead.studies.moordyn_decks.cases import CASES, Case
from fairlead.studies.verification.record import Record

RMS, PEAK = 0.015, 0.02
"""Bounds: of the range of tension, and of the largest."""


def check() -> Iterator[Record]:
    for case in CASES:
        theirs, source = reference(case)
        yield from compared(case, theirs, f"{source} on the same file, {case.name}.txt")


def reference(case: Case) -> tuple[np.ndarray, str]:
    """MoorDyn's tensions over the compared periods, run now where it is installed, and which MoorDyn it was."""
    try:
        return there.tensions(case)[0][case.judged], f"MoorDyn {version('moordyn')}"
    except ImportError:
        return kept.read(case)


def compared(case: Case, theirs: np.ndarray, source: str) -> Iterator[Record]:
    """The end with the largest difference over time, and that with the largest of its peak."""
    ours = here.tensions(case)[0][case.judged]
    title = case.name.replace("_", " ")
    off = np.sqrt(np.mean((ours - theirs) ** 2, axis=0)) / np.ptp(theirs, axis=0)
    worst = int(np.argmax(off))
    name = f"{title}, tension over time, rms as part of its range, {case.channels[worst]}"
    yield Record.absolute(name, source, float(off[worst]), 0.0, RMS)
    peaks = np.abs(ours.max(axis=0) / theirs.max(axis=0) - 1.0)
    worst = int(np.argmax(peaks))
    name = f"{title}, largest tension [N], {case.channels[worst]}"
    yield Record.relative(name, source, float(ours[:, worst].max()), float(theirs[:, worst].max()), PEAK)
