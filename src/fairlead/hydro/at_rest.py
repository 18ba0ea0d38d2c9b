"""Cables on hulls at rest, the hulls where they start: statics of the cables alone, in the state of the whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from fairlead.formulations.contract import Linearised

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix


class CablesAtRest:
    """See `Linearised`: that of the cables' formulation, which finds its own part of each state `y`."""

    def __init__(
        self,
        cables: Linearised,
        part: slice,
        hang_up: Callable[[float, np.ndarray], None],
        notes: Callable[[float, np.ndarray], tuple[str, ...]],
    ) -> None:
        """part: where the cables' state is in y; hang_up(t, y): let it pull at the hulls; notes(t, y): on the hulls."""
        self._cables, self._part, self._hang_up, self._notes = cables, part, hang_up, notes
        self.t, self.size, self.levers, self.kinds = cables.t, cables.size, cables.levers, cables.kinds

    def _own(self, y: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(y[self._part])

    def _put(self, y: np.ndarray, own: np.ndarray) -> np.ndarray:
        after = y.copy()
        after[self._part] = own
        return after

    def loads(self, y: np.ndarray) -> np.ndarray:
        """See `Linearised`."""
        return self._cables.loads(self._own(y))

    def residual(self, y: np.ndarray) -> np.ndarray:
        """See `Linearised`."""
        return self._cables.residual(self._own(y))

    def imbalance(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Linearised`."""
        return self._cables.imbalance(self._own(y))

    def stress(self, y: np.ndarray) -> float:
        """See `Linearised`."""
        return self._cables.stress(self._own(y))

    def tangent(self, y: np.ndarray, sticking: bool = False) -> csc_matrix:
        """See `Linearised`."""
        return self._cables.tangent(self._own(y), sticking)

    def mass(self, y: np.ndarray) -> csc_matrix:
        """See `Linearised`."""
        return self._cables.mass(self._own(y))

    def placed(self, y: np.ndarray) -> np.ndarray:
        """See `Linearised`."""
        return self._put(y, self._cables.placed(self._own(y)))

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """See `Linearised`."""
        return self._put(y, self._cables.displaced(self._own(y), dx, share))

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """See `Linearised`."""
        return self._cables.speeds(self._own(y))

    def relax(self, y: np.ndarray, n: int, h: float) -> bool:
        """See `Linearised`."""
        own = self._own(y)
        held = self._cables.relax(own, n, h)
        y[self._part] = own
        return held

    def settled(self, y: np.ndarray) -> np.ndarray:
        """See `Linearised`; the hulls start under the pulls found."""
        after = self._put(y, self._cables.settled(self._own(y)))
        self._hang_up(self.t, after)
        return after

    def notes(self, y: np.ndarray) -> tuple[str, ...]:
        """What a user should know of an equilibrium: the hulls take no part in it."""
        return self._notes(self.t, y)

    def place(self, i: int) -> str:
        """See `Linearised`."""
        return self._cables.place(i)
