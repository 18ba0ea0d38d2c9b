"""A mooring line for a twin to follow: where its fairlead is and what it pulls is measured, where its anchor is is not.

Truth: three times as many elements, more drag, a current of which the twin knows nothing, and an anchor that lies
nearer than the file has it. The twin estimates the way of the anchor and the drag; the current it leaves alone, since
the tension hardly tells of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fairlead.model import System, load_text
from fairlead.simulate import Simulation

NEARER = 0.8
"""By which the anchor really is nearer to the fairlead, m."""
REST = np.array([365.0, 0.0, -10.0])
WAVES = ((1.2, 0.5, 9.0, 0.0), (0.8, 0.4, 12.5, 1.0), (0.4, 0.3, 7.0, 2.5))
"""Surge and heave [m], period [s] and phase of the fairlead's motion."""
EVERY = 0.5
"""Between measurements, s."""
NOISE = 0.03
"""Of the tension, as a share."""
SYSTEM = """
environment: {{seabed: {{depth: 80, stiffness: 300 kN/m^3, friction: 0.7}}, current: [{{z: 0, velocity: {current}}}]}}
types:
  chain: {{diameter: 0.143, mass_per_length: 126, axial_stiffness: 490 MN,
          drag: {{normal: {drag}, axial: 0.6, axial_area: projected}}, added_mass: {{normal: 1.0, axial: 0.1}}}}
points:
  anchor: {{kind: fixed, position: [{anchor}, 0, -79.92]}}
  fairlead: {{kind: controlled, position: [365, 0, -10], cutoff: 20}}
cables: {{chain: {{type: chain, length: 385, elements: {elements}, start: anchor, end: fairlead}}}}
simulation: {{start: statics, duration: 120, step: {step}}}
"""
TWIN = """
system: mooring.yaml
clock: {rate: 2 Hz}
drive: {fairlead.position: {from: gps}}
sensors:
  pull: {measures: chain.force_end, from: cell, noise: 3 %}
estimate:
  members: 16
  every: 10 s
  predict: 0.5 s
  parameters:
    anchor: {of: anchor, towards: fairlead, sd: 1 m}
    drag_normal: {of: chain, sd: 30 %}
"""


def system(
    elements: int = 48, step: float = 0.05, drag: float = 1.3, anchor: float = 0.0, current: str = "[0, 0, 0]"
) -> System:
    """The mooring line as its twin has it."""
    text = SYSTEM.format(elements=elements, step=step, drag=drag, anchor=anchor, current=current)
    return load_text(text, "mooring.yaml")


def fairlead(t: float) -> np.ndarray:
    """Where the fairlead is, (3,) m."""
    place = REST.copy()
    for surge, heave, period, phase in WAVES:
        angle = 2.0 * np.pi * t / period + phase
        place += min(t / 20.0, 1.0) * np.array([surge * np.sin(angle), 0.0, heave * np.cos(angle)])
    return place


def sea(duration: float, elements: int = 144, step: float = 0.02) -> Iterator[tuple[float, np.ndarray, float]]:
    """Time [s], place of the fairlead [m] and pull there [N], as they really are."""
    sim = Simulation(system(elements, step, 1.6, NEARER, "[0.5, 0.3, 0]"))
    lag = 2.0**0.5 / 20.0
    for k in range(1, round(duration / EVERY) + 1):
        t = k * EVERY
        speeds = [(fairlead(x + 0.01) - fairlead(x - 0.01)) / 0.02 for x in (t - EVERY, t)]
        goal = fairlead(t) + lag * speeds[1]
        seen = sim.step(EVERY, {"fairlead.position": goal}, speeds={"fairlead.position": speeds})
        yield t, fairlead(t), float(np.linalg.norm(seen["chain.force_end"]))


def follow(twin: Any, truth: list[tuple[float, np.ndarray, float]], seed: int) -> list[tuple[float, float, float]]:
    """Give a twin what is measured: (time, its pull, the true one) every half second."""
    rng, found = np.random.default_rng(seed), []
    twin.put("fairlead.position", fairlead(0.0), 0.0)
    for t, place, pull in truth:
        twin.put("fairlead.position", place, t)
        twin.put("pull", pull * (1.0 + NOISE * rng.normal()), t)
        now = twin.advance(t)
        found.append((t, float(np.linalg.norm(now.mean["chain.force_end"])), pull))
    return found
