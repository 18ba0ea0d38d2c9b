"""Python's side of the search for equilibria in compiled code, for formulations whose lines are chains between hubs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.algebra import damped_newton
from fairlead.algebra.bordered_band import END, Bordered
from fairlead.algebra.newton import MEMORY, PATIENCE, TURN
from fairlead.algebra.sparse import of_chains

from . import settling

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

LARGEST_BORDER = 300
"""Numbers of hubs and prescribed points up to which they are solved for as one dense matrix, in compiled code; of more
the matrix is sparse, and the search Python's."""
STRIDE = 0.04
"""Part of the shortest cable's length [m], and in it of a turn [rad], that is gone at once."""


@dataclass(frozen=True)
class Found:
    """An equilibrium: its state (state,), Newton iterations, all loads [N], and what is left over [N] at which x."""

    y: np.ndarray
    iterations: int
    weight: float
    residual: float
    worst: int


class CompiledRest:
    """One system held still, with all the memory that its compiled search needs.

    entry      kernel `find_rest`; arrays: what it takes between `u` and the states, the compiled system
    state      numbers of a state; scratch: arrays that it takes behind the commands, the second for gaps
    matrix     room for the stiffness; levers, kinds: those of `Linearised`; shortest: length of the shortest cable [m]
    """

    def __init__(
        self,
        entry: Callable[..., int],
        t: float,
        u: np.ndarray,
        arrays: tuple[np.ndarray, ...],
        state: int,
        scratch: tuple[np.ndarray, ...],
        matrix: Bordered,
        levers: np.ndarray,
        kinds: np.ndarray,
        shortest: float,
    ) -> None:
        turns = levers[kinds >= TURN]
        self._entry, self._t, self._u, self._arrays = entry, t, u, arrays
        self._state, self._scratch, self._matrix, self._levers = state, scratch, matrix, levers
        self._kinds = kinds.astype(np.int64)
        self._latest: np.ndarray | None = None
        self._asked: dict[bytes, Bordered] = {}
        self._stride = STRIDE * shortest
        self._length = 2.0 * float(turns.mean()) if len(turns) else 1.0

    @cached_property
    def _own(self) -> np.ndarray:
        """A state for stiffnesses."""
        return np.zeros(self._state)

    @cached_property
    def _room(self) -> tuple[Any, ...]:
        """Trial states, vectors, scales, the latest merits, the report."""
        size, state = len(self._levers), self._state
        vectors, memory = np.zeros((size, 2)), np.zeros(MEMORY)
        return (np.zeros(state), np.zeros(state)), vectors, np.zeros(size), memory, np.zeros(3)

    def search(self, y: np.ndarray, start: np.ndarray, goal: np.ndarray, pieces: int) -> Found | None:
        """The stable equilibrium near y (pieces 0), or from the equilibrium y under the commands `start` (controls, 3)
        on to that under `goal`; None where none was found."""
        found = y.copy()
        if pieces:
            way = np.abs(goal - start).max(initial=0.0)
            pieces *= max(1, math.ceil(way / self._stride))
        status, report, forces = self._call(damped_newton.SEARCH, found, start, goal, pieces=pieces)
        if status != damped_newton.HELD:
            return None
        worst = int(np.abs(forces / self._levers).argmax())
        return Found(found, int(report[0]), float(report[1]), float(report[2]), worst)

    def keep(self, y: np.ndarray) -> None:
        """Tell what state was made of the equilibrium just found: its stiffness matrix is at hand."""
        self._latest = y

    def stiffness(self, y: np.ndarray, commands: np.ndarray, elsewhere: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Stiffness of hubs and prescribed points about the equilibrium y with all else following, (border, border),
        and the forces on both ends of every cable (cables, 2, 3) [N].

        elsewhere (cables, 2): ends at points that nobody asks about; what they add is left out.
        """
        which, task = elsewhere.tobytes(), damped_newton.AS_IT_STANDS if y is self._latest else damped_newton.AFRESH
        if which not in self._asked:  # behind the border there is nothing
            sites = np.where(elsewhere, len(self._matrix.border), self._matrix.site)
            self._asked[which] = self._matrix._replace(site=sites)
        np.copyto(self._own, y)
        commands = np.ascontiguousarray(commands)
        self._call(task, self._own, commands, commands, self._asked[which])
        self._latest = y
        return self._matrix.reduced, self._matrix.ends.reshape(-1, 2, END)[:, :, :3]

    # --- one task alone (`rigging.settling`), in a state y under the commands (controls, 3) ---------------------------
    @cached_property
    def _apart(self) -> Bordered:
        """Room for matrices that leaves the one of the search as it is."""
        own = ("band", "across", "back", "corner", "reach", "border", "ends")
        return self._matrix._replace(**{name: np.zeros_like(getattr(self._matrix, name)) for name in own})

    def _do(self, task: int, y: np.ndarray, commands: np.ndarray, share: float = 1.0) -> np.ndarray:
        """Returns the state that the task has left."""
        state, latest = y.copy(), self._latest
        self._call(task, state, commands, commands, self._apart, share)
        self._latest = latest
        return state

    def placed(self, y: np.ndarray, commands: np.ndarray) -> np.ndarray:
        """The state at rest, all that is prescribed at its places."""
        return self._do(settling.PLACES, y, commands)

    def moved(self, y: np.ndarray, commands: np.ndarray, dx: np.ndarray, share: float) -> np.ndarray:
        """The state at rest after `share` of a step dx (size,)."""
        self._room[1][:, damped_newton.STEP] = dx
        return self._do(settling.MOVE, y, commands, share)

    def remembered(self, y: np.ndarray, commands: np.ndarray) -> np.ndarray:
        """The equilibrium with the forces of its shape kept."""
        return self._do(settling.REMEMBER, y, commands)

    def pulls(self, y: np.ndarray, commands: np.ndarray) -> np.ndarray:
        """Forces on both ends of every cable, (cables, 2, 3) [N]."""
        self._do(settling.PULLS, y, commands)
        return self._apart.ends.reshape(-1, 2, END)[:, :, :3]

    def forces(self, mode: int, y: np.ndarray, commands: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        """Forces by their mode in `damped_newton`, (size,), gaps found on the way, (n,), and the largest stress [N]."""
        self._do(settling.FORCES + mode, y, commands)
        _, v, _, _, report = self._room
        return v[:, damped_newton.FORCE].copy(), self._scratch[1].ravel().copy(), float(report[0])

    def matrix(self, task: int, y: np.ndarray, commands: np.ndarray, places: bool = False) -> csc_matrix:
        """Stiffness or mass, (size, size); with six moves of each prescribed place behind it where asked for."""
        self._do(task, y, commands)
        more = len(self._matrix.border) - int(self._matrix.sizes[0]) if places else 0
        return of_chains(self._apart, len(self._levers) + more)

    def _call(
        self,
        task: int,
        y: np.ndarray,
        start: np.ndarray,
        goal: np.ndarray,
        matrix: Bordered | None = None,
        length: float | None = None,
        pieces: int = 0,
    ) -> tuple[int, np.ndarray, np.ndarray]:
        trials, v, scales, memory, report = self._room
        self._latest = None
        status = self._entry(
            self._t, y, self._u, *self._arrays, *trials,
            np.ascontiguousarray(start), np.ascontiguousarray(goal),
            *self._scratch, *(matrix or self._matrix), v, self._levers, self._kinds, scales,
            self._length if length is None else length, task, pieces, PATIENCE, memory, report,
        )  # fmt: skip
        return status, report, v[:, damped_newton.FORCE]
