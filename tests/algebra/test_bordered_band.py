"""Elimination of banded chains between hubs and prescribed places, against dense matrices."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.algebra.bordered_band import END, Bordered, reduce, room
from fairlead.algebra.compiled import entry

ROWS, WIDTH = (12, 21), 5
HUBS, POINTS = 1, 2
SITES = np.array([[6, 0], [0, 12]])  # from a place to the hub, and on to the other place


@entry
def eliminate(shift, places, scale, chain, site, sizes, band, across, back, corner, reach, border, factor, follow,
              reduced, local, ends):  # fmt: skip
    m = Bordered(chain, site, sizes, band, across, back, corner, reach, border, factor, follow, reduced, local, ends)
    return reduce(m, shift, scale, places, False)


def a_matrix() -> Bordered:
    """Stiff chains, not symmetric; every end touches the rows next to it."""
    random = np.random.default_rng(3)
    m = room(list(ROWS), SITES, WIDTH, HUBS, 6, POINTS)
    m.band[:] = random.uniform(-1.0, 1.0, m.band.shape)
    m.band[:, WIDTH] += 12.0
    m.border[:6, :6] = random.uniform(-1.0, 1.0, (6, 6)) + 9.0 * np.eye(6)
    m.corner[:] = random.uniform(-1.0, 1.0, m.corner.shape)
    m.reach[:] = random.uniform(-1.0, 1.0, m.reach.shape)
    for first, n in m.chain:
        for rows, columns in ((slice(first, first + WIDTH + 1), slice(0, END)),
                              (slice(first + n - WIDTH - 1, first + n), slice(END, 2 * END))):  # fmt: skip
            m.across[rows, columns] = random.uniform(-1.0, 1.0, (WIDTH + 1, END))
            m.back[rows, columns] = random.uniform(-1.0, 1.0, (WIDTH + 1, END))
    return m


def dense(m: Bordered, support: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """What the elimination of all chains leaves, and A⁻¹B of each."""
    left, follows = m.border.copy(), []
    for c, (first, n) in enumerate(m.chain):
        own = slice(first, first + n)
        a = sum(np.diag(_diagonal(m.band[own], k), k) for k in range(-WIDTH, WIDTH + 1))
        follow = np.linalg.solve(a + np.diag(support[own]), m.across[own])
        joined = np.zeros((2 * END, len(left)))
        for side, site in enumerate(SITES[c]):
            end = slice(END * side, END * side + END)
            joined[end, site : site + END] = m.reach[c, end]
        left += joined.T @ (m.corner[c] - m.back[own].T @ follow) @ joined
        follows.append(follow)
    return left, follows


def _diagonal(band: np.ndarray, k: int) -> np.ndarray:
    """Entries (i, i + k) of a band."""
    n = len(band)
    return band[max(0, -k) : n - max(0, k), WIDTH + k]


def test_what_is_left_of_chains_is_their_schur_complement_without_the_support_they_are_solved_with():
    m, scale = a_matrix(), np.linspace(1.0, 2.0, sum(ROWS) + 6)
    exact, follows = dense(m, np.zeros(sum(ROWS)))
    assert eliminate(1e-6, True, scale, *m) == 0
    assert np.abs(m.reduced - exact).max() < 1e-11 * np.abs(exact).max(), "the square of the support"
    assert np.abs(m.follow - np.vstack(follows)).max() < 1e-12
    supported = dense(m, 1e-6 * scale[: sum(ROWS)])[0]
    assert np.abs(supported - exact).max() > 1e-9 * np.abs(exact).max(), "with it"


@pytest.mark.parametrize("shift", [0.0, 0.5])
def test_hubs_alone_are_left_with_their_support(shift):
    m, scale = a_matrix(), np.linspace(1.0, 2.0, sum(ROWS) + 6)
    left = dense(m, shift * scale[: sum(ROWS)])[0][:6, :6] + shift * np.diag(scale[sum(ROWS) :])
    assert eliminate(shift, False, scale, *m) == 0
    lower, upper = np.tril(m.reduced[:6, :6], -1) + np.eye(6), np.triu(m.reduced[:6, :6])
    assert np.allclose(lower @ upper, left, rtol=1e-12, atol=1e-12)
