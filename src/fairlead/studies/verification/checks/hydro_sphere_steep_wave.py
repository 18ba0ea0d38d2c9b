"""The submerged sphere in its full wave of 1.25 m: steady heave, and the two problems for φ and φ_t agree."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fairlead.hydro.bounds import scatter
from fairlead.hydro.linear import Setting
from fairlead.hydro.water import Water
from fairlead.studies.submerged_sphere import DEPTH, Heave, heave, sphere_in_waves
from fairlead.studies.verification.record import Record

AMPLITUDE, OMEGA, PERIODS = 1.25, 1.0, 18
FILTER = 0.2
REFERENCE = "independent weak-scatterer solution on polar rings, 560 panels, 15 periods, stream-function wave"
SELF = "d/dt of the first problem's potential, following the hull"


def full_wave(**choices: object) -> Water:
    """The case of Guillaume et al., Fig. 8, in a stream-function wave."""
    chosen = {"linear": False, "theory": "fenton", "around": 24, "smoothing": FILTER} | choices
    return sphere_in_waves(AMPLITUDE, OMEGA, **chosen)  # type: ignore[arg-type]


def potential_rates(water: Water, periods: float, steps: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """dp/dt following the panels of the hull as p_t + U·∇p has it and by differences in time (samples, panels)."""
    dt = 2.0 * math.pi / OMEGA / steps
    y = water.initial_state()
    stages = [water.stage(0.0, y)]
    for i in range(round(periods * steps)):
        y = water.step(i * dt, y, dt)
        stages.append(water.stage((i + 1) * dt, y))
    late = stages[-steps - 2 :]
    said, seen = [], []
    for before, now, after in zip(late, late[1:], late[2:], strict=False):
        incident = water.wave.flow(now.t, *now.hulls[0].centres.T)
        carried = np.zeros(len(now.hulls[0]))
        if not water.linear:
            carried = (now.hull_velocity[0] - incident["grad"]) @ now.motions[0].velocity
        said.append(now.hull_potential_t[0] + carried)
        seen.append((after.hull_potential[0] - before.hull_potential[0]) / (2.0 * dt))
    return np.array(said), np.array(seen)


def mismatch(water: Water, periods: float, steps: int = 40) -> float:
    """Difference of the two, root mean square, of the larger one's."""
    said, seen = potential_rates(water, periods, steps)
    return float(np.sqrt(np.mean((said - seen) ** 2) / np.mean(seen**2)))


def check() -> Iterator[Record]:
    """First harmonic and mean over the last period; change over the last five; then φ_t in small and full waves."""
    water = full_wave()
    run: Heave = heave(water, OMEGA, PERIODS)
    name = "hydro, sphere in a wave of 1.25 m"
    yield Record.absolute(f"{name}, first harmonic of heave, m", REFERENCE, abs(run.harmonic[-1]), 2.445, 0.06)
    yield Record.absolute(f"{name}, mean heave, m", REFERENCE, float(run.mean[-1]), 0.08, 0.02)
    change = abs(abs(run.harmonic[-1]) / abs(run.harmonic[-5]) - 1.0)
    yield Record.absolute(f"{name}, change of the first harmonic from period 14 to 18", "steady", change, 0.0, 0.002)
    ratio = scatter(water, run.perturbation).ratio
    yield Record.absolute(f"{name}, perturbation to incident wave: not small", REFERENCE, ratio, 1.22, 0.25)
    coarse = Setting(depth=DEPTH, columns=16, outer=0.2)
    linear = sphere_in_waves(1.0, around=24, setting=coarse)
    yield Record.absolute("hydro, sphere, φ_t, linear", SELF, mismatch(linear, 3.0, 80), 0.0, 0.01)
    yield Record.absolute(
        "hydro, sphere, φ_t, wave of 1.25 m", SELF, mismatch(full_wave(setting=coarse), 3.0), 0.0, 0.06
    )
