"""Results do not depend on the heading: every example turned about the vertical gives the same, turned.

Lengths are compared with the extent of the system, forces with the largest one, both to 1e-9; speeds, work and
curvatures with what these are made of, as many of them are zero at first. A run is short, so that what contact and
slack make of the last digit stays small; motions of points and bodies are compared over the whole duration.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from kernels.plain import plain

import fairlead as fl
from fairlead.loads.commands import commands_of
from fairlead.loads.signals import motion_at

from .files import IN_FOLDERS, NAMES, example
from .turning import KEYS, CannotBeTurned, may_hold_a_direction, parts, turned, turned_back

ANGLE = 37.0
"""deg"""
STEPS = 40
BOUND = 1e-9
BOUND_TO_AXES = {
    "floater_alone": "the hull slides along x alone, and its spring acts along x",
    "floater_cable_payload": "the hull slides along x alone, and its spring acts along x",
    "lowering_beside_floater": "the hull keeps to the plane of x and z, and its spring acts along x",
    "steel_cable_in_air": "mode `paper` has springs on the azimuth, which rest where a link points along y",
    "steel_cable_in_water": "mode `paper` has springs on the azimuth, which rest where a link points along y",
    "tether_15_nodes": "mode `paper` begins in a catenary over x, with y linear in the number of the node, as printed",
}
"""Examples that cannot be turned, and why."""
MESHED = {"ceto", "ceto_small_wave", "moored_floater"}
"""Their water is solved for on panels laid along the axes: turned results differ by what the panels leave out."""
FREE_TO_DRIFT = {"crane_vessel": {"start": "catenary"}}
"""Nothing holds the vessel in the plane: statics may leave it anywhere, so its run begins where the file puts it, with
a jerk of its wire that leaves the largest acceleration of an interval, the only one, out of the comparison."""
EARLY = {"chain_of_links"}
"""Its first tension is found from how far rigid links are out of their lengths after an instant of 0.1 ms, which makes
1e-7 of the last digit of a place; the steps keep it to the bound."""
OTHERS = tuple(name for name in (*NAMES, *IN_FOLDERS) if name != "uncertainty_quantification/cable")
"""All but the one that runs on a reduced model that is to be made first."""


def test_every_key_that_may_hold_a_direction_is_turned_or_known_to_stay():
    keys = {f"{kind.__name__}.{key}": may_hold_a_direction(kind, key) for kind in parts() for key in kind.model_fields}
    assert {key for key, directed in keys.items() if directed} - set(KEYS) == set()
    assert set(KEYS) - set(keys) == set()


def test_a_system_turned_by_nothing_is_the_same():
    for name in OTHERS:
        if name not in BOUND_TO_AXES:
            system = fl.load(example(name))
            assert turned(system, 0.0) == system


@pytest.mark.parametrize("name", BOUND_TO_AXES)
def test_what_goes_by_the_axes_is_not_turned(name):
    with pytest.raises(CannotBeTurned):
        turned(fl.load(example(name)), ANGLE)


@pytest.mark.parametrize("name", [name for name in OTHERS if name not in {*BOUND_TO_AXES, *MESHED}])
def test_a_turned_example_gives_turned_results(name):
    system = fl.load(example(name))
    step = system.simulation.step
    short = {"duration": STEPS * step, "output_every": 10 * step, **FREE_TO_DRIFT.get(name, {})}
    first = 1 if name in EARLY else 0
    here = fl.simulate(system, **short).isel(time=slice(first, None))
    there = fl.simulate(turned(system, ANGLE), **short).isel(time=slice(first, None))
    one, other = turned_back(here, 0.0), turned_back(there, ANGLE)
    scales = _scales(one, here, system, STEPS * step)
    assert set(one) == set(other)
    for quantity, values in one.items():
        if quantity == "acceleration_max" and name in FREE_TO_DRIFT:
            continue
        assert np.array_equal(np.isnan(values), np.isnan(other[quantity])), quantity
        apart = np.abs(values - other[quantity])
        if quantity.endswith((".roll", ".pitch", ".yaw")):
            apart = np.abs((apart + math.pi) % (2 * math.pi) - math.pi)
        scale = max(np.nanmax(np.abs(values), initial=0.0), scales(quantity))
        assert np.nanmax(apart, initial=0.0) <= BOUND * scale, quantity


def _scales(values, result, system, time):
    """What a quantity is compared with that may be zero or, as the pull of a stiff cable, hang on the last digit."""
    places = [values[name] for name in ("position", "point_position") if name in values]
    length = max(np.nanmax(np.abs(place), initial=1.0) for place in places)
    forces = [values[name] for name in ("tension_effective_max", "force_end_max") if name in values]
    force = max((np.nanmax(np.abs(found), initial=0.0) for found in forces), default=0.0)
    shortest = 1.0
    if "arc_length" in result.coords:
        shortest = min(shortest, float(np.nanmin(np.diff(result.arc_length.values, axis=-1), initial=1.0)))

    stiffest = max((kind.ea for kind in system.types.values()), default=0.0)
    rounded = 32 * np.finfo(float).eps * stiffest * length / shortest  # N: a place to the last digit, in the strain
    force = max(force, rounded / BOUND)

    def scale(quantity: str) -> float:
        if "position" in quantity or "clearance" in quantity or quantity.endswith((".x", ".y", ".z", "_length")):
            return length
        if "velocity" in quantity:
            return length / time
        if "acceleration" in quantity:
            return length / time**2
        if quantity.startswith(("energy", "work")) or "moment" in quantity or quantity == "torsion":
            return force * length
        if "curvature" in quantity:
            return 1.0 / shortest
        if "angle" in quantity or quantity.endswith((".roll", ".pitch", ".yaw")):
            return 1.0
        return force

    return scale


@pytest.mark.parametrize("name", [name for name in OTHERS if name not in BOUND_TO_AXES])
def test_motions_turn_with_the_system_over_the_whole_run(name):
    """Offsets and velocities of points and bodies; roll, pitch and yaw stay but for the heading itself."""
    system = fl.load(example(name))
    here, there = commands_of(system), commands_of(turned(system, ANGLE))
    c, s = math.cos(math.radians(ANGLE)), math.sin(math.radians(ANGLE))
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    assert set(here) == set(there)
    for label, command in here.items():
        place = label.endswith(".position")
        one, other = (_moved(found, system.simulation.duration) for found in (command, there[label]))
        expected = one @ turn.T if place else one
        assert np.abs(other - expected).max() <= 1e-12 * max(np.abs(one).max(), 1.0)
        heading = np.zeros(3) if place else np.array([0.0, 0.0, math.radians(ANGLE)])
        assert there[label].base == pytest.approx((turn @ command.base if place else command.base) + heading)


def _moved(command, duration):
    """Offset and velocity at many times, (2, n, 3)."""
    table: list[float] = []
    kind, first, rows = command.record(table)
    at = [plain(motion_at)(t, kind, first, rows, np.array(table))[:2] for t in np.linspace(0.0, duration, 211)]
    return np.array(at).transpose(1, 0, 2)
