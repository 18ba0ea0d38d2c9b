"""Cables in steady flow: sinking broadside, and towed at the critical angle."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq


def terminal_sinking_speed(weight, diameter, water_density, Cn):
    """Speed (m/s) at which a horizontal cable of wet weight (N/m) sinks: w = ½ ρ d Cn v².

    Cn is a number or a function of the speed whose drag Cn(v) v² grows with v.
    """
    if not callable(Cn):
        return np.sqrt(weight / (0.5 * water_density * diameter * Cn))
    return brentq(lambda v: 0.5 * water_density * diameter * Cn(v) * v * v - weight, 1e-9, 1e3, xtol=1e-15)


def sinking_from_rest(t, weight, inertia, diameter, water_density, Cn):
    """Depth (m) and speed (m/s) at t of that cable let go at rest, constant Cn; inertia kg/m with added mass.

    m v̇ = w - c v², c = ½ ρ d Cn: v = v∞ tanh(t/τ), depth = v∞ τ ln cosh(t/τ), v∞ = √(w/c), τ = m/√(w c).
    """
    c = 0.5 * water_density * diameter * Cn
    speed, time = np.sqrt(weight / c), inertia / np.sqrt(weight * c)
    return speed * time * np.log(np.cosh(t / time)), speed * np.tanh(t / time)


@dataclass(frozen=True)
class CriticalAngle:
    """Angle (rad) of the towed cable below the horizontal, and how its tension grows from the free end, N/m."""

    angle: float
    tension_per_length: float


def critical_angle(weight, diameter, water_density, speed, Cn, Ct=0.0, axial_perimeter=None):
    """The straight line in which a heavy cable with a free lower end trails in a uniform current.

    At the angle φ to the horizontal the weight has the component w cos φ across the cable and the flow U sin φ. They
    balance everywhere along a straight cable when

        w cos φ = ½ ρ d Cn U² sin²φ.

    Axial drag and w sin φ lie along the cable: they change the tension, never the angle. With κ = ½ ρ d Cn U²/w this
    is κ cos²φ + cos φ - κ = 0. Cn and Ct are numbers or functions: Cn of U sin φ, Ct of U. The free end trails
    downstream, so the flow along the cable, U cos φ, pulls towards it:
    dT/ds = w sin φ + ½ ρ P Ct U² cos²φ with P the reference perimeter (π d unless given).
    """
    drag_head = 0.5 * water_density * speed**2
    perimeter = np.pi * diameter if axial_perimeter is None else axial_perimeter

    def imbalance(phi):
        coefficient = Cn(speed * np.sin(phi)) if callable(Cn) else Cn
        return weight * np.cos(phi) - drag_head * diameter * coefficient * np.sin(phi) ** 2

    phi = brentq(imbalance, 1e-9, 0.5 * np.pi, xtol=1e-15)
    axial = Ct(speed) if callable(Ct) else Ct
    return CriticalAngle(phi, weight * np.sin(phi) + drag_head * perimeter * axial * np.cos(phi) ** 2)
