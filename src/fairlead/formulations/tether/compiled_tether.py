"""A system compiled to a tether of nodes and controlled links: the contract's face of the kernels."""

from __future__ import annotations
from fairlead.words import force, percentage

import math
from typing import ClassVar

import numpy as np

from fairlead.algebra.records import Schema
from fairlead.formulations.contract import Linearised, UnsupportedSystem
from fairlead.formulations.kernel_compiled import KernelCompiled, Places
from fairlead.model import System
from fairlead.results.observation import Extra
from fairlead.rigging.first_velocity import FirstVelocities
from fairlead.rigging.hanging import require_hanging
from fairlead.rigging.observation_shape import angle_extras, file_arcs, observation_shape
from fairlead.rigging.states import Bound, StateRules, flags, places_of, unit_fields
from fairlead.shape.layout import Geometry

from .build import build, definitions
from .gains import Gains
from .observe import EXTRAS
from .run import run
from .schema import SCHEMA
from .softness import softness_notes
from .step import EXPLICIT_EULER, RANGE, SEMI_IMPLICIT, SPEED_LIMIT, STRETCHED

SOFT = 0.02
"""Strain under the first tension beyond which suggested gains are worth a word."""


def suggested_gains(system: System, step: float | None = None) -> Gains:
    """Kp, Kd and Ki for every link of a system and its step (s), and their bounds."""
    from fairlead.shape.layout import first_geometry

    changed = system if step is None else system.with_settings(step=step)
    return build(changed, first_geometry(changed)).gains


class CompiledTether(KernelCompiled):
    """See `KernelCompiled`."""

    formulation: ClassVar[str] = "tether"
    supports: ClassVar[frozenset[str]] = frozenset(
        {
            "bending", "damping", "branches", "loops", "free_bodies", "controlled_points", "winch", "rescaling_winch",
            "attachments", "bodies", "loads", "current", "waves", "wind", "seabed", "friction",
        }
    )  # fmt: skip
    schema: ClassVar[Schema] = SCHEMA
    schemes: ClassVar[tuple[str, ...]] = ("semi_implicit", "explicit_euler")
    kinds: ClassVar[dict[str, int]] = {"semi_implicit": SEMI_IMPLICIT, "explicit_euler": EXPLICIT_EULER}
    statuses: ClassVar[tuple[int, ...]] = (RANGE, STRETCHED)
    derived: ClassVar[tuple[str, ...]] = ("gains", "substeps")
    exports: ClassVar[bool] = True
    end_forces = "coming"

    def __init__(self, system: System, geometry: Geometry) -> None:
        require_hanging(system)
        for i, load in enumerate(system.loads):
            if any(load.torque) and load.point in system.points:
                raise UnsupportedSystem(
                    f"loads[{i}].torque: points of the formulation 'tether' do not turn; use formulation: bars"
                )
        if system.simulation.integrator not in ("auto", *self.schemes):
            raise UnsupportedSystem(
                f"simulation.integrator: '{system.simulation.integrator}' cannot step the links' memory of 'tether'; "
                "use integrator: auto"
            )
        built = build(system, geometry)
        self.gains, self.substeps = built.gains, built.substeps
        extras = (*(Extra(*extra) for extra in EXTRAS), *angle_extras(system))
        self._hold(system, built.tables, built.inputs, observation_shape(system, file_arcs(system), extras), run)
        self._first_tension = max((float(np.max(t)) for t in geometry.tensions.values()), default=0.0)

    def parts(self, h: float, scheme: str) -> int:
        """As many as the gains ask for: a step longer than that of the file is divided further."""
        return max(self.substeps, math.ceil(self.substeps * h / self.system.simulation.step - 1e-9))

    def state_rules(self) -> StateRules:
        tables = self.tables(self._y0)
        factors = zip(places_of(tables, "paid", "factor"), self.system.cables, strict=True)
        lengths = (Bound(k, f"the length factor of cable '{name}'", 1e-6, 1e6, whole=False) for k, name in factors)
        started = flags(places_of(tables, "run", "started"), "the flag 'started'")
        return StateRules((*lengths, *started), unit_fields(tables, "body_state", "turn", "the quaternion of body"))

    def under_way(self, y: np.ndarray) -> np.ndarray:
        y, first = y.copy(), FirstVelocities(self.system)
        tables, at = self.tables(y), 0
        for name, arc in zip(self.shape.cables, self.shape.arc_length, strict=True):
            tables.node_state.velocity[at : at + len(arc)] = first.at_nodes(name, np.diff(arc))
            at += len(arc)
        tables.point_state.velocity = [first.of(name) for name in self.shape.points]
        tables.body_state.velocity = [first.of(name) for name in self.system.bodies]
        return y

    def linearised(self, t: float = 0.0, u: np.ndarray | None = None) -> Linearised:
        raise UnsupportedSystem(
            "the formulation 'tether' offers neither statics nor modes; use start: catenary, which it begins under the "
            "tension of, or formulation: bars"
        )

    def places(self, status: int) -> Places:
        return self.places_on_cables("link") if status == STRETCHED else self.places_on_cables("node", first=0)

    def words(self, status: int, time: float) -> tuple[str, str, str]:
        step, bound = self.system.simulation.step / self.substeps, self.gains.step_bound
        cause = "the links are too soft for their load, or the gains are not stable"
        cure = "use a smaller step, which allows stiffer links, or larger gains"
        if self.system.simulation.tether.direction == "text":
            cause, cure = (
                "link forces in the direction of the paper's text push apart",
                "use tether: {direction: formula}",
            )
        elif step > bound:
            cause, cure = f"the step of {step:g} s is above {bound:.3g} s, the bound of the gains", "use a smaller step"
        elif self.gains.integral_ratio > 0.5 * self.gains.integral_bound:
            cause = f"Ki/Kp = {self.gains.integral_ratio:.3g} 1/s, and its bound is {self.gains.integral_bound:.3g} 1/s"
            cure = "use a smaller tether.integral"
        if status == STRETCHED:
            return "a link has twice its length, or is not a number", cause, cure
        return f"speed beyond {SPEED_LIMIT:g} m/s or not a number", cause, cure

    def start_notes(self, h: float) -> tuple[str, ...]:
        gains, notes = self.gains, []
        h /= self.substeps
        if h > gains.step_bound:
            notes.append(
                f"simulation.step: {h:g} s is above {gains.step_bound:.3g} s, the bound of the links' gains; use a "
                "smaller step, or leave the gains out"
            )
        if gains.integral_ratio > 0.5 * gains.integral_bound:
            notes.append(
                f"simulation.tether.integral: Ki/Kp = {gains.integral_ratio:.3g} 1/s is more than half of its bound of "
                f"{gains.integral_bound:.3g} 1/s; use a smaller one"
            )
        strain = self._first_tension / float(gains.proportional.min()) if gains.proportional.min() > 0 else np.inf
        softened = float((gains.proportional / self.tables(self._y0).link.stiffness).min()) < 0.999
        given = self.system.simulation.tether.proportional is not None
        if softened and strain > SOFT and not given:
            notes.append(
                f"simulation.step: with {h:g} s the links can hold no more than Kp = "
                f"{force(gains.proportional.min(), 3)}: {percentage(strain)} of stretch under the first tension "
                "until the integral takes it; use a smaller step"
            )
        drums = [name for name, cable in self.system.cables.items() if cable.winch and cable.winch.mode == "drum"]
        if drums:
            notes.append(
                f"cables.{drums[0]}.winch.mode: the tether pays out by lengthening all its links (`rescale`); use "
                "formulation: lumped or bars for a drum that makes and takes elements"
            )
        return tuple(notes)

    def end_notes(self, y: np.ndarray, h: float) -> tuple[str, ...]:
        if definitions(self.system)["aim"] != "elastic" or definitions(self.system)["error"] != "strain":
            return ()
        return softness_notes(self.system, self.tables(y), self.shape.cables)

    def report(self, y: np.ndarray) -> dict[str, str]:
        gains = self.gains

        def span(values: np.ndarray, unit: str) -> str:
            low, high = float(values.min()), float(values.max())
            return f"{low:.4g} {unit}" if high - low <= 1e-6 * high else f"{low:.4g} to {high:.4g} {unit}"

        return {
            "tether_gains": f"Kp {span(gains.proportional, 'N')}, Kd {span(gains.derivative, 'N s')}, "
            f"Ki {span(gains.integral, 'N/s')}",
            "tether_substeps": f"{self.substeps} for each step",
            "tether_bounds": f"step below {gains.step_bound:.3g} s, Ki/Kp below {gains.integral_bound:.3g} 1/s",
            "tether_definitions": ", ".join(f"{name}: {value}" for name, value in definitions(self.system).items()),
        }
