"""The elimination of cables onto their points gives what a dense solver gives for all nodes at once."""

from __future__ import annotations

import numpy as np
import pytest
from kernels.plain import PlainSystem, plain

from fairlead.formulations.lumped.assembly import assemble
from fairlead.formulations.lumped.factored import factored, solved_matrix
from fairlead.formulations.lumped.factored import solved as solved_vector
from fairlead.formulations.lumped.hubs import begin
from fairlead.formulations.lumped.points import drive_points
from fairlead.formulations.lumped.run import run_rigged
from fairlead.formulations.lumped.schema import SCHEMA
from fairlead.formulations.lumped.scheme import PLAIN, SEMI_IMPLICIT
from fairlead.formulations.lumped.step import drift, prepare

from .systems import compiled, stirred, web


def assembled(t, u, h, kind, sys):
    """Rows of all nodes and hubs, nothing eliminated, with those elements that the step has found taut."""
    plain(prepare)(kind, h, sys)
    half_way = t + sys.scheme.drift
    plain(drive_points)(t, sys.scheme.drift, 0, u, sys)
    plain(drift)(sys)
    plain(begin)(half_way, u, sys)
    for c in range(sys.cables):
        plain(assemble)(c, half_way, False, sys)


def dense_accelerations(built, y, h, kind):
    """All node accelerations from one dense system in which joined ends share the accelerations of their points."""
    arrays = built.ints, built.reals, y.copy(), built.work.copy()
    assembled(0.3, built.initial_inputs(), h, kind, PlainSystem(SCHEMA, *arrays))
    tables = SCHEMA.tables(*arrays)
    nodes, hubs = tables.nodes, tables.hubs
    full, force = np.zeros((3 * nodes, 3 * nodes)), tables.row.r.ravel().copy()

    def add(i, j, block):
        full[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] += block

    firsts = tables.cable.first + np.arange(tables.cables)
    lasts = firsts + tables.cable.count
    for first, last, bends in zip(firsts, lasts, tables.cable.bends, strict=True):
        for i in range(first, last + 1):
            add(i, i, tables.row.D[i, [0, 1, 2, 1, 3, 4, 2, 4, 5]].reshape(3, 3))
            if i < last:
                block = tables.row.A[i].reshape(3, 3)
                add(i, i + 1, block)
                add(i + 1, i, block.T)
            if bends and i + 2 <= last:
                block = tables.row.C[i].reshape(3, 3)
                add(i, i + 2, block)
                add(i + 2, i, block.T)
    moves, known = np.eye(3 * nodes), np.zeros(3 * nodes)
    kept = np.ones(3 * nodes, dtype=bool)
    to_hub = np.zeros((3 * nodes, 3 * hubs))
    for end, node in enumerate(np.stack([firsts, lasts], axis=1).ravel()):
        if not tables.hold.attached[end]:
            continue
        part = slice(3 * node, 3 * node + 3)
        kept[part] = False
        hub = tables.joint.hub[end]
        if hub >= 0:
            to_hub[part, 3 * hub : 3 * hub + 3] = np.eye(3)
        else:
            known[part] = tables.point_now.acceleration[tables.joint.point[end]]
    moves = np.hstack([moves[:, kept], to_hub])
    matrix = moves.T @ full @ moves
    right = moves.T @ (force - full @ known)
    inner = int(kept.sum())
    for h_index, block in enumerate(tables.matrix.number.reshape(-1, 3, 3)[:hubs]):
        part = slice(inner + 3 * h_index, inner + 3 * h_index + 3)
        matrix[part, part] += np.tril(block) + np.tril(block, -1).T
    right[inner:] += tables.balance.force.ravel()
    assert np.allclose(matrix, matrix.T)
    assert np.linalg.eigvalsh(matrix).min() > 0
    return (moves @ np.linalg.solve(matrix, right) + known).reshape(-1, 3)


@pytest.mark.parametrize(("kind", "h"), [(SEMI_IMPLICIT, 0.02), (SEMI_IMPLICIT, 0.3), (PLAIN, 0.0)])
@pytest.mark.parametrize("released", [(), (0,), (3,), (2, 5), (9,)])
def test_elimination_gives_the_accelerations_of_a_dense_solver(kind, h, released):
    built = compiled(web())
    y = stirred(built)
    built.tables(y).hold.attached[list(released)] = 0.0
    before = y.copy()
    nothing = np.empty(0)  # is to be seen
    arrays = (built.ints, built.reals, built.work)
    assert run_rigged(0.3, y, 1, h, built.initial_inputs(), *arrays, kind, nothing, nothing) == 0
    expected = dense_accelerations(built, before, h, kind)
    found = built.tables(y).row.acceleration
    assert np.abs(found - expected).max() <= 1e-9 * np.abs(expected).max()


def test_a_stiff_element_leaves_to_the_next_node_what_is_behind_it():
    """Two springs in a row: G on a mass m is Gm/(G + m) to what comes after, however stiff G is."""
    mass, stiff = 0.2, 1.5e6
    axis = np.array([0.48, -0.6, 0.64])
    node = mass * np.eye(3) + stiff * np.outer(axis, axis)
    factors = plain(factored)(tuple(node[np.triu_indices(3)]))
    ahead = np.reshape(plain(solved_matrix)(factors, tuple(-stiff * np.outer(axis, axis).ravel())), (3, 3))
    left = stiff + stiff * axis @ ahead @ axis
    assert left == pytest.approx(stiff * mass / (stiff + mass), rel=1e-8)
    assert np.allclose(node @ plain(solved_vector)(factors, 1.0, 2.0, 3.0), [1, 2, 3], rtol=1e-12, atol=1e-8)
