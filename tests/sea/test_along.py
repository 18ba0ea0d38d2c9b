"""Water along an element: one sine and one power of e a wave serve the surface above it and the flow at two places."""

import math

import numpy as np
import pytest
from kernels.plain import plain

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.eights import in_eights
from fairlead.algebra.lanes import WIDTH
from fairlead.algebra.packs import pack_array
from fairlead.algebra.records import REALS, WORK, Schema, Table
from fairlead.model import Environment
from fairlead.sea import water
from fairlead.sea.along import water_along
from fairlead.sea.tables import SEA, SEA_HEAD
from fairlead.sea.waves import AMPLITUDE, ECHO, NUMBER, OMEGA, PHASE, wave_columns

SCHEMA = Schema(
    "places",
    "places sea_rows",
    "",
    *SEA,
    Table("settings", REALS, "reach"),
    Table("place", REALS, "p:3 d:3", per="places"),
    Table("found", WORK, "surface:4 flow1:3 push1:3 flow2:3 push2:3", per="places"),
)
one_system, eight_systems = SCHEMA.knowing(True), SCHEMA.pack_knowing()
COUNT = 24
THREE_HOURS = 10800.0


@kernel
def find(t, i, sys):
    place, found = sys.place[i], sys.found[i]
    felt = place.p[2] >= -sys.settings.reach
    found.surface, one, two = water_along(t, place.p, place.d, 100.0, felt, sys.reals)
    found.flow1, found.push1 = one
    found.flow2, found.push2 = two


@entry
def one_by_one(t, ints, reals, y, work):
    sys = one_system(ints, reals, y, work)
    for i in range(sys.places):
        find(t, i, sys)
    return 0


@entry
def side_by_side(t, ints, reals, y, work):
    sys = one_system(ints, reals, y, work)
    rows = in_eights(sys)
    for i in range(0, sys.places, WIDTH):
        find(t, i, rows)
    return 0


@entry
def as_members(t, ints, reals, y, work):
    sys = eight_systems(ints, reals, y, work)
    for i in range(sys.places):
        find(t, i, sys)
    return 0


def environment(depth, stretching="wheeler", components=100, seed=1):
    waves = {"kind": "jonswap", "significant_height": 1.5, "peak_period": 7.0, "spreading": 2, "direction_deg": 70.0}
    waves |= {"components": components, "seed": seed, "stretching": stretching, "ramp": 30.0}
    return Environment.model_validate({"waves": waves} | ({"seabed": {"depth": depth}} if depth else {}))


def elements(depth, length, seed=1):
    """Middles from above the surface to deep down, and halves in all directions."""
    random = np.random.default_rng(seed)
    p = random.uniform([-2000, -2000, -min(depth or 150.0, 150.0)], [2000, 2000, 1.0], (COUNT, 3))
    p[::3, 2] = random.uniform(-min(depth or 3.0, 3.0), 1.0, len(p[::3]))
    d = random.normal(size=(COUNT, 3))
    return p, d * (0.5 / math.sqrt(3.0) * length / np.linalg.norm(d, axis=1))[:, None]


def arrays(given, p, d, reach=1e9):
    sea = water.pack(given)
    tables = SCHEMA.allocate({"places": len(p), "sea_rows": len(sea) - SEA_HEAD})
    tables.reals[: len(sea)] = sea
    tables.settings.reach, tables.place.p, tables.place.d = reach, p, d
    return tables


def run(program, t, tables):
    program(t, tables.ints, tables.reals, tables.y, tables.work)
    return tables.block("found").copy()


def exactly(t, p, d, given, stretching):
    """Surface (4), velocities and accelerations (12) of one element in 80 bits, and what is left of waves that are not
    felt there [m/s]."""
    columns, h = wave_columns(given).astype(np.longdouble), np.longdouble(given.depth)
    a, kx, ky, omega, phase = columns[: PHASE + 1]
    k, share = columns[NUMBER], 1.0
    s, c = (f(kx * p[0] + ky * p[1] - omega * t + phase) for f in (np.sin, np.cos))
    surface = [share * np.sum(x) for x in (a * c, a * omega * s, -a * kx * s, -a * ky * s)]
    found, left = [], 0.0
    for way in (-1, 1):
        q = p + way * d
        eta = surface[0] + way * (d[0] * surface[2] + d[1] * surface[3])
        level = q[2] if stretching != "wheeler" else (q[2] - eta) * (h / (h + eta) if np.isfinite(h) else 1)
        there = a * omega * (0 if stretching == "none" and level > 0 else 1) / (1 - columns[ECHO])
        level = np.longdouble(max(min(level, 0), -h))
        s, c = (f(kx * q[0] + ky * q[1] - omega * t + phase) for f in (np.sin, np.cos))
        e = np.exp(k * level)
        with np.errstate(invalid="ignore"):
            echo = np.where(columns[ECHO] > 0, columns[ECHO] / e, 0)
        along, up = there * (e + echo), there * (e - echo)
        found += [np.sum(x) for x in (along * c * kx / k, along * c * ky / k, up * s)]
        found += [np.sum(x) for x in (omega * along * s * kx / k, omega * along * s * ky / k, -omega * up * c)]
        left += float(np.sum(along[k * level < -12.0]))
    return np.array([*surface, *found], float), left


@pytest.mark.parametrize("program", [one_by_one, side_by_side])
@pytest.mark.parametrize("length", [0.2, 8.0, 60.0])
@pytest.mark.parametrize("depth", [None, 8.0, 60.0])
@pytest.mark.parametrize("stretching", ["wheeler", "vertical", "none"])
def test_they_are_the_sums_of_a_hundred_waves(stretching, depth, length, program):
    """After three hours, for elements that are short and long beside the waves, to 1e-9 of Σaω, Σak and Σaω²."""
    given, (p, d) = environment(depth, stretching), elements(depth, length)
    columns = wave_columns(given)
    a, omega, k, echo = (columns[n] for n in (AMPLITUDE, OMEGA, NUMBER, ECHO))
    speed, faster = ((a * omega**n * (1 + echo) / (1 - echo)).sum() for n in (1, 2))
    t = THREE_HOURS
    found = run(program, t, arrays(given, p, d))
    for i in range(COUNT):
        expected, left = exactly(t, p[i], d[i], given, stretching)
        bounds = 1e-9 * np.array([a.sum(), (a * omega).sum(), *[(a * k).sum()] * 2, *([speed] * 3 + [faster] * 3) * 2])
        bounds[4:] += left * np.repeat([1.0, omega.max(), 1.0, omega.max()], 3)
        assert (np.abs(found[i] - expected) < bounds).all()


@pytest.mark.parametrize("depth", [None, 40.0])
def test_no_digit_hangs_on_what_lies_beside(depth):
    """Deep elements and shallow ones, long and short, in one order and in another."""
    given, (p, d) = environment(depth), elements(depth, 1.0)
    d *= np.random.default_rng(3).choice([0.1, 1.0, 30.0], (COUNT, 1))
    order = np.random.default_rng(4).permutation(COUNT)
    found = run(side_by_side, 500.0, arrays(given, p, d))
    assert np.array_equal(run(side_by_side, 500.0, arrays(given, p[order], d[order])), found[order])


def test_each_member_of_a_pack_is_in_its_own_sea():
    p, d = elements(60.0, 5.0)
    own = [arrays(environment(60.0, seed=k), p + k, d) for k in range(WIDTH)]
    packs = [pack_array(one.size) for one in (own[0].reals, own[0].y, own[0].work)]
    for k, one in enumerate(own):
        packs[0][:, k] = one.reals
    as_members(500.0, own[0].ints, *packs)
    first = int(own[0].ints[SCHEMA.offset["found"]])
    for k, one in enumerate(own):
        found = run(one_by_one, 500.0, one)
        assert packs[2][first : first + found.size, k] == pytest.approx(found.ravel(), rel=1e-12, abs=1e-12)


def test_uncompiled_it_is_the_same():
    given, (p, d) = environment(60.0, components=20), elements(60.0, 5.0)
    tables = arrays(given, p, d)
    for one, middle, half in zip(run(one_by_one, 500.0, tables), p, d, strict=True):
        surface, first, second = plain(water_along)(500.0, tuple(middle), tuple(half), 100.0, True, tables.reals)
        assert np.concatenate([surface, *first, *second]) == pytest.approx(one, rel=1e-12, abs=1e-12)


def test_out_of_the_reach_of_waves_the_sea_is_at_rest():
    given, (p, d) = environment(60.0), elements(60.0, 5.0)
    whole, part = (run(side_by_side, 500.0, arrays(given, p, d, reach)) for reach in (1e9, 20.0))
    near = p[:, 2] >= -20.0
    assert 0 < near.sum() < COUNT
    assert np.array_equal(part[near], whole[near])
    assert not part[~near].any()


def test_more_waves_than_a_core_keeps():
    given, (p, d) = environment(60.0, components=600), elements(60.0, 5.0)
    few, many = (run(program, 500.0, arrays(given, p, d)) for program in (one_by_one, side_by_side))
    assert many == pytest.approx(few, rel=1e-9, abs=1e-9)
    wave = wave_columns(given)
    assert np.abs(many[:, 4:]).max() > 0.01 * (wave[AMPLITUDE] * wave[OMEGA]).sum()
