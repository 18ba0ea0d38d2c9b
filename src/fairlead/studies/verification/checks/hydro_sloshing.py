"""Water sloshing in a round tank: its first natural period and its mass, on three meshes."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import j1

from fairlead.hydro.flux import inflow
from fairlead.hydro.incident import still
from fairlead.hydro.mechanism import RigidBodies
from fairlead.hydro.panels import Panels
from fairlead.hydro.surface import FreeSurface, Still
from fairlead.hydro.surface_mesh import disc
from fairlead.hydro.water import Water
from fairlead.studies.verification.record import Record

RADIUS, DEPTH, GRAVITY = 1.0, 0.8, 9.81
ROOT = 1.8411837813406593
"""First zero of J₁′."""
EXACT = math.sqrt(GRAVITY * ROOT / RADIUS * math.tanh(ROOT * DEPTH / RADIUS))
SOURCE = "ω² = gk tanh kh, J₁′(kR) = 0"


def tank(columns: int) -> tuple[Water, np.ndarray]:
    """The half y ≥ 0 of a tank, panels shrinking with `columns`, and its first mode on the panels of the surface."""
    size = 2.0 * math.pi * RADIUS / columns
    mesh = disc((0.0, 0.0), RADIUS, columns, 0.6 * size, size)
    surface = mesh.halved().at()
    rows = max(2, round(DEPTH / size))
    theta = np.linspace(0.0, math.pi, columns // 2 + 1)
    z = np.linspace(0.0, -DEPTH, rows + 1)
    T, Z = np.meshgrid(theta, z, indexing="ij")
    walls = np.stack([RADIUS * np.cos(T), RADIUS * np.sin(T), Z], axis=-1).reshape(-1, 3)
    i, k = np.meshgrid(np.arange(columns // 2), np.arange(rows), indexing="ij")
    at = (i * (rows + 1) + k).ravel()
    outwards = Panels(walls, np.stack([at, at + 1, at + rows + 2, at + rows + 1], axis=1))
    free = FreeSurface(Still(surface), np.zeros(len(surface)), gravity=GRAVITY, symmetric=True, linear=True)
    water = Water(free, [], RigidBodies([]), still(DEPTH, GRAVITY), depth=DEPTH, walls=outwards)
    x, y, _ = surface.centres.T
    r = np.hypot(x, y)
    return water, np.asarray(j1(ROOT * r / RADIUS) * x / np.maximum(r, 1e-12))


def sloshing(columns: int, periods: float = 4.0) -> tuple[float, float, int]:
    """Frequency, rad/s, of the first mode's swing; most water gained or lost, of that which moves; unknowns."""
    water, mode = tank(columns)
    areas = water.surface.rest.areas
    heap = 0.01 * np.exp(-np.sum((water.surface.rest.centres - [0.3, 0.2, 0.0]) ** 2, axis=1) / 0.1)
    y = water.initial_state()
    y[: water.n_surface] = 0.05 * mode + heap
    dt = 2.0 * math.pi / EXACT / 60
    swing, gained = [], 0.0
    for i in range(round(60 * periods)):
        y = water.step(i * dt, y, dt)
        swing.append(float(areas @ (mode * y[: water.n_surface])))
        stage = water.stage((i + 1) * dt, y)
        gained = max(gained, abs(inflow(stage)[0]) / float(areas @ np.abs(stage.surface_normal)))
    s = np.array([float(areas @ (mode * (0.05 * mode + heap))), *swing])
    crossing = [k + s[k] / (s[k] - s[k + 1]) for k in range(len(s) - 1) if s[k] * s[k + 1] < 0.0]
    return math.pi / (dt * float(np.mean(np.diff(crossing)))), gained, water.n_panels


def check() -> Iterator[Record]:
    """Three meshes: the error of the frequency falls at least as the panels' size."""
    errors = []
    for columns, bound, leak in ((16, 0.06, 0.02), (32, 0.02, 0.01), (48, 0.012, 0.005)):
        omega, gained, n = sloshing(columns)
        errors.append(abs(omega / EXACT - 1.0))
        yield Record.relative(f"hydro, sloshing, {n} panels, frequency, rad/s", SOURCE, omega, EXACT, bound)
        yield Record.absolute(
            f"hydro, sloshing, {n} panels, water gained or lost, of that which moves",
            "mass is conserved",
            gained,
            0.0,
            leak,
        )
    yield Record.absolute(
        "hydro, sloshing, error on the finest mesh to that on the coarsest", "first order: 1/3", errors[2] / errors[0],
        0.0, 0.334,
    )  # fmt: skip
