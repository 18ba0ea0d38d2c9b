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
from fairlead.algebra.records import expected
from fairlead.algebra.small import (
    matmul, matvec, subtract, symsubtract, symvec, transpose, transposed_matvec, transposed_symmetric_product,
)  # fmt: skip

from .assembly import NOTHING, ZERO6, ZERO9, fill_rows, load_cable, row_of
from .ends import ZERO3, end_acceleration, is_attached, known_acceleration
from .factored import backward, complement, factored, forward, solved, solved_matrix


@kernel
def carries(c, sys):
    """Whether cable c starts, joined, from a free point and so carries the coupling to it along."""
    return sys.joint[2 * c].hub >= 0 and is_attached(2 * c, sys)


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
def eliminate_as_assembled(c, sys):
    """Eliminate the free nodes of cable c, which neither bends nor carries along what couples it to its start, each as
    soon as the row ahead of it is assembled: what is in memory is read and written once. Its loads are known."""
    cable = sys.cable[c]
    count, base, held = cable.count, cable.first + c, is_attached(2 * c, sys)
    known = known_acceleration(2 * c, sys) if held else ZERO3
    low = 1 if held else 0
    before, a_behind, d_behind, r_behind = NOTHING, ZERO9, ZERO6, ZERO3
    for i in range(count + 1):
        a, d, r, before = row_of(c, i, before, sys)
        if i > low:
            row = sys.row[base + i - 1]
            factors = factored(d_behind)
            z, half = solved(factors, r_behind[0], r_behind[1], r_behind[2]), forward(factors, a_behind)
            row.r, row.A = z, backward(factors, half)
            d, r = complement(d, factors, half), subtract(r, transposed_matvec(a_behind, z))
        elif i == low and held:
            r = subtract(r, transposed_matvec(a_behind, known))
        else:
            row = sys.row[base]
            row.A, row.D, row.r = a, d, r
        a_behind, d_behind, r_behind = a, d, r
    last = sys.row[base + count]
    if is_attached(2 * c + 1, sys):
        last.D, last.r = d_behind, r_behind
    else:
        last.r = solved(factored(d_behind), r_behind[0], r_behind[1], r_behind[2])


@kernel
def assemble_and_eliminate(c, t, guess, sys):
    """Both for cable c at time t; see `assemble` and `eliminate`, which are one where they may be. Returns what the
    cable leaves at the free point at its start."""
    load_cable(c, t, guess, sys)
    if sys.cable[c].bends == 1 or carries(c, sys):
        fill_rows(c, sys)
        return eliminate(c, sys)
    eliminate_as_assembled(c, sys)
    return ZERO6, ZERO3


@kernel
def eliminate(c, sys):
    """Eliminate the free nodes of cable c from its first to its last, whose rows are assembled.

    Returns what it leaves at the free point at its start: D (6) and r (3), to be added to that point's row.
    """
    cable = sys.cable[c]
    count, bends, base = cable.count, cable.bends == 1, cable.first + c
    held, carried = is_attached(2 * c, sys), carries(c, sys)
    start_d, start_r = ZERO6, ZERO3
    low = 1 if held else 0
    high = count - 1 if is_attached(2 * c + 1, sys) else count
    start, first = sys.row[base], sys.row[base + 1]
    if carried:
        start_d, start_r = start.D, start.r
        for i in range(1, count + 1):
            sys.row[base + i].N = ZERO9
        first.N = transpose(start.A)
        if bends and count > 1:
            sys.row[base + 2].N = transpose(start.C)
    elif held:
        known = known_acceleration(2 * c, sys)
        first.r = subtract(first.r, transposed_matvec(start.A, known))
        if bends and count > 1:
            second = sys.row[base + 2]
            second.r = subtract(second.r, transposed_matvec(start.C, known))
    d, r = sys.row[base + low].D, sys.row[base + low].r
    for i in range(low, high + 1):
        row = sys.row[base + i]
        factors = factored(d)
        z = solved(factors, r[0], r[1], r[2])
        row.r = z
        if i == count:
            d, r = ZERO6, ZERO3
            if carried:
                n = row.N
                zn = solved_matrix(factors, n)
                row.N = zn
                start_d = symsubtract(start_d, transposed_symmetric_product(n, zn))
                start_r = subtract(start_r, transposed_matvec(n, z))
            continue
        ahead = sys.row[base + i + 1]
        a = row.A
        half = forward(factors, a)
        row.A = backward(factors, half)
        d = complement(ahead.D, factors, half)
        r = subtract(ahead.r, transposed_matvec(a, z))
        coupling = ZERO9
        if bends and i + 2 <= count:
            further = sys.row[base + i + 2]
            coupling = row.C
            yc = solved_matrix(factors, coupling)
            row.C = yc
            ahead.A = subtract_matrix(ahead.A, transposed_product(a, yc))
            further.D = symsubtract(further.D, transposed_symmetric_product(coupling, yc))
            further.r = subtract(further.r, transposed_matvec(coupling, z))
        if carried:
            n = row.N
            zn = solved_matrix(factors, n)
            row.N = zn
            start_d = symsubtract(start_d, transposed_symmetric_product(n, zn))
            start_r = subtract(start_r, transposed_matvec(n, z))
            ahead.N = subtract_matrix(ahead.N, transposed_product(a, zn))
            if bends and i + 2 <= count:
                further = sys.row[base + i + 2]
                further.N = subtract_matrix(further.N, transposed_product(coupling, zn))
    if high < count and high >= low:
        sys.row[base + count].D, sys.row[base + count].r = d, r
    return start_d, start_r


@kernel
def substitute(c, sys):
    """Accelerations of the nodes of cable c from its last to its first, and its forces on the points it joins."""
    cable = sys.cable[c]
    count, bends, base = cable.count, cable.bends == 1, cable.first + c
    first, last = sys.row[base], sys.row[base + count]
    held, carried = is_attached(2 * c, sys), carries(c, sys)
    high, start = count, ZERO3
    if held:
        start = end_acceleration(2 * c, sys)
        first.acceleration = start
    one, two = ZERO3, ZERO3  # of the next node and the one after
    force = ZERO3
    if is_attached(2 * c + 1, sys):
        high = count - 1
        one = end_acceleration(2 * c + 1, sys)
        last.acceleration = one
        force = subtract(last.r, symvec(last.D, one))
        if carried:
            force = subtract(force, matvec(last.N, start))
    sys.end_force[2 * c + 1].force = force
    for back in range(high + 1 - (1 if held else 0)):
        i = high - back
        soon = base + max(i - 1, 0)
        expected(sys.row.A, soon, 9)
        expected(sys.row.r, soon, 3)
        row = sys.row[base + i]
        here = row.r
        if i < count:
            here = subtract(here, matvec(row.A, one))
            if bends and i + 2 <= count:
                here = subtract(here, matvec(row.C, two))
        if carried:
            here = subtract(here, matvec(row.N, start))
        row.acceleration = here
        one, two = here, one
    force = ZERO3
    if held:
        force = subtract(first.r, symvec(first.D, start))
        force = subtract(force, matvec(first.A, one))
        if bends and count > 1:
            force = subtract(force, matvec(first.C, two))
    sys.end_force[2 * c].force = force
