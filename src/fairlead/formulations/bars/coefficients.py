"""From stiffness and damping to the three numbers of a joint row: λ = G·C̈ + D·Ċ + K·C.

`rule` makes the semi-implicit step equal to a linearly implicit Euler step of a spring–damper joint, so that the
compliance is physically exact for any step. The paper's two readings are offered beside it. See the theory page.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel

from .arrays import (
    ALPHA, CABLE_COUNT, CABLE_FIRST, COMMON_BETA, EPSILON, GEOMETRIC, JOINT_COLUMNS, LENGTH, LITERAL, LOOSENS, N_CABLES,
    R_JOINTS, R_SETTINGS, SCHEME, THETA, TUNING, W_JOINTS, Y_SNAP, bar_at, bar_of_joint, cable_at, is_attached,
    joint_of_end,
)  # fmt: skip

SEMI_IMPLICIT, EXPLICIT_EULER, PLAIN = 0, 1, 2
"""Schemes: the default; the paper's; plain springs and dampers for ODE integrators."""

(
    G_PER_C, G_PER_K, D_PER_K, STEP_DRAG, STEP, SCHEME_THETA, SCHEME_GEOMETRIC, SCHEME_KIND, BOOK_STEP,
) = range(SCHEME, SCHEME + 9)  # fmt: skip
"""Where the scheme stands in `work`. `STEP_DRAG` is the step over which drag is implicit, `BOOK_STEP` what a power is
multiplied by to become a work."""


@kernel
def step_theta(ints, reals, y):
    """θ of the step that begins with the state y: that of the settings, and 1 while a joint that only pulls is loose.

    What catches a blow elsewhere than at the end of the step gives energy, the more the larger the step.
    """
    theta = reals[ints[R_SETTINGS] + THETA]
    if theta < 1.0 and ints[LOOSENS] == 1:
        for c in range(ints[N_CABLES]):
            if y[ints[Y_SNAP] + 3 * c + 2] > 0.5:
                return 1.0
    return theta


@kernel
def set_scheme(kind, h, ints, reals, y, work):
    """Fill the scheme for a step of size h: G = G_PER_C·c + G_PER_K·k, D = c + D_PER_K·k, K = k.

    semi-implicit: G = θh(c + θh k), D = c + θh k; explicit Euler: G = h(c + h k), D = c + 2h k (Eq. 7 with the
    position update of the paper); plain: G = 0, D = c.
    """
    theta = step_theta(ints, reals, y)
    work[STEP] = h
    work[STEP_DRAG] = h
    work[BOOK_STEP] = h
    work[SCHEME_THETA] = theta
    work[SCHEME_GEOMETRIC] = 0.0
    work[SCHEME_KIND] = kind
    if kind == SEMI_IMPLICIT:
        work[G_PER_C] = theta * h
        work[G_PER_K] = theta * theta * h * h
        work[D_PER_K] = theta * h
        work[SCHEME_GEOMETRIC] = ints[GEOMETRIC]
    elif kind == EXPLICIT_EULER:
        work[G_PER_C] = h
        work[G_PER_K] = h * h
        work[D_PER_K] = 2.0 * h
    else:
        work[G_PER_C] = 0.0
        work[G_PER_K] = 0.0
        work[D_PER_K] = 0.0
        work[BOOK_STEP] = 1.0  # works then come out as powers
        work[STEP_DRAG] = 0.0


@kernel
def rule_row(k, c, work):
    """(G, D, K) of a row with stiffness k and damping c under the scheme."""
    return work[G_PER_C] * c + work[G_PER_K] * k, c + work[D_PER_K] * k, k


@kernel
def rule_rows(j, ints, reals, work):
    """G, D, K of all rows of joint j under the rule."""
    joint, row = ints[R_JOINTS] + j * JOINT_COLUMNS, ints[W_JOINTS] + 9 * j
    for kind in range(3):
        g, d, k = rule_row(reals[joint + 2 * kind], reals[joint + 2 * kind + 1], work)
        work[row + 3 * kind], work[row + 3 * kind + 1], work[row + 3 * kind + 2] = g, d, k


@kernel
def clear_joint(j, ints, work):
    """Let a joint transmit nothing any more: its end was released."""
    for k in range(9):
        work[ints[W_JOINTS] + 9 * j + k] = 0.0


@kernel
def set_joints(ints, reals, y, work):
    """Fill G, D, K of the axial, bending and torsion rows of every joint.

    The paper's readings (Table 1, Eq. 6) take the stiffness as EA, EI, GJ without 1/L and act on the quaternion's
    vector part; expressed in the rows used here (twice the vector part, stiffness k = EA/L …) the axial row keeps
    K = k·L and Γ, the rotation rows a quarter of both. `literal`: the same Γ = 1/ε for every row. `common_beta`:
    one β² = EA·ε for all, hence Γ = K/β². End joints, being half an element long, carry twice both.
    """
    tuning = ints[TUNING]
    alpha = reals[ints[R_SETTINGS] + ALPHA]
    epsilon = reals[ints[R_SETTINGS] + EPSILON]
    for c in range(ints[N_CABLES]):
        first = ints[cable_at(ints, c) + CABLE_FIRST]
        count = ints[cable_at(ints, c) + CABLE_COUNT]
        for i in range(count + 1):
            j = first + c + i
            joint = ints[R_JOINTS] + j * JOINT_COLUMNS
            row = ints[W_JOINTS] + 9 * j
            length = reals[bar_at(ints, first + bar_of_joint(i, count)) + LENGTH]
            half = 2.0 if (i == 0 or i == count) else 1.0
            beta2 = reals[joint] * length / half * epsilon
            for kind in range(3):
                k = reals[joint + 2 * kind]
                if tuning in (COMMON_BETA, LITERAL):
                    quarter = 0.25 if kind > 0 else 1.0
                    k *= length * quarter
                    g = k / beta2
                    if tuning == LITERAL:
                        g = half * quarter / epsilon if k > 0.0 else 0.0
                    d = 2.0 * alpha * g
                else:
                    g, d, k = rule_row(k, reals[joint + 2 * kind + 1], work)
                work[row + 3 * kind] = g
                work[row + 3 * kind + 1] = d
                work[row + 3 * kind + 2] = k
        for end in range(2 * c, 2 * c + 2):
            if not is_attached(y, ints, end):
                clear_joint(joint_of_end(ints, end), ints, work)
