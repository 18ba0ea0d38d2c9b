"""A system compiled to bars: the contract's face of the kernels."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from fairlead.formulations.contract import Compiled, Failure, Layout, UnsupportedSystem
from fairlead.model import System
from fairlead.results.observation import ObservationShape
from fairlead.shape.layout import Geometry

from . import arrays as a
from .build import build
from .coefficients import EXPLICIT_EULER, PLAIN, SEMI_IMPLICIT
from .equations import rhs, settle
from .observe import observe
from .step import HUB_RANGE, OK, SINGULAR, SPEED_LIMIT, advance

_KIND = {"semi_implicit": SEMI_IMPLICIT, "explicit_euler": EXPLICIT_EULER, "rk2": PLAIN, "rk4": PLAIN}


def compile_system(system: System, geometry: Geometry) -> CompiledBars:
    """Compile `system` as laid out."""
    return CompiledBars(system, geometry)


class CompiledBars(Compiled):
    """See `Compiled`."""

    formulation: ClassVar[str] = "bars"
    schemes: ClassVar[frozenset[str]] = frozenset({"semi_implicit", "explicit_euler"})
    rhs = staticmethod(rhs)
    settle = staticmethod(settle)

    def __init__(self, system: System, geometry: Geometry) -> None:
        built = build(system, geometry)
        self.system = system
        self.ints, self.reals, self._y0 = built.ints, built.reals, built.y0
        self.layout = Layout.of(*a.state_parts(self.ints))
        self.work = np.zeros(a.scratch_size(self.ints))
        lengths = [[s.length for s in cable.segments(system)] for cable in system.cables.values()]
        self.shape = ObservationShape(
            cables=tuple(system.cables),
            nodes_per_cable=tuple(len(row) + 1 for row in lengths),
            points=tuple(system.points),
            arc_length=tuple(tuple(np.concatenate(([0.0], np.cumsum(row)))) for row in lengths),
        )
        controlled = [name for name, point in system.points.items() if point.kind == "controlled"]
        self.inputs = {f"{name}.position": slice(3 * k, 3 * k + 3) for k, name in enumerate(controlled)}
        self.kind = _KIND[system.simulation.integrator]
        self._hub_names = [name for name, point in system.points.items() if point.kind == "free"]
        if self.kind == PLAIN:
            self._require_plain()
        self._copy = self._y0.copy()

    def _require_plain(self) -> None:
        """Runge–Kutta with plain springs needs an inertia wherever a clamp turns a free point."""
        if self.system.simulation.bars.tuning != "rule":
            return
        clamped = {
            end.point
            for cable in self.system.cables.values()
            for end in (cable.start, cable.end)
            if end.joint == "clamp"
        }
        for name in self._hub_names:
            point = self.system.points[name]
            if name in clamped and point.kind == "free" and (point.inertia == 0 or point.mass == 0):
                raise UnsupportedSystem(
                    f"points.{name}: cables are clamped to a free point without mass and inertia, which "
                    f"'{self.system.simulation.integrator}' cannot step; give it a mass and an inertia, join them by "
                    "ball joints, or use integrator: semi_implicit"
                )

    def initial_state(self) -> np.ndarray:
        return self._y0.copy()

    def advance(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray, scheme: str) -> Failure | None:
        status = advance(float(t), y, int(n), float(h), u, self.ints, self.reals, self.work, _KIND[scheme])
        return None if status == OK else self.failure(status, t, y)

    def observe(self, t: float, y: np.ndarray, u: np.ndarray, h: float, out: np.ndarray) -> None:
        self._copy[:] = y
        observe(float(t), self._copy, u, float(h), self.ints, self.reals, self.work, self.kind, out)

    def failure(self, status: int, t: float, y: np.ndarray) -> Failure:
        time, index, element = float(self.work[0]), int(self.work[1]), int(self.work[2])
        cure = f"use a smaller step than {self.system.simulation.step:g} s"
        if status in (HUB_RANGE, SINGULAR):
            place = f"point '{self._hub_names[index]}'"
        else:
            name = self.shape.cables[index]
            count = self.shape.nodes_per_cable[index] - 1
            model = a.model_of.py_func(self.ints, self.reals)
            if model.cables[index, a.CABLE_REVERSED]:
                element = count - 1 - element
            place = f"cable '{name}', element {element + 1} of {count}"
        if status == SINGULAR:
            return Failure(
                time, place, "the equations of the junction cannot be solved",
                "a state that is no longer finite, or stiffness and mass too far apart", cure,
            )  # fmt: skip
        cause = "the step is too large for the stiffest motion"
        settings = self.system.simulation
        if settings.bars.tuning != "rule":
            cause = f"the published tuning needs a step below 1/alpha = {1 / settings.bars.alpha:g} s"
            cure = "use a smaller step, or bars: {tuning: rule}"
        elif settings.integrator == "explicit_euler":
            cause = "explicit Euler gains energy where there is little drag"
            cure = "use integrator: semi_implicit, or a much smaller step"
        elif settings.integrator == "rk4":
            cause = "the step is above the stability bound of the axial springs"
            cure = f"use a step below {self.plain_step_bound():.3g} s, or integrator: semi_implicit"
        elif t == 0.0:
            cause = "ends that do not meet, a first shape under very high tension, or too large a step"
            cure += ", start from statics, or check positions and lengths"
        return Failure(time, place, f"speed beyond {SPEED_LIMIT:g} m/s or not a number", cause, cure)

    def plain_step_bound(self) -> float:
        """Largest stable step of Runge–Kutta 4 on the axial springs [s]: 2.8/ω with ω² = 4k/m of the stiffest bar."""
        model = a.model_of.py_func(self.ints, self.reals)
        bound = math.inf
        for c, row in enumerate(model.cables):
            bars = slice(row[a.CABLE_FIRST], row[a.CABLE_FIRST] + row[a.CABLE_COUNT])
            stiff = model.joints[bars.start + c : bars.stop + c + 1, 0]
            k = np.maximum(stiff[1:], stiff[:-1])
            turning = model.bars[bars, a.INERTIA] * 4 / model.bars[bars, a.LENGTH] ** 2
            inertia = np.minimum(model.bars[bars, a.MASS], turning)
            bound = min(bound, float(np.min(2.8 / np.sqrt(4 * k / inertia))))
        return bound
