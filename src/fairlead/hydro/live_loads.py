"""Named loads on a tree as inputs of a running simulation."""

from __future__ import annotations

import numpy as np

from fairlead.formulations.multibody import CompiledMultibody
from fairlead.model.interpolation import interpolated

from .panels import Floats


class LiveLoads:
    """Named loads on what moves in a compiled tree, as inputs `<name>.force` and `<name>.torque`."""

    def __init__(self, compiled: CompiledMultibody) -> None:
        self._compiled = compiled
        system, tables = compiled.system, compiled.tables(compiled.initial_state())
        moved = [load for load in system.loads if system.place(load.point).is_free]
        self._named = [(k, load) for k, load in enumerate(moved) if load.name is not None]
        self._rows, self._force, self._torque = tables.load.rows, tables.wrench.force, tables.wrench.torque
        self._file = self._rows.copy(), np.hstack([self._force, self._torque])
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
            self._rows[k] = 0 if given.any() else self._file[0][k]
            acting = np.where(given, live, factor * self._file[1][k])
            self._force[k], self._torque[k] = acting[:3], acting[3:]
