"""The shape of one cable between two points, as a chain of rigid bars hinged at its nodes.

Sinking cables hang, buoyant ones arch, weightless ones lie along an arc; a cable shorter than its chord is stretched
straight, and says so. Lengths of the elements are exact and there is no gap at the ends.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairlead.shape.arc import arc_exists
from fairlead.shape.chain import UPWARD, Chain, Hang, State, hang_freely
from fairlead.shape.plane import Plane
from fairlead.shape.seabed import rest_on_seabed

__all__ = ["Hang", "Plane", "hang"]

Floats = NDArray[np.float64]
STRAIGHT = 1e-12  # slack or strain that counts as none, relative to the length of the cable


def hang(
    start: ArrayLike,
    end: ArrayLike,
    lengths: ArrayLike,
    weights: ArrayLike,
    *,
    node_weights: ArrayLike | None = None,
    axial_stiffness: ArrayLike | None = None,
    seabed: Plane | None = None,
) -> Hang:
    """Lay a cable between two points.

    start, end: (3,) [m]; lengths: (n,) unstretched, of the elements [m]; weights: (n,) of the elements in their medium
    [N], positive sinks, negative floats; node_weights: (n+1,) of attachments at the nodes [N]; axial_stiffness: EA (n,)
    or one number [N], for the tension of a cable shorter than its chord; seabed: the plane on which the axis of the
    cable comes to rest.
    """
    chain = Chain.between(start, end, lengths, weights, node_weights)
    slack = chain.length - chain.chord
    if slack < -STRAIGHT * chain.length:
        return _stretched(chain, axial_stiffness)
    if slack <= STRAIGHT * chain.length:
        return _straight(chain)
    if not arc_exists(chain.lengths, chain.chord):
        return _squeezed(chain)
    free = hang_freely(chain)
    if seabed is None or len(chain.lengths) < 2 or seabed.height(free.nodes[1:-1]).min() >= 0.0:
        return free
    return rest_on_seabed(chain, free, seabed)


def _straight(chain: Chain) -> Hang:
    """A cable exactly as long as its chord. Its tension is undetermined: upright, the least that leaves nothing slack;
    otherwise none."""
    direction = (chain.end - chain.start) / chain.chord
    directions = np.tile(direction, (len(chain.lengths), 1))
    upright = bool(np.hypot(direction[0], direction[1]) <= STRAIGHT)
    if not upright:
        laid = chain.laid(directions, np.zeros(3), state="straight", balanced=False)
        none = np.zeros(3)
        return Hang(laid.nodes, np.zeros_like(chain.lengths), none, none, laid.strain, "straight", False)
    sections = np.concatenate((chain.loads, [0.0, chain.weights.sum() + chain.node_weights[1:].sum()]))
    pull = -float((sections * direction[2]).min())
    return chain.laid(directions, pull * direction, state="straight", balanced=True)


def _stretched(chain: Chain, axial_stiffness: ArrayLike | None) -> Hang:
    """A cable shorter than its chord: straight, the elements as springs in series; its weight does not bend it."""
    gap = chain.chord - chain.length
    how = f"is {chain.length:.6g} m long and its ends are {chain.chord:.6g} m apart: stretched straight"
    if axial_stiffness is None:
        strain = np.full(len(chain.lengths), gap / chain.length)
        tension = 0.0
        note = f"{how}, strain {100.0 * gap / chain.length:.3g} %, tension unknown without its axial stiffness"
    else:
        stiffness = np.broadcast_to(np.asarray(axial_stiffness, dtype=float), chain.lengths.shape)
        tension = gap / float((chain.lengths / stiffness).sum())
        strain = tension / stiffness
        note = f"{how}, strain {100.0 * strain.max():.3g} %, tension {tension / 1e3:.4g} kN"
    return _on_chord(chain, strain, tension, "stretched", note)


def _squeezed(chain: Chain) -> Hang:
    """Too few rigid elements to bridge the chord: the longest is longer than the chord and all others together."""
    longest = int(np.argmax(chain.lengths))
    signs = np.full(len(chain.lengths), -1.0)
    signs[longest] = 1.0
    excess = float(signs @ chain.lengths) - chain.chord
    note = (
        f"has an element of {chain.lengths[longest]:.6g} m that cannot fit between ends {chain.chord:.6g} m apart: "
        f"squeezed by {100.0 * excess / chain.length:.3g} %; use more elements, or move the ends apart"
    )
    return _on_chord(chain, -signs * excess / chain.length, 0.0, "squeezed", note, signs)


def _on_chord(
    chain: Chain, strain: Floats, tension: float, state: State, note: str, signs: Floats | float = 1.0
) -> Hang:
    direction = (chain.end - chain.start) / chain.chord if chain.chord > 0.0 else chain.outward
    along = np.concatenate(([0.0], np.cumsum(signs * chain.lengths * (1.0 + strain))))
    nodes = chain.start + np.outer(along, direction)
    nodes[-1] = chain.end
    pull = tension * direction
    start, end = pull - chain.node_weights[0] * UPWARD, -pull - chain.node_weights[-1] * UPWARD
    return Hang(nodes, np.full(len(strain), tension), start, end, strain, state, False, note)
