"""A step of size h: drift half of it, solve, kick, drift the other half; and what the solve adds to its matrix.

Everything is evaluated at x + ½h v; with the accelerations a found there v₁ = v + h a and x₁ = x + ½h(v + v₁). That is
the leapfrog: of second order, and without any damping of its own. What it does not resolve is taken implicitly.

Springs take their length l₀ at the start of the step and l₁ at its end, the latter to first order in a:

    λ = k[l₀ + (2θ − ½)(l₁ − l₀) + (θ − ½)² h² l̈ − L],   l̈ = t·Δa + |Δv⊥|²/l

A vibration of frequency ω has the amplification of the θ-method: θ = 1 damps it as a linearly implicit Euler step does,
by a part ½(ωh)² in a step where that is small and entirely where it is large; θ = ½ keeps it. Then a third term damps
what the step cannot resolve,

    k[γ(l₁ − l₀ − δl) + (s/108) h² l̈],   γ = 2s/27,   s = 2(1 − θ),

with δl the l₁ − l₀ of the step before. It sees only what changes from one step to the next, so that with θ = ½ a
vibration loses 0.0185 (ωh)⁴ of its amplitude in a step where ωh is small and half of it where ωh is large: this is the
generalised-α method with ρ∞ = ½, written with lengths instead of accelerations.

Motions held by tension alone (the string stiffness T/l across an element) and bending need nothing but βh²k in the
matrix: with β ≥ ¼ that neither takes nor gives energy and is stable for every step. The string stiffness takes β = ¼;
bending, whose stiffest motions turn with every step, takes β = 0.30 and is taken 0.05 h further on. The seabed takes
β = 1 and is taken a whole step further on, which ends in one step what the step cannot resolve.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import common, where

from .schema import AUTO, DAMPED, OFF

SEMI_IMPLICIT, PLAIN = 0, 1
"""Schemes: the default; plain springs and dampers for ODE integrators."""


@kernel
def set_scheme(kind, h, sys):
    """Fill the scheme for a step of size h; plain: all zero, and works come out as powers.

    `spring_ahead` is 2θ − ½, `spring_bow` the factor of l̈, `filter` γh, `drift` ½h; `g_per_c`, `g_per_k` and `d_per_k`
    are for the seabed (see `loads.seabed_contact`); `book` is what a power is multiplied by to become a work.
    """
    scheme, theta = sys.scheme, sys.settings.theta
    step = h if kind == SEMI_IMPLICIT else 0.0
    share = 2.0 * (1.0 - theta)
    gamma = 2.0 / 27.0 * share
    scheme.step = step
    scheme.book = step if kind == SEMI_IMPLICIT else 1.0
    scheme.theta = theta
    scheme.drift = 0.5 * step
    scheme.spring_ahead = 2.0 * theta - 0.5
    scheme.spring_bow = ((theta - 0.5) * (theta - 0.5) + share / 108.0) * step * step
    scheme.spring_g = scheme.spring_bow + (theta - 0.25 + 0.5 * gamma) * step * step
    scheme.filter = gamma * step
    scheme.g_per_c = scheme.d_per_k = step
    scheme.g_per_k = step * step
    scheme.bending_g = 0.30 * step * step
    scheme.bending_d = 0.05 * step
    scheme.geometric = sys.geometric if kind == SEMI_IMPLICIT else 0


@kernel
def damper_share(c, mass, scheme):
    """Time into the step at which a damper c [N s/m] on `mass` is taken.

    θh while the step resolves its decay, hc ≪ m; h, which ends it within the step, where it does not.
    """
    h = scheme.step
    return h * (scheme.theta * mass + h * c) / (mass + h * c)


@inlined
def string_form(stiffness, mass, scheme):
    """What the string stiffness of an element adds to the matrix and to the rate's force, and 1 where it is damped.

    undamped: ¼h²k and nothing; damped: h²k and h·k, which ends in one step what the step cannot resolve. `auto` takes
    the undamped form while h < 2/ω with ω² = 4k/m, the damped one beyond.
    """
    mode, h = common(scheme.geometric), scheme.step
    if mode == OFF:
        return 0.0, 0.0, 0.0
    stiff = h * h * stiffness
    damped = (mode == DAMPED) | ((mode == AUTO) & (not (stiff < mass)))
    return where(damped, (stiff, h * stiffness, 1.0), (0.25 * stiff, 0.0, 0.0))
