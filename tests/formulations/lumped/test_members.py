"""Members: slender cylinders that are part of a body. They are met by the water as rods are, and weigh nothing."""

import numpy as np
import pytest

from fairlead.formulations import compile_system
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import ModelError, System
from fairlead.shape.layout import first_geometry
from fairlead.simulate import simulate
from fairlead.statics import natural_modes, settle

RHO, G = 1025.0, 9.80665
SETTINGS = {"formulation": "lumped", "start": "catenary", "duration": 6.0, "step": 0.01, "output_every": 0.1}
WAVES = {"waves": {"kind": "regular", "height": 2.0, "period": 6.0, "direction_deg": 30}}


def system(bodies, environment=None, **parts):
    sea = {"water_density": RHO, "gravity": G, **(environment or {})}
    settings = SETTINGS | parts.pop("simulation", {})
    none = {"types": {}, "points": {}, "cables": {}}
    return System.model_validate({"environment": sea, "bodies": bodies, "simulation": settings, **none, **parts})


def rod(length, d, mass, **more):
    """A body that is nothing but a rod, and the same as a body with one member."""
    area, across = 0.25 * np.pi * d**2, mass * (length**2 / 12.0 + d**2 / 16.0)
    cap = 0.5 * RHO * (2.0 / 3.0) * np.pi * (0.5 * d) ** 3
    common = {
        "kind": "free", "mass": mass, "inertia": [across, across, mass * d**2 / 8.0], "floating": True,
        **more,
    }  # fmt: skip
    alone = {
        "strips": 8, "shape": {"cylinder": {"diameter": d, "height": length}},
        "drag_area": [1.2 * d * length, 1.2 * d * length, 2.0 * 0.6 * area],
        "added_mass": [0.9 * RHO * area * length, 0.9 * RHO * area * length, 2.0 * cap],
    }  # fmt: skip
    half = 0.5 * length
    member = {
        "ends": [[0, 0, -half], [0, 0, half]], "diameter": d, "drag": 1.2, "added_mass": 0.9, "end_drag": 0.6,
        "end_added_mass": 0.5, "strips": 8,
    }  # fmt: skip
    return common | alone, common | {"members": {"column": member}}


def test_a_body_with_one_member_moves_as_the_rod_that_it_is():
    """Aslant through the surface, in waves and a current: the same forces, summed in one place or the other."""
    current = {"current": [{"z": 0, "velocity": [0.6, -0.3, 0.0]}]}
    alone, whole = rod(20.0, 0.5, 2200.0, position=[0, 0, -6], orientation_deg=[10, 25, 40])
    one, two = (simulate(system({"rod": body}, WAVES | current)) for body in (alone, whole))
    for name in ("point_position", "rod.roll", "rod.pitch", "energy_kinetic", "energy_gravity", "work_drag"):
        a, b = one[name].values, two[name].values
        assert np.abs(a - a[0]).max() > 0.01, name
        np.testing.assert_allclose(b, a, rtol=1e-7, atol=1e-7 * np.abs(a).max())


def test_members_of_a_body_act_as_rods_fixed_to_it():
    """Two columns, one of them aslant, on a deck: as members of one body, and as bodies that joints fix to it."""
    d, area = 0.8, 0.25 * np.pi * 0.8**2
    ends = ([[3.0, 0.0, -8.0], [3.0, 0.0, 4.0]], [[-3.0, 0.5, -8.0], [-2.0, 0.5, 4.0]])
    member = {"diameter": d, "drag": 1.0, "added_mass": 1.0, "end_drag": 0.6, "end_added_mass": 0.5, "strips": 6}
    bodies, joints = {}, {}
    mass, lower, attachments = 2000.0, np.array([0.0, 0.0, -2.0]), {}
    parts = [(mass, np.zeros(3), np.diag([9e3, 2e4, 2e4]))]
    for k, (a, b) in enumerate(np.array(ends), 1):
        length, own = np.linalg.norm(b - a), 900.0
        axis, middle = (b - a) / length, 0.5 * (a + b)
        across, along = own * (length**2 / 12 + d**2 / 16), own * d**2 / 8
        parts.append((own, middle, across * np.eye(3) + (along - across) * np.outer(axis, axis)))
        cap = 0.5 * RHO * (2.0 / 3.0) * np.pi * (0.5 * d) ** 3
        bodies[f"rod{k}"] = {
            "kind": "free", "position": (middle + lower).tolist(), "mass": own, "inertia": [across, across, along],
            "orientation_deg": [0, float(np.degrees(np.arctan2(axis[0], axis[2]))), 0], "strips": 6, "floating": True,
            "shape": {"cylinder": {"diameter": d, "height": float(length)}},
            "drag_area": [d * length, d * length, 2 * 0.6 * area],
            "added_mass": [RHO * area * length, RHO * area * length, 2 * cap],
            "attachments": {"middle": [0, 0, 0]},
        }  # fmt: skip
        attachments[f"to{k}"] = middle.tolist()
        joints[f"weld{k}"] = {"kind": "fixed", "parent": f"deck.to{k}", "child": f"rod{k}.middle"}
    deck = {"kind": "free", "position": [0, 0, -2], "mass": mass, "inertia": [9e3, 2e4, 2e4], "floating": True}
    apart = system({"deck": deck | {"attachments": attachments}, **bodies}, WAVES, joints=joints)

    total = sum(m for m, _, _ in parts)
    centre = sum(m * at for m, at, _ in parts) / total
    away = [(m, at - centre, own) for m, at, own in parts]
    tensor = sum(own + m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r, own in away)
    moments, axes = np.linalg.eigh(tensor)
    axes *= np.sign(np.linalg.det(axes))
    pitch = np.degrees(np.arcsin(-axes[2, 0]))
    roll, yaw = np.degrees(np.arctan2(axes[2, 1], axes[2, 2])), np.degrees(np.arctan2(axes[1, 0], axes[0, 0]))
    seen = [[(axes.T @ (np.array(end) - centre)).tolist() for end in pair] for pair in ends]
    whole = {
        "kind": "free", "position": (centre + lower).tolist(), "orientation_deg": [roll, pitch, yaw], "mass": total,
        "inertia": moments.tolist(), "floating": True,
        "members": {f"column{k}": {"ends": pair, **member} for k, pair in enumerate(seen)},
    }  # fmt: skip
    one, two = simulate(apart), simulate(system({"all": whole}, WAVES))
    places = one.point_position.sel(point=["deck", "rod1", "rod2"]).values
    found = np.tensordot(np.array([2000.0, 900.0, 900.0]) / total, places, axes=(0, 1))
    moved = two.point_position.sel(point="all").values
    assert np.abs(moved - moved[0]).max() > 0.5
    np.testing.assert_allclose(moved, found, atol=2e-3 * np.abs(moved - moved[0]).max())


def test_a_platform_on_four_columns_heaves_and_pitches_as_hydrostatics_say():
    """ω² = ρ g ΣA/(m + m_a) in heave; (ρ g (Σ A x² + V z_B) − m g z_G)/(I + Σ m_a x² + …) in pitch, drag apart."""
    d, draught, top, x = 2.0, 10.0, 5.0, 12.0
    area, mass = 0.25 * np.pi * d**2, RHO * np.pi * d**2 * draught
    inertia, ca, centre, strips = [4e7, 4e7, 6e7], 1.0, -6.0, 60
    corners = [(x, x), (x, -x), (-x, x), (-x, -x)]
    members = {
        f"column{k}": {
            "ends": [[a, b, -draught - centre], [a, b, top - centre]], "diameter": d, "added_mass": ca,
            "end_added_mass": 0.6, "strips": strips,
        }
        for k, (a, b) in enumerate(corners)
    }  # fmt: skip
    body = {"kind": "free", "position": [0, 0, centre + 0.1], "mass": mass, "inertia": inertia, "members": members}
    whole = system({"platform": body | {"floating": True}})
    compiled = compile_system(whole, first_geometry(whole))
    y, _ = settle(compiled, compiled.initial_state())
    assert compiled.tables(y).hub_state.position[0] == pytest.approx([0, 0, centre], abs=1e-6)
    omega = natural_modes(compiled, y, 6).omega
    cap = 0.6 * RHO * (2.0 / 3.0) * np.pi * (0.5 * d) ** 3
    heave = np.sqrt(4.0 * RHO * G * area / (mass + 4.0 * cap))
    pieces = -draught + (top + draught) * (np.arange(strips) + 0.5) / strips
    added = RHO * area * ca * np.where(pieces < 0, (top + draught) / strips, 0.0)
    surge, couple = 4.0 * added.sum(), 4.0 * (added * (pieces - centre)).sum()
    turn = inertia[1] + 4.0 * (added * (pieces - centre) ** 2).sum() + 4.0 * cap * x**2
    second = 4.0 * area * (x**2 + d**2 / 16.0)
    righting = RHO * G * (second - 4.0 * area * draught**2 / 2.0) - mass * G * centre
    pitch = np.sqrt(righting / (turn - couple**2 / (mass + surge)))
    assert np.abs(omega / heave - 1).min() < 1e-5
    assert np.abs(omega / pitch - 1).min() < 2e-3


def test_the_books_of_a_body_with_members_in_waves_close():
    law = {"drag": 1.0, "added_mass": 1.0, "end_drag": 1.0, "end_added_mass": 0.5}
    members = {
        "left": {"ends": [[0, 4, -6], [0, 4, 3]], "diameter": 0.8, **law},
        "lying": {"ends": [[-3, 4, -6], [3, -4, -6]], "diameter": 0.5, **law},
        "right": {"ends": [[0, -4, -6], [0, -4, 3]], "diameter": 0.8, **law},
    }
    body = {"kind": "free", "position": [0, 0, -1], "mass": 7500.0, "inertia": [9e4, 8e4, 1.2e5], "members": members}
    whole = system({"raft": body | {"floating": True}}, WAVES, simulation={"step": 0.005, "duration": 12.0})
    result = simulate(whole)
    total = result.energy_kinetic + result.energy_gravity + result.energy_elastic
    left = total - result.work_drag - result.work_damping - result.work_drives
    assert float(result.energy_kinetic.max()) > 500.0
    assert np.abs(left - left[0]).max() < 3e-3 * float(result.energy_kinetic.max())


def test_what_members_are_not():
    alone, whole = rod(20.0, 0.5, 2200.0, position=[0, 0, -20])
    with pytest.raises(ModelError, match="do not go with 'strips'"):
        system({"rod": alone | {"members": whole["members"]}})
    with pytest.raises(ModelError, match="a member has a length"):
        system({"rod": whole | {"members": {"a": {"ends": [[0, 0, 1], [0, 0, 1]], "diameter": 1}}}})
    made = system({"rod": whole})
    with pytest.raises(UnsupportedSystem, match=r"bodies\.rod\.members.*use formulation: lumped"):
        compile_system(made, first_geometry(made), "bars")
