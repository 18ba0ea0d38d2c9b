"""All joints of a bar system at rest, as arrays with one row a joint."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairlead.algebra.records import Tables
from fairlead.algebra.turns import multiply, rotations, skew

from .schema import RULE


class Side(NamedTuple):
    """One of the two sides of every joint.

    body (n,), −1 where a prescribed point; offset (n, 3) of the joint in its body [m]; frame (n, 4) of a clamp in its
    body; sign: −1 for the first side, +1 for the second (C = p₂ − p₁).
    """

    body: np.ndarray
    offset: np.ndarray
    frame: np.ndarray
    sign: float

    @property
    def free(self) -> np.ndarray:
        """Where the side is a body that can move."""
        return self.body >= 0


class Joints:
    """The joints of a compiled system: sides, prescribed points, stiffnesses.

    axial (n,) [N/m] and rotary (n, 3) [N m/rad] are the stiffnesses the time steps work with, hence those of the
    chosen tuning; rotary is zero where a joint turns freely.
    """

    def __init__(self, t: Tables) -> None:
        cable, lengths, bars = t.cable, t.bar.length, t.bars
        ends_of = t.end.frame.reshape(-1, 2, 4), t.end.lever.reshape(-1, 2, 3)
        bodies: tuple[list[int], list[int]] = ([], [])
        offsets: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
        axis = np.array([0.0, 0.0, 1.0])
        frames: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
        points, ends, stiffness = [], [], []
        unit = np.array([1.0, 0, 0, 0])
        for c in range(t.cables):
            first, count = int(cable.first[c]), int(cable.count[c])
            start = bars + cable.start_hub[c] if cable.start_hub[c] >= 0 else -1
            end = bars + cable.end_hub[c] if cable.end_hub[c] >= 0 else -1
            clamps, levers = (part[c] for part in ends_of)
            for i in range(count + 1):
                at_start, at_end = i == 0, i == count
                bodies[0].append(start if at_start else first + i - 1)
                bodies[1].append(end if at_end else first + i)
                offsets[0].append(levers[0] if at_start else 0.5 * lengths[first + i - 1] * axis)
                offsets[1].append(levers[1] if at_end else -0.5 * lengths[first + i] * axis)
                frames[0].append(clamps[0] if at_start else unit)
                frames[1].append(clamps[1] if at_end else unit)
                points.append(cable.start_point[c] if at_start else (cable.end_point[c] if at_end else -1))
                ends.append((c, 0 if at_start else (1 if at_end else -1)))
                clamp = (cable.start_clamp if at_start else (cable.end_clamp if at_end else cable.rotary))[c]
                k = t.joint.stiffness[first + c + i] * np.array([1.0, clamp, clamp])
                if t.tuning != RULE:  # the paper's stiffness has no 1/L and acts on half the turn
                    k = k * lengths[first + min(i, count - 1)] * np.array([1.0, 0.25, 0.25])
                stiffness.append(k)
        self.sides = tuple(
            Side(np.array(bodies[i], dtype=int), np.array(offsets[i]), np.array(frames[i]), (-1.0, 1.0)[i])
            for i in range(2)
        )
        self.index = np.concatenate([cable.first[c] + c + np.arange(cable.count[c] + 1) for c in range(t.cables)])
        """(n,): their numbers among all joints, those of line still on a winch included."""
        self.point = np.array(points, dtype=int)
        self.cable, self.end = np.array(ends, dtype=int).T
        k = np.array(stiffness)
        self.axial = k[:, 0]
        self.rotary = k[:, [1, 1, 2]]

    def __len__(self) -> int:
        return len(self.axial)

    def attached(self, state: Tables) -> np.ndarray:
        """1 where a joint holds, 0 where a cable end was released, (n,)."""
        return np.where(self.end >= 0, state.attached.joined[2 * self.cable + np.maximum(self.end, 0)], 1.0)


class Pose(NamedTuple):
    """The joints in one state.

    turns: rotation matrices of the bodies of both sides (n, 3, 3); gap: p₂ − p₁ (n, 3) [m]; s (n,), u (n, 3):
    relative quaternion; axial, rotary: stiffnesses as far as the joints hold; levers: s·1 ∓ S(u), which turn a rate
    of either side into that of 2u (n, 3, 3); frames: clamp frames as matrices. Bodies turn in their own axes,
    prescribed points in global ones.
    """

    turns: tuple[np.ndarray, np.ndarray]
    gap: np.ndarray
    s: np.ndarray
    u: np.ndarray
    axial: np.ndarray
    rotary: np.ndarray
    levers: tuple[np.ndarray, np.ndarray]
    frames: tuple[np.ndarray, np.ndarray]

    @property
    def moment(self) -> np.ndarray:
        """Moment of each joint in the frame of its first side, (n, 3) [N m]."""
        moment: np.ndarray = 2.0 * self.rotary * self.u
        return moment


def gaps_of(joints: Joints, state: Tables, points: np.ndarray) -> np.ndarray:
    """p₂ − p₁ of all joints alone, (n, 3) [m]; `points` as `pose_of` has them."""
    bodies = state.bar_state, state.hub_state
    centres, R = np.vstack([body.position for body in bodies]), rotations(np.vstack([body.turn for body in bodies]))
    first, second = (_places(side, centres, R, points, joints.point) for side in joints.sides)
    return np.asarray(second - first)


def _places(side: Side, centres: np.ndarray, R: np.ndarray, points: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Where a side of every joint is, (n, 3)."""
    place = centres[side.body] + np.einsum("nij,nj->ni", R[side.body], side.offset)
    place[~side.free] = points[point[~side.free]]
    return np.asarray(place)


def pose_of(joints: Joints, state: Tables, points: np.ndarray, turns: np.ndarray) -> Pose:
    """Where the joints are; `points` (points, 3) are the places of the prescribed points, `turns` (points, 4) how the
    bodies they belong to are turned."""
    centres = np.vstack([state.bar_state.position, state.hub_state.position])
    own = np.vstack([state.bar_state.turn, state.hub_state.turn])
    R = rotations(own)
    places, frames, sides, clamps = [], [], [], []
    for side in joints.sides:
        frame = multiply(own[side.body], side.frame)
        frame[~side.free] = multiply(turns[joints.point[~side.free]], side.frame[~side.free])
        places.append(_places(side, centres, R, points, joints.point))
        frames.append(frame)
        sides.append(np.where(side.free[:, None, None], R[side.body], np.eye(3)))
        clamps.append(rotations(np.where(side.free[:, None], side.frame, frame)))
    relative = multiply(frames[0] * np.array([1.0, -1, -1, -1]), frames[1])
    relative[relative[:, 0] < 0] *= -1
    s, u = relative[:, 0], relative[:, 1:]
    held = joints.attached(state)
    unit = s[:, None, None] * np.eye(3)
    return Pose(
        turns=(sides[0], sides[1]),
        gap=places[1] - places[0],
        s=s,
        u=u,
        axial=joints.axial * held,
        rotary=joints.rotary * held[:, None],
        levers=(unit - skew(u), unit + skew(u)),
        frames=(clamps[0], clamps[1]),
    )
