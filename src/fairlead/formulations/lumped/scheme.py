"""The time step: drift half of it, solve, kick, drift the other half; and what the solve adds to its matrix.

Everything is evaluated at x½ = x + ½h v. With the accelerations a found there, v₁ = v + h a and x₁ = x½ + ½h v₁. That
is the leapfrog: second order, and without damping. What the step cannot resolve is taken implicitly.

Forces of position are taken at x½ + h²(b₁ a + b₀ a′), with a′ the accelerations of the step before, linearised in a:

    (M + b₁h²K) a = F(x½) − b₀h²K a′.

A vibration of frequency ω, Ω = ωh, then has the amplification z with (z − 1)²[(1 + b₁Ω²)z + b₀Ω²] + Ω²z² = 0: its
damping ratio is ½b₀Ω³ where Ω is small, and its frequency is low by ½(b₁ + b₀ − 1/12)Ω². The choice

    b₁ = ρ/((1 + ρ)³(1 − ρ)),   b₀ = ρ³b₁

gives all three roots the modulus ρ as Ω → ∞. With ρ = ½ it is the generalised-α method with ρ∞ = ½: b₁ = 8/27,
b₀ = 1/27. Bending takes it. So do springs, written with their length l₀ at the start of the step and l₁ at its end,
the latter to first order in a, which is exact for elements that turn:

    λ = k[l₀ + (2θ − ½)(l₁ − l₀) + (θ − ½)²h² l̈ − L] + k[γ(l₁ − l₀ − δl) + (s/108)h² l̈],

    l̈ = t·Δa + |Δv⊥|²/l,   γ = 2s/27,   s = 2(1 − θ),   θ = ½,

with δl the l₁ − l₀ of the step before.

Dampers along elements are stiff in most steps, too. Their rate is taken at ė + h(σ ë + (½ − σ)ë′), σ = 9/16: of second
order, and as the damper grows both roots of the amplification go to −1/3. With the mean rate of the step before, which
is ė − ½h ë′, that is ė − ⅛(ė − ė′) + 9/16 h ë.

The string stiffness T/l, which holds an element across itself, enters the matrix with the tension of the step before,
while its force has that of this step. As Ω → ∞ such a step is stable only while T_matrix/T ≥ 1/(4(b₁ − b₀)). With
ρ = 0.58 that is 0.887; with ρ = ½ it would be 0.964. Where a tension outruns its prediction by more, the step is solved
again (`slackening`).

A cable that goes slack above the bed is loose, for `LOOSE` steps from then on. Its elements are caught and let go from
one step to the next, and nothing that is remembered of one helps in the next. So a loose cable takes the string
stiffness of the first-order step, without memory, and in the step after it was slack its springs with θ = 1. Both take
energy from blows that the step cannot follow. An element that turns by more than half a radian in a step, which is
resolved by no step, is caught in the same way, whether its cable is loose or not.

The first-order step of earlier versions is kept as a setting: θ = 1 for springs, which damps a vibration as a linearly
implicit Euler step does; the string stiffness with βh²k, β = ¼ while the step resolves it and else β = 1, taken a whole
step further on; bending with β = 0.30, taken 0.05 h further on. The seabed always takes β = 1 and is taken a whole step
further on, which ends in one step what the step cannot resolve.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import common, where

from .schema import AUTO, DAMPED, FILTERED, OFF

SEMI_IMPLICIT, PLAIN = 0, 1
"""Schemes: the default; plain springs and dampers for ODE integrators."""
STRING_RADIUS = 0.58
"""Spectral radius of the string stiffness as Ω → ∞."""
STRING_G = STRING_RADIUS / ((1.0 + STRING_RADIUS) ** 3 * (1.0 - STRING_RADIUS))
STRING_MEMORY = STRING_RADIUS**3 * STRING_G
BENDING_G, BENDING_MEMORY = 8.0 / 27.0, 1.0 / 27.0
DAMPER_G, DAMPER_MEMORY = 9.0 / 16.0, 1.0 / 8.0
LOOSE = 10.0
"""Steps for which a cable counts as loose after an element of it was slack above the bed."""
MASSLESS = 1.0e-30
"""kg: keeps a share of 0/0 finite."""


@kernel
def set_scheme(kind, h, sys):
    """Fill the scheme for a step of size h; plain: all zero, and works come out as powers.

    `spring_ahead` is 2θ − ½, `spring_bow` the factor of l̈, `filter` γh, `drift` ½h; `string_g`, `bending_g` are b₁h²
    and `string_memory`, `bending_memory` b₀h²; `foresight` is the time by which drag looks ahead for its speed;
    `g_per_c`, `g_per_k` and `d_per_k` are for the seabed (see `loads.seabed_contact`); `book` is what a power is
    multiplied by to become a work.
    """
    scheme, theta = sys.scheme, sys.settings.theta
    step = h if kind == SEMI_IMPLICIT else 0.0
    share = 2.0 * (1.0 - theta)
    gamma = 2.0 / 27.0 * share
    square = step * step
    scheme.step = step
    scheme.book = step if kind == SEMI_IMPLICIT else 1.0
    scheme.theta = theta
    scheme.drift = 0.5 * step
    scheme.spring_ahead = 2.0 * theta - 0.5
    scheme.spring_bow = ((theta - 0.5) * (theta - 0.5) + share / 108.0) * square
    scheme.spring_g = scheme.spring_bow + (theta - 0.25 + 0.5 * gamma) * square
    scheme.filter = gamma * step
    scheme.g_per_c = scheme.d_per_k = step
    scheme.g_per_k = square
    scheme.loose = 0.0
    scheme.geometric = sys.geometric if kind == SEMI_IMPLICIT else 0
    if kind == SEMI_IMPLICIT and common(sys.settings.second_order) > 0.5:
        scheme.string_g, scheme.string_memory = STRING_G * square, STRING_MEMORY * square
        scheme.bending_g, scheme.bending_d, scheme.bending_memory = BENDING_G * square, 0.0, BENDING_MEMORY * square
        scheme.damper_g, scheme.damper_memory = DAMPER_G * step, DAMPER_MEMORY
        scheme.drag_theta, scheme.foresight = 0.5, 0.5 * step
    else:
        if common(scheme.geometric) == FILTERED:
            scheme.geometric = AUTO
        scheme.string_g, scheme.string_memory = 0.25 * square, 0.0
        scheme.bending_g, scheme.bending_d, scheme.bending_memory = 0.30 * square, 0.05 * step, 0.0
        scheme.damper_g, scheme.damper_memory = step, 0.0
        scheme.drag_theta, scheme.foresight = 1.0, 0.0


@inlined
def decay_share(theta, c, mass, h):
    """Time into a step of h at which drag or a damper c [N s/m] on `mass` is taken: h(θ + 3(1 − θ)r²), r = hc/(m + hc).

    That is θh while the step resolves the decay, hc ≪ m. The secant c of drag follows the speed foreseen, so that along
    the flow drag is twice as stiff as c says: with θ = ½, near its terminal speed, a motion is multiplied by the roots
    of (1 + qs)z² + (5q/2 − 1 − qs)z − q/2, q = hc/m and s = ½ + 3r²/2, which are 0.64 at most in size as q → ∞. (With
    s ≤ 1 speeds go to and fro from step to step, and grow, beyond q = 1.17.) A linear damper has the factor
    1 − q/(1 + qs): of second order, positive for every q, and ½ as q → ∞.
    """
    resisted = h * c
    r = resisted / max(mass + resisted, MASSLESS)
    return h * (theta + 3.0 * (1.0 - theta) * r * r)


@kernel
def damper_share(c, mass, scheme):
    """Time into the first-order step at which a damper along an element is taken."""
    h = scheme.step
    return h * (scheme.theta * mass + h * c) / (mass + h * c)


@inlined
def drag_share(c, mass, scheme):
    """Time into the step at which drag, or the damper of a bend, is taken."""
    return decay_share(scheme.drag_theta, c, mass, scheme.step)


@inlined
def second_order(scheme):
    """Whether the step is the second-order one."""
    return common(scheme.foresight) > 0.0


@inlined
def string_form(stiffness, mass, caught, scheme):
    """What the string stiffness k of an element adds to the matrix, to the force of its rate and to that of the
    accelerations of the step before; and 1 where it is damped.

    filtered: b₁h²k, nothing, b₀h²k; undamped: ¼h²k and nothing; damped: h²k and h·k, which ends in one step what the
    step cannot resolve. `auto` takes the undamped form while h < 2/ω with ω² = 4k/m, the damped one beyond. The
    filtered form gives way to the damped one beyond that limit where a blow has `caught` the element or its cable is
    loose; in a loose cable it has no memory either.
    """
    mode, h = common(scheme.geometric), scheme.step
    if mode == OFF:
        return 0.0, 0.0, 0.0, 0.0
    stiff = h * h * stiffness
    quick, loose = not (stiff < mass), scheme.loose > 0.0
    damped = (mode == DAMPED) | (quick & ((mode == AUTO) | ((mode == FILTERED) & (caught | loose))))
    kept = scheme.string_g * stiffness, 0.0, where(loose, 0.0, scheme.string_memory * stiffness), 0.0
    return where(damped, (stiff, h * stiffness, 0.0, 1.0), kept)
