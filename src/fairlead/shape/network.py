"""Where free points without a given position go: about where the network of cables comes to rest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairlead.shape.net import Net
from fairlead.shape.plane import Plane
from fairlead.shape.weight import CableWeight

Floats = NDArray[np.float64]
SPRINGS = 8  # a cable, in the coarse net


@dataclass(frozen=True)
class Member:
    """A cable between two named points."""

    start: str
    end: str
    cable: CableWeight


@dataclass(frozen=True)
class Body:
    """What sits at a point that is to be placed: weight in air and in water [N], and the force (3,) on it [N]."""

    dry: float
    wet: float
    force: Floats


def settle_points(
    known: dict[str, Floats], bodies: dict[str, Body], members: list[Member], seabed: Plane | None
) -> dict[str, Floats]:
    """Positions (3,) [m] of the points in `bodies`, about where the network rests.

    known: positions of the other points; members: the cables that end in a point to be placed. Ends come no further
    apart than their cable is long, unless the known points leave no choice.
    """
    positions = _spread(known, list(bodies), members)
    names, net = _net(positions, bodies, members, seabed)
    placed = net.relaxed()
    positions.update({name: placed[k] for k, name in enumerate(names) if name in bodies})
    return _within_reach(positions, bodies, members)


def _spread(known: dict[str, Floats], unknown: list[str], members: list[Member]) -> dict[str, Floats]:
    """Each unknown point at the mean of its neighbours, the nearer ones counting more (force densities 1/length)."""
    row = {name: k for k, name in enumerate(unknown)}
    matrix, right = np.zeros((len(row), len(row))), np.zeros((len(row), 3))
    for member in members:
        density = 1.0 / member.cable.length
        for here, there in ((member.start, member.end), (member.end, member.start)):
            if here in row and here != there:
                matrix[row[here], row[here]] += density
                if there in row:
                    matrix[row[here], row[there]] -= density
                else:
                    right[row[here]] += density * known[there]
    placed = np.linalg.lstsq(matrix, right, rcond=None)[0]
    return {**known, **{name: placed[k] for name, k in row.items()}}


def _within_reach(positions: dict[str, Floats], movable: dict[str, Body], members: list[Member]) -> dict[str, Floats]:
    """Move points until no cable has to stretch: too long chords are shortened at their movable ends, all at once and
    each point by the mean of what its cables ask for, so that symmetry is kept."""
    positions = dict(positions)
    for _ in range(2000):
        worst = 0.0
        shifts: dict[str, list[Floats]] = {}
        for member in members:
            across = positions[member.end] - positions[member.start]
            chord = float(np.linalg.norm(across))
            excess = chord - member.cable.length
            ends = [(name, sign) for name, sign in ((member.start, 1.0), (member.end, -1.0)) if name in movable]
            if excess > 1e-13 * chord and ends:
                worst = max(worst, excess / chord)
                for name, sign in ends:
                    shifts.setdefault(name, []).append(sign * excess / chord / len(ends) * across)
        for name, asked in shifts.items():
            positions[name] = positions[name] + sum(asked) / len(asked)
        if worst <= 1e-13:
            break
    return positions


def _net(
    positions: dict[str, Floats], bodies: dict[str, Body], members: list[Member], seabed: Plane | None
) -> tuple[list[str], Net]:
    """The coarse net of the members, and the names of its first nodes."""
    names = sorted({name for member in members for name in (member.start, member.end)} | set(bodies))
    index = {name: k for k, name in enumerate(names)}
    nodes = [positions[name] for name in names]
    dry = [bodies[name].dry if name in bodies else 0.0 for name in names]
    wet = [bodies[name].wet if name in bodies else 0.0 for name in names]
    free = [k for k, name in enumerate(names) if name in bodies]
    tail: list[int] = []
    head: list[int] = []
    lengths: list[float] = []
    for member in members:
        cable = member.cable
        n = len(cable.lengths)
        cuts = np.unique(np.linspace(0, n, min(n, SPRINGS) + 1).astype(int))
        inner = [len(nodes) + k for k in range(len(cuts) - 2)]
        chain = [index[member.start], *inner, index[member.end]]
        places = np.concatenate(([0.0], np.cumsum(cable.lengths)))[cuts]
        a, b = positions[member.start], positions[member.end]
        nodes += [a + place / cable.length * (b - a) for place in places[1:-1]]
        free += inner
        dry += [0.0] * len(inner)
        wet += [0.0] * len(inner)
        for k in range(len(cuts) - 1):
            part, held = slice(cuts[k], cuts[k + 1]), slice(cuts[k] + 1, cuts[k + 1])
            for weights, element, node in ((dry, cable.dry, cable.node_dry), (wet, cable.wet, cable.node_wet)):
                half = 0.5 * float(element[part].sum() + node[held].sum())
                weights[chain[k]] += half + float(node[cuts[k]])
                weights[chain[k + 1]] += half
        for weights, node in ((dry, cable.node_dry), (wet, cable.node_wet)):
            weights[chain[-1]] += float(node[-1])
        tail += chain[:-1]
        head += chain[1:]
        lengths += np.diff(places).tolist()
    force = np.zeros((len(nodes), 3))
    for name, body in bodies.items():
        force[index[name]] = body.force
    radius = max((member.cable.contact_radius for member in members), default=0.0)
    net = Net(
        nodes=np.array(nodes),
        free=np.array(free, dtype=np.intp),
        tail=np.array(tail, dtype=np.intp),
        head=np.array(head, dtype=np.intp),
        lengths=np.array(lengths),
        dry=np.array(dry),
        wet=np.array(wet),
        force=force,
        bed=None if seabed is None else seabed.above(radius),
        size=max((member.cable.length for member in members), default=1.0),
    )
    return names, net
