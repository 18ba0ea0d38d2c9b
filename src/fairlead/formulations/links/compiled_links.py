"""A system compiled to links: the contract's face of the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairlead.algebra.records import Schema

from fairlead.formulations.contract import Exportable, UnsupportedSystem
from fairlead.formulations.kernel_compiled import KernelCompiled, Places
from fairlead.model import System
from fairlead.results.observation import Extra
from fairlead.rigging.axial_waves import axial_wave_notes
from fairlead.rigging.first_velocity import FirstVelocities, turning_rates
from fairlead.rigging.hanging import require_hanging
from fairlead.rigging.observation_shape import angle_extras as body_angles
from fairlead.rigging.observation_shape import file_arcs, observation_shape
from fairlead.rigging.slack import unstretched_notes
from fairlead.rigging.states import StateRules, unit_fields
from fairlead.shape.layout import Geometry

from .build import build
from .equations import rhs, settle
from .run import run
from .schema import SCHEMA
from .step import RANGE, SINGULAR, SPEED_LIMIT

SUPPORTS = frozenset(
    {
        "bending", "torsion", "damping", "clamps", "free_bodies", "controlled_points", "attachments", "bodies", "loads",
        "current", "waves", "wind", "seabed", "friction",
    }
)  # fmt: skip
"""Not: branches and loops (a chain has two ends), sliding points, winches, ends that are let go; a body hangs in the
end of one cable."""

if TYPE_CHECKING:
    from .linearised import LinearisedLinks


def angle_extras(links: int) -> tuple[Extra, ...]:
    """Names of the angles of each link, from the first on."""
    words = {
        "elevation": "elevation of link {} from straight down",
        "azimuth": "azimuth of link {} from y towards x",
        "twist": "twist of link {}",
    }
    return tuple(
        Extra(f"{name}_{i}", "rad", text.format(i)) for i in range(1, links + 1) for name, text in words.items()
    )


class CompiledLinks(KernelCompiled):
    """See `KernelCompiled`."""

    formulation: ClassVar[str] = "links"
    supports: ClassVar[frozenset[str]] = SUPPORTS
    schema: ClassVar[Schema] = SCHEMA
    schemes: ClassVar[tuple[str, ...]] = ("semi_implicit",)
    statuses: ClassVar[tuple[int, ...]] = (RANGE, SINGULAR)
    derived: ClassVar[tuple[str, ...]] = ("twist", "_propagated")
    exports: ClassVar[bool] = True
    rhs = staticmethod(rhs)
    settle = staticmethod(settle)

    def __init__(self, system: System, geometry: Geometry) -> None:
        require_hanging(system)
        built = build(system, geometry)
        self.twist = built.twist
        """Modes of the twist, None where nothing resists it."""
        self._chains = built.chains
        angles = angle_extras(built.tables.links) if built.tables.reports_angles else ()
        shape = observation_shape(system, file_arcs(system), (*angles, *body_angles(system)))
        self._hold(system, built.tables, built.inputs, shape, run)
        self._propagated = 0.0

    def state_rules(self) -> StateRules:
        tables = self.tables(self._y0)
        links = unit_fields(tables, "link_state", "direction", "the direction of link")
        return StateRules(units=(*links, *unit_fields(tables, "body_state", "turn", "the quaternion of body")))

    def under_way(self, y: np.ndarray) -> np.ndarray:
        y, first = y.copy(), FirstVelocities(self.system)
        tables, at = self.tables(y), 0
        for c, chain in enumerate(self._chains):
            lengths, nodes = np.array(chain.lengths), np.zeros((len(chain.lengths) + 1, 3))
            for name, link, count, reverse in chain.cables:
                back = -1 if reverse else 1
                nodes[link : link + count + 1] = first.at_nodes(name, lengths[link : link + count][::back])[::back]
            start = tables.start_state.velocity[c] = nodes[0]
            for link, count in sorted((link, count) for _, link, count, _ in chain.cables):
                here = slice(at + link, at + link + count)
                rates = turning_rates(
                    np.diff(nodes[link : link + count + 1], axis=0), nodes[link + count] - start,
                    lengths[link : link + count], tables.link_state.direction[here],
                )  # fmt: skip
                tables.link_state.rate[here] = rates
                start = start + lengths[link : link + count] @ rates
            at += len(lengths)
        tables.control_state.velocity = [command.at_start()[1] for command in first.commands.values()]
        return y

    def prepare(self, h: float) -> None:
        """The twist's propagators over a step of h, when the last ones were for another."""
        if self.twist is not None and h != self._propagated:
            self.tables(self._y0).propagator.number = self.twist.propagators(h)
            self._propagated = h

    def exportable(self) -> Exportable:
        if self.twist is not None:
            raise UnsupportedSystem(
                "types: the twist of links (torsional_stiffness) is propagated by matrices that Python makes for each "
                "step size; leave torsional_stiffness out, or use formulation: bars"
            )
        return super().exportable()

    def linearised(self, t: float = 0.0, u: np.ndarray | None = None) -> LinearisedLinks:
        from .linearised import LinearisedLinks

        if self.system.bodies:
            raise UnsupportedSystem(
                f"bodies.{next(iter(self.system.bodies))}: the formulation 'links' offers neither statics nor modes of "
                "systems with bodies; use start: catenary, or formulation: bars or lumped"
            )
        return LinearisedLinks(self, float(t), self.initial_inputs() if u is None else u)

    def link_name(self, chain: int, link: int) -> str:
        """What people call a link of a chain: its cable and the element's number from the cable's start."""
        for name, first, count, reverse in self._chains[chain].cables:
            if first <= link < first + count:
                element = count - (link - first) if reverse else link - first + 1
                return f"cable '{name}', element {element} of {count}"
        return f"chain {chain}, link {link}"

    def peak_notes(self, tension: float) -> tuple[str, ...]:
        return unstretched_notes(self.system, tension)

    def places(self, status: int) -> Places:
        return tuple(
            tuple(self.link_name(c, link) for link in range(len(chain.lengths))) for c, chain in enumerate(self._chains)
        )

    def words(self, status: int, time: float) -> tuple[str, str, str]:
        what = f"speed beyond {SPEED_LIMIT:g} m/s or not a number"
        cause = "the step is too large for the fastest swinging of a link"
        if status == SINGULAR:
            what, cause = "the equations of the chain cannot be solved", "a state that is no longer finite"
        cure = f"use a smaller step than {self.system.simulation.step:g} s"
        if self.scheme in ("rk4", "rk2"):
            cause = "an explicit integrator and bending, drag or a taut cable that is stiffer than its step allows"
            cure = "use integrator: semi_implicit, or a much smaller step"
        return what, cause, cure

    def start_notes(self, h: float) -> tuple[str, ...]:
        points = [load for load in self.system.loads if load.point in self.system.points]
        free = {load.point for load in points if any(load.torque)}
        clamped = {
            end.point
            for cable in self.system.cables.values()
            for end in (cable.start, cable.end)
            if end.joint == "clamp"
        }
        turned = tuple(
            f"loads: the torque on point '{name}' turns nothing, since no cable is clamped to it; use joint: clamp"
            for name in sorted(free - clamped)
        )
        return (*turned, *axial_wave_notes(self.system))
