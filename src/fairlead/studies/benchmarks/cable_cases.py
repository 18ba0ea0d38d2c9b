"""Cables whose elements are timed: one that hangs in a current, a chain on a rough seabed, a hose in waves."""

from __future__ import annotations

from fairlead.formulations import compile_system
from fairlead.formulations.contract import Compiled
from fairlead.model import System, load_text
from fairlead.shape.layout import first_geometry
from fairlead.studies.benchmarks.timing import step_seconds

HANGING = """
environment: {current: [{z: 0, velocity: [0.5, 0, 0]}]}
types: {rope: {diameter: 0.05, density: 1200, axial_stiffness: 10 MN}}
points: {A: {kind: fixed, position: [0, 0, -1]}, B: {kind: fixed, position: [0, SPAN, -1]}}
cables: {rope: {type: rope, length: COUNT, elements: COUNT, start: A, end: B}}
simulation: {start: catenary, duration: 1, step: 0.02}
"""
RESTING = """
environment: {seabed: {depth: 20, friction: 0.5}}
types: {chain: {diameter: 0.05, density: 7000, axial_stiffness: 100 MN}}
points: {A: {kind: fixed, position: [0, 0, -19.97]}, B: {kind: fixed, position: [SPAN, 0, -1]}}
cables: {chain: {type: chain, length: COUNT, elements: COUNT, start: A, end: B}}
simulation: {start: catenary, duration: 1, step: 0.02}
"""
AWASH = """
environment: {waves: {kind: jonswap, significant_height: 1, peak_period: 8, components: 100, ramp: 1, seed: 1}}
types: {hose: {diameter: 0.2, density: 1100, axial_stiffness: 1 MN}}
points: {A: {kind: fixed, position: [0, 0, -1]}, B: {kind: fixed, position: [SPAN, 0, -1]}}
cables: {hose: {type: hose, length: COUNT, elements: COUNT, start: A, end: B}}
simulation: {start: catenary, duration: 1, step: 0.02}
"""


def hanging(count: int) -> System:
    """A slack cable of `count` one-metre elements between two points in a current."""
    return _of(HANGING, count, 0.8 * count)


def resting(count: int) -> System:
    """A mooring chain of `count` one-metre elements, most of which lie on a rough seabed."""
    return _of(RESTING, count, 0.9 * count)


def awash(count: int) -> System:
    """A hose of `count` one-metre elements close below an irregular sea: it feels each of its hundred waves."""
    return _of(AWASH, count, 0.99 * count)


def _of(text: str, count: int, span: float) -> System:
    return load_text(text.replace("COUNT", str(count)).replace("SPAN", str(span)))


def compiled(system: System, formulation: str | None = None) -> Compiled:
    """The system as a formulation steps it, by default its file's."""
    return compile_system(system, first_geometry(system), formulation)


def microseconds(system: Compiled, steps: int) -> float:
    """CPU time of an element's step [µs], best of a few."""
    elements = sum(nodes - 1 for nodes in system.shape.nodes_per_cable)
    return 1e6 * step_seconds(system, steps) / elements
