"""Natural modes: beams, twisting rods, pendulums with bodies, line on a rough bed."""

import numpy as np
import pytest
from verification.closed_forms import (
    beam_frequencies,
    hanging_chain_frequencies_with_mass,
    rod_frequencies_bars,
    taut_beam_frequencies_clamped,
)

from fairlead.statics import mode_dataset, natural_modes, solve
from statics import systems

LENGTH, EI, EA, GJ, MASS = 10.0, 500.0, 1e5, 30.0, 2.0
WEIGHTLESS = {"water_density": 0.0, "gravity": 0.0}


def rod(elements=40, start="clamp", **more):
    kind = {
        "diameter": 0.05,
        "mass_per_length": MASS,
        "axial_stiffness": EA,
        "bending_stiffness": EI,
        "torsional_stiffness": GJ,
    }
    return systems.system(
        environment=WEIGHTLESS,
        types={"rod": kind | more},
        points={"wall": systems.fixed(0, 0, 0), "tip": systems.free(LENGTH, 0, 0)},
        cables={"rod": systems.cable("rod", LENGTH, elements, {"point": "wall", "joint": start}, "tip")},
    )


@pytest.fixture(scope="module")
def cantilever():
    rest = solve(rod())
    return natural_modes(rest.compiled, rest.y, 60)


def named(modes, motion):
    return modes.omega[[m == motion for m in modes.motions]]


def test_cantilever_bends_like_a_beam(cantilever):
    """Twice each, sideways and up and down."""
    exact = beam_frequencies(LENGTH, EI, MASS, 2)
    assert named(cantilever, "out of plane")[:2] == pytest.approx(exact, rel=5e-3)
    assert named(cantilever, "vertical")[:2] == pytest.approx(exact, rel=5e-3)


def test_cantilever_stretches_like_a_rod_of_bars(cantilever):
    exact = rod_frequencies_bars(LENGTH, EA, MASS, 1, 40)
    assert named(cantilever, "axial")[0] == pytest.approx(exact[0], rel=1e-6)


def test_cantilever_twists_like_a_rod_of_bars(cantilever):
    """The spin inertia of a metre is m d²/8; a twist moves no node."""
    exact = rod_frequencies_bars(LENGTH, GJ, MASS * 0.05**2 / 8, 1, 40)
    first = cantilever.motions.index("torsion")
    assert cantilever.omega[first] == pytest.approx(exact[0], rel=1e-6)
    assert np.abs(cantilever.shapes["rod"][first]).max() == 0.0


def test_modes_come_slowest_first_and_say_how_much_follows_a_shake(cantilever):
    assert (np.diff(cantilever.omega) >= 0.0).all()
    total = cantilever.effective_mass.sum(axis=0)
    assert (total <= 1.0 + 1e-9).all()
    assert total[1] > 0.9  # almost all the mass follows in the modes that were asked for


def test_shapes_are_those_of_the_nodes(cantilever):
    """The first bending mode grows from the clamp to the tip, where it is one."""
    shape = np.linalg.norm(cantilever.shapes["rod"][0], axis=1)
    assert shape[0] < 1e-9
    assert (np.diff(shape) > 0.0).all()
    assert shape[-1] == pytest.approx(1.0)


def test_clamped_taut_beam():
    length, strain = 20.0, 2e-4
    described = systems.system(
        environment=WEIGHTLESS,
        types={"rod": {"diameter": 0.05, "mass_per_length": MASS, "axial_stiffness": 1e7, "bending_stiffness": EI}},
        points={"A": systems.fixed(0, 0, 0), "B": systems.fixed(length * (1 + strain), 0, 0)},
        cables={
            "rod": systems.cable(
                "rod",
                length,
                80,
                {"point": "A", "joint": "clamp"},
                {"point": "B", "joint": "clamp"},
                allow_stretch=True,
            )
        },
    )
    rest = solve(described)
    found = natural_modes(rest.compiled, rest.y, 4).omega[::2]
    assert found == pytest.approx(taut_beam_frequencies_clamped(length, 1e7 * strain, MASS, EI, 2), rel=2e-3)


def test_added_mass_slows_a_hanging_chain_with_a_weight():
    """In water: gravity is the wet weight over the inertia; the end mass swings with it."""
    length, end_mass, d, density = 20.0, 30.0, 0.03, 5000.0
    area = np.pi / 4 * d**2
    inertia, weight = (density + 1025.0) * area, (density - 1025.0) * area * 9.81
    volume = end_mass * (1.0 - weight / (9.81 * inertia)) / 1025.0  # so that the same gravity acts on the weight
    described = systems.system(
        types={"chain": {"diameter": d, "density": density, "axial_stiffness": 1e8}},
        points={
            "top": systems.fixed(0, 0, -30),
            "end": systems.free(0, 0, -30 - length, mass=end_mass, volume=volume),
        },
        cables={"chain": systems.cable("chain", length, 40, "top", "end")},
    )
    rest = solve(described)
    found = natural_modes(rest.compiled, rest.y, 4).omega[::2]
    exact = hanging_chain_frequencies_with_mass(length, inertia, end_mass, 2, gravity=weight / inertia)
    assert found == pytest.approx(exact, rel=3e-3)


def test_equal_modes_are_told_apart():
    """A hanging chain swings north or west; each mode follows one of them."""
    rest = solve(systems.standing_chain())
    modes = natural_modes(rest.compiled, rest.y, 2)
    assert modes.motions == ("sideways", "sideways")
    assert modes.effective_mass[:, :2] == pytest.approx(np.diag(modes.effective_mass.diagonal()[:2]), abs=1e-6)


def test_line_on_a_rough_bed_stays_put():
    """On a smooth bed the lying part swings sideways, on a rough one it sticks and only the hanging part does."""
    first = {}
    for friction in (0.0, 0.6):
        rest = solve(systems.mooring(friction=friction))
        modes = natural_modes(rest.compiled, rest.y, 6)
        first[friction] = modes.omega[0], np.abs(modes.shapes["line"][0][5]).max()
    assert first[0.6][0] > 1.3 * first[0.0][0]
    assert first[0.0][1] > 0.1 > 0.01 > first[0.6][1]


def test_large_systems_take_the_sparse_way():
    """The slowest modes of 150 bars, found by shift and invert, are those of 25 bars up to their length."""
    found = []
    for elements in (25, 150):
        rest = solve(systems.mooring(elements=elements))
        found.append(natural_modes(rest.compiled, rest.y, 3))
    assert found[1].omega == pytest.approx(found[0].omega, rel=0.02)
    assert found[1].motions == found[0].motions


def test_an_unstable_equilibrium_is_reported():
    """The same shape with all pulls turned into thrust has directions in which it leaves; they are no modes."""
    rest = solve(systems.stiff_catenary())
    thrust = rest.y.copy()
    thrust[rest.compiled.layout["multipliers"]] *= -1.0
    modes = natural_modes(rest.compiled, thrust, 5)
    assert "unstable" in modes.notes[0]
    assert np.isfinite(modes.omega).all()


def test_dataset_carries_shapes_and_frequencies(cantilever):
    rest = solve(rod(elements=8))
    modes = natural_modes(rest.compiled, rest.y, 3)
    dataset = mode_dataset(rest, modes)
    assert dict(dataset["mode_shape"].sizes) == {"mode": 3, "cable": 1, "node": 9, "axis": 3}
    assert dataset["frequency"].values == pytest.approx(modes.frequency)
    assert modes.period == pytest.approx(1.0 / modes.frequency)


def test_count_must_be_positive():
    rest = solve(systems.single_bar())
    with pytest.raises(ValueError, match="at least 1"):
        natural_modes(rest.compiled, rest.y, 0)
