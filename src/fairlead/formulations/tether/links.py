"""The force of a link: a PID controller that holds its length (Brateau, section II), and the energy of its P part."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel

from .schema import DIFFERENCE, ELASTIC, STRAIN, TENSION_ONLY, TEXT


@kernel
def link_parts(k, distance, rate, length, h, sys):
    """P, I and D parts of the tension of link k [N], whose error and integral go on by one step h.

    F = Kp e + Ki ∫e dt + Kd ė, positive pulls (the paper's −(…)u with the u of its formula; with the u of its text it
    pushes). e = (d − l)/l: strain, so that Kp is an EA; the paper divides by d, which lets the force saturate at Kp.
    ė comes from the velocities, `rate` being that of d less what line paid out adds to it; the paper takes the
    difference of two steps. The integral makes d = l under any tension; by default it aims at the cable's own stretch,
    ∫(e − (Kp e + Ki ∫e)/EA) dt, which rests where F = EA e. A tension-only link that would push is slack: no force at
    all, and its integral waits, never below zero.
    """
    link, memory = sys.link[k], sys.link_state[k]
    if sys.error == STRAIN:
        error, growth = (distance - length) / length, rate / length
    else:
        error, growth = (distance - length) / distance, length * rate / (distance * distance)
    if sys.rate == DIFFERENCE:
        growth = (error - memory.error) / h if sys.run.started > 0.5 else 0.0
    memory.error = error
    p, d, gain = link.proportional * error, link.derivative * growth, link.integral
    lack = error
    if sys.aim == ELASTIC:
        lack -= (p + gain * memory.integral) / link.stiffness
    integral = memory.integral + h * lack
    if sys.sides == TENSION_ONLY:
        integral = max(0.0, integral)
        if p + gain * integral <= 0.0:
            return 0.0, 0.0, 0.0
        d = max(d, -(p + gain * integral))
    memory.integral = integral
    if sys.direction == TEXT:
        return -p, -gain * integral, -d
    return p, gain * integral, d


@kernel
def note_softness(c, k, p, tension, sys):
    """Keep the largest tension in cable c, and the largest that link k has only because it is softer than the cable.

    At rest the P part of a tension F is Kp F/EA, and the integral gives the rest. What P gives beyond that is a stretch
    which the cable does not have: none where Kp = EA or all goes slowly, all of a blow where Kp ≪ EA.
    """
    link, softness = sys.link[k], sys.softness[c]
    softness.most = max(softness.most, tension)
    softness.lent = max(softness.lent, p - link.proportional / link.stiffness * tension)


@kernel
def link_energy(k, distance, length, sys):
    """Energy of the P part of link k [J]: ½ Kp l e², or Kp (d − l − l ln(d/l)) for the paper's error."""
    link = sys.link[k]
    gain = link.proportional
    if sys.error != STRAIN:
        return gain * (distance - length - length * math.log(distance / length))
    error = (distance - length) / length
    if sys.sides == TENSION_ONLY and gain > 0.0:
        error = max(error, -link.integral * sys.link_state[k].integral / gain)
    return 0.5 * gain * length * error * error
