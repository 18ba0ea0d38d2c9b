"""The mixed boundary-value problem: direct, worked out once, and iterative."""

import numpy as np
import pytest

from fairlead.hydro import hulls
from fairlead.hydro.solver import Direct, Frozen, Influences, Iterative, SolverError
from fairlead.hydro.surface_mesh import disc


def boundary(height: float = -2.5) -> Influences:
    """A sphere under half a disc of water, 8 m deep."""
    surface = disc((0.0, 0.0), 12.0, 16, 1.5, 3.0).halved().at()
    body = hulls.sphere(1.0, 16).halved().wetted(np.array([0.0, 0.0, height]))
    return Influences.of(surface, body, 8.0, True)


def given(influences: Influences, cases: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Something on surface and body."""
    n, size = influences.n_surface, len(influences.S)
    rng = np.random.default_rng(3)
    return rng.standard_normal((n, cases)), rng.standard_normal((size - n, cases))


def test_the_three_ways_agree():
    """LU, the matrix worked out once, and GMRES with the LU of the body 3 cm lower."""
    here = boundary()
    f, q = given(here)
    direct = Direct(here).solve(f, q)
    frozen = Frozen(here).solve(f, q)
    iterative = Iterative(tolerance=1e-10)
    iterative.on(boundary(-2.53))
    found = iterative.on(here).solve(f, q)
    for one, two, three in zip(direct, frozen, found, strict=True):
        np.testing.assert_allclose(two, one, atol=1e-10 * np.abs(one).max())
        np.testing.assert_allclose(three, one, atol=1e-7 * np.abs(one).max())
    assert 1 <= iterative.iterations <= 10
    assert iterative.renewals == 1


def test_an_outworn_preconditioner_is_renewed():
    """After a large move GMRES takes many iterations once, then the LU is the new one."""
    iterative = Iterative(tolerance=1e-10, patience=6)
    iterative.on(boundary(-4.5))
    here = boundary(-1.3)
    f, q = given(here, 1)
    iterative.on(here).solve(f, q)
    assert iterative.renewals == 2
    iterative.solve(f, q)
    assert iterative.iterations <= 2


def test_without_a_boundary_there_is_nothing_to_solve():
    """The message says what to do."""
    with pytest.raises(SolverError, match="call `on`"):
        Iterative().solve(np.zeros(1), np.zeros(1))
