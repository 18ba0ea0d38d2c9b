"""Rings that slide along cables: where they start on the bars of their cable, and in which order they can be placed."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairlead.model import System

Floats = NDArray[np.float64]


class Slider(NamedTuple):
    """Where a ring is on its cable: the element it is on, counted from the cable's start, and its offset from the
    middle of that element towards the cable's end, in unstretched length [m]."""

    element: int
    offset: float


def slider_at(lengths: Floats, at: float) -> Slider:
    """The place at arc length `at` [m] from the start of a cable with these element lengths (n,) [m]."""
    starts = np.concatenate(([0.0], np.cumsum(lengths)))
    element = int(np.clip(np.searchsorted(starts, at, side="right") - 1, 0, len(lengths) - 1))
    half = 0.5 * float(lengths[element])
    offset = float(np.clip(at - starts[element] - half, -half, half))
    return Slider(element, offset)


def slider_position(nodes: Floats, lengths: Floats, slider: Slider) -> Floats:
    """Position (3,) [m] of a ring on a cable with these nodes (n+1, 3) and element lengths (n,) [m]: on the straight
    bar, never on the smooth curve, which would tear the ring off its bar at the first step."""
    first, second = nodes[slider.element], nodes[slider.element + 1]
    part = 0.5 + slider.offset / lengths[slider.element]
    return np.asarray(first + part * (second - first))


def ring_order(system: System) -> list[str]:
    """Names of the rings, each after those in which the cable it slides along ends."""
    hosts = {name: point.cable for name, point in system.points.items() if point.kind == "sliding"}
    waiting = {
        name: {end.point for end in (system.cables[cable].start, system.cables[cable].end)} & set(hosts)
        for name, cable in hosts.items()
    }
    order: list[str] = []
    while ready := [name for name, others in waiting.items() if others <= set(order)]:
        order += ready
        waiting = {name: others for name, others in waiting.items() if name not in ready}
    return order
