"""The three numbers of a compliant joint row, λ = G C̈ + D Ċ + K C, for every tuning.

Derivation of the rule. A spring-damper joint has λ = k C + c Ċ. With x₁ = x₀ + h (v₀ + θ h a), the state at the
fraction θ of the step is x₀ + θ h (v₀ + θ h a) and v₀ + θ h a; the force there, linearised, is

    λ = k (C + θ h (Ċ + θ h C̈)) + c (Ċ + θ h C̈)
      = θh (c + θ h k) C̈ + (c + θ h k) Ċ + k C.

With explicit Euler, x₁ = x₀ + h v₀ is already decided, so the force is taken one position later,
x₂ = x₁ + h v₁ = x₀ + 2 h v₀ + h² a, and c v₁ = c (v₀ + h a): G = h (c + h k), D = c + 2 h k, K = k.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Gains:
    """Rows of one joint: G, D, K, each (rows,)."""

    G: np.ndarray
    D: np.ndarray
    K: np.ndarray


def _rows(values):
    return np.atleast_1d(np.asarray(values, dtype=float))


def rule(k, c, h, theta=1.0):
    """Spring k and damper c taken at θ of the step h (θ = 1: linearly implicit Euler)."""
    k, c = _rows(k), _rows(c)
    D = c + theta * h * k
    return Gains(G=theta * h * D, D=D, K=k)


SPRING = 8.0 / 27.0, 1.0 / 27.0
"""b₁ and b₀ of the second-order step for springs: the triple root -½ of (z - 1)²(b₁z + b₀) + z²."""
STRING = 0.35, 0.0694
"""The same for the string stiffness: roots of size 0.6 at most."""


def share(c, mass, h):
    """Time into a second-order step at which a damper c on a mass is taken: ½h while hc ≪ m, h where hc ≫ m."""
    total = mass + h * c
    return np.where(total > 0.0, h * (0.5 * mass + h * c) / np.where(total > 0.0, total, 1.0), 0.0)


def drag_share(c, mass, h):
    """The same of drag with the secant c: ½h while hc ≪ m, 2h where hc ≫ m, as its tangent would have it."""
    total = mass + h * c
    r = np.where(total > 0.0, h * c / np.where(total > 0.0, total, 1.0), 0.0)
    return h * (0.5 + 1.5 * r * r)


def second_order(k, c, mass, h):
    """Spring k and damper c of the second-order step at its middle: λ = k C + c (Ċ + s C̈) + b₁h²k C̈ (+ b₀h²k C̈′)."""
    k, c = _rows(k), _rows(c)
    return Gains(G=SPRING[0] * h * h * k + share(c, _rows(mass), h) * c, D=c + 0.0 * k, K=k)


def rule_explicit_euler(k, c, h):
    """The same spring and damper when positions advance with the old velocity."""
    k, c = _rows(k), _rows(c)
    return Gains(G=h * (c + h * k), D=c + 2.0 * h * k, K=k)


def spring(k, c):
    """The plain spring and damper, nothing implicit: the right-hand side for Runge-Kutta methods."""
    k, c = _rows(k), _rows(c)
    return Gains(G=np.zeros_like(k), D=c + 0.0 * k, K=k)


# The paper's K has no 1/L, and its rotation rows are the quaternion's vector part u where ours are C = 2u: the same
# force and the same energy need K and Γ divided by four.
def paper_position_stiffness(EA, end=False):
    """K (3,) of a position joint as the paper's Table 1 reads; a joint to a point is twice as stiff."""
    return np.full(3, EA * (2.0 if end else 1.0))


def paper_rotation_stiffness(EI, GJ, end=False):
    """K (3,) of a bending and torsion joint for C = 2u as the paper's Table 1 reads."""
    return np.array([EI, EI, GJ]) / 4.0 * (2.0 if end else 1.0)


def literal(K, alpha, epsilon, end=False, rotation=False):
    """The paper word for word: one ε for every row, Γ = 1/ε, D = 2αΓ."""
    gamma = (2.0 if end else 1.0) * (0.25 if rotation else 1.0) / epsilon
    G = np.full_like(_rows(K), gamma)
    return Gains(G=G, D=2.0 * alpha * G, K=_rows(K))


def common_beta(K, EA, alpha, epsilon):
    """The paper with one β for every row, β² = EA ε, hence ε per degree of freedom: Γ = K/β², D = 2αΓ."""
    G = _rows(K) / (EA * epsilon)
    return Gains(G=G, D=2.0 * alpha * G, K=_rows(K))


def in_series(length_1, stiffness_1, length_2, stiffness_2):
    """Two half bars in series: 1/k = L₁/(2 S₁) + L₂/(2 S₂), S being EA, EI or GJ. Zero if either is zero."""
    if stiffness_1 == 0.0 or stiffness_2 == 0.0:
        return 0.0
    return 1.0 / (length_1 / (2.0 * stiffness_1) + length_2 / (2.0 * stiffness_2))


def half_bar(length, stiffness):
    """A cable end on a point: half a bar, k = 2 S/L."""
    return 2.0 * stiffness / length
