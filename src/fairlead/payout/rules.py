"""The rules of a drum: one set for all formulations.

The element next to the drum (element 1, unstretched length L₁) grows while line is paid out and shrinks while it is
hauled in; all others keep their nominal length L₀. At L₁ ≥ 1.5 L₀ it is split into one of L₁ − L₀ at the drum and one
of L₀ behind it; at L₁ ≤ 0.5 L₀ it is merged with its neighbour.

A split leaves L₁ = 0.5 L₀, just where a merge would begin. So that a rate that changes its sign (heave compensation)
does not split and merge in turns, each acts only while line moves its way, and a merge that follows a split waits for
the lower mark of 0.4 L₀.

Line enters at the speed of the line that is there already: it brings its momentum along and pulls at nothing.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel

SPLIT, NOTHING, MERGE = 1, 0, -1


@kernel
def event(first, nominal, rate, latest, split, merge, merge_after_split):
    """What is to happen to the element at the drum: `SPLIT`, `MERGE` or `NOTHING`.

    first              unstretched length of the element at the drum [m]
    nominal            of its neighbours [m]
    rate               of payout [m/s], negative when hauling in
    latest             the latest event, one of the three
    split, merge, …    marks, in parts of the nominal length
    """
    if rate > 0.0 and first >= split * nominal:
        return SPLIT
    mark = merge_after_split if latest == SPLIT else merge
    if rate < 0.0 and first <= mark * nominal:
        return MERGE
    return NOTHING


@kernel
def limited_rate(rate, length, shortest, longest, h):
    """The rate of payout that neither runs the drum empty nor hauls in more than there is within a step h [m/s]."""
    if length + h * rate > longest:
        return (longest - length) / h
    if length + h * rate < shortest:
        return (shortest - length) / h
    return rate


@kernel
def split_tensions(tension, force, upper, lower):
    """Tensions of the two parts of an element that is split at a new node.

    tension        of the element before [N]
    force          all that acts on the new node along the cable, away from the drum, its inertia taken off [N]
    upper, lower   unstretched lengths of the part at the drum and of the other [m]

    The parts differ by `force`, and their total stretch is that of the element before:
    T_a = T + F·L_b/(L_a + L_b),  T_b = T − F·L_a/(L_a + L_b).
    """
    whole = upper + lower
    return tension + force * lower / whole, tension - force * upper / whole


@kernel
def split_speed(speed, stretch_rate, lower):
    """Speed along the cable, away from the drum, of the line at a new node [m/s].

    speed          of the line at the far end of the element [m/s]
    stretch_rate   ε̇ = (ℓ̇ − L̇₁ ℓ/L₁)/L₁ of the element: its length grows by stretch and by line that enters [1/s]
    lower          unstretched distance of the new node from that end [m]

    The line moves as one but for its stretching: v = v₁ − L_b ε̇. Interpolating between the end and the drum at rest
    would be wrong by almost the whole speed of payout, a jolt of EA·v/c at every split.
    """
    return speed - lower * stretch_rate


@kernel
def merged_speed(speed_a, mass_a, speed_b, mass_b):
    """Common speed of two masses that become one: momentum is kept [m/s]."""
    return (mass_a * speed_a + mass_b * speed_b) / (mass_a + mass_b)
