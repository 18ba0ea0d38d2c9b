"""The memory of the water as an integral over the past (`radiation: convolution`; docs/theory/cummins.md).

By parts, with L(τ) = ∫K and S(τ) = ∫L from 0 to τ,

    μ(t) = ∫ K(τ) V(t − τ) dτ = ∫ L(τ) V̇(t − τ) dτ

The velocity is kept at the ends of the last steps, with straight lines between them: a piece of even V̇ between the ages
τ₁ and τ₂ adds V̇ (S(τ₂) − S(τ₁)). Steps shorter than those of the file, or than the data can tell apart, share a piece,
so that a ring of pieces is long enough however a run is cut up, and no longer than the data ask for. What is older than
the memory acts no more.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel

ROUNDING = 1.0 + 1e-9


@kernel
def lag_at(age, sys):
    """Row of the table of lags before an age, and how much of the way to the next is gone."""
    grid = sys.lag_grid[0]
    at = min(age, grid.longest) / grid.spacing
    row = min(int(at), sys.lag_rows - 2)
    return row, at - row


@kernel
def rise_at(row, part, p, sys):
    """L of pair p."""
    one, two = sys.lag[row * sys.lag_pairs + p].rise, sys.lag[(row + 1) * sys.lag_pairs + p].rise
    return one + part * (two - one)


@kernel
def area_at(row, part, p, sys):
    """S of pair p: the area below the straight lines of L."""
    one, two = sys.lag[row * sys.lag_pairs + p], sys.lag[(row + 1) * sys.lag_pairs + p]
    return one.area + part * sys.lag_grid[0].spacing * (one.rise + 0.5 * part * (two.rise - one.rise))


@kernel
def prepare_past(ahead, sys):
    """What of μ goes with the acceleration of the very step whose forces are taken `ahead` of its beginning."""
    sys.past_step[0].ahead = ahead
    row, part = lag_at(ahead, sys)
    for p in range(sys.lag_pairs):
        sys.lag_now[p].first = area_at(row, part, p, sys)
        if sys.lag_of[p].place >= 0:
            sys.quick[sys.lag_of[p].place].later += sys.lag_now[p].first


@kernel
def recall(sys):
    """Add −μ of all steps before this one to the forces on the freedoms."""
    ring, age, n = sys.past_ring[0], sys.past_step[0].ahead, sys.freedoms
    count, cell = int(ring.count), int(ring.newest)
    for p in range(sys.lag_pairs):
        sys.lag_now[p].seen = sys.lag_now[p].first
    for _ in range(count - 1):
        width, before = sys.past_width[cell].number, cell - 1 if cell > 0 else sys.past_cells - 1
        age += width
        row, part = lag_at(age, sys)
        for p in range(sys.lag_pairs):
            of, now = sys.lag_of[p], sys.lag_now[p]
            change = sys.past[cell * n + of.speed].number - sys.past[before * n + of.speed].number
            reached = area_at(row, part, p, sys)
            sys.freedom[of.freedom].radiation -= change / width * (reached - now.seen)
            now.seen = reached
        cell = before
        if age >= sys.lag_grid[0].longest:
            return
    row, part = lag_at(age, sys)  # the water was at rest before it moved with its first velocity
    for p in range(sys.lag_pairs):
        of = sys.lag_of[p]
        first = sys.past[cell * n + of.speed].number if count > 0 else sys.freedom[of.speed].speed
        sys.freedom[of.freedom].radiation -= rise_at(row, part, p, sys) * first


@kernel
def keep_past(h, ahead, sys):
    """The velocity at the end of a step, and at the beginning of the first of all."""
    ring, n = sys.past_ring[0], sys.freedoms
    if ring.count == 0.0:
        ring.count, ring.newest = 1.0, 0.0
        for i in range(n):
            sys.past[i].number = sys.freedom[i].speed + (0.5 * h - ahead) * sys.freedom[i].rate
    newest = int(ring.newest)
    if ring.count > 1.0 and sys.past_width[newest].number + h <= ROUNDING * sys.lag_grid[0].widest:
        sys.past_width[newest].number += h
    else:
        newest = newest + 1 if newest + 1 < sys.past_cells else 0
        sys.past_width[newest].number = h
        ring.newest, ring.count = float(newest), min(ring.count + 1.0, float(sys.past_cells))
    for i in range(n):
        sys.past[newest * n + i].number = sys.freedom[i].speed + (1.5 * h - ahead) * sys.freedom[i].rate
