"""One cable compiled to the paper's links: the contract's face of the kernels."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from fairlead.algebra.records import Schema, Tables
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.kernel_compiled import KernelCompiled, Places
from fairlead.formulations.links.build import given_joints, joint_rows, link_row, require_lists
from fairlead.formulations.links.chains import Chain, chains_of
from fairlead.formulations.links.compiled_links import SUPPORTS, angle_extras
from fairlead.formulations.links.lagrangian import Lagrangian
from fairlead.formulations.links.twist import TwistModes
from fairlead.loads import drag
from fairlead.model import System
from fairlead.results.observation import (
    END_FORCE_END, END_FORCE_START, NODE_BENDING_MOMENT, NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_SHEAR, NODE_TENSION,
    NODE_TORSION,
)  # fmt: skip
from fairlead.rigging.observation_shape import file_arcs, observation_shape
from fairlead.sea import water
from fairlead.sea.tables import SEA_HEAD
from fairlead.shape.layout import Geometry

from .schema import FORCE, MORISON, SCHEMA, TORQUE
from .step import FASTEST, OK, RANGE, SINGULAR, accelerate, report, run

_DRAG = {"morison": MORISON, "torque": TORQUE, "force": FORCE}


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
    elif system.environment.waves is not None or system.environment.current_field is not None:
        fault = "no waves and a steady current"
    if fault:
        raise UnsupportedSystem(
            f"the mode 'paper' of the formulation 'links' is for {fault}; use simulation.links.mode: physical"
        )


class CompiledPaperLinks(KernelCompiled):
    """See `KernelCompiled`."""

    formulation: ClassVar[str] = "links"
    supports: ClassVar[frozenset[str]] = SUPPORTS - {"bodies"}
    schema: ClassVar[Schema] = SCHEMA
    schemes: ClassVar[tuple[str, ...]] = ("semi_implicit",)
    statuses: ClassVar[tuple[int, ...]] = (RANGE, SINGULAR)
    derived: ClassVar[tuple[str, ...]] = ("lagrangian", "damping", "twist", "_propagated")

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
        self.damping = self._damping()
        self.twist = self._twist_modes()
        tables = self._filled()
        self._put_first_state(tables)
        self._hold(system, tables, {}, observation_shape(system, file_arcs(system), angle_extras(n)), run)
        self._propagated = 0.0
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

    def _filled(self) -> Tables:
        """The compiled system."""
        system, settings, model = self.system, self.system.simulation.links, self.lagrangian
        n, chain = model.count, self._chain
        loads = [load for load in system.loads if load.point == chain.points[-1]]
        if len(loads) > 1:
            raise UnsupportedSystem("loads: the mode 'paper' of 'links' takes one load on the end; add them up")
        samples = [x for row in (loads[0].table or ()) for x in row] if loads else []
        rows = [link_row(k, l, system) for k, l in zip(chain.kinds(system), chain.lengths, strict=True)]
        laws = {row["drag_law"] for row in rows}
        if len(laws) > 1:
            raise UnsupportedSystem("types: the mode 'paper' of 'links' takes one drag law for all of the cable")
        law, mode = laws.pop(), _DRAG[settings.drag]
        normal = 2.0 * np.array([row["drag_normal"] for row in rows])  # rows count half a link a point
        if mode == MORISON and law == drag.NONE:
            law, normal = drag.CONSTANT, 0.0 * normal
        sea = water.pack(system.environment)
        counts = {
            "links": n, "pairs": n * n, "squares": 4 * n * n, "propagators": 2 * n * (2 * n + 1),
            "points": len(system.points), "sea_rows": len(sea) - SEA_HEAD, "samples": len(samples),
        }  # fmt: skip
        tables = SCHEMA.allocate(counts, drag=mode, literal=int(model.reading == "literal"))
        tables.reals[: len(sea)] = sea
        tables.cable.reversed, tables.cable.load_rows = chain.cables[0][3], len(samples) // 2
        tables.cable.end_point = list(system.points).index(chain.points[-1] or "")
        end, link = tables.end, tables.link
        end.base, end.weight, end.mass = chain.nodes[0], model.end_weight, model.end_mass
        if loads:
            end.force, end.torque = loads[0].force, loads[0].torque
        # the published coefficients are those of water
        tables.water.coefficient = settings.drag_coefficient if system.environment.water_density != 0.0 else 0.0
        tables.water.law, tables.water.reynolds = law, rows[0]["reynolds"]
        link.length, link.weight, link.mass = model.lengths, model.weights, model.masses
        link.turning, link.drag_normal = model.turning_inertia, normal
        link.k_elevation, link.k_azimuth = model.k_elevation, model.k_azimuth
        link.c_elevation, link.c_azimuth = self.damping[0], self.damping[1]
        tables.mode.stiffness, tables.mode.gain = self.twist.stiffness, self.twist.gain
        tables.swing.mass = model.swing_matrix.ravel()
        tables.sample.number = samples
        return tables

    def _twist_modes(self) -> TwistModes:
        model, n = self.lagrangian, self.lagrangian.count
        inner = slice(2 * n, 3 * n)
        inertia = model.mass_matrix(np.zeros(3 * n))[inner, inner]
        lever = np.eye(n) - np.eye(n, k=-1) if model.reading == "literal" else np.eye(n)
        return TwistModes.of(
            inertia, np.diag(self.damping[2]), model.stiffness_matrix[inner, inner], np.ones(n),
            model.k_twist[:, None] * lever,
        )  # fmt: skip

    def _put_first_state(self, tables: Tables) -> None:
        settings, n, angle = self.system.simulation.links, self.lagrangian.count, tables.angle.value
        chord = np.diff(self._chain.nodes, axis=0)
        psi = np.arctan2(chord[:, 0], chord[:, 1])
        angle[:n] = np.arctan2(np.hypot(chord[:, 0], chord[:, 1]), -chord[:, 2])
        angle[n:] = np.diff(np.where(angle[:n] > 1e-9, psi, 0.0), prepend=0.0)
        if settings.start_elevation_deg is not None:
            angle[:n] = np.radians(settings.start_elevation_deg)
        if settings.start_azimuth_deg is not None:
            angle[n:] = np.radians(settings.start_azimuth_deg)
        if settings.start_twist_deg is not None:
            twist = self.twist.state_of(np.radians(settings.start_twist_deg), np.zeros(n))
            tables.block("twist")[:] = twist.reshape(-1, 2)

    def initial_state(self) -> np.ndarray:
        return self._y0.copy()

    def prepare(self, h: float) -> None:
        """The twist's propagator over a step of h, as one dense block."""
        if h == self._propagated:
            return
        size = 2 * self.lagrangian.count
        whole = np.zeros((size, size + 1))
        at = 0
        data = self.twist.propagators(h)
        for first, width in self.twist.blocks():
            block = data[at : at + width * (width + 1)].reshape(width, width + 1)
            whole[first : first + width, first : first + width] = block[:, :width]
            whole[first : first + width, size] = block[:, width]
            at += width * (width + 1)
        self.tables(self._y0).propagator.number = whole.ravel()
        self._propagated = h

    def angles(self, y: np.ndarray) -> np.ndarray:
        """Elevation, azimuth and twist of each link as the paper counts them, (3, n) rad."""
        tables = self.tables(y)
        elevations, azimuths = tables.angle.value.reshape(2, -1)
        return np.stack([elevations, azimuths, self.twist.shapes @ tables.twist.amplitude])

    def observe(self, t: float, y: np.ndarray, u: np.ndarray, h: float, out: np.ndarray) -> None:
        model, n = self.lagrangian, self.lagrangian.count
        seen = SCHEMA.tables(self.ints, self.reals, y, self.work.copy())
        status = accelerate(float(t), float(h), y, self.ints, self.reals, seen.work)
        q, laid = seen.laid.direction, seen.laid
        e2, a2 = seen.rhs.value.reshape(2, n)
        swing = laid.by_elevation * e2[:, None] + laid.by_azimuth * np.cumsum(a2)[:, None] + laid.bias
        arms = model.lengths[:, None]

        def along(vectors: np.ndarray) -> np.ndarray:
            return np.vstack([np.zeros(3), np.cumsum(arms * vectors, axis=0)])

        places, speeds, pushes = self._chain.nodes[0] + along(q), along(laid.rate), along(swing)
        middle = 0.5 * (pushes[1:] + pushes[:-1])
        end = self._load(t) - [0.0, 0.0, model.end_weight] - model.end_mass * pushes[-1]
        below = np.vstack([seen.load.whole - model.masses[:, None] * middle, end])
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
        table[:n, NODE_TORSION] = self.twist.moments @ seen.twist.amplitude
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
        theta = np.concatenate([seen.angle.value, angles[2]])
        rates = np.concatenate([seen.rate.value, np.zeros(n)])
        height = places[:-1, 2] + places[1:, 2]
        springs = 0.5 * float(theta @ model.stiffness_matrix @ theta)
        totals[0] = model.kinetic_energy(theta, rates) + 0.5 * float(np.sum(seen.twist.rate**2))
        totals[1] = 0.5 * float(model.weights @ height) + model.end_weight * places[-1, 2]
        totals[2] = springs
        totals[3:7] = seen.block("ledger")
        totals[7] = tension.max()
        out[self.shape.extra_block] = angles.T.ravel()
        report(self.ints, y, out)
        if status != OK:
            out[self.shape.end_block.start : self.shape.point_block.start] = np.nan

    def _load(self, t: float) -> np.ndarray:
        """Force on the end at time t, (3,)."""
        tables = self.tables(self._y0)
        rows = tables.sample.number.reshape(-1, 2)
        factor = 1.0 if len(rows) == 0 else float(np.interp(t, rows[:, 0], rows[:, 1]))
        return np.asarray(factor * tables.end.force)

    def places(self, status: int) -> Places:
        return self.places_on_cables("element")

    def words(self, status: int, time: float) -> tuple[str, str, str]:
        if status == SINGULAR:
            return (
                "the mass matrix is singular: a link hangs straight down, where azimuth has no meaning",
                "no spring or damper of the azimuth holds it there",
                "give azimuth_stiffness and azimuth_damping, or use simulation.links.mode: physical",
            )
        return (
            f"an angle turns faster than {FASTEST:g} rad/s or is not a number",
            "a step too large for explicit weight and drag",
            f"use a smaller step than {self.system.simulation.step:g} s",
        )

    def start_notes(self, h: float) -> tuple[str, ...]:
        return self._notes


__all__ = ["CompiledPaperLinks", "lagrangian_of"]
