"""Cables compiled to their reduced model: the contract's face of the kernels."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.kernel_compiled import KernelCompiled, Places
from fairlead.model import System
from fairlead.results.extremes import NODE_TENSION_MAX, NODE_TENSION_MIN
from fairlead.results.observation import ObservationShape
from fairlead.rigging.commands import controlled_points, first_row
from fairlead.rigging.first_velocity import node_velocities
from fairlead.rigging.observation_shape import arcs_of
from fairlead.shape.layout import Geometry
from fairlead.words import force, percentage

from .build import build
from .linearised import LinearisedReduced
from .model_file import ReducedModel, open_model, require_cables, require_same
from .observe import FORCES, STEPS, run
from .schema import FIXED, SCHEMA
from .step import FRAME_LOST, NEWTON, RANGE
from .unlearnt import Unlearnt

NUDGE = 1e-5
"""m: moves by which the stiffness at rest is measured."""
MOST_ITERATIONS = 100
STILL, LONGEST = 1e-8, 0.5
"""m: last and longest move towards the equilibrium at the start."""
PUSHED = 0.02
"""Part of the largest tension beyond which a cable that pushes is told of: its shapes do not go slack."""
SHIFT = 1e-5
"""How far Newton's method is held back at first, as a part of the largest stiffness."""


def compile_system(system: System, geometry: Geometry) -> CompiledReduced:
    """Compile `system` as laid out, with the model its settings name."""
    path = system.simulation.reduced.model
    if path is None:
        raise UnsupportedSystem(
            "simulation.reduced.model: the formulation 'reduced' needs the file of a reduced model; make it of a run "
            "with `fairlead reduce run.nc -o cable.rom.nc` and name it here or with --model"
        )
    return CompiledReduced(system, geometry, open_model(_beside(system, path)))


def _beside(system: System, path: str) -> Path:
    """The file: beside the one that names it, else here."""
    source = getattr(system.source, "path", None)
    if source is not None:
        beside = Path(source).parent / path
        if beside.is_file():
            return beside
    return Path(path)


class CompiledReduced(KernelCompiled):
    """See `KernelCompiled`. `any_properties`: also for cables whose properties are not those the model was made for."""

    formulation: ClassVar[str] = "reduced"
    schema = SCHEMA
    supports: ClassVar[frozenset[str]] = frozenset(
        {
            "bending", "torsion", "damping", "clamps", "branches", "loops", "free_bodies", "controlled_points", "loads",
            "current", "waves",
        }
    )  # fmt: skip
    schemes: ClassVar[tuple[str, ...]] = ("midpoint",)
    kinds: ClassVar[dict[str, int]] = {"midpoint": STEPS}
    statuses: ClassVar[tuple[int, ...]] = (RANGE, NEWTON, FRAME_LOST)
    end_forces = "latest"

    def __init__(self, system: System, geometry: Geometry, model: ReducedModel, any_properties: bool = False) -> None:
        require_cables(model, system)
        if not any_properties:
            require_same(model, system)
        built = build(system, geometry, model)
        self.model, self._built = model, built
        arcs = arcs_of([part.lengths for part in built.assembly.parts])
        shape = ObservationShape(
            cables=model.cables, nodes_per_cable=tuple(len(arc) for arc in arcs), points=tuple(system.points),
            arc_length=arcs,
        )  # fmt: skip
        self._hold(system, built.tables, built.inputs, shape, run)
        self._unlearnt = Unlearnt(system, geometry, model, built)
        self._least, self._most = 0.0, 0.0  # tensions of all steps so far, N
        self._start(np.vstack([np.asarray(geometry.nodes[name], dtype=float) for name in model.cables]))

    def _start(self, nodes: np.ndarray) -> None:
        """Ends where and as fast as they are commanded to be, coordinates in the equilibrium between them."""
        y, u = self._y0.copy(), self.initial_inputs()
        self._places = nodes
        t = self.tables(y)
        t.controls.fill(map(first_row, controlled_points(self.system).values()))
        first = self._built.assembly.ends_of(nodes[None])[0]
        for e, control in enumerate(t.end.control):
            if control == FIXED:
                t.ends.xyz[e] = first[e]
            else:
                t.ends.xyz[e], t.end_rate.xyz[e] = t.controls.position[control], t.controls.velocity[control]
        own = nodes - self._built.assembly.lift @ first - self.model.mean
        shapes = self._built.shapes[:, :, : t.modes]
        t.coordinate.value = np.linalg.lstsq(shapes.reshape(-1, shapes.shape[2]), own.ravel(), rcond=None)[0]
        self._y0, self._rests = self._at_rest(y, u)

    def _loose(self, y: np.ndarray) -> np.ndarray:
        """Directions (K, free) of the coordinates in which free points stay where they are; y is brought there.

        Free points are let go when the run begins, as in the full models; only the rest is brought to rest before it.
        Unless the file says `start: catenary` they are at rest as well.
        """
        k, assembly = self._built.tables.modes, self._built.assembly
        if not assembly.free or not self.system.simulation.from_first_shape:
            return np.eye(k)
        nodes = [found[0] for found, _ in assembly.free.values()]
        shapes = self._built.shapes[nodes].reshape(3 * len(nodes), -1)
        goal = np.concatenate([self._places[node] for node in nodes])
        z = np.concatenate([y[self.layout["coordinate"]], y[self.layout["ends"]], [1.0]])
        y[self.layout["coordinate"]] += np.linalg.lstsq(shapes[:, :k], goal - shapes @ z, rcond=None)[0]
        _, values, rows = np.linalg.svd(shapes[:, :k])
        rank = int((values > 1e-9 * values[0]).sum())
        return np.asarray(rows[rank:].T)

    def forces(self, t: float, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Forces by all of z (m,) on the state at rest at t; its pulls and torques into y."""
        out = np.full(self._built.tables.state, np.nan)
        self._run(t, y, 0, 1.0, u, FORCES, out)
        return out

    def stiffness(self, t: float, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        """−∂force/∂q (K, K), measured by small moves either way."""
        start, k = self.layout["coordinate"].start, self._built.tables.modes
        stiffness = np.zeros((k, k))
        for i in range(k):
            for sign in (1.0, -1.0):
                moved = y.copy()
                moved[start + i] += sign * NUDGE
                stiffness[:, i] -= sign * self.forces(t, moved, u)[:k] / (2.0 * NUDGE)
        return stiffness

    def _at_rest(self, y: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, bool]:
        """The equilibrium near y, and whether it was found: Newton's method, at first held back, never uphill.

        Full steps are taken even where the force grows: the way to rest is a valley that bends, between walls as steep
        as the axial stiffness is high.
        """
        q, k = self.layout["coordinate"], self._built.tables.modes
        loose = self._loose(y)
        first, shift, found = y.copy(), SHIFT, loose.shape[1] == 0
        for _ in range(MOST_ITERATIONS):
            if found:
                break
            force, stiffness = loose.T @ self.forces(0.0, y, u)[:k], loose.T @ self.stiffness(0.0, y, u) @ loose
            if not (np.isfinite(stiffness).all() and np.isfinite(force).all()):
                return first, False
            values, vectors = np.linalg.eigh(0.5 * (stiffness + stiffness.T))
            values = np.maximum(np.abs(values), 1e-9 * np.abs(values).max()) + shift * np.abs(values).max()
            move = loose @ (vectors @ ((vectors.T @ force) / values))
            size = float(np.abs(move).max())
            y[q] += move * min(1.0, LONGEST / max(size, 1e-300))
            found = size < STILL and shift == 0.0
            shift = 0.1 * shift if shift > 1e-12 else 0.0
        y[self.layout["reaction"]] = -self.forces(0.0, y, u)[k:-1]
        return y, found

    def under_way(self, y: np.ndarray) -> np.ndarray:
        y = y.copy()
        t = self.tables(y)
        t.controls.velocity = [command.at_start()[1] for command in controlled_points(self.system).values()]
        nodes, shapes = node_velocities(self.system, self.shape), self._built.shapes[:, :, : t.modes]
        ends = self._built.assembly.ends_of(nodes[None])[0]
        own = nodes - self._built.assembly.lift @ ends
        t.end_rate.xyz = ends
        t.rate.value = np.linalg.lstsq(shapes.reshape(-1, shapes.shape[2]), own.ravel(), rcond=None)[0]
        return y

    def observe(self, t: float, y: np.ndarray, u: np.ndarray, h: float, out: np.ndarray) -> None:
        super().observe(t, y, u, h, out)
        self._unlearnt.look(t, y, u)
        for name in self.shape.cables:
            seen = self.shape.peak_table(out, name)
            self._least = float(np.fmin(self._least, np.fmin.reduce(seen[..., NODE_TENSION_MIN])))
            self._most = float(np.fmax(self._most, np.fmax.reduce(seen[..., NODE_TENSION_MAX])))

    def take_properties(self, system: System) -> bool:
        raise UnsupportedSystem(
            "a reduced model holds for the properties it was made with; reduce a run of the system with the others"
        )

    def linearised(self, t: float = 0.0, u: np.ndarray | None = None) -> LinearisedReduced:
        return LinearisedReduced(self, float(t), self.initial_inputs() if u is None else u)

    def places(self, status: int) -> Places:
        return ((" and ".join(f"cable '{name}'" for name in self.model.cables),),)

    def words(self, status: int, time: float) -> tuple[str, str, str]:
        cure = f"use a smaller step than {self.system.simulation.step:g} s, or other numbers of modes"
        if status == FRAME_LOST:
            return (
                "the cable runs along the direction its twist is counted against",
                "the reference of the twist lies in the plane of the motion",
                "give simulation.spline.twists a reference across the motion",
            )
        if status == NEWTON:
            cause = "the step is too long, or the tension modes are too many for the modes of the motion"
            return "Newton's method did not converge", cause, cure
        return "a coordinate beyond all bounds or not a number", "the motion grew", cure

    def start_notes(self, h: float) -> tuple[str, ...]:
        if self._rests:
            return ()
        return (
            "simulation.reduced.model: no equilibrium of the reduced cable was found between the ends; the run starts "
            "from the shape nearest to the catenary and rings",
        )

    @property
    def unlearnt(self) -> float:
        """How far the run so far has left what the model has learnt, as a part of its motion: see `unlearnt`."""
        return self._unlearnt.share

    def report(self, y: np.ndarray) -> dict[str, str]:
        k, p = self._built.tables.modes, self._built.tables.tensions
        return {
            "reduced_model": f"{k} shapes and {p} tension modes from a run of '{self.model.source}'",
            "reduced_unlearnt": f"{self._unlearnt.share:.3g}",
            "reduced_trusted": "no" if self._unlearnt.share > self._unlearnt.bound else "yes",
        }

    def end_notes(self, y: np.ndarray, h: float) -> tuple[str, ...]:
        share, bound = self._unlearnt.share, self._unlearnt.bound
        pushed: tuple[str, ...] = ()
        if self._least < -PUSHED * max(self._most, -self._least):
            pushed = (
                f"simulation.reduced.model: its cable pushes with up to {force(-self._least)}, where a cable goes "
                f"slack (its largest tension is {force(self._most)}): the shapes of a reduced model cannot, and the "
                "blow when it comes taut again is not in these numbers; run formulation: bars or lumped for snap loads",
            )
        if not share > bound:
            return pushed
        return (
            *pushed,
            "simulation.reduced.model: the motion leaves what the model has learnt: forces that its shapes cannot "
            f"balance would move the cable by {percentage(share)} of its motion even at rest, and by several times "
            f"that where it swings along (above {percentage(bound)} the numbers are not to be relied on). Train the "
            "model on a run with motions and loads such as these (fairlead reduce), or run formulation: "
            f"{self.model.source}",
        )
