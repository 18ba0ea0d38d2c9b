"""Chains of unknowns that meet in a few places: banded matrices with a dense border, solved by elimination.

    A_c x_c + B_c e_c = r_c          rows of chain c, banded; e_c are the moves of its two ends, six each
    Σ_c J_cᵀ(C_c x_c + D_c e_c) + G q = s,    e_c = J_c q

The border q holds what the ends of chains are joined to: hubs, six or three numbers each, and behind them six moves of
every prescribed place. Elimination of the chains leaves S q = s − Σ JᵀC A⁻¹r with the Schur complement
S = G + Σ Jᵀ(D − C A⁻¹B)J. Newton's method solves for the hubs alone, prescribed places standing still; the rest of S is
the stiffness with which the places are held.

No pivots are exchanged: a stiffness is positive, and where it is not the signs of the pivots tell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .compiled import kernel
from .small import add_scaled
from .small import scale as scaled

END = 6
"""Moves of a chain's end."""


class Bordered(NamedTuple):
    """The matrix, its factors and the vectors beside it; `rows` are those of all chains together.

    chain    (chains, 2): first row, number of rows
    site     (chains, 2): where the ends stand in the border
    sizes    (2,): numbers of the border that belong to hubs, numbers of a hub
    band     (rows, 2w + 1): A, entry (i, j) in column j − i + w
    across   (rows, 12): B; back: (rows, 12): Cᵀ
    corner   (chains, 12, 12): D
    reach    (chains, 12, 6): J of either end
    border   (b, b): G; `narrow`, (b, numbers of a hub): the hubs' own blocks of it alone
    factor   (rows, 2w + 1): the triangular factors of A
    follow   (rows, 12): A⁻¹B
    reduced  (b, b): S, and the triangular factors of its hubs; of a narrow border nothing
    local    (12, 12): scratch
    ends     (chains, 12): moves of the ends
    """

    chain: np.ndarray
    site: np.ndarray
    sizes: np.ndarray
    band: np.ndarray
    across: np.ndarray
    back: np.ndarray
    corner: np.ndarray
    reach: np.ndarray
    border: np.ndarray
    factor: np.ndarray
    follow: np.ndarray
    reduced: np.ndarray
    local: np.ndarray
    ends: np.ndarray


def room(
    rows: list[int], sites: np.ndarray, width: int, hubs: int, hub_size: int, points: int, narrow: bool = False
) -> Bordered:
    """Memory for chains of so many rows with `width` diagonals on either side, between so many hubs and places.

    narrow: of very many hubs that do not feel one another; the matrix is put together, not reduced
    """
    counts = np.array(rows, dtype=np.int64)
    chains, total = len(counts), int(counts.sum())
    chain = np.stack([np.cumsum(counts) - counts, counts], axis=1)
    border = hubs * hub_size + END * points
    ends = 2 * END
    return Bordered(
        chain=chain, site=np.asarray(sites, dtype=np.int64),
        sizes=np.array([hubs * hub_size, hub_size], dtype=np.int64), band=np.zeros((total, 2 * width + 1)),
        across=np.zeros((total, ends)), back=np.zeros((total, ends)), corner=np.zeros((chains, ends, ends)),
        reach=np.zeros((chains, ends, END)), border=np.zeros((border, hub_size if narrow else border)),
        factor=np.zeros((total, 2 * width + 1)), follow=np.zeros((total, ends)),
        reduced=np.zeros((0, 0) if narrow else (border, border)),
        local=np.zeros((ends, ends)), ends=np.zeros((chains, ends)),
    )  # fmt: skip


@kernel
def copy(source, target):
    """Numbers of one vector into another."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@kernel
def clear(m):
    """An empty matrix."""
    m.band[:] = 0.0
    m.across[:] = 0.0
    m.back[:] = 0.0
    m.corner[:] = 0.0
    m.border[:] = 0.0


@kernel
def end_size(m, c, side):
    """Numbers that the end of a chain has in the border."""
    return m.sizes[1] if m.site[c, side] < m.sizes[0] else END


@kernel
def add_entry(m, c, i, j, value):
    """Add to the matrix of chain c at row i, column j; counted from its rows, ends behind them: n to n + 11."""
    first, n = m.chain[c, 0], m.chain[c, 1]
    if i < n:
        if j < n:
            m.band[first + i, j - i + m.band.shape[1] // 2] += value
        else:
            m.across[first + i, j - n] += value
    elif j < n:
        m.back[first + j, i - n] += value
    else:
        m.corner[c, i - n, j - n] += value


@kernel
def add_block(m, c, row, column, factor, block):
    """Add a 3×3 block of nine numbers times a factor."""
    for p in range(3):
        for q in range(3):
            add_entry(m, c, row + p, column + q, factor * block[3 * p + q])


@kernel
def add_to_border(m, i, j, value):
    """Add to what hubs feel of themselves and of others, at row i, column j of the border."""
    m.border[i, j % m.sizes[1] if m.border.shape[1] < m.border.shape[0] else j] += value


@kernel
def factor_chain(m, c, shift, scale, symmetric):
    """Factors of A + shift·D, or of its symmetric part; returns the number of pivots that are not positive."""
    first, n = m.chain[c, 0], m.chain[c, 1]
    w = m.band.shape[1] // 2
    a = m.factor
    for i in range(first, first + n):
        for k in range(2 * w + 1):
            j = i + k - w
            value = m.band[i, k]
            if symmetric and first <= j < first + n:
                value = 0.5 * (value + m.band[j, 2 * w - k])
            a[i, k] = value
        a[i, w] += shift * scale[i]
    bad = 0
    for k in range(first, first + n):
        pivot = a[k, w]
        if not pivot > 0.0:
            bad += 1
            if not abs(pivot) > 0.0:
                return n
        inverse = 1.0 / pivot
        last = min(w, first + n - 1 - k)
        for i in range(1, last + 1):
            f = a[k + i, w - i] * inverse
            a[k + i, w - i] = f
            if f != 0.0:
                for j in range(1, last + 1):
                    a[k + i, w - i + j] -= f * a[k, w + j]
    return bad


@kernel
def solve_chain(m, c, x, column):
    """x ← A⁻¹ x in place, for one column of x (rows, columns) with the factors of chain c."""
    first, n = m.chain[c, 0], m.chain[c, 1]
    w = m.band.shape[1] // 2
    a = m.factor
    for i in range(first, first + n):
        total = x[i, column]
        for k in range(max(0, w - (i - first)), w):
            total -= a[i, k] * x[i + k - w, column]
        x[i, column] = total
    for back in range(n):
        i = first + n - 1 - back
        total = x[i, column]
        for k in range(w + 1, min(2 * w + 1, w + first + n - i)):
            total -= a[i, k] * x[i + k - w, column]
        x[i, column] = total / a[i, w]


@kernel
def three(x, i, column):
    """Three numbers of a row, from a column on."""
    return (x[i, column], x[i, column + 1], x[i, column + 2])


@kernel
def put_three(x, i, column, values):
    """Three numbers into a row."""
    x[i, column], x[i, column + 1], x[i, column + 2] = values


@kernel
def solve_end(m, c, side, begin):
    """`follow` ← A⁻¹ `follow` for the six columns of an end of chain c, which are zero before the row `begin`.

    All six are carried along together: each number of the factors is fetched once.
    """
    first, n = m.chain[c, 0], m.chain[c, 1]
    w = m.band.shape[1] // 2
    a, x, moves, turns = m.factor, m.follow, END * side, END * side + 3
    for i in range(begin, first + n):
        move, turn = three(x, i, moves), three(x, i, turns)
        for k in range(max(0, w - (i - begin)), w):
            move = add_scaled(move, -a[i, k], three(x, i + k - w, moves))
            turn = add_scaled(turn, -a[i, k], three(x, i + k - w, turns))
        put_three(x, i, moves, move)
        put_three(x, i, turns, turn)
    for back in range(n):
        i = first + n - 1 - back
        move, turn = three(x, i, moves), three(x, i, turns)
        for k in range(w + 1, min(2 * w + 1, w + first + n - i)):
            move = add_scaled(move, -a[i, k], three(x, i + k - w, moves))
            turn = add_scaled(turn, -a[i, k], three(x, i + k - w, turns))
        inverse = 1.0 / a[i, w]
        put_three(x, i, moves, scaled(inverse, move))
        put_three(x, i, turns, scaled(inverse, turn))


@kernel
def near(m, c, side):
    """The rows of chain c that one of its ends may touch: first and last + 1."""
    first, n = m.chain[c, 0], m.chain[c, 1]
    w = min(n, m.band.shape[1] // 2 + 1)
    return (first, first + w) if side == 0 else (first + n - w, first + n)


@kernel
def reduce(m, shift, scale, places, symmetric):
    """Eliminate all chains of K + shift·D: what is left stands in `reduced`, the hubs' part factored.

    scale: D of all rows and hubs; places: whether the moves of prescribed places count, or the hubs alone; symmetric:
    whether the symmetric part is meant. With places nothing of the border is factored, and the shift is a support of
    the chains alone, whose effect is taken out again (but for its square). Returns the number of pivots that are not
    positive.
    """
    hubs, rows = m.sizes[0], m.band.shape[0]
    size = m.border.shape[0] if places else hubs
    for i in range(size):
        for j in range(size):
            m.reduced[i, j] = 0.5 * (m.border[i, j] + m.border[j, i]) if symmetric else m.border[i, j]
        if i < hubs and not places:
            m.reduced[i, i] += shift * scale[rows + i]
    bad = 0
    for c in range(m.chain.shape[0]):
        bad += factor_chain(m, c, shift, scale, symmetric)
        for side in range(2):
            if m.site[c, side] < size:
                follow(m, c, side, symmetric)
                if places:
                    follow_unsupported(m, c, side, shift, scale)
        for one in range(2):
            for other in range(2):
                if m.site[c, one] < size and m.site[c, other] < size:
                    carry(m, c, one, other, symmetric)
    return bad if places else bad + factor_dense(m.reduced, hubs)


@kernel
def follow(m, c, side, symmetric):
    """The columns of A⁻¹B of one end."""
    first, n = m.chain[c, 0], m.chain[c, 1]
    for i in range(first, first + n):
        for q in range(END * side, END * side + END):
            m.follow[i, q] = 0.5 * (m.across[i, q] + m.back[i, q]) if symmetric else m.across[i, q]
    solve_end(m, c, side, near(m, c, side)[0])


@kernel
def follow_unsupported(m, c, side, shift, scale):
    """The same from (A + μD)⁻¹B, factors of A + μD at hand: with X of these, A⁻¹B = (A + μD)⁻¹(B + μD X) + O(μ²)."""
    first, n = m.chain[c, 0], m.chain[c, 1]
    for i in range(first, first + n):
        for q in range(END * side, END * side + END):
            m.follow[i, q] = m.across[i, q] + shift * scale[i] * m.follow[i, q]
    solve_end(m, c, side, first)


@kernel
def carry(m, c, one, other, symmetric):
    """Add Jᵀ(D − C A⁻¹B)J of two ends of chain c to what is left."""
    start, stop = near(m, c, one)
    a, b = END * one, END * other
    for p in range(END):
        for q in range(END):
            s = m.corner[c, a + p, b + q]
            if symmetric:
                s = 0.5 * (s + m.corner[c, b + q, a + p])
            for i in range(start, stop):
                back = 0.5 * (m.back[i, a + p] + m.across[i, a + p]) if symmetric else m.back[i, a + p]
                s -= back * m.follow[i, b + q]
            m.local[p, q] = s
    left, right = end_size(m, c, one), end_size(m, c, other)
    for p in range(END):  # the local block times J of the other end
        for j in range(right):
            s = 0.0
            for q in range(END):
                s += m.local[p, q] * m.reach[c, b + q, j]
            m.local[END + p, j] = s
    for i in range(left):
        for j in range(right):
            s = 0.0
            for p in range(END):
                s += m.reach[c, a + p, i] * m.local[END + p, j]
            m.reduced[m.site[c, one] + i, m.site[c, other] + j] += s


@kernel
def factor_dense(a, n):
    """Triangular factors of the leading n rows in place; returns the number of pivots that are not positive."""
    bad = 0
    for k in range(n):
        pivot = a[k, k]
        if not pivot > 0.0:
            bad += 1
            if not abs(pivot) > 0.0:
                return n
        for i in range(k + 1, n):
            f = a[i, k] / pivot
            if f != 0.0:
                a[i, k] = f
                for j in range(k + 1, n):
                    a[i, j] -= f * a[k, j]
    return bad


@kernel
def set_ends(m, x, column):
    """Moves of all ends that are joined to hubs, as x (rows and hubs, columns) has them."""
    rows = m.band.shape[0]
    for c in range(m.chain.shape[0]):
        for side in range(2):
            site = m.site[c, side]
            if site < m.sizes[0]:
                for p in range(END * side, END * side + END):
                    s = 0.0
                    for j in range(m.sizes[1]):
                        s += m.reach[c, p, j] * x[rows + site + j, column]
                    m.ends[c, p] = s


@kernel
def push_ends(m, x, column):
    """Take from x what the moves in `ends` of prescribed places do to rows and hubs: x −= B e, x −= JᵀD e."""
    rows = m.band.shape[0]
    for c in range(m.chain.shape[0]):
        first, n = m.chain[c, 0], m.chain[c, 1]
        for q in range(2 * END):
            move = m.ends[c, q]
            if move != 0.0 and m.site[c, q // END] >= m.sizes[0]:
                for i in range(first, first + n):
                    x[i, column] -= m.across[i, q] * move
                for side in range(2):
                    site = m.site[c, side]
                    if site < m.sizes[0]:
                        for j in range(m.sizes[1]):
                            for p in range(END * side, END * side + END):
                                x[rows + site + j, column] -= m.reach[c, p, j] * m.corner[c, p, q] * move


@kernel
def solve(m, x, column):
    """x ← K⁻¹x in place for chains and hubs, with what `reduce` left; prescribed places stand still."""
    rows, hubs = m.band.shape[0], m.sizes[0]
    for c in range(m.chain.shape[0]):
        solve_chain(m, c, x, column)
        for side in range(2):
            site = m.site[c, side]
            if site < hubs:
                start, stop = near(m, c, side)
                for p in range(END * side, END * side + END):
                    s = 0.0
                    for i in range(start, stop):
                        s += m.back[i, p] * x[i, column]
                    for j in range(m.sizes[1]):
                        x[rows + site + j, column] -= m.reach[c, p, j] * s
    if hubs == 0:
        return
    for i in range(hubs):
        for k in range(i):
            x[rows + i, column] -= m.reduced[i, k] * x[rows + k, column]
    for back in range(hubs):
        i = hubs - 1 - back
        for k in range(i + 1, hubs):
            x[rows + i, column] -= m.reduced[i, k] * x[rows + k, column]
        x[rows + i, column] /= m.reduced[i, i]
    set_ends(m, x, column)
    for c in range(m.chain.shape[0]):
        first, n = m.chain[c, 0], m.chain[c, 1]
        for q in range(2 * END):
            move = m.ends[c, q]
            if move != 0.0 and m.site[c, q // END] < hubs:
                for i in range(first, first + n):
                    x[i, column] -= m.follow[i, q] * move
