"""Drag on a slender cylinder as secant coefficients: force = −c·u, with c in N s/m.

A secant can be taken implicitly by any integrator: c·h simply joins the mass matrix.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel

NONE, CONSTANT, REYNOLDS = 0.0, 1.0, 2.0


@kernel
def normal_secant(law, factor, speed, reynolds_per_speed):
    """c_n for flow across the cable at `speed` [m/s].

    `factor` is ½ρ·d·length (times C_n when constant). The Reynolds law is C_n = 1.1 + 4 Re^-½ from Re = 30,
    1.45 + 8.55 Re^-0.9 from 1 to 30 and Stokes-like 10/Re below, so that the force vanishes linearly with speed.
    """
    if law == REYNOLDS:
        re = speed * reynolds_per_speed
        if re >= 30.0:
            return factor * (1.1 + 4.0 / math.sqrt(re)) * speed
        if re >= 1.0:
            return factor * (1.45 + 8.55 * re**-0.9) * speed
        return factor * 10.0 / reynolds_per_speed
    return factor * speed


@kernel
def axial_secant(law, factor, speed_axial, speed, reynolds_per_speed):
    """c_t for flow along the cable; `factor` is ½ρ·(π d or d)·length (times C_t when constant).

    The Reynolds law is C_t = 1.1 Re^-½ + 0.168 Re^-⅓ on the total relative speed and the diameter (never on the
    element length, which would make it depend on the mesh), with Re taken as at least 0.1.
    """
    if law == REYNOLDS:
        re = speed * reynolds_per_speed
        if re < 0.1:
            re = 0.1
        return factor * (1.1 / math.sqrt(re) + 0.168 * re ** (-1.0 / 3.0)) * speed_axial
    return factor * speed_axial
