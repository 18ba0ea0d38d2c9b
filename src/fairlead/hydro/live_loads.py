"""Named loads on a tree as inputs of a running simulation."""

from __future__ import annotations

import numpy as np

from fairlead.formulations.multibody import CompiledMultibody
from fairlead.formulations.multibody import arrays as a
from fairlead.model.interpolation import interpolated

from .panels import Floats


class LiveLoads:
    """Named loads on what moves in a compiled tree, as inputs `<name>.force` and `<name>.torque`."""

    def __init__(self, compiled: CompiledMultibody) -> None:
        self._compiled = compiled
        ints, reals, system = compiled.ints, compiled.reals, compiled.system
        moved = [load for load in system.loads if system.place(load.point).is_free]
        self._named = [(k, load) for k, load in enumerate(moved) if load.name is not None]
        self._numbers = reals[ints[a.R_LOADS] :][: a.LOAD_REALS * len(moved)].reshape(-1, a.LOAD_REALS)
        self._rows = ints[ints[a.I_LOADS] :][: a.LOAD_INTS * len(moved)].reshape(-1, a.LOAD_INTS)
        self._file = self._rows[:, 2].copy(), self._numbers[:, :6].copy()
        self.size = 6 * len(self._named)

    @property
    def places(self) -> dict[str, slice]:
        """Where they are in the inputs, after those of the formulation."""
        found, at = {}, len(self._compiled.initial_inputs())
        for k, (_, load) in enumerate(self._named):
            found[f"{load.name}.force"] = slice(at + 6 * k, at + 6 * k + 3)
            if self._compiled.system.place(load.point).on_body:
                found[f"{load.name}.torque"] = slice(at + 6 * k + 3, at + 6 * k + 6)
        return found

    def act(self, t: float, u: Floats) -> None:
        """Let the numbers in the inputs act at t, or what the file says where there are none."""
        for (k, load), live in zip(self._named, u[len(u) - self.size :].reshape(-1, 6), strict=True):
            given = np.repeat([np.isfinite(live[:3]).all(), np.isfinite(live[3:]).all()], 3)
            factor = interpolated(load.table, t, straight=True)[0][0] if load.table and given.any() else 1.0
            self._rows[k, 2] = 0 if given.any() else self._file[0][k]
            self._numbers[k, :6] = np.where(given, live, factor * self._file[1][k])
