"""Rods: slender bodies that the water meets piece by piece. Rest, periods, angles in a current, energy in waves."""

import numpy as np
import pytest
from scipy.optimize import brentq

from fairlead.formulations import compile_system
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import ModelError, System
from fairlead.shape.layout import first_geometry
from fairlead.simulate import simulate
from fairlead.statics import natural_modes, settle

RHO, G = 1025.0, 9.80665
CD, CA, CD_END, CA_END, STRIPS = 1.2, 0.9, 0.6, 0.5, 10
THREAD = {"diameter": 0.001, "mass_per_length": 1e-3, "axial_stiffness": 2e3, "drag": {"normal": 0, "axial": 0}}


def rod(length, d, mass, **more):
    """A rod of so many kg/m about its middle."""
    area, whole = 0.25 * np.pi * d**2, mass * length
    across = whole * (length**2 / 12.0 + d**2 / 16.0)
    cap = CA_END * RHO * (2.0 / 3.0) * np.pi * (0.5 * d) ** 3
    return {
        "kind": "free", "mass": whole, "inertia": [across, across, whole * d**2 / 8.0], "strips": STRIPS,
        "shape": {"cylinder": {"diameter": d, "height": length}}, "floating": True,
        "drag_area": [CD * d * length, CD * d * length, 2.0 * CD_END * area],
        "added_mass": [RHO * area * length * CA, RHO * area * length * CA, 2.0 * cap],
        "attachments": {"A": [0, 0, -length / 2], "B": [0, 0, length / 2]}, **more,
    }  # fmt: skip


def system(body, end_a, joints=None, environment=None, **parts):
    """A rod in the sea with a gram on a thread at its end A, as a system has at least one cable."""
    below = [end_a[0], end_a[1], end_a[2] - 1.0]
    settings = {"formulation": "lumped", "start": "statics", "duration": 6.0, "step": 0.01, "output_every": 0.05}
    whole = {
        "environment": {"water_density": RHO, "gravity": G, **(environment or {})}, "types": {"thread": THREAD},
        "points": {"plumb": {"kind": "free", "position": below, "mass": 1e-4}}, "bodies": {"rod": body},
        "joints": joints or {},
        "cables": {"thread": {"type": "thread", "length": 1.0, "elements": 1, "start": "rod.A", "end": "plumb"}},
        **parts,
    }  # fmt: skip
    return System.model_validate({**whole, "simulation": {**settings, **parts.get("simulation", {})}})


def at_rest(whole):
    compiled = compile_system(whole, first_geometry(whole))
    y, _ = settle(compiled, compiled.initial_state())
    return compiled, y, compiled.tables(y).hub_state.position[list(compiled._hub_names).index("rod")]


def test_spar_floats_at_its_draught_and_heaves_with_its_waterplane():
    """Ballasted 8 m below its middle: T = m/ρA, ω² = ρ g A/(m + added mass of the lower end alone)."""
    length, d, draught = 40.0, 2.0, 30.0
    area = 0.25 * np.pi * d**2
    mass = RHO * area * draught
    body = rod(length, d, mass / length, position=[0, 0, -17.2], centre_of_buoyancy=[0, 0, 8],
               attachments={"A": [0, 0, -12], "B": [0, 0, 28]})  # fmt: skip
    compiled, y, place = at_rest(system(body, (0, 0, -29.2)))
    assert 12.0 - place[2] == pytest.approx(draught, abs=1e-6)
    asked = np.sqrt(RHO * G * area / (mass + CA_END * RHO * (2.0 / 3.0) * np.pi * (0.5 * d) ** 3))
    assert np.abs(natural_modes(compiled, y, 5).omega / asked - 1).min() < 1e-6


def test_a_rod_afloat_on_its_side_is_half_under_water():
    d = 1.0
    body = rod(20.0, d, 0.5 * RHO * 0.25 * np.pi * d**2, position=[0, 0, 0.1], orientation_deg=[0, 90, 0])
    _, _, place = at_rest(system(body, (-10, 0, 0.1)))
    assert place[2] == pytest.approx(0.0, abs=1e-5)


PIN = {"pin": {"kind": "spherical", "parent": "bed", "child": "rod.A"}}
BED = {"bed": {"kind": "fixed", "position": [0, 0, -30]}}
LENGTH, WIDTH, HEAVY = 20.0, 0.5, 100.0
LIFT = (RHO * 0.25 * np.pi * WIDTH**2 - HEAVY) * G


def pinned(speed=0.0, direction=0.0, **parts):
    """A buoyant rod that stands on a ball joint on the seabed, leaning a little."""
    flow = [speed * np.cos(direction), speed * np.sin(direction), 0.0]
    environment = {"current": [{"z": 0, "velocity": flow}]} if speed else {}
    points = {"plumb": {"kind": "free", "position": [0, 0, -31], "mass": 1e-4}, **BED}
    body = rod(LENGTH, WIDTH, HEAVY, position=[0, 0, -20])
    return system(body, (0, 0, -30), PIN, environment, points=points, **parts)


@pytest.mark.parametrize("direction", [0.0, 2.2])
def test_a_pinned_rod_leans_with_the_current(direction):
    """½ρ C_d d (u cos θ)² = (ρA − m) g sin θ, per length: drag across the rod against its lift."""
    u = 1.0
    _, _, place = at_rest(pinned(u, direction))
    asked = brentq(lambda a: 0.5 * RHO * CD * WIDTH * (u * np.cos(a)) ** 2 - LIFT * np.sin(a), 0.0, 1.5)
    lean = np.hypot(place[0], place[1])
    assert np.arctan2(lean, place[2] + 30.0) == pytest.approx(asked, abs=1e-7)
    assert np.arctan2(place[1], place[0]) == pytest.approx(direction, abs=1e-6)


def test_a_pinned_rod_swings_as_an_inverted_pendulum():
    """ω² = (ρA − m) g L/2 over the moment of its mass and of the added mass of its pieces about the pin."""
    compiled, y, _ = at_rest(pinned())
    places = LENGTH * (np.arange(STRIPS) + 0.5) / STRIPS
    added = CA * RHO * 0.25 * np.pi * WIDTH**2 * LENGTH / STRIPS * (places**2).sum()
    inertia = HEAVY * LENGTH * (LENGTH**2 / 3.0 + WIDTH**2 / 16.0) + added
    asked = np.sqrt(LIFT * LENGTH * LENGTH / 2.0 / inertia)
    assert np.abs(natural_modes(compiled, y, 3).omega / asked - 1).min() < 1e-5


def test_the_books_of_a_rod_in_waves_close():
    """Aslant through the surface on a taut line: what the water gives, piece by piece, is what the energies show."""
    waves = {"waves": {"kind": "regular", "height": 1.5, "period": 6.0, "direction_deg": 30}}
    wire = {"diameter": 0.05, "mass_per_length": 5.0, "axial_stiffness": 1e6, "damping_time": 0.02,
            "drag": {"normal": 1, "axial": 0.01}}  # fmt: skip
    cables = {
        "line": {"type": "wire", "length": 14.0, "elements": 3, "allow_stretch": True, "start": "bed", "end": "rod.A"}
    }
    body = rod(LENGTH, WIDTH, HEAVY, position=[0, 0, -7], orientation_deg=[0, 15, 0])
    parts = {"types": {"wire": wire}, "points": BED, "cables": cables, "simulation": {"duration": 12.0}}
    whole = system(body, (0, 0, -17), None, waves, **parts)
    result = simulate(whole)
    total = result.energy_kinetic + result.energy_gravity + result.energy_elastic
    left = total - result.work_drag - result.work_damping - result.work_drives
    assert float(result.energy_kinetic.max()) > 200.0
    assert np.abs(left - left[0]).max() < 3e-3 * float(result.energy_kinetic.max())


def test_what_strips_are_not():
    body = rod(LENGTH, WIDTH, HEAVY, position=[0, 0, -20])
    whole = system(body, (0, 0, -30))
    with pytest.raises(UnsupportedSystem, match=r"bodies\.rod\.strips.*use formulation: lumped"):
        compile_system(whole, first_geometry(whole), "bars")
    for change, words in (
        ({"shape": {"box": {"length": 1, "width": 1, "height": 2}}}, "no such shape"),
        ({"drag_area": [1, 2, 0]}, "a rod is round"),
        ({"centre_of_buoyancy": [1, 0, 0]}, "beside the axis"),
        ({"added_inertia": [1, 1, 0]}, "follows from 'strips'"),
    ):
        with pytest.raises(ModelError, match=words):
            system({**body, **change}, (0, 0, -30))
