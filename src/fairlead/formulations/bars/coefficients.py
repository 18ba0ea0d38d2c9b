"""From stiffness and damping to the three numbers of a joint row: λ = G·C̈ + D·Ċ + K·C.

`rule` makes the semi-implicit step equal to a linearly implicit Euler step of a spring–damper joint, so that the
compliance is physically exact for any step; in the second-order step the spring is taken near the middle of the step
and remembers C̈ of the step before. The paper's two readings are offered beside it. See the theory page.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import any_lane, where

from .schema import FILTERED, LITERAL, RULE
from .topology import bar_of_joint, is_attached, joint_of_end

SEMI_IMPLICIT, EXPLICIT_EULER, PLAIN = 0, 1, 2
"""Schemes: the default; the paper's; plain springs and dampers for ODE integrators."""
SPRING_G, SPRING_MEMORY = 8.0 / 27.0, 1.0 / 27.0
"""Springs of the second-order step are taken h²(b₁ C̈ + b₀ C̈′) beyond the middle: generalised-α with ρ∞ = ½."""
STRING_G, STRING_MEMORY = 0.35, 0.0694
"""The same of the string stiffness, ρ∞ = 0.6: stable while the tension in the matrix is above 0.89 of the true one."""


@kernel
def step_theta(sys):
    """θ of the step that begins with the state y: that of the settings, and 1 while a joint that only pulls is loose.

    What catches a blow elsewhere than at the end of the step gives energy, the more the larger the step.
    """
    theta = 1.0 if sys.second == 1 else sys.settings.theta
    if theta < 1.0 and sys.loosens == 1:
        for c in range(sys.cables):
            if any_lane(sys.snap[c].loose > 0.5):
                return 1.0
    return theta


@kernel
def set_scheme(kind, h, sys):
    """Fill the scheme for a step of size h: G = g_per_c·c + g_per_k·k, D = c + d_per_k·k, K = k.

    semi-implicit: G = θh(c + θh k), D = c + θh k; explicit Euler: G = h(c + h k), D = c + 2h k (Eq. 7 with the
    position update of the paper); plain: G = 0, D = c.

    The second-order step takes what touches (seabed, rings, joints that are caught) a whole step after the middle:
    G = h(c + h k), D = c + h k. Its joints have G = `joint_g`·k + share·c, D = c and the memory `joint_memory`·k·C̈′.
    Bodies drift for `half` a step before the solve; after it they move by `travel`·(v + `carried`·a).
    """
    theta = step_theta(sys)
    sys.scheme.step = h
    sys.scheme.drag = h
    sys.scheme.book = h
    sys.scheme.theta = theta
    sys.scheme.geometric = 0.0
    sys.scheme.kind = kind
    sys.scheme.half = 0.0
    sys.scheme.travel, sys.scheme.carried = h, 0.0 if kind == EXPLICIT_EULER else theta * h
    sys.scheme.joint_g = sys.scheme.joint_memory = sys.scheme.string_g = sys.scheme.string_memory = 0.0
    if kind == SEMI_IMPLICIT:
        sys.scheme.g_per_c = theta * h
        sys.scheme.g_per_k = theta * theta * h * h
        sys.scheme.d_per_k = theta * h
        sys.scheme.geometric = sys.geometric
        if sys.second == 1:
            sys.scheme.half = sys.scheme.travel = 0.5 * h
            sys.scheme.carried = h
            sys.scheme.joint_g, sys.scheme.joint_memory = SPRING_G * h * h, SPRING_MEMORY * h * h
            sys.scheme.string_g, sys.scheme.string_memory = STRING_G * h * h, STRING_MEMORY * h * h
            sys.scheme.geometric = FILTERED
    elif kind == EXPLICIT_EULER:
        sys.scheme.g_per_c = h
        sys.scheme.g_per_k = h * h
        sys.scheme.d_per_k = 2.0 * h
    else:
        sys.scheme.g_per_c = 0.0
        sys.scheme.g_per_k = 0.0
        sys.scheme.d_per_k = 0.0
        sys.scheme.book = 1.0  # works then come out as powers
        sys.scheme.drag = 0.0


@kernel
def late_row(k, c, sys):
    """(G, D, K) of a row with stiffness k and damping c that is taken a step later, whatever the scheme."""
    return sys.scheme.g_per_c * c + sys.scheme.g_per_k * k, c + sys.scheme.d_per_k * k, k


@inlined
def damper_share(c, mass, sys):
    """Time into a second-order step at which a damper c on a mass is taken: half the step where it resolves the decay,
    hc ≪ m, all of it where it does not."""
    h = sys.scheme.step
    total = mass + h * c
    return h * (0.5 * mass + h * c) / where(total > 0.0, total, 1.0)


@inlined
def drag_share(c, mass, sys):
    """Time into a second-order step at which drag with the secant c on a mass is taken: h(½ + 3r²/2), r = hc/(m + hc).

    The secant follows the speed, so that along the flow drag is twice as stiff as c says. Near its terminal speed the
    motion is multiplied by the roots of (1 + qs)z² + (5q/2 − 1 − qs)z − q/2, q = hc/m and s = ½ + 3r²/2: 0.64 at most
    in size as q → ∞. (With s ≤ 1 the speed goes to and fro from step to step, and grows, beyond q = 1.4.)
    """
    h = sys.scheme.step
    slowed = h * c
    total = mass + slowed
    r = slowed / where(total > 0.0, total, 1.0)
    return h * (0.5 + 1.5 * r * r)


@kernel
def rule_row(k, c, mass, sys):
    """(G, D, K) of a row with stiffness k and damping c between bodies that feel like a `mass`, under the scheme."""
    if sys.scheme.half > 0.0:
        return sys.scheme.joint_g * k + damper_share(c, mass, sys) * c, c, k
    return late_row(k, c, sys)


@kernel
def put_rows(j, axial, bending, torsion, sys):
    """(G, D, K) of the three kinds of rows of joint j."""
    sys.row[j].gdk = (
        axial[0], axial[1], axial[2], bending[0], bending[1], bending[2], torsion[0], torsion[1], torsion[2],
    )  # fmt: skip


@inlined
def felt_masses(before, after, sys):
    """What a damper between two bars, of which one may be missing (−1), finds to brake: a quarter of the lesser mass,
    as the fastest motion along a chain has it, and the same of the moments of inertia across and about the axis."""
    one = sys.bar[before if before >= 0 else after]
    two = sys.bar[after if after >= 0 else before]
    return (
        0.25 * min(one.mass, two.mass), 0.25 * min(one.inertia, two.inertia),
        0.25 * min(one.spin_inertia, two.spin_inertia),
    )  # fmt: skip


@kernel
def rule_rows(j, before, after, sys):
    """G, D, K of all rows of joint j between two bars, of which one may be missing (−1), under the rule."""
    k, c, m = sys.joint[j].stiffness, sys.joint[j].damping, felt_masses(before, after, sys)
    put_rows(j, rule_row(k[0], c[0], m[0], sys), rule_row(k[1], c[1], m[1], sys), rule_row(k[2], c[2], m[2], sys), sys)


@kernel
def clear_joint(j, sys):
    """Let a joint transmit nothing any more: its end was released."""
    none = (0.0, 0.0, 0.0)
    put_rows(j, none, none, none, sys)


@kernel
def paper_row(k, kind, length, half, beta2, sys):
    """(G, D, K) of a row with stiffness k under the paper's readings: see `set_joints`."""
    quarter = 0.25 if kind > 0 else 1.0
    k *= length * quarter
    g = k / beta2
    if sys.tuning == LITERAL:
        g = where(k > 0.0, half * quarter / sys.settings.epsilon, 0.0)
    return g, 2.0 * sys.settings.alpha * g, k


@kernel
def set_joints(sys):
    """Fill G, D, K of the axial, bending and torsion rows of every joint.

    The paper's readings (Table 1, Eq. 6) take the stiffness as EA, EI, GJ without 1/L and act on the quaternion's
    vector part; expressed in the rows used here (twice the vector part, stiffness k = EA/L …) the axial row keeps
    K = k·L and Γ, the rotation rows a quarter of both. `literal`: the same Γ = 1/ε for every row. `common_beta`:
    one β² = EA·ε for all, hence Γ = K/β². End joints, being half an element long, carry twice both.
    """
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        for i in range(count + 1):
            j = first + c + i
            if sys.tuning == RULE:
                rule_rows(j, first + i - 1 if i > 0 else -1, first + i if i < count else -1, sys)
            else:
                k, length = sys.joint[j].stiffness, sys.bar[first + bar_of_joint(i, count)].length
                half = 2.0 if (i == 0 or i == count) else 1.0
                beta2 = k[0] * length / half * sys.settings.epsilon
                put_rows(
                    j, paper_row(k[0], 0, length, half, beta2, sys), paper_row(k[1], 1, length, half, beta2, sys),
                    paper_row(k[2], 2, length, half, beta2, sys), sys,
                )  # fmt: skip
        for end in range(2 * c, 2 * c + 2):
            if not is_attached(end, sys):
                clear_joint(joint_of_end(end, sys), sys)
