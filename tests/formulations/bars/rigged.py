"""Rings, rigid bodies and winches for the dense oracle: their rows at full width, derived on their own.

A ring on bar n has r = Rᵀ(p_ring - p_n) in the frame of the bar. From Ṙ = R S(w),

    ṙ = Rᵀ(v_ring - v_n) - w × r,    r̈ = Rᵀ(a_ring - a_n) - α × r - 2 w × ṙ - w × (w × r);

rows x and y hold it on the axis, row z is friction. The end of a bar that grows there at the rate s slides past the
line: ẋ = v + w × r + s t, ẍ = a + α × r + w × (w × r) + 2 s (w × t).
"""

from dataclasses import dataclass, replace

import numpy as np
from oracle import joint_gains
from oracle.dense_bars import DenseBars, Rows
from oracle.joint_gains import Gains
from oracle.parts import UP, FreePoint, PrescribedPoint
from oracle.quaternions import conjugate, cross, matrix, product, skew

from fairlead.shape.layout import first_geometry
from formulations.bars.translation import Twin


@dataclass(frozen=True)
class Solid:
    """A rigid body: mass kg, principal moments of inertia (3,) kg m²."""

    mass: float
    inertia: np.ndarray


@dataclass
class Ring:
    """A ring and where it is: bodies of ring and bar, stiffness across and of the friction's spring N/m, µ, slip m
    (file's direction), press N.

    `body_1` and `body_2` are what the ring turns, which is none but the bar.
    """

    ring: int
    host: int
    stiffness: float
    grip: float
    friction: float
    bar: int = -1
    slip: float = 0.0
    press: float = 0.0

    @property
    def body_1(self):
        return self.bar

    body_2 = body_1


@dataclass(frozen=True)
class RiggedBars(DenseBars):
    """With rings among the rotation joints, bodies with levers, and `slides`: {(bar, offset's sign): s m/s}."""

    slides: tuple[tuple[int, float, float], ...] = ()

    def point_rows(self, state, end):
        body, offset = end
        if np.ndim(offset) == 0:
            return super().point_rows(state, end)
        R, w, r = matrix(state.q[body]), state.w[body], np.asarray(offset, dtype=float)
        J = np.zeros((3, 6 * len(self.bodies)))
        J[:, 6 * body : 6 * body + 3] = np.eye(3)
        J[:, 6 * body + 3 : 6 * body + 6] = -R @ skew(r)
        return state.p[body] + R @ r, J, R @ cross(w, cross(w, r))

    def position_rows(self, state, joint):
        rows = super().position_rows(state, joint)
        C, bias = rows.C.copy(), rows.bias.copy()
        for sign, (body, offset) in ((-1.0, joint.A), (1.0, joint.B)):
            for bar, side, s in self.slides:
                if bar == body and np.ndim(offset) == 0 and side * offset > 0.0:
                    R = matrix(state.q[body])
                    C += sign * s * R[:, 2] * rows.gains.D / rows.gains.K  # D Ċ of the part of Ċ that is not J u
                    bias += sign * 2.0 * s * R @ cross(state.w[body], UP)
        return Rows(rows.J, bias, C, rows.gains)

    def rotation_rows(self, state, joint):
        if not isinstance(joint, Ring):
            return super().rotation_rows(state, joint)
        R, w = matrix(state.q[joint.bar]), state.w[joint.bar]
        r = R.T @ (state.p[joint.ring] - state.p[joint.bar])
        rate = R.T @ (state.v[joint.ring] - state.v[joint.bar]) - cross(w, r)
        J = np.zeros((3, 6 * len(self.bodies)))
        J[:, 6 * joint.ring : 6 * joint.ring + 3] = R.T
        J[:, 6 * joint.bar : 6 * joint.bar + 3] = -R.T
        J[:, 6 * joint.bar + 3 : 6 * joint.bar + 6] = skew(r)
        bias = -2.0 * cross(w, rate) - cross(w, cross(w, r))
        slip = joint.slip if state.felt is None else joint.slip + 0.5 * self.h * rate[2]
        gains = joint_gains.rule([joint.stiffness] * 2 + [joint.grip], 0.0, self.h)
        C, limit = np.array([r[0], r[1], slip]), joint.friction * joint.press
        trial = gains.K[2] * slip + gains.D[2] * rate[2]
        if abs(trial) > limit:  # it slips, or has no friction
            on = np.array([1.0, 1.0, 0.0])
            gains, C[2] = Gains(gains.G * on, gains.D * on, gains.K * on + (1.0 - on)), np.sign(trial) * limit
        return Rows(J, bias, C, gains, touching=True)

    def drifted(self, state, ends=None):
        """What slides past the line moves the middle of its bar, and gives it the velocity of the line there."""
        after = super().drifted(state, ends)
        p, v = after.p.copy(), after.v.copy()
        for bar, _, s in self.slides:
            R = after.R[bar]
            p[bar] += 0.25 * self.h * s * R[:, 2]
            v[bar] += 0.25 * self.h * s * R @ cross(state.w[bar], UP)
        return replace(after, p=p, v=v)

    def body_terms(self, state, force, torque):
        A, F = super().body_terms(state, force, torque)
        for i, body in enumerate(self.bodies):
            if isinstance(body, Solid):
                own = np.arange(6 * i, 6 * i + 6)
                A[own, own] += [*[body.mass] * 3, *body.inertia]
                F[own[:3]] -= body.mass * self.sea.gravity * UP
                w = state.w[i] if state.felt is None else state.w[i] + 0.5 * self.h * state.felt[i, 3:]
                F[own[3:]] -= cross(w, body.inertia * w)
        return A, F


class _Bodies(dict):
    """Body of a point by name; an attachment's is that of its owner."""

    def __missing__(self, name):
        return self[name.partition(".")[0]]


class RiggedTwin(Twin):
    """A system in air with rings, bodies and winches, compiled, and the same for the oracle."""

    def __init__(self, system):
        super().__init__(system, first_geometry(system))

    @property
    def free(self):
        return [name for name in (*self.system.points, *self.system.bodies) if self.system.place(name).is_free]

    def build(self):
        system = self.system
        self.bodies, self.position_joints, self.rotation_joints, self.contacts = [], [], [], []
        self.cable_parts, self.rings, self.standing = [], [], []
        bars = sum(cable.element_count for cable in system.cables.values())
        self.point_body = _Bodies((name, bars + k) for k, name in enumerate((*system.points, *system.bodies)))
        for number, cable in enumerate(system.cables.values()):
            self.add_cable(number, cable)
        for name in self.point_body:
            place = system.place(name)
            if name in system.bodies:
                self.bodies.append(Solid(place.owner.mass, np.array(place.owner.inertia)))
            elif place.is_free:
                self.bodies.append(FreePoint(place.owner.mass, place.owner.inertia))
            else:
                self.bodies.append(PrescribedPoint())
        for name, point in system.points.items():
            if point.kind == "sliding":
                cable = system.cables[point.cable]
                k = max(system.types[s.type_name].ea / s.length for s in cable.segments(system))
                moved = point.mass + 0.25 * sum(self.bars_at(name))
                host = list(system.cables).index(point.cable)
                self.rings.append(Ring(self.point_body[name], host, k, min(k, moved / self.h**2), point.friction))
        self.settle_rings()
        return RiggedBars(
            bodies=tuple(self.bodies), h=self.h, sea=self.sea, position_joints=tuple(self.position_joints),
            rotation_joints=(*self.rotation_joints, *self.rings), geometric=self.geometric_form(),
            slides=tuple(self.slides()),
        )  # fmt: skip

    def bars_at(self, name):
        """Masses of the bars that end in a point, kg."""
        for cable in self.system.cables.values():
            segments = cable.segments(self.system)
            for end, s in ((cable.start, segments[0]), (cable.end, segments[-1])):
                if end.point == name:
                    yield self.system.types[s.type_name].mass_per_metre * s.length

    def slides(self):
        """Growth of bars at t = 0: at the drum, or of all of them evenly."""
        first = 0
        for cable in self.system.cables.values():
            count, winch = cable.element_count, cable.winch
            if winch is not None and winch.mode == "drum":
                at_end = winch.end == "end"
                yield first + (count - 1 if at_end else 0), 1.0 if at_end else -1.0, winch.rate * (2 * at_end - 1)
            elif winch is not None:
                for i in range(count):
                    growth = winch.rate / count
                    yield first + i, -1.0, -0.5 * growth
                    yield first + i, 1.0, 0.5 * growth
            first += count

    def lengths(self, number, segments):
        lengths = super().lengths(number, segments)
        first = sum(cable.element_count for cable in list(self.system.cables.values())[:number])
        if self.second:  # it has grown for half a step where it is solved
            for bar, side, s in self.slides():
                if first <= bar < first + len(lengths):
                    lengths[bar - first] += 0.5 * self.h * side * s
        return lengths

    def hinges(self):
        return len(self.rotation_joints) + len(self.rings)

    def join(self, number, joint, A, B, sides):
        cable = list(self.system.cables.values())[number]
        if joint == 0 and "." in cable.start.point:
            A = (A[0], np.array(self.system.place(cable.start.point).offset))
        if joint == cable.element_count and "." in cable.end.point:
            B = (B[0], np.array(self.system.place(cable.end.point).offset))
        super().join(number, joint, A, B, sides)

    def rest(self, number, bar, direction):
        frame = super().rest(number, bar, direction)
        cable = list(self.system.cables.values())[number]
        end = cable.start if bar == 0 else cable.end
        if "." not in end.point:
            return frame
        own = self.tables.hub_state.turn[self.free.index(end.point.partition(".")[0])]
        return product(conjugate(own), frame)

    def settle_rings(self):
        """Where the compiled state has its rings now."""
        for ring, (bar, slip, press) in zip(self.rings, self.tables.block("ring_state"), strict=True):
            place = self.places[ring.host]
            before = sum(len(other.bars) for other in self.places[: ring.host])
            ring.bar = before + list(place.bars).index(int(bar))
            ring.slip, ring.press = (-slip if place.backwards else slip), press
