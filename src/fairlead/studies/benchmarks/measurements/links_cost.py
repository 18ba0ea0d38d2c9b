"""What a chain of rigid links costs in a step, and that the cost is linear in their number."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.formulations import compile_system
from fairlead.model import System
from fairlead.shape.layout import first_geometry
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.timing import step_seconds

GOAL = 80.0
"""µs a step of 100 links."""
COUNTS = (100, 1000)
TORSION = 1.0  # N m2


def measure() -> Iterator[Record]:
    """CPU time of stepping alone, best of a few."""
    cost = {count: microseconds(hanging(count), 200_000 // count) for count in COUNTS}
    yield Record("tether of 100 links in a current, a step", cost[100], "µs", "goal", GOAL)
    with_twist = microseconds(hanging(100, torsion=TORSION), 2000)
    yield Record("tether of 100 links in a current, a step with twist", with_twist, "µs", "goal", GOAL)
    both_ends = microseconds(hanging(100, tied=True), 2000)
    yield Record("tether of 100 links in a current, a step, both ends held", both_ends, "µs", "goal", GOAL)
    yield Record("tether of 1000 links, a link a step", cost[1000] / 1000, "µs", "100 links", cost[100] / 100)


def hanging(count: int, torsion: float = 0.0, tied: bool = False) -> System:
    """A tether with bending stiffness in a current, a mass at its lower end or that end held."""
    end: dict[str, object] = {"kind": "fixed", "position": [15, 0, -20]}
    if not tied:
        end = {"kind": "free", "position": [15, 0, -20], "mass": 0.5}
    return System.model_validate(
        {
            "environment": {"current": [{"z": 0, "velocity": [0.5, 0, 0]}]},
            "types": {
                "tether": {
                    "diameter": 0.01,
                    "mass_per_length": 0.12,
                    "axial_stiffness": 2e5,
                    "bending_stiffness": 0.5,
                    "torsional_stiffness": torsion,
                    "drag": {"normal": 1.2, "axial": 0.01},
                }
            },
            "points": {"ship": {"kind": "fixed", "position": [0, 0, 0]}, "vehicle": end},
            "cables": {
                "tether": {"type": "tether", "length": 30.0, "elements": count, "start": "ship", "end": "vehicle"}
            },
            "simulation": {"start": "catenary", "formulation": "links", "duration": 1.0, "step": 0.01},
        }
    )


def microseconds(system: System, steps: int) -> float:
    """CPU time of a step [µs], best of a few."""
    return 1e6 * step_seconds(compile_system(system, first_geometry(system)), steps)
