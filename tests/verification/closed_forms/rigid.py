"""Rigid bodies: the rod pendulum, the body that spins freely, the one that falls."""

import numpy as np
from scipy.special import ellipj, ellipk


def _small_rate(length, diameter, gravity):
    """ω₀ of a hinged rod: ω₀² = m g (L/2)/I with I = m (L²/3 + d²/16) about its end."""
    return np.sqrt(gravity * 0.5 * length / (length**2 / 3.0 + diameter**2 / 16.0))


def rod_pendulum_period(length, amplitude, diameter=0.0, gravity=9.81):
    """Period (s) of a rod hinged at its end swinging to ±amplitude (rad): 4 K(sin²(amplitude/2))/ω₀.

    From θ̇² = 2ω₀²(cos θ - cos θ₀) with sin(θ/2) = sin(θ₀/2) sin φ, a quarter period is ∫dφ/√(1 - k² sin²φ)/ω₀.
    """
    return 4.0 * ellipk(np.sin(0.5 * amplitude) ** 2) / _small_rate(length, diameter, gravity)


def rod_pendulum_angle(t, length, amplitude, diameter=0.0, gravity=9.81):
    """Angle (rad) at t after release from rest: 2 asin(k sn(K - ω₀ t, k²)), k = sin(amplitude/2)."""
    m = np.sin(0.5 * amplitude) ** 2
    sn = ellipj(ellipk(m) - _small_rate(length, diameter, gravity) * np.asarray(t), m)[0]
    return 2.0 * np.arcsin(np.sqrt(m) * sn)


def spinning_bar_rates(t, w0, Jx, Jz):
    """Body rates (3,) of a free bar at t: (w_x, w_y) turn in the body at (Jz - Jx)/Jx w_z, w_z is constant.

    Euler's equations Jx ẇ_x = (Jx - Jz) w_y w_z, Jx ẇ_y = -(Jx - Jz) w_x w_z, Jz ẇ_z = 0.
    """
    turn = (Jz - Jx) / Jx * w0[2] * t
    c, s = np.cos(turn), np.sin(turn)
    return np.array([c * w0[0] - s * w0[1], s * w0[0] + c * w0[1], w0[2]])


def free_fall(t, height, velocity=0.0, gravity=9.81):
    """Height (m) after t: h + v t - g t²/2. In water without drag take `submerged_gravity`."""
    return height + velocity * t - 0.5 * gravity * t**2


def submerged_gravity(density, water_density, added_mass=1.0, gravity=9.81):
    """Downward acceleration (m/s²) of a cable let go in still water: its wet weight over its mass with added mass."""
    return gravity * (density - water_density) / (density + added_mass * water_density)
