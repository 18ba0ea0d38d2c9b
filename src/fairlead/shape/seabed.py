"""A slack cable whose free shape would dip below the seabed, laid on it."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fairlead.shape.chain import UPWARD, Chain, Hang, hang_freely
from fairlead.shape.contacts import settle
from fairlead.shape.plane import Plane
from fairlead.shape.rest import lay, legs_of

Floats = NDArray[np.float64]
CLEAR = -1e-9  # height above the bed that counts as on it [m]


def rest_on_seabed(chain: Chain, free: Hang, bed: Plane) -> Hang:
    """The cable that would hang below the bed as `free`, with every node but its two ends on or above the bed.

    The first construction that clears the bed is taken: touch-down, the free shape swung sideways about its chord, an
    arch away from the bed. Where none does, the free shape comes back with a note.
    """
    for construction in (_touching_down, _swung, _arched):
        shape = construction(chain, free, bed)
        if shape is not None and _holds(shape, chain, bed):
            return shape
    depth = -float(bed.height(free.nodes[1:-1]).min())
    note = f"cannot be laid clear of the seabed between these ends: starts up to {depth:.3g} m below it"
    return replace(free, note=note)


def _holds(shape: Hang, chain: Chain, bed: Plane) -> bool:
    """Whether a construction is clear of the bed and kept the lengths of all elements, as stretched as they are."""
    lengths = np.linalg.norm(np.diff(shape.nodes, axis=0), axis=1)
    rounding = 1e-12 * chain.lengths + 1e-15 * np.abs(shape.nodes).max()
    stretched = chain.lengths * (1.0 + shape.strain)
    return bool(bed.height(shape.nodes[1:-1]).min() >= CLEAR and (np.abs(lengths - stretched) <= rounding).all())


def _touching_down(chain: Chain, free: Hang, bed: Plane) -> Hang | None:
    weights = chain.weights
    if not weights.any():
        return None
    if weights.min() > 0.0 and chain.node_weights[1:-1].min(initial=0.0) >= 0.0:
        return lay(chain, bed, *legs_of(chain, bed, weights, weights, ground=True))
    shape = settle(chain, bed, {1 + int(np.argmin(bed.height(free.nodes[1:-1])))})
    if shape is not None and _holds(shape, chain, bed):
        return shape
    # A cable of the same length with weight everywhere touches at about the same nodes.
    even = np.abs(weights).mean() * chain.lengths / chain.lengths.mean()
    sunk = lay(chain, bed, *legs_of(chain, bed, even, even, ground=True))
    if sunk is None:
        return None
    touching = {1 + int(node) for node in np.flatnonzero(bed.height(sunk.nodes[1:-1]) < 1e-9)}
    shape = settle(chain, bed, touching)
    return shape if shape is not None and _holds(shape, chain, bed) else replace(sunk, balanced=False)


def _swung(chain: Chain, free: Hang, bed: Plane) -> Hang | None:
    """The free shape turned about its chord by the least angle that lifts it off the bed."""
    if chain.chord <= 1e-9 * chain.length:
        return None
    axis = (chain.end - chain.start) / chain.chord
    arms = free.nodes - chain.start
    arms = arms - np.outer(arms @ axis, axis)
    feet = free.nodes - arms
    across = np.cross(axis, arms)

    def turned(angle: float) -> Floats:
        return np.asarray(feet + np.cos(angle) * arms + np.sin(angle) * across)

    def clears(angle: float) -> bool:
        return bool(bed.height(turned(angle)[1:-1]).min() >= CLEAR)

    angles = np.linspace(0.0, np.pi, 73)[1:]
    high = next((float(angle) for angle in angles if clears(angle)), None)
    if high is None:
        return None
    low = high - float(angles[0])
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if clears(middle) else (middle, high)
    steps = np.diff(turned(high), axis=0)
    directions = steps / np.linalg.norm(steps, axis=1)[:, None]
    force = free.force_start + chain.node_weights[0] * UPWARD
    return chain.laid(directions, force, strain=free.strain, state="resting", balanced=False)


def _arched(chain: Chain, free: Hang, bed: Plane) -> Hang | None:
    """An arch away from the bed: along the normal it only rises and then only falls, so it stays above its ends."""
    if chain.chord >= chain.length:
        return None
    normal = bed.normal
    across = np.cross(normal, chain.outward)
    across /= np.linalg.norm(across)
    frame = np.vstack((np.cross(across, normal), across, normal))
    lift = Chain.between(frame @ chain.start, frame @ chain.end, chain.lengths, -chain.lengths, None)
    directions = np.diff(hang_freely(lift).nodes, axis=0) @ frame / chain.lengths[:, None]
    return chain.laid(directions, np.zeros(3), state="resting", balanced=False)
