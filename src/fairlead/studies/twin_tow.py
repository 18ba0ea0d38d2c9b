"""A towed cable for a twin to follow: a finer model with another drag law and a current of its own plays the sea.

Truth: 96 elements, drag by the Reynolds number, a current of seven layers that drifts. The twin hears a GPS at the
stern once a second, three transponders every 10 s (1 m of noise, some lost, some far off, late) and a load cell that is
noisy and a little off; it has 24 elements, constant drag and a current it does not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from fairlead.model import System, load
from fairlead.simulate import Simulation
from fairlead.twin import TwinFile, load_twin
from fairlead.twin.file import LookAhead

from .shipped import examples

SPEED = 2.2
"""Of the vessel, m/s."""
STERN = -2.0
"""Height of the tow point, m."""
TRANSPONDERS = {"t200": 200.0, "t400": 400.0, "t580": 580.0}
HIDDEN = (100.0, 300.0, 500.0, 600.0)
"""Places along the cable that no sensor sees, m."""
CUTOFF = 40.0
"""Of the filter of the tow point at sea, rad/s."""
LAYERS = (0.0, -20.0, -50.0, -80.0, -110.0, -140.0, -180.0)

FOLDER = examples() / "twin_tow"


def system() -> System:
    """The tow as its twin has it."""
    return load(FOLDER / "tow.yaml")


def twin_file(look_ahead: LookAhead | None = None, **estimate: Any) -> TwinFile:
    """The example's twin, looking ahead only as asked, with other settings of its estimate."""
    file = load_twin(FOLDER / "twin.yaml")
    how = file.estimate.model_copy(update=estimate)
    return file.model_copy(update={"look_ahead": look_ahead, "estimate": how})


@dataclass(frozen=True)
class Scenario:
    """What happens: a turn, a current that drifts, and what the load cell makes of the tension."""

    seed: int
    turn: float = 40.0
    """degrees, to port."""
    turn_from: float = 900.0
    turn_to: float = 1050.0
    drift: float = 0.05
    """m/s."""
    cell_bias: float = 0.02
    profile: tuple[tuple[float, float], ...] = (
        (0.10, 0.20), (0.10, 0.18), (0.08, 0.15), (0.06, 0.12), (0.05, 0.08), (0.04, 0.05), (0.03, 0.02)
    )  # fmt: skip
    """Current of the layers, m/s."""
    duration: float = 1800.0
    lost: float = 0.15
    outliers: float = 0.03

    def vessel(self, t: float) -> np.ndarray:
        """Where the tow point is, (3,) m."""
        rate = np.radians(self.turn) / (self.turn_to - self.turn_from)
        straight = min(t, self.turn_from)
        x, y = SPEED * straight, 0.0
        turning = min(max(t - self.turn_from, 0.0), self.turn_to - self.turn_from)
        if turning > 0.0 and rate != 0.0:
            angle = rate * turning
            x += SPEED / rate * np.sin(angle)
            y += SPEED / rate * (1.0 - np.cos(angle))
        after = max(t - self.turn_to, 0.0)
        x += SPEED * after * np.cos(np.radians(self.turn))
        y += SPEED * after * np.sin(np.radians(self.turn))
        return np.array([x, y, STERN])

    def velocity(self, t: float) -> np.ndarray:
        """Of the tow point, (3,) m/s."""
        return np.asarray((self.vessel(t + 0.01) - self.vessel(t - 0.01)) / 0.02)

    def current(self, t: float) -> np.ndarray:
        """Of every layer, (layer, 3) m/s."""
        rng = np.random.default_rng([self.seed, 77])
        phase, period = rng.uniform(0, 2 * np.pi, (len(LAYERS), 2)), rng.uniform(900, 2400, (len(LAYERS), 2))
        found = np.zeros((len(LAYERS), 3))
        found[:, :2] = np.array(self.profile) + self.drift * np.sin(2 * np.pi * t / period + phase)
        return found


class Sea:
    """The finer model, as far as it was asked for: once a second nodes, tension along the cable and at the stern."""

    def __init__(self, scenario: Scenario, elements: int = 96, step: float = 0.05) -> None:
        self.scenario = scenario
        layers = [{"z": z, "velocity": v} for z, v in zip(LAYERS, scenario.current(0.0).tolist(), strict=True)]
        self._sim = Simulation(
            system().with_values(
                {"environment.current": layers, "types.cable.drag": "reynolds", "cables.tow.elements": elements,
                 "points.stern.cutoff": CUTOFF, "simulation.step": step}
            )
        )  # fmt: skip
        self.arcs = np.array(self._sim.compiled.shape.arc_length[0])
        self.nodes: list[np.ndarray] = []
        """(node, 3), m, by second."""
        self.tension: list[np.ndarray] = []
        """(node,), N, by second."""
        self.pull: list[float] = []
        """At the stern, N, by second."""
        self._see(self._sim.outputs())

    def _see(self, seen: Any) -> None:
        self.nodes.append(seen["tow.position"].copy())
        self.tension.append(seen["tow.tension_effective"].copy())
        self.pull.append(float(np.linalg.norm(seen["tow.force_start"])))

    def to(self, time: float) -> Self:
        """Go on until a time [s] is known."""
        while len(self.pull) - 1 < time:
            t = float(len(self.pull))
            if t % 10.0 == 0.0:
                now = self.scenario.current(t)
                self._sim.set_parameters({f"environment.current[{i}].velocity": row for i, row in enumerate(now)})
            speeds = {"stern.position": [self.scenario.velocity(x) for x in (t - 1.0, t)]}
            goal = self.scenario.vessel(t + 2.0**0.5 / CUTOFF)
            self._see(self._sim.step(1.0, {"stern.position": goal}, speeds=speeds))
        return self

    def at(self, t: float, arc: float) -> np.ndarray:
        """Position at a time [s] and a place along the cable [m], (3,)."""
        self.to(t)
        k = int(np.clip(np.ceil(t) - 1, 0, max(0, len(self.nodes) - 2)))
        both = [[np.interp(arc, self.arcs, self.nodes[i][:, c]) for c in range(3)] for i in (k, k + 1)]
        return np.asarray((1.0 - (t - k)) * np.array(both[0]) + (t - k) * np.array(both[1]))


@dataclass(frozen=True)
class Message:
    """What is heard."""

    arrival: float
    name: str
    value: Any
    stamp: float


def messages(sea: Sea) -> Iterator[Message]:
    """Everything that the twin hears, by arrival."""
    scenario, rng = sea.scenario, np.random.default_rng(sea.scenario.seed)
    under_way: list[Message] = []
    for k in range(round(scenario.duration / 10.0)):
        t = 10.0 * k
        for name, arc in TRANSPONDERS.items() if k else ():
            stamp, arrival = t - rng.uniform(0.0, 2.0), t + rng.uniform(1.0, 7.0)
            off = rng.normal(0.0, 1.0, 3) + (rng.uniform() < scenario.outliers) * rng.normal(0.0, 30.0, 3)
            if rng.uniform() >= scenario.lost:
                under_way.append(Message(arrival, name, sea.at(stamp, arc) + off, stamp))
        if k:
            load = sea.to(t).pull[10 * k] * (1.0 + scenario.cell_bias + rng.normal(0.0, 0.03))
            under_way.append(Message(t, "load", load, t))
        under_way += [Message(x, "stern.position", scenario.vessel(x), x) for x in np.arange(t, t + 10.0).tolist()]
        under_way.sort(key=lambda message: message.arrival)
        while under_way and under_way[0].arrival < t + 10.0:
            yield under_way.pop(0)
    yield from under_way


@dataclass
class Score:
    """How well a twin did."""

    times: list[float] = field(default_factory=list)
    errors: list[np.ndarray] = field(default_factory=list)
    """Of the hidden places, (place, 3) m."""
    spreads: list[np.ndarray] = field(default_factory=list)
    tension: list[float] = field(default_factory=list)
    """Relative error in the middle of the cable."""

    def rms(self, start: float, stop: float) -> float:
        """Of the distance of hidden places, m."""
        chosen = [e for t, e in zip(self.times, self.errors, strict=True) if start <= t < stop]
        return float(np.sqrt(np.mean([(e**2).sum(axis=1) for e in chosen])))

    def nse(self, start: float, stop: float) -> float:
        """Squared errors over the members' variance: 1 is consistent."""
        chosen = [(e, s) for t, e, s in zip(self.times, self.errors, self.spreads, strict=True) if start <= t < stop]
        return float(np.mean([(e**2).sum() / (s**2).sum() for e, s in chosen]))

    def within(self, start: float, stop: float, band: float = 1.645) -> float:
        """Share of the coordinates within so many of the members' standard deviations: by default of 90 %."""
        chosen = [(e, s) for t, e, s in zip(self.times, self.errors, self.spreads, strict=True) if start <= t < stop]
        return float(np.mean([np.abs(e) <= band * s for e, s in chosen]))


def hidden(estimate: Any, arcs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and spread of the hidden places, (place, 3) each."""
    nodes = estimate.rows[:, estimate.shape.cable_nodes("tow")].reshape(estimate.members, len(arcs), -1)[:, :, :3]
    there = np.array([[np.interp(HIDDEN, arcs, member[:, c]) for c in range(3)] for member in nodes]).transpose(0, 2, 1)
    return there.mean(axis=0), there.std(axis=0, ddof=1)


def follow(twin: Any, sea: Sea, every: float = 10.0) -> Iterator[Any]:
    """Give a twin what is heard, in the order of arrival; its estimates every so often."""
    waiting = messages(sea)
    message = next(waiting, None)
    for k in range(1, round(sea.scenario.duration / every) + 1):
        t = k * every
        while message is not None and message.arrival <= t + 1e-9:
            twin.put(message.name, message.value, message.stamp)
            message = next(waiting, None)
        yield twin.advance(t)


def scored(twin: Any, sea: Sea) -> Score:
    """Let a twin follow a scenario and hold it against the truth."""
    score, arcs = Score(), np.array(twin.fleet.compiled.shape.arc_length[0])
    for now in follow(twin, sea):
        mean, spread = hidden(now, arcs)
        score.times.append(now.time)
        score.errors.append(mean - np.array([sea.at(now.time, arc) for arc in HIDDEN]))
        score.spreads.append(spread)
        middle = float(np.interp(300.0, sea.arcs, sea.tension[round(now.time)]))
        score.tension.append(float(np.interp(300.0, arcs, now.mean["tow.tension_effective"])) / middle - 1.0)
    return score
