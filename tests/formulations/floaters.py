"""Floaters whose motion is known: a water of one pair of poles, in which linear free motion is a matrix exponential."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

import fairlead as fl
from fairlead.floaters import Coefficients, RadiationFit
from fairlead.floaters.interpolation import at_frequencies, at_headings
from fairlead.floaters.waters import Water
from fairlead.formulations import compile_system
from fairlead.shape.layout import first_geometry

MASS, GRAVITY, DENSITY = 2.6e5, 9.80665, 1025.0
MOTIONS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
FORMULATIONS = ("lumped", "bars")


def water(*names: str, seed: int = 1, shared: float = 0.08) -> Water:
    """K(s) = G s/((s − p)(s − p*)) with a full, positive G of all freedoms: passive, and its fit is exact.

    shared: how much freedoms have of each other's waves
    """
    n, random = 6 * len(names), np.random.default_rng(seed)
    scale = np.sqrt(np.tile([1e5, 1e5, 1e5, 2e6, 2e6, 2e6], len(names)))
    mixed = [np.eye(n) + share * random.normal(size=(n, n)) for share in (0.12, shared)]
    infinite, gain = (scale[:, None] * (one @ one.T) * scale for one in mixed)
    pole = -0.25 + 0.9j
    fit = RadiationFit(np.array([pole]), (0.35 * gain * pole / (pole - pole.conjugate()))[None], infinite)
    C = np.zeros((n, n))
    for k in range(0, n, 6):
        C[k + 2, k + 2], C[k + 3, k + 3], C[k + 4, k + 4] = 7.9e5, 3e6, 3.2e6
        C[k + 2, k + 4] = C[k + 4, k + 2] = 2e5
    omega = np.linspace(0.1, 4.0, 40)
    K = fit.transfer(omega)
    headings = np.radians(np.arange(-180.0, 181.0, 30.0))
    X = np.zeros((len(headings), len(omega), n), complex)
    for k in range(0, n, 6):
        along, aside = np.cos(headings)[:, None], np.sin(headings)[:, None]
        X[:, :, k], X[:, :, k + 1] = 3e5j * along / (1 + omega**2), 3e5j * aside / (1 + omega**2)
        X[:, :, k + 2] = 7.9e5 * np.exp(-(omega**2))
        X[:, :, k + 3], X[:, :, k + 4] = 4e5j * aside * np.exp(-omega), -4e5j * along * np.exp(-omega)
    data = Coefficients(
        omega, infinite + K.imag / omega[:, None, None], K.real, headings, X, C, infinite,
        volume=np.full(len(names), MASS / DENSITY), centre_of_buoyancy=np.tile([0.003, 0.002, -2.0], (len(names), 1)),
        reference=np.zeros((len(names), 3)),
    )  # fmt: skip
    return Water(names, data, fit)


def body(**more: Any) -> dict[str, Any]:
    """One of the floaters in such a water, held by a soft mooring matrix."""
    held = {"matrix": [2e4, 2e4, 0, 0, 0, 1e6], "preload": [0] * 6}
    return {
        "kind": "floating", "position": [0, 0, 0], "mass": MASS, "centre_of_mass": [0.003, 0.002, -1.0],
        "inertia": [2.5e6, 2.7e6, 2.4e6, 1e5, -5e4, 8e4], "coefficients": "known", "mooring": held,
        "damping": {"linear": [1e4, 1e4, 2e4, 4e5, 4e5, 4e5]}, "attachments": {"f": [1, 0, -1]}, **more,
    }  # fmt: skip


def afloat(
    monkeypatch: pytest.MonkeyPatch, waters: Sequence[Water], bodies: Mapping[str, Any], formulation: str,
    step: float = 0.1, duration: float = 30.0, environment: Mapping[str, Any] | None = None, **more: Any,
) -> fl.System:  # fmt: skip
    """A system of floaters in waters that are given, with a thread that weighs and pulls next to nothing."""
    monkeypatch.setattr("fairlead.floaters.waters.waters_of", lambda _: tuple(waters))
    thread = {"diameter": 2e-4, "density": DENSITY, "youngs_modulus": 1e6, "drag": {"normal": 0, "axial": 0}}
    first = next(iter(bodies))
    return fl.System.model_validate(
        {
            "environment": {"water_density": DENSITY, "gravity": GRAVITY, **(environment or {})},
            "types": {"thread": thread} if more.get("cables") != {} else {},
            "points": {"A": {"kind": "fixed", "position": [500, 0, 0]}}, "bodies": bodies,
            "cables": {"c": {"type": "thread", "length": 600, "elements": 2, "start": "A", "end": f"{first}.f"}},
            "simulation": {
                "formulation": formulation, "duration": duration, "step": step, "start": "catenary",
                "output_every": step,
            }, **more,
        }
    )  # fmt: skip


def matrices(water: Water, bodies: Sequence[Mapping[str, Any]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M + A∞, damping and stiffness with the weight's share, about the reference points."""
    n = 6 * len(bodies)
    M, B, C = np.zeros((n, n)), np.zeros((n, n)), water.coefficients.stiffness.copy()
    for k, one in enumerate(bodies):
        m, c, own = one["mass"], np.array(one["centre_of_mass"]), slice(6 * k, 6 * k + 6)
        xx, yy, zz, xy, xz, yz = one["inertia"]
        J = np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]]) + m * (c @ c * np.eye(3) - np.outer(c, c))
        S = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
        M[own, own] = np.block([[m * np.eye(3), -m * S], [m * S, J]])
        B[own, own] = np.diag(one["damping"]["linear"])
        C[own, own] += np.diag(one["mooring"]["matrix"])
        weight = m * GRAVITY
        C[6 * k + 3, 6 * k + 3] -= weight * c[2]
        C[6 * k + 4, 6 * k + 4] -= weight * c[2]
        C[6 * k + 3, 6 * k + 5] += weight * c[0]
        C[6 * k + 4, 6 * k + 5] += weight * c[1]
    return M + water.added, B, C


def free_motion(
    water: Water, M: np.ndarray, B: np.ndarray, C: np.ndarray, start: np.ndarray, h: float, steps: int
) -> np.ndarray:
    """Displacements (steps + 1, n) of M V̇ + B V + C ξ + μ = 0, let go at `start` at rest."""
    n, fit = len(M), water.fit
    assert fit is not None
    K, inverse = len(fit.poles), np.linalg.inv(M)
    F = np.zeros((2 * n * (1 + K), 2 * n * (1 + K)))
    F[:n, n : 2 * n], F[n : 2 * n, :n], F[n : 2 * n, n : 2 * n] = np.eye(n), -inverse @ C, -inverse @ B
    for k, (p, R) in enumerate(zip(fit.poles, fit.residues * fit.factor[:, None, None], strict=True)):
        re, im = slice(2 * n * (1 + k), 2 * n * (1 + k) + n), slice(2 * n * (1 + k) + n, 2 * n * (2 + k))
        F[re, n : 2 * n] = np.eye(n)
        F[re, re] = F[im, im] = p.real * np.eye(n)
        F[re, im], F[im, re] = -p.imag * np.eye(n), p.imag * np.eye(n)
        F[n : 2 * n, re], F[n : 2 * n, im] = -inverse @ R.real, inverse @ R.imag
    state = np.zeros(len(F))
    state[:n] = start
    step, found = expm(h * F), [state]
    for _ in range(steps):
        found.append(step @ found[-1])
    return np.array(found)[:, :n]


def motions(result: Any, *names: str) -> np.ndarray:
    """Motions of floaters in a result, (time, 6 names)."""
    return np.stack([result[f"{name}.{motion}"].values for name in names for motion in MOTIONS], axis=1)


def response(water: Water, M: np.ndarray, B: np.ndarray, C: np.ndarray, omega: float, beta: float) -> np.ndarray:
    """Motions per metre of wave amplitude, (n,) complex, in the frequency domain."""
    data = water.coefficients
    X = at_frequencies(data.omega, data.excitation, np.array([omega]))
    force = at_headings(data.headings, X, np.array([beta]))[0]
    assert water.fit is not None
    K = water.fit.transfer(np.array([omega]))[0]
    return np.linalg.solve(-(omega**2) * M + 1j * omega * (B + K) + C, force)


def in_two_parts(system: fl.System, first: int, steps: int = 60, step: float = 0.125) -> tuple[np.ndarray, np.ndarray]:
    """State after so many steps, made in one go, and by a second compiled system that takes up what the first left."""
    compiled, fresh = (compile_system(system, first_geometry(system)) for _ in range(2))
    u, whole, parts = compiled.initial_inputs(), compiled.initial_state(), compiled.initial_state()
    assert compiled.advance(0.0, whole, steps, step, u, "semi_implicit") is None
    assert compiled.advance(0.0, parts, first, step, u, "semi_implicit") is None
    assert fresh.advance(first * step, parts, steps - first, step, u, "semi_implicit") is None
    return whole, parts
