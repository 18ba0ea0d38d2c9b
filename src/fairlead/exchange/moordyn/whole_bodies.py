"""Bodies of a MoorDyn file with the rods and points that are fixed to them: the mass of the whole.

MoorDyn adds what rods and points weigh to the body they are fixed to. A spar may so be a body with all the mass and a
rod without any, or a body without mass that carries heavy rods.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from .deck import Body, Deck, Point, Rod
from .rod_bodies import across_of
from .rows import Vector
from .runs import has_length

BALL = 0.1
"""m: radius of gyration of a point mass."""
EVEN = 1e-9
"""Products of inertia below this part of the largest moment are rounding."""


@dataclass(frozen=True)
class Whole:
    """A body with all that is fixed to it, in the frame of the file's body.

    inertia  its principal moments about its centre of mass
    axes     (3, 3) their directions, in columns: those of the body where its products of inertia vanish
    members  rods that are part of it; empty where all rods can be bodies fixed to it, each with its own mass
    """

    mass: float
    centre: Vector
    inertia: tuple[float, ...]
    axes: np.ndarray
    volume: float
    middle: Vector
    members: tuple[Rod, ...]

    @property
    def moves(self) -> bool:
        """Whether forces can move it."""
        return self.mass > 0.0 and min(self.inertia) > 0.0

    @property
    def is_turned(self) -> bool:
        """Whether its axes are other than those of the file."""
        return bool(np.any(self.axes != np.eye(3)))

    def as_a_ball(self) -> Whole:
        """The same with moments of inertia where it has none: those of a small ball, or more where bodies have more."""
        least = max(self.mass * BALL**2, 0.6 * max(self.inertia))
        return replace(self, inertia=tuple(value if value > 0.0 else least for value in self.inertia))

    def from_centre(self, offset: Vector) -> Vector:
        """A point of the file's body from the centre of mass, in the axes of the whole."""
        x, y, z = (float(value) for value in self.axes.T @ np.subtract(offset, self.centre))
        return x, y, z


def centre_of(body: Body) -> Vector:
    """Centre of mass of the body alone, in its own frame."""
    if len(body.centre) == 1:
        return 0.0, 0.0, body.centre[0]
    x, y, z = body.centre
    return x, y, z


def rods_on(deck: Deck, body: Body) -> list[Rod]:
    """Rods of some length that are fixed to a body, and not only pinned."""
    rods = (rod for rod in deck.rods.values() if rod.held.kind == "body" and str(rod.held.number) == body.id)
    return [rod for rod in rods if not rod.held.pinned and has_length(rod)]


def points_on(deck: Deck, body: Body) -> list[Point]:
    """Points with mass or buoyancy that are fixed to a body."""
    points = (point for point in deck.points.values() if point.held.kind == "body")
    return [point for point in points if str(point.held.number) == body.id and (point.mass or point.volume)]


def whole_of(deck: Deck, body: Body) -> Whole:
    """A body with what is fixed to it. Rods are members where it, or one of them, has no mass of its own."""
    inertia = body.inertia * 3 if len(body.inertia) == 1 else body.inertia
    rods, points = rods_on(deck, body), points_on(deck, body)
    heavy = [rod for rod in rods if deck.rod_types[rod.type].mass > 0.0]
    alone = body.mass > 0.0 and min(inertia) > 0.0 and len(heavy) == len(rods)
    parts = [(body.mass, centre_of(body), np.diag(inertia))]
    parts += [] if alone else [_of_rod(deck, rod) for rod in heavy]
    parts += [(point.mass, point.position, np.zeros((3, 3))) for point in points]
    mass = sum(part[0] for part in parts)
    if not mass > 0.0:
        return Whole(0.0, centre_of(body), tuple(inertia), np.eye(3), body.volume, centre_of(body), tuple(rods))
    centre = np.sum([m * np.asarray(at) for m, at, _ in parts], axis=0) / mass
    tensor = sum(own + m * _about(np.subtract(at, centre)) for m, at, own in parts)
    moments, axes = _principal(np.asarray(tensor))
    volume = body.volume + sum(point.volume for point in points)
    floats = [(body.volume, centre_of(body)), *((point.volume, point.position) for point in points)]
    lifted = np.sum([part * np.asarray(at) for part, at in floats], axis=0)
    middle = lifted / volume if volume > 0.0 else centre
    x, y, z = (float(value) for value in centre)
    u, v, w = (float(value) for value in middle)
    return Whole(mass, (x, y, z), moments, axes, volume, (u, v, w), () if alone else tuple(rods))


def _of_rod(deck: Deck, rod: Rod) -> tuple[float, Vector, np.ndarray]:
    """Mass, middle and inertia tensor of a rod about its middle, in the frame of its body."""
    kind, length = deck.rod_types[rod.type], math.dist(rod.a, rod.b)
    mass, axis = kind.mass * length, np.subtract(rod.b, rod.a) / length
    across, along = across_of(mass, length, kind.diameter), mass * kind.diameter**2 / 8.0
    x, y, z = (0.5 * (a + b) for a, b in zip(rod.a, rod.b, strict=True))
    return mass, (x, y, z), across * np.eye(3) + (along - across) * np.outer(axis, axis)


def _about(arm: np.ndarray) -> np.ndarray:
    """Inertia tensor of a unit mass at the end of an arm."""
    return np.asarray(arm @ arm * np.eye(3) - np.outer(arm, arm))


def _principal(tensor: np.ndarray) -> tuple[tuple[float, ...], np.ndarray]:
    """Principal moments and their axes, those nearest to the axes of the tensor first in their places."""
    mixed = tensor - np.diag(np.diag(tensor))
    if np.abs(mixed).max() <= EVEN * np.abs(tensor).max():
        return tuple(float(value) for value in np.diag(tensor)), np.eye(3)
    moments, axes = np.linalg.eigh(tensor)
    order: list[int] = []
    for k in range(3):
        order.append(max((i for i in range(3) if i not in order), key=lambda i: abs(axes[k, i])))
    moments, axes = moments[order], axes[:, order]
    axes = axes * np.where(np.diag(axes) < 0.0, -1.0, 1.0)
    if np.linalg.det(axes) < 0.0:
        axes[:, 2] *= -1.0
    return tuple(float(value) for value in moments), axes
