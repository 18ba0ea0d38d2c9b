"""A cable paid out from a moving winch, in still water and in a current: nature does not know who moves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

SPEED, RATE, STEP, DURATION = 1.5, 0.6, 0.01, 6.0  # m/s, m/s, s, s
SOURCE = "Galilean invariance: the same run seen from two frames"


def _system(towed: bool, mode: str) -> System:
    """A winch at rest in a current of `-SPEED`, or towed at `SPEED` through still water."""
    velocity = [SPEED if towed else 0.0, 0.0, 0.0]
    current = [] if towed else [{"z": 0.0, "velocity": [-SPEED, 0.0, 0.0]}]
    return System.model_validate(
        {
            "environment": {"water_density": 1025.0, "gravity": 9.81, "current": current},
            "types": {
                "wire": {
                    "diameter": 0.03, "mass_per_length": 3.0, "axial_stiffness": 1e6,
                    "drag": {"normal": 1.2, "axial": 0.02},
                }
            },
            "points": {
                "winch": {"kind": "controlled", "position": [0.0, 0.0, -1.0], "velocity": velocity},
                "body": {
                    "kind": "free", "position": [-8.0, 0.0, -11.0], "mass": 60.0, "volume": 0.02, "drag_area": 0.1,
                },
            },
            "cables": {
                "wire": {
                    "type": "wire", "length": 13.0, "elements": 6, "start": "winch", "end": "body",
                    "winch": {"end": "start", "rate": RATE, "mode": mode},
                }
            },
            "simulation": {"formulation": "bars", "duration": DURATION, "step": STEP, "start": "catenary"},
        }
    )  # fmt: skip


@cache
def seen(towed: bool, mode: str = "drum") -> tuple[np.ndarray, np.ndarray]:
    """Place (6, 3) m of the body as seen from the winch, and pull (6, 3) N of the cable on it, every second."""
    simulation = Simulation(_system(towed, mode))
    places, pulls = [], []
    for _ in range(int(DURATION)):
        outputs = simulation.step(1.0)
        places.append(outputs["body.position"] - outputs["winch.position"])
        pulls.append(outputs["wire.force_end"])
    return np.array(places), np.array(pulls)


def check() -> Iterator[Record]:
    """The largest difference of the body's place and of the pull on it between the two frames."""
    for mode in ("drum", "rescale"):
        (place, pull), (place_towed, pull_towed) = seen(False, mode), seen(True, mode)
        apart = float(np.abs(place - place_towed).max())
        yield Record.absolute(f"paying out under tow ({mode}), place of the body, in m", SOURCE, apart, 0.0, 1e-8)
        off = float(np.abs(pull - pull_towed).max() / np.abs(pull).max())
        yield Record.absolute(f"paying out under tow ({mode}), pull on the body, of its size", SOURCE, off, 0.0, 1e-8)
