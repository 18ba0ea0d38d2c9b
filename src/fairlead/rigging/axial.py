"""The axial law: tension, stiffness and energy of an element that is stretched. One place for all formulations.

A law is its three formulas below; all else follows from them.

strain    T = EA(λ − 1), λ = l/L, E = ½EA·L(λ − 1)²: what a test machine shows.
green     T = EA·½(λ² − 1)·λ, E = ⅛EA·L(λ² − 1)²: the Green strain times the direction of the unstretched force
          (Escalante et al., Eq. 6: c r̈ = (r′S)′ with S = |r′|² − 1).
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel

STRAIN, GREEN = 0, 1
LAWS = {"engineering": STRAIN, "green": GREEN}
"""By their names in the file."""
ITERATIONS = 8
"""Of Newton's method: from a stretch of two it takes six."""


@inlined
def axial_tension(law, stretch, stiffness):
    """Tension [N] of an element stretched to λ = `stretch` of its length, EA = `stiffness`."""
    if law == GREEN:
        return 0.5 * stiffness * (stretch * stretch - 1.0) * stretch
    return stiffness * (stretch - 1.0)


@inlined
def axial_slope(law, stretch, length, stiffness):
    """dT/dl [N/m] of an element of unstretched `length`."""
    if law == GREEN:
        return 0.5 * stiffness / length * (3.0 * stretch * stretch - 1.0)
    return stiffness / length


@kernel
def axial_energy(law, stretch, length, stiffness):
    """Energy of an element of unstretched `length` [J]: ∫T dl."""
    if law == GREEN:
        strain = 0.5 * (stretch * stretch - 1.0)
        return 0.5 * stiffness * length * strain * strain
    return 0.5 * stiffness * length * (stretch - 1.0) * (stretch - 1.0)


@kernel
def axial_stretch(law, tension, stiffness):
    """Stretch λ under a tension, by Newton's method: exact at once where the law is linear."""
    stretch = 1.0 + tension / stiffness
    if law != STRAIN:
        for _ in range(ITERATIONS):
            miss = axial_tension(law, stretch, stiffness) - tension
            stretch -= miss / axial_slope(law, stretch, 1.0, stiffness)
    return stretch


@kernel
def axial_release(law, stretch, stiffness):
    """What a metre of unstretched line gives back as it enters an element of given span [J/m]: λT − E/L = −∂E/∂L."""
    return stretch * axial_tension(law, stretch, stiffness) - axial_energy(law, stretch, 1.0, stiffness)
