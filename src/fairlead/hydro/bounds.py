"""How long a step may be, and whether the answer may be believed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .water import RK4_LIMIT, Water


@dataclass(frozen=True)
class StepBound:
    """The stability bound dt (u k_a + √(g k_g)) < 2.83 of Runge–Kutta 4 on a mesh."""

    step: float
    """Largest stable step, s."""
    gravity_wavenumber: float
    """k_g, 1/m: sharpest wave the boundary elements can carry."""
    slope_wavenumber: float
    """k_a, 1/m: sharpest slope the surface derivatives can give."""
    speed: float
    """u, m/s: fastest horizontal speed of the incident wave at its surface, and of the bodies."""

    def __str__(self) -> str:
        return (
            f"a step must be below {self.step:.4g} s on this mesh, whose shortest waves of "
            f"{2 * math.pi / self.gravity_wavenumber:.3g} m are carried at {self.speed:.3g} m/s"
        )


def step_bound(water: Water, speed: float | None = None) -> StepBound:
    """Of a case at its start. speed: of the water against the panels, m/s; by default that of the incident crests."""
    boundary = water.boundary(0.0, water.initial_state())
    still = np.zeros(water.n_panels - water.n_surface)

    def normal(f: np.ndarray) -> np.ndarray:
        return boundary.solver.solve(f, still)[0]

    f = np.cos(1.7 * np.arange(water.n_surface) ** 2)
    k_g = 0.0
    for _ in range(40):  # the operator is close to symmetric with positive eigenvalues: plain power iteration
        f /= np.linalg.norm(f)
        g = normal(f)
        k_g = float(np.linalg.norm(g))
        f = g
    if water.linear:
        return StepBound(RK4_LIMIT / math.sqrt(water.gravity * k_g), k_g, 0.0, 0.0)
    u = incident_speed(water) if speed is None else speed
    k_a = water.surface.along.sharpest()
    return StepBound(RK4_LIMIT / (u * k_a + math.sqrt(water.gravity * k_g)), k_g, k_a, u)


def incident_speed(water: Water) -> float:
    """Fastest horizontal speed of the incident wave on its surface, looked for over two of its periods, m/s."""
    fastest = 0.0
    x, y = water.surface.rest.centres[:, 0], water.surface.rest.centres[:, 1]
    period = float(getattr(water.wave, "period", math.inf))
    ramp = float(getattr(water.wave, "ramp", 0.0))
    if not math.isfinite(period):
        return 0.0
    for t in ramp + np.linspace(0.0, 2.0 * period, 17):
        level = water.wave.surface(float(t), x, y)[0]
        grad = water.wave.flow(float(t), x, y, level)["grad"]
        fastest = max(fastest, float(np.hypot(grad[:, 0], grad[:, 1]).max()))
    return fastest


@dataclass(frozen=True)
class Scatter:
    """How large the perturbation is against the incident wave: the weak-scatterer method assumes it small."""

    largest: float
    """Largest |η| of the perturbation outside the absorbing zone, m."""
    incident: float
    """Amplitude of the incident wave, m."""

    @property
    def ratio(self) -> float:
        """Perturbation to incident wave; nothing in still water, where there is no incident wave to compare with."""
        return self.largest / self.incident if self.incident > 0.0 else 0.0

    @property
    def violated(self) -> bool:
        """Whether the perturbation is larger than half the incident wave."""
        return self.ratio > 0.5

    def __str__(self) -> str:
        return (
            f"the perturbation reaches {self.largest:.3g} m, {self.ratio:.2f} of the incident wave's amplitude of "
            f"{self.incident:.3g} m: "
            + ("the weak-scatterer assumption (perturbation small against the incident wave) is violated"
               if self.violated else "small enough for the weak-scatterer assumption")
        )  # fmt: skip


def scatter(water: Water, largest: float) -> Scatter:
    """`largest`: the largest of `perturbation(water, y)` over a run so far."""
    return Scatter(float(largest), float(water.wave.amplitude))


def perturbation(water: Water, y: np.ndarray) -> float:
    """Largest |η| of the perturbation outside the absorbing zone in a state, m."""
    free = water.surface.damping <= 0.0
    eta = water.split(y)[0]
    return float(np.abs(eta[free]).max()) if free.any() else float(np.abs(eta).max())
