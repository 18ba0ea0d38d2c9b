"""From stiffness and damping to the three numbers of a joint row: λ = G·C̈ + D·Ċ + K·C.

`rule` makes the semi-implicit step equal to a linearly implicit Euler step of a spring–damper joint, so that the
compliance is physically exact for any step. The paper's two readings are offered beside it. See the theory page.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel

from .arrays import ALPHA, COMMON_BETA, EPSILON, LITERAL, THETA, TUNING

SEMI_IMPLICIT, EXPLICIT_EULER, PLAIN = 0, 1, 2
"""Schemes: the default; the paper's; plain springs and dampers for ODE integrators."""

G_PER_C, G_PER_K, D_PER_K, STEP_DRAG, STEP, SCHEME_THETA, SCHEME_GEOMETRIC, SCHEME_KIND, BOOK_STEP = range(9)


@kernel
def set_scheme(kind, h, settings, geometric, scheme):
    """Fill `scheme` for a step of size h: G = G_PER_C·c + G_PER_K·k, D = c + D_PER_K·k, K = k.

    semi-implicit: G = θh(c + θh k), D = c + θh k; explicit Euler: G = h(c + h k), D = c + 2h k (Eq. 7 with the
    position update of the paper); plain: G = 0, D = c.
    """
    theta = settings[THETA]
    scheme[STEP] = h
    scheme[STEP_DRAG] = h
    scheme[BOOK_STEP] = h
    scheme[SCHEME_THETA] = theta
    scheme[SCHEME_GEOMETRIC] = geometric
    scheme[SCHEME_KIND] = kind
    if kind == SEMI_IMPLICIT:
        scheme[G_PER_C] = theta * h
        scheme[G_PER_K] = theta * theta * h * h
        scheme[D_PER_K] = theta * h
    elif kind == EXPLICIT_EULER:
        scheme[G_PER_C] = h
        scheme[G_PER_K] = h * h
        scheme[D_PER_K] = 2.0 * h
        scheme[SCHEME_GEOMETRIC] = 0.0
    else:
        scheme[G_PER_C] = 0.0
        scheme[G_PER_K] = 0.0
        scheme[D_PER_K] = 0.0
        scheme[BOOK_STEP] = 1.0  # works then come out as powers
        scheme[STEP_DRAG] = 0.0
        scheme[SCHEME_GEOMETRIC] = 0.0


@kernel
def rule_row(k, c, scheme):
    """(G, D, K) of a row with stiffness k and damping c under the scheme."""
    return scheme[G_PER_C] * c + scheme[G_PER_K] * k, c + scheme[D_PER_K] * k, k


@kernel
def set_joints(model, scheme, rows):
    """Fill `rows` (joints, 9) with G, D, K of the axial, bending and torsion rows of every joint.

    The paper's readings (Table 1, Eq. 6) take the stiffness as EA, EI, GJ without 1/L and act on the quaternion's
    vector part; expressed in the rows used here (twice the vector part, stiffness k = EA/L …) the axial row keeps
    K = k·L and Γ, the rotation rows a quarter of both. `literal`: the same Γ = 1/ε for every row. `common_beta`:
    one β² = EA·ε for all, hence Γ = K/β². End joints, being half an element long, carry twice both.
    """
    tuning = model.ints[TUNING]
    alpha = model.settings[ALPHA]
    epsilon = model.settings[EPSILON]
    for c in range(model.cables.shape[0]):
        first = model.cables[c, 0]
        count = model.cables[c, 1]
        for i in range(count + 1):
            j = first + c + i
            if tuning != COMMON_BETA and tuning != LITERAL:
                for kind in range(3):
                    g, d, k = rule_row(model.joints[j, 2 * kind], model.joints[j, 2 * kind + 1], scheme)
                    rows[j, 3 * kind] = g
                    rows[j, 3 * kind + 1] = d
                    rows[j, 3 * kind + 2] = k
                continue
            length = model.bars[first + min(i, count - 1), 0]
            half = 2.0 if (i == 0 or i == count) else 1.0
            ea = model.joints[j, 0] * length / half
            beta2 = ea * epsilon
            for kind in range(3):
                stiffness = model.joints[j, 2 * kind] * length
                if kind > 0:
                    stiffness *= 0.25
                if tuning == LITERAL:
                    gamma = half / epsilon
                    if kind > 0:
                        gamma *= 0.25
                    if stiffness == 0.0:
                        gamma = 0.0
                else:
                    gamma = stiffness / beta2
                rows[j, 3 * kind] = gamma
                rows[j, 3 * kind + 1] = 2.0 * alpha * gamma
                rows[j, 3 * kind + 2] = stiffness
