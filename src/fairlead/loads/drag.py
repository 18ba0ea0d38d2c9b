"""Drag on a slender cylinder as secant coefficients: force = −c·u, with c in N s/m.

A secant can be taken implicitly by any integrator: c·h simply joins the mass matrix.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined
from fairlead.algebra.lanes import any_lane, where
from fairlead.algebra.roots import twelfth_root_under_one

NONE, CONSTANT, REYNOLDS = 0.0, 1.0, 2.0


@inlined
def normal_secant(law, factor, speed, reynolds_per_speed):
    """c_n for flow across the cable at `speed` [m/s].

    `factor` is ½ρ·d·length (times C_n when constant). The Reynolds law is C_n = 1.1 + 4 Re^-½ from Re = 30,
    1.45 + 8.55 Re^-0.9 from 1 to 30 and Stokes-like 10/Re below, so that the force vanishes linearly with speed.
    """
    if law != REYNOLDS:
        return factor * speed
    re = speed * reynolds_per_speed
    secant = factor * (1.1 * speed + 4.0 / math.sqrt(reynolds_per_speed) * math.sqrt(speed))
    if any_lane(re < 30.0):
        slow = factor * 10.0 / reynolds_per_speed
        if any_lane((re >= 1.0) & (re < 30.0)):
            slow = where(re >= 1.0, factor * (1.45 + 8.55 * re**-0.9) * speed, slow)
        secant = where(re < 30.0, slow, secant)
    return secant


@inlined
def secants(law, normal, axial, reynolds_per_speed, across2, along):
    """c_n and c_t where the water passes a cable with the square `across2` of a speed across it and `along` it [m/s].

    `normal` and `axial` are the factors ½ρ·d·length and ½ρ·(π d or d)·length, times C_n and C_t where these are
    constant. The Reynolds law along the cable is C_t = 1.1 Re^-½ + 0.168 Re^-⅓ on the total relative speed and the
    diameter (never on the element length, which would make it depend on the mesh), with Re taken as at least 0.1; with
    z = (Re²)^(-1/12) the two powers are z³ and z².
    """
    cn = normal_secant(law, normal, math.sqrt(across2), reynolds_per_speed)
    if law != REYNOLDS:
        return cn, axial * abs(along)
    re2 = (across2 + along * along) * (reynolds_per_speed * reynolds_per_speed)
    re2 = where(re2 < 0.01, 0.01, re2)
    z = twelfth_root_under_one(re2)
    return cn, axial * (1.1 * z + 0.168) * (z * z) * abs(along)
