"""Statistics folded as the samples come: moments, extremes, levels, a histogram, rainflow cycles, maxima of blocks.

Of every channel a sample gives its value v, and where kernels keep them the least and the largest of all steps since
the sample before. These enter wherever a peak between two samples would be missed: extremes, maxima of blocks,
crossings of a level, and the turning points that cycles are made of. Of two that both lie beyond the samples around
them, the one on the side of the earlier sample is taken to have come first.

Extremes of steps and samples are not quite one history: a formulation may take them at places or times that lie a part
of a step apart. Where a history rises or falls steadily, the extremes then lie a little beyond the samples. These are
no reversals. An extreme therefore moves a turning point of the samples as far as it likes, but makes a new reversal
only where it goes further than `ASIDE` of the change from sample to sample, here or before, and `GATE` of the range
seen so far. A level is crossed between two samples where that goes further than `GATE`, or both samples are further
away. Reversals and crossings from sample to sample all count.

Mean and variance are Welford's (1962). Cycles are those of ASTM E1049-85, section 5.4.4, by a stack of turning points
of which the last is still moving. The histogram doubles its width when a value falls outside, and so holds at least
half of its bins between the least and the largest value.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry, kernel

from .channels import ABSENT, COLUMN, LARGEST, LEAST, OFFSET, SIZE

COUNT, MEAN, SQUARES, MIN, MIN_TIME, MAX, MAX_TIME, BEFORE, CHANGE, BIGGEST, CYCLES = range(11)
SUMS = 11
"""Of each channel: samples, mean, sum of squared deviations, least, largest, the value before, how far it lay from the
one before it, the largest size."""
LEVELS, EXPONENTS, PERCENTS, BLOCKS = range(4)
ASKED = 4
"""Of each channel: how many levels, exponents, percentiles (which take a histogram) and blocks."""
BINS = 2048
"""Of the histogram, a power of 2."""
ORIGIN, WIDTH = 0, 1
ROUNDING = 1e-7
"""Ranges below this part of the largest value are no cycles."""
ASIDE, GATE = 0.5, 0.01
"""Parts of the change between samples, and of the range so far, within which an extreme between them is no reversal."""
FINEST = 1e-6
"""First width of the histogram over the size of the first value."""


@kernel
def smaller(x, bound):
    """The smaller of two numbers; what is no number counts for nothing."""
    return bound if bound < x else x


@kernel
def larger(x, bound):
    return bound if bound > x else x


@kernel
def told(row, rule, k, c, home):
    """Value, least and largest of a channel in row k."""
    how, first, columns, stride = rule[c, 0], rule[c, 1], rule[c, 2], rule[c, 3]
    low, high = rule[c, 4], rule[c, 5]
    value = math.nan
    if how == COLUMN:
        value = row[k, first]
    elif how == SIZE:
        value = math.sqrt(row[k, first] ** 2 + row[k, first + 1] ** 2 + row[k, first + 2] ** 2)
    elif how == OFFSET:
        value = math.sqrt((row[k, first] - home[c, 0]) ** 2 + (row[k, first + 1] - home[c, 1]) ** 2)
    elif how >= LARGEST:
        value = row[k, first]
        for j in range(columns):
            x = row[k, first + stride * j]
            if value != value or (x > value if how == LARGEST else x < value):
                value = x
    least, largest = value, value
    if low >= 0:
        for j in range(columns if how == LEAST else 1):
            least = smaller(least, row[k, low + 3 * j])
    if high >= 0:
        for j in range(columns if how == LARGEST else 1):
            largest = larger(largest, row[k, high + 3 * j])
    return value, least, largest


@kernel
def widen(bins, grid, c, doublings, downwards):
    """Twice the width, so many times, towards lower or higher values."""
    left = BINS
    for _ in range(doublings):
        half = left // 2
        if downwards:
            grid[c, ORIGIN] -= BINS * grid[c, WIDTH]
            for k in range(BINS - 1, BINS - 1 - half, -1):
                bins[c, k] = bins[c, 2 * k - BINS] + bins[c, 2 * k - BINS + 1]
        else:
            for k in range(half):
                bins[c, k] = bins[c, 2 * k] + bins[c, 2 * k + 1]
        grid[c, WIDTH] *= 2.0
        left = max(1, half)
    first = 0 if downwards else left
    for k in range(BINS - left):
        bins[c, first + k] = 0.0


@kernel
def sort_in(bins, grid, c, x):
    """One value into the histogram."""
    if grid[c, WIDTH] == 0.0:
        grid[c, WIDTH] = max(abs(x) * FINEST, 1e-12) / BINS
        grid[c, ORIGIN] = x - 0.5 * BINS * grid[c, WIDTH]
    low, reach, doublings = grid[c, ORIGIN], BINS * grid[c, WIDTH], 0
    while x < low:
        low, reach, doublings = low - reach, 2.0 * reach, doublings + 1
    if doublings > 0:
        widen(bins, grid, c, doublings, True)
    doublings = 0
    while x >= low + reach:
        reach, doublings = 2.0 * reach, doublings + 1
    if doublings > 0:
        widen(bins, grid, c, doublings, False)
    place = int((x - low) / grid[c, WIDTH])
    bins[c, min(place, BINS - 1)] += 1.0


@kernel
def percentile(bins, grid, c, number):
    """The value below which so many of the samples lie, linear within a bin."""
    place, before, below = 0, 0.0, 0.0
    for k in range(BINS):
        if bins[c, k] > 0.0 and below <= number:
            place, before = k, below
            below += bins[c, k]
    part = min((number - before) / max(bins[c, place], 1.0), 1.0)
    return grid[c, ORIGIN] + grid[c, WIDTH] * (place + part)


@kernel
def count_cycle(c, size, share, sums, exponents, asked, damage):
    """A cycle, or half of one, of this range."""
    if size > ROUNDING * sums[c, BIGGEST]:
        sums[c, CYCLES] += share
    for m in range(asked[c, EXPONENTS]):
        damage[c, m] += share * size ** exponents[c, m]


@kernel
def reduce(c, stack, depth, sums, exponents, asked, damage):
    """Take out the cycles that the last turning point closes."""
    while depth[c] >= 3:
        n = depth[c]
        latest, former = abs(stack[c, n - 1] - stack[c, n - 2]), abs(stack[c, n - 2] - stack[c, n - 3])
        if latest < former:
            return
        if n == 3:
            count_cycle(c, former, 0.5, sums, exponents, asked, damage)
            stack[c, 0], stack[c, 1] = stack[c, 1], stack[c, 2]
            depth[c] = 2
        else:
            count_cycle(c, former, 1.0, sums, exponents, asked, damage)
            stack[c, n - 3] = stack[c, n - 1]
            depth[c] = n - 2


@kernel
def turn(c, x, stack, depth, sums, exponents, asked, damage):
    """The next value of a history: the last turning point goes on, or stays and the cycles it closes are taken out."""
    n = depth[c]
    if n == 0:
        stack[c, 0] = x
        depth[c] = 1
        return
    top = stack[c, n - 1]
    if x == top:
        return
    if n >= 2 and (x > top) == (top > stack[c, n - 2]):
        stack[c, n - 1] = x
        return
    reduce(c, stack, depth, sums, exponents, asked, damage)
    stack[c, depth[c]] = x
    depth[c] += 1


@kernel
def turn_beyond(c, x, gate, stack, depth, sums, exponents, asked, damage):
    """`turn`, unless it would reverse by no more than `gate`."""
    n = depth[c]
    onward = n >= 2 and (x > stack[c, n - 1]) == (stack[c, n - 1] > stack[c, n - 2])
    if onward or n == 0 or abs(x - stack[c, n - 1]) > gate:
        turn(c, x, stack, depth, sums, exponents, asked, damage)


@kernel
def cross(c, value, least, largest, before, gate, asked, levels, above, crossed):
    """Levels above which the sample lies, and those that were crossed upwards since the one before.

    A crossing between two samples on one side of the level counts where it goes beyond it by more than `gate`, or where
    both samples are further away than that.
    """
    for k in range(asked[c, LEVELS]):
        level = levels[c, k]
        if value > level:
            above[c, k] += 1.0
        if before < level and value >= level:
            crossed[c, k] += 1.0
        elif before < level:
            if largest > level + gate or (largest >= level and max(before, value) < level - gate):
                crossed[c, k] += 1.0
        elif value >= level and (least < level - gate or (least < level and min(before, value) > level + gate)):
            crossed[c, k] += 1.0


@kernel
def fold_member(
    rows, times, first, last, rules, home, asked, levels, exponents, lengths, start,
    sums, above, crossed, bins, grid, stack, depth, damage, blocks,
):  # fmt: skip
    """Fold the rows of a member from `first` up to `last` in. `start` is the time from which blocks are counted [s]."""
    for k in range(first, last):
        t = times[k]
        for c in range(rules.shape[0]):
            if rules[c, 0] == ABSENT:
                continue
            value, least, largest = told(rows, rules, k, c, home)
            if value != value:
                continue
            before = sums[c, BEFORE]
            if sums[c, COUNT] == 0.0:
                least, largest, before = value, value, value
                sums[c, MIN], sums[c, MAX], sums[c, MIN_TIME], sums[c, MAX_TIME] = value, value, t, t
            sums[c, COUNT] += 1.0
            way = value - sums[c, MEAN]
            sums[c, MEAN] += way / sums[c, COUNT]
            sums[c, SQUARES] += way * (value - sums[c, MEAN])
            if least < sums[c, MIN]:
                sums[c, MIN], sums[c, MIN_TIME] = least, t
            if largest > sums[c, MAX]:
                sums[c, MAX], sums[c, MAX_TIME] = largest, t
            sums[c, BIGGEST] = max(sums[c, BIGGEST], abs(least), abs(largest))
            change, gate = abs(value - before), GATE * (sums[c, MAX] - sums[c, MIN])
            cross(c, value, least, largest, before, gate, asked, levels, above, crossed)
            if asked[c, PERCENTS] > 0:
                sort_in(bins, grid, c, value)
            if asked[c, EXPONENTS] > 0:
                gate = max(gate, ASIDE * max(change, sums[c, CHANGE]))
                rising = value >= before
                if rising and least < before:
                    turn_beyond(c, least, gate, stack, depth, sums, exponents, asked, damage)
                if largest > max(before, value):
                    turn_beyond(c, largest, gate, stack, depth, sums, exponents, asked, damage)
                if not rising and least < value:
                    turn_beyond(c, least, gate, stack, depth, sums, exponents, asked, damage)
                if depth[c] > 0 and stack[c, depth[c] - 1] == before:
                    gate = 0.0  # from sample to sample
                turn_beyond(c, value, gate, stack, depth, sums, exponents, asked, damage)
            if asked[c, BLOCKS] > 0:
                ended = math.ceil((t - start) / lengths[c] - 1e-9)
                block = max(0, int(ended) - 1)  # a GPU has no whole number of a ceiling
                if block < asked[c, BLOCKS] and not (blocks[c, block] >= largest):
                    blocks[c, block] = largest
            sums[c, BEFORE], sums[c, CHANGE] = value, change


@kernel
def finish_member(rules, asked, exponents, sums, stack, depth, damage):
    """What is left of the turning points: a last cycle that the end closes, then half cycles."""
    for c in range(rules.shape[0]):
        reduce(c, stack, depth, sums, exponents, asked, damage)
        for k in range(depth[c] - 1):
            count_cycle(c, abs(stack[c, k + 1] - stack[c, k]), 0.5, sums, exponents, asked, damage)
        depth[c] = 0


@entry
def fold(
    status, rows, times, first, last, rules, home, asked, levels, exponents, lengths, start,
    sums, above, crossed, bins, grid, stack, depth, damage, blocks,
):  # fmt: skip
    """`fold_member` of all members whose status is 0: their arrays have the member in front."""
    for m in range(rows.shape[0]):
        if status[m] == 0.0:
            fold_member(
                rows[m], times, first, last, rules, home[m], asked, levels, exponents, lengths, start, sums[m],
                above[m], crossed[m], bins[m], grid[m], stack[m], depth[m], damage[m], blocks[m],
            )  # fmt: skip
    return 0


@entry
def finish(rules, asked, exponents, percents, sums, bins, grid, stack, depth, damage, percentiles):
    """`finish_member` of all members, and the percentiles of each, (member, channel, percentile)."""
    for m in range(sums.shape[0]):
        finish_member(rules, asked, exponents, sums[m], stack[m], depth[m], damage[m])
        for c in range(rules.shape[0]):
            for k in range(asked[c, PERCENTS]):
                number = percents[c, k] / 100.0 * sums[m, c, COUNT]
                percentiles[m, c, k] = percentile(bins[m], grid[m], c, number)
    return 0
