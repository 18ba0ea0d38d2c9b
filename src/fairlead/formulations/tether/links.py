"""The force of a link: a PID controller that holds its length (Brateau, section II), and the energy of its P part."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel

from .arrays import (
    AIM, DERIVATIVE, DIFFERENCE, ELASTIC, ERROR, INTEGRAL, LINKS, PROPORTIONAL, RATE, SIGN, STIFFNESS, STRAIN,
    TENSION_ONLY, TEXT, Y_LINKS, Y_STARTED, link_at,
)  # fmt: skip


@kernel
def link_parts(k, distance, rate, length, h, ints, reals, y):
    """P, I and D parts of the tension of link k [N], whose error and integral in `y` go on by one step h.

    F = Kp e + Ki ∫e dt + Kd ė, positive pulls (the paper's −(…)u with the u of its formula; with the u of its text it
    pushes). e = (d − l)/l: strain, so that Kp is an EA; the paper divides by d, which lets the force saturate at Kp.
    ė comes from the velocities, `rate` being that of d less what line paid out adds to it; the paper takes the
    difference of two steps. The integral makes d = l under any tension; by default it aims at the cable's own stretch,
    ∫(e − (Kp e + Ki ∫e)/EA) dt, which rests where F = EA e. A tension-only link that would push is slack: no force at
    all, and its integral waits, never below zero.
    """
    link, memory = link_at(ints, k), ints[Y_LINKS] + 2 * k
    if ints[ERROR] == STRAIN:
        error, growth = (distance - length) / length, rate / length
    else:
        error, growth = (distance - length) / distance, length * rate / (distance * distance)
    if ints[RATE] == DIFFERENCE:
        growth = (error - y[memory + 1]) / h if y[ints[Y_STARTED]] > 0.5 else 0.0
    y[memory + 1] = error
    p = reals[link + PROPORTIONAL] * error
    d = reals[link + DERIVATIVE] * growth
    gain = reals[link + INTEGRAL]
    lack = error
    if ints[AIM] == ELASTIC:
        lack -= (p + gain * y[memory]) / reals[link + STIFFNESS]
    integral = y[memory] + h * lack
    if ints[LINKS] == TENSION_ONLY:
        integral = max(0.0, integral)
        if p + gain * integral <= 0.0:
            return 0.0, 0.0, 0.0
        d = max(d, -(p + gain * integral))
    y[memory] = integral
    if ints[SIGN] == TEXT:
        return -p, -gain * integral, -d
    return p, gain * integral, d


@kernel
def link_energy(k, distance, length, ints, reals, y):
    """Energy of the P part of link k [J]: ½ Kp l e², or Kp (d − l − l ln(d/l)) for the paper's error."""
    link = link_at(ints, k)
    gain = reals[link + PROPORTIONAL]
    if ints[ERROR] != STRAIN:
        return gain * (distance - length - length * math.log(distance / length))
    error = (distance - length) / length
    if ints[LINKS] == TENSION_ONLY and gain > 0.0:
        error = max(error, -reals[link + INTEGRAL] * y[ints[Y_LINKS] + 2 * k] / gain)
    return 0.5 * gain * length * error * error
