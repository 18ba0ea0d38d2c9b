"""One cable compiled to the paper's links: the contract's face of the kernels."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from fairlead.formulations.contract import Compiled, Failure, Layout, UnsupportedSystem
from fairlead.formulations.links.build import given_joints, joint_rows, link_row, require_lists
from fairlead.formulations.links.chains import Chain, chains_of
from fairlead.formulations.links.compiled_links import SUPPORTS, angle_extras, observation_shape
from fairlead.formulations.links.lagrangian import Lagrangian
from fairlead.formulations.links.twist import TwistModes
from fairlead.loads import drag
from fairlead.model import System
from fairlead.results.observation import (
    END_FORCE_END, END_FORCE_START, NODE_BENDING_MOMENT, NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_SHEAR, NODE_TENSION,
    NODE_TORSION,
)  # fmt: skip
from fairlead.sea import water
from fairlead.shape.layout import Geometry

from .. import arrays as links
from . import arrays as a
from .step import DIRECTIONS, FASTEST, HEAD, OK, SINGULAR, accelerate, report, run

_DRAG = {"morison": a.MORISON, "torque": a.TORQUE, "force": a.FORCE}


def lagrangian_of(system: System, chain: Chain) -> Lagrangian:
    """The paper's Lagrangian of a cable that hangs from its start."""
    settings = system.simulation.links
    env = system.environment
    kinds, lengths = chain.kinds(system), np.array(chain.lengths)
    bends = joint_rows(chain, system, "ei", "damping_bending")
    turns = joint_rows(chain, system, "gj", "damping_torsion")
    given_joints(bends, settings.elevation_stiffness, None)
    given_joints(turns, settings.twist_stiffness, None)
    masses = np.array([kind.mass_per_metre for kind in kinds]) * lengths
    lift = env.water_density * np.array([kind.area for kind in kinds]) * lengths
    end = system.points[chain.points[-1] or ""]
    assert end.kind == "free"
    n = len(lengths)
    return Lagrangian(
        lengths=lengths,
        masses=masses,
        radii=np.array([kind.diameter / 2 for kind in kinds]),
        weights=(masses - lift) * env.gravity,
        end_mass=end.mass,
        end_weight=env.gravity * ((end.mass if settings.end_weight else 0.0) - env.water_density * end.volume),
        k_elevation=bends[:n, 0],
        k_azimuth=np.zeros(n) if settings.azimuth_stiffness is None else np.array(settings.azimuth_stiffness),
        k_twist=turns[:n, 0],
        end_inertia=end.inertia,
        reading=settings.reading,
    )


def _require(system: System, chains: list[Chain]) -> None:
    """Refuse what the paper's equations do not hold."""
    fault = ""
    ends = [chains[0].points[0], chains[0].points[-1]]
    if len(system.cables) != 1:
        fault = "one cable"
    elif system.bodies:
        fault = "no bodies"
    elif system.points[ends[0] or ""].kind != "fixed" or system.points[ends[1] or ""].kind != "free":
        fault = "a cable that is fixed at its start and free at its end"
    elif chains[0].attachments:
        fault = "a cable without attachments"
    elif system.environment.seabed is not None:
        fault = "no seabed"
    elif system.environment.waves is not None:
        fault = "no waves"
    if fault:
        raise UnsupportedSystem(
            f"the mode 'paper' of the formulation 'links' is for {fault}; use simulation.links.mode: physical"
        )


class CompiledPaperLinks(Compiled):
    """See `Compiled`."""

    formulation: ClassVar[str] = "links"
    supports: ClassVar[frozenset[str]] = SUPPORTS - {"bodies"}
    schemes: ClassVar[tuple[str, ...]] = ("semi_implicit",)

    def __init__(self, system: System, geometry: Geometry) -> None:
        chains = chains_of(system, geometry)
        _require(system, chains)
        chain, settings = chains[0], system.simulation.links
        n = len(chain.lengths)
        require_lists(system, n)
        self.system = system
        self.lagrangian = lagrangian_of(system, chain)
        """The energies and matrices of the equations of motion."""
        self._chain = chain
        self.layout = Layout.of(*a.state_parts(n))
        self.shape = observation_shape(system, angle_extras(n))
        self.inputs = {}
        self.damping = self._damping()
        self.twist = self._twist_modes()
        self.ints, self.reals = self._arrays()
        self.work = np.zeros(a.work_size(n))
        self._propagated = 0.0
        self._y0 = self._first_state()
        self._keep_extremes()
        self._notes = (
            ("simulation.links.azimuth_stiffness and azimuth_damping: without both, the published coordinates cannot "
             "pass elevation zero; give them, or use simulation.links.mode: physical",)
            if settings.azimuth_stiffness is None or settings.azimuth_damping is None
            else ()
        )  # fmt: skip

    def _damping(self) -> np.ndarray:
        """C of Eq. 20 for each coordinate, (3, n): elevation, azimuth, twist."""
        settings, n = self.system.simulation.links, self.lagrangian.count
        out = np.zeros((3, n))
        out[0] = joint_rows(self._chain, self.system, "ei", "damping_bending")[:n, 1]
        out[2] = joint_rows(self._chain, self.system, "gj", "damping_torsion")[:n, 1]
        for row, values in zip(
            out, (settings.elevation_damping, settings.azimuth_damping, settings.twist_damping), strict=True
        ):
            if values is not None:
                row[:] = values
        return out

    def _arrays(self) -> tuple[np.ndarray, np.ndarray]:
        system, settings, model = self.system, self.system.simulation.links, self.lagrangian
        n = model.count
        sea = water.pack(system.environment)
        loads = [load for load in system.loads if load.point == self._chain.points[-1]]
        if len(loads) > 1:
            raise UnsupportedSystem("loads: the mode 'paper' of 'links' takes one load on the end; add them up")
        table = [x for row in (loads[0].table or ()) for x in row] if loads else []
        scalars = np.zeros(a.SCALARS)
        kinds = self._chain.kinds(system)
        rows = [link_row(k, l, system) for k, l in zip(kinds, self._chain.lengths, strict=True)]
        law = {row[links.DRAG_LAW] for row in rows}
        if len(law) > 1:
            raise UnsupportedSystem("types: the mode 'paper' of 'links' takes one drag law for all of the cable")
        scalars[a.END_WEIGHT], scalars[a.COEFFICIENT] = model.end_weight, settings.drag_coefficient
        scalars[a.DRAG_LAW], scalars[a.REYNOLDS] = law.pop(), rows[0][links.REYNOLDS]
        scalars[a.END_MASS] = model.end_mass
        scalars[a.BASE : a.BASE + 3] = self._chain.nodes[0]
        normal = 2.0 * np.array([row[links.DRAG_NORMAL] for row in rows])  # rows count half a link a point
        mode = _DRAG[settings.drag]
        if mode == a.MORISON and scalars[a.DRAG_LAW] == drag.NONE:
            scalars[a.DRAG_LAW], normal = drag.CONSTANT, 0.0 * normal
        if system.environment.water_density == 0.0:
            scalars[a.COEFFICIENT] = 0.0  # the published coefficients are those of water
        lists = [
            model.lengths, model.weights, model.turning_inertia, model.k_elevation, model.k_azimuth, self.damping[0],
            self.damping[1], normal, self.twist.stiffness, self.twist.gain,
            model.masses,
        ]  # fmt: skip
        load = np.zeros(6) if not loads else np.array([*loads[0].force, *loads[0].torque])
        reals = np.concatenate([sea, scalars, *lists, model.swing_matrix.ravel(), load, table])
        ints = np.array([n, mode, model.reading == "literal", len(sea), len(table), len(table) // 2,
                         self._chain.cables[0][3], list(system.points).index(self._chain.points[-1] or "")],
                        dtype=np.int64)  # fmt: skip
        return ints, reals

    def _twist_modes(self) -> TwistModes:
        model, n = self.lagrangian, self.lagrangian.count
        inner = slice(2 * n, 3 * n)
        inertia = model.mass_matrix(np.zeros(3 * n))[inner, inner]
        lever = np.eye(n) - np.eye(n, k=-1) if model.reading == "literal" else np.eye(n)
        return TwistModes.of(
            inertia, np.diag(self.damping[2]), model.stiffness_matrix[inner, inner], np.ones(n),
            model.k_twist[:, None] * lever,
        )  # fmt: skip

    def _first_state(self) -> np.ndarray:
        settings, n = self.system.simulation.links, self.lagrangian.count
        y = np.zeros(self.layout.size)
        chord = np.diff(self._chain.nodes, axis=0)
        psi = np.arctan2(chord[:, 0], chord[:, 1])
        y[:n] = np.arctan2(np.hypot(chord[:, 0], chord[:, 1]), -chord[:, 2])
        y[n : 2 * n] = np.diff(np.where(y[:n] > 1e-9, psi, 0.0), prepend=0.0)
        if settings.start_elevation_deg is not None:
            y[:n] = np.radians(settings.start_elevation_deg)
        if settings.start_azimuth_deg is not None:
            y[n : 2 * n] = np.radians(settings.start_azimuth_deg)
        if settings.start_twist_deg is not None:
            twist = self.twist.state_of(np.radians(settings.start_twist_deg), np.zeros(n))
            y[self.layout["twist"]] = twist
        return y

    def initial_state(self) -> np.ndarray:
        return self._y0.copy()

    def advance(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray, scheme: str) -> Failure | None:
        if h != self._propagated:
            self._propagate(h)
        status = run(float(t), y, int(n), float(h), self.ints, self.reals, self.work)
        return None if status == OK else self.failure(status, t, y)

    def _propagate(self, h: float) -> None:
        """The twist's propagator over a step of h, as one dense block."""
        size = 2 * self.lagrangian.count
        whole = np.zeros((size, size + 1))
        at = 0
        data = self.twist.propagators(h)
        for first, width in self.twist.blocks():
            block = data[at : at + width * (width + 1)].reshape(width, width + 1)
            whole[first : first + width, first : first + width] = block[:, :width]
            whole[first : first + width, size] = block[:, width]
            at += width * (width + 1)
        start = HEAD + (DIRECTIONS + 6) * self.lagrangian.count + size * size + size
        self.work[start : start + whole.size] = whole.ravel()
        self._propagated = h

    def angles(self, y: np.ndarray) -> np.ndarray:
        """Elevation, azimuth and twist of each link as the paper counts them, (3, n) rad."""
        n = self.lagrangian.count
        return np.stack([y[:n], y[n : 2 * n], self.twist.shapes @ y[self.layout["twist"]][::2]])

    def observe(self, t: float, y: np.ndarray, u: np.ndarray, h: float, out: np.ndarray) -> None:
        model, n = self.lagrangian, self.lagrangian.count
        work = self.work.copy()
        status = accelerate(float(t), float(h), y, self.ints, self.reals, work)
        table = work[HEAD : HEAD + DIRECTIONS * n].reshape(n, 5, 3)
        q, p, d, turn, bias = table.transpose(1, 0, 2)
        start = HEAD + (DIRECTIONS + 6) * n + 4 * n * n
        e2, a2 = work[start : start + 2 * n].reshape(2, n)
        swing = p * e2[:, None] + d * np.cumsum(a2)[:, None] + bias
        arms = model.lengths[:, None]

        def along(vectors: np.ndarray) -> np.ndarray:
            return np.vstack([np.zeros(3), np.cumsum(arms * vectors, axis=0)])

        places, speeds, pushes = self._chain.nodes[0] + along(q), along(turn), along(swing)
        on_links = work[HEAD + DIRECTIONS * n :][: 6 * n].reshape(n, 2, 3)[:, 0]
        middle = 0.5 * (pushes[1:] + pushes[:-1])
        end = self._load(t)[:3] - [0.0, 0.0, model.end_weight] - model.end_mass * pushes[-1]
        below = np.vstack([on_links - model.masses[:, None] * middle, end])
        force = np.cumsum(below[::-1], axis=0)[::-1]
        axis = np.vstack([q[:1], q[1:] + q[:-1], q[-1:]])
        axis /= np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-12)
        tension = np.einsum("ni,ni->n", force, axis)
        angles = self.angles(y)
        nodes = self.shape.node_table(out, 0)
        order = slice(None, None, -1) if self._chain.cables[0][3] else slice(None)
        table = np.zeros((n + 1, NODE_COLUMNS))
        table[:, :3], table[:, 3:6], table[:, NODE_TENSION] = places, speeds, tension
        table[:, NODE_SHEAR] = np.linalg.norm(force - tension[:, None] * axis, axis=1)
        table[:n, NODE_BENDING_MOMENT] = model.k_elevation * np.abs(np.diff(angles[0], prepend=0.0))
        table[:n, NODE_TORSION] = self.twist.moments @ y[self.layout["twist"]][::2]
        table[:, NODE_CONTACT_FORCE : NODE_CONTACT_FORCE + 3] = 0.0
        nodes[:] = table[order]
        ends = out[self.shape.cable_ends(0)]
        reverse = self._chain.cables[0][3]
        ends[END_FORCE_START : END_FORCE_START + 3] = -force[-1] if reverse else force[0]
        ends[END_FORCE_END : END_FORCE_END + 3] = force[0] if reverse else -force[-1]
        for name in self.system.points:
            row = out[self.shape.point(name)]
            row[:3], row[3:] = (
                (places[-1], speeds[-1]) if name == self._chain.points[-1] else (self._chain.nodes[0], np.zeros(3))
            )
        totals = out[self.shape.total_block]
        theta, rates = np.concatenate([y[: 2 * n], angles[2]]), np.concatenate([y[2 * n : 4 * n], np.zeros(n)])
        spin = y[self.layout["twist"]]
        height = places[:-1, 2] + places[1:, 2]
        springs = 0.5 * float(theta @ model.stiffness_matrix @ theta)
        totals[0] = model.kinetic_energy(theta, rates) + 0.5 * float(np.sum(spin[1::2] ** 2))
        totals[1] = 0.5 * float(model.weights @ height) + model.end_weight * places[-1, 2]
        totals[2] = springs
        totals[3:7] = y[self.layout["ledger"]]
        totals[7] = tension.max()
        out[self.shape.extra_block] = angles.T.ravel()
        report(self.ints, y, out)
        if status != OK:
            out[self.shape.end_block.start : self.shape.point_block.start] = np.nan

    def _load(self, t: float) -> np.ndarray:
        """Force and torque on the end at time t, (6,)."""
        n, sea = self.lagrangian.count, int(self.ints[a.N_SEA])
        at = sea + a.SCALARS + a.LISTS * n + n * n
        rows = int(self.ints[a.LOAD_ROWS])
        table = self.reals[at + 6 : at + 6 + 2 * rows].reshape(rows, 2)
        factor = 1.0 if rows == 0 else float(np.interp(t, table[:, 0], table[:, 1]))
        return np.asarray(factor * self.reals[at : at + 6])

    def failure(self, status: int, t: float, y: np.ndarray) -> Failure:
        time, link = float(self.work[0]), int(self.work[1])
        name = self._chain.cables[0][0]
        place = f"cable '{name}', element {link + 1} of {self.lagrangian.count}"
        if status == SINGULAR:
            return Failure(
                time, place, "the mass matrix is singular: a link hangs straight down, where azimuth has no meaning",
                "no spring or damper of the azimuth holds it there",
                "give azimuth_stiffness and azimuth_damping, or use simulation.links.mode: physical",
            )  # fmt: skip
        return Failure(
            time, place, f"an angle turns faster than {FASTEST:g} rad/s or is not a number",
            "a step too large for explicit weight and drag",
            f"use a smaller step than {self.system.simulation.step:g} s",
        )  # fmt: skip

    def start_notes(self, h: float) -> tuple[str, ...]:
        return self._notes


__all__ = ["CompiledPaperLinks", "lagrangian_of"]
