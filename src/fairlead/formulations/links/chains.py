"""Cables in series, joined at free points, as chains of links."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import Cable, CableType, End, System
from fairlead.model.cables import Attachment
from fairlead.rigging.elements import attached
from fairlead.shape.layout import Geometry

PASSES = 4
"""By which the directions of a chain come to where it ends."""


@dataclass
class Chain:
    """A row of links from `points[0]` to `points[-1]`.

    lengths (link,) m; type_names (link,); nodes (link + 1, 3) m; tensions (link,) N, as first laid out
    points      (link + 1): the point at each node, None where there is none
    stiff       (link + 1): whether the joint at each node resists bending and twist
    turns_with  (link + 1): the link the body at a node is clamped to, None where it turns by itself
    axes        rest directions of the clamps at the start and the end
    cables      (name, first link, number of links, reversed)
    attachments link to what is clamped onto it, each with its share of the link
    """

    lengths: list[float] = field(default_factory=list)
    type_names: list[str] = field(default_factory=list)
    nodes: np.ndarray = field(default_factory=lambda: np.empty((0, 3)))
    tensions: np.ndarray = field(default_factory=lambda: np.empty(0))
    points: list[str | None] = field(default_factory=list)
    stiff: list[bool] = field(default_factory=list)
    turns_with: list[int | None] = field(default_factory=list)
    axes: list[np.ndarray] = field(default_factory=list)
    cables: list[tuple[str, int, int, bool]] = field(default_factory=list)
    attachments: dict[int, list[tuple[Attachment, float]]] = field(default_factory=dict)

    def kinds(self, system: System) -> list[CableType]:
        """Type of each link."""
        return [system.types[name] for name in self.type_names]


def chains_of(system: System, geometry: Geometry) -> list[Chain]:
    """All cables of a system as chains; one starts at a prescribed point where it has one."""
    ends: dict[str, list[tuple[str, int]]] = {}
    for name, cable in system.cables.items():
        for side, end in enumerate((cable.start, cable.end)):
            ends.setdefault(end.point, []).append((name, side))

    def passes(point: str) -> bool:
        return point in system.points and system.points[point].kind == "free" and len(ends[point]) == 2

    def begins(name: str, side: int, held: bool) -> bool:
        """Whether a chain may start at this end: held ones first, never one where a body hangs, which is far."""
        place = system.place((system.cables[name].start, system.cables[name].end)[side].point)
        return place.is_free != held and not place.on_body

    done: set[str] = set()
    chains = []
    for held in (True, False):  # those with a prescribed end first, so that they start from it
        for name, cable in system.cables.items():
            for side, end in enumerate((cable.start, cable.end)):
                if name in done or passes(end.point) or not begins(name, side, held):
                    continue
                path = [(name, side)]
                done.add(name)
                while passes(point := _other_end(system, *path[-1]).point):
                    one, other = ends[point]
                    following = other if one[0] == path[-1][0] else one
                    if following[0] in done:
                        break
                    path.append(following)
                    done.add(following[0])
                chains.append(_chain(system, geometry, path))
    lost = [name for name in system.cables if name not in done]
    if lost:
        raise UnsupportedSystem(f"cables.{lost[0]}: a cable of the formulation 'links' has one body at most; use bars")
    order = {name: i for i, name in enumerate(system.cables)}
    return sorted(chains, key=lambda chain: min(order[cable[0]] for cable in chain.cables))


def _other_end(system: System, name: str, side: int) -> End:
    cable = system.cables[name]
    return cable.end if side == 0 else cable.start


def _chain(system: System, geometry: Geometry, path: list[tuple[str, int]]) -> Chain:
    chain = Chain()
    nodes, tensions, clamped_before = [], [], False
    for number, (name, side) in enumerate(path):
        cable = system.cables[name]
        reverse = side == 1
        order = -1 if reverse else 1
        near, far = (cable.end, cable.start) if reverse else (cable.start, cable.end)
        segments = cable.segments(system)[::order]
        first = len(chain.lengths)
        laid = np.asarray(geometry.nodes[name], dtype=float)[::order]
        nodes.append(laid if number == 0 else laid[1:])
        tensions.append(np.asarray(geometry.tensions[name], dtype=float)[::order])
        _attach(chain, cable, [s.length for s in cable.segments(system)], first, reverse)
        clamped = near.joint == "clamp"
        if number == 0:
            free = system.place(near.point).is_free
            chain.points.append(near.point)
            chain.stiff.append(clamped and not free)
            chain.turns_with.append(0 if clamped and free else None)
            chain.axes.append(_axis(near, laid[1] - laid[0], reverse))
        else:
            chain.stiff[-1] = clamped and clamped_before
            chain.turns_with[-1] = first if clamped else first - 1 if clamped_before else None
        chain.lengths += [s.length for s in segments]
        chain.type_names += [s.type_name for s in segments]
        inner = len(segments) - 1
        chain.points += [*[None] * inner, far.point]
        chain.stiff += [*[True] * inner, far.joint == "clamp"]
        chain.turns_with += [None] * (inner + 1)
        chain.cables.append((name, first, len(segments), reverse))
        clamped_before = far.joint == "clamp"
        if number == len(path) - 1:
            free = system.place(far.point).is_free
            chain.stiff[-1] = clamped_before and not free
            chain.turns_with[-1] = len(chain.lengths) - 1 if clamped_before and free else None
            chain.axes.append(_axis(far, laid[-1] - laid[-2], reverse))
    chain.nodes, chain.tensions = np.vstack(nodes), np.concatenate(tensions)
    return chain


def first_directions(chain: Chain, spring: float | None) -> np.ndarray:
    """Directions (link, 3) of a chain as first laid out; of one that a `spring` [N/m] ties to where it ends, such that
    the spring pulls as the shape does.

    All stretch is in that spring, and links do not stretch: along their chords alone the end would lie where the
    stretches of links of many directions add up to, and be pulled the wrong way. They are turned by little, as least
    squares do it.
    """
    chords = np.diff(chain.nodes, axis=0)
    q = np.asarray(chords / np.linalg.norm(chords, axis=1)[:, None])
    if spring is None or len(q) < 2:
        return q
    pulls, lengths = chain.tensions[:, None] * q, np.array(chain.lengths)
    pull = pulls[-1] + 0.5 * (pulls[-1] - pulls[-2])  # what a link weighs less at its end than in its middle
    way = chain.nodes[-1] - chain.nodes[0] - pull / spring
    for _ in range(PASSES):
        across = np.eye(3) - q[:, :, None] * q[:, None, :]
        turn = np.linalg.lstsq(np.tensordot(lengths, across, 1), way - lengths @ q, rcond=1e-6)[0]
        q = q + across @ turn
        q /= np.linalg.norm(q, axis=1)[:, None]
    return q


def _axis(end: End, chord: np.ndarray, reverse: bool) -> np.ndarray:
    """Rest direction of a clamp along the chain."""
    direction = chord if end.direction is None else np.array(end.direction) * (-1.0 if reverse else 1.0)
    return np.asarray(direction / np.linalg.norm(direction))


def _attach(chain: Chain, cable: Cable, lengths: list[float], first: int, reverse: bool) -> None:
    """What is clamped onto a cable, each on the link that carries it."""
    for i, share, item in attached(cable, np.array(lengths)):
        link, share = (len(lengths) - 1 - i, 1.0 - share) if reverse else (i, share)
        chain.attachments.setdefault(first + link, []).append((item, share))
