"""The elimination of cables onto their points gives what a dense solver gives for all nodes at once."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from fairlead.formulations.lumped import arrays as a
from fairlead.formulations.lumped.assembly import assemble
from fairlead.formulations.lumped.hubs import begin
from fairlead.formulations.lumped.points import drive_points
from fairlead.formulations.lumped.scheme import PLAIN, SEMI_IMPLICIT
from fairlead.formulations.lumped.slackening import solve
from fairlead.formulations.lumped.step import prepare

from .systems import compiled, stirred, web


@numba.njit
def solved(t, y, u, h, kind, ints, reals, work):
    """Accelerations by elimination."""
    prepare(kind, h, ints, reals, work)
    drive_points(t, 0.0, 0, u, ints, reals, y, work)
    return solve(t, u, ints, reals, y, work)


@numba.njit
def assembled(t, y, u, h, kind, ints, reals, work):
    """Rows of all nodes and hubs, nothing eliminated, with those elements that `solved` has found taut."""
    prepare(kind, h, ints, reals, work)
    drive_points(t, 0.0, 0, u, ints, reals, y, work)
    begin(t, u, ints, reals, y, work)
    for c in range(ints[a.N_CABLES]):
        assemble(c, t, False, ints, reals, y, work)


def dense_accelerations(system, y, h, kind):
    """All node accelerations from one dense system in which joined ends share the accelerations of their points."""
    ints, work = system.ints, system.work.copy()
    u = system.initial_inputs()
    assembled(0.3, y.copy(), u, h, kind, ints, system.reals, work)
    nodes, hubs = int(ints[a.N_NODES]), int(ints[a.N_HUBS])
    rows = work[ints[a.W_NODES] : ints[a.W_ELEMENTS]].reshape(nodes, a.NODE_WORK)
    full, force = np.zeros((3 * nodes, 3 * nodes)), rows[:, a.NODE_R : a.NODE_R + 3].ravel().copy()

    def add(i, j, block):
        full[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] += block

    model = a.model_of(ints, system.reals)
    for c, row in enumerate(model.cables):
        first, count = row[a.CABLE_FIRST] + c, row[a.CABLE_COUNT]
        for i in range(first, first + count + 1):
            d = rows[i, [0, 1, 2, 1, 3, 4, 2, 4, 5]].reshape(3, 3)
            add(i, i, d)
            if i < first + count:
                block = rows[i, a.NODE_A : a.NODE_A + 9].reshape(3, 3)
                add(i, i + 1, block)
                add(i + 1, i, block.T)
            if row[a.CABLE_BENDS] and i + 2 <= first + count:
                block = rows[i, a.NODE_C : a.NODE_C + 9].reshape(3, 3)
                add(i, i + 2, block)
                add(i + 2, i, block.T)
    attached = a.state_of(ints, y).attached
    moves, known = np.eye(3 * nodes), np.zeros(3 * nodes)
    kept = np.ones(3 * nodes, dtype=bool)
    to_hub = np.zeros((3 * nodes, 3 * hubs))
    for c, row in enumerate(model.cables):
        for side, node in enumerate((row[a.CABLE_FIRST] + c, row[a.CABLE_FIRST] + c + row[a.CABLE_COUNT])):
            if not attached[c, side]:
                continue
            part = slice(3 * node, 3 * node + 3)
            kept[part] = False
            hub, point = row[[a.START_HUB, a.END_HUB]][side], row[[a.START_POINT, a.END_POINT]][side]
            if hub >= 0:
                to_hub[part, 3 * hub : 3 * hub + 3] = np.eye(3)
            else:
                at = ints[a.W_POINTS] + 9 * point + 6
                known[part] = work[at : at + 3]
    moves = np.hstack([moves[:, kept], to_hub])
    matrix = moves.T @ full @ moves
    right = moves.T @ (force - full @ known)
    own = work[ints[a.W_HUB_BLOCKS] : ints[a.W_HUB_RHS]].reshape(-1, 3, 3)[:hubs]
    inner = int(kept.sum())
    for h_index, block in enumerate(own):
        part = slice(inner + 3 * h_index, inner + 3 * h_index + 3)
        matrix[part, part] += np.tril(block) + np.tril(block, -1).T
    right[inner:] += work[ints[a.W_HUB_RHS] : ints[a.W_FORCES]]
    assert np.allclose(matrix, matrix.T)
    assert np.linalg.eigvalsh(matrix).min() > 0
    return (moves @ np.linalg.solve(matrix, right) + known).reshape(-1, 3)


@pytest.mark.parametrize(("kind", "h"), [(SEMI_IMPLICIT, 0.02), (SEMI_IMPLICIT, 0.3), (PLAIN, 0.0)])
@pytest.mark.parametrize("released", [(), (0,), (3,), (2, 5), (9,)])
def test_elimination_gives_the_accelerations_of_a_dense_solver(kind, h, released):
    system = compiled(web())
    y = stirred(system)
    a.state_of(system.ints, y).attached.ravel()[list(released)] = 0.0
    before = y.copy()
    assert solved(0.3, y, system.initial_inputs(), h, kind, system.ints, system.reals, system.work) == 0
    expected = dense_accelerations(system, before, h, kind)
    part = system.work[system.ints[a.W_NODES] : system.ints[a.W_ELEMENTS]].reshape(-1, a.NODE_WORK)
    found = part[:, a.NODE_ACCELERATION : a.NODE_ACCELERATION + 3]
    assert np.abs(found - expected).max() <= 1e-9 * np.abs(expected).max()
