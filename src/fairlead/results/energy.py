"""The energy balance of a result: what is stored, what came in and out, and what is left unexplained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairlead.words import percentage as percentage

from .errors import ResultError

if TYPE_CHECKING:
    import xarray as xr

GOOD_BALANCE, POOR_BALANCE = 0.01, 0.05
"""Parts of the energy exchanged to which a balance may close; beyond the second a result is not to be relied on."""
IDLE = 0.02
"""A run that exchanges less than this part of its elastic energy says nothing by its balance."""

BED_DAMPING = "environment.seabed.damping"
"""What is told of first where a run puts down energy that is missing to line that landed."""

STORED = ("energy_kinetic", "energy_gravity", "energy_elastic")
WORKS = ("work_drag", "work_damping", "work_friction", "work_drives")


@dataclass(frozen=True)
class EnergyBalance:
    """Energies of a run counted from its first sample; every array is (sample,), in J.

    time          s
    stored        change of each stored energy, by name
    works         energy given to cables and bodies by each agent, by name
    change        sum of ``stored``
    work          sum of ``works``
    residual      ``change - work``: what the numerics lost or made
    exchanged     energy that has changed hands so far: half the sum of |increment| over all stored energies and works
                  (half, because what one of them gives another takes)
    moving        energy of motion with which the run starts
    idle          whether next to nothing was exchanged, so that the balance tells nothing
    """

    time: NDArray[np.float64]
    stored: dict[str, NDArray[np.float64]]
    works: dict[str, NDArray[np.float64]]
    change: NDArray[np.float64]
    work: NDArray[np.float64]
    residual: NDArray[np.float64]
    exchanged: NDArray[np.float64]
    moving: float
    idle: bool

    @property
    def total(self) -> float:
        """All the energy exchanged in the run [J], or the energy of motion with which it starts where that is more.

        What turns or drifts from the start on exchanges little, however much it carries along; all later motion was
        exchanged.
        """
        return max(float(self.exchanged[-1]), self.moving)

    @property
    def relative_residual(self) -> NDArray[np.float64]:
        """``residual`` as a fraction of ``total``, (sample,)."""
        return self.residual / self.total if self.total != 0.0 else np.zeros_like(self.residual)

    @property
    def error(self) -> float:
        """The largest ``|relative_residual|`` of the run; NaN when an energy is not a finite number."""
        return float(np.max(np.abs(self.relative_residual)))

    @property
    def made(self) -> bool:
        """Whether the largest of the residual is energy that the numerics made, not lost."""
        return bool(self.residual[np.argmax(np.abs(self.residual))] > 0.0)

    @property
    def is_poor(self) -> bool:
        """Whether it closes so badly that the run is not to be relied on."""
        return not self.idle and self.error > POOR_BALANCE


def energy_balance(dataset: xr.Dataset) -> EnergyBalance:
    """Draw up the balance of a result that recorded energies."""
    missing = [name for name in (*STORED, *WORKS) if name not in dataset]
    if missing:
        raise ResultError(
            f"the result has no {', '.join(missing)}; run it again with outputs.energy: true for an energy balance"
        )
    values = {name: dataset[name].values for name in (*STORED, *WORKS)}
    return balance_of(dataset["time"].values, values)


def balance_of(times: NDArray[np.float64], values: Mapping[str, NDArray[np.float64]]) -> EnergyBalance:
    """The balance of stored energies and works, each (sample,), J, by name, at ``times`` (s)."""

    def since_start(name: str) -> NDArray[np.float64]:
        own = np.asarray(values[name], dtype=np.float64)
        return np.where(np.isfinite(own), own - own[0], np.nan)

    stored = {name: since_start(name) for name in STORED}
    works = {name: since_start(name) for name in WORKS}
    change = np.sum(list(stored.values()), axis=0)
    work = np.sum(list(works.values()), axis=0)
    increments = np.diff(list(stored.values()) + list(works.values()), axis=1)
    exchanged = np.concatenate(([0.0], np.cumsum(0.5 * np.abs(increments).sum(axis=0))))
    idle = bool(exchanged[-1] < IDLE * float(np.max(values["energy_elastic"])))
    time = np.asarray(times, dtype=np.float64)
    moving = float(np.nan_to_num(values["energy_kinetic"][0]))
    return EnergyBalance(time, stored, works, change, work, change - work, exchanged, moving, idle)


def poor_balance(balance: EnergyBalance) -> tuple[str, ...]:
    """A warning where an energy balance does not close."""
    if not balance.is_poor:
        return ()
    made = "the steps made energy, so that peaks are as likely too high as low; " if balance.made else ""
    return (
        f"{unreliable(balance)}; {made}use a smaller simulation.step, or more elements where a line has few (`fairlead "
        "converge` finds both)",
    )


def unreliable(balance: EnergyBalance) -> str:
    """What is said of a balance that is poor, whatever made it so."""
    return (
        f"the energy balance closes only to {percentage(balance.error)} of the energy exchanged, where at most "
        f"{percentage(POOR_BALANCE)} is acceptable: do not rely on this result"
    )
