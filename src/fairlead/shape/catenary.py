"""The shape of one cable between two points, as a chain of bars hinged at its nodes.

Sinking cables hang, buoyant ones arch, weightless ones lie along an arc; a cable shorter than its chord is stretched,
and says so. Elements have the length that their tension gives them and there is no gap at the ends.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairlead.shape.arc import arc_exists
from fairlead.shape.chain import UPWARD, Chain, Hang, State, hang_freely
from fairlead.shape.plane import Plane
from fairlead.shape.seabed import rest_on_seabed
from fairlead.words import force, percentage

__all__ = ["STRAIGHT", "Hang", "Plane", "hang", "stretched"]

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
    or one number [N]; without it the elements do not stretch; seabed: the plane on which the axis of the cable comes
    to rest.
    """
    chain = Chain.between(start, end, lengths, weights, node_weights, axial_stiffness)
    slack = chain.length - chain.chord
    if slack <= STRAIGHT * chain.length and chain.elastic and _upright(chain):
        plumb = _plumb(chain)
        if plumb is not None:
            return plumb if slack >= -STRAIGHT * chain.length else _said(chain, plumb)
    sags = chain.elastic and len(chain.lengths) > 1 and _weighs(chain) and not _upright(chain)
    if slack < -STRAIGHT * chain.length and not sags:
        return _stretched(chain)
    if abs(slack) <= STRAIGHT * chain.length and not sags:
        return _straight(chain)
    if slack > 0.0 and not arc_exists(chain.lengths, chain.chord):
        return _squeezed(chain)
    shape = hang_freely(chain)
    if seabed is not None and len(chain.lengths) >= 2 and seabed.height(shape.nodes[1:-1]).min() < 0.0:
        shape = rest_on_seabed(chain, shape, seabed)
    return shape if slack >= -STRAIGHT * chain.length else _said(chain, shape)


def stretched(
    start: ArrayLike, end: ArrayLike, lengths: ArrayLike, weights: ArrayLike, axial_stiffness: ArrayLike
) -> Hang:
    """A cable shorter than its chord, straight, as `hang` takes its arguments: its weight does not bend it yet."""
    return _stretched(Chain.between(start, end, lengths, weights, None, axial_stiffness))


def _weighs(chain: Chain) -> bool:
    """Whether a cable sags by more than rounding: anything along it has weight."""
    weight = max(float(np.abs(chain.weights).max()), float(np.abs(chain.node_weights[1:-1]).max(initial=0.0)))
    return weight * float(chain.compliance.min()) > 0.1 * STRAIGHT


def _upright(chain: Chain) -> bool:
    across = chain.end - chain.start
    return bool(np.hypot(across[0], across[1]) <= STRAIGHT * chain.chord)


def _plumb(chain: Chain) -> Hang | None:
    """A taut upright cable, its tension P + c_i as its weight has it; None where a part of it would go slack.

    Its elements stretch by what is missing to the chord: sum_i L_i (P + c_i)/EA_i = chord - length.
    """
    direction = (chain.end - chain.start) / chain.chord
    loads, give = chain.loads * direction[2], chain.lengths * chain.compliance
    pull = (chain.chord - chain.length - float(give @ loads)) / float(give.sum())
    tensions = pull + loads
    if tensions.min() < 0.0:
        return None
    directions = np.tile(direction, (len(chain.lengths), 1))
    strain = tensions * chain.compliance
    return chain.laid(directions, pull * direction, strain=strain, state="straight", balanced=True)


def _said(chain: Chain, shape: Hang) -> Hang:
    """A cable shorter than its chord, with what a user must know of it."""
    note = (
        f"is {chain.length:.6g} m long and its ends are {chain.chord:.6g} m apart: stretched, strain "
        f"{percentage(shape.strain.max())}, tension {force(shape.tensions.max())}"
    )
    return replace(shape, state="stretched", note=note if not shape.note else f"{note}; it {shape.note}")


def _straight(chain: Chain) -> Hang:
    """A cable exactly as long as its chord. Its tension is undetermined: upright, the least that leaves nothing slack;
    otherwise none."""
    direction = (chain.end - chain.start) / chain.chord
    directions = np.tile(direction, (len(chain.lengths), 1))
    if not _upright(chain):
        laid = chain.laid(directions, np.zeros(3), state="straight", balanced=False)
        none = np.zeros(3)
        return Hang(laid.nodes, np.zeros_like(chain.lengths), none, none, laid.strain, "straight", False)
    sections = np.concatenate((chain.loads, [0.0, chain.weights.sum() + chain.node_weights[1:].sum()]))
    pull = -float((sections * direction[2]).min())
    return chain.laid(directions, pull * direction, state="straight", balanced=True)


def _stretched(chain: Chain) -> Hang:
    """A cable shorter than its chord that weighs nothing, or whose stiffness is not known: straight, the elements as
    springs in series."""
    gap = chain.chord - chain.length
    how = f"is {chain.length:.6g} m long and its ends are {chain.chord:.6g} m apart: stretched straight"
    if not chain.elastic:
        strain = np.full(len(chain.lengths), gap / chain.length)
        tension = 0.0
        note = f"{how}, strain {percentage(gap / chain.length)}, tension unknown without its axial stiffness"
    else:
        tension = gap / float(chain.lengths @ chain.compliance)
        strain = tension * chain.compliance
        note = f"{how}, strain {percentage(strain.max())}, tension {force(tension)}"
    return _on_chord(chain, strain, tension, "stretched", note)


def _squeezed(chain: Chain) -> Hang:
    """Too few rigid elements to bridge the chord: the longest is longer than the chord and all others together."""
    longest = int(np.argmax(chain.lengths))
    signs = np.full(len(chain.lengths), -1.0)
    signs[longest] = 1.0
    excess = float(signs @ chain.lengths) - chain.chord
    note = (
        f"has an element of {chain.lengths[longest]:.6g} m that cannot fit between ends {chain.chord:.6g} m apart: "
        f"squeezed by {percentage(excess / chain.length)}; use more elements, or move the ends apart"
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
