"""From stiffness and damping to what a step adds to its matrix and its forces.

A force −k x − c ẋ of a spring–damper is taken at the end of the step (θ = 1) or at the time θh into it: the matrix
gains G = θh(c + θhk), the force is −k x − (c + θhk) ẋ. That is a linearly implicit Euler step (θ = 1) or the
trapezoidal rule (θ = ½, which keeps the energy of small motions).

Motions held by tension alone (the string stiffness T/l across an element) and bending would be damped by an Euler
step. A force −k x for which the matrix gains βh²k and the force reads −k(x + δh ẋ) neither takes nor gives energy with
δ = 1 − θ, the positions following as x₁ = x + h(v + θh a), and is stable for every step with β ≥ ¼. So the string
stiffness takes β = ¼; bending, whose stiffest motions turn with every step, takes β = 0.30 and δ = 1.05 − θ.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel

from .arrays import AUTO, DAMPED, GEOMETRIC, R_SETTINGS, SCHEME, THETA, UNDAMPED

SEMI_IMPLICIT, PLAIN = 0, 1
"""Schemes: the default; plain springs and dampers for ODE integrators."""

(
    G_PER_C, G_PER_K, D_PER_K, BENDING_G, BENDING_D, STEP, SCHEME_THETA, SCHEME_GEOMETRIC, BOOK_STEP,
) = range(SCHEME, SCHEME + 9)  # fmt: skip
"""Where the scheme stands in `work`. `BOOK_STEP` is what a power is multiplied by to become a work."""


@kernel
def set_scheme(kind, h, ints, reals, work):
    """Fill the scheme for a step of size h; plain: all zero, and works come out as powers."""
    theta = reals[ints[R_SETTINGS] + THETA]
    step = h if kind == SEMI_IMPLICIT else 0.0
    work[STEP] = step
    work[BOOK_STEP] = step if kind == SEMI_IMPLICIT else 1.0
    work[SCHEME_THETA] = theta
    work[G_PER_C] = theta * step
    work[G_PER_K] = theta * theta * step * step
    work[D_PER_K] = theta * step
    work[BENDING_G] = 0.30 * step * step
    work[BENDING_D] = (1.05 - theta) * step
    work[SCHEME_GEOMETRIC] = ints[GEOMETRIC] if kind == SEMI_IMPLICIT else 0


@kernel
def string_form(stiffness, mass, work):
    """What the string stiffness of an element adds to the matrix and to the rate's force, and whether it is damped.

    undamped: ¼h²k and (1 − θ)h·k; damped: h²k and h·k. `auto` takes the undamped form while h < 2/ω with ω² = 4k/m, the
    damped one beyond.
    """
    mode = work[SCHEME_GEOMETRIC]
    h = work[STEP]
    if mode == AUTO:
        mode = UNDAMPED if h * h * stiffness < mass else DAMPED
    if mode == UNDAMPED:
        return 0.25 * h * h * stiffness, (1.0 - work[SCHEME_THETA]) * h * stiffness, False
    if mode == DAMPED:
        return h * h * stiffness, h * stiffness, True
    return 0.0, 0.0, False
