"""Hanging lines at rest: the elastic catenary between two points, and one that lies partly on a frictionless bed."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq


@dataclass(frozen=True)
class Catenary:
    """An elastic line under its own weight; s is the unstretched length from the start, 0 … length (m).

    The tension has the constant horizontal part H (N, > 0) and the vertical part V(s) = vertical_start + w s (N),
    positive where the line rises.
    """

    H: float
    vertical_start: float
    length: float
    w: float
    EA: float

    @property
    def vertical_end(self):
        """V at the end, N: the end support carries it upward."""
        return self.vertical_start + self.w * self.length

    def tension(self, s):
        """T(s) = √(H² + V²), N."""
        return np.hypot(self.H, self.vertical_start + self.w * s)

    def position(self, s):
        """Horizontal and vertical distance (m) from the start.

        With the unit tangent (H, V)/T and the stretch 1 + T/EA a piece ds becomes (H, V)(1/T + 1/EA) ds, so

            x = (H/w)(asinh(V/H) - asinh(V₀/H)) + H s/EA,
            z = (T - T₀)/w + (V₀ s + w s²/2)/EA.
        """
        V0, V = self.vertical_start, self.vertical_start + self.w * s
        x = self.H / self.w * (np.arcsinh(V / self.H) - np.arcsinh(V0 / self.H)) + self.H * s / self.EA
        z = (self.tension(s) - self.tension(0.0)) / self.w + (V0 * s + 0.5 * self.w * s**2) / self.EA
        return x, z

    @property
    def sag(self):
        """Depth of the lowest point below the start, m (0 if the line rises all the way)."""
        lowest = np.clip(-self.vertical_start / self.w, 0.0, self.length)
        return -self.position(lowest)[1]


def elastic_catenary(span, length, w, EA=np.inf, rise=0.0):
    """The Catenary over a horizontal `span` > 0 and a `rise` (m) with weight w (N/m) and stiffness EA (N).

    Closure x(length) = span, z(length) = rise is the stationary point of the complementary energy

        Φ(H, V₀) = ∫ (T + T²/(2 EA)) ds - H span - V₀ rise + …,   ∂Φ/∂H = x - span,   ∂Φ/∂V₀ = z - rise,

    whose second derivatives (1/w)[asinh(V/H) - V/T], [H/T]/w, (1/w)[V/T] (each between the ends), plus length/EA on
    the diagonal, are positive definite: one solution, and Newton's method reaches it when no step leaves H > 0.
    """
    target = np.array([span, rise])
    chord = np.hypot(span, rise)
    # A taut start overestimates H, from where Newton on this convex problem cannot overshoot to H <= 0 for long.
    H, V0 = max(w * length, EA * (chord / length - 1.0) if np.isfinite(EA) else 0.0), -0.5 * w * length

    def miss(H, V0):
        return np.array(Catenary(H, V0, length, w, EA).position(length)) - target

    for _ in range(200):
        error = miss(H, V0)
        V, T, T0 = V0 + w * length, np.hypot(H, V0 + w * length), np.hypot(H, V0)
        across = V / T - V0 / T0
        hessian = np.array(
            [
                [np.arcsinh(V / H) - np.arcsinh(V0 / H) - across, H / T - H / T0],
                [H / T - H / T0, across],
            ]
        ) / w + length / EA * np.eye(2)
        step = np.linalg.solve(hessian, -error)
        share = min(1.0, 0.5 * H / -step[0]) if step[0] < 0.0 else 1.0
        while share > 1e-6 and np.linalg.norm(miss(*(np.array([H, V0]) + share * step))) > np.linalg.norm(error):
            share *= 0.5
        H, V0 = H + share * step[0], V0 + share * step[1]
        if np.linalg.norm(step) < 1e-14 * np.hypot(H, V0):
            break
    if np.linalg.norm(miss(H, V0)) > 1e-11 * length:
        raise ValueError(f"no catenary over {span} m x {rise} m with {length} m of line")
    return Catenary(H, V0, length, w, EA)


@dataclass(frozen=True)
class GroundedCatenary:
    """H (N), V at the upper end (N), unstretched length on the bed (m), x of the touchdown from the anchor (m)."""

    H: float
    V: float
    grounded: float
    touchdown: float


def grounded_catenary(span, height, length, w, EA=np.inf):
    """A line from an anchor on a flat frictionless bed up to a point `height` above it, partly lying down.

    The lying part, unstretched length b, carries H alone and stretches to b (1 + H/EA). The hanging part of
    unstretched length s leaves it horizontally, so V₀ = 0 in `Catenary.position`:

        height = (H/w)(√(1 + (ws/H)²) - 1) + w s²/(2EA),     span = b (1 + H/EA) + (H/w) asinh(ws/H) + H s/EA,

    with b = length - s. The first gives s for each H (left side increasing in s), the second then fixes H (x increases
    with H: the line straightens as it is pulled).
    """

    def hanging_length(H):
        reach = height + np.sqrt(height**2 + 2.0 * H * height / w)  # the inextensible length is less than this
        return brentq(lambda s: Catenary(H, 0.0, s, w, EA).position(s)[1] - height, 0.0, reach, xtol=1e-13, rtol=1e-15)

    def miss(logarithm):
        H = np.exp(logarithm)
        s = hanging_length(H)
        return (length - s) * (1.0 + H / EA) + Catenary(H, 0.0, s, w, EA).position(s)[0] - span

    lowest = np.log(1e-9 * w * length)
    highest = np.log(w * (length**2 - height**2) / (2.0 * height))  # the whole inextensible line hangs
    H = float(np.exp(brentq(miss, lowest, highest, xtol=1e-14, rtol=1e-15)))
    s = hanging_length(H)
    return GroundedCatenary(H=H, V=w * s, grounded=length - s, touchdown=(length - s) * (1.0 + H / EA))
