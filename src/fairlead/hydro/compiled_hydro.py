"""Hulls in water and the trees of bodies that carry them, as one runnable system: the contract's face of the solver.

The state is η and p of the free surface, then the `multibody` formulation's own vector, then the largest perturbation
seen so far. A step is one Runge–Kutta step of all of it; where cables are too stiff for that, they and the bodies take
many small steps in it (`subcycling`). Cables of other formulations on the hulls: `compiled_moored`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from fairlead.formulations import compile_system as compile_formulation
from fairlead.formulations.contract import Block, Compiled, Failure, Layout, Linearised, UnsupportedSystem
from fairlead.formulations.led_ends import CableFailed
from fairlead.formulations.multibody import CompiledMultibody
from fairlead.model import PointLoad, System
from fairlead.model.hydro import FREEDOMS
from fairlead.results.observation import TENSION_MAX, Extra, Field, ObservationShape
from fairlead.rigging.states import StateRules
from fairlead.sea.steady_wave import WaveTooSteep
from fairlead.sea.water import pack
from fairlead.shape.layout import Geometry
from fairlead.words import NOTE, number

from .bounds import StepBound, perturbation, scatter, step_bound
from .crossing import Crossing
from .extremes import fold_row, report
from .hulls import HullError
from .mechanism import Mechanism
from .mesh_checks import MeshError
from .panels import Floats
from .passage import Passing, bodies_on_their_way, names_of_passing, passing_hulls
from .setup import Basin, build_basin, closed_hull
from .solver import SolverError
from .subcycling import MechanismFault, settle
from .tree import TreeMechanism
from .tree_at_rest import TreeAtRest, how_moved
from .water import Stage, Water

AXES = ("x", "y", "z")
SURFACE = "surface_panel"
OVERFLOW, DRY, SOLVER, GROWTH, ASKEW = 101, 102, 103, 104, 105
PLANE = 1e-6
"""Farther than this [m, rad] a hull may not come out of a plane of symmetry."""
SHARE = 0.7
"""Of the largest stable step of the cables' stretching, that they make in the water's."""
LARGEST_PERTURBATION = 20.0
"""Perturbations beyond this many amplitudes are no waves any more."""


class CompiledHydro(Compiled):
    """See `Compiled`."""

    formulation: ClassVar[str] = "multibody"
    supports: ClassVar[frozenset[str]] = CompiledMultibody.supports | {"hydro", "waves"}
    schemes: ClassVar[tuple[str, ...]] = ("rk4",)
    rhs = None
    settle = None

    def __init__(self, system: System, geometry: Geometry) -> None:
        hydro = system.hydro
        assert hydro is not None
        if system.simulation.integrator not in ("auto", "rk4"):
            raise UnsupportedSystem(
                f"simulation.integrator: hulls in water are stepped by rk4, not '{system.simulation.integrator}'; use "
                "rk4 or auto"
            )
        self.system = system
        folder = Path(system.source.path).parent if system.source is not None else Path()
        try:
            closed = {name: closed_hull(hydro.hulls[name], name, folder) for name in names_of_passing(system)}
        except MeshError as error:
            raise UnsupportedSystem(str(error)) from None
        passing = passing_hulls(system, closed)
        tree = compile_formulation(self._tree_system(passing), geometry, "multibody")
        assert isinstance(tree, CompiledMultibody)
        self.tree = tree
        locked = [hull.locked for hull in hydro.hulls.values()]
        self.mechanism = TreeMechanism(tree.carrier(list(hydro.hulls)), locked, hydro.springs)
        try:
            self.basin: Basin = build_basin(system, self._carried(geometry), folder, closed)
        except (MeshError, WaveTooSteep) as error:
            raise UnsupportedSystem(str(error)) from None
        self.crossing = Crossing(self.mechanism, self.basin, passing)
        self.ints, self.reals, self.work = tree.ints, tree.reals, tree.work
        self.inputs = self._inputs()
        layout = _layout(self._blocks(), self.water.n_surface, len(passing))
        self._largest = layout.size - 1 - len(passing)
        """Where the largest perturbation seen so far is in the state."""
        self._flags = slice(self._largest + 1, layout.size)
        """Whether each passing hull is solved for."""
        dry = self._dry_shape()
        self.shape = replace(
            dry, extras=(*dry.extras, *self._extras()), fields=(*dry.fields, *self._fields())
        )  # fmt: skip
        extremes, end = self.shape.extremes, layout.size
        kept = Block("all_extremes", end, end + extremes.kept, "N, 1/m, m, m/s, s", 0.0)
        self.layout = Layout((*layout.blocks, kept))
        self._sea = pack(system.environment)
        self._first_node = np.array(self.shape.first_node, dtype=np.int64)
        step = system.simulation.step
        self.substeps = hydro.substeps or self._substeps(step)
        self.crossing.substeps = self.substeps if self._gliding else 0
        self.bound: StepBound = step_bound(self.water)
        if step > self.bound.step:
            raise UnsupportedSystem(
                f"simulation.step: {step:g} s is above the bound of the free surface: {self.bound}; use a smaller "
                "step, or larger panels (hydro.surface.inner, hydro.hulls)"
            )

    # ---- the mechanics in the water

    def _tree_system(self, passing: Sequence[Passing]) -> System:
        """What the tree is compiled from: all but the water, with a place for the force of the water on every hull."""
        assert self.system.hydro is not None
        loads = (*self.system.loads, *(PointLoad(point=name) for name in self.system.hydro.hulls))
        bodies = bodies_on_their_way(self.system, passing)
        return self.system.model_copy(update={"hydro": None, "loads": loads, "bodies": bodies})

    def _carried(self, geometry: Geometry) -> Mechanism:
        """What the water moves."""
        return self.mechanism

    def _inputs(self) -> dict[str, slice]:
        return self.mechanism.input_places

    def _blocks(self) -> tuple[Block, ...]:
        """Of the state of what the water moves."""
        return self.tree.layout.blocks

    def _dry_shape(self) -> ObservationShape:
        """What there is to be seen of it."""
        return self.tree.shape

    def _substeps(self, step: float) -> int:
        """Steps of cables and bodies in one of the water."""
        return max(1, math.ceil(step / (SHARE * _cable_bound(self.system, self.tree))))

    @property
    def _gliding(self) -> bool:
        """Whether cables and bodies make steps of their own."""
        return self.substeps > 1

    # ---- where things are in the state, and what is solved for

    @property
    def water(self) -> Water:
        """The water with those hulls in it that are solved for now."""
        return self.crossing.water

    @property
    def passing(self) -> tuple[Passing, ...]:
        """Hulls that go through the surface."""
        return self.crossing.passing

    @property
    def _moving(self) -> slice:
        """The state of the water and of what it moves."""
        return slice(0, self._largest)

    def _follow(self, y: np.ndarray) -> None:
        """Solve for what a state says is solved for."""
        if self.passing:
            self.crossing.solve_for(self._told(y))

    def _told(self, y: np.ndarray) -> list[bool]:
        """Which of the passing hulls a state says are solved for."""
        return [bool(flag > 0.5) for flag in y[self._flags]]

    def _on_all(self, forces: Floats) -> Floats:
        """Forces (hulls, 6) of those that are solved for as those of all hulls, nothing on the others."""
        every = np.zeros((len(self.basin.names), 6))
        every[np.array(self.crossing.solved, dtype=bool)] = forces
        return every

    # ---- state

    def state_rules(self) -> StateRules:
        return self.tree.state_rules().moved(self._own.start)

    def initial_state(self) -> np.ndarray:
        flags = np.array(self.crossing.at_start(), dtype=float)
        return np.concatenate([self.water.initial_state(), np.zeros(1), flags, self.shape.extremes.fresh])

    def initial_inputs(self) -> np.ndarray:
        return self.mechanism.initial_inputs()

    @property
    def _own(self) -> slice:
        """The tree's part of the state."""
        first = 2 * self.water.n_surface
        return slice(first, first + self.tree.layout.size)

    def linearised(self, t: float = 0.0, u: np.ndarray | None = None) -> Linearised:
        """Hulls in still water with all that hangs on them; held where they start with `hydro.at_rest: hold`."""
        self._take(self.initial_inputs() if u is None else u)
        return self._tree_at_rest(t, self._own)

    def _tree_at_rest(self, t: float, part: slice) -> TreeAtRest:
        """The tree in still water; part: where its state is in the whole."""
        assert self.system.hydro is not None
        self._push(np.zeros((len(self.basin.names), 6)))
        hold = self.system.hydro.at_rest == "hold"
        held = [
            FREEDOMS if hold and speeds.stop - speeds.start == len(FREEDOMS) else locked
            for speeds, locked in self.mechanism.held
        ]
        return TreeAtRest(
            self.mechanism.linearised(t), self.mechanism, self.water, part, held, self.crossing.solved, self.rest_notes
        )  # fmt: skip

    def rest_notes(self, t: float, y: np.ndarray) -> tuple[str, ...]:
        """What is to be said of hulls at rest: where they have gone from where they start, or what is left on them."""
        assert self.system.hydro is not None
        words = "; ".join(f"on '{name}' {text}" for name, text in self.left_over(t, y).items())
        if self.system.hydro.at_rest == "hold":
            return (f"{NOTE}hydro: the hulls are held where they start; {words or 'they balance there'}",)
        if words:
            return (f"hydro: the hulls have not come to rest: {words}; give them a place nearer to it",)
        after = self.mechanism.motions(t, np.ascontiguousarray(y[self._own]))
        moved = [how_moved(*parts) for parts in zip(self.basin.names, self.basin.starts, after, strict=True)]
        words = "; ".join(text for text in moved if text)
        return (f"{NOTE}hydro: the hulls float at rest; from where they start {words}",) if words else ()

    def left_over(self, t: float, y: np.ndarray, share: float = 0.01) -> dict[str, str]:
        """Force and moment left on hulls in a state at rest, in words, where it is more than a share of the weight."""
        self._follow(y)
        water, own = self.water, y[2 * self.water.n_surface : self._largest]
        stage = self.stage(t, y)
        if not stage.motions:
            return {}
        J, drift = np.concatenate([m.jacobian for m in stage.motions]), np.concatenate([m.drift for m in stage.motions])
        _, force = water.mechanism.equations(t, own)
        force = force + J.T @ (stage.still_forces - stage.added_mass @ drift)
        found = {}
        for name, (speeds, _), hull, solved in zip(
            self.basin.names, self.mechanism.held, self.basin.hulls, self.crossing.solved, strict=True
        ):
            if not solved:
                continue
            body = self.system.bodies[name]
            weight = float(getattr(body, "mass", 0.0)) * self.system.environment.gravity
            free = [k for k, at in enumerate(self.mechanism.moving) if speeds.start <= at < speeds.stop]
            size = float(np.ptp(hull.rigid.vertices, axis=0).max())
            parts = {FREEDOMS[self.mechanism.moving[k] - speeds.start]: float(force[k]) for k in free}
            loud = {
                dof: value for dof, value in parts.items()
                if abs(value) > share * weight * (1.0 if dof in FREEDOMS[:3] else 0.1 * size)
            }  # fmt: skip
            if loud:
                found[name] = (
                    ", ".join(
                        f"{number(value, 3)} {'N' if dof in FREEDOMS[:3] else 'N m'} in {dof}"
                        for dof, value in loud.items()
                    )
                    + " are left over"
                )
        return found

    # ---- time

    def advance(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray, scheme: str) -> Failure | None:
        self._take(u)
        self._follow(y)
        last = self._largest
        for i in range(int(n)):
            now = t + i * h
            try:
                with np.errstate(all="ignore"):
                    self._note(now, y, u, h)
                    y[:last] = self._stepped(now, y[:last], h)
            except HullError as error:
                status = DRY if "bottom" in str(error) else OVERFLOW
                return self.failure(status, now, y)
            except (SolverError, np.linalg.LinAlgError):
                return self.failure(SOLVER, now, y)
            except MechanismFault as fault:
                return self.failure(fault.status, fault.t, y)
            except CableFailed as failed:
                return failed.failure
            if self.basin.symmetric and self._out_of_plane(now + h, y):
                return self.failure(ASKEW, now, y)
            seen = perturbation(self.water, y[:last])
            if not seen <= LARGEST_PERTURBATION * self._scale:
                return self.failure(GROWTH, now, y)
            y[last] = max(y[last], seen)
            if self.passing:
                y[self._flags] = self.crossing.cross(now + h, y[self._moving], self._own, self._told(y))
            self._gather(y)
        return None

    def _out_of_plane(self, t: float, y: np.ndarray) -> bool:
        """Whether a hull has left the plane y = 0, in which the half of the water that is solved for has to end."""
        for start, now in zip(self.basin.starts, self.mechanism.motions(t, y[self._own]), strict=True):
            turned = now.rotation @ start.rotation.T
            off = max(abs(float(now.place[1] - start.place[1])), abs(float(turned[1, 0])), abs(float(turned[1, 2])))
            if off > PLANE:
                return True
        return False

    def _take(self, u: np.ndarray) -> None:
        """Inputs from now on."""
        self.mechanism.u = np.ascontiguousarray(u, dtype=float)

    def _stepped(self, t: float, y: Floats, h: float) -> Floats:
        after = self.water.step(t, y, h)
        if not self._gliding:  # small steps are settled one by one
            settle(self.mechanism, t + h, after[self._own], h)
        return after

    @property
    def _scale(self) -> float:
        """A length perturbations are compared with, m: the wave's amplitude, or a tenth of the hulls' size."""
        return max(self.basin.wave.amplitude, 0.1 * self._size)

    @property
    def _size(self) -> float:
        """Of the largest hull, m."""
        return max(float(np.ptp(hull.rigid.vertices, axis=0).max()) for hull in self.basin.hulls)

    def failure(self, status: int, t: float, y: np.ndarray) -> Failure:
        place = "the hull of " + ", ".join(f"'{name}'" for name in self.basin.names)
        if status == OVERFLOW:
            return Failure(
                t, place, "the water comes over the deck", "the wave or the motion is higher than the freeboard",
                "give the hull more height, or lower the waves",
            )  # fmt: skip
        if status == DRY:
            return Failure(
                t, place, "the bottom comes out of the water", "the motion is larger than the draught",
                "lower the waves; a body that leaves the water is beyond the method",
            )  # fmt: skip
        if status == ASKEW:
            return Failure(
                t, place, "it leaves the plane y = 0, where the half of the water that is solved for ends",
                "an input or a motion pulls at it from the side", "use hydro.symmetry: false",
            )  # fmt: skip
        if status in (SOLVER, GROWTH):
            what = (
                "the flow can no longer be solved for"
                if status == SOLVER
                else "the perturbation grows beyond all waves"
            )
            return Failure(
                t, "the free surface", what,
                f"an instability of the surface mesh (a step must be below {self.bound.step:.3g} s), or a hull that "
                "breaks the surface",
                "use a smaller simulation.step, larger panels at the hull (hydro.surface.inner), or a stronger "
                "hydro.filter",
            )  # fmt: skip
        return self.tree.failure(status, t, y[self._own])

    # ---- what is to be seen

    def _extras(self) -> tuple[Extra, ...]:
        extras = []
        for name in self.basin.names:
            extras += [Extra(f"{name}.water_force_{x}", "N", f"force of the water on '{name}' along {x}") for x in AXES]
            extras += [
                Extra(f"{name}.water_moment_{x}", "N m", f"moment of the water on '{name}' about its origin, {x}")
                for x in AXES
            ]
        for k, spring in enumerate(self.mechanism.springs):
            extras.append(Extra(f"spring_{k}.tension", "N", f"tension of spring {k} on '{spring.body}'"))
            extras.append(
                Extra(f"spring_{k}.power", "W", f"power taken by the damper of spring {k} on '{spring.body}'")
            )
        extras.append(Extra("incident_elevation", "m", "height of the incident wave at the middle of the surface"))
        extras.append(Extra("perturbation_max", "m", "largest perturbation of the surface outside the absorbing zone"))
        return tuple(extras)

    def _fields(self) -> tuple[Field, ...]:
        n = self.water.n_surface
        return (
            Field("surface_x", n, SURFACE, "m", "x of the panels of the free surface"),
            Field("surface_y", n, SURFACE, "m", "y of the panels of the free surface"),
            Field("surface_incident", n, SURFACE, "m", "height of the incident wave at the panels"),
            Field("surface_perturbation", n, SURFACE, "m", "height of the perturbation at the panels"),
        )

    def stage(self, t: float, y: np.ndarray) -> Stage:
        """All that is known of the water in a state at t."""
        self._follow(y)
        return self.water.stage(t, y[self._moving])

    def observe(self, t: float, y: np.ndarray, u: np.ndarray, h: float, out: np.ndarray) -> None:
        self._take(u)
        try:
            stage = self.stage(t, y)
        except (HullError, SolverError, np.linalg.LinAlgError):
            out[:] = np.nan
            return
        row = self._dry_row(t, y, u, h, stage)
        shape = self.shape
        out[: len(row)] = row
        report(shape.extremes.counts, y[self._flags.stop :], out)
        springs = self.mechanism.spring_forces(self.mechanism.motions(t, np.ascontiguousarray(y[self._own])))
        centre = self.water.surface.mesh.centre  # type: ignore[attr-defined]
        level = self.basin.wave.surface(t, centre[:1], centre[1:2])[0]
        forces = self._on_all(stage.forces)
        if not all(self.crossing.solved):
            own = np.ascontiguousarray(y[self._own])
            self.crossing.add_morison(t, own, self._told(y), stage.accelerations, forces)
        numbers = [*forces.ravel(), *(number for spring in springs for number in (spring.tension, spring.power))]
        out[len(row) : shape.extra_block.stop] = [*numbers, float(level[0]), perturbation(self.water, y[self._moving])]
        across, along = stage.surface.centres[:, 0], stage.surface.centres[:, 1]
        out[shape.field("surface_x")], out[shape.field("surface_y")] = across, along
        out[shape.field("surface_incident")] = self.basin.wave.surface(t, across, along)[0]
        out[shape.field("surface_perturbation")] = stage.elevation

    def _dry_row(self, t: float, y: np.ndarray, u: np.ndarray, h: float, stage: Stage) -> Floats:
        """What is to be seen of the tree while the water pushes its hulls."""
        row = self.tree.shape.empty_row()
        own = np.ascontiguousarray(y[self._own])
        self._push(self.mechanism.external(t, own, stage.accelerations, self._on_all(stage.forces)))
        self.tree.observe(t, own, u[: len(self.tree.initial_inputs())], h, row)
        self._push(np.zeros((len(self.basin.names), 6)))
        if not self.tree.system.cables:
            row[self.tree.shape.total_block.start + TENSION_MAX] = 0.0
        return row[: self.tree.shape.extremes.start]

    _along = 1
    """1 where the cables are seen at the steps of the water alone."""

    def begin_interval(self, y: np.ndarray) -> None:
        extremes = self.shape.extremes
        y[self._flags.stop :][: extremes.reset_part] = extremes.fresh[: extremes.reset_part]

    def _note(self, t: float, y: np.ndarray, u: np.ndarray, h: float) -> None:
        """Fold what is seen at the beginning of a step into the extremes, in place."""
        row = self._dry_row(t, y, u, h, self.stage(t, y))
        counts = self.shape.extremes.counts
        fold_row(float(t), row, self._along, self._first_node, self._sea, counts, y[self._flags.stop :])

    def _gather(self, y: np.ndarray) -> None:
        """Take over what the small steps of a step have noted, in place."""

    def _push(self, forces: Floats) -> None:
        """Let forces and torques (hulls, 6) act on the hulls' bodies in the formulation, as loads of the file do."""
        self.mechanism.carrier.push(forces)

    # ---- what a user should know

    def start_notes(self, h: float) -> tuple[str, ...]:
        water, basin = self.water, self.basin
        half = "the half y >= 0 of the water" if basin.symmetric else "the whole water"
        notes = [
            f"{NOTE}hydro: {water.n_panels} panels ({water.n_surface} on the free surface) for {half}, out to "
            f"{basin.radius:.3g} m, absorbing from {basin.damping_from:.3g} m; {self.bound}"
        ]
        asked = self.system.simulation.start == "catenary"
        left = self.left_over(0.0, self.initial_state(), 0.05) if asked else {}
        notes += [f"hydro: '{name}' does not float where it starts: {text}" for name, text in left.items()]
        small, bound = h / self.substeps, _cable_bound(self.tree.system, self.tree)
        if small > bound:
            notes.append(
                f"hydro.substeps: steps of {small:.3g} s are above the bound of the cables' stretching, {bound:.3g} s, "
                f"and may jolt them; use {math.ceil(h / (SHARE * bound))} or leave it out"
            )
        if self.substeps > 1:
            notes.append(f"{NOTE}hydro: cables and bodies make {self.substeps} steps in each step of the water")
        return tuple(notes)

    def report(self, y: np.ndarray) -> dict[str, str]:
        found = scatter(self.water, float(y[self._largest]))
        hulls = {
            name: {"vertices": np.round(panels.vertices, 4).tolist(), "quads": panels.quads.tolist()}
            for name, panels in zip(self.basin.names, self._hull_panels(), strict=True)
        }
        return {
            **self.tree.report(np.ascontiguousarray(y[self._own])),
            "hydro_step_bound": str(self.bound),
            "hydro_weak_scatterer": str(found) if not self.water.linear else "linear: not assumed",
            "hydro_weak_scatterer_violated": "yes" if found.violated and not self.water.linear else "no",
            "hydro_symmetric": "yes" if self.basin.symmetric else "no",
            "hydro_hulls": json.dumps(hulls),
        }

    def _hull_panels(self) -> list:  # type: ignore[type-arg]
        """Panels of each hull, wet and dry in still water, in the frame of its body."""
        return [
            hull.placed(m.place, m.rotation)[0]
            .joined(hull.topside(m.place, m.rotation))
            .moved(-m.place @ m.rotation, m.rotation.T)
            for hull, m in zip(self.basin.hulls, self.basin.starts, strict=True)
        ]

    def end_notes(self, y: np.ndarray, h: float) -> tuple[str, ...]:
        own = np.ascontiguousarray(y[self._own])
        snaps = self.tree.snaps(own)
        notes = [*(snaps.notes(h, {}) if snaps is not None else ()), *self.tree.end_notes(own, h)]
        found = scatter(self.water, float(y[self._largest]))
        if found.violated and not self.water.linear:
            notes.append(f"hydro: {found}; take the results as an estimate")
        return tuple(notes)


def _cable_bound(system: System, tree: CompiledMultibody) -> float:
    """Largest stable Runge–Kutta step of the stretching of cables [s]: 2.8/ω, and 2.8/(ω²t) with the damping time t."""
    if not system.cables:
        return math.inf
    bound = tree.axial_bound()
    slowest = max(kind.damping_time.axial for kind in system.types.values())
    return min(bound, bound**2 / (2.8 * slowest)) if slowest > 0.0 else bound


def _layout(inner: tuple[Block, ...], panels: int, passing: int) -> Layout:
    """Elevation and potential of the surface, the blocks of what it moves, the largest perturbation, what is solved."""
    head = (Block("elevation", 0, panels, "m", 1.0), Block("potential", panels, 2 * panels, "m2/s", 1.0))
    own = moved(inner, 2 * panels)
    end = own[-1].stop
    tail = [Block("largest_perturbation", end, end + 1, "m", 0.0)]
    if passing:
        tail.append(Block("solved_for", end + 1, end + 1 + passing, "1", 0.0))
    return Layout((*head, *own, *tail))


def moved(blocks: tuple[Block, ...], by: int, prefix: str = "") -> tuple[Block, ...]:
    """Blocks that start `by` later, with a prefix to their names."""
    return tuple(replace(b, name=prefix + b.name, start=b.start + by, stop=b.stop + by) for b in blocks)
