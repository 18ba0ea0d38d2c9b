"""The same system for the dense oracle: from a `System`, not from its compiled arrays.

Bodies are the bars of each cable in the direction of the file, then the points. The compiled system may keep a cable in
the opposite direction: a bar's frame is then turned by half a turn about its x axis, F = diag(1, -1, -1).
"""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
from oracle import joint_gains
from oracle.dense_bars import DenseBars, State
from oracle.parts import (
    Bar,
    Contact,
    Drag,
    FreePoint,
    Friction,
    PositionJoint,
    PrescribedPoint,
    RotationJoint,
    Sea,
    constant_coefficients,
    reynolds_coefficients,
)
from oracle.quaternions import IDENTITY, matrix, product, shortest_turn

from fairlead.formulations.bars import compile_system
from fairlead.formulations.bars.build import takes_second_order

HALF_TURN = np.array([0.0, 1.0, 0.0, 0.0])
F = np.diag([1.0, -1.0, -1.0])


class Twin:
    """A system compiled, and the same system as an oracle."""

    def __init__(self, system, geometry):
        self.system = system
        settings = system.simulation
        self.h, self.bars_settings = settings.step, settings.bars
        self.scheme = "semi_implicit" if settings.integrator == "auto" else settings.integrator
        self.explicit = self.scheme == "explicit_euler"
        self.theta = 1.0 if self.explicit else settings.bars.theta
        self.second = self.scheme == "semi_implicit" and takes_second_order(system)
        self.compiled = compile_system(system, geometry)
        self.y = self.compiled.initial_state()
        self.tables = self.compiled.tables(self.y)
        self.places = self.compiled_places()
        self.sea = self.oracle_sea()
        self.oracle = self.build()

    # ---- who is who ----
    def compiled_places(self):
        """For each cable: compiled bar and joint numbers in the direction of the file, and whether that is reversed."""
        places = []
        cable = self.tables.cable
        for c, (first, count) in enumerate(zip(cable.first, cable.count, strict=True)):
            bars, joints = np.arange(first, first + count), np.arange(first + c, first + c + count + 1)
            backwards = cable.reversed[c] == 1
            step = -1 if backwards else 1
            places.append(SimpleNamespace(bars=bars[::step], joints=joints[::step], backwards=backwards))
        return places

    @property
    def prescribed(self):
        return [name for name, point in self.system.points.items() if point.kind != "free"]

    @property
    def free(self):
        return [name for name, point in self.system.points.items() if point.kind == "free"]

    # ---- building the oracle ----
    def oracle_sea(self):
        env = self.system.environment
        table = np.array([[z, *velocity] for z, velocity in env.current_table]).reshape(-1, 4)

        def current(z):
            if not len(table):
                return np.zeros(3)
            return np.array([np.interp(z, table[:, 0], column) for column in table.T[1:]])

        sea = Sea(env.water_density, env.gravity, current)
        if env.seabed is not None:
            normal = np.array([-env.seabed.slope[0], -env.seabed.slope[1], 1.0])
            point = np.array([0.0, 0.0, -env.seabed.depth])
            sea = replace(sea, bed_point=point, bed_normal=normal / np.linalg.norm(normal))
        return sea

    def gains(self, k, c):
        if self.explicit:
            return joint_gains.rule_explicit_euler(k, c, self.h)
        return joint_gains.rule(k, c, self.h, self.theta)

    def joint_gains(self, k, c, mass):
        """Gains of a joint between bodies that feel like a mass."""
        return joint_gains.second_order(k, c, mass, self.h) if self.second else self.gains(k, c)

    def bar(self, kind, length, lumps):
        env = self.system.environment
        drag = None
        if kind.drag == "reynolds":
            drag = Drag(reynolds_coefficients(kind.diameter, env.viscosity), np.pi * kind.diameter)
        elif kind.drag != "none":
            perimeter = kind.diameter * (np.pi if kind.drag.axial_area == "surface" else 1.0)
            drag = Drag(constant_coefficients(kind.drag.normal, kind.drag.axial), perimeter)
        mass, added = kind.mass_per_metre * length, kind.added_mass
        return Bar(length, kind.diameter, mass, added.normal, added.axial, drag, tuple(lumps))

    def build(self):
        self.bodies, self.position_joints, self.rotation_joints, self.contacts = [], [], [], []
        self.cable_parts = []
        counts = [cable.element_count for cable in self.system.cables.values()]
        self.point_body = {name: sum(counts) + k for k, name in enumerate(self.system.points)}
        for number, cable in enumerate(self.system.cables.values()):
            self.add_cable(number, cable)
        self.standing = []
        for name, point in self.system.points.items():
            if point.kind == "free":
                if point.mass > 0:
                    self.add_foot(name, point)
                body = FreePoint(point.mass, point.inertia, point.volume, point.drag_area, point.added_mass)
            else:
                body = PrescribedPoint()
            self.bodies.append(body)
        return DenseBars(
            bodies=tuple(self.bodies),
            h=self.h,
            sea=self.sea,
            position_joints=tuple(self.position_joints),
            rotation_joints=tuple(self.rotation_joints),
            contacts=tuple(self.contacts),
            geometric=self.geometric_form(),
        )

    def geometric_form(self):
        """Explicit Euler has none; theta below 1, which feeds pendulum motions, always takes the damped one."""
        form = self.bars_settings.geometric_stiffness
        if self.second:
            return "filtered"
        if self.explicit:
            return "off"
        return "damped" if form == "auto" and self.theta < 1.0 else form

    def add_cable(self, number, cable):
        segments = cable.segments(self.system)
        kinds = [self.system.types[s.type_name] for s in segments]
        lengths = self.lengths(number, segments)
        edges = np.concatenate([[0.0], np.cumsum(lengths)])
        first = len(self.bodies)
        numbers = range(first, first + len(segments))
        for i, (kind, length) in enumerate(zip(kinds, lengths, strict=True)):
            lumps = [
                (a.at - edges[i : i + 2].mean(), FreePoint(a.mass, 0.0, a.volume, a.drag_area, a.added_mass))
                for a in cable.attachments
                if edges[i] <= a.at < edges[i + 1]
            ]
            self.bodies.append(self.bar(kind, length, lumps))
            self.add_contacts(first + i, kind, length)
        start, end = self.point_body[cable.start.point], self.point_body[cable.end.point]
        self.join(number, 0, (start, 0.0), (first, -lengths[0] / 2), [(kinds[0], lengths[0])])
        for i, j in pairwise(numbers):
            a, b = i - first, j - first
            sides = [(kinds[a], lengths[a]), (kinds[b], lengths[b])]
            self.join(number, b, (i, lengths[a] / 2), (j, -lengths[b] / 2), sides)
            if any(kind.ei > 0 or kind.gj > 0 for kind in kinds):
                self.hinge(number, b, i, j, sides, IDENTITY)
        last = len(segments)
        self.join(number, last, (numbers[-1], lengths[-1] / 2), (end, 0.0), [(kinds[-1], lengths[-1])])
        for joint, support, bar, here in ((0, start, first, cable.start), (last, end, numbers[-1], cable.end)):
            side = (kinds[bar - first], lengths[bar - first])
            if here.joint == "clamp" and (side[0].ei > 0 or side[0].gj > 0):
                self.hinge(number, joint, support, bar, [side], self.rest(number, bar - first, here.direction))

    def lengths(self, number, segments):
        """Lengths of the bars of a cable where the step is solved, m."""
        return np.array([s.length for s in segments])

    def rest(self, number, bar, direction):
        """Rest frame of a clamp: the bar's own at the start, its axis turned the shortest way to the direction."""
        frame = self.frame(number, self.tables.bar_state.turn[self.places[number].bars[bar]])
        if direction is None:
            return frame
        goal = np.array(direction) / np.linalg.norm(direction)
        return product(shortest_turn(matrix(frame)[:, 2], goal), frame)

    def stiffness(self, sides, name):
        """k and c of a joint: half a bar on each side, in series; the mean of their damping times."""
        values = [(length, getattr(kind, name)) for kind, length in sides]
        k = joint_gains.half_bar(*values[0]) if len(values) == 1 else joint_gains.in_series(*values[0], *values[1])
        damping = {"ea": "axial", "ei": "bending", "gj": "torsion"}[name]
        return k, k * np.mean([getattr(kind.damping_time, damping) for kind, _ in sides])

    def join(self, number, joint, A, B, sides):
        late = None
        if self.bars_settings.tuning == "rule":
            k, c = self.stiffness(sides, "ea")
            mass = 0.25 * min(kind.mass_per_metre * length for kind, length in sides)
            gains, late = self.joint_gains([k] * 3, [c] * 3, mass), self.gains([k] * 3, [c] * 3)
        else:
            end = len(sides) == 1
            ea, alpha, epsilon = sides[0][0].ea, self.bars_settings.alpha, self.bars_settings.epsilon
            K = joint_gains.paper_position_stiffness(ea, end)
            if self.bars_settings.tuning == "literal":
                gains = joint_gains.literal(K, alpha, epsilon, end)
            else:
                gains = joint_gains.common_beta(K, ea, alpha, epsilon)
        self.cable_parts.append(("position", number, joint))
        self.position_joints.append(PositionJoint(A, B, gains, late=late, bar=self.bar_of(number, joint, A[0], B[0])))

    def bar_of(self, number, joint, before, after):
        """Bar along which the compiled system tells the tension of a joint that pushes as well: the one ahead of it in
        the direction of its sweep, at its end the last."""
        if joint == 0:
            return after
        if joint == len(self.places[number].bars):
            return before
        return before if self.places[number].backwards else after

    def hinge(self, number, joint, body_1, body_2, sides, rest):
        if self.bars_settings.tuning == "rule":
            (kb, cb), (kt, ct) = self.stiffness(sides, "ei"), self.stiffness(sides, "gj")
            bars = [(kind.mass_per_metre * length, kind.diameter, length) for kind, length in sides]
            across = 0.25 * min(m * (d**2 / 16 + length**2 / 12) for m, d, length in bars)
            about = 0.25 * min(m * d**2 / 8 for m, d, _ in bars)
            gains = self.joint_gains([kb, kb, kt], [cb, cb, ct], [across, across, about])
        else:
            kind, end = sides[0][0], len(sides) == 1
            alpha, epsilon = self.bars_settings.alpha, self.bars_settings.epsilon
            K = joint_gains.paper_rotation_stiffness(kind.ei, kind.gj, end)
            if self.bars_settings.tuning == "literal":
                full = joint_gains.literal(K, alpha, epsilon, end, rotation=True)
                gains = joint_gains.Gains(full.G * (K > 0), full.D * (K > 0), K)
            else:
                gains = joint_gains.common_beta(K, kind.ea, alpha, epsilon)
        self.cable_parts.append(("rotation", number, joint))
        backwards = self.places[number].backwards
        other = backwards if joint < len(self.places[number].bars) else not backwards  # which body the sweep has first
        self.rotation_joints.append(RotationJoint(body_1, body_2, gains, rest, from_second=other))

    def add_contacts(self, body, kind, length):
        bed = self.system.environment.seabed
        if bed is None:
            return
        area = 0.5 * kind.contact_diameter * length
        gains = self.gains(bed.stiffness * area, bed.damping * area)
        shear = Friction(bed.friction, self.gains([bed.friction_stiffness * area] * 3, 0.0))
        for offset in (-0.5 * length, 0.5 * length):
            friction = shear if bed.friction > 0 else None
            self.contacts.append(Contact((body, offset), 0.5 * kind.contact_diameter, gains, friction))

    def add_foot(self, name, point):
        """A point with mass stands on the bed: its footprint is its volume over its height, or that of a steel cube."""
        bed = self.system.environment.seabed
        if bed is None:
            return
        height = max(0.1, np.cbrt(6 * point.volume / np.pi))
        area = point.volume / height if point.volume > 0 else (point.mass / 7850) ** (2 / 3)
        gains = self.gains(bed.stiffness * area, bed.damping * area)
        shear = Friction(bed.friction, self.gains([bed.friction_stiffness * area] * 3, 0.0))
        friction = shear if bed.friction > 0 else None
        self.standing.append(name)
        self.contacts.append(Contact((len(self.bodies), 0.0), 0.5 * height, gains, friction))

    # ---- translating states ----
    def frame(self, number, q):
        return product(q, HALF_TURN) if self.places[number].backwards else q.copy()

    def oracle_state(self) -> State:
        """The compiled state `y` as the oracle sees it."""
        k, n = self.tables, len(self.bodies)
        bars, hubs, contact = k.bar_state, k.hub_state, k.contact
        p, q, v, w = np.zeros((n, 3)), np.tile(IDENTITY, (n, 1)), np.zeros((n, 3)), np.zeros((n, 3))
        anchor, pressed = [], []
        body = 0
        previous = np.zeros((len(self.position_joints), 3))
        for number, place in enumerate(self.places):
            turn = F if place.backwards else np.eye(3)
            for b in place.bars:
                p[body], v[body], w[body] = bars.position[b], bars.velocity[b], turn @ bars.spin[b]
                q[body] = self.frame(number, bars.turn[b])
                for side in (0, 1):
                    end = 2 * b + (1 - side if place.backwards else side)
                    anchor.append(contact.anchor[end])
                    pressed.append(contact.normal_force[end])
                body += 1
        for name in self.standing:
            kept = k.standing.feet[self.free.index(name)]
            anchor.append(kept[:3])
            pressed.append(kept[3])
        for name, at in self.point_body.items():
            if name in self.free:
                h = self.free.index(name)
                p[at], q[at], v[at], w[at] = hubs.position[h], hubs.turn[h], hubs.velocity[h], hubs.spin[h]
            else:
                p[at], v[at] = self.prescribed_motion(name)
        positions = [part for part in self.cable_parts if part[0] == "position"]
        for row, (_, number, joint) in zip(previous, positions, strict=True):
            place = self.places[number]
            row[:] = k.multipliers.force[place.joints[joint]] * (-1.0 if place.backwards else 1.0)
        contacts = len(self.contacts)
        anchor, pressed = np.array(anchor)[:contacts].copy(), np.array(pressed)[:contacts].copy()
        if not self.second:
            return State(p, q, v, w, previous, anchor, pressed)
        return State(p, q, v, w, previous, anchor, pressed, *self.memory())

    def memory(self):
        """What the compiled state remembers of the step before: accelerations (n, 6), C̈ of position and rotation
        joints, tensions a step earlier."""
        k, felt = self.tables, np.zeros((len(self.bodies), 6))
        parted, earlier = np.zeros((len(self.position_joints), 3)), np.zeros(len(self.position_joints))
        twisted = np.zeros((self.hinges(), 3))
        body = 0
        for place in self.places:
            turn = F if place.backwards else np.eye(3)
            for b in place.bars:
                felt[body] = [*k.bar_felt.linear[b], *turn @ k.bar_felt.angular[b]]
                body += 1
        for name in self.free:
            h = self.free.index(name)
            felt[self.point_body[name]] = [*k.hub_felt.linear[h], *k.hub_felt.angular[h]]
        positions, rotations = 0, 0
        for what, number, joint in self.cable_parts:
            place = self.places[number]
            at, sign = place.joints[joint], -1.0 if place.backwards else 1.0
            if what == "position":
                parted[positions], earlier[positions] = sign * k.joint_felt.parting[at], k.joint_felt.tension[at]
                positions += 1
                continue
            if joint == len(place.bars):  # as in `kernel_solution`
                sign = -sign
            twisted[rotations] = sign * (F if place.backwards else np.eye(3)) @ k.turn_felt.parting[at]
            rotations += 1
        return felt, parted, twisted, earlier

    def hinges(self):
        """How many joints turn."""
        return len(self.rotation_joints)

    def controlled_row(self, name):
        names = [n for n, point in self.system.points.items() if point.kind == "controlled"]
        return self.tables.block("controls")[names.index(name)]

    def prescribed_motion(self, name):
        if self.system.points[name].kind == "fixed":
            return np.array(self.system.points[name].position), np.zeros(3)
        row = self.controlled_row(name)
        return row[:3], row[3:]

    # ---- what drives it ----
    def goal(self, name, t):
        """Commanded position of a controlled point."""
        point = self.system.points[name]
        base, motion = np.array(point.position), point.motion
        if motion is None:
            return base
        if motion.table is not None:
            table = np.array(motion.table)
            return base + [np.interp(t, table[:, 0], column) for column in table.T[1:]]
        wave = motion.harmonic
        share = min(1.0, t / wave.ramp) if wave.ramp > 0 else 1.0
        fade = share**3 * (10 - 15 * share + 6 * share**2)
        return base + fade * np.sin(2 * np.pi * t / wave.period + np.radians(wave.phase_deg)) * np.array(wave.amplitude)

    def drives(self, t, state):
        """Accelerations of the prescribed points over the next step and loads on the free ones, all (n, 3).

        The filter v̇ = ω²(goal - x) - √2 ω v by backward Euler: v₁ (1 + √2 ωh + ω²h²) = v₀ + hω²(goal₁ - x₀).
        """
        n = len(self.bodies)
        acceleration, force, torque = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3))
        for name, point in self.system.points.items():
            if point.kind == "controlled":
                at, omega, h = self.point_body[name], point.cutoff, self.h
                x, v = state.p[at], state.v[at]
                reached = x + h * v if self.explicit else x  # explicit Euler has moved the point before v changes
                after = v + h * omega**2 * (self.goal(name, t + h) - reached)
                acceleration[at] = (after / (1 + np.sqrt(2) * omega * h + (omega * h) ** 2) - v) / h
        for load in self.system.loads:
            if load.point in self.free:
                table = np.array(load.table) if load.table is not None else np.array([[0.0, 1.0]])
                factor = np.interp(t, table[:, 0], table[:, 1])
                force[self.point_body[load.point]] += factor * np.array(load.force)
                torque[self.point_body[load.point]] += factor * np.array(load.torque)
        return {"acceleration": acceleration, "force": force, "torque": torque}

    # ---- the two steps ----
    def half_way(self, t, state, solver=None):
        """The state in the middle of a second-order step from t, and what drives it there. Prescribed points arrive at
        the place and speed that their filters have at its end."""
        drives, ends = self.drives(t, state), {}
        for name, point in self.system.points.items():
            if point.kind == "controlled":
                at, h = self.point_body[name], self.h
                a = drives["acceleration"][at]
                ends[at] = state.p[at] + h * (state.v[at] + 0.5 * h * a), state.v[at] + h * a
        middle = self.drives(t + 0.5 * self.h, state)
        return (solver or self.oracle).drifted(state, ends), {**middle, "acceleration": drives["acceleration"]}

    def oracle_steps(self, state, count, done=0):
        """State after `count` steps after those done since t = 0, and the solution of the last."""
        solution = None
        for step in range(done, done + count):
            if self.second:
                middle, drives = self.half_way(step * self.h, state)
                solution = self.oracle.solve(middle, **drives)
                state = self.oracle.arrived(middle, solution)
                continue
            solution = self.oracle.solve(state, **self.drives(step * self.h, state))
            state = self.oracle.advance(state, solution, theta=self.theta, explicit=self.explicit)
        return state, solution

    def kernel_steps(self, count, done=0):
        """Advances `y` by `count` steps after those done since t = 0; the failure, or None."""
        u = self.compiled.initial_inputs()
        return self.compiled.advance(done * self.h, self.y, count, self.h, u, self.scheme)

    def twist_aside(self, rotation):
        """Multipliers of the rotation joints (n, 3), of those without torsion their size alone.

        Which way they point is told in the frame of one body, turned against that of the other by a twist that does not
        count; and a cable that is kept backwards has the bodies the other way round.
        """
        seen = rotation.copy()
        for row, joint in zip(seen, self.rotation_joints, strict=True):
            if joint.gains.K[2] == 0.0:
                row[:] = np.linalg.norm(row), 0.0, 0.0
        return seen

    def loose_joints(self):
        """The oracle's joints that only pull, those loose that the compiled system has left loose.

        And of each the bar it belongs to, whether it is loose, and whether it only pulls.
        """
        flags, one_way = self.tables.loose.loose > 0.5, self.tables.joint.one_way > 0
        first = np.concatenate(([0], np.cumsum([len(place.bars) for place in self.places])))
        joints, hosts = [], []
        parts = [part for part in self.cable_parts if part[0] == "position"]
        for (_, number, i), joint in zip(parts, self.position_joints, strict=True):
            place = self.places[number]
            host = first[number] + (min(i, len(place.bars) - 1) if place.backwards else max(i - 1, 0))
            pulls, loose = bool(one_way[place.joints[i]]), bool(flags[place.joints[i]])
            joints.append(replace(joint, host=host, loose=loose) if pulls else joint)
            hosts.append((host, pulls and loose, pulls))
        return joints, hosts

    def kernel_solution(self):
        """Accelerations and multipliers of the last compiled step, in the oracle's order and frames."""
        n = len(self.bodies)
        a, alpha = np.zeros((n, 3)), np.zeros((n, 3))
        body = 0
        for place in self.places:
            turn = F if place.backwards else np.eye(3)
            for b in place.bars:
                found = self.tables.acceleration
                a[body], alpha[body] = found.linear[b], turn @ found.angular[b]
                body += 1
        for name in self.free:
            found, h = self.tables.hub_rhs, self.free.index(name)
            a[self.point_body[name]], alpha[self.point_body[name]] = found.linear[h], found.angular[h]
        position, rotation = [], []
        for what, number, joint in self.cable_parts:
            place = self.places[number]
            row = self.tables.block("joint_load")[place.joints[joint]]
            sign = -1.0 if place.backwards else 1.0
            if what == "position":
                position.append(sign * row[:3])
                continue
            # At its end the cable's joint is seen from the bar, in the oracle from the point: the sign once more.
            if joint == len(place.bars):
                sign = -sign
            rotation.append(sign * (F if place.backwards else np.eye(3)) @ row[3:])
        rotation = self.twist_aside(np.array(rotation).reshape(-1, 3))
        return SimpleNamespace(a=a, alpha=alpha, position=np.array(position), rotation=rotation)
