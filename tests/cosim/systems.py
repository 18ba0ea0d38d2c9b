"""A small system with a bit of everything: two cables and a free junction, a moving end, current, waves, a rough
seabed."""

from __future__ import annotations

LINE = """
title: A line from a moving point to the seabed
environment:
  current: [{z: 0, velocity: [0.4, 0.1, 0]}, {z: -30, velocity: [0, 0, 0]}]
  waves: {kind: jonswap, significant_height: 1, peak_period: 5, ramp: 2, components: 8}
  seabed: {depth: 30, stiffness: 1e5, friction: 0.4}
types:
  chain: {diameter: 0.05, density: 5000, axial_stiffness: 2e6, damping_time: 0.01}
  rope: {diameter: 0.06, density: 1200, axial_stiffness: 5e5, bending_stiffness: 200}
points:
  top: {kind: controlled, position: [0, 0, -1],
        motion: {harmonic: {amplitude: [1, 0.5, 0.5], period: 6, ramp: 2}}}
  clump: {kind: free, position: [25, 0, -29], mass: 200, volume: 0.05, drag_area: 0.1}
  anchor: {kind: fixed, position: [45, 0, -30]}
cables:
  upper: {type: rope, length: 40, elements: 5, start: top, end: clump}
  lower: {type: chain, length: 22, elements: 4, start: anchor, end: clump}
simulation: {start: catenary, duration: 4, step: 0.025, output_every: 0.25}
"""

OUTPUTS = (
    "upper.force_start",
    "lower.force_start",
    "clump.position",
    "top.position",
    "upper.position",
    "lower.tension_effective",
    "tension_max",
)
