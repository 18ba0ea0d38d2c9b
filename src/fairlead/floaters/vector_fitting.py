"""Vector fitting: common poles and residues of several functions of frequency, real in time, stable and passive.

B. Gustavsen and A. Semlyen, IEEE Trans. Power Delivery 14 (1999) 1052; relaxed: Gustavsen, 21 (2006) 1587; one QR for
each function: Deschrijver et al., IEEE Microwave 18 (2008) 383. Departures: no constant and no linear term, since the
memory of water fades; Σ r_k φ_k(0) = 0, since water that is moved slowly makes no waves; passivity by the least change
of the residues in the metric of the fit (Lawson and Hanson's least distance programming).
"""

from __future__ import annotations

import numpy as np

ITERATIONS = 25
SETTLED, PATIENCE = 1e-3, 4
"""Iterations end when so many of them in a row gain less than that share of the error."""
PASSIVE = 1e-5
"""Negative damping, over the largest, that is repaired."""
ROUNDS = 12


def first_poles(order: int, low: float, high: float) -> np.ndarray:
    """Starting poles (pairs by their upper one, and a real one where the order is odd), spread over the band."""
    pairs = order // 2
    places = np.linspace(low, high, pairs + 1)[1:] if pairs else np.zeros(0)
    poles = -0.2 * places + 1j * places
    return np.concatenate([poles, [-0.5 * high]]) if order % 2 else poles


def basis(poles: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Partial fractions with real coefficients (n, order) at s (n,): two for a pair, one for a real pole."""
    columns = []
    for p in poles:
        if p.imag > 0.0:
            a, b = 1.0 / (s - p), 1.0 / (s - p.conjugate())
            columns += [a + b, 1j * (a - b)]
        else:
            columns.append(1.0 / (s - p.real))
    return np.stack(columns, axis=1)


def residues_of(poles: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """Complex residues (K, m) of the poles, from real coefficients (order, m) of their partial fractions."""
    found, at = [], 0
    for p in poles:
        if p.imag > 0.0:
            found.append(coefficients[at] + 1j * coefficients[at + 1])
            at += 2
        else:
            found.append(coefficients[at].astype(complex))
            at += 1
    return np.array(found)


def _stacked(matrix: np.ndarray) -> np.ndarray:
    return np.concatenate([matrix.real, matrix.imag])


def relocated(poles: np.ndarray, s: np.ndarray, data: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Better poles: the zeros of σ in σ(s) f(s) ~ Σ r φ(s), σ = d + Σ c φ(s); unstable ones are mirrored.

    data: (n, m); weight: (n,).
    """
    phi = basis(poles, s)
    order = phi.shape[1]
    with_one = np.concatenate([phi, np.ones((len(s), 1))], axis=1)
    rows, right = [], []
    left = _stacked(weight[:, None] * phi)
    first, _ = np.linalg.qr(left)
    for column in data.T:
        block = _stacked(-(weight * column)[:, None] * with_one)
        # what the residues of this function cannot take up
        rest = block - first @ (first.T @ block)
        rows.append(np.asarray(np.linalg.qr(rest, mode="r")))
        right.append(np.zeros(rows[-1].shape[0]))
    size = np.sqrt(np.sum((weight[:, None] * np.abs(data)) ** 2) / len(s))
    rows.append(size * with_one.real.sum(axis=0, keepdims=True))
    right.append(np.array([size * len(s)]))
    matrix, wanted = np.concatenate(rows), np.concatenate(right)
    scale = np.linalg.norm(matrix, axis=0)
    scale[scale == 0.0] = 1.0
    solution = np.linalg.lstsq(matrix / scale, wanted, rcond=None)[0] / scale
    c, d = solution[:order], solution[order]
    if abs(d) < 1e-8:
        d = np.copysign(1e-8, d) if d else 1e-8
    state, drive, at = np.zeros((order, order)), np.zeros(order), 0
    for p in poles:
        if p.imag > 0.0:
            state[at : at + 2, at : at + 2] = [[p.real, p.imag], [-p.imag, p.real]]
            drive[at] = 2.0
            at += 2
        else:
            state[at, at], drive[at] = p.real, 1.0
            at += 1
    found = np.linalg.eigvals(state - np.outer(drive, c) / d)
    found = np.where(found.real > 0.0, -found.conj(), found)
    floor = 1e-4 * np.abs(s).max()
    found = np.minimum(found.real, -floor) + 1j * found.imag
    upper = found[found.imag > 1e-9 * np.abs(found)]
    real = found[np.abs(found.imag) <= 1e-9 * np.abs(found)].real
    return np.concatenate([upper[np.argsort(upper.imag)], np.sort(real)[::-1].astype(complex)])


def fitted(s: np.ndarray, data: np.ndarray, weight: np.ndarray, order: int) -> tuple[np.ndarray, np.ndarray]:
    """Poles (K,) and real coefficients (order, m) of their partial fractions, Σ r φ(0) = 0, not yet passive."""
    poles = first_poles(order, 0.0, float(np.abs(s).max()))
    best: tuple[float, np.ndarray, np.ndarray] | None = None
    idle = 0
    for _ in range(ITERATIONS):
        poles = relocated(poles, s, data, weight)
        coefficients, error = _coefficients(poles, s, data, weight)
        idle = 0 if best is None or error < (1.0 - SETTLED) * best[0] else idle + 1
        if best is None or error < best[0]:
            best = error, poles, coefficients
        if idle == PATIENCE:
            break
    assert best is not None
    return best[1], best[2]


def _vanishing_at_rest(poles: np.ndarray) -> np.ndarray:
    """Combinations of the basis that are zero at s = 0, (basis, combinations)."""
    from scipy.linalg import null_space  # where coefficients are fitted: runs without them need not load it

    return np.asarray(null_space(basis(poles, np.zeros(1)).real))


def _coefficients(poles: np.ndarray, s: np.ndarray, data: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, float]:
    free = _vanishing_at_rest(poles)
    matrix = _stacked(weight[:, None] * basis(poles, s)) @ free
    wanted = _stacked(weight[:, None] * data)
    scale = np.linalg.norm(matrix, axis=0)
    solution = np.linalg.lstsq(matrix / scale, wanted, rcond=1e-12)[0]
    error = float(np.linalg.norm(matrix / scale @ solution - wanted))
    return free @ (solution / scale[:, None]), error


def made_passive(
    poles: np.ndarray, coefficients: np.ndarray, s: np.ndarray, weight: np.ndarray, size: int, grid: np.ndarray
) -> np.ndarray:
    """Coefficients with Re K(iω) positive on the grid (n,), changed as little as that takes.

    coefficients: (order, m) of the entries i <= j of a size x size matrix.
    """
    i, j = np.triu_indices(size)
    free = _vanishing_at_rest(poles)
    metric = _stacked(weight[:, None] * basis(poles, s)) @ free
    _, factor = np.linalg.qr(metric)
    factor = factor + 1e-9 * np.abs(np.diag(factor)).max() * np.eye(len(factor))
    back = np.linalg.inv(factor)
    twice = np.where(i == j, 1.0, np.sqrt(2.0))
    share = np.where(i == j, 1.0, 2.0)
    damping = basis(poles, 1j * grid).real
    rows: list[np.ndarray] = []
    limits: list[float] = []
    changed = coefficients
    for _ in range(ROUNDS):
        matrix = np.zeros((len(grid), size, size))
        matrix[:, i, j] = damping @ changed
        matrix[:, j, i] = matrix[:, i, j]
        values, vectors = np.linalg.eigh(matrix)
        peak = float(values.max())
        low = values[:, 0] < -PASSIVE * peak
        if peak <= 0.0 or not low.any():
            break
        # the worst place of every stretch that is not passive, for each eigenvalue below zero there
        starts = np.flatnonzero(low & ~np.concatenate([[False], low[:-1]]))
        ends = np.flatnonzero(low & ~np.concatenate([low[1:], [False]]))
        for start, end in zip(starts, ends, strict=True):
            at = start + int(values[start : end + 1, 0].argmin())
            for one in np.flatnonzero(values[at] < 0.0):
                v = vectors[at, :, one]
                # v' Re K v = Σ_m share v_i v_j (φ x_m), in the free coordinates of the metric
                of_entry = share * v[i] * v[j] / twice
                rows.append(np.outer(damping[at] @ free @ back, of_entry).ravel())
                now = float(share * v[i] * v[j] @ (damping[at] @ coefficients))
                limits.append(0.5 * PASSIVE * peak - now)
        change = _least(np.array(rows), np.array(limits))
        if change is None:
            break
        step = change.reshape(len(back), -1) / twice
        changed = coefficients + free @ back @ step
    return changed


def _least(rows: np.ndarray, limits: np.ndarray) -> np.ndarray | None:
    """The shortest y with rows y >= limits (Lawson and Hanson, Solving Least Squares Problems, ch. 23)."""
    size = np.linalg.norm(rows, axis=1)
    rows, limits = rows / size[:, None], limits / size
    scale = float(np.abs(limits).max())
    dual = np.vstack([rows.T, limits / scale])
    wanted = np.zeros(dual.shape[0])
    wanted[-1] = 1.0
    from scipy.optimize import nnls

    found, rest = nnls(dual, wanted)
    if rest < 1e-10:
        return None
    difference = dual @ found - wanted
    return np.asarray(-scale * difference[:-1] / difference[-1])
