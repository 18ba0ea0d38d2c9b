"""Cables of bars for the oracle, in the order start … end, with joints of the right compliance."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from oracle import joint_gains
from oracle.dense_bars import DenseBars, State
from oracle.parts import Bar, Contact, PositionJoint, RotationJoint, Sea
from oracle.quaternions import IDENTITY, frames_along


@dataclass(frozen=True)
class Stiffness:
    """EA N, EI and GJ N m², damping time zeta s of a cable."""

    EA: float
    EI: float = 0.0
    GJ: float = 0.0
    zeta: float = 0.0


class CableBuilder:
    """Collects bodies and joints under the rule, then makes one system of them."""

    def __init__(self, h, sea=None, theta=1.0, geometric="off"):
        self.h, self.theta, self.geometric = h, theta, geometric
        self.sea = Sea() if sea is None else sea
        self.bodies, self.p, self.q = [], [], []
        self.position_joints, self.rotation_joints, self.contacts = [], [], []

    def gains(self, k, zeta):
        k = np.atleast_1d(np.asarray(k, dtype=float))
        return joint_gains.rule(k, zeta * k, self.h, self.theta)

    def body(self, body, p, q=IDENTITY):
        """Add any body; its number comes back."""
        self.bodies.append(body)
        self.p.append(np.asarray(p, dtype=float))
        self.q.append(np.asarray(q, dtype=float))
        return len(self.bodies) - 1

    def cable(self, bar: Bar, stiffness: Stiffness, nodes, start=None, end=None):
        """Equal bars between nodes (n+1, 3); `start`, `end` are bodies they hang on by a ball joint. Their numbers."""
        nodes = np.asarray(nodes, dtype=float)
        chords = np.diff(nodes, axis=0)
        frames = frames_along(chords / np.linalg.norm(chords, axis=1, keepdims=True))
        bars = [self.body(bar, centre, q) for centre, q in zip(0.5 * (nodes[:-1] + nodes[1:]), frames, strict=True)]
        half, s = 0.5 * bar.length, stiffness
        if start is not None:
            self.ball((start, 0.0), (bars[0], -half), joint_gains.half_bar(bar.length, s.EA), s.zeta)
        for i, j in pairwise(bars):
            self.ball((i, half), (j, -half), s.EA / bar.length, s.zeta)
            if s.EI > 0.0 or s.GJ > 0.0:
                self.hinge(i, j, [s.EI / bar.length, s.EI / bar.length, s.GJ / bar.length], s.zeta)
        if end is not None:
            self.ball((bars[-1], half), (end, 0.0), joint_gains.half_bar(bar.length, s.EA), s.zeta)
        return bars

    def ball(self, A, B, k, zeta=0.0):
        self.position_joints.append(PositionJoint(A, B, self.gains([k, k, k], zeta)))

    def hinge(self, body_1, body_2, k, zeta=0.0, rest=IDENTITY):
        self.rotation_joints.append(RotationJoint(body_1, body_2, self.gains(k, zeta), np.asarray(rest)))

    def rest_on_bed(self, bars, stiffness, damping, contact_diameter):
        """Both ends of each bar on the bed; stiffness Pa/m and damping Pa s/m on the contact diameter."""
        for i in bars:
            area = 0.5 * contact_diameter * self.bodies[i].length
            gains = joint_gains.rule(stiffness * area, damping * area, self.h, self.theta)
            for offset in (-0.5 * self.bodies[i].length, 0.5 * self.bodies[i].length):
                self.contacts.append(Contact((i, offset), 0.5 * contact_diameter, gains))

    def build(self) -> tuple[DenseBars, State]:
        system = DenseBars(
            bodies=tuple(self.bodies),
            h=self.h,
            sea=self.sea,
            position_joints=tuple(self.position_joints),
            rotation_joints=tuple(self.rotation_joints),
            contacts=tuple(self.contacts),
            geometric=self.geometric,
        )
        return system, system.at_rest(np.array(self.p), np.array(self.q))


def moving(state: State, **arrays) -> State:
    """The state with some arrays replaced."""
    return replace(state, **{name: np.asarray(value, dtype=float) for name, value in arrays.items()})
