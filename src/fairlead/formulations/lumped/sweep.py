"""A cable eliminated node by node, onto its end points.

With D, A, C of `assembly`, eliminating node i leaves a_i = z − X a_{i+1} − Y a_{i+2} − Z a_S, where X = D⁻¹A, Y = D⁻¹C,
Z = D⁻¹N, z = D⁻¹r and N is what couples the node to the free point S at the cable's start, carried along only by a
cable that starts from one. The rows ahead change by

    D_{i+1} −= AᵀX,  r_{i+1} −= Aᵀz,  A_{i+1} −= AᵀY,  D_{i+2} −= CᵀY,  r_{i+2} −= Cᵀz,
    N_{i+1} −= AᵀZ,  N_{i+2} −= CᵀZ,  D_S −= NᵀZ,  r_S −= Nᵀz.

What remains at the far end is that point's row. The rows of the end nodes themselves stay as assembled at the start, so
that the force on the start's point can be had afterwards.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import (
    matmul, matvec, subtract, symmat, symmetric_inverse, symsubtract, symvec, transpose, transposed_matvec,
    transposed_symmetric_product,
)  # fmt: skip

from .arrays import (
    CABLE_BENDS, CABLE_COUNT, CABLE_FIRST, NODE_A, NODE_ACCELERATION, NODE_C, NODE_D, NODE_N, NODE_R, NODE_WORK,
    START_HUB, W_FORCES, cable_at, is_attached, matrix_of, node_work_at, put, put_matrix, put_symmetric, symmetric_of,
    vector_of,
)  # fmt: skip
from .ends import ZERO3, end_acceleration, known_acceleration

ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
ZERO9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def carries(c, ints, y):
    """Whether cable c starts, joined, from a free point and so carries the coupling to it along."""
    return ints[cable_at(ints, c) + START_HUB] >= 0 and is_attached(y, ints, 2 * c)


@kernel
def subtract_matrix(a, b):
    """A − B."""
    return (
        a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5], a[6] - b[6], a[7] - b[7],
        a[8] - b[8],
    )  # fmt: skip


@kernel
def transposed_product(a, b):
    """AᵀB."""
    return matmul(transpose(a), b)


@kernel
def eliminate(c, ints, reals, y, work):
    """Eliminate the free nodes of cable c from its first to its last.

    Returns what it leaves at the free point at its start: D (6) and r (3), to be added to that point's row.
    """
    cable = cable_at(ints, c)
    count, bends = ints[cable + CABLE_COUNT], ints[cable + CABLE_BENDS] == 1
    base = node_work_at(ints, ints[cable + CABLE_FIRST] + c)
    held = is_attached(y, ints, 2 * c)
    carried = carries(c, ints, y)
    start_d, start_r = ZERO6, ZERO3
    low = 1 if held else 0
    high = count - 1 if is_attached(y, ints, 2 * c + 1) else count
    if carried:
        start_d, start_r = symmetric_of(work, base + NODE_D), vector_of(work, base + NODE_R)
        for i in range(1, count + 1):
            put_matrix(work, base + i * NODE_WORK + NODE_N, ZERO9)
        put_matrix(work, base + NODE_WORK + NODE_N, transpose(matrix_of(work, base + NODE_A)))
        if bends and count > 1:
            put_matrix(work, base + 2 * NODE_WORK + NODE_N, transpose(matrix_of(work, base + NODE_C)))
    elif held:
        known = known_acceleration(2 * c, ints, reals, y, work)
        first = base + NODE_WORK + NODE_R
        put(work, first, subtract(vector_of(work, first), transposed_matvec(matrix_of(work, base + NODE_A), known)))
        if bends and count > 1:
            second = base + 2 * NODE_WORK + NODE_R
            coupling = matrix_of(work, base + NODE_C)
            put(work, second, subtract(vector_of(work, second), transposed_matvec(coupling, known)))
    at = base + low * NODE_WORK
    d, r = symmetric_of(work, at + NODE_D), vector_of(work, at + NODE_R)
    for i in range(low, high + 1):
        at = base + i * NODE_WORK
        ahead = at + NODE_WORK
        inverse = symmetric_inverse(d)
        z = symvec(inverse, r)
        put(work, at + NODE_R, z)
        if i == count:
            d, r = ZERO6, ZERO3
            if carried:
                n = matrix_of(work, at + NODE_N)
                zn = symmat(inverse, n)
                put_matrix(work, at + NODE_N, zn)
                start_d = symsubtract(start_d, transposed_symmetric_product(n, zn))
                start_r = subtract(start_r, transposed_matvec(n, z))
            continue
        a = matrix_of(work, at + NODE_A)
        x = symmat(inverse, a)
        put_matrix(work, at + NODE_A, x)
        d = symsubtract(symmetric_of(work, ahead + NODE_D), transposed_symmetric_product(a, x))
        r = subtract(vector_of(work, ahead + NODE_R), transposed_matvec(a, z))
        further = ahead + NODE_WORK
        coupling = ZERO9
        if bends and i + 2 <= count:
            coupling = matrix_of(work, at + NODE_C)
            yc = symmat(inverse, coupling)
            put_matrix(work, at + NODE_C, yc)
            left = subtract_matrix(matrix_of(work, ahead + NODE_A), transposed_product(a, yc))
            put_matrix(work, ahead + NODE_A, left)
            far = symmetric_of(work, further + NODE_D)
            put_symmetric(work, further + NODE_D, symsubtract(far, transposed_symmetric_product(coupling, yc)))
            push = transposed_matvec(coupling, z)
            put(work, further + NODE_R, subtract(vector_of(work, further + NODE_R), push))
        if carried:
            n = matrix_of(work, at + NODE_N)
            zn = symmat(inverse, n)
            put_matrix(work, at + NODE_N, zn)
            start_d = symsubtract(start_d, transposed_symmetric_product(n, zn))
            start_r = subtract(start_r, transposed_matvec(n, z))
            left = subtract_matrix(matrix_of(work, ahead + NODE_N), transposed_product(a, zn))
            put_matrix(work, ahead + NODE_N, left)
            if bends and i + 2 <= count:
                left = subtract_matrix(matrix_of(work, further + NODE_N), transposed_product(coupling, zn))
                put_matrix(work, further + NODE_N, left)
    if high < count and high >= low:
        last = base + count * NODE_WORK
        put_symmetric(work, last + NODE_D, d)
        put(work, last + NODE_R, r)
    return start_d, start_r


@kernel
def substitute(c, ints, reals, y, work):
    """Accelerations of the nodes of cable c from its last to its first, and its forces on the points it joins."""
    cable = cable_at(ints, c)
    count, bends = ints[cable + CABLE_COUNT], ints[cable + CABLE_BENDS] == 1
    base = node_work_at(ints, ints[cable + CABLE_FIRST] + c)
    last = base + count * NODE_WORK
    forces = ints[W_FORCES] + 6 * c
    held, carried = is_attached(y, ints, 2 * c), carries(c, ints, y)
    high, start = count, ZERO3
    if held:
        start = end_acceleration(2 * c, ints, reals, y, work)
        put(work, base + NODE_ACCELERATION, start)
    one, two = ZERO3, ZERO3  # of the next node and the one after
    put(work, forces + 3, ZERO3)
    if is_attached(y, ints, 2 * c + 1):
        high = count - 1
        one = end_acceleration(2 * c + 1, ints, reals, y, work)
        put(work, last + NODE_ACCELERATION, one)
        force = subtract(vector_of(work, last + NODE_R), symvec(symmetric_of(work, last + NODE_D), one))
        if carried:
            force = subtract(force, matvec(matrix_of(work, last + NODE_N), start))
        put(work, forces + 3, force)
    for back in range(high + 1 - (1 if held else 0)):
        i = high - back
        at = base + i * NODE_WORK
        here = vector_of(work, at + NODE_R)
        if i < count:
            here = subtract(here, matvec(matrix_of(work, at + NODE_A), one))
            if bends and i + 2 <= count:
                here = subtract(here, matvec(matrix_of(work, at + NODE_C), two))
        if carried:
            here = subtract(here, matvec(matrix_of(work, at + NODE_N), start))
        put(work, at + NODE_ACCELERATION, here)
        one, two = here, one
    put(work, forces, ZERO3)
    if held:
        force = subtract(vector_of(work, base + NODE_R), symvec(symmetric_of(work, base + NODE_D), start))
        force = subtract(force, matvec(matrix_of(work, base + NODE_A), one))
        if bends and count > 1:
            force = subtract(force, matvec(matrix_of(work, base + NODE_C), two))
        put(work, forces, force)
