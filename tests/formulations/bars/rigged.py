"""Rings, rigid bodies and winches for the dense oracle: their rows at full width, derived on their own.

A ring on bar n hangs in a line that runs from the bar's ends P and Q to it. The bar is c long, and c̈ is an unknown: it
has the place of the ring's first angular acceleration. The line pulls with T along the gradient of |d₁| + |d₂|, with
d₁ = p_ring - P and d₂ = p_ring - Q, at the end of the step: Newton's method about where the step leads. The end of a
bar that grows there at the rate s slides past the line: ẋ = v + w × r + s t, ẍ = a + α × r + w × (w × r) + 2 s (w × t).
"""

from dataclasses import dataclass, replace

import numpy as np
from oracle.dense_bars import DenseBars, Rows
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
    """A ring and where it is: bodies of ring and bar, stiffness across and of the friction's spring N/m, EI/L of the
    host N m, µ, weight N and length m of the bars; slip m (file's direction) and press N, by how much the bar is
    shortened m and how fast m/s, the bar it was on before and by how much that is shortened, the pull N."""

    ring: int
    host: int
    stiffness: float
    grip: float
    bending: float
    friction: float
    weights: dict
    wholes: dict
    bar: int = -1
    slip: float = 0.0
    press: float = 0.0
    short: float = 0.0
    rate: float = 0.0
    left: int = -1
    owed: float = 0.0
    pull: float = 0.0


def unit(v):
    return v / np.linalg.norm(v)


def across(u):
    """Projection (3, 3) onto what is normal to a unit vector."""
    return np.eye(3) - np.outer(u, u)


@dataclass(frozen=True)
class RiggedBars(DenseBars):
    """With rings, bodies with levers, and `slides`: {(bar, offset's sign): s m/s}."""

    slides: tuple[tuple[int, float, float], ...] = ()
    rings: tuple[Ring, ...] = ()
    aims: tuple = ()

    def point_rows(self, state, end):
        body, offset = end
        if np.ndim(offset) == 0:
            for ring in self.rings:
                if ring.bar == body or ring.left == body:
                    offset = offset - 0.5 * np.sign(offset) * self.missing(state, ring, body)
            x, J, bias = super().point_rows(state, (body, offset))
            for ring in self.rings:
                if ring.bar == body and self.bends(ring):
                    axis, side = state.R[body][:, 2], np.sign(offset)
                    J[:, 6 * ring.ring + 3] += 0.5 * side * axis
                    bias = bias - side * ring.rate * state.R[body] @ cross(state.w[body], UP)
            return x, J, bias
        R, w, r = matrix(state.q[body]), state.w[body], np.asarray(offset, dtype=float)
        J = np.zeros((3, 6 * len(self.bodies)))
        J[:, 6 * body : 6 * body + 3] = np.eye(3)
        J[:, 6 * body + 3 : 6 * body + 6] = -R @ skew(r)
        return state.p[body] + R @ r, J, R @ cross(w, cross(w, r))

    def missing(self, state, ring, body):
        """By how much a ring shortens a bar where the step is solved: the second-order step half a step later."""
        half = 0.0 if state.felt is None else 0.5
        short, owed = ring.short + half * self.h * ring.rate, (1.0 - 0.25 * half) * ring.owed
        return (short if ring.bar == body else 0.0) + (owed if ring.left == body else 0.0)

    def bends(self, ring):
        """Whether the line bends over a ring: it is alone on its bar."""
        return sum(other.bar == ring.bar for other in self.rings) == 1

    def growing(self):
        """`slides`, and those of bars that rings have left: a quarter of what they lack in a step."""
        repaid = [(ring.left, 0.25 * ring.owed / self.h) for ring in self.rings]
        return (*self.slides, *((bar, side, 0.5 * side * rate) for bar, rate in repaid for side in (-1.0, 1.0)))

    def velocity(self, state):
        u = super().velocity(state).copy()
        for ring in self.rings:
            u[6 * ring.ring + 3] = -ring.rate if self.bends(ring) else 0.0
        return u

    def geometric_stiffness(self, state):
        k_g = super().geometric_stiffness(state)
        for ring in self.rings:
            for body in {ring.bar, ring.left}:
                k_g[body] *= 1.0 - self.missing(state, ring, body) / ring.wholes[body]
        return k_g

    def position_rows(self, state, joint):
        rows = super().position_rows(state, joint)
        C, bias = rows.C.copy(), rows.bias.copy()
        for sign, (body, offset) in ((-1.0, joint.A), (1.0, joint.B)):
            for bar, side, s in self.growing():
                if bar == body and np.ndim(offset) == 0 and side * offset > 0.0:
                    R = matrix(state.q[body])
                    C += sign * s * R[:, 2] * rows.gains.D / rows.gains.K  # D Ċ of the part of Ċ that is not J u
                    bias += sign * 2.0 * s * R @ cross(state.w[body], UP)
        return Rows(rows.J, bias, C, rows.gains)

    def known_accelerations(self, acceleration):
        u_dot, unknown = super().known_accelerations(acceleration)
        for ring in self.rings:
            unknown[6 * ring.ring + 3] = self.bends(ring)
        return u_dot, unknown

    # ---- rings ----
    def pieces(self, state, ring):
        """Of d₁ and d₂: value, J, J̇u and rate."""
        R, J_ring, _ = super().point_rows(state, (ring.ring, 0.0))
        found = []
        for side in (-1.0, 1.0):
            x, J, bias = self.point_rows(state, (ring.bar, 0.5 * side * ring.wholes[ring.bar]))
            J = J_ring - J
            found.append((R - x, J, -bias, J @ self.velocity(state)))
        return found

    def aimed(self, state, ring, gains):
        """d₁ and d₂ at the end of the step, with their accelerations as far as they are known."""
        pieces = zip(self.pieces(state, ring), gains, strict=True)
        return [d + self.h * rate + self.h**2 * g for (d, _, _, rate), g in pieces]

    def line(self, state, ring, aims):
        """Directions of d₁ and d₂: short pieces, below 2 % of the element, follow the force in the line."""
        least, found = 0.02 * ring.wholes[ring.bar], []
        for side, d in zip((0, 1), aims, strict=True):
            if np.linalg.norm(d) > least:
                found.append((unit(d), np.linalg.norm(d)))
                continue
            (force,) = [
                f for joint, f in zip(self.position_joints, state.previous, strict=True)
                if (joint.B if side == 0 else joint.A)[0] == ring.bar
                and (-1 if side == 0 else 1) * (joint.B if side == 0 else joint.A)[1] > 0
            ]  # fmt: skip
            u = unit(force) * (1.0 if side == 0 else -1.0)
            found.append((u, u @ d))
        return found

    def ring_rows(self, state, ring, aim):
        """[(G, J, β)] of the rows of a ring, λ = G J u̇ + β: matrices G (3, 3) or numbers."""
        gains, taut, pull = aim
        whole, h = ring.wholes[ring.bar], self.h
        (d1, J1, b1, r1), (d2, J2, b2, r2) = self.pieces(state, ring)
        axis = state.R[ring.bar][:, 2]
        bends = self.bends(ring)
        at = 0.5 * (np.linalg.norm(d1) - np.linalg.norm(d2)) if bends else 0.5 * (d1 + d2) @ axis
        aims = self.aimed(state, ring, gains)
        (u1, s1), (u2, s2) = self.line(state, ring, aims) if bends else ((axis, 0.0), (-axis, 0.0))
        rows = []
        along, rate = 0.5 * (u1 @ J1 - u2 @ J2), 0.5 * (u1 @ r1 - u2 @ r2)
        slip = ring.slip if state.felt is None else ring.slip + 0.5 * h * rate
        trial, limit = ring.grip * (slip + h * rate), ring.friction * ring.press
        if limit > 0.0:
            slips = abs(trial) > limit
            rows.append((0.0 if slips else h * h * ring.grip, along, np.clip(trial, -limit, limit)))
        part = min(1.0, max(0.0, 0.5 + at / whole))
        k = ring.stiffness
        if bends:
            k = min(k, 3.0 * ring.bending / (whole**2 * max(part * (1.0 - part), 0.02) ** 3))
        mean = [(1.0 - part) * one + part * two for one, two in ((d1, d2), (J1, J2), (b1, b2), (r1, r2))]
        P = across(axis)
        rows.append((h * h * k * P, mean[1], k * P @ (mean[0] + h * mean[3]) + h * h * k * P @ mean[2]))
        if not bends:
            return rows
        half = 0.5 * ring.weights[ring.bar]
        rise = (d1 - d2)[2]  # Q above P
        rows.append((0.0, half * ((1.0 - part) * J1[2] + part * J2[2]), 1.0))
        rows.append((0.0, along, -half * rise / whole))
        k = 1000.0 * ring.stiffness
        ahead = u1 @ (b1 - gains[0]) + u2 @ (b2 - gains[1])
        if taut:
            rows.append((h * h * k, u1 @ J1 + u2 @ J2, k * (s1 + s2 - whole) + h * h * k * ahead))
        for u, J, b, d, g in ((u1, J1, b1, aims[0], gains[0]), (u2, J2, b2, aims[1], gains[1])):
            least = 0.02 * whole
            string = pull / max(np.linalg.norm(d), least) * across(u)
            pulled = string @ d if np.linalg.norm(d) <= least else 0.0
            rows.append((h * h * string, J, pulled + h * h * string @ (b - g)))
        return rows

    def equations(self, state, force, torque):
        A, F, *others = super().equations(state, force, torque)
        for ring, aim in zip(self.rings, self.aims, strict=True):
            for G, J, beta in self.ring_rows(state, ring, aim):
                J = np.atleast_2d(J)
                A += J.T @ np.atleast_2d(G) @ J
                F -= J.T @ np.atleast_1d(beta)
        return A, F, *others

    def solve(self, state, acceleration=None, force=None, torque=None):
        """Newton's method for the rings: at most eight times, while a piece is led off by more than 0.3 % of its length
        or the line pulls the wrong way."""
        aims = []
        for ring in self.rings:
            gains = [b for _, _, b, _ in self.pieces(state, ring)]
            slack = True
            if self.bends(ring):
                line = self.line(state, ring, self.aimed(state, ring, gains))
                slack = sum(s for _, s in line) <= ring.wholes[ring.bar]
            aims.append((gains, ring.pull > 0.0 or not slack, ring.pull))
        tries = [0] * len(aims)
        while True:
            now = replace(self, aims=tuple(aims))
            found = DenseBars.solve(now, state, acceleration, force, torque)
            u_dot, again = np.hstack([found.a, found.alpha]).ravel(), False
            for k, (ring, (gains, taut, _)) in enumerate(zip(self.rings, aims, strict=True)):
                if not self.bends(ring) or tries[k] == 8:
                    continue
                before, least = self.aimed(state, ring, gains), 0.02 * ring.wholes[ring.bar]
                led = [J @ u_dot + b for _, J, b, _ in self.pieces(state, ring)]
                after = self.aimed(state, ring, led)
                both = zip(before, after, strict=True)
                off = max(np.linalg.norm(b - a) / max(least, np.linalg.norm(a)) for a, b in both)
                pull = 0.0
                if taut:
                    *_, (G, J, beta), _, _ = now.ring_rows(state, ring, aims[k])
                    pull = G * (J @ u_dot) + beta
                changes = pull < 0.0 if taut else sum(map(np.linalg.norm, after)) > ring.wholes[ring.bar]
                if changes or (off > 0.003 and taut):
                    share = 1.0 if tries[k] < 4 else 0.5
                    gains = [a + share * (b - a) for a, b in zip(gains, led, strict=True)]
                    aims[k], again = (gains, bool(taut) != bool(changes), max(0.0, pull)), True
                    tries[k] += 1
            if not again:
                return found

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
                segments = [(system.types[s.type_name], s.length) for s in cable.segments(system)]
                k, bending = (max(getattr(t, name) / length for t, length in segments) for name in ("ea", "ei"))
                moved = point.mass + 0.25 * sum(self.bars_at(name))
                host = list(system.cables).index(point.cable)
                first = sum(other.element_count for other in list(system.cables.values())[:host])
                lengths = self.lengths(host, cable.segments(system))
                weights = {
                    first + i: t.mass_per_metre * length * self.sea.gravity
                    for i, ((t, _), length) in enumerate(zip(segments, lengths, strict=True))
                }
                wholes = {first + i: length for i, length in enumerate(lengths)}
                grip = min(k, moved / self.h**2)
                ring = Ring(self.point_body[name], host, k, grip, bending, point.friction, weights, wholes)
                self.rings.append(ring)
        self.settle_rings()
        return RiggedBars(
            bodies=tuple(self.bodies), h=self.h, sea=self.sea, position_joints=tuple(self.position_joints),
            rotation_joints=tuple(self.rotation_joints), geometric=self.geometric_form(),
            slides=tuple(self.slides()), rings=tuple(self.rings),
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
        return len(self.rotation_joints)

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
        for ring, row in zip(self.rings, self.tables.block("ring_state"), strict=True):
            bar, slip, ring.press, ring.short, ring.rate, left, ring.owed, ring.pull = row
            place = self.places[ring.host]
            before = sum(len(other.bars) for other in self.places[: ring.host])
            ring.bar, ring.left = (before + list(place.bars).index(int(b)) for b in (bar, left))
            ring.slip = -slip if place.backwards else slip
