"""Every kind of hull in a run: boxes, floating spheres, meshes from files, several at once, some freedoms held.

Short runs on coarse meshes, each stating what must hold whatever the mesh: a hull as heavy as the water it displaces
stays where it is, one much smaller than the wave goes where the water goes, mirror images move as mirror images.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from marks import slowly
from test_model_hydro import compiled

import fairlead as fl
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import ModelError

RHO, G = 1025.0, 9.81
BOX = {"box": {"length": 6, "width": 4, "height": 4}, "panel_size": 1.5}
BALL = {"sphere": {"diameter": 6}, "panel_size": 0.8}
POT = {"cylinder": {"diameter": 4, "height": 3}, "panel_size": 1.6}
VOLUMES = {"box": 48.0, "sphere": 18.0 * math.pi, "cylinder": 6.0 * math.pi}
LOW = 0.5
"""How far the centre of mass, which is the origin of a body, lies below the water, m."""


def grid_box(path: Path, size: tuple[float, float, float], parts: tuple[int, int, int], triangles: bool = True) -> Path:
    """A closed box about the origin as an OBJ file, each side divided, normals outwards."""
    corners, faces = [], []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (-0.5, 0.5):
            first = len(corners)
            for i in range(parts[u] + 1):
                for j in range(parts[v] + 1):
                    place = [0.0, 0.0, 0.0]
                    place[axis] = side * size[axis]
                    place[u], place[v] = (i / parts[u] - 0.5) * size[u], (j / parts[v] - 0.5) * size[v]
                    corners.append(place)
            for i in range(parts[u]):
                for j in range(parts[v]):
                    at = first + i * (parts[v] + 1) + j
                    quad = [at, at + parts[v] + 1, at + parts[v] + 2, at + 1]
                    quad = quad if side > 0 else quad[::-1]
                    faces += [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]] if triangles else [quad]
    text = "".join(f"v {x:.12g} {y:.12g} {z:.12g}\n" for x, y, z in corners)
    path.write_text(text + "".join("f " + " ".join(str(c + 1) for c in face) + "\n" for face in faces))
    return path


def afloat(
    hulls: dict[str, tuple[dict[str, Any], tuple[float, float]]], mode: str = "linear", steps: int = 4,
    step: float = 0.15, waves: dict[str, Any] | None = None, **surface: Any,
) -> dict[str, Any]:  # fmt: skip
    """A system of hulls, each at a place (x, y) and as heavy as the water it displaces, where the water is deep."""
    data: dict[str, Any] = {
        "environment": {"seabed": {"depth": 400}},
        "types": {},
        "points": {},
        "cables": {},
        "bodies": {
            name: {"kind": "free", "position": [*place, -LOW], "mass": 1.0, "inertia": [1.5e5, 1.5e5, 2e5]}
            for name, (_, place) in hulls.items()
        },
        "hydro": {
            "mode": mode,
            "hulls": {name: {"centre": [0, 0, LOW], **shape} for name, (shape, _) in hulls.items()},
            "surface": {"radius": 40, "outer": 8, **surface},
        },
        "simulation": {
            "start": "catenary",
            "formulation": "multibody",
            "duration": steps * step,
            "step": step,
            "output_every": step,
        },
    }
    if waves is not None:
        data["environment"]["waves"] = {"kind": "regular", **waves}
    forces = compiled(data).water._static
    for body, force in zip(data["bodies"].values(), forces, strict=True):
        body["mass"] = float(force[2]) / G
    return data


def run(data: dict[str, Any]) -> Any:
    result = fl.Simulation(fl.System(**data)).run()
    assert result.attrs["status"] == "complete"
    return result


def shapes(kind: str, folder: Path) -> dict[str, tuple[dict[str, Any], tuple[float, float]]]:
    """Hulls of one kind, by name."""
    if kind == "box":
        return {"box": (BOX, (0.0, 0.0))}
    if kind == "sphere":
        return {"sphere": (BALL, (0.0, 0.0))}
    if kind == "mesh":
        file = grid_box(folder / "box.obj", (6.0, 4.0, 4.0), (4, 4, 3))
        return {"box": ({"mesh": {"file": str(file)}}, (0.0, 0.0))}
    if kind == "two cylinders":
        return {"fore": (POT, (5.0, 0.0)), "aft": (POT, (-5.0, 0.0))}
    file = grid_box(folder / "box.obj", (4.0, 4.0, 4.0), (4, 4, 3))
    return {"cylinder": (POT, (5.0, 0.0)), "box": ({"mesh": {"file": str(file)}}, (-5.0, 0.0))}


LINEAR = ["box", "sphere", "mesh", "two cylinders", "cylinder and mesh"]
EXACT = ["box", "sphere", "two cylinders"]


@pytest.mark.parametrize(
    ("kind", "mode"), [*((kind, "linear") for kind in LINEAR), *((kind, "weak_scatterer") for kind in EXACT)]
)
def test_in_still_water_a_hull_floats_at_rest(kind: str, mode: str, tmp_path: Path) -> None:
    hulls = shapes(kind, tmp_path)
    data = afloat(hulls, mode)
    if kind != "cylinder and mesh":
        volume = VOLUMES.get({"mesh": "box", "two cylinders": "cylinder"}.get(kind, kind))
        for body in data["bodies"].values():
            assert body["mass"] == pytest.approx(RHO * volume, rel=0.015 if kind == "sphere" else 1e-9)
    result = run(data)
    assert np.abs(np.ptp(result["point_position"].values, axis=0)).max() < 1e-9
    assert np.abs(result["surface_perturbation"].values).max() < 1e-9
    for name in hulls:
        np.testing.assert_allclose(result[f"{name}.water_force_z"].values, data["bodies"][name]["mass"] * G, rtol=1e-9)
        for turn in ("roll", "pitch", "yaw"):
            assert np.abs(result[f"{name}.{turn}"].values).max() < 1e-9


@pytest.mark.parametrize("kind", ["box", "mesh", *slowly("sphere", "two cylinders", "cylinder and mesh")])
def test_in_long_waves_a_free_hull_goes_where_the_water_goes(kind: str, tmp_path: Path) -> None:
    """900 m long: heave is the elevation, surge that of the water at the surface, a quarter period ahead."""
    height, period = 0.4, 24.0
    waves = {"height": height, "period": period, "ramp": period, "phase_deg": 90}
    hulls = shapes(kind, tmp_path)
    result = run(afloat(hulls, steps=192, step=0.25, waves=waves, outer=10))
    t = result["time"].values
    last = t > period
    k = (2 * math.pi / period) ** 2 / G
    for number, (_, place) in enumerate(hulls.values()):
        moved = result["point_position"].values[:, number] - [*place, -LOW]
        angle = k * place[0] - 2 * math.pi * t[last] / period + math.pi / 2
        np.testing.assert_allclose(moved[last, 2], 0.5 * height * np.cos(angle), atol=0.05 * 0.5 * height)
        drift = moved[last, 0] + 0.5 * height * np.sin(angle)
        assert np.ptp(drift) < 0.1 * height
        assert np.abs(moved[:, 1]).max() < 1e-3 * height


@pytest.mark.parametrize("kind", ["box", *slowly("sphere", "two cylinders")])
def test_in_small_waves_the_moving_mesh_gives_the_linear_motion(kind: str, tmp_path: Path) -> None:
    """From rest, waves of 1 cm and 14 m: body-exact on the incident surface, and linear at rest, also in pitch.

    Pitch is where hydrostatics on the few panels of a coarse side fail: their moment must be exact.
    """
    hulls = shapes(kind, tmp_path)
    waves = {"height": 0.02, "period": 3.0, "ramp": 1.5}
    ways = []
    for mode in ("linear", "weak_scatterer"):
        result = run(afloat(hulls, mode, 14, 0.125, waves, outer=4, damping_from=30))
        moved = result["point_position"].values - result["point_position"].values[0]
        turned = np.stack([result[f"{name}.pitch"].values for name in hulls], axis=1)
        ways.append(np.concatenate([moved[:, :, 0], moved[:, :, 2], turned], axis=1))
    for linear, exact in zip(ways[0].T, ways[1].T, strict=True):
        assert np.ptp(linear) > 1e-5
        np.testing.assert_allclose(exact, linear, atol=0.03 * np.ptp(linear))


def test_a_box_from_a_file_is_the_box_that_is_built_in(tmp_path: Path) -> None:
    """Free, in waves of its own size, 1.5 periods: triangles cut at the water against panels that end there."""
    waves = {"height": 0.2, "period": 3.5, "ramp": 1.75}
    built_in = {"box": ({**BOX, "panel_size": 1.0}, (0.0, 0.0))}
    ways = [run(afloat(hulls, steps=42, step=0.125, waves=waves, outer=3))
            for hulls in (built_in, shapes("mesh", tmp_path))]  # fmt: skip
    for name in ("box.water_force_x", "box.water_force_z", "box.pitch"):
        one, other = (way[name].values for way in ways)
        np.testing.assert_allclose(other, one, atol=0.05 * np.ptp(one))
    for axis in (0, 2):
        one, other = (way["point_position"].values[:, 0, axis] for way in ways)
        np.testing.assert_allclose(other, one, atol=0.05 * np.ptp(one))


@pytest.mark.parametrize("mode", ["linear", "weak_scatterer"])
def test_two_cylinders_side_by_side_move_as_mirror_images(mode: str) -> None:
    """Waves along x between them: x, z and pitch alike, y, roll and yaw opposite, and they do feel each other."""
    side = {"left": (POT, (0.0, 4.0)), "right": (POT, (0.0, -4.0))}
    waves = {"height": 0.2, "period": 4.0, "ramp": 1.0}
    result = run(afloat(side, mode, 12 if mode == "linear" else 6, 0.25, waves, radius=30))
    left, right = np.swapaxes(result["point_position"].values, 0, 1)
    scale = np.ptp(left[:, 2])
    assert scale > 1e-3
    np.testing.assert_allclose(right, left * [1.0, -1.0, 1.0], atol=1e-4 * scale)
    for turn, sign in (("roll", -1.0), ("pitch", 1.0), ("yaw", -1.0)):
        one, other = result[f"left.{turn}"].values, result[f"right.{turn}"].values
        np.testing.assert_allclose(other, sign * one, atol=1e-4 * max(np.ptp(one), 1e-3))
    assert np.ptp(left[:, 1]) > 1e-3 * scale


def test_two_cylinders_head_to_head_push_each_other_apart_alike() -> None:
    """Let go 0.2 m too low in still water: equal heave, opposite surge and pitch, forces that cancel along x."""
    data = afloat({"fore": (POT, (3.0, 0.0)), "aft": (POT, (-3.0, 0.0))}, "weak_scatterer", 10, 0.1, radius=30)
    for body in data["bodies"].values():
        body["mass"] *= 1.1
    result = run(data)
    fore, aft = np.swapaxes(result["point_position"].values, 0, 1)
    force = result["fore.water_force_x"].values, result["aft.water_force_x"].values
    sunk = np.ptp(fore[:, 2])
    assert sunk > 0.02
    np.testing.assert_allclose(aft[:, 2], fore[:, 2], atol=0.01 * sunk)
    np.testing.assert_allclose(aft[:, 0], -fore[:, 0], atol=0.02 * max(np.ptp(fore[:, 0]), 1e-3))
    assert np.abs(force[0]).max() > 10.0
    np.testing.assert_allclose(force[1], -force[0], atol=0.03 * np.abs(force[0]).max())


def test_a_hull_held_in_heave_and_roll_feels_the_water_rise_and_moves_in_the_rest() -> None:
    """Long waves at 30 degrees to x lift what is held by ρgS(e^(−kd) − kA/ρS) times their elevation, d its draught.

    The water that would rise through the bottom has to go round it: A is about the added mass.
    """
    held = {"box": ({**BOX, "locked": ["heave", "roll", "surge"]}, (0.0, 0.0))}
    period, height = 16.0, 0.4
    waves = {"height": height, "period": period, "ramp": 8.0, "direction_deg": 30}
    data = afloat(held, steps=128, step=0.25, waves=waves, outer=12)
    result = run(data)
    place = result["point_position"].values[:, 0]
    assert np.ptp(place[:, 0]) == np.ptp(place[:, 2]) == 0.0
    swings = [np.abs(result[f"box.{turn}"].values).max() for turn in ("roll", "pitch", "yaw")]
    assert swings[0] < 2 * math.pi * swings[1] * swings[2]  # no spin about its own x: the angle is of second order
    assert swings[1] > 1e-3
    assert np.ptp(place[:, 1]) > 0.05 * height
    last = result["time"].values > period
    lift = result["box.water_force_z"].values[last] - RHO * G * VOLUMES["box"]
    level = result["incident_elevation"].values[last]
    share = float(lift @ level / (level @ level)) / (RHO * G * 24.0)
    free = afloat({"box": (BOX, (0.0, 0.0))})
    wet = compiled(free)
    added = wet.stage(0.0, wet.initial_state()).added_mass[2, 2]
    k = (2 * math.pi / period) ** 2 / G
    round_it = k * added / (RHO * 24.0)
    assert math.exp(-k * 2.0) - 1.5 * round_it < share < math.exp(-k * 2.0) - 0.7 * round_it


def test_a_locked_freedom_is_the_limit_of_a_stiff_spring() -> None:
    """Surge of a sphere held by `locked` and by a spring whose frequency is far above that of the waves."""
    waves = {"height": 0.2, "period": 4.0, "ramp": 2.0}
    ways = []
    for locked, stiffness in ((["surge"], None), ([], 4e7)):
        data = afloat({"sphere": ({**BALL, "locked": locked}, (0.0, 0.0))}, steps=80, step=0.05, waves=waves, outer=4)
        if stiffness is not None:
            data["hydro"]["springs"] = [{"body": "sphere", "dof": "surge", "stiffness": stiffness, "damping": 1e6}]
        ways.append(run(data))
    heave = [way["point_position"].values[:, 0, 2] for way in ways]
    np.testing.assert_allclose(heave[1], heave[0], atol=1e-3 * np.ptp(heave[0]))
    assert np.ptp(ways[1]["point_position"].values[:, 0, 0]) < 2e-3
    force = [way["sphere.water_force_x"].values[20:] for way in ways]
    np.testing.assert_allclose(force[1], force[0], atol=0.05 * np.ptp(force[0]))


def test_a_side_of_one_panel_is_enough_to_run(tmp_path: Path) -> None:
    """A cube of six panels under water as its user drew it, and a cylinder whose draught is less than one panel."""
    cube = grid_box(tmp_path / "cube.obj", (2.0, 2.0, 2.0), (1, 1, 1), triangles=False)
    waves = {"height": 0.2, "period": 4.0, "ramp": 1.0}
    shape = {"mesh": {"file": str(cube)}, "centre": [0, 0, -4]}
    result = run(afloat({"cube": (shape, (0.0, 0.0))}, "weak_scatterer", 4, 0.2, waves, columns=16))
    assert result["cube.water_force_z"].values[0] == pytest.approx(RHO * G * 8.0, rel=1e-6)
    shallow = {"cylinder": {"diameter": 4, "height": 3}, "panel_size": 2.0}
    result = run(afloat({"pot": (shallow, (0.0, 0.0))}, "weak_scatterer", 8, 0.2, waves))
    assert np.abs(result["pot.water_force_x"].values).max() < RHO * G * VOLUMES["cylinder"] * 0.1


def test_a_mesh_on_a_body_that_starts_heeled_is_cut_at_the_water(tmp_path: Path) -> None:
    """A box turned about y by 10 degrees through its middle at the water still displaces half of itself, and rights."""
    hull, place = shapes("mesh", tmp_path)["box"]
    data = afloat({"box": (hull | {"centre": [0, 0, 0]}, place)})
    data["bodies"]["box"] |= {"position": [0, 0, 0], "orientation_deg": [0, 10, 0]}
    wet = compiled(data)
    force = wet.water._static[0]
    assert force[2] == pytest.approx(RHO * G * 48.0, rel=1e-9)
    turned = math.radians(10.0)
    slice_ = 4.0 * 6.0**3 / 12.0 * math.tan(turned)  # m4: the wedges of a wall-sided box, Newman, section 6.16
    lever = slice_ * (1.0 + 0.5 * math.tan(turned) ** 2) * math.cos(turned) - 48.0 * math.sin(turned)
    assert force[4] == pytest.approx(-RHO * G * lever, rel=1e-6)


def bad_box(path: Path, change: str) -> dict[str, Any]:
    """A box from a file that is no hull."""
    grid_box(path, (2.0, 2.0, 2.0), (2, 2, 2), triangles=False)
    lines = path.read_text().splitlines()
    faces = [line for line in lines if line.startswith("f")]
    corners = [line for line in lines if line.startswith("v")]
    if change == "hole":
        faces = faces[1:]
    elif change == "inside out":
        faces = [" ".join(["f", *reversed(face.split()[1:])]) for face in faces]
    elif change == "flat":
        faces.append("f 1 2 1 2")
    elif change == "one turned":
        faces[3] = " ".join(["f", *reversed(faces[3].split()[1:])])
    path.write_text("\n".join([*corners, *faces]) + "\n")
    return {"mesh": {"file": str(path)}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("hole", r"hydro\.hulls\.box\.mesh\.file: .*bad\.obj: the mesh is open: 4 edges .* near \[.*close the hole"),
        ("inside out", r"hydro\.hulls\.box\.mesh\.file: .*bad\.obj: the mesh is inside out .*inverted: true"),
        ("flat", r"bad\.obj: panel 24 of 25 near .* has no area; remove it"),
        ("one turned", r"hydro\.hulls\.box\.mesh\.file: .*bad\.obj: panels on the two sides .* disagree on which"),
    ],
)
def test_a_file_that_is_no_hull_is_refused_in_one_sentence(change: str, message: str, tmp_path: Path) -> None:
    shape = bad_box(tmp_path / "bad.obj", change)
    with pytest.raises(UnsupportedSystem, match=message) as refused:
        afloat({"box": (shape, (0.0, 0.0))})
    assert "\n" not in str(refused.value)


def test_a_mesh_through_the_surface_is_for_linear_mode_alone(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedSystem, match=r"hydro\.hulls\.box: .* cannot follow it; use mode: linear"):
        afloat(shapes("mesh", tmp_path), "weak_scatterer")


def test_hulls_out_of_the_domain_or_in_each_other_are_refused() -> None:
    far = {"near": (POT, (0.0, 0.0)), "far": (POT, (70.0, 0.0))}
    with pytest.raises(UnsupportedSystem, match=r"bodies\.near: stands 35 m from the middle .* hydro\.surface"):
        afloat(far)
    with pytest.raises(UnsupportedSystem, match="two waterlines cross; move the bodies apart"):
        afloat({"one": (POT, (0.0, 0.0)), "other": (POT, (2.0, 0.0))})


def test_a_wave_that_breaks_is_refused_before_the_run() -> None:
    with pytest.raises(ModelError, match=r"waves.*break above"):
        afloat({"box": (BOX, (0.0, 0.0))}, waves={"height": 3.0, "period": 3.0})


@pytest.mark.parametrize("mode", ["linear", "weak_scatterer"])
def test_a_step_above_the_bound_is_refused_with_the_bound(mode: str) -> None:
    with pytest.raises(UnsupportedSystem, match=r"simulation\.step: 2 s is above .* a step must be below 0\.\d+ s"):
        afloat({"box": (BOX, (0.0, 0.0))}, mode, step=2.0, waves={"height": 0.2, "period": 6.0})


def test_a_disc_about_a_middle_beside_the_plane_is_meshed_whole() -> None:
    data = afloat({"box": (BOX, (0.0, 0.0))}, waves={"height": 0.2, "period": 6.0}, centre=[0, 3])
    assert not compiled(data).basin.symmetric
    data["hydro"]["symmetry"] = True
    with pytest.raises(UnsupportedSystem, match=r"hydro\.surface\.centre is not in the plane y = 0"):
        compiled(data)
