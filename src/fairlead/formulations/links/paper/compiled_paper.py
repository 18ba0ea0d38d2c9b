"""One cable compiled to the paper's links: the contract's face of the kernels."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from fairlead.algebra.records import Schema, Tables
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.kernel_compiled import KernelCompiled, Places
from fairlead.formulations.links.build import joint_rows, link_row, require_lists
from fairlead.formulations.links.chains import Chain, chains_of
from fairlead.formulations.links.compiled_links import SUPPORTS, angle_extras
from fairlead.formulations.links.lagrangian import Lagrangian
from fairlead.formulations.links.twist import TwistModes
from fairlead.loads import drag
from fairlead.model import System
from fairlead.rigging.observation_shape import file_arcs, observation_shape
from fairlead.rigging.rows import Collected
from fairlead.shape.layout import Geometry

from .schema import FORCE, MORISON, SCHEMA, TORQUE
from .step import FASTEST, RANGE, SINGULAR, run

_DRAG = {"morison": MORISON, "torque": TORQUE, "force": FORCE}


def lagrangian_of(system: System, chain: Chain, bending: np.ndarray, twisting: np.ndarray) -> Lagrangian:
    """The paper's Lagrangian of a cable that hangs from its start, its joints' stiffnesses (n,) known."""
    settings = system.simulation.links
    env = system.environment
    kinds, lengths = chain.kinds(system), np.array(chain.lengths)
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
        k_elevation=bending,
        k_azimuth=np.zeros(n) if settings.azimuth_stiffness is None else np.array(settings.azimuth_stiffness),
        k_twist=twisting,
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
        bends, turns = joint_rows(chain, system, "elevation")[:n], joint_rows(chain, system, "twist")[:n]
        self.lagrangian = lagrangian_of(system, chain, bends[:, 0], turns[:, 0])
        """The energies and matrices of the equations of motion."""
        self._chain = chain
        azimuth = np.zeros(n) if settings.azimuth_damping is None else np.array(settings.azimuth_damping)
        self.damping = np.stack([bends[:, 1], azimuth, turns[:, 1]])
        """C of Eq. 20 for each coordinate, (3, n): elevation, azimuth, twist."""
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
        found = Collected()
        found.sample = samples
        counts = {
            "links": n, "nodes": n + 1, "pairs": n * n, "squares": 4 * n * n, "points": len(system.points),
            "propagators": self.twist.collect(found),
        }  # fmt: skip
        literal = int(model.reading == "literal")
        tables = found.tables(SCHEMA, system.environment, counts, drag=mode, literal=literal)
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
        tables.swing.mass = model.swing_matrix.ravel()
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

    def prepare(self, h: float) -> None:
        """The twist's propagators over a step of h, when the last ones were for another."""
        if h != self._propagated:
            self.tables(self._y0).propagator.number = self.twist.propagators(h)
            self._propagated = h

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
