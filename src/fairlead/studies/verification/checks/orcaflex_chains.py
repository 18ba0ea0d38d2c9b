"""Chains in 50, 200 and 600 m of water beside OrcaFlex: at rest, and with the fairlead moved up and down.

The chain is a studless one of 140 mm bar with the properties that Orcina's manual gives for it (page "Chain"): outer
diameter 1.80 d, contact diameter 3.35 d, mass 19.9 d² t/m, EA 0.854e8 d² kN, drag 2.4 on d across and 1.15 on d along
it, added mass 1 and 0.5. The bed is taken to hold the chain by 100 kN/m³ on its contact diameter before it slips; ours
acts on the diameter and is made stiffer by as much. Friction is that of MoorDyn's file. The numbers are those that
MoorDyn's tests hold (`quasi_static_chain.cpp` and `tests/Mooring/QuasiStatic`, MoorDyn 2): tension at rest by
quasi-static programs, and OrcaFlex's series, of which twenty values a period are kept here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.statics import solve
from fairlead.studies.verification.record import Record

SOURCE = "OrcaFlex, as kept in MoorDyn's tests (quasi_static_chain)"
AT_REST = "quasi-static programs, as kept in MoorDyn's tests (quasi_static_chain)"
BAR = 0.14  # m
DIAMETER, CONTACT = 1.80 * BAR, 3.35 * BAR  # m
MASS, AXIAL_STIFFNESS = 19.9e3 * BAR**2, 0.854e11 * BAR**2  # kg/m, N
BED, FRICTION = 1e5, 0.5  # N/m3
GRAVITY, WATER = 9.81, 1025.0  # m/s2, kg/m3
PERIOD, PERIODS = 10.0, 5  # s; the motion is faded in over the first and judged in the last
LATE = 0.02865
"""s by which OrcaFlex's fairlead is behind a sine that begins at 0: it is 1.8 % of its amplitude low at its 0 s."""


@dataclass(frozen=True)
class Mooring:
    """A depth, m, how far off the anchor is, m, the chain's length, m, and its elements; tension at rest, kN."""

    depth: float
    reach: float
    length: float
    elements: int
    at_fairlead: float
    at_anchor: float


SHALLOW = Mooring(50.0, 400.0, 410.0, 82, 991.6, 826.2)
MIDDLE = Mooring(200.0, 700.0, 760.0, 82, 2065.4, 1402.2)
DEEP = Mooring(600.0, 1500.0, 1700.0, 170, 5232.6, 3244.2)

AT_FAIRLEAD, AT_ANCHOR = "at the fairlead", "at the anchor"
SERIES: tuple[tuple[Mooring, float, Mapping[str, tuple[float, ...]]], ...] = (
    (SHALLOW, 2.0, {
        AT_FAIRLEAD: (1092.1, 1090.6, 1066.2, 1027.9, 992.1, 973.8, 973.7, 950.5, 928.4, 915.9,
                      900.9, 904.1, 925.2, 960.9, 985.3, 992.8, 987.9, 1009.5, 1042.9, 1069.3),
        AT_ANCHOR: (873.9, 873.1, 864.5, 847.7, 831.1, 819.5, 818.5, 807.6, 794.1, 785.3,
                    781.2, 785.0, 791.2, 806.6, 815.7, 822.0, 820.6, 829.6, 848.5, 864.2),
    }),
    (SHALLOW, 5.0, {
        AT_FAIRLEAD: (1535.3, 1551.7, 1485.6, 1300.5, 1071.8, 914.8, 861.2, 766.6, 577.8, 442.0,
                      376.2, 385.9, 511.9, 668.3, 871.6, 1021.4, 998.2, 1078.9, 1218.7, 1423.7),
        AT_ANCHOR: (1117.1, 1144.5, 1119.6, 1024.6, 893.9, 800.7, 774.7, 725.7, 617.6, 540.8,
                    496.4, 493.0, 542.0, 609.9, 707.9, 789.5, 775.6, 821.0, 887.8, 1024.6),
    }),
    (MIDDLE, 5.0, {
        AT_FAIRLEAD: (3042.3, 2996.5, 2783.5, 2377.4, 1911.2, 1591.0, 1420.7, 1351.5, 1270.1, 1106.6,
                      1030.8, 1130.5, 1365.6, 1669.2, 2044.2, 2374.5, 2615.1, 2831.5, 2891.7, 2979.8),
        AT_ANCHOR: (1930.8, 1984.6, 1898.7, 1732.5, 1533.8, 1319.4, 1198.3, 1162.2, 1095.6, 980.6,
                    903.7, 889.2, 932.3, 1029.5, 1140.7, 1311.0, 1515.8, 1652.4, 1776.5, 1837.4),
    }),
)  # fmt: skip
"""Moorings, amplitudes, m, and tension over a period, kN: every half second from OrcaFlex's 10 s on."""


def chain(mooring: Mooring, amplitude: float = 0.0) -> System:
    """The mooring, its fairlead at the surface moved up and down; what lies rests at the depth, as on a stiff bed."""
    weight = (MASS - WATER * np.pi / 4.0 * DIAMETER**2) * GRAVITY
    drag = {"normal": 2.4, "axial": 1.15, "axial_area": "projected"}
    return System.model_validate(
        {
            "environment": {
                "gravity": GRAVITY,
                "water_density": WATER,
                "seabed": {
                    "depth": mooring.depth - weight / (BED * DIAMETER),
                    "stiffness": BED,
                    "friction": FRICTION,
                    "friction_stiffness": BED * CONTACT / DIAMETER,
                },
            },
            "types": {
                "chain": {
                    "diameter": DIAMETER,
                    "mass_per_length": MASS,
                    "axial_stiffness": AXIAL_STIFFNESS,
                    "drag_diameter": BAR,
                    "drag": drag,
                    "added_mass": {"normal": 1.0, "axial": 0.5},
                }
            },
            "points": {
                "anchor": {"kind": "fixed", "position": [mooring.reach, 0.0, -mooring.depth]},
                "fairlead": {
                    "kind": "controlled",
                    "position": [0.0, 0.0, 0.0],
                    "motion": {"harmonic": {"amplitude": [0.0, 0.0, amplitude], "period": PERIOD, "ramp": PERIOD}},
                },
            },
            "cables": {
                "chain": {
                    "type": "chain",
                    "length": mooring.length,
                    "elements": mooring.elements,
                    "start": "anchor",
                    "end": "fairlead",
                }
            },
            "simulation": {"duration": PERIODS * PERIOD, "step": 0.02, "output_every": 0.1},
        }
    )


def check() -> Iterator[Record]:
    for mooring in (SHALLOW, MIDDLE, DEEP):
        yield from at_rest(mooring)
    for mooring, amplitude, theirs in SERIES:
        yield from in_motion(mooring, amplitude, theirs)


def at_rest(mooring: Mooring) -> Iterator[Record]:
    rest = solve(chain(mooring))
    for end, place, theirs in (("end", AT_FAIRLEAD, mooring.at_fairlead), ("start", AT_ANCHOR, mooring.at_anchor)):
        pull = float(np.linalg.norm(rest.outputs[f"chain.force_{end}"])) / 1e3
        name = f"chain in {mooring.depth:g} m, tension at rest {place} [kN]"
        yield Record.relative(name, AT_REST, pull, theirs, 0.001)


def in_motion(
    mooring: Mooring,
    amplitude: float,
    theirs: Mapping[str, tuple[float, ...]],
    by: str = "",
    values: Mapping[str, Any] | None = None,
) -> Iterator[Record]:
    """The root mean square of the difference as part of the mean tension, and the largest tension; `by` says how it
    was run where it has other `values`."""
    ours = moved(mooring, amplitude, values)
    name = f"chain in {mooring.depth:g} m, fairlead moved by {amplitude:g} m{by}"
    for place, kept in theirs.items():
        reference = np.array(kept)
        off = float(np.sqrt(np.mean((ours[place] - reference) ** 2)) / reference.mean())
        yield Record.absolute(f"{name}, tension {place}, rms of the difference over the mean", SOURCE, off, 0.0, 0.01)
        yield Record.relative(
            f"{name}, largest tension {place} [kN]", SOURCE, float(ours[place].max()), float(reference.max()), 0.01
        )


def moved(mooring: Mooring, amplitude: float, values: Mapping[str, Any] | None = None) -> dict[str, np.ndarray]:
    """Tension at both ends, kN, when OrcaFlex's was kept."""
    result = simulate(chain(mooring, amplitude).with_values(values or {}))
    tension = result["tension_effective"].sel(cable="chain").values / 1e3
    times = (PERIODS - 1) * PERIOD - LATE + 0.5 * np.arange(20)
    return {
        AT_FAIRLEAD: np.interp(times, result["time"].values, tension[:, -1]),
        AT_ANCHOR: np.interp(times, result["time"].values, tension[:, 0]),
    }
