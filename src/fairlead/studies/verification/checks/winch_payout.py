"""A payload lowered and hoisted by a winch: lengths, weights, smooth tension, and the energy of the line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

GRAVITY, LENGTH, ELEMENTS = 9.81, 10.0, 10  # m/s2, m
PAYLOAD, LINE, STIFFNESS = 50.0, 2.0, 1e6  # kg, kg/m, N
SPEED = 0.5  # m/s
SOURCE = "weight of payload and line; line enters with the speed of the line that is there, and pulls at nothing"
Rows = tuple[tuple[float, float], ...]
STEADY: Rows = ((0.0, 0.0), (2.0, SPEED))


@dataclass(frozen=True)
class Hoist:
    """A run: time (sample,) s, unstretched length out m, pull at the payload and at the drum N, height of the payload
    m, elements in use, energy and work J."""

    time: np.ndarray
    length: np.ndarray
    payload: np.ndarray
    drum: np.ndarray
    height: np.ndarray
    elements: np.ndarray
    energy: np.ndarray
    work: np.ndarray
    drives: np.ndarray
    status: str

    @property
    def weight(self) -> np.ndarray:
        """Of payload and line out, N."""
        return GRAVITY * (PAYLOAD + LINE * self.length)

    @property
    def events(self) -> int:
        """How often a bar was created or absorbed."""
        return int(np.count_nonzero(np.diff(self.elements)))


@cache
def hoist(
    table: Rows = STEADY,
    duration: float = 20.0,
    end: str = "start",
    mode: str = "drum",
    step: float = 0.01,
    **limits: float,
) -> Hoist:
    """A payload on a vertical wire in air; `end`: the end of the wire, as the file names it, at which the winch is."""
    ends = {"start": "winch", "end": "load"} if end == "start" else {"start": "load", "end": "winch"}
    winch = {"end": end, "mode": mode, "table": [list(row) for row in table], **limits}
    hung = LENGTH * (1.0 + GRAVITY * (PAYLOAD + 0.5 * LINE * LENGTH) / STIFFNESS)
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": GRAVITY},
            "types": {
                "wire": {
                    "diameter": 0.02, "mass_per_length": LINE, "axial_stiffness": STIFFNESS, "drag": "none",
                    "damping_time": 0.01,
                }
            },
            "points": {
                "winch": {"kind": "fixed", "position": [0.0, 0.0, 0.0]},
                "load": {"kind": "free", "position": [0.0, 0.0, -hung], "mass": PAYLOAD},
            },
            "cables": {
                "wire": {
                    "type": "wire", "length": LENGTH, "elements": ELEMENTS, **ends, "winch": winch,
                    "allow_stretch": True,
                }
            },
            "simulation": {"start": "catenary",
                "formulation": "bars", "duration": duration, "step": step, "output_every": step},
        }
    )  # fmt: skip
    result = simulate(system)
    pull = np.linalg.norm(result["force_end"].sel(cable="wire").values, axis=2)
    drum, payload = (pull[:, 0], pull[:, 1]) if end == "start" else (pull[:, 1], pull[:, 0])
    energy = result["energy_kinetic"] + result["energy_gravity"] + result["energy_elastic"]
    work = sum(result[name] for name in ("work_drag", "work_damping", "work_friction", "work_drives"))
    return Hoist(
        result["time"].values, result["wire.winch.length"].values, payload, drum,
        result["point_position"].sel(point="load").values[:, 2], _elements(result["position"].values[:, 0]),
        energy.values, np.asarray(work), result["work_drives"].values, result.attrs["status"],
    )  # fmt: skip


def _elements(nodes: np.ndarray) -> np.ndarray:
    """Elements in use (sample,): those whose ends are apart; bars not yet out wait at the drum."""
    lengths = np.linalg.norm(np.diff(nodes, axis=1), axis=2)
    return np.asarray(np.count_nonzero(lengths > 1e-6, axis=1))


def check() -> Iterator[Record]:
    """Length and weights while paying out, the largest spike, and what is missing in the energy."""
    run = hoist()
    exact = LENGTH + SPEED * (20.0 - 1.0)
    yield Record.relative("winch paying out at 0.5 m/s, length after 20 s", SOURCE, run.length[-1], exact, 1e-9)
    late = run.time > 5.0
    carried = np.full_like(run.time, GRAVITY * PAYLOAD)
    for name, pull, weight in (("payload", run.payload, carried), ("drum", run.drum, run.weight)):
        spike = float(np.abs(pull / weight - 1.0)[late].max())
        yield Record.absolute(
            f"winch paying out, largest spike at the {name}, of the weight there", SOURCE, spike, 0.0, 0.02
        )
    change = run.energy - run.energy[0]
    lost = float(np.abs(change - run.work)[-1] / np.abs(run.drives[-1]))
    yield Record.absolute("winch paying out, energy missing, of what the winch took", "energy balance", lost, 0.0, 0.01)
    rescaled = hoist(mode="rescale")
    ratio = float(rescaled.drum[late].mean() / run.drum[late].mean())
    yield Record.relative("winch, mean tension of rescale over drum", "both carry the same weight", ratio, 1.0, 1e-3)
