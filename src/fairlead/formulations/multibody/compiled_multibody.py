"""A system compiled to trees of bodies: the contract's face of the kernels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from scipy.linalg import eigvalsh_tridiagonal

from fairlead.algebra.records import Tables
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.kernel_compiled import KernelCompiled, Places, places_along
from fairlead.loads.body_record import landing_extras
from fairlead.model import System
from fairlead.results.observation import NODE_COLUMNS, NODE_VELOCITY, POINT_COLUMNS, POINT_VELOCITY
from fairlead.rigging.first_velocity import FirstVelocities, node_velocities
from fairlead.rigging.observation_shape import Arcs, angle_extras, arcs_of, observation_shape, winch_extras
from fairlead.rigging.slack import Snaps
from fairlead.rigging.states import (
    StateRules, UnitVector, count_bound, flags, length_bound, places_of, unit_fields,
)  # fmt: skip
from fairlead.rigging.string_note import string_note
from fairlead.shape.layout import Geometry
from fairlead.words import NOTE

from .articulated import SINGULAR
from .build import build
from .equations import rhs, settle
from .mass_matrix import mass_and_bias
from .run import fold_first, run
from .schema import FREE, SCHEMA, SPHERICAL
from .upkeep import RANGE, SPEED_LIMIT, STRAIN

if TYPE_CHECKING:
    from .carrier import Carrier
    from .linearised import LinearisedMultibody

_SCHEMES = ("auto", "semi_implicit", "rk2", "rk4")


class CompiledMultibody(KernelCompiled):
    """See `KernelCompiled`."""

    formulation: ClassVar[str] = "multibody"
    supports: ClassVar[frozenset[str]] = frozenset(
        {
            "damping", "branches", "free_bodies", "controlled_points", "passive_points", "bodies", "joints", "winch",
            "winch_control", "attachments", "loads", "current", "waves", "wind", "seabed", "friction", "always_wet",
        }
    )  # fmt: skip
    schemes: ClassVar[tuple[str, ...]] = ("semi_implicit",)
    statuses: ClassVar[tuple[int, ...]] = (SINGULAR, RANGE, STRAIN)
    derived: ClassVar[tuple[str, ...]] = ("substeps",)
    schema = SCHEMA
    rhs = staticmethod(rhs)
    settle = staticmethod(settle)

    def __init__(self, system: System, geometry: Geometry) -> None:
        if system.simulation.integrator not in _SCHEMES:
            raise UnsupportedSystem(
                f"simulation.integrator: the formulation 'multibody' has no '{system.simulation.integrator}'; use "
                f"{', '.join(_SCHEMES[1:])} or auto"
            )
        steered = [name for name, cable in system.cables.items() if cable.winch is not None and cable.winch.control]
        if steered and system.simulation.integrator not in ("auto", "semi_implicit"):
            raise UnsupportedSystem(
                f"cables.{steered[0]}.winch.control: a controller acts from step to step and cannot be followed by "
                f"'{system.simulation.integrator}'; use integrator: semi_implicit"
            )
        built = build(system, geometry)
        tables = built.tables
        extras = (*winch_extras(system), *angle_extras(system), *landing_extras(system))
        self._hold(system, tables, built.inputs, observation_shape(system, _arc_lengths(tables), extras), run)
        self._speeds, self._efforts = tables.speeds, tables.effort
        self._body_names = built.body_names
        fold_first(self.initial_inputs(), built.first_axes, self._y0, self.ints, self.reals, self.work)
        self._copy = self._y0.copy()
        self._tensions = {name: np.asarray(tension, dtype=float) for name, tension in geometry.tensions.items()}
        chosen = system.simulation.multibody.substeps
        bound = self.step_bound()
        self.substeps = chosen or max(1, math.ceil(system.simulation.step / (0.5 * bound)))

    def linearised(self, t: float = 0.0, u: np.ndarray | None = None) -> LinearisedMultibody:
        from .linearised import LinearisedMultibody

        return LinearisedMultibody(self, float(t), self.initial_inputs() if u is None else u)

    def state_rules(self) -> StateRules:
        tables = self.tables(self._y0)
        counts = zip(places_of(tables, "paid", "count"), self.system.cables, tables.cable.count, strict=True)
        bounds = [count_bound(place, cable, int(most)) for place, cable, most in counts]
        bounds += [length_bound(place, "") for place in places_of(tables, "line", "length")]
        bounds += flags(places_of(tables, "drum", "latest"), "the latest event at a winch", low=-1)
        places, turning = places_of(tables, "coordinate", "value"), []
        for j, (kind, first) in enumerate(zip(tables.body.kind, tables.body.coordinate, strict=True)):
            if kind in (SPHERICAL, FREE):
                place = places[first + (3 if kind == FREE else 0)]
                turning.append(UnitVector(place, 4, f"the quaternion of body {j}"))
        frames = unit_fields(tables, "frame", "turn", "the quaternion of element", or_zero=True)
        return StateRules(tuple(bounds), (*turning, *frames))

    def under_way(self, y: np.ndarray) -> np.ndarray:
        """See `Compiled`. Rates of the joints are those that come nearest to the motion of cables and bodies."""
        y, first = y.copy(), FirstVelocities(self.system)
        commanded, rates = self.tables(y).controls.velocity, self.layout["speed"]
        for name, command in first.commands.items():
            commanded[self.inputs[name].start // 3] = command.at_start()[1]
        wanted = np.concatenate(
            [node_velocities(self.system, self.shape).ravel(), *(first.of(name) for name in self.shape.points)]
        )
        y[rates] = 0.0
        seen = self._velocities(y)
        there = np.isfinite(seen)
        if np.abs((wanted - seen)[there]).max() > 1e-12:
            columns = []
            for k in range(rates.start, rates.stop):
                y[k] = 1.0
                columns.append((self._velocities(y) - seen)[there])
                y[k] = 0.0
            y[rates] = np.linalg.lstsq(np.array(columns).T, (wanted - seen)[there], rcond=None)[0]
        return y

    def _velocities(self, y: np.ndarray) -> np.ndarray:
        """Velocities of all nodes and then of all points and bodies in the state y at t = 0, one after the other."""
        row, shape = self.shape.empty_row(), self.shape
        self.observe(0.0, y, self.initial_inputs(), self.system.simulation.step, row)
        nodes = row[shape.node_block].reshape(-1, NODE_COLUMNS)[:, NODE_VELOCITY : NODE_VELOCITY + 3]
        points = row[shape.point_block].reshape(-1, POINT_COLUMNS)[:, POINT_VELOCITY : POINT_VELOCITY + 3]
        return np.concatenate([nodes.ravel(), points.ravel()])

    def carrier(self, bodies: Sequence[str]) -> Carrier:
        """The tree for those who find forces on these of its bodies themselves."""
        from .carrier import Carrier

        return Carrier(self, bodies)

    def mass_and_bias(self, t: float, y: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """H (speeds, speeds), C (speeds,) and torques τ (speeds,) of H q̈ = τ − C, with added mass and all loads."""
        n = self._speeds
        H, C = np.zeros(n * n), np.zeros(n)
        mass_and_bias(float(t), y, u, self.ints, self.reals, self.work, H, C)
        return H.reshape(n, n), C, self._efforts.torque.copy()

    def places(self, status: int) -> Places:
        tables = self.tables(self._y0)
        along = places_along(self.shape.cables, tables.cable.count, "element", tables.cable.reversed)
        if status not in (RANGE, SINGULAR):
            return along
        found = []
        for name, c, element in zip(self._body_names, tables.body.cable, tables.body.element, strict=True):
            kind = "point" if name in self.system.points else "body"
            found.append((f"{kind} '{name}'" if name else along[c][element - tables.cable.element[c]],))
        return tuple(found)

    def words(self, status: int, time: float) -> tuple[str, str, str]:
        step = self.system.simulation.step / self.substeps
        cure = f"use a smaller step than {step:g} s, or more multibody.substeps"
        if status == SINGULAR:
            what = "its joint has no inertia, or its axes fall together"
            return what, "a state that is no longer finite, or an element that has lost its length", cure
        cause = "the step is too large for the string stiffness of the cables"
        if self.scheme != "semi_implicit":
            cause = "the step is above the stability bound of the springs"
            cure = f"use a step below {self.axial_bound():.3g} s, or integrator: semi_implicit"
        what = f"speed beyond {SPEED_LIMIT:g} m/s or not a number"
        if status not in (RANGE, SINGULAR):
            what = "an element has twice its length, or none, or is not a number"
        return what, cause, cure

    def body_place(self, body: int) -> str:
        """What people call a body of the tree."""
        return self.places(RANGE)[body][0]

    def start_notes(self, h: float) -> tuple[str, ...]:
        if self.scheme == "semi_implicit":
            if self.substeps > 1:
                return (
                    f"{NOTE}simulation.step: {self.substeps} steps of {h / self.substeps:.3g} s are made for each, "
                    f"since motions held by tension are followed up to {self.step_bound():.3g} s",
                )
            return ()
        bound = self.axial_bound()
        if h <= bound:
            return (f"{NOTE}simulation.step: {h:g} s is below {bound:.3g} s, the stability bound of the springs",)
        cure = "use a smaller step or integrator: semi_implicit"
        return (f"simulation.step: {h:g} s is above {bound:.3g} s, the stability bound of the springs; {cure}",)

    def report(self, y: np.ndarray) -> dict[str, str]:
        laid = int(self.tables(y).ledger.rebased)
        return {
            "multibody_substeps": f"{self.substeps} for each step",
            "multibody_frames": f"{laid} frames of elements laid anew, away from the singular turn of 90 degrees",
        }

    def snaps(self, y: np.ndarray) -> Snaps | None:
        snap, theta = self.tables(y).snap, self.system.simulation.multibody.theta
        cure = "use multibody: {theta: 0.55} or" if theta > 0.6 else "use"
        found = Snaps(self.shape.cables, snap.slack_since, snap.rise, snap.most, theta, cure, self.substeps)
        return found if self.scheme == "semi_implicit" else None

    def end_notes(self, y: np.ndarray, h: float) -> tuple[str, ...]:
        ledger = self.tables(y).ledger
        if self.scheme != "semi_implicit":
            return ()
        return string_note(h / self.substeps, ledger.element_steps_damped, ledger.element_steps)

    def step_bound(self) -> float:
        """Largest stable step for motions held by tension [s]: 2/ω with ω² = 2(T₁/ℓ₁ + T₂/ℓ₂)/m of a node."""
        chains = self._chains(lambda stiffness, length, tension: np.maximum(tension, 0.0) / length)
        fastest = max((float(np.max(2.0 * (k + np.append(k[1:], 0.0)) / mass)) for k, mass in chains), default=0.0)
        return 2.0 / math.sqrt(fastest) if fastest > 0.0 else math.inf

    def axial_bound(self) -> float:
        """Largest stable step of Runge–Kutta 4 on the stretching of elements [s]: 2.8/ω of its fastest mode."""
        fastest = 0.0
        for k, mass in self._chains(lambda stiffness, length, tension: stiffness / length):
            of_nodes = (k + np.append(k[1:], 0.0)) / mass  # the near end held, the far one without what hangs there
            between = -k[1:] / np.sqrt(mass[:-1] * mass[1:])
            last = len(k) - 1
            fastest = max(fastest, *eigvalsh_tridiagonal(of_nodes, between, select="i", select_range=(last, last)))
        return 2.8 / math.sqrt(fastest) if fastest > 0.0 else math.inf

    def _chains(self, held_by: Callable[..., np.ndarray]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Of each cable, from its near end: stiffness of its elements [N/m] and mass of their far nodes [kg]."""
        tables = self.tables(self._y0)
        cable, element, winches = tables.cable, tables.element, tables.winch.cable.tolist()
        for c, name in enumerate(self.shape.cables):
            tension = self._tensions[name][:: -1 if cable.reversed[c] else 1]
            stop = cable.element[c] + cable.count[c]
            part = slice(stop - len(tension), stop)
            length = tables.line.length[part].copy()
            if c in winches:  # the element at the drum will be as short as it may be before it merges
                w, limits = winches.index(c), tables.limits
                shortest = min(limits.merge_at[w], limits.merge_after_split[w])
                length[0] = min(length[0], limits.nominal[w] * shortest)
            mass = element.mass[part] * length
            far, near = mass * element.share_far[part], mass * element.share_near[part]
            yield held_by(element.stiffness[part], length, tension), far + np.append(near[1:], 0.0)


def _arc_lengths(tables: Tables) -> Arcs:
    """Unstretched distance of the nodes of each cable from its start; on a drum, as if all of it were paid out."""
    cable, lengths, found = tables.cable, tables.line.length, []
    nominal = dict(zip(tables.winch.cable.tolist(), tables.limits.nominal.tolist(), strict=True))
    for c, (first, count, back) in enumerate(zip(cable.element, cable.count, cable.reversed, strict=True)):
        part = lengths[first : first + count].copy()
        part[part == 0.0] = nominal.get(c, 0.0)
        found.append(part[:: -1 if back else 1])
    return arcs_of(found)
