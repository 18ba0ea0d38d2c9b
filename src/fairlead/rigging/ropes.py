"""Ropes: elements whose tension is a curve of the strain, or has a memory. One place for all formulations.

A rope that creeps is a slow spring with a damper c₁ in series with a quick spring EA_d with a damper c₂ (Hall, Duong,
Lozon, IOWTC2023-119524). Its memory is the slow strain ε₁:

    T = T₁(ε₁) + c₁ ε̇₁ = EA_d (ε − ε₁ − o) + c₂ (ε̇ − ε̇₁),      EA_d = a + b T₁.

springs   T₁(ε₁) is such that at rest T = EA ε: ε₁ = T₁/EA − T₁/EA_d, and o = 0
syrope    at rest the rope is on a curve ε(T₁): the original one, or the working curve of the largest mean tension that
          it has seen, which is its second memory; ε₁ = ε(T₁) − ε₂(T₁) with ε₂ = ln(1 + b T₁/a)/b, the strain of a quick
          spring loaded slowly, and T = T₁ + EA_d (ε − ε₁ − ε₂) about it (Falkenberg et al., OTC-27761-MS)

Over a step all of this is one spring, T = κ(ε − ε₀) + v ε̇, with κ, ε₀ and v of the memory at the beginning of the step:
ε̇₁ follows from T, with the slow spring taken at the time α into the step that makes a rope held at its strain relax as
it should, however large the step is. A curve without memory is the same, with κ the slope of the piece it is on.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import REALS, WORK, Table, Y

CURVE, SPRINGS, SYROPE = 0, 1, 2
"""What a rope follows: `kind`."""
LINEAR, QUADRATIC, EXPONENTIAL = 0, 1, 2
"""What its working curves are: `shape`."""
ROPE_TABLES = (
    # EA of slow loads; a and b of EA_d; c₁, c₂; the corners of its curve
    Table("rope", REALS, """kind static quick per_tension slow_damping quick_damping shape k1 k2 first
        count""", per="ropes"),
    Table("corner", REALS, "strain tension", per="corners"),
    Table("creep", Y, "slow most", per="creeping", unit="1, N"),  # ε₁, and the largest mean tension
    # κ, ε₀, v; T₁, its slope, EA_d, c₁ + α dT₁/dε₁ and α of the memory; the strain whose piece of a curve is taken;
    # room for a formulation: how wide the gap of a joint is
    Table("held", WORK, "stiffness offset damper mean slope quick gain ahead piece gap", per="creeping"),
)  # fmt: skip
"""Every formulation with ropes has these, `creep` and `held` with a row for whatever has a strain."""
ROUNDS = 60
"""Of a bisection that Newton's method helps: it ends after five or so."""


# --- curves ----------------------------------------------------------------------------------------------------------
@kernel
def piece_of(rope, strain, sys):
    """Corner at which the piece of the curve begins that a strain is on; beyond the ends the first and the last."""
    k, last = int(rope.first), int(rope.first) + int(rope.count) - 2
    while k < last and strain >= sys.corner[k + 1].strain:
        k += 1
    return k


@kernel
def along_curve(rope, strain, sys):
    """Tension [N] on the curve, and its slope dT/dε [N]."""
    k = piece_of(rope, strain, sys)
    one, two = sys.corner[k], sys.corner[k + 1]
    slope = (two.tension - one.tension) / (two.strain - one.strain)
    return one.tension + slope * (strain - one.strain), slope


@kernel
def under_tension(rope, tension, sys):
    """Strain on the curve under a tension, and dε/dT [1/N]."""
    k, last = int(rope.first), int(rope.first) + int(rope.count) - 2
    while k < last and tension >= sys.corner[k + 1].tension:
        k += 1
    one, two = sys.corner[k], sys.corner[k + 1]
    give = (two.strain - one.strain) / (two.tension - one.tension)
    return one.strain + give * (tension - one.tension), give


@kernel
def curve_energy(rope, strain, sys):
    """∫T dε [N] from no strain on."""
    k = int(rope.first)
    energy, last = 0.0, piece_of(rope, strain, sys)
    while k < last:
        one, two = sys.corner[k], sys.corner[k + 1]
        energy += 0.5 * (one.tension + two.tension) * (two.strain - one.strain)
        k += 1
    tension = along_curve(rope, strain, sys)[0]
    return energy + 0.5 * (sys.corner[last].tension + tension) * (strain - sys.corner[last].strain)


@kernel
def working_ends(rope, most, sys):
    """Strains at which the working curve of a largest tension begins and ends."""
    top = under_tension(rope, most, sys)[0]
    return (top - most / rope.k1 if rope.k1 >= 1.0 else rope.k1 * top), top


@kernel
def working_shape(rope, x):
    """T/T_max at x of a working curve, its slope and its integral; below its beginning it goes on straight."""
    k, shape, inside = rope.k2, rope.shape, max(0.0, x)
    part, slope, area = inside, 1.0, 0.5 * inside * inside
    if shape == QUADRATIC:
        part, slope = inside * (k * inside + 1.0 - k), 2.0 * k * inside + 1.0 - k
        area = inside * inside * (k * inside / 3.0 + 0.5 * (1.0 - k))
    elif shape == EXPONENTIAL:
        part, slope = math.expm1(k * inside) / math.expm1(k), k * math.exp(k * inside) / math.expm1(k)
        area = (math.expm1(k * inside) / k - inside) / math.expm1(k)
    if x < 0.0:
        part, area = slope * x, 0.5 * slope * x * x
    return part, slope, area


@kernel
def working_place(rope, part):
    """x at which a working curve carries a part of T_max."""
    k = rope.k2
    if rope.shape == QUADRATIC and k != 0.0 and part > 0.0:
        return (math.sqrt((1.0 - k) * (1.0 - k) + 4.0 * k * part) - (1.0 - k)) / (2.0 * k)
    if rope.shape == EXPONENTIAL and part > 0.0:
        return math.log1p(part * math.expm1(k)) / k
    return part / working_shape(rope, 0.0)[1]


# --- at rest ---------------------------------------------------------------------------------------------------------
@kernel
def rest_tension(rope, strain, most, sys):
    """Tension [N] of a rope that has come to rest, and its slope dT/dε [N]; `most` is the largest it has seen."""
    if rope.kind == SPRINGS:
        return rope.static * strain, rope.static
    if rope.kind == SYROPE and most > 0.0:
        low, top = working_ends(rope, most, sys)
        if strain < top:
            part, slope, _ = working_shape(rope, (strain - low) / (top - low))
            return most * part, most * slope / (top - low)
    return along_curve(rope, strain, sys)


@kernel
def rest_strain(rope, tension, most, sys):
    """Strain of a rope that has come to rest under a tension, and dε/dT [1/N]."""
    if rope.kind == SPRINGS:
        return tension / rope.static, 1.0 / rope.static
    if rope.kind == SYROPE and tension < most:
        low, top = working_ends(rope, most, sys)
        x = working_place(rope, tension / most)
        return low + x * (top - low), (top - low) / (most * working_shape(rope, x)[1])
    return under_tension(rope, tension, sys)


@kernel
def quick_stiffness(rope, mean):
    """EA_d [N] about a mean tension."""
    return rope.quick + rope.per_tension * max(0.0, mean)


@kernel
def quick_strain(rope, mean):
    """Strain of the quick spring under a tension that has come slowly, and its derivative [1/N]."""
    stiff = quick_stiffness(rope, mean)
    if rope.kind == SPRINGS:
        return mean / stiff, (rope.quick if mean > 0.0 else stiff) / (stiff * stiff)
    if rope.per_tension > 0.0 and mean > 0.0:
        return math.log1p(rope.per_tension * mean / rope.quick) / rope.per_tension, 1.0 / stiff
    return mean / stiff, 1.0 / stiff


@kernel
def slow_strain(rope, mean, most, sys):
    """ε₁ that belongs to a mean tension, and dε₁/dT₁ [1/N]."""
    whole, give = rest_strain(rope, mean, most, sys)
    quick, quick_give = quick_strain(rope, mean)
    return whole - quick, give - quick_give


@kernel
def slow_tension(rope, slow, most, sys):
    """T₁(ε₁) and dT₁/dε₁ [N]."""
    if rope.kind == SPRINGS:
        both = rope.static + rope.quick + rope.per_tension * rope.static * max(0.0, slow)
        stiff = 0.5 * (both + math.sqrt(both * both - 4.0 * rope.quick * rope.static))
        mean = rope.static * stiff / (stiff - rope.static) * slow
        return mean, 1.0 / slow_strain(rope, mean, most, sys)[1]
    low, high = 0.0, most
    if slow > slow_strain(rope, most, most, sys)[0]:
        low, high = most, most + 1.0
        while high < 1.0e18 and slow_strain(rope, high, most, sys)[0] < slow:
            low, high = high, 2.0 * high
    begin, give = slow_strain(rope, low, most, sys)
    if not slow > begin:  # shorter than the working curve is: straight on
        return low + (slow - begin) / give, 1.0 / give
    mean = 0.5 * (low + high)
    for _ in range(ROUNDS):
        found, give = slow_strain(rope, mean, most, sys)
        if found > slow:
            high = mean
        else:
            low = mean
        ahead = mean - (found - slow) / give
        if not low < ahead < high:
            ahead = 0.5 * (low + high)
        if abs(ahead - mean) <= 1.0e-13 * high:
            break
        mean = ahead
    return mean, 1.0 / slow_strain(rope, mean, most, sys)[1]


@kernel
def come_to_rest(rope, tension, creep, sys):
    """The memory of a rope that has been under a tension for long."""
    if rope.kind == CURVE:
        return
    mean = max(0.0, tension)
    if rope.kind == SYROPE:
        creep.most = max(creep.most, mean)
    creep.slow = slow_strain(rope, mean, creep.most, sys)[0]


# --- in motion -------------------------------------------------------------------------------------------------------
@kernel
def quick_offset(rope, mean):
    """EA_d and the stretch o of the quick spring of a mean tension that is not its own: T = EA_d (ε − ε₁ − o)."""
    stiff = quick_stiffness(rope, mean)
    if rope.kind == SPRINGS:
        return stiff, 0.0
    return stiff, quick_strain(rope, mean)[0] - mean / stiff


@kernel
def time_ahead(h, time):
    """α of a step h: with it a rope held at its strain relaxes by e^(−h/time), exactly."""
    x = h / max(time, 1.0e-12 * h)
    if x < 1.0e-3:
        return h * (0.5 + x / 12.0)
    return -h / math.expm1(-x) - h / x


@kernel
def take_up(rope, pull, h, creep, held, sys):
    """The spring T = κ(ε − ε₀) + v ε̇ that a rope is over a step h, from its latest `pull` [N] on."""
    if rope.kind == CURVE:
        held.piece = under_tension(rope, pull, sys)[0]
        tension, slope = along_curve(rope, held.piece, sys)
        held.stiffness, held.offset, held.damper = slope, held.piece - tension / slope, 0.0
        return
    mean, slope = slow_tension(rope, creep.slow, creep.most, sys)
    stiff, offset = quick_offset(rope, mean)
    both = rope.slow_damping + rope.quick_damping
    if rope.kind == SYROPE and mean > (1.0 - 1.0e-9) * creep.most and pull > mean:
        # on along the original curve, as if at the stiffer end of its way: what it overshoots would stay
        slope = 1.0 / min(slow_strain(rope, mean, 0.0, sys)[1], slow_strain(rope, pull, 0.0, sys)[1])
    ahead = time_ahead(h, both / (slope + stiff))
    gain = rope.slow_damping + ahead * slope
    share = gain / (both + ahead * (slope + stiff))
    held.stiffness, held.damper = share * stiff, share * rope.quick_damping
    held.offset = creep.slow + offset - (1.0 - share) * mean / (share * stiff)
    held.mean, held.slope, held.quick, held.gain, held.ahead = mean, slope, stiff, gain, ahead


@kernel
def off_piece(rope, strain, held, sys):
    """Whether a step has led a rope from one piece of its curve to another, which then is the one to be taken."""
    if rope.kind != CURVE or piece_of(rope, strain, sys) == piece_of(rope, held.piece, sys):
        return False
    tension, slope = along_curve(rope, strain, sys)
    held.stiffness, held.offset, held.piece = slope, strain - tension / slope, strain
    return True


@kernel
def creep_on(rope, tension, straining, h, creep, held, sys):
    """The memory after a step under a tension, strained at a mean rate; returns the loss of a metre [J/m].

    Lost is what the dampers take, what the slow spring is given and does not keep (the stretch that stays), and, where
    EA_d follows the mean tension, what its change takes from the quick spring.
    """
    if rope.kind == CURVE:
        return 0.0
    rate = (tension - held.mean) / held.gain
    quick_rate = straining - rate if tension != 0.0 else 0.0  # slack, its ends move as they like
    lost = rope.slow_damping * rate * rate + rope.quick_damping * quick_rate * quick_rate
    lost += (held.ahead - 0.5 * h) * rate * (held.slope * rate - held.quick * quick_rate)
    lost *= h
    before = slow_energy(rope, held.mean, creep.most, sys)
    given = (held.mean + 0.5 * h * held.slope * rate) * h * rate
    creep.slow += h * rate
    mean = slow_tension(rope, creep.slow, creep.most, sys)[0]
    if rope.kind == SYROPE:
        creep.most = max(creep.most, mean)
    lost += given - (slow_energy(rope, mean, creep.most, sys) - before)
    pull = tension - rope.quick_damping * quick_rate
    own = pull if rope.kind == SPRINGS else pull - 0.5 * (held.mean + mean)
    change = quick_stiffness(rope, mean) - held.quick
    return lost - change * pull * (own - 0.5 * pull) / (held.quick * held.quick)


# --- energy ----------------------------------------------------------------------------------------------------------
@kernel
def slow_energy(rope, mean, most, sys):
    """Energy of a metre of the slow spring [J/m]: ∫T₁ dε₁ along the curve it is on."""
    a, b = rope.quick, rope.per_tension
    quick = 0.5 * mean * mean / a
    if rope.kind == SPRINGS:
        strain = slow_strain(rope, mean, most, sys)[0]
        if b > 0.0 and mean > 0.0:  # ∫ε₂ dT₁ = ∫T₁/(a + b T₁) dT₁
            quick = mean / b - a / (b * b) * math.log1p(b * mean / a)
        return mean * strain - (0.5 * mean * mean / rope.static - quick)
    if b > 0.0 and mean > 0.0:
        quick = mean / b - a / (b * b) * math.log1p(b * mean / a)
    if not most > 0.0:
        return 0.0
    low, top = working_ends(rope, most, sys)
    area = working_shape(rope, working_place(rope, mean / most))[2]
    return most * (top - low) * area - quick


@kernel
def rope_energy(rope, strain, creep, slackens, sys):
    """Energy of a metre [J/m]; one that `slackens` stores nothing where its tension would push."""
    if rope.kind == CURVE:
        return curve_energy(rope, strain, sys) if strain > 0.0 or not slackens else 0.0
    mean = slow_tension(rope, creep.slow, creep.most, sys)[0]
    stiff, offset = quick_offset(rope, mean)
    pull = stiff * (strain - creep.slow - offset)
    return loaded_energy(rope, max(0.0, pull) if slackens else pull, creep, sys)


@kernel
def loaded_energy(rope, tension, creep, sys):
    """Energy of a metre under a tension [J/m], whatever its strain."""
    if rope.kind == CURVE:
        return curve_energy(rope, under_tension(rope, tension, sys)[0], sys)
    mean = slow_tension(rope, creep.slow, creep.most, sys)[0]
    return slow_energy(rope, mean, creep.most, sys) + 0.5 * tension * tension / quick_stiffness(rope, mean)


@kernel
def slope_now(rope, strain, creep, sys):
    """dT/dε [N] of a load that comes too quickly for the rope to creep."""
    if rope.kind == CURVE:
        return along_curve(rope, strain, sys)[1]
    mean = slow_tension(rope, creep.slow, creep.most, sys)[0]
    return quick_stiffness(rope, mean)
