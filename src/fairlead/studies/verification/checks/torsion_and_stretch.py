"""A clamped cable twisted and pulled at its end: static twist and stretch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.statics import Equilibrium, solve
from fairlead.studies.verification.record import Record

LENGTH, ELEMENTS = 100.0, 20  # m
EA, GJ = 1e6, 1e5  # N, N m2
FORCE, TORQUE = 1e4, 1e3  # N, N m
SOURCE = (
    "T L / GJ (1 - 1/2n) and F L / EA (1 - 1/2n): the last bar turns and moves as a whole, half a bar before the end"
)
END_SOURCE = "F L / EA: a loaded point beyond the half bar"


def loaded(force: float = 0.0, torque: float = 0.0) -> Equilibrium:
    """The cable along x without weight, clamped to a wall and to a free point that is pulled or twisted."""
    return solve(
        System.model_validate(
            {
                "environment": {"water_density": 0.0, "gravity": 0.0},
                "types": {
                    "rod": {
                        "diameter": 0.05,
                        "mass_per_length": 1.0,
                        "axial_stiffness": EA,
                        "bending_stiffness": GJ,
                        "torsional_stiffness": GJ,
                    }
                },
                "points": {
                    "wall": {"kind": "fixed", "position": [0, 0, 0]},
                    "end": {"kind": "free", "position": [LENGTH, 0, 0]},
                },
                "cables": {
                    "rod": {
                        "type": "rod",
                        "length": LENGTH,
                        "elements": ELEMENTS,
                        "start": {"point": "wall", "joint": "clamp"},
                        "end": {"point": "end", "joint": "clamp"},
                    }
                },
                "loads": [{"point": "end", "force": [force, 0, 0], "torque": [torque, 0, 0]}],
                "simulation": {"start": "catenary", "duration": 1.0, "step": 0.01},
            }
        )
    )


def last_bar(rest: Equilibrium) -> tuple[float, float]:
    """How far the last bar has moved along x (m) and turned about it (rad)."""
    bars = rest.compiled.layout["bar_state"]
    before = rest.compiled.initial_state()[bars].reshape(-1, 13)[-1]
    after = rest.y[bars].reshape(-1, 13)[-1]
    # both frames have their third axis along x; q = q_before * (cos, 0, 0, sin) of half the turn about it
    (s, *u), (c, *v) = before[3:7], after[3:7]
    turn = s * np.array(v) - c * np.array(u) - np.cross(u, v)
    return float(after[0] - before[0]), 2.0 * float(np.arctan2(turn[2], s * c + np.dot(u, v)))


def check() -> Iterator[Record]:
    """Twist and stretch of the last bar, stretch of the loaded point, torsion along the cable."""
    share = 1.0 - 0.5 / ELEMENTS
    twisted, pulled = loaded(torque=TORQUE), loaded(force=FORCE)
    twist, stretch = TORQUE * LENGTH / GJ * share, FORCE * LENGTH / EA
    yield Record.relative(f"torsion, twist of the last of {ELEMENTS} bars", SOURCE, last_bar(twisted)[1], twist, 1e-3)
    torsion = np.asarray(twisted.outputs["rod.torsion"])
    yield Record.relative("torsion, moment in the middle", "equilibrium", float(torsion[ELEMENTS // 2]), TORQUE, 1e-6)
    yield Record.relative(
        f"stretch, travel of the last of {ELEMENTS} bars", SOURCE, last_bar(pulled)[0], stretch * share, 1e-7
    )
    end = float(np.asarray(pulled.outputs["end.position"])[0]) - LENGTH
    yield Record.relative("stretch, travel of the loaded point", END_SOURCE, end, stretch, 1e-7)
