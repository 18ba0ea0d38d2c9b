"""A small tow for twins, and what is heard of it."""

from __future__ import annotations

import numpy as np

from fairlead.model import System, load_text
from fairlead.twin import TwinFile, read_twin

SPEED = 2.2
SYSTEM = """
environment: {current: [{z: 0, velocity: [0, 0, 0]}]}
types: {cable: {diameter: 30 mm, density: 2200, youngs_modulus: 20 GPa, drag: {normal: 1.3, axial: 0.012}}}
points:
  stern: {kind: controlled, position: [0, 0, -2], velocity: [2.2, 0, 0]}
  tail: {kind: free, position: [-190, 0, -60]}
cables: {tow: {type: cable, length: 200, elements: 4, start: stern, end: tail}}
simulation: {start: statics, duration: 60, step: 0.2}
"""
TWIN = """
system: tow.yaml
clock: {rate: 1 Hz}
drive: {stern.position: {from: gps}}
sensors:
  t100: {measures: tow.position, at: 100 m, from: acoustic.t100, noise: 1 m, delay: {up_to: 9 s}}
  t200: {measures: tow.position, at: 200 m, noise: 1 m, delay: {up_to: 9 s}}
  load: {measures: tow.force_start, noise: 3 %, bias: 5 %}
estimate:
  members: 12
  every: 10 s
  parameters:
    current: {levels: [-5], sd: 0.25 m/s, walk: 0.006 m/s}
    drag_normal: {of: cable, sd: 20 %, walk: 0.3 %}
look_ahead: {horizon: 20 s, every: 20 s, step: 5 s}
limits:
  - {tension: tow, above: 100 kN}
  - {depth: tow, below: 500 m}
"""


def system() -> System:
    return load_text(SYSTEM, "tow.yaml")


def twin_file(text: str = TWIN) -> TwinFile:
    return read_twin(text, "twin.yaml")


def heard(seconds: int, seed: int = 3) -> list[tuple[float, str, object, float]]:
    """(arrival, name, value, stamp) of a steady tow: fixes each second, transponders each 10 s and up to 8 s late."""
    rng = np.random.default_rng(seed)
    found: list[tuple[float, str, object, float]] = []
    for k in range(seconds + 1):
        found.append((k, "stern.position", (SPEED * k, 0.0, -2.0), float(k)))
        if k % 10 == 5:
            for name, place in (("t100", (-94.0, 12.0, -35.0)), ("t200", (-188.0, 24.0, -68.0))):
                stamp = k - rng.uniform(0.0, 1.0)
                value = rng.normal(place, 1.0)
                value[0] += SPEED * stamp
                found.append((k + rng.uniform(0.0, 8.0), name, value, stamp))
            found.append((k, "load", 1150.0 * (1.0 + 0.03 * rng.normal()), float(k)))
    return sorted(found, key=lambda one: one[0])
