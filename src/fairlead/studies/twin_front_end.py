"""The port side of a seismic front end for a twin to follow: buoys by RGPS, winch tensions that are poor, heads hidden.

Truth: twice as many elements, drag by the Reynolds number, another flow past the spread. The twin hears where buoys and
deflector are once a second (0.5 m of noise) and nine winch tensions every 10 s (5 % of noise, each 3 % off for good);
it has constant drag, and estimates the flow and two drag coefficients. The ring on a lead-in keeps states from being
mixed: parameters only. A trial makes it harder: winches that run, of which lengths of line are heard (5 cm of noise),
receivers that fall silent or freeze.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from fairlead.model import System, load
from fairlead.simulate import Simulation
from fairlead.twin import TwinFile, load_twin
from fairlead.twin.sources import DriveChoice

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


@dataclass(frozen=True)
class Trial:
    """What happens to a spread and its instruments; nothing by default.

    paid_out  by all nine winches from RUNNING on, m, at 0.3 m/s; the spread drops astern as much
    silent    buoys whose receivers are not heard from FAILED on
    frozen    those whose receivers go on to say what they said then
    """

    paid_out: float = 0.0
    silent: tuple[str, ...] = ()
    frozen: tuple[str, ...] = ()

    def run_out(self, t: float) -> float:
        """Line that ran off each winch by a time [s], m."""
        return float(np.clip(PAYING_OUT * (t - RUNNING), 0.0, self.paid_out))

    def place(self, name: str, t: float) -> np.ndarray:
        """Where a buoy or the deflector is then, (3,) m: it follows its line, and smoothly."""
        later = np.linspace(t - 25.0, t - 5.0, 41) if self.paid_out else ()
        astern = np.mean([self.run_out(then) for then in later]) if self.paid_out else 0.0
        return np.asarray(place(name, t) - [astern, 0.0, 0.0])


RUNNING, FAILED, PAYING_OUT = 150.0, 200.0, 0.3
"""Times from which on winches run and receivers fail, s; and speed of the winches, m/s."""
UNDISTURBED = Trial()


def system(winches: bool = False) -> System:
    """The side as its twin has it; with winches that can run, if asked."""
    side = load(FOLDER / "front_end.yaml")
    if not winches:
        return side
    lengths = {name: side.cables[name].total_length for name in WINCHES}
    return side.with_values(
        {f"cables.{n}.winch": {"end": "start", "length_max": length + 100.0} for n, length in lengths.items()}
    )


def twin_file(look_ahead: bool = False, winches: bool = False, **estimate: Any) -> TwinFile:
    """The example's twin, which looks ahead only if asked, with other settings of its estimate; with lengths of line
    off all winches, if asked."""
    file = load_twin(FOLDER / "twin.yaml")
    how = file.estimate.model_copy(update=estimate)
    lengths = {f"{n}.winch.length": DriveChoice(source=f"lengths.{n}") for n in (WINCHES if winches else ())}
    ahead = file.look_ahead if look_ahead else None
    return file.model_copy(update={"look_ahead": ahead, "estimate": how, "drive": {**file.drive, **lengths}})


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

    def __init__(
        self, flow: tuple[float, ...] = FLOW, finer: int = 2, step: float = 0.1, trial: Trial = UNDISTURBED
    ) -> None:
        self.trial, side = trial, system(trial.paid_out > 0.0)
        values: dict[str, Any] = {f"cables.{name}.elements": finer * c.element_count for name, c in side.cables.items()}
        values |= {"environment.current": [{"z": 0, "velocity": list(flow)}], "types.rope.drag": "reynolds"}
        self.sim = Simulation(side.with_values(values | {"simulation.step": step}))

    def to(self, t: float) -> Any:
        """What there is after another second."""
        trial = self.trial
        inputs: dict[str, Any] = {f"{n}.position": trial.place(n, t + 2.0**0.5 / CUTOFF) for n in MOVED}
        if trial.paid_out:
            rate = trial.run_out(t + 0.5) - trial.run_out(t - 0.5)
            inputs |= {f"{name}.winch.rate": rate for name in WINCHES}
        return self.sim.step(1.0, inputs)


def follow(
    twin: Any, sea: Sea, duration: int, seed: int, shown: Callable[[Any, Any], None] = lambda now, seen: None
) -> np.ndarray:
    """Give a twin what is measured; errors (time, 3): of winch tensions, of separations (shares, rms), of heads (m).

    shown  is called with every estimate and what the sea has then
    """
    rng, found, trial = np.random.default_rng(seed), [], sea.trial
    said: dict[str, np.ndarray] = {}
    biases = {name: 0.03 * rng.choice([-1.0, 1.0]) for name in WINCHES}
    for k in range(duration + 1):
        t = float(k)
        for name in MOVED:
            fix = trial.place(name, t) + rng.normal(0.0, 0.5, 3) * (1.0, 1.0, 0.0)
            said[name] = said[name] if name in trial.frozen and t > FAILED else fix
            if name not in trial.silent or t < FAILED:
                twin.put(f"{name}.position", said[name], t)
        for name, cable in sea.sim.system.cables.items() if trial.paid_out else ():
            if name in WINCHES:
                length = cable.total_length + trial.run_out(t) + 0.05 * rng.normal()
                twin.put(f"{name}.winch.length", length, t)
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
