"""Files of several bodies in every format, nothing symmetric, sorted or at the origin: each number at its place."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from fairlead.floaters import DOFS, Coefficients, read
from fairlead.floaters.drift import read_drift
from fairlead.floaters.wamit import Scale
from fairlead.model.waves import wavenumber

from .wamit_files import write

DEPTH, DENSITY, GRAVITY = 30.0, 1013.0, 9.79
OMEGA = np.array([0.4, 0.7, 1.1, 1.6])
HEADINGS = np.radians([-30.0, 20.0, 75.0])


def bodies(count: int, references: bool = True) -> Coefficients:
    """Numbers drawn by chance, of the size of a buoy's; the stiffness couples the motions of each body alone."""
    draw, size = np.random.default_rng(7), 6 * count
    blocks = np.kron(np.eye(count), np.ones((6, 6)))
    force = draw.uniform(-1e5, 1e5, (2, len(HEADINGS), len(OMEGA), size))
    return Coefficients(
        omega=OMEGA, added_mass=draw.uniform(-1e6, 1e6, (len(OMEGA), size, size)),
        damping=draw.uniform(-1e5, 1e5, (len(OMEGA), size, size)), headings=HEADINGS,
        excitation=force[0] + 1j * force[1], stiffness=blocks * draw.uniform(-1e6, 1e6, (size, size)),
        added_mass_infinite=draw.uniform(-1e6, 1e6, (size, size)),
        added_mass_zero=draw.uniform(-1e6, 1e6, (size, size)), volume=draw.uniform(10.0, 90.0, count),
        centre_of_buoyancy=draw.uniform(-3.0, 3.0, (count, 3)), density=DENSITY, gravity=GRAVITY, depth=DEPTH,
        reference=draw.uniform(-20.0, 20.0, (count, 3)) if references else np.zeros((count, 3)),
    )  # fmt: skip


def seen_from(data: Coefficients, origin: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """The excitation with the crest at an origin: forces come as much later as the wave needs to each reference."""
    k = np.array([wavenumber(w, data.depth, data.gravity) for w in data.omega])
    away = data.reference[:, :2] - np.array(origin)
    along = np.array([[away @ [math.cos(beta), math.sin(beta)]] for beta in data.headings])  # (nh, 1, bodies)
    return data.excitation * np.repeat(np.exp(-1j * k[None, :, None] * along), 6, axis=2)


def same(found: Coefficients, wanted: Coefficients, *others: str) -> None:
    for name in ("omega", "headings", "added_mass", "damping", "excitation", "stiffness", "reference", *others):
        np.testing.assert_allclose(getattr(found, name), getattr(wanted, name), rtol=1e-9, atol=1e-6, err_msg=name)
    assert (found.density, found.gravity, found.depth) == (DENSITY, GRAVITY, DEPTH)


def first_columns(root: Path, column: str) -> None:
    """Put wave numbers or lengths in the place of the periods of written files."""
    marks = {0.0: -1.0, -1.0: 0.0} if "number" in column else {0.0: 0.0, -1.0: -1.0}
    for extension in (".1", ".3"):
        path, lines = root.with_name(root.name + extension), []
        for line in path.read_text().splitlines():
            period, _, rest = line.strip().replace("D", "e").partition(" ")
            value = float(period)
            if value in marks:
                value = marks[value]
            else:
                w = 2.0 * math.pi / value
                k = w * w / GRAVITY if column == "deep_wave_number" else wavenumber(w, DEPTH, GRAVITY)
                value = 2.0 * math.pi / k if column == "wave_length" else k
            lines.append(f"{value!r} {rest}")
        path.write_text("\n".join(lines))


SCALED = {"water_density": DENSITY, "gravity": GRAVITY, "depth": DEPTH}
LIMITS = ("added_mass_infinite", "added_mass_zero")


@pytest.mark.parametrize("column", ["period", "wave_number", "deep_wave_number", "wave_length"])
def test_wamit(tmp_path: Path, column: str) -> None:
    data = bodies(3, references=False)
    root = write(tmp_path / "three", data, 4.0, digits=15)
    if column != "period":
        first_columns(root, column)
    same(read(root, length=4.0, first_column=column, **SCALED), data, *LIMITS)


@pytest.mark.parametrize(
    ("kind", "column"), [(1, "deep_wave_number"), (2, "wave_number"), (4, "period"), (5, "wave_length")]
)
def test_hams_in_water_of_a_depth(tmp_path: Path, kind: int, column: str) -> None:
    data = bodies(2, references=False)
    root = write(tmp_path / "two", data, digits=15)
    if column != "period":
        first_columns(root, column)
    (tmp_path / "ControlFile.in").write_text(f" Waterdepth  {DEPTH:.1f}\n Output_frequency_type  {kind}\n")
    same(read(root, water_density=DENSITY, gravity=GRAVITY), data, *LIMITS)


def test_nemoh(tmp_path: Path) -> None:
    """Frequencies that fall, lines of other things, phases of e^{-iωt} counted from a place of their own."""
    data, origin = bodies(2), (3.0, -4.0)
    cal = ["--- Environment ---", f"{DENSITY} ! RHO", f"{GRAVITY} ! G", f"{DEPTH} ! DEPTH",
           f"{origin[0]} {origin[1]} ! XEFF YEFF", "--- bodies ---", "2 ! bodies"]  # fmt: skip
    for place in data.reference:
        about = " ".join(f"{value!r}" for value in place.tolist())
        motions = [f"{1 + turn} {' '.join('1.' if i == axis else '0.' for i in range(3))} {about}"
                   for turn in range(2) for axis in range(3)]  # fmt: skip
        cal += ["--- Body ---", "hull.dat", "10 10", "6 ! motions", *motions, "6 ! forces", *motions]
        cal += ["2 ! more", "a", "b"]
    cal += ["--- Load cases ---", "4 0.4 1.6 ! frequencies", "3 -30. 75. ! directions"]
    (tmp_path / "Nemoh.cal").write_text("\n".join(cal))
    data = replace(data, headings=np.radians([-30.0, 22.5, 75.0]))
    force, radiation, waves = seen_from(data, origin).conj(), [], []
    for j in range(12):
        radiation.append("Zone t=motion")
        for n in range(len(OMEGA))[::-1]:
            pairs = [f"{float(table[n, i, j])!r}" for i in range(12) for table in (data.added_mass, data.damping)]
            radiation.append(f"{float(OMEGA[n])!r} {' '.join(pairs)}")
    for h in range(3):
        waves.append("Zone t=heading")
        for n in range(len(OMEGA))[::-1]:
            pairs = [f"{abs(x):.17g} {np.angle(x):.17g}" for x in force[h, n]]
            waves.append(f"{float(OMEGA[n])!r} {' '.join(pairs)}")
    (tmp_path / "RadiationCoefficients.tec").write_text("\n".join(radiation))
    (tmp_path / "ExcitationForce.tec").write_text("\n".join(waves))
    for i in range(2):
        own = data.stiffness[6 * i : 6 * i + 6, 6 * i : 6 * i + 6]
        (tmp_path / f"KH_{i}.dat").write_text("\n".join(" ".join(f"{v:.17g}" for v in row) for row in own))
        centre = data.centre_of_buoyancy[i] + data.reference[i]
        text = "\n".join(f" {axis}F = {value:.12f} - {axis}G = 0." for axis, value in zip("XYZ", centre, strict=True))
        (tmp_path / f"Hydrostatics_{i}.dat").write_text(f"{text}\n Displacement = {data.volume[i]:.12f}\n")
    found = read(tmp_path)
    same(found, data, "volume", "centre_of_buoyancy")
    assert found.stiffness_has_weight


@pytest.mark.parametrize("parts", ["whole", "two parts", "compound"])
def test_capytaine(tmp_path: Path, parts: str) -> None:
    """Motions of two bodies mixed up, frequencies and headings as they come, both limits among them."""
    data, path = bodies(2), tmp_path / "two.nc"
    later, turned = np.array([2, 0, 3, 1]), np.array([1, 2, 0])
    names = np.array([f"{body}__{dof.capitalize()}" for body in ("buoy", "spar") for dof in DOFS])
    shuffled = np.array([i + 6 * body for i in range(6)[::-1] for body in range(2)])  # yaw of both, pitch of both, ...
    force = np.moveaxis(seen_from(data).conj()[turned][:, later][..., shuffled], 0, 1)  # (nw, nh, 12)
    force = np.concatenate([force, np.zeros_like(force[:2])])
    added = np.concatenate([data.added_mass[later], data.added_mass_infinite[None], data.added_mass_zero[None]])
    damping = np.concatenate([data.damping[later], np.zeros_like(data.damping[:2])])
    with h5py.File(path, "w") as file:
        file["omega"], file["wave_direction"] = np.concatenate([OMEGA[later], [np.inf, 0.0]]), HEADINGS[turned]
        for name, table in (("added_mass", added), ("radiation_damping", damping)):
            file[name] = np.swapaxes(table[:, shuffled][:, :, shuffled], 1, 2)
        if parts == "whole":
            file["excitation_force"] = np.stack([force.real, force.imag])
        elif parts == "two parts":
            file["Froude_Krylov_force"] = 0.3 * np.stack([force.real, force.imag])
            file["diffraction_force"] = 0.7 * np.stack([force.real, force.imag])
        else:
            pairs = np.empty(force.shape, [("real", float), ("imag", float)])  # h5py takes "r" and "i" for a number
            pairs["real"], pairs["imag"] = force.real, force.imag
            file["excitation_force"] = pairs
        file["hydrostatic_stiffness"] = data.stiffness[np.ix_(shuffled, shuffled)]
        file["rho"], file["g"], file["water_depth"] = DENSITY, GRAVITY, DEPTH
        file["rotation_center"] = data.reference
        file["radiating_dof"] = file["influenced_dof"] = [str(name) for name in names[shuffled]]
    same(read(path), data, *LIMITS)


@pytest.mark.parametrize(("count", "scaled"), [(2, False), (2, True), (11, False)])
def test_bemio(tmp_path: Path, count: int, scaled: bool) -> None:
    """Bodies by their numbers, which are no order of words; frequencies and headings as they come."""
    data, path = bodies(count), tmp_path / "many.h5"
    later, turned, size = np.array([2, 0, 3, 1]), np.array([1, 2, 0]), 6 * count
    rho, weight = (1.0, 1.0) if scaled else (DENSITY, DENSITY * GRAVITY)
    per = np.ones(len(OMEGA)) if scaled else OMEGA
    force = seen_from(data)[turned][:, later] / weight
    with h5py.File(path, "w") as file:
        parameters = {"w": OMEGA[later], "wave_dir": np.degrees(HEADINGS[turned]), "rho": DENSITY, "g": GRAVITY}
        for name, value in (parameters | {"water_depth": DEPTH, "scaled": int(scaled)}).items():
            file[f"simulation_parameters/{name}"] = value
        for i in range(count):
            body, rows = file.create_group(f"body{i + 1}"), slice(6 * i, 6 * i + 6)
            body["properties/cg"], body["properties/disp_vol"] = data.reference[i], data.volume[i]
            body["properties/cb"] = data.centre_of_buoyancy[i] + data.reference[i]
            of = body.create_group("hydro_coeffs")
            of["added_mass/all"] = np.moveaxis(data.added_mass[later][:, rows], 0, 2) / rho
            of["added_mass/inf_freq"] = data.added_mass_infinite[rows] / rho
            of["radiation_damping/all"] = np.moveaxis((data.damping / per[:, None, None])[later][:, rows], 0, 2) / rho
            for name, part in (("re", force.real), ("im", force.imag)):
                of[f"excitation/{name}"] = np.moveaxis(part[..., rows], 2, 0)
            of["linear_restoring_stiffness"] = data.stiffness[rows, rows] / weight
    assert data.added_mass.shape == (4, size, size)
    same(read(path), data, "volume", "centre_of_buoyancy", "added_mass_infinite")


def test_one_of_several_has_its_own_numbers_alone() -> None:
    data = bodies(3)
    one = data.only([2, 1])
    rows = np.r_[12:18, 6:12]
    np.testing.assert_array_equal(one.excitation, data.excitation[..., rows])
    for name in ("added_mass", "damping"):
        np.testing.assert_array_equal(getattr(one, name), getattr(data, name)[:, rows][:, :, rows])
    for name in ("stiffness", *LIMITS):
        np.testing.assert_array_equal(getattr(one, name), getattr(data, name)[np.ix_(rows, rows)])
    for name in ("volume", "centre_of_buoyancy", "reference"):
        np.testing.assert_array_equal(getattr(one, name), getattr(data, name)[[2, 1]])


def test_added_mass_beyond_the_data_goes_to_its_limit_as_one_over_the_square() -> None:
    data = bodies(1)
    off = data.added_mass_at(3.2) - data.added_mass_infinite
    np.testing.assert_allclose(off, (data.added_mass[-1] - data.added_mass_infinite) / 4.0, rtol=1e-12)


def test_drift_is_made_dimensional_by_the_motion(tmp_path: Path) -> None:
    """ρ g L for a force, ρ g L² for a moment; the moment by another method (a negative mode) is left out."""
    (tmp_path / "hull.8").write_text("6.0 0 0 1 2.0 0 2.0 0\n6.0 0 0 -6 9.0 0 9.0 0\n6.0 0 0 6 3.0 0 3.0 0\n")
    drift = read_drift(tmp_path / "hull.8", Scale(DENSITY, GRAVITY, 5.0))
    assert drift.mean[0, 0, 0] == pytest.approx(2.0 * DENSITY * GRAVITY * 5.0)
    assert drift.mean[0, 0, 5] == pytest.approx(3.0 * DENSITY * GRAVITY * 25.0)
    assert drift.omega[0] == pytest.approx(2.0 * math.pi / 6.0)


def test_pairs_of_waves_that_a_file_leaves_out_are_the_conjugates(tmp_path: Path) -> None:
    """T(ω2, ω1) of a file that has ω1 ≥ ω2 alone; T as it stands, phases of e^{+i(ω1 − ω2)t}."""
    (tmp_path / "hull.12d").write_text("5.0 5.0 0 0 1 1 0 4.0 0\n8.0 8.0 0 0 1 1 0 2.0 0\n5.0 8.0 0 0 1 1 0 1.0 -3.0\n")
    drift = read_drift(tmp_path / "hull.12d", Scale(DENSITY, GRAVITY, 2.0))
    assert drift.matrix is not None
    slow, quick = 0, 1  # rising
    np.testing.assert_allclose(drift.matrix[0, quick, slow, 0], (1.0 - 3.0j) * DENSITY * GRAVITY * 2.0)
    np.testing.assert_allclose(drift.matrix[0, slow, quick, 0], (1.0 + 3.0j) * DENSITY * GRAVITY * 2.0)
    np.testing.assert_allclose(drift.mean[0, :, 0], np.array([2.0, 4.0]) * DENSITY * GRAVITY * 2.0)


def test_mean_drift_of_a_sea_is_twice_the_integral_and_nothing_above_the_data(tmp_path: Path) -> None:
    (tmp_path / "hull.8").write_text("".join(f"{2 * math.pi / w} 0 0 1 3.0 0 3.0 0\n" for w in (0.5, 1.0, 1.5)))
    drift = read_drift(tmp_path / "hull.8", Scale(1000.0, 10.0, 1.0))
    omega = np.linspace(0.2, 2.5, 2301)
    spectrum = np.where((omega > 0.4) & (omega < 2.0), 0.7, 0.0)
    assert drift.mean_force(omega, spectrum)[0] == pytest.approx(2.0 * 0.7 * 3.0e4 * 1.1, rel=2e-3)
