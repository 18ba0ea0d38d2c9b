"""A towed cable for a twin to follow: a finer model with another drag law and a current of its own plays the sea.

Truth: 96 elements, drag by the Reynolds number, a current of seven layers that drifts. The twin hears a GPS at the
stern once a second, three transponders every 10 s (1 m of noise, some lost, some far off, late) and a load cell that is
noisy and a little off; it has 24 elements, constant drag and a current it does not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairlead.model import System, load_text
from fairlead.simulate import Simulation

SPEED = 2.2
"""Of the vessel, m/s."""
STERN = -2.0
"""Height of the tow point, m."""
TRANSPONDERS = {"t200": 200.0, "t400": 400.0, "t580": 580.0}
HIDDEN = (100.0, 300.0, 500.0, 600.0)
"""Places along the cable that no sensor sees, m."""
LAYERS = (0.0, -20.0, -50.0, -80.0, -110.0, -140.0, -180.0)

CABLE = "{{diameter: 30 mm, density: 2200, youngs_modulus: 20 GPa, drag: {drag}}}"
SYSTEM = """
environment: {{current: [{current}]}}
types: {{cable: {cable}}}
points:
  stern: {{kind: controlled, position: [0, 0, -2], velocity: [2.2, 0, 0], cutoff: {cutoff}}}
  tail: {{kind: free, position: [-560, 0, -200]}}
cables: {{tow: {{type: cable, length: 600, elements: {elements}, start: stern, end: tail}}}}
simulation: {{start: statics, duration: 1800, step: {step}, output_every: 1}}
"""

TWIN = """
system: tow.yaml
clock: {rate: 5 Hz}
drive: {stern.position: {from: gps}}
sensors:
  t200: {measures: tow.position, at: 200 m, noise: 1 m, delay: {up_to: 9 s}}
  t400: {measures: tow.position, at: 400 m, noise: 1 m, delay: {up_to: 9 s}}
  t580: {measures: tow.position, at: 580 m, noise: 1 m, delay: {up_to: 9 s}}
  load: {measures: tow.force_start, noise: 3 %, bias: 3 %}
estimate:
  members: 30
  every: 10 s
  parameters:
    current: {levels: [-5, -140], sd: 0.25 m/s, walk: 0.006 m/s, per: 10 s}
    drag_normal: {of: cable, sd: 20 %, walk: 0.3 %}
    drag_axial: {of: cable, sd: 40 %, walk: 0.3 %}
"""


def system(elements: int = 24, step: float = 0.2, drag: str = "{normal: 1.3, axial: 0.012}") -> System:
    """The tow as its twin has it."""
    cable = CABLE.format(drag=drag)
    text = SYSTEM.format(
        cable=cable, elements=elements, step=step, current="{z: 0, velocity: [0, 0, 0]}", cutoff=10
    )
    return load_text(text, "tow.yaml")


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


@dataclass
class Truth:
    """What the sea did: once a second the nodes, the tension at the stern and along the cable."""

    times: np.ndarray
    arcs: np.ndarray
    nodes: np.ndarray
    """(time, node, 3), m."""
    tension: np.ndarray
    """(time, node), N."""
    pull: np.ndarray
    """At the stern, (time,), N."""

    def at(self, t: float, arc: float) -> np.ndarray:
        """Position at a time [s] and a place along the cable [m], (3,)."""
        k = int(np.clip(np.searchsorted(self.times, t) - 1, 0, len(self.times) - 2))
        s = (t - self.times[k]) / (self.times[k + 1] - self.times[k])
        both = [[np.interp(arc, self.arcs, self.nodes[i, :, c]) for c in range(3)] for i in (k, k + 1)]
        return np.asarray((1.0 - s) * np.array(both[0]) + s * np.array(both[1]))

    def load(self, t: float) -> float:
        return float(np.interp(t, self.times, self.pull))


def sea(scenario: Scenario, elements: int = 96, step: float = 0.05) -> Truth:
    """Run the finer model."""
    layers = ", ".join(
        f"{{z: {z:g}, velocity: [{u:.6f}, {v:.6f}, 0]}}"
        for z, (u, v, _) in zip(LAYERS, scenario.current(0.0).tolist(), strict=True)
    )
    text = SYSTEM.format(
        cable=CABLE.format(drag="reynolds"), elements=elements, step=step, current=layers, cutoff=40
    )
    sim = Simulation(load_text(text, "sea.yaml"))
    first = sim.outputs()
    nodes, tension = [first["tow.position"].copy()], [first["tow.tension_effective"].copy()]  # type: ignore[union-attr]
    pull = [np.linalg.norm(first["tow.force_start"])]
    for k in range(1, round(scenario.duration) + 1):
        if k % 10 == 0:
            now = scenario.current(float(k))
            sim.set_parameters({f"environment.current[{i}].velocity": row for i, row in enumerate(now)})
        t = float(k)
        speeds = {"stern.position": [scenario.velocity(x) for x in (t - 1.0, t)]}
        ahead = 2.0**0.5 / 40.0
        seen = sim.step(1.0, {"stern.position": scenario.vessel(t + ahead)}, speeds=speeds)
        nodes.append(seen["tow.position"].copy())  # type: ignore[union-attr]
        tension.append(seen["tow.tension_effective"].copy())  # type: ignore[union-attr]
        pull.append(np.linalg.norm(seen["tow.force_start"]))
    arcs = np.array(sim.compiled.shape.arc_length[0])
    return Truth(np.arange(len(nodes), dtype=float), arcs, np.array(nodes), np.array(tension), np.array(pull))


@dataclass(frozen=True)
class Message:
    """What is heard."""

    arrival: float
    name: str
    value: Any
    stamp: float


def messages(scenario: Scenario, truth: Truth) -> list[Message]:
    """Everything that the twin hears, by arrival."""
    rng = np.random.default_rng(scenario.seed)
    fixes = [float(k) for k in range(round(scenario.duration) + 1)]
    found = [Message(t, "stern.position", scenario.vessel(t), t) for t in fixes]
    for k in range(1, round(scenario.duration / 10.0)):
        t = 10.0 * k
        for name, arc in TRANSPONDERS.items():
            stamp, arrival = t - rng.uniform(0.0, 2.0), t + rng.uniform(1.0, 7.0)
            off = rng.normal(0.0, 1.0, 3) + (rng.uniform() < scenario.outliers) * rng.normal(0.0, 30.0, 3)
            if rng.uniform() >= scenario.lost:
                found.append(Message(arrival, name, truth.at(stamp, arc) + off, stamp))
        load = truth.load(t) * (1.0 + scenario.cell_bias + rng.normal(0.0, 0.03))
        found.append(Message(t, "load", load, t))
    return sorted(found, key=lambda message: message.arrival)


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


def hidden(estimate: Any, arcs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and spread of the hidden places, (place, 3) each."""
    nodes = estimate.rows[:, estimate.shape.cable_nodes("tow")].reshape(estimate.members, len(arcs), -1)[:, :, :3]
    there = np.array([[np.interp(HIDDEN, arcs, member[:, c]) for c in range(3)] for member in nodes]).transpose(0, 2, 1)
    return there.mean(axis=0), there.std(axis=0, ddof=1)


def follow(twin: Any, scenario: Scenario, truth: Truth, heard: list[Message], every: float = 10.0) -> Iterator[Any]:
    """Give a twin what is heard, in the order of arrival; its estimates every so often."""
    waiting = iter(heard)
    message = next(waiting, None)
    for k in range(1, round(scenario.duration / every) + 1):
        t = k * every
        while message is not None and message.arrival <= t + 1e-9:
            twin.put(message.name, message.value, message.stamp)
            message = next(waiting, None)
        yield twin.advance(t)


def scored(twin: Any, scenario: Scenario, truth: Truth, heard: list[Message]) -> Score:
    """Let a twin follow a scenario and hold it against the truth."""
    score, arcs = Score(), np.array(twin.fleet.compiled.shape.arc_length[0])
    for now in follow(twin, scenario, truth, heard):
        mean, spread = hidden(now, arcs)
        score.times.append(now.time)
        score.errors.append(mean - np.array([truth.at(now.time, arc) for arc in HIDDEN]))
        score.spreads.append(spread)
        middle = float(np.interp(300.0, truth.arcs, truth.tension[round(now.time)]))
        score.tension.append(float(np.interp(300.0, arcs, now.mean["tow.tension_effective"])) / middle - 1.0)
    return score
