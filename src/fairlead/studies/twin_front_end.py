"""The port side of a seismic front end for a twin to follow: buoys by RGPS, winch tensions that are poor, heads hidden.

Truth: twice as many elements, drag by the Reynolds number, another flow past the spread. The twin hears where buoys and
deflector are once a second (0.5 m of noise) and nine winch tensions every 10 s (5 % of noise, each 3 % off for good);
it has constant drag, and estimates the flow and two drag coefficients. The ring on a lead-in keeps states from being
mixed: parameters only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from fairlead.model import System, load
from fairlead.simulate import Simulation
from fairlead.twin import TwinFile, load_twin

from .shipped import examples

FOLDER = examples() / "twin_front_end"
HEADS = tuple(f"port_head_{i}" for i in range(1, 9))
WINCHES = (*(f"port_lead_in_{i}" for i in range(1, 9)), "port_wide_tow")
SEPARATIONS = (*(f"port_separation_{i}" for i in range(1, 8)), "port_spur_line")
MOVED = (*(f"port_buoy_{i}" for i in range(1, 9)), "port_deflector")
FLOW = (-1.38, 0.12, 0.0)
"""Past the spread, as it really is, m/s; the file of the twin has −1.5 and nothing across."""
CUTOFF = 1.0
"""Of the filters of buoys and deflector, rad/s."""


def system() -> System:
    """The side as its twin has it."""
    return load(FOLDER / "front_end.yaml")


def twin_file(look_ahead: bool = False, **estimate: Any) -> TwinFile:
    """The example's twin, which looks ahead only if asked, with other settings of its estimate."""
    file = load_twin(FOLDER / "twin.yaml")
    how = file.estimate.model_copy(update=estimate)
    return file.model_copy(update={"look_ahead": file.look_ahead if look_ahead else None, "estimate": how})


@cache
def _bases() -> dict[str, np.ndarray]:
    points = system().points
    return {name: np.array(points[name].position) for name in MOVED}


def place(name: str, t: float) -> np.ndarray:
    """Where a buoy or the deflector is, (3,) m: it sways slowly, each in its own time."""
    share = min(t / 100.0, 1.0)
    sway = np.array([3.0 * np.sin(0.013 * t + MOVED.index(name)), 25.0 * np.sin(0.01 * t), 0.0])
    return np.asarray(_bases()[name] + share**2 * (3.0 - 2.0 * share) * sway)


class Sea:
    """The finer model, a second at a time."""

    def __init__(self, flow: tuple[float, ...] = FLOW, finer: int = 2, step: float = 0.1) -> None:
        side = system()
        values: dict[str, Any] = {f"cables.{name}.elements": finer * c.element_count for name, c in side.cables.items()}
        values |= {"environment.current": [{"z": 0, "velocity": list(flow)}], "types.rope.drag": "reynolds"}
        self.sim = Simulation(side.with_values(values | {"simulation.step": step}))

    def to(self, t: float) -> Any:
        """What there is after another second."""
        return self.sim.step(1.0, {f"{name}.position": place(name, t + 2.0**0.5 / CUTOFF) for name in MOVED})


def follow(
    twin: Any, sea: Sea, duration: int, seed: int, shown: Callable[[Any, Any], None] = lambda now, seen: None
) -> np.ndarray:
    """Give a twin what is measured; errors (time, 3): of winch tensions, of separations (shares, rms), of heads (m).

    shown  is called with every estimate and what the sea has then
    """
    rng, found = np.random.default_rng(seed), []
    biases = {name: 0.03 * rng.choice([-1.0, 1.0]) for name in WINCHES}
    for k in range(duration + 1):
        t = float(k)
        for name in MOVED:
            twin.put(f"{name}.position", place(name, t) + rng.normal(0.0, 0.5, 3) * (1.0, 1.0, 0.0), t)
        if k == 0:
            continue
        seen = sea.to(t)
        if k % 10 == 0:
            for name in WINCHES:
                pull = float(np.linalg.norm(seen[f"{name}.force_start"]))
                twin.put(name, pull * (1.0 + biases[name] + 0.05 * rng.normal()), t)
            now = twin.advance(t)
            shown(now, seen)
            pulls = [[np.linalg.norm(out[f"{n}.force_start"]) for n in WINCHES] for out in (now.mean, seen)]
            ropes = [[np.linalg.norm(out[f"{n}.force_start"]) for n in SEPARATIONS] for out in (now.mean, seen)]
            heads = [[out[f"{n}.position"] for n in HEADS] for out in (now.mean, seen)]
            found.append((
                np.sqrt(np.mean((np.array(pulls[0]) / pulls[1] - 1.0) ** 2)),
                np.sqrt(np.mean((np.array(ropes[0]) / ropes[1] - 1.0) ** 2)),
                np.sqrt(np.mean(np.sum((np.array(heads[0]) - heads[1]) ** 2, axis=1))),
            ))  # fmt: skip
    return np.array(found)
