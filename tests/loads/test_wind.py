"""Wind on a body: the law, its lever, its gusts, what of a body it meets, and its work."""

from __future__ import annotations

import math

import numpy as np
import pytest
from kernels.plain import plain

from fairlead.loads.body_record import body_record
from fairlead.loads.rigid_body import rigid_body_loads
from fairlead.loads.wind import wind_at
from fairlead.model import ModelError, System, json_schema, load_text, warnings
from fairlead.sea.water import pack

AIR, AREA, COEFFICIENT, SPEED = 1.3, 40.0, 0.8, 20.0
FACTOR = 0.5 * AIR * COEFFICIENT
TEXT = """\
title: A body in the wind
environment:
  water_density: {water}
  wind: {{{wind}, air_density: 1.3}}
types: {{rope: {{diameter: 0.02, density: 3000, axial_stiffness: 1e6}}}}
points: {{A: {{kind: fixed, position: [0, 0, -20]}}}}
bodies:
  hull: {{kind: free, position: [0, 0, 0], mass: 1e4, inertia: [3e4, 3e4, 3e4], {body}, attachments: {{bow: [0, 0, 0]}}
    }}
cables: {{rope: {{type: rope, length: 20.5, elements: 2, start: A, end: hull.bow}}}}
simulation: {{formulation: {formulation}, duration: 1, step: 0.1}}
"""
loads = plain(rigid_body_loads)
UPRIGHT = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def system_of(wind: str, body: str, water: float = 0.0, formulation: str = "lumped") -> System:
    return load_text(TEXT.format(wind=wind, body=body, water=water, formulation=formulation), "f.yaml")


def loads_of(
    system: System, t: float = 0.0, p: tuple = (0.0, 0.0, 0.0), R: tuple = UPRIGHT, v: tuple = (0.0,) * 3,
    w: tuple = (0.0,) * 3,
) -> tuple[np.ndarray, np.ndarray, float]:  # fmt: skip
    """Force (global) less the weight, torque (body axes) and power."""
    sea = pack(system.environment)
    reals = np.concatenate((sea, body_record(system.bodies["hull"], system)))
    _, _, _, _, force, torque, power = loads(t, p, R, v, w, reals, len(sea))
    mass = system.bodies["hull"].mass
    weight = np.array([0.0, 0.0, -mass * system.environment.gravity])
    return np.array(force) - weight, np.array(torque), power


def yawed(angle: float) -> tuple[float, ...]:
    c, s = math.cos(angle), math.sin(angle)
    return (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("heading", [0.0, 35.0, 90.0, 200.0, 315.0])
def test_the_law_whatever_way_it_blows_and_the_body_is_turned(heading):
    """One area in all directions: F = ½ρCA|u|u with the wind against the body, and nothing of how the body lies."""
    system = system_of(f"speed: {SPEED}, direction_deg: {heading}", f"wind: {{area: {AREA}, coefficient: 0.8}}")
    blows = SPEED * np.array([math.cos(math.radians(heading)), math.sin(math.radians(heading)), 0.0])
    for drift in ((0.0, 0.0, 0.0), (3.0, -2.0, 1.0)):
        u = blows - drift
        force, torque, power = loads_of(system, R=yawed(0.7), v=drift)
        assert force == pytest.approx(FACTOR * AREA * np.linalg.norm(u) * u, rel=1e-12)
        assert torque == pytest.approx(np.zeros(3), abs=1e-9)
        assert power == pytest.approx(force @ drift, rel=1e-12)


def test_areas_are_those_of_the_body_and_turn_with_it():
    """From ahead the front counts, from abeam the side; the wind blows to the west, and the bow is turned there."""
    system = system_of(f"velocity: [0, {SPEED}, 0]", "wind: {area: [10, 40, 90], coefficient: 0.8}")
    assert loads_of(system)[0] == pytest.approx([0.0, FACTOR * 40 * SPEED**2, 0.0], abs=1e-9)
    assert loads_of(system, R=yawed(math.pi / 2))[0] == pytest.approx([0.0, FACTOR * 10 * SPEED**2, 0.0], abs=1e-9)


def test_it_acts_at_the_centre_of_effort_and_meets_its_motion():
    """N = r × F about the origin; a centre of effort that swings meets the wind with ω × r, and power is F·v there."""
    body = f"wind: {{area: {AREA}, coefficient: 0.8, centre: [1, 0, 6]}}"
    system = system_of(f"velocity: [{SPEED}, 0, 0]", body)
    force, torque, _ = loads_of(system)
    assert torque == pytest.approx(np.cross([1.0, 0.0, 6.0], force), rel=1e-12)
    spin = (0.0, 0.5, 0.0)
    there = np.cross(spin, [1.0, 0.0, 6.0])
    u = np.array([SPEED, 0.0, 0.0]) - there
    force, torque, power = loads_of(system, w=spin)
    assert force == pytest.approx(FACTOR * AREA * np.linalg.norm(u) * u, rel=1e-12)
    assert power == pytest.approx(force @ there, rel=1e-12)


def test_gusts_multiply_the_wind_linearly_between_rows_and_are_held_beyond():
    system = system_of("velocity: [10, 0, 0], gusts: [[10, 1], [20, 1.5], [40, 0.5]]", "wind: {area: 1}")
    sea = pack(system.environment)
    found = [plain(wind_at)(t, sea)[0] for t in (0.0, 10.0, 15.0, 20.0, 30.0, 40.0, 99.0)]
    assert found == pytest.approx([10.0, 10.0, 12.5, 15.0, 10.0, 5.0, 5.0])


def test_of_a_solid_the_part_in_the_air_counts():
    """A box of 4 m height that floats with its middle 1 m above the water has three quarters of itself in the air."""
    body = "shape: {box: {length: 5, width: 4, height: 4}}, wind: {area: 30, coefficient: 0.8}"
    system = system_of(f"velocity: [{SPEED}, 0, 0]", body, water=1025.0)
    for height, share in ((1.0, 0.75), (-1.0, 0.25), (3.0, 1.0), (-3.0, 0.0)):
        force, _, _ = loads_of(system, p=(0.0, 0.0, height))
        assert force[0] == pytest.approx(share * FACTOR * 30 * SPEED**2, rel=1e-9, abs=1e-9)


def test_of_other_bodies_all_of_the_area_counts_while_its_centre_is_in_the_air():
    body = "volume: 20, height: 4, wind: {area: 30, coefficient: 0.8, centre: [0, 0, 3]}"
    system = system_of(f"velocity: [{SPEED}, 0, 0]", body, water=1025.0)
    for height, share in ((1.0, 1.0), (-2.9, 1.0), (-3.1, 0.0)):
        assert loads_of(system, p=(0.0, 0.0, height))[0][0] == pytest.approx(share * FACTOR * 30 * SPEED**2, abs=1e-9)


@pytest.mark.parametrize("heading", [0.0, 120.0])
def test_a_body_drifts_where_wind_and_water_balance(heading):
    """½ρ_a C A (W − v)² = ½ρ C_d A_w v²: v = W/(1 + √(ρ C_d A_w/(ρ_a C A))), found as the root of the forces."""
    wind = f"speed: {SPEED}, direction_deg: {heading}"
    body = "volume: 20, height: 4, drag_area: [6, 6, 6], wind: {area: 40, coefficient: 0.8, centre: [0, 0, 3]}"
    system = system_of(wind, body, water=1025.0)
    drift = SPEED / (1.0 + math.sqrt(1025.0 * 6.0 * 0.5 / (AIR * COEFFICIENT * AREA)))  # half of it is under water
    way = np.array([math.cos(math.radians(heading)), math.sin(math.radians(heading)), 0.0])
    assert loads_of(system, v=tuple(drift * way))[0][:2] == pytest.approx([0.0, 0.0], abs=1e-6)
    assert loads_of(system, v=tuple(0.9 * drift * way))[0] @ way > 0.0
    assert loads_of(system, v=tuple(1.1 * drift * way))[0] @ way < 0.0


def test_one_area_stands_for_three_in_files_and_in_the_schema():
    assert system_of("velocity: [5, 0, 0]", "wind: {area: 4}").bodies["hull"].wind.area == (4.0, 4.0, 4.0)
    number, three = json_schema()["$defs"]["Windage"]["properties"]["area"]["anyOf"]
    assert number == {"type": ["number", "string"], "unit": "m^2"}
    assert three["minItems"] == three["maxItems"] == 3


def test_formulations_without_it_refuse_and_files_that_mean_nothing_are_warned_of():
    still = system_of("velocity: [5, 0, 0]", "volume: 20")
    assert any("environment.wind: pushes nothing: no body says how" in str(found) for found in warnings(still))
    text = TEXT.format(wind="velocity: [5, 0, 0]", body="wind: {area: 4}", water=1025, formulation="lumped")
    calm = load_text(text.replace("  wind: {velocity: [5, 0, 0], air_density: 1.3}\n", ""), "f.yaml")
    assert any("bodies.hull.wind: meets no wind" in str(found) for found in warnings(calm))
    fast = system_of("velocity: [60, 0, 0], gusts: [[0, 1], [9, 1.5]]", "wind: {area: 4}")
    assert any("blows with up to 90 m/s > 70 m/s" in str(found) for found in warnings(fast))
    for wrong, told in (
        ("speed: 5", "'direction_deg' is missing beside 'speed'"),
        ("velocity: [5, 0, 0], gusts: [[5, 1], [4, 2]]", "times must grow from row to row"),
    ):
        with pytest.raises(ModelError, match=told):
            system_of(wrong, "wind: {area: 4}")
