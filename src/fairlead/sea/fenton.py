"""The steady wave by its stream function: the conditions at the surface hold at 2N points of a wave, to rounding.

M. M. Rienecker and J. D. Fenton (1981), J. Fluid Mech. 104, 119: in the frame of the wave

    ψ = −cz + Σ bⱼ sinh jk(z + h)/cosh jkh · cos jθ,   ψ(θₘ, ηₘ) = −Q,   ½|∇ψ|² + gηₘ = R,   θₘ = mπ/N,  m = 0 … N,

with zero mean level, height H and kc = ω. Newton's method from a linear wave, in steps of height; the Jacobian is exact
by complex steps.
"""

from __future__ import annotations

import math

import numpy as np

from fairlead.model.waves import STEEPEST, wavenumber

from .steady_wave import SteadyWave, WaveTooSteep, check_breaking

_SMALL = 1e-30


def fenton(height: float, period: float, depth: float, gravity: float = 9.81, order: int = 16) -> SteadyWave:
    """The steady wave with that height [m] and period [s], with `order` harmonics; `depth` may be infinite."""
    omega = 2.0 * math.pi / period
    k = wavenumber(omega, depth, gravity)
    check_breaking(height, k, depth)
    limit = STEEPEST * 2.0 * math.pi / k * math.tanh(k * depth)
    steps = max(1, math.ceil(height / (0.2 * limit)))
    x = _linear(height / steps, omega, k, gravity, order)
    previous = x
    for step in range(1, steps + 1):
        guess = x if step == 1 else 2.0 * x - previous
        previous = x
        x = _newton(guess, height * step / steps, omega, depth, gravity, order)
    eta, b, *numbers = _split(x, order)
    k, c, _, R = (float(number) for number in numbers)
    check_breaking(height, k, depth)
    m = np.arange(order + 1)
    weight = np.where((m == 0) | (m == order), 0.5, 1.0)
    j = np.arange(1, order + 1)
    a = 2.0 / order * np.cos(np.multiply.outer(j, m) * math.pi / order) @ (weight * eta)
    a[-1] *= 0.5
    return SteadyWave(a, b.copy(), k, omega, depth, gravity, R - 0.5 * c * c)


def _split(x: np.ndarray, order: int) -> tuple[np.ndarray, ...]:
    """ηₘ (N + 1), bⱼ (N), k, c, Q, R."""
    return x[: order + 1], x[order + 1 : 2 * order + 1], x[-4], x[-3], x[-2], x[-1]


def _linear(height: float, omega: float, k: float, gravity: float, order: int) -> np.ndarray:
    theta = np.arange(order + 1) * math.pi / order
    x = np.zeros(2 * order + 5)
    x[: order + 1] = 0.5 * height * np.cos(theta)
    x[order + 1] = 0.5 * height * gravity / omega
    c = omega / k
    x[-4:] = k, c, 0.0, 0.5 * c * c
    return x


def _residual(x: np.ndarray, height: float, omega: float, depth: float, gravity: float, order: int) -> np.ndarray:
    """What the conditions leave, (2N + 5,); `x` may be complex."""
    eta, b, k, c, Q, R = _split(x, order)
    j = np.arange(1, order + 1)
    theta = np.arange(order + 1) * math.pi / order
    kj = k * j
    rise = np.exp(np.multiply.outer(eta, kj))
    if math.isinf(depth):
        ch = sh = rise
    else:
        fade = np.exp(-2.0 * np.multiply.outer(eta + depth, kj))
        full = 1.0 + np.exp(-2.0 * kj * depth)
        ch, sh = rise * (1.0 + fade) / full, rise * (1.0 - fade) / full
    cos, sin = np.cos(np.multiply.outer(theta, j)), np.sin(np.multiply.outer(theta, j))
    u = -c + (ch * cos) @ (kj * b)
    w = (sh * sin) @ (kj * b)
    stream = -c * eta + (sh * cos) @ b + Q
    head = 0.5 * (u * u + w * w) + gravity * eta - R
    mean = eta.sum() - 0.5 * (eta[0] + eta[-1])
    return np.concatenate((stream, head, [mean, eta[0] - eta[-1] - height, k * c - omega]))


def _newton(x: np.ndarray, height: float, omega: float, depth: float, gravity: float, order: int) -> np.ndarray:
    scale = np.concatenate((np.full(order + 1, gravity**2 / omega**3), np.full(order + 1, gravity**2 / omega**2),
                            [height, height, omega]))  # fmt: skip
    for _ in range(60):
        r = _residual(x, height, omega, depth, gravity, order)
        if not np.all(np.isfinite(r)):
            break
        if np.max(np.abs(r / scale)) < 1e-13:
            return x
        J = np.empty((len(x), len(x)))
        for i in range(len(x)):
            moved = x.astype(complex)
            moved[i] += 1j * _SMALL
            J[:, i] = _residual(moved, height, omega, depth, gravity, order).imag / _SMALL
        dx = np.linalg.solve(J, -r)
        x = x + dx
        if np.max(np.abs(dx)) < 1e-13 * np.max(np.abs(x)):
            return x
    raise WaveTooSteep(
        f"no steady wave of height {height:g} m and period {2 * math.pi / omega:g} s was found in {depth:g} m of "
        "water: it is too close to breaking; use a lower or a longer wave"
    )
