"""How long the next equilibrium of a three-line mooring takes after its fairleads have moved, and its stiffness."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from fairlead.model import System, load_text
from fairlead.statics import Equilibrium, settle, solve
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.timing import cpu_seconds

ELEMENTS = 40
LINES = {"north": 0.0, "west": 120.0, "east": 240.0}


def mooring(formulation: str) -> System:
    """Three chains of 400 m in 100 m of water, from the seabed to a platform that is put where one likes."""
    anchors, fairleads, cables = [], [], []
    for name, heading in LINES.items():
        x, y = np.cos(np.radians(heading)), np.sin(np.radians(heading))
        anchors.append(f"  anchor_{name}: {{kind: anchor, position: [{380 * x:.6f}, {380 * y:.6f}]}}")
        fairleads.append(f"{name}: [{10 * x:.6f}, {10 * y:.6f}, -5]")
        cables.append(
            f"  {name}: {{type: chain, length: 400, elements: {ELEMENTS}, start: anchor_{name}, end: platform.{name}}}"
        )
    lines = "\n".join
    return load_text(f"""
environment: {{seabed: {{depth: 100}}}}
types: {{chain: {{diameter: 0.09, mass_per_length: 160, axial_stiffness: 7.0e8}}}}
bodies: {{platform: {{kind: prescribed, position: [0, 0, 0], attachments: {{{", ".join(fairleads)}}}}}}}
points:
{lines(anchors)}
cables:
{lines(cables)}
simulation: {{duration: 10, step: 0.05, formulation: {formulation}}}
""")


def measure() -> Iterator[Record]:
    """Beside what the search does that knows nothing of the place before, in the same process."""
    for formulation in ("lumped", "bars"):
        yield from _of(formulation)


def _of(formulation: str) -> Iterator[Record]:
    rest = solve(mooring(formulation))

    def at(offset: float) -> Equilibrium:
        return rest.at({"platform": (0.8 * offset, 0.6 * offset, 0.0)})

    for offset in (1.0, 5.0):
        away = at(offset)
        warm = cpu_seconds(partial(at, offset))
        ladder = cpu_seconds(partial(settle, rest.compiled, rest.y, away.u), 2)
        yield Record(f"{formulation}: fairleads moved by {offset:g} m", 1e3 * warm, "ms", "settle", 1e3 * ladder)
    away = at(1.0)
    stiffness = cpu_seconds(partial(away.stiffness, "platform"))
    held = cpu_seconds(partial(away.held, "platform"), 2)
    yield Record(f"{formulation}: 6×6 stiffness", 1e3 * stiffness, "ms", "sparse matrices", 1e3 * held)
