"""One time step of a system of bars and points with full matrices: slow, plain, and derived on its own.

Body i is a bar, a free point or a prescribed point, with position p (global, a bar's centre), unit quaternion q
(scalar first, local to global; local z runs along a bar from its start to its end), velocity v (GLOBAL) and angular
velocity w (BODY). Unknown: a (global) and alpha (body). All bodies share u = (v₀, w₀, v₁, w₁, …), 6 numbers a body, so

    (M + Σ JᵀGJ) u̇ = F - Σ Jᵀ (G (J̇u) + D (Ju) + K C),    λ = G (J u̇ + J̇u) + D (Ju) + K C,

every row of every joint written into a full-width J. Prescribed bodies keep their columns: their known acceleration
multiplies them on the right-hand side.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from oracle.joint_gains import SPRING, STRING, Gains
from oracle.loads import bar_terms, point_terms
from oracle.parts import UP, Bar, Contact, FreePoint, PositionJoint, PrescribedPoint, RotationJoint, Sea
from oracle.quaternions import EYE, IDENTITY, conjugate, cross, exponential, matrix, product, shortest_turn, skew


@dataclass(frozen=True)
class State:
    """p, v, w (n, 3), q (n, 4), and what the step before left behind.

    previous (joints, 3): λ of the position joints; anchor (contacts, 3) and pressed (contacts,): where the shear spring
    of each bar end holds on to the bed, and the normal force there, N (0 while it does not touch).

    Of the second-order step also felt (n, 6): accelerations; parted, twisted (joints, 3): C̈ of position and rotation
    joints; earlier (joints,): tension a step before that of `previous`. None (felt): the first-order step.
    """

    p: np.ndarray
    q: np.ndarray
    v: np.ndarray
    w: np.ndarray
    previous: np.ndarray
    anchor: np.ndarray
    pressed: np.ndarray
    felt: np.ndarray | None = None
    parted: np.ndarray | None = None
    twisted: np.ndarray | None = None
    earlier: np.ndarray | None = None

    @cached_property
    def R(self):
        """R(q) of every body, which is asked for again and again."""
        return [matrix(q) for q in self.q]


@dataclass(frozen=True)
class Solution:
    """Accelerations a, alpha (n, 3) and multipliers of the rows; a bed row out of contact has λ = 0.

    contact (contacts,): λ of the normal rows, N, negative where the bed pushes; friction (contacts, 3): force on the
    bar end in the plane of the bed, N.
    """

    a: np.ndarray
    alpha: np.ndarray
    position: np.ndarray
    rotation: np.ndarray
    contact: np.ndarray
    friction: np.ndarray
    parted: np.ndarray | None = None
    twisted: np.ndarray | None = None


@dataclass(frozen=True)
class Rows:
    """Some constraint rows: J (rows, 6n), J̇u, C and gains; `memory` is b₀h²C̈′ of the step before, beside C.

    C̈ is remembered in the axes of a `frame` (3, 3), and rows of the bed are `touching`.
    """

    J: np.ndarray
    bias: np.ndarray
    C: np.ndarray
    gains: Gains
    memory: np.ndarray | float = 0.0
    touching: bool = False
    frame: np.ndarray | None = None

    def remembering(self, past):
        """With b₀h²C̈′ of the second-order step."""
        return replace(self, C=self.C + past, memory=past)


@dataclass(frozen=True)
class DenseBars:
    """A system and its step h.

    `geometric` is "off", "undamped", "damped", or "auto": undamped while h < 2/ω of the bar's turning, ω² = k_g/J; of
    the second-order step "filtered", where `strings` are tensions of joints, N, that its passes have found,
    and `slack` the position joints of cables of which one was loose in the step before.
    """

    bodies: tuple[Bar | FreePoint | PrescribedPoint, ...]
    h: float
    sea: Sea = field(default_factory=Sea)
    position_joints: tuple[PositionJoint, ...] = ()
    rotation_joints: tuple[RotationJoint, ...] = ()
    contacts: tuple[Contact, ...] = ()
    geometric: str = "off"
    strings: tuple[float, ...] = ()
    slack: frozenset[int] = frozenset()

    def at_rest(self, p, q=None):
        """A State without motion at p (n, 3), frames q (n, 4)."""
        n = len(self.bodies)
        q = np.tile(IDENTITY, (n, 1)) if q is None else np.asarray(q, dtype=float)
        zero = np.zeros((n, 3))
        contacts = len(self.contacts)
        previous = np.zeros((len(self.position_joints), 3))
        return State(np.asarray(p, dtype=float), q, zero, zero, previous, np.zeros((contacts, 3)), np.zeros(contacts))

    # ---- kinematics ----
    def point_rows(self, state, end):
        """Position (3,), J (3, 6n) and J̇u (3,) of a material point on a body's local z."""
        body, offset = end
        R, w, r = state.R[body], state.w[body], offset * UP
        J = np.zeros((3, 6 * len(self.bodies)))
        J[:, 6 * body : 6 * body + 3] = EYE
        J[:, 6 * body + 3 : 6 * body + 6] = -R @ skew(r)
        return state.p[body] + R @ r, J, R @ cross(w, cross(w, r))

    def position_rows(self, state, joint):
        xA, JA, biasA = self.point_rows(state, joint.A)
        xB, JB, biasB = self.point_rows(state, joint.B)
        J, bias, C = JB - JA, biasB - biasA, xB - xA
        if joint.host is None:
            return Rows(J, bias, C, joint.gains)
        axis = state.R[joint.host][:, 2]
        turning = cross(state.R[joint.host] @ state.w[joint.host], axis)
        along = np.outer(axis, axis)
        across, u = EYE - along, self.velocity(state)
        ends = [] if joint.loose else [(along @ J, along @ bias, along @ C)]
        overlap, later = min(0.0, axis @ C), min(0.0, axis @ (C + self.h * (J @ u)))
        sliding = 2.0 * (later - overlap) / self.h * turning
        if joint.host == joint.A[0]:
            xA, JA, biasA = self.point_rows(state, (joint.host, joint.A[1] + overlap))
            biasA = biasA + sliding
        else:
            xB, JB, biasB = self.point_rows(state, (joint.host, joint.B[1] - overlap))
            biasB = biasB - sliding
        ends.append((across @ (JB - JA), across @ (biasB - biasA), across @ (xB - xA)))
        return Rows(*(sum(rows) for rows in zip(*ends, strict=True)), joint.gains)

    def rotation_rows(self, state, joint):
        i, j = joint.body_1, joint.body_2
        to_rest = matrix(joint.rest).T
        w1, w2 = to_rest @ state.w[i], state.w[j]
        relative = product(conjugate(product(state.q[i], joint.rest)), state.q[j])
        if relative[0] < 0.0:
            relative = -relative
        s, u = relative[0], relative[1:]
        J = np.zeros((3, 6 * len(self.bodies)))
        if not any(row[2] for row in (joint.gains.G, joint.gains.D, joint.gains.K)):
            return self.swing_rows(matrix(relative), to_rest, w1, w2, J, joint)
        J[:, 6 * i + 3 : 6 * i + 6] = -(s * EYE - skew(u)) @ to_rest
        J[:, 6 * j + 3 : 6 * j + 6] = s * EYE + skew(u)
        s_dot = -0.5 * u @ (w2 - w1)
        u_dot = 0.5 * (s * (w2 - w1) + cross(u, w2 + w1))
        return Rows(J, s_dot * (w2 - w1) + cross(u_dot, w2 + w1), 2.0 * u, joint.gains)

    def turned_rate(self, w):
        """ẇ of what is constant in axes that spin with w_z, so that w + h ẇ is w turned by Cayley's rotation."""
        spin = self.h * skew([0.0, 0.0, w[2]])
        across = np.array([w[0], w[1], 0.0])
        return (np.linalg.solve(EYE - 0.5 * spin, (EYE + 0.5 * spin) @ across) - across) / self.h

    def swing_rows(self, turn, to_rest, w1, w2, J, joint):
        """Bending without torsion: the angle φ between the axes alone, C = 2 sin(φ/2) about the normal of their plane.

        Angular velocities are compared in axes that do not spin: those of body 1, and those of body 2 turned back by
        the shortest way from one axis to the other.
        """
        i, j = joint.body_1, joint.body_2
        axis = turn @ [0.0, 0.0, 1.0]
        cosine = np.sqrt(0.5 * (1.0 + axis[2]))
        back = matrix(shortest_turn(np.array([0.0, 0.0, 1.0]), axis)).T @ turn
        across = np.diag([cosine, cosine, 0.0])
        J[:, 6 * i + 3 : 6 * i + 6] = -across @ to_rest
        J[:, 6 * j + 3 : 6 * j + 6] = across @ back
        slower = cross(turn @ w2 - w1, axis)[2] / (4.0 * cosine)
        spun = [self.turned_rate(w) for w in (w1, back @ w2)]
        bias = slower * np.diag([1.0, 1.0, 0.0]) @ (back @ w2 - w1) + across @ (spun[1] - spun[0])
        frame = back if joint.from_second else None
        return Rows(J, bias, np.array([-axis[1], axis[0], 0.0]) / cosine, joint.gains, frame=frame)

    def contact_rows(self, state, contact, number):
        """The row of one bar end or standing point, or None while it is free to leave (no adhesion).

        Both tests look a step ahead; what pressed on the bed before counts with its fall in free water.
        """
        n = self.sea.bed_normal
        x, J, bias = self.point_rows(state, contact.end)
        gap = n @ (x - self.sea.bed_point) - contact.radius
        rate = n @ J @ self.velocity(state)
        body = self.bodies[contact.end[0]]
        displaced = self.sea.water_density * body.volume
        added = body.added_mass if isinstance(body, FreePoint) else body.added_normal * displaced
        sinking = (displaced - body.mass) * self.sea.gravity / (body.mass + added)
        fall = min(0.0, n[2] * sinking) if state.pressed[number] > 0.0 else 0.0
        gains = contact.gains
        push = gains.K[0] * gap + gains.D[0] * rate + gains.G[0] * fall
        if push < 0.0 and gap + self.h * rate + self.h**2 * fall < 0.0:
            return Rows((n @ J)[None, :], np.array([n @ bias]), np.array([gap]), contact.gains, touching=True)
        return None

    def friction_rows(self, state, contact, number):
        """Rows in the two tangents of the bed (3 of rank 2) and the force that replaces them while the end slips.

        A shear spring from the anchor; where it would carry more than µ times the normal force of the step before it
        slips, and what acts is that limit against the trial force. A fresh contact has no normal force yet.
        """
        n, law = self.sea.bed_normal, contact.friction
        limit = 0.0 if law is None else law.mu * state.pressed[number]
        if limit == 0.0:
            return None, np.zeros(3)
        in_bed = EYE - np.outer(n, n)
        x, J, bias = self.point_rows(state, contact.end)
        rows = Rows(in_bed @ J, in_bed @ bias, in_bed @ (x - state.anchor[number]), law.gains, touching=True)
        trial = law.gains.K * rows.C + law.gains.D * (rows.J @ self.velocity(state))
        if np.linalg.norm(trial) > limit:
            return None, -limit * trial / np.linalg.norm(trial)
        return rows, np.zeros(3)

    def rate(self, state, rows):
        """Ċ at the beginning of the step; J of a second-order step is that of its middle."""
        u = self.velocity(state)
        if state.felt is None or rows.touching:
            return rows.J @ u
        return rows.J @ u - 0.5 * self.h * rows.bias

    def velocity(self, state):
        """u (6n,) = (v₀, w₀, v₁, w₁, …)."""
        return np.hstack([state.v, state.w]).ravel()

    # ---- inertia and forces ----
    def is_caught(self, state, number, axis=None):
        """Whether a joint that only pulls was loose before the second-order step, its λ not along the line, or pulls
        more than twice as hard in it."""
        joint, force = self.position_joints[number], state.previous[number]
        if joint.host is None or state.felt is None:
            return False
        along = force @ (state.R[joint.host][:, 2] if axis is None else axis)
        struck = self.strings and self.strings[number] > 2.0 * along
        return bool(struck) or number in self.slack or not (along > 0.0 and abs(along) > 0.1 * np.linalg.norm(force))

    def caught_bars(self, state):
        """Bars with a joint that is caught, as each of them sees it."""
        found = set()
        for number, joint in enumerate(self.position_joints):
            for body, _ in (joint.A, joint.B):
                if isinstance(self.bodies[body], Bar) and self.is_caught(state, number, state.R[body][:, 2]):
                    found.add(body)
        return found

    def geometric_stiffness(self, state):
        """k_g (n,) N m of every bar: its end joints pull outward with o·f_z, from the multipliers of the last step; in
        the second-order step grown as they grew in the step before, by half at most, or what a pass has found."""
        k_g = np.zeros(len(self.bodies))
        for k, (joint, force) in enumerate(zip(self.position_joints, state.previous, strict=True)):
            for (body, offset), f in ((joint.A, force), (joint.B, -force)):
                if isinstance(self.bodies[body], Bar):
                    pull = np.sign(offset) * (state.R[body].T @ f)[2]
                    if state.felt is not None:
                        grown = max(0.0, abs(pull) - state.earlier[k]) if state.earlier[k] > 0.0 else 0.0
                        pull = max(pull + min(grown, 0.5 * abs(pull)), self.strings[k] if self.strings else 0.0)
                    k_g[body] += abs(offset) * max(0.0, pull)
        return k_g

    def body_terms(self, state, force, torque):
        """Full matrix (6n, 6n) and right-hand side (6n,) without joints; loads are global, (n, 3)."""
        n, h = len(self.bodies), self.h
        A, F = np.zeros((6 * n, 6 * n)), np.zeros(6 * n)
        k_g = self.geometric_stiffness(state)
        for i, body in enumerate(self.bodies):
            own = slice(6 * i, 6 * i + 6)
            if isinstance(body, Bar):
                A[own, own], F[own] = bar_terms(body, state, i, self.sea, h)
                bending = np.diag([0.0, 0.0, 0.0, k_g[i], k_g[i], 0.0])
                form = self.geometric
                if form == "filtered" and i in self.caught_bars(state):
                    form = "damped"
                if form == "auto":
                    form = "undamped" if h**2 * k_g[i] < 4.0 * A[6 * i + 3, 6 * i + 3] else "damped"
                if form == "damped":
                    A[own, own] += h**2 * bending
                    F[6 * i + 3 : 6 * i + 5] -= h * k_g[i] * state.w[i, :2]
                elif form == "undamped":
                    A[own, own] += 0.25 * h**2 * bending
                elif form == "filtered":
                    A[own, own] += STRING[0] * h**2 * bending
                    F[own] -= STRING[1] * h**2 * bending @ state.felt[i]
            elif isinstance(body, FreePoint):
                felt = None if state.felt is None else state.felt[i, :3]
                A[own, own], F[own] = point_terms(body, state.p[i], state.v[i], self.sea, h, felt)
            F[6 * i : 6 * i + 3] += force[i]
            F[6 * i + 3 : 6 * i + 6] += state.R[i].T @ torque[i]
        return A, F

    # ---- one step ----
    def solve(self, state, acceleration=None, force=None, torque=None):
        """Accelerations and multipliers at `state`; `acceleration` (n, 3) of the prescribed points, loads (n, 3)."""
        n = len(self.bodies)
        acceleration, force, torque = (np.zeros((n, 3)) if x is None else x for x in (acceleration, force, torque))
        A, F, positions, rotations, contacts, shears, slipping = self.equations(state, force, torque)
        u_dot, unknown = self.known_accelerations(acceleration)
        u_dot[unknown] = np.linalg.solve(A[np.ix_(unknown, unknown)], (F - A @ u_dot)[unknown])

        def multiplier(rows):
            g = rows.gains
            return g.G * (rows.J @ u_dot + rows.bias) + g.D * self.rate(state, rows) + g.K * rows.C

        def change(rows):
            return rows.J @ u_dot + rows.bias

        kept = [np.zeros(3) if self.is_caught(state, k) else change(rows) for k, rows in enumerate(positions)]
        return Solution(
            a=u_dot.reshape(n, 6)[:, :3],
            alpha=u_dot.reshape(n, 6)[:, 3:],
            position=np.array([multiplier(rows) for rows in positions]).reshape(-1, 3),
            rotation=np.array([multiplier(rows) for rows in rotations]).reshape(-1, 3),
            contact=np.array([0.0 if rows is None else multiplier(rows)[0] for rows in contacts]),
            friction=slipping - np.array([np.zeros(3) if r is None else multiplier(r) for r in shears]).reshape(-1, 3),
            parted=np.array(kept).reshape(-1, 3),
            twisted=np.array(
                [change(rows) if rows.frame is None else rows.frame.T @ change(rows) for rows in rotations]
            ).reshape(-1, 3),
        )

    def moved_by(self, state, wrenches, force, torque):
        """u̇ (k, 6n) that each of the wrenches (k, 6n) on the bodies, in the order of u, adds to what loads give."""
        A = self.equations(state, force, torque)[0]
        _, unknown = self.known_accelerations(np.zeros((len(self.bodies), 3)))
        moved = np.zeros_like(wrenches)
        moved[:, unknown] = np.linalg.solve(A[np.ix_(unknown, unknown)], wrenches[:, unknown].T).T
        return moved

    def equations(self, state, force, torque):
        """A u̇ = F of all bodies, and the rows of joints, contacts and friction that are in them."""
        A, F = self.body_terms(state, force, torque)
        positions = [self.position_rows(state, joint) for joint in self.position_joints]
        rotations = [self.rotation_rows(state, joint) for joint in self.rotation_joints]
        if state.felt is not None:
            b0 = SPRING[1] * self.h**2
            for k, rows in enumerate(positions):
                if self.is_caught(state, k):
                    positions[k] = replace(rows, gains=self.position_joints[k].late)
                else:
                    positions[k] = rows.remembering(b0 * state.parted[k])
            rotations = [
                rows.remembering(b0 * (past if rows.frame is None else rows.frame @ past))
                for rows, past in zip(rotations, state.twisted, strict=True)
            ]
        contacts = [self.contact_rows(state, contact, k) for k, contact in enumerate(self.contacts)]
        shears: list[Rows | None] = [None] * len(contacts)
        slipping = np.zeros((len(contacts), 3))
        for k, (contact, rows) in enumerate(zip(self.contacts, contacts, strict=True)):
            if rows is not None:
                shears[k], slipping[k] = self.friction_rows(state, contact, k)
                F += self.point_rows(state, contact.end)[1].T @ slipping[k]

        active = [rows for rows in (*positions, *rotations, *contacts, *shears) if rows is not None]
        if active:
            J, bias, C = (np.concatenate([getattr(rows, name) for rows in active]) for name in ("J", "bias", "C"))
            G, D, K = (np.concatenate([getattr(rows.gains, name) for rows in active]) for name in "GDK")
            A += J.T @ (G[:, None] * J)
            rate = np.concatenate([self.rate(state, rows) for rows in active])
            F -= J.T @ (G * bias + D * rate + K * C)
        return A, F, positions, rotations, contacts, shears, slipping

    def known_accelerations(self, acceleration):
        """u̇ (6n,) with the known entries set, and the mask of the unknown ones.

        A free point that nothing holds in rotation (no clamp, no inertia) keeps its angular velocity.
        """
        clamped = {i for joint in self.rotation_joints for i in (joint.body_1, joint.body_2)}
        u_dot, unknown = np.zeros((len(self.bodies), 6)), np.ones((len(self.bodies), 6), dtype=bool)
        for i, body in enumerate(self.bodies):
            if isinstance(body, PrescribedPoint):
                u_dot[i, :3], unknown[i] = acceleration[i], False
            elif isinstance(body, FreePoint) and i not in clamped and body.inertia == 0.0:
                unknown[i, 3:] = False
        return u_dot.ravel(), unknown.ravel()

    def drifted(self, state, ends=None):
        """The state half a second-order step on; `ends` are places and velocities at its end of prescribed bodies,
        {body: (x₁, v₁)}, which are taken at x₁ - ½h v₁."""
        half = 0.5 * self.h
        p = state.p + half * state.v
        for body, (x1, v1) in (ends or {}).items():
            p[body] = x1 - half * v1
        q = np.array([product(frame, exponential(half * w)) for frame, w in zip(state.q, state.w, strict=True)])
        return replace(state, p=p, q=q / np.linalg.norm(q, axis=1, keepdims=True))

    def arrived(self, half_way, solution):
        """The state at the end of a second-order step that was solved half-way."""
        half, h = 0.5 * self.h, self.h
        v, w = half_way.v + h * solution.a, half_way.w + h * solution.alpha
        q = np.array([product(frame, exponential(half * rate)) for frame, rate in zip(half_way.q, w, strict=True)])
        after = replace(
            half_way, p=half_way.p + half * v, q=q / np.linalg.norm(q, axis=1, keepdims=True), v=v, w=w,
            previous=solution.position, pressed=np.maximum(0.0, -solution.contact),
            felt=np.hstack([solution.a, solution.alpha]), parted=solution.parted, twisted=solution.twisted,
            earlier=np.array([self.tension(half_way, k) for k in range(len(self.position_joints))]),
        )  # fmt: skip
        return replace(after, anchor=self.anchors(half_way, after))

    def tension(self, state, number):
        """Tension of the last step at a joint, along the bar it is reckoned to."""
        joint, force = self.position_joints[number], state.previous[number]
        return force @ state.R[joint.bar][:, 2]

    def advance(self, state, solution, theta=1.0, explicit=False):
        """The state one step later; `explicit` moves positions with the old velocity (explicit Euler)."""
        ahead = 0.0 if explicit else theta * self.h
        turns = [exponential(self.h * rate) for rate in state.w + ahead * solution.alpha]
        q = np.array([product(frame, turn) for frame, turn in zip(state.q, turns, strict=True)])
        after = replace(
            state,
            p=state.p + self.h * (state.v + ahead * solution.a),
            q=q / np.linalg.norm(q, axis=1, keepdims=True),
            v=state.v + self.h * solution.a,
            w=state.w + self.h * solution.alpha,
            previous=solution.position,
            pressed=np.maximum(0.0, -solution.contact),
        )
        return replace(after, anchor=self.anchors(state, after))

    def anchors(self, before, after):
        """Return mapping: anchors follow their end at a distance of µN/k at most, and start afresh at a touch."""
        n, anchor = self.sea.bed_normal, before.anchor.copy()
        for k, contact in enumerate(self.contacts):
            x = self.point_rows(after, contact.end)[0]
            if before.pressed[k] == 0.0 or after.pressed[k] == 0.0 or contact.friction is None:
                anchor[k] = x
                continue
            stretch = (EYE - np.outer(n, n)) @ (x - anchor[k])
            reach = contact.friction.mu * after.pressed[k] / contact.friction.gains.K[0]
            if np.linalg.norm(stretch) > reach:
                anchor[k] = x - reach * stretch / np.linalg.norm(stretch)
        return anchor
