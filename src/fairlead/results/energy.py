"""The energy balance of a result: what is stored, what came in and out, and what is left unexplained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .errors import ResultError

if TYPE_CHECKING:
    import xarray as xr

STORED = ("energy_kinetic", "energy_gravity", "energy_elastic")
WORKS = ("work_drag", "work_damping", "work_friction", "work_drives")


@dataclass(frozen=True)
class EnergyBalance:
    """Energies of a run counted from its first sample; every array is (sample,), in J.

    time          s
    stored        change of each stored energy, by name
    works         energy given to the cables by each agent, by name
    change        sum of ``stored``
    work          sum of ``works``
    residual      ``change - work``: what the numerics lost or made
    exchanged     energy that has changed hands so far: half the sum of |increment| over all stored energies and works
                  (half, because what one of them gives another takes)
    """

    time: NDArray[np.float64]
    stored: dict[str, NDArray[np.float64]]
    works: dict[str, NDArray[np.float64]]
    change: NDArray[np.float64]
    work: NDArray[np.float64]
    residual: NDArray[np.float64]
    exchanged: NDArray[np.float64]

    @property
    def relative_residual(self) -> NDArray[np.float64]:
        """``residual`` as a fraction of all the energy exchanged in the run, (sample,)."""
        total = float(self.exchanged[-1])
        return self.residual / total if total != 0.0 else np.zeros_like(self.residual)

    @property
    def error(self) -> float:
        """The largest ``|relative_residual|`` of the run; NaN when an energy is not a finite number."""
        return float(np.max(np.abs(self.relative_residual)))


def energy_balance(dataset: xr.Dataset) -> EnergyBalance:
    """Draw up the balance of a result that recorded energies."""
    missing = [name for name in (*STORED, *WORKS) if name not in dataset]
    if missing:
        raise ResultError(
            f"the result has no {', '.join(missing)}; run it again with outputs.energy: true for an energy balance"
        )

    def since_start(name: str) -> NDArray[np.float64]:
        values = np.asarray(dataset[name].values, dtype=np.float64)
        return np.where(np.isfinite(values), values - values[0], np.nan)

    stored = {name: since_start(name) for name in STORED}
    works = {name: since_start(name) for name in WORKS}
    change = np.sum(list(stored.values()), axis=0)
    work = np.sum(list(works.values()), axis=0)
    increments = np.diff(list(stored.values()) + list(works.values()), axis=1)
    exchanged = np.concatenate(([0.0], np.cumsum(0.5 * np.abs(increments).sum(axis=0))))
    time = np.asarray(dataset["time"].values, dtype=np.float64)
    return EnergyBalance(time, stored, works, change, work, change - work, exchanged)
