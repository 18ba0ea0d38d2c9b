"""The block system over the hubs, what the cables leave behind: six rows each, global linear and body angular
acceleration, of which the lower triangle is kept. Rows nothing acts on are locked.
"""

from __future__ import annotations

from fairlead.algebra import block_cholesky
from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import (
    add, add_scaled, matadd, matmul, symadd, symmat, transpose, transposed_matvec, transposed_symmetric_product,
)  # fmt: skip

from .schema import SCHEMA

PLAN = SCHEMA.offset["order"]
"""Where the head of `ints` says where the plan of `block_cholesky` begins."""


@kernel
def entry(slot, row, column):
    """Which number of the blocks of the hub system an entry is."""
    return 36 * slot + 6 * row + column


@kernel
def press(h, sign, force, torque, sys):
    """Add a force and a torque to a hub's right-hand side."""
    rhs = sys.hub_rhs[h]
    rhs.linear, rhs.angular = add_scaled(rhs.linear, sign, force), add_scaled(rhs.angular, sign, torque)


@kernel
def add_to_rhs(h, sign, force, lever, moment, sys):
    """Add a joint's force at the end of a lever, and its moment, to a hub's right-hand side."""
    press(h, sign, force, add(transposed_matvec(lever, force), moment), sys)


@kernel
def symmetric_sum(m):
    """M + Mᵀ as a symmetric matrix."""
    return (2.0 * m[0], m[1] + m[3], m[2] + m[6], 2.0 * m[4], m[5] + m[7], 2.0 * m[8])


@kernel
def add_lower(at, s, sys):
    """Add the lower triangle of a symmetric matrix of six numbers to the block entries from `at` on."""
    block = sys.matrix
    block[at].value += s[0]
    block[at + 6].value += s[1]
    block[at + 12].value += s[2]
    block[at + 7].value += s[3]
    block[at + 13].value += s[4]
    block[at + 14].value += s[5]


@kernel
def add_effective_joint(h, e_pp, e_pr, e_rr, lever, turn, rotary, sys):
    """Add JᵀEJ with J = [[1, U], [0, T]] to the diagonal block of hub h (lower triangle)."""
    add_lower(entry(h, 0, 0), e_pp, sys)
    mixed = symmat(e_pp, lever)
    turned = transposed_symmetric_product(lever, mixed)
    if rotary:
        clamped = matmul(e_pr, turn)
        turned = symadd(turned, symmetric_sum(matmul(transpose(lever), clamped)))
        turned = symadd(turned, transposed_symmetric_product(turn, symmat(e_rr, turn)))
        mixed = matadd(mixed, clamped)
    for r in range(3):
        for k in range(3):
            sys.matrix[entry(h, 3 + k, r)].value += mixed[3 * r + k]
    add_lower(entry(h, 3, 3), turned, sys)


@kernel
def couple(slot, row, column, value, sys):
    """Subtract a value from a block between two hubs; a negative slot is that of the transposed block."""
    if slot >= 0:
        sys.matrix[entry(slot, row, column)].value -= value
    else:
        sys.matrix[entry(-slot - 1, column, row)].value -= value


@kernel
def lock_idle_rows(sys):
    """Give rows nothing acts on a unit diagonal, so that they simply stay at rest.

    A clamp without torsional stiffness leaves one turn of a hub without inertia to nobody: a 1e-10th part of the
    others' keeps it still, 1e-12 where it has some of its own. So does 1e-12 the motion of a hub without mass along a
    loose bar, when the cable it is of one piece with has been let go.
    """
    for h in range(sys.hubs):
        for first in range(0, 6, 3):
            own = sys.hub[h].mass if first == 0 else sys.hub[h].inertia[0]
            if first == 0 and (own > 0.0 or sys.loosens == 0):
                continue
            grip = 0.0
            for k in range(first, first + 3):
                grip += (1e-10 if first == 3 and own == 0.0 else 1e-12) * sys.matrix[entry(h, k, k)].value
            for k in range(first, first + 3):
                sys.matrix[entry(h, k, k)].value += grip
        for k in range(6):
            diagonal = sys.matrix[entry(h, k, k)]
            if diagonal.value == 0.0:
                diagonal.value = 1.0
                sys.work[sys.hub_rhs.start + 6 * h + k] = 0.0


@kernel
def solve_hubs(t, sys):
    """Accelerations of the hubs in place of their right-hand sides. Returns 0, or 2 when not positive definite."""
    lock_idle_rows(sys)
    failed = block_cholesky.factor_at(sys.ints, PLAN, sys.hubs, sys.work, sys.matrix.start, 6)
    if failed >= 0:
        sys.fault.time, sys.fault.cable = t, failed
        return 2
    block_cholesky.solve_at(sys.ints, PLAN, sys.hubs, sys.work, sys.matrix.start, sys.hub_rhs.start, 6)
    return 0
