"""What formulations at rest have in common, for statics and modes (`contract.Linearised`)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.algebra.damped_newton import KEPT, LOADS, STRETCHED
from fairlead.algebra.sparse import block_diagonal, by_differences, zeros
from fairlead.rigging.compiled_rest import LARGEST_BORDER, CompiledRest, Found
from fairlead.rigging.floater_rest import is_aligned, settle_floaters, water_mass
from fairlead.rigging.handles import Handle, Handles
from fairlead.rigging.hubs import hub_names
from fairlead.rigging.settling import MASS, STICKING, TANGENT
from fairlead.rigging.sliding import sliding
from fairlead.rigging.stillness import stand_still

from .contract import Linearised
from .kernel_compiled import NOTHING, OK, KernelCompiled

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix, csr_matrix

    from fairlead.algebra.bordered_band import Bordered
    from fairlead.algebra.records import Rows, Tables


class HeldStill(Linearised):
    """A copy of the arrays of a compiled system in which time stands still.

    No force is kept beside the shape, and its own steps bring it to rest, unless a formulation says otherwise.
    """

    _inputs: np.ndarray
    """For kernels: what of the inputs is left."""
    _commands: np.ndarray
    """Of what is prescribed, (controlled, 3)."""
    _friction: float
    """Of the seabed, which is smooth here unless something is to stick to it or slides over it in a steady tow."""
    slides: bool = False
    """Whether the friction of what slides in a steady tow is carried."""
    _slide: np.ndarray
    """What slides, see `rigging.sliding`."""
    _pushes: np.ndarray | None = None
    """Forces and torques of all loads, (loads, 6)."""

    def __init__(self, compiled: KernelCompiled, t: float) -> None:
        self.t = t
        self._source, self._ints, self._reals = compiled, compiled.ints.copy(), compiled.reals.copy()
        self._work = np.zeros_like(compiled.work)

    def _tables(self, y: np.ndarray) -> Tables:
        """The system held still, in the state y."""
        return self._source.schema.tables(self._ints, self._reals, y, self._work)

    def _calm(self, sea: Rows) -> None:
        """Neither waves nor gusts, and a smooth seabed."""
        self._friction = float(sea.bed_friction)
        self._tow = self._source.tow
        self._slide = sliding(self._friction, self._tow)
        sea.bed_friction = sea.waves = sea.gusts = 0.0

    def _stand_still(self, u: np.ndarray, signals_at: Callable[..., None], *held: Tables) -> None:
        """Let commands and loads under the inputs u be those of these tables for ever.

        signals_at  kernel `signals_at(t, u, y, ints, reals, work, commands, loads)`, see `rigging.stillness`
        """
        source = self._source
        self._commands, loads = np.zeros((held[0].controlled, 3)), np.zeros((held[0].loads, 6))
        signals_at(self.t, u, source._y0, source.ints, source.reals, self._work, self._commands, loads)
        self._pushes = loads
        for tables in held:
            stand_still(tables, self._commands, loads)

    def _run(self, kind: int, y: np.ndarray, n: int = 0, h: float = 1.0, out: np.ndarray = NOTHING) -> bool:
        """n steps of size h [s] in place, or a task of the formulation's own; False when it went wrong."""
        arrays = self._ints, self._reals, self._work
        return bool(self._source.entry(self.t, y, n, h, self._inputs, *arrays, kind, NOTHING, out) == OK)

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Let the compiled system be seen as statics sees it, for a while: in still water, motions stopped but for a
        steady tow, loads as they are. What is then observed of a state at rest does not depend on a step."""
        source = self._source
        ints, reals = source.ints.copy(), source.reals.copy()
        tables = source.schema.tables(source.ints, source.reals, source._y0, self._work)
        tables.sea.waves = tables.sea.gusts = 0.0
        if self._slide[0] == 0.0 or not self.slides:
            tables.sea.bed_friction = 0.0
        if self._tow is None and self._pushes is not None:
            stand_still(tables, self._commands, self._pushes)
        try:
            yield
        finally:
            source.ints[:], source.reals[:] = ints, reals

    def imbalance(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.residual(y), np.zeros(0)

    def stress(self, y: np.ndarray) -> float:
        return 0.0

    def relax(self, y: np.ndarray, n: int, h: float) -> bool:
        return self._run(self._source.kinds.get("semi_implicit", 0), y, n, h) and bool(np.isfinite(y).all())


class HubsAtRest(HeldStill):
    """Degrees of freedom of the hubs in which cables end stand behind all others; see `Movable` and `InWater`."""

    _under: bytes | None = None
    """Inputs that were commanded last."""

    points: int
    _loaded: Tables
    """The system whose loads are looked at."""
    _block: int
    """Degrees of freedom of a hub, 3 or 6."""
    _end_point: np.ndarray
    """Prescribed points of the ends of cables, −1 for none, (cables, 2)."""

    @cached_property
    def _handles(self) -> Handles:
        """Where cables end, as degrees of freedom."""
        fixed = self._tables(self._source._y0)
        return Handles(
            self._source.system, self.size, fixed.name.which, self._end_point, fixed.cable.reversed, fixed.owner.frame,
            self.size - self._block * fixed.hubs, self._block,
        )  # fmt: skip

    def _state(self, y: np.ndarray) -> Tables:
        """The tables in state y, of which equilibria are asked for."""
        return self._tables(y)

    def _is_carried(self, state: Tables) -> bool:
        """Whether a search for equilibria in one compiled call is worth while and possible: with no winch and not very
        many points."""
        return bool(state.cables and not state.winches and not self._is_large(state))

    def _is_large(self, state: Tables) -> bool:
        """Whether hubs and prescribed points are too many for one dense matrix of them."""
        return bool(self._block * state.hubs + 6 * state.points > LARGEST_BORDER)

    def _is_narrow(self, state: Tables) -> bool:
        """Whether no such matrix is made: of many, and with nothing by which hubs feel one another."""
        return self._is_large(state) and state.ptos == 0

    @property
    @abstractmethod
    def _rest(self) -> CompiledRest:
        """Forces, stiffness and the search for equilibria in compiled code."""

    @abstractmethod
    def _take(self, u: np.ndarray) -> None:
        """Commands and loads by these inputs."""

    def _searched_by(self, find: Callable[..., int], arrays: Any, scratch: Any, matrix: Bordered) -> CompiledRest:
        """The search by a kernel `find_rest`; see `CompiledRest`."""
        source = self._source
        lengths = [sum(row.length for row in c.segments(source.system)) for c in source.system.cables.values()]
        return CompiledRest(
            find, self.t, self._inputs, arrays, source.layout.size, scratch, matrix, self.levers, self.kinds,
            min(lengths, default=1.0),
        )  # fmt: skip

    def search(self, y: np.ndarray, pieces: int = 0) -> Found | None:
        """The stable equilibrium near y; or, from an equilibrium y, that under other commands, in so many pieces."""
        state = self._state(y)
        if not self._is_carried(state):
            return None
        return self._rest.search(y, state.controls.position if pieces else self._commands, self._commands, pieces)

    def border(self, y: np.ndarray, name: str) -> tuple[np.ndarray, Handle] | None:
        """Stiffness of hubs and prescribed points with all else following, and the place among them."""
        state, known = self._state(y), self._handles
        if not known.at_border(name) or not self._is_carried(state):
            return None
        stiffness, ends = self._rest.stiffness(y, state.controls.position, known.elsewhere(name))
        if known.find(name)[1] < 0:
            return stiffness, known.free(name, state.hub_state.turn)
        return stiffness, known.prescribed(name, state.point_now.position, known.pulls(ends, self.points))

    def handle(self, y: np.ndarray, name: str) -> Handle:
        """How the system is taken hold of at the place of that name."""
        state, known = self._state(y), self._handles
        if known.find(name)[1] < 0:
            return known.free(name, state.hub_state.turn)
        ends = self._rest.pulls(y, state.controls.position)
        return known.prescribed(name, state.point_now.position, known.pulls(ends, self.points))

    # --- forces, stiffness and states ---------------------------------------------------------------------------------
    def loads(self, y: np.ndarray) -> np.ndarray:
        """Weight, buoyancy, current, seabed and point loads on every degree of freedom, (size,); of floaters by
        coefficients the weight, which their buoyancy balances, and what else is put on them."""
        state = self._state(y)
        out = self._rest.forces(LOADS, y, state.controls.position)[0]
        balanced = state.hull_now.force[:, 2] + state.hull.mass * float(state.sea.gravity)
        out[self.size + self._block * (state.floater.hub - state.hubs) + 2] -= balanced
        return out

    def residual(self, y: np.ndarray) -> np.ndarray:
        """Force left over on every degree of freedom, forces in the line those of the shape, (size,)."""
        return self._rest.forces(STRETCHED, y, self._state(y).controls.position)[0]

    def imbalance(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Force left over under the kept forces in the line, (size,), and how far the shape is from these, (n,) [m]."""
        forces, gaps, _ = self._rest.forces(KEPT, y, self._state(y).controls.position)
        return forces, gaps

    def stress(self, y: np.ndarray) -> float:
        """Largest kept force in the line [N]."""
        return self._rest.forces(KEPT, y, self._state(y).controls.position)[2]

    def tangent(self, y: np.ndarray, sticking: bool = False) -> csc_matrix:
        """Stiffness −∂residual/∂x with the string stiffness of the kept forces, (size, size).

        `sticking`: about a state that has settled, with the shear stiffness of a rough seabed under what lies on it and
        that of ropes under quick loads.
        """
        commands = self._state(y).controls.position
        if not sticking:
            return self._rest.matrix(TANGENT, y, commands)
        self._loaded.sea.bed_friction = self._friction
        found = self._rest.matrix(STICKING, y, commands)
        self._loaded.sea.bed_friction = 0.0
        return found

    def bordered_tangent(self, y: np.ndarray, sticking: bool = False) -> csc_matrix:
        """The same with six moves of each prescribed point behind x."""
        if not sticking:
            return self._rest.matrix(TANGENT, y, self._state(y).controls.position, places=True)
        self._loaded.sea.bed_friction = self._friction
        found = self._rest.matrix(STICKING, y, self._state(y).controls.position, places=True)
        self._loaded.sea.bed_friction = 0.0
        return found

    def bordered_mass(self, y: np.ndarray) -> csc_matrix:
        """Mass of x, of six moves of each prescribed point behind it, and what is shared between them."""
        commands = self._state(y).controls.position
        whole, cables = self._rest.matrix(MASS, y, commands, places=True), self._rest.matrix(MASS, y, commands)
        return whole + block_diagonal([self.mass(y) - cables, zeros(whole.shape[0] - self.size)])

    def placed(self, y: np.ndarray) -> np.ndarray:
        """The state at rest, with prescribed points where they are commanded to be.

        The water's memory of a motion is cleared: the waves a floater made on its way would push it for ever.
        """
        state = self._tables(self._rest.placed(y, self._commands))
        settle_floaters(state, state.hub_state)
        return state.y

    def aligned(self, y: np.ndarray) -> np.ndarray | None:
        """The equilibrium y with the axes of floaters at the headings found, to go on from; None where they are."""
        state = self._tables(y)
        return None if not state.floaters or is_aligned(state, state.hub_state) else self.placed(y)

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """The state at rest after `share` of a step dx (size,), forces in the line with it."""
        return self._rest.moved(y, self._state(y).controls.position, dx, share)

    def command(self, u: np.ndarray) -> None:
        if u.tobytes() != self._under:
            self._under = u.tobytes()
            self._take(u)

    def keep(self, y: np.ndarray) -> None:
        self._rest.keep(y)

    def relax(self, y: np.ndarray, n: int, h: float) -> bool:
        largest = self._tables(y).creep.most.copy()
        well = super().relax(y, n, h)
        self._tables(y).creep.most = largest  # whatever ropes swing through
        return well

    @cached_property
    def has_water(self) -> bool:
        tables = self._tables(self._source._y0)
        return bool(tables.memories + tables.pasts > 0)

    @cached_property
    def floaters(self) -> dict[str, int]:
        known, names = self._handles, hub_names(self._source.system)
        return {names[h]: known.first_hub + known.block * h for h in self._tables(self._source._y0).floater.hub}

    def water_mass(self, y: np.ndarray, omega: float) -> csc_matrix:
        state = self._tables(y)
        own = water_mass(state, state.hub_state, state.hubs, omega)
        return block_diagonal([zeros(self._handles.first_hub), own])


class CoordinatesAtRest(HeldStill):
    """The rates of the degrees of freedom stand as they are in the state; implicit steps bring it to rest."""

    _rates: np.ndarray | slice
    """Where."""

    def speeds(self, y: np.ndarray) -> np.ndarray:
        return np.asarray(y[self._rates])

    def relax(self, y: np.ndarray, n: int, h: float) -> bool:
        """n steps of the linearly implicit Euler rule, (M/h² + K)dx = F + M v/h."""
        from scipy.sparse.linalg import splu

        for _ in range(n):
            mass = self.mass(y)
            matrix = (mass / (h * h) + self.tangent(y)).tocsc()
            dx = splu(matrix).solve(self.residual(y) + mass @ self.speeds(y) / h)
            if not np.isfinite(dx).all():
                return False
            y[:] = self.displaced(y, dx)
            y[self._rates] = dx / h
        return True


class NodesAtRest(CoordinatesAtRest):
    """Degrees of freedom are the places of the nodes that nothing holds; the state has `position`, `velocity`,
    `tension` and `controls`."""

    _reach: int
    """Loads on a node depend on the nodes up to so many away."""

    def _set_free(self, free: np.ndarray) -> None:
        """Say which nodes move, (nodes,)."""
        self._nodes, self._dofs = len(free), np.flatnonzero(np.repeat(free, 3))
        self.size, self._rates = len(self._dofs), self._source.layout["velocity"].start + self._dofs
        self.levers, self.kinds = np.ones(self.size), np.tile([0, 1, 2], self.size // 3)

    @abstractmethod
    def _outside(self, y: np.ndarray, sticking: bool = False) -> np.ndarray:
        """Loads on all nodes, (nodes·3,)."""

    def loads(self, y: np.ndarray) -> np.ndarray:
        return np.asarray(self._outside(y)[self._dofs])

    def stress(self, y: np.ndarray) -> float:
        return float(np.abs(self._tables(y).tension.value).max(initial=0.0))

    def place(self, i: int) -> str:
        return self._source.node_name(int(self._dofs[i]) // 3)

    def _rested(self, y: np.ndarray) -> np.ndarray:
        """The state as it stands, at rest."""
        y = y.copy()
        self._tables(y).velocity.xyz = 0.0
        return y

    def placed(self, y: np.ndarray) -> np.ndarray:
        """The state at rest, with prescribed points where they are commanded to be; cables follow their ends."""
        y = self._rested(y)
        state, first = self._tables(y), 0
        state.controls.position, state.controls.velocity = self._commands, 0.0
        x = state.position.xyz
        for arc in self._source.shape.arc_length:
            along, last = np.asarray(arc) / arc[-1], first + len(arc) - 1
            for node, share in ((first, 1.0 - along), (last, along)):
                control = state.held.control[node]
                if control >= 0:
                    x[first : last + 1] += share[:, None] * (self._commands[control] - x[node])
            first = last + 1
        return y

    def _moves(self, dx: np.ndarray) -> np.ndarray:
        """Moves of all nodes, (nodes, 3)."""
        moves = np.zeros(3 * self._nodes)
        moves[self._dofs] = dx
        return moves.reshape(-1, 3)

    def _among_free(self, whole: csr_matrix) -> csc_matrix:
        """Of a matrix of all nodes (nodes·3, nodes·3) that of the free ones."""
        return whole.tocsc()[self._dofs][:, self._dofs].tocsc()

    def _load_stiffness(self, y: np.ndarray, by: float, sticking: bool = False) -> csr_matrix:
        """−∂loads/∂r by central differences of half width `by` [m]."""
        return self._by_differences(lambda moved: self._outside(moved, sticking), y, self._reach, by)

    def _by_differences(self, forces: Callable[..., np.ndarray], y: np.ndarray, reach: int, by: float) -> csr_matrix:
        """−∂forces/∂r of forces (nodes·3,) that follow from a state; see `by_differences`."""

        def at(x: np.ndarray) -> np.ndarray:
            moved = y.copy()
            self._tables(moved).position.xyz = x
            return forces(moved)

        return by_differences(at, self._tables(y).position.xyz, reach, by)
