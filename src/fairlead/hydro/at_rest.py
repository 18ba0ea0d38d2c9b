"""Cables on hulls at rest, the hulls where they start: statics of the cables alone, in the state of the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairlead.formulations.contract import Linearised

from .fastened import LedCables

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix


class CablesAtRest:
    """See `Linearised`: that of the cables' formulation, which finds its own part of each state `y`."""

    def __init__(self, cables: Linearised, part: slice, pulls: slice, led: LedCables) -> None:
        """part, pulls: where the cables' state is in y, and their pulls on the hulls."""
        self._cables, self._part, self._pulls, self._led = cables, part, pulls, led
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
        after[self._pulls] = self._led.pulls(self.t, self._own(after)).ravel()
        return after

    def place(self, i: int) -> str:
        """See `Linearised`."""
        return self._cables.place(i)
