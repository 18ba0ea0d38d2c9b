"""Seismic spreads: the front end of the paper's second case, and larger ones made the same way.

A side of a front end: lead-in cables from the vessel to the heads of the streamers, each head held up by a buoy on a
short cable; separation ropes between the heads; a spur line from the outermost head to the deflector, which the
wide-tow cable pulls; and a gun-array cable that slides along one of the lead-ins. All is seen from the vessel, so the
sea streams past it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from fairlead.model import System

SIDES = {"port": 1.0, "starboard": -1.0}
"""Sides of the vessel and the sign of their y (west, hence port when the vessel heads north)."""


@dataclass(frozen=True)
class Spread:
    """A seismic spread; the numbers are those of the front end in the paper (its Tables 4 to 6).

    lead_ins          lead-in cables a side
    astern, spacing   distance of the buoys from the vessel and between them [m]
    streamer_load     pull of a streamer at its head [N], where it is not there as a cable
    streamer_length   length of a streamer [m]; None: its load stands for it
    sway, sway_rate   amplitude [m] and angular frequency [rad/s] of the buoys' and deflectors' motion across
    mirrored          whether the sides sway against each other instead of together
    """

    lead_ins: int = 8
    astern: float = 550.0
    spacing: float = 100.0
    depth: float = 50.0
    speed: float = 1.5
    streamer_load: float = 10e3
    streamer_length: float | None = None
    streamer_elements: int = 100
    guns_on: int = 2
    friction: float = 0.1
    sway: float = 50.0
    sway_rate: float = 0.01
    sway_start: float = 100.0
    mirrored: bool = False
    cutoff: float = 1.0
    duration: float = 2500.0
    step: float = 0.1

    def system(self, *sides: str) -> System:
        """The spread, or only some of its sides, as a system."""
        chosen = sides or tuple(SIDES)
        points: dict[str, Any] = {}
        cables: dict[str, Any] = {}
        loads: list[dict[str, Any]] = []
        for side in chosen:
            self._add_side(side, points, cables, loads)
        title = "A seismic front end" if len(chosen) > 1 else f"The {chosen[0]} side of a seismic front end"
        types = {"rope": _ROPE}
        if self.streamer_length is not None:
            types["streamer"] = _STREAMER
        return System.model_validate(
            {
                "title": title,
                "environment": {
                    "water_density": 1025, "viscosity": 1.3e-6,
                    "current": [{"z": 0, "velocity": [-self.speed, 0, 0]}],
                },
                "types": types,
                "points": points,
                "cables": cables,
                "loads": loads,
                "simulation": {
                    "start": "catenary", "formulation": "bars", "duration": self.duration, "step": self.step,
                    "output_every": 1.0,
                },
            }
        )  # fmt: skip

    def _add_side(self, side: str, points: dict[str, Any], cables: dict[str, Any], loads: list[dict[str, Any]]) -> None:
        sign = SIDES[side]
        drift = sign * self.sway if self.mirrored else self.sway
        motion = {
            "harmonic": {
                "amplitude": [0, drift, 0], "period": 2 * math.pi / self.sway_rate, "start": self.sway_start,
                "ramp": 0,
            }
        }  # fmt: skip

        def controlled(name: str, x: float, y: float, z: float, moves: bool) -> tuple[float, float, float]:
            place = (x, sign * y, z)
            points[f"{side}_{name}"] = {"kind": "controlled", "position": list(place), "cutoff": self.cutoff}
            if moves and self.sway:
                points[f"{side}_{name}"] |= {"follow": "filtered", "motion": motion}
            return place

        def rope(name: str, start: str, end: str, length: float, elements: int, kind: str = "rope") -> None:
            cables[f"{side}_{name}"] = {
                "type": kind, "length": length, "elements": elements,
                "start": f"{side}_{start}", "end": f"{side}_{end}",
            }  # fmt: skip

        heads = {}
        for i in range(1, self.lead_ins + 1):
            across = self.spacing * (i - 0.5)
            winch = controlled(f"winch_{i}", 0.0, float(i), 10.0, False)
            controlled(f"buoy_{i}", -self.astern, across, 0.0, True)
            heads[i] = (-self.astern, sign * across, -self.depth)
            points[f"{side}_head_{i}"] = {"kind": "free", "position": list(heads[i])}
            rope(f"lead_in_{i}", f"winch_{i}", f"head_{i}", math.dist(winch, heads[i]), 20)
            rope(f"buoy_cable_{i}", f"buoy_{i}", f"head_{i}", self.depth, 1)
            if i > 1:
                rope(f"separation_{i - 1}", f"head_{i - 1}", f"head_{i}", 1.1 * self.spacing, 10)
            if self.streamer_length is None:
                loads.append(
                    {"name": f"{side}_streamer_{i}", "point": f"{side}_head_{i}", "force": [-self.streamer_load, 0, 0]}
                )
            else:
                points[f"{side}_tail_{i}"] = {"kind": "free", "position": _astern(heads[i], self.streamer_length)}
                length, elements = self.streamer_length, self.streamer_elements
                rope(f"streamer_{i}", f"head_{i}", f"tail_{i}", length, elements, "streamer")

        outside = self.spacing * self.lead_ins + self.spacing
        deflector = controlled("deflector", -self.astern, outside, -1.0, True)
        wide = controlled("wide_tow_winch", 0.0, self.lead_ins + 2.0, 10.0, False)
        rope("spur_line", f"head_{self.lead_ins}", "deflector", 2.0 * self.spacing, 10)
        rope("wide_tow", "wide_tow_winch", "deflector", math.ceil(1.05 * math.dist(wide, deflector) / 50) * 50.0, 20)
        controlled("guns", -250.0, 0.0, -50.0, False)
        host = f"{side}_lead_in_{self.guns_on}"
        points[f"{side}_ring"] = {
            "kind": "sliding", "cable": host, "at": 0.5 * cables[host]["length"], "friction": self.friction,
        }  # fmt: skip
        rope("gun_cable", "ring", "guns", 110.0, 10)


SIDE = """\
# The {side} side of a seismic front end, one of the FMUs of `together.yaml` beside it.
#
# `fairlead check` warns of bending and torsional stiffnesses beyond those of a solid rod: they are the paper's. Run by
# itself it begins with a jerk, in which ropes lose their tension, and says so.
"""
"""What the file of a side begins with."""


def co_simulation(spread: Spread, step: float = 0.25) -> dict[str, str]:
    """The paper's Figure 9 as files by name: an FMU a side, fed with positions by a third, exchanged every `step` s.

    `port.yaml` and `starboard.yaml` are systems whose points all take positions, winches and guns too, and show their
    geometry; `rgps.yaml` holds the signals that give those of buoys and deflectors, `together.yaml` is the set-up for
    `fairlead cosim`.
    """
    still = replace(spread, sway=0.0)
    files, signals, connections = {}, {}, {}
    for side, sign in SIDES.items():
        system = still.system(side).to_dict()
        moving = [f"{side}_buoy_{i}" for i in range(1, spread.lead_ins + 1)] + [f"{side}_deflector"]
        files[f"{side}.yaml"] = SIDE.format(side=side) + System.model_validate(system).to_yaml()
        drift = sign * spread.sway if spread.mirrored else spread.sway
        for name in moving:
            sine = {"amplitude": [0, drift, 0], "angular_frequency": spread.sway_rate, "begin": spread.sway_start}
            base = list(system["points"][name]["position"])
            signals[f"{name}.position"] = {"unit": "m", "base": base, "harmonic": sine}
            connections[f"rgps.{name}.position"] = f"{side}.{name}.position"
    files["rgps.yaml"] = _yaml({"title": "Measured positions of buoys and deflectors", "signals": signals})
    files["together.yaml"] = _yaml(
        {
            "title": "A seismic front end, each side an FMU",
            "step": step,
            "duration": spread.duration,
            "output_every": 1.0,
            "fmus": {"rgps": "rgps.yaml", **{side: f"{side}.yaml" for side in SIDES}},
            "connections": connections,
        }
    )
    return files


def _yaml(data: dict[str, Any]) -> str:
    from io import StringIO

    from ruamel.yaml import YAML

    text = StringIO()
    writer = YAML(typ="safe")
    writer.default_flow_style = None
    writer.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    writer.width = 120
    writer.dump(data, text)
    return text.getvalue()


def _astern(head: tuple[float, float, float], length: float) -> list[float]:
    return [head[0] - length, head[1], head[2]]


_ROPE = {
    "diameter": 0.044, "density": 1110, "youngs_modulus": 120e9, "bending_stiffness": 9.1232e6,
    "torsional_stiffness": 9.1232e6, "drag": "reynolds", "added_mass": {"normal": 1, "axial": 1},
}  # fmt: skip
_STREAMER = {
    "diameter": 0.06, "density": 1025, "axial_stiffness": 1e7, "drag": "reynolds",
    "added_mass": {"normal": 1, "axial": 0},
}  # fmt: skip
