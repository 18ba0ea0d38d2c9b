"""Hulls in water that carry cables of any formulation: moorings, tow lines, lifting wires.

The system is parted in two. The hulls alone are a tree of the `multibody` formulation, solved with the water. All else
(cables, points, other bodies) is compiled by the formulation of the file; where a cable ends on a hull, a controlled
point led by the hull takes the attachment's place (`fastened`). Each sees the other through the paths of these points
and the pulls on them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fairlead.formulations import compile_system as compile_formulation
from fairlead.formulations.contract import Block, Compiled, Failure, UnsupportedSystem
from fairlead.formulations.led_ends import LedEnds, led_point
from fairlead.model import System
from fairlead.model.cables import Cable, End
from fairlead.model.places import find_place
from fairlead.results.observation import ObservationShape
from fairlead.rigging.states import StateRules
from fairlead.shape.layout import Geometry

from .afloat import Afloat
from .at_rest import CablesAtRest
from .compiled_hydro import CompiledHydro, moved
from .extremes import gather
from .fastened import Fastening, WithCables
from .mechanism import Mechanism
from .panels import Floats
from .passage import Passing
from .stage import Stage

LONGEST_STEP = 0.01
"""Steps of cables and hulls are no longer than this [s] unless the file says how many there are."""
QUICK = 0.2
"""How fast led points find a path that they are off at first, in radians a step of the cables."""


class CompiledMoored(CompiledHydro):
    """See `Compiled`; the state is that of `CompiledHydro` with the cables' and their pulls after the tree's."""

    def __init__(self, system: System, geometry: Geometry) -> None:
        if system.simulation.integrator != "auto":
            raise UnsupportedSystem(
                "simulation.integrator: with hulls in water each part is stepped by its own method; use auto"
            )
        self.formulation = system.simulation.formulation  # type: ignore[misc]
        super().__init__(system, geometry)

    # ---- the two parts

    def _tree_system(self, passing: Sequence[Passing]) -> System:
        """The hulls alone, with the loads on them."""
        whole, hulls = super()._tree_system(passing), self._hulls
        return whole.model_copy(
            update={
                "types": {},
                "points": {},
                "cables": {},
                "bodies": {name: body for name, body in whole.bodies.items() if name in hulls},
                "loads": tuple(load for load in whole.loads if _owner(load.point) in hulls),
            }
        )

    def _carried(self, geometry: Geometry) -> Mechanism:
        system, step = self.system, self.system.simulation.step
        substeps = (system.hydro and system.hydro.substeps) or self._substeps(step)
        rest, led = without_hulls(system, QUICK * substeps / step)
        places = {point: geometry.points[end] for point, end in led.items()}
        laid = Geometry(geometry.cables, geometry.points | places, (), geometry.sliders, geometry.bodies)
        self.rest: Compiled = compile_formulation(rest, laid)
        self.cables = LedEnds(self.rest, list(led))
        hulls = list(self._hulls)
        fastenings = []
        for end in led.values():
            place = find_place(system, end)
            assert place is not None
            fastenings.append(Fastening(hulls.index(place.owner_name), np.array(place.offset)))
        self.led = tuple(led)
        self.both = WithCables(self.mechanism, self.cables, fastenings, step / substeps)
        return self.both

    @property
    def _hulls(self) -> tuple[str, ...]:
        assert self.system.hydro is not None
        return tuple(self.system.hydro.hulls)

    def _substeps(self, step: float) -> int:
        return math.ceil(step / LONGEST_STEP)

    @property
    def _gliding(self) -> bool:
        return True

    # ---- inputs and state

    def _inputs(self) -> dict[str, slice]:
        own = len(self.mechanism.initial_inputs())
        theirs = {
            name: slice(part.start + own, part.stop + own)
            for name, part in self.rest.inputs.items()
            if _owner(name) not in self.led
        }
        return {**self.mechanism.input_places, **theirs}

    def initial_inputs(self) -> np.ndarray:
        return np.concatenate([self.mechanism.initial_inputs(), self.rest.initial_inputs()])

    def _take(self, u: np.ndarray) -> None:
        own = len(self.mechanism.u)
        super()._take(u[:own])
        self.cables.u = np.array(u[own:], dtype=float)

    def _blocks(self) -> tuple[Block, ...]:
        tree, hung, ends = (part.start for part in self.both.parts)
        end = Block("ends", ends, self.both.n_states, "N", 0.0)
        return (*moved(self.tree.layout.blocks, tree), *moved(self.rest.layout.blocks, hung, "cables_"), end)

    def state_rules(self) -> StateRules:
        return super().state_rules() + self.rest.state_rules().moved(self._hung.start)

    @property
    def _hung(self) -> slice:
        """The cables' part of the state."""
        first, part = 2 * self.water.n_surface, self.both.parts[1]
        return slice(first + part.start, first + part.stop)

    def linearised(self, t: float = 0.0, u: np.ndarray | None = None) -> CablesAtRest:
        """The cables, with the hulls where they start; these float to rest in rounds that follow, if they may."""
        self._take(self.initial_inputs() if u is None else u)
        self.cables.hold(self.both.ends(t, self.both.initial_state()).places)
        hulls = self._tree_at_rest(t, self._own)
        if hulls.size == 0:
            return CablesAtRest(self.rest.linearised(t, self.cables.u), self._hung, self._hang_up, self.rest_notes)
        carried = slice(2 * self.water.n_surface, self._largest)
        return Afloat(
            t, hulls, self.both, self.cables, (carried, self._hung), self._size, self._hang_up, self.rest_notes
        )

    def _hang_up(self, t: float, y: np.ndarray) -> None:
        """Let the cables of a state at rest pull at the hulls, in place."""
        self.both.hang_up(t, y[2 * self.water.n_surface : self._largest])

    def failure(self, status: int, t: float, y: np.ndarray) -> Failure:
        found = super().failure(status, t, y)
        if found.place.startswith(("the hull of", "the free surface")):
            return found
        return Failure(
            t, "the hulls and their cables", "their motion can no longer be computed",
            f"small steps of {self.system.simulation.step / self.substeps:.3g} s are too long for the bounce of what "
            "hangs on the cables, or the hull is far too light for them",
            f"use more hydro.substeps than {self.substeps}, and shorter elements at the hull",
        )  # fmt: skip

    # ---- what is to be seen

    def _dry_shape(self) -> ObservationShape:
        """Cables and points of the file, then the extras of the cables' formulation, then those of the hulls."""
        rest, names = self.rest.shape, (*self.system.points, *self.system.bodies)
        self._from = [(self.tree.shape if name in self._hulls else rest, name) for name in names]
        return ObservationShape(
            rest.cables, rest.nodes_per_cable, names, rest.arc_length, (*rest.extras, *self.tree.shape.extras)
        )

    def _dry_row(self, t: float, y: np.ndarray, u: np.ndarray, h: float, stage: Stage) -> Floats:
        tree, rest = self.tree.shape, self.rest.shape
        hulls = super()._dry_row(t, y, self.mechanism.u, h, stage)
        cables = rest.empty_row()
        carried, small = y[2 * self.water.n_surface : self._largest], h / self.substeps
        ends = self.both.ends(t, carried)
        moving = any(np.any(motion.velocity) or np.any(motion.spin) for motion in stage.motions)
        a = ends.accelerations(stage.accelerations) if moving else np.zeros_like(ends.places)  # none in statics
        self.cables.prescribe(t, small, ends.places, ends.velocities, a)
        self.rest.observe(t, np.ascontiguousarray(y[self._hung]), self.cables.u, small, cables)
        points = [(hulls if shape is tree else cables)[shape.point(name)] for shape, name in self._from]
        totals = cables[rest.total_block] + hulls[tree.total_block]
        return np.concatenate(
            [cables[: rest.point_block.start], *points, totals, cables[rest.extra_block], hulls[tree.extra_block]]
        )

    _along = 0

    def _gather(self, y: np.ndarray) -> None:
        theirs = y[self._hung][self.rest.layout["extremes"]]
        gather(theirs, y[self._flags.stop :], self.shape.extremes)
        fresh = self.rest.shape.extremes
        theirs[: fresh.reset_part] = fresh.fresh[: fresh.reset_part]

    def start_notes(self, h: float) -> tuple[str, ...]:
        return (*super().start_notes(h), *self._in_small_steps(self.rest.start_notes(h / self.substeps)))

    def report(self, y: np.ndarray) -> dict[str, str]:
        return {**self.rest.report(np.ascontiguousarray(y[self._hung])), **super().report(y)}

    def end_notes(self, y: np.ndarray, h: float) -> tuple[str, ...]:
        own, small = np.ascontiguousarray(y[self._hung]), h / self.substeps
        snaps = self.rest.snaps(own)
        theirs = (*(snaps.notes(small, {}) if snaps is not None else ()), *self.rest.end_notes(own, small))
        return (*super().end_notes(y, h), *self._in_small_steps(theirs))

    def _in_small_steps(self, notes: tuple[str, ...]) -> tuple[str, ...]:
        """Notes of the cables' formulation, which speaks of its own steps as those of the file."""
        small = f"; such steps are set by hydro.substeps, now {self.substeps}"
        return tuple(note + small if "step" in note else note for note in notes)


def without_hulls(system: System, cutoff: float) -> tuple[System, dict[str, str]]:
    """A system without its hulls, and the led points that stand for their attachments: name to `body.place`."""
    assert system.hydro is not None
    hulls, led, points, cables = tuple(system.hydro.hulls), {}, dict(system.points), {}
    mistakes = []

    def held(cable: str, side: str, end: End) -> End:
        if _owner(end.point) not in hulls:
            return end
        if end.joint == "clamp":
            mistakes.append(f"cables.{cable}.{side}: a cable cannot be clamped to a hull; use joint: ball")
        name = end.point.replace(".", " ")
        place = find_place(system, end.point)
        assert place is not None
        assert place.position is not None
        led[name] = end.point
        velocity = system.bodies[_owner(end.point)].velocity or (0.0, 0.0, 0.0)
        points[name] = led_point(place.position, velocity, cutoff)
        return end.model_copy(update={"point": name})

    for name, cable in system.cables.items():
        ends: dict[str, End] = {side: held(name, side, getattr(cable, side)) for side in ("start", "end")}
        parted: Cable = cable.model_copy(update=ends)
        cables[name] = parted
    if not led:
        mistakes.append("cables: none of them ends on a hull; run them without the hulls, or join one to a hull")
    if mistakes:
        raise UnsupportedSystem("\n".join(mistakes))
    rest = system.model_copy(
        update={
            "hydro": None,
            "points": points,
            "cables": cables,
            "bodies": {name: body for name, body in system.bodies.items() if name not in hulls},
            "loads": tuple(load for load in system.loads if _owner(load.point) not in hulls),
        }
    )
    return rest, led


def _owner(place: str) -> str:
    """The point or body of a place, or of an input."""
    return place.partition(".")[0]
