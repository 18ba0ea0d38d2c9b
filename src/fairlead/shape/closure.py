"""Chains of bars hanging in a vertical plane: the force that makes them reach from one end to the other.

A bar in equilibrium points along the force in its middle, g_i = F + c_i e_z, where F is the force of the chain on its
first support and c_i [N] the weight between that support and the middle of bar i. It is stretched by |g_i|/EA_i of its
length. The chain closes where the convex function  phi(F) = sum_i L_i (|g_i| + |g_i|^2/(2 EA_i)) - F . d  is least,
since its gradient is  sum_i L_i (1 + |g_i|/EA_i) g_i/|g_i| - d.
"""

from dataclasses import dataclass, replace
from math import cbrt, hypot, sqrt

import numpy as np
from numpy.typing import NDArray

from fairlead.shape.arc import arc_directions, arc_exists
from fairlead.shape.bracket import root

Floats = NDArray[np.float64]
CLOSED = 1e-13  # closure gap that counts as none, relative to the length of the chain
TAUT = 0.98  # chord, relative to the length of the chain, beyond which it is nearly a string


@dataclass(frozen=True)
class Closure:
    """A chain that reaches from (0, 0) to (span, rise).

    directions: (n, 2) unit vectors (horizontal, up); force: (2,) of the chain on its first support [N];
    balanced: whether every bar is in equilibrium (else only lengths and closure hold); strain: (n,) of the bars.
    """

    directions: Floats
    force: Floats
    balanced: bool
    strain: Floats


def close_chain(lengths: Floats, loads: Floats, compliance: Floats, span: float, rise: float) -> Closure:
    """The hanging chain of bars `lengths` (n,) [m] with `loads` c (n,) [N], from (0, 0) to (span >= 0, rise) [m].

    compliance: 1/EA (n,) [1/N], zero for bars that do not stretch. The bars must be able to span the chord
    (`arc_exists`); rigid ones must be longer together than it, others need some weight.
    """
    total = float(lengths.sum())
    sides = lengths / total
    x, z = span / total, rise / total
    middle = float(sides @ loads)
    scale = float(np.sqrt(sides @ (loads - middle) ** 2))
    if scale <= 1e-14 * float(np.abs(loads).max()):
        return Closure(_arc(sides, x, z), np.array([0.0, -middle]), True, np.zeros_like(sides))
    offsets, give = (loads - middle) / scale, scale * compliance
    found = _at_a_fold(sides, offsets, give, x, z)
    if found is None:
        force = _newton(sides, offsets, give, x, z, _guess(float(sides @ give), x, z))
        if force is None:
            force = _newton(sides, offsets, give, x, z, _bracketed(sides, offsets, give, x, z))
        if force is None:
            found = _unbalanced(sides, offsets, x, z)
        else:
            directions, size = _forces(offsets, force)
            found = Closure(directions, force, True, give * size)
    return Closure(found.directions, scale * found.force - np.array([0.0, middle]), found.balanced, found.strain)


def _forces(offsets: Floats, force: Floats) -> tuple[Floats, Floats]:
    """Directions (n, 2) and sizes (n,) of the forces in the middles of the bars."""
    up = force[1] + offsets
    size = np.hypot(force[0], up)
    return np.column_stack((force[0] / size, up / size)), size


def _guess(give: float, x: float, z: float) -> Floats:
    """F of the continuous catenary of the same chord: sinh(u)/u = sqrt(1 - z^2)/x, H = W x/(2 u).

    Forces are in units of the rms of the offsets, so a uniform chain weighs W = sqrt(12). Near its chord it is a taut
    string of compliance `give` and sags as a parabola: chord = 1 + give T - (W x/chord)^2/(24 T^2).
    """
    weight = np.sqrt(12.0)
    x = max(x, 1e-9)
    chord = hypot(x, z)
    if chord > TAUT:
        sag = (weight * x / chord) ** 2 / 24.0
        low = high = sqrt(sag / max(1.0 - chord, 1e-12)) if give == 0.0 else cbrt(sag / give)
        if give > 0.0:
            high += max(chord - 1.0, 0.0) / give
            tension = root(lambda t: 1.0 + give * t - sag / (t * t) - chord, 1e-3 * low, high + low)
        else:
            tension = low
        return np.array([tension * x / chord, tension * z / chord])
    ratio = np.sqrt(max(1.0 - z * z, 1e-30)) / x
    if ratio < 3.0:
        u = np.sqrt(6.0 * max(ratio - 1.0, 1e-30))
        u /= np.sqrt(1.0 + u * u / 20.0)
    else:
        u = np.log(2.0 * ratio)
        u = np.log(2.0 * ratio * u)
    return np.array([0.5 * weight * x / u, 0.5 * weight * z / np.tanh(u)])


def _newton(sides: Floats, offsets: Floats, give: Floats, x: float, z: float, force: Floats) -> Floats | None:
    """Damped Newton for the minimum of phi; None unless the chain closes."""
    chord = np.array([x, z])
    springs = float(sides @ give)

    def gap_of(force: Floats) -> tuple[Floats, Floats, Floats]:
        directions, size = _forces(offsets, force)
        return (sides * (1.0 + give * size)) @ directions - chord, directions, size

    gap, directions, size = gap_of(force)
    error = hypot(*gap)
    for _ in range(60):
        if error <= 1e-16:
            break
        compliance = sides / size
        hxx = float(compliance @ directions[:, 1] ** 2) + springs
        hzz = float(compliance @ directions[:, 0] ** 2) + springs
        hxz = -float(compliance @ (directions[:, 0] * directions[:, 1]))
        determinant = hxx * hzz - hxz * hxz
        if not determinant > 0.0:
            break
        step = np.array([hxz * gap[1] - hzz * gap[0], hxz * gap[0] - hxx * gap[1]]) / determinant
        factor = 1.0
        if force[0] + step[0] < 0.1 * force[0]:  # H stays positive: a chain with a span pulls its ends together
            factor = 0.9 * force[0] / -step[0]
        for _ in range(40):
            trial = force + factor * step
            trial_gap, trial_directions, trial_size = gap_of(trial)
            trial_error = hypot(*trial_gap)
            if trial_error < (1.0 - 0.1 * factor) * error:
                break
            factor *= 0.5
        else:
            break
        force, gap, error, directions, size = trial, trial_gap, trial_error, trial_directions, trial_size
    return force if error <= CLOSED else None


def _bracketed(sides: Floats, offsets: Floats, give: Floats, x: float, z: float) -> Floats:
    """The same minimum by nested bracketing: for each H the V that closes the rise, then the H that closes the span.

    Slower than Newton, but it cannot miss: both gaps grow with their unknown.
    """
    low, high = -float(offsets.max()), -float(offsets.min())

    def vertical(horizontal: float) -> float:
        def gap(v: float) -> float:
            up = v + offsets
            return float(sides @ (up / np.hypot(horizontal, up) + give * up)) - z

        reach = horizontal + high - low
        bottom, top = low - reach, high + reach
        while gap(bottom) > 0.0:
            bottom -= reach
            reach *= 4.0
        while gap(top) < 0.0:
            top += reach
            reach *= 4.0
        return root(gap, bottom, top)

    def span_gap(log_horizontal: float) -> float:
        horizontal = float(np.exp(log_horizontal))
        up = vertical(horizontal) + offsets
        return float(sides @ (horizontal / np.hypot(horizontal, up) + give * horizontal)) - x

    horizontal = float(np.exp(root(span_gap, -46.0, 46.0)))
    return np.array([horizontal, vertical(horizontal)])


def _at_a_fold(sides: Floats, offsets: Floats, give: Floats, x: float, z: float) -> Closure | None:
    """The chain whose force vanishes in a bar or a weightless run, where phi has a kink; None if it has its minimum
    elsewhere.

    At F = -c_m e_z every other bar stands upright, stretched by |c_i - c_m|, and run m has to bridge what is left, b.
    The minimum is there exactly when |b| is not longer than the run. A run of bars then lies slack as an arc. A single
    bar cannot shorten: it takes thrust instead of tension and keeps the legs apart.
    """
    levels, run_of = np.unique(offsets, return_inverse=True)
    run_length = np.bincount(run_of, sides)
    before = np.cumsum(run_length) - run_length
    bridge = z - (1.0 - 2.0 * before - run_length) - float(sides @ (give * offsets)) + levels * float(sides @ give)
    excess = np.hypot(x, bridge) - run_length
    m = int(np.argmin(excess))
    if excess[m] > 0.0:
        return None
    b = hypot(x, bridge[m])
    members = np.flatnonzero(run_of == m)
    upright = np.column_stack((np.zeros_like(offsets), np.sign(offsets - levels[m])))
    force = np.array([0.0, -levels[m]])
    strain = give * np.abs(offsets - levels[m])
    if excess[m] > -CLOSED:
        upright[members] = (x / b, bridge[m] / b)
        return Closure(upright, force, True, strain)
    if len(members) > 1 and arc_exists(sides[members], b):
        upright[members] = _arc(sides[members], x, float(bridge[m]))
        return Closure(upright, force, True, strain)
    strut = _with_strut(sides, offsets, strain, x, z, int(members[np.argmax(sides[members])]), float(bridge[m]))
    return strut or _unbalanced(sides, offsets, x, z)


def _with_strut(
    sides: Floats, offsets: Floats, strain: Floats, x: float, z: float, m: int, bridge: float
) -> Closure | None:
    """Equilibrium with thrust in bar m, from several guesses of its direction and thrust, which change no strain."""
    sides = sides * (1.0 + strain)
    others = np.arange(len(sides)) != m
    distance = np.abs(offsets[others] - offsets[m])
    if not distance.size or distance.min() == 0.0:
        return None
    length = float(sides[m])
    softness = float(sides[others] @ (1.0 / distance))  # span that the legs give way for each unit of thrust
    sine = np.clip(bridge / length, -0.98, 0.98)
    for cosine in (np.sqrt(1.0 - sine * sine), -np.sqrt(1.0 - sine * sine)):
        thrust = max(length - x / cosine, 1e-3 * length) / softness
        for factor in (1.0, 0.3, 3.0, 0.1):
            found = _strut_newton(sides, offsets, x, z, m, float(np.arctan2(sine, cosine)), factor * float(thrust))
            if found is not None:
                return replace(found, strain=strain)
    return None


def _strut_newton(
    sides: Floats, offsets: Floats, x: float, z: float, m: int, angle: float, thrust: float
) -> Closure | None:
    """Damped Newton in the direction (cos a, sin a) of bar m and its thrust rho: F = -c_m e_z - rho (cos a, sin a)."""
    others = np.arange(len(sides)) != m
    chord = np.array([x, z])

    def state(angle: float, thrust: float) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        axis = np.array([np.cos(angle), np.sin(angle)])
        force = np.array([0.0, -offsets[m]]) - thrust * axis
        directions, size = _forces(offsets, force)
        directions[m] = axis
        return axis, force, directions, size, sides @ directions - chord

    axis, force, directions, size, gap = state(angle, thrust)
    for _ in range(40):
        error = hypot(*gap)
        if error <= 1e-16:
            break
        compliance = sides[others] / size[others]
        legs = directions[others]
        give = compliance.sum() * np.eye(2) - (legs * compliance[:, None]).T @ legs
        normal = np.array([-axis[1], axis[0]])
        by_angle, by_thrust = sides[m] * normal - thrust * (give @ normal), -give @ axis
        determinant = by_angle[0] * by_thrust[1] - by_thrust[0] * by_angle[1]
        if determinant == 0.0 or not np.isfinite(determinant):
            break
        turn = -(by_thrust[1] * gap[0] - by_thrust[0] * gap[1]) / determinant
        push = -(by_angle[0] * gap[1] - by_angle[1] * gap[0]) / determinant
        factor = 1.0 / max(1.0, abs(turn) / 0.5, -push / (0.9 * thrust))
        while factor > 1e-6:
            trial = state(angle + factor * turn, thrust + factor * push)
            if hypot(*trial[4]) < error:
                break
            factor *= 0.5
        else:
            break
        angle, thrust = angle + factor * turn, thrust + factor * push
        axis, force, directions, size, gap = trial
    return Closure(directions, force, True, np.zeros_like(sides)) if hypot(*gap) <= CLOSED else None


def _unbalanced(sides: Floats, offsets: Floats, x: float, z: float) -> Closure:
    """An arc that at least closes, below the chord for a chain that sinks and above it for one that floats."""
    if offsets[-1] >= offsets[0]:
        return Closure(_arc(sides, x, z), np.zeros(2), False, np.zeros_like(sides))
    return Closure(_arc(sides, x, -z) * (1.0, -1.0), np.zeros(2), False, np.zeros_like(sides))


def _arc(sides: Floats, x: float, z: float) -> Floats:
    """Directions of the bars along a circular arc that sags below the chord (x, z)."""
    chord = hypot(x, z)
    along = np.array([x, z]) / chord if chord > 0.0 else np.array([1.0, 0.0])
    directions = arc_directions(sides, chord)
    return np.asarray(directions[:, :1] * along + directions[:, 1:] * np.array([-along[1], along[0]]))
