"""Systems of several kinds that can be reduced: clamps, follower torques, loose ends, bodies, waves, several cables."""

from __future__ import annotations

from typing import Any

from fairlead.model import System
from fairlead.studies.verification.checks.reduced_slack_cable import short

SEA = {"water_density": 1025.0, "current": [{"z": 0, "velocity": [0.0, 0.6, 0.0]}]}
WAVES = {"kind": "regular", "height": 2.0, "period": 8.0, "direction_deg": 30.0, "ramp": 4.0}
WET = {"drag": {"normal": 1.2, "axial": 0.01}, "added_mass": {"normal": 1.0, "axial": 0.0}}


def data(number: int = 1, **settings: Any) -> dict[str, Any]:
    """The slack cable of Example 1 or 2 on 16 elements, as data."""
    return short(number, **settings).model_dump(mode="json", exclude_unset=True)


def clamped() -> System:
    """Clamped at both ends, along given directions, the end turned by 180 degrees within 10 s."""
    system = data(2)
    start = {"point": "A", "joint": "clamp", "direction": [0.6, 0.6, -0.53]}
    end = {"point": "B", "joint": "clamp", "direction": [0.5, 0.5, 0.7]}
    system["cables"]["cable"] |= {"start": start, "end": end}
    system["simulation"]["spline"]["twists"] = {"cable": {"table": [[0, 0], [10, 180], [20, 180]]}}
    return System.model_validate(system)


def follower() -> System:
    """Example 2 with a torque that follows the cable."""
    system = data(2)
    system["simulation"]["spline"]["twists"]["cable"]["torque"] = "follower"
    return System.model_validate(system)


def in_the_sea(waves: bool = False) -> System:
    """Example 1 sixty metres lower or, with waves, ten, in a current across it."""
    system = data(1)
    system["environment"] = SEA | ({"waves": WAVES} if waves else {})
    system["types"]["steel"] |= WET
    for point in system["points"].values():
        point["position"][2] -= 30.0 if waves else 60.0
    return System.model_validate(system)


def hanging() -> System:
    """A cable towed at its upper end with a weight of 300 kg at its loose lower one, in a current, pushed in gusts."""
    system = data(1)
    system["environment"] = SEA
    system["types"]["steel"] |= WET
    wave = {"amplitude": [2.0, 1.0, 0.5], "period": 9.0, "ramp": 3.0}
    weight = {"kind": "free", "position": [8.0, 0.0, -65.0], "mass": 300.0, "volume": 0.05, "drag_area": 0.3,
              "added_mass": 30.0}  # fmt: skip
    system["points"] = {
        "ship": {"kind": "controlled", "position": [0, 0, -20], "cutoff": 1e3, "motion": {"harmonic": wave}},
        "weight": weight,
    }
    system["cables"]["cable"] |= {"start": "ship", "end": "weight", "length": 47.0}
    system["loads"] = [{"point": "weight", "force": [0.0, 200.0, 0.0], "table": [[0, 0], [8, 1], [16, -1], [20, 0]]}]
    return System.model_validate(system)


def two_cables() -> System:
    """The cables of Example 1 and one twice as thick, side by side, held and moved in the same points."""
    system = data(1)
    system["types"]["thick"] = system["types"]["steel"] | {"diameter": 0.04, "bending_stiffness": 2e4}
    system["cables"]["other"] = system["cables"]["cable"] | {"type": "thick", "length": 50.0, "elements": 12}
    system["simulation"]["step"] = 0.0002
    return System.model_validate(system)


def bridle() -> System:
    """Lumped masses with Green strain: three slack lines that meet in a free point with a mass, one end moved,
    the knot near its equilibrium."""
    kind = {"diameter": 0.0285, "density": 7850.0, "youngs_modulus": 1e11, "drag": "none", "damping_time": 2e-3}
    wave = {"amplitude": [0.8, 0.4, 0.4], "period": 7.0, "ramp": 2.0}
    return System.model_validate(
        {
            "environment": {"water_density": 0.0},
            "types": {"line": kind},
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, 0]},
                "B": {"kind": "fixed", "position": [0, 12, 0]},
                "C": {"kind": "controlled", "position": [20, 6, 2], "cutoff": 1e3, "motion": {"harmonic": wave}},
                "knot": {"kind": "free", "position": [7.783, 6, -6.204], "mass": 20.0},
            },
            "cables": {
                "one": {"type": "line", "length": 12.0, "elements": 8, "start": "A", "end": "knot"},
                "two": {"type": "line", "length": 12.0, "elements": 8, "start": "B", "end": "knot"},
                "three": {"type": "line", "length": 15.0, "elements": 10, "start": "knot", "end": "C"},
            },
            "simulation": {
                "start": "catenary", "formulation": "lumped", "duration": 20.0, "step": 0.001, "output_every": 0.1,
                "lumped": {"strain": "green", "theta": 0.55},
            },
        }
    )  # fmt: skip
