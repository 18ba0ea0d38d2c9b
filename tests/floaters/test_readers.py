"""Every format gives the same coefficients in SI units and one convention; what is missing or mixed up is named."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
from scipy.io import netcdf_file

from fairlead.floaters import DOFS, CoefficientError, Coefficients, read

from .wamit_files import write

FEW = slice(3, 40, 8)


@pytest.fixture(scope="module")
def small(ball: Coefficients) -> Coefficients:
    """Five frequencies and three headings of the hemisphere, with a coupling that tells rows from columns."""
    added, damping = ball.added_mass[FEW].copy(), ball.damping[FEW].copy()
    added[:, 0, 4], added[:, 4, 0] = -1e5, -2e5
    damping[:, 0, 4], damping[:, 4, 0] = 3e3, 4e3
    return replace(
        ball, omega=ball.omega[FEW], added_mass=added, damping=damping, headings=ball.headings[[9, 18, 27]],
        excitation=ball.excitation[[9, 18, 27]][:, FEW],
    )  # fmt: skip


def same(found: Coefficients, wanted: Coefficients, limits: bool = True) -> None:
    names = ["omega", "headings", "added_mass", "damping", "excitation", "stiffness"]
    names += ["added_mass_infinite", "added_mass_zero"] if limits else []
    for name in names:
        np.testing.assert_allclose(getattr(found, name), getattr(wanted, name), rtol=1e-9, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("length", [1.0, 5.0])
@pytest.mark.parametrize("column", ["period", "frequency", "wave_number"])
def test_wamit(tmp_path: Path, small: Coefficients, length: float, column: str) -> None:
    """Whatever its first column, its unit of length, a line of text on top and Fortran's exponents."""
    root = write(tmp_path / "ball", small, length, column, head=" WAMIT Numeric Output -- Filename  ball.1")
    for given in (root, root.with_name("ball.3"), root.with_name("ball.hst")):
        same(read(given, length=length, first_column=column), small)


def test_the_spar_of_oc3_at_half_a_radian_per_second(tmp_path: Path) -> None:
    """Rows of the public Spar.1, .3 and .hst (OpenFAST/r-test, OC3 Hywind): what they are in SI units."""
    (tmp_path / "spar.1").write_text(
        " -0.100000E+01     1     1  7.787967E+03\n  0.000000E+00     1     1  7.569865E+03\n"
        "  0.125664E+02     1     1  7.850557E+03  9.020802E+01\n"
        "  0.125664E+02     1     5 -4.749439E+05 -3.305830D+03\n"
    )
    (tmp_path / "spar.3").write_text(
        "  0.125664E+02  0.000000E+00     1  1.190100E+02  8.946663E+01  1.107863E+00  1.190049E+02\n"
    )
    (tmp_path / "spar.hst").write_text("     3     3   3.312247E+01\n     4     4  -4.973414E+05\n")
    spar = read(tmp_path / "spar")
    assert spar.added_mass[0, 0, 0] == pytest.approx(8046820.9, rel=1e-6)
    assert spar.damping[0, 0, 0] == pytest.approx(46231.50, rel=1e-6)
    assert spar.added_mass[0, 0, 4] == pytest.approx(-4.868175e8, rel=1e-6)
    assert spar.added_mass_infinite is not None
    assert spar.added_mass_infinite[0, 0] == pytest.approx(7759111.6, rel=1e-6)
    assert spar.stiffness[2, 2] == pytest.approx(332941.0, rel=1e-6)
    assert spar.stiffness[3, 3] == pytest.approx(-4.999184e9, rel=1e-6)
    assert abs(spar.excitation[0, 0, 0]) == pytest.approx(1196267, rel=1e-6)
    assert math.degrees(np.angle(spar.excitation[0, 0, 0])) == pytest.approx(89.467, abs=1e-3)


def test_hams_says_in_its_control_file_what_its_first_column_is(tmp_path: Path, small: Coefficients) -> None:
    folder = tmp_path / "Output" / "Wamit_format"
    folder.mkdir(parents=True)
    write(folder / "Buoy", small, column="wave_number")
    with pytest.raises(CoefficientError, match=r"nothing says which; put it beside the file, or give 'first_column'"):
        read(folder / "Buoy.1")
    control = tmp_path / "Input" / "ControlFile.in"
    control.parent.mkdir()
    control.write_text("   Waterdepth  -1.0D0\n   Output_frequency_type    2\n")
    same(read(folder / "Buoy.1"), small)
    same(read(control), small)
    control.write_text("   Waterdepth  -1.0D0\n   Output_frequency_type    3\n")
    assert read(folder / "Buoy.1").omega[0] == pytest.approx(small.omega[0] ** 2 / small.gravity)


NEMOH = """\
--- Environment ---
{rho} ! RHO
{g} ! G
0. ! DEPTH
0. 0. ! XEFF YEFF
--- Description of floating bodies ---
1 ! Number of bodies
--- Body 1 ---
ball.dat ! Name of mesh file
10 10 ! points and panels
6 ! degrees of freedom
1 1. 0. 0. 0. 0. 0.
1 0. 1. 0. 0. 0. 0.
1 0. 0. 1. 0. 0. 0.
2 1. 0. 0. 0. 0. 0.
2 0. 1. 0. 0. 0. 0.
2 0. 0. 1. 0. 0. 0.
6 ! forces
1 1. 0. 0. 0. 0. 0.
1 0. 1. 0. 0. 0. 0.
1 0. 0. 1. 0. 0. 0.
2 1. 0. 0. 0. 0. 0.
2 0. 1. 0. 0. 0. 0.
2 0. 0. 1. 0. 0. 0.
0 ! lines of additional information
--- Load cases to be solved ---
5 0.5 5.3 ! frequencies
3 -90. 90. ! directions
"""


@pytest.mark.parametrize("degrees", [False, True])
def test_nemoh(tmp_path: Path, small: Coefficients, degrees: bool) -> None:
    """A zone for each radiating motion, phases of e^{-iωt}; version 3 has them in degrees and its files in results."""
    (tmp_path / "Nemoh.cal").write_text(NEMOH.format(rho=small.density, g=small.gravity))
    folder = tmp_path / "results" if degrees else tmp_path
    folder.mkdir(exist_ok=True)
    lines = ['VARIABLES="w (rad/s)"', '"A 1 1" "B 1 1"']
    for j in range(6):
        lines.append('Zone t="Motion of body 1"')
        for n, w in enumerate(small.omega):
            pairs = [f"{small.added_mass[n, i, j]!r} {small.damping[n, i, j]!r}" for i in range(6)]
            lines.append(f"{w!r} " + " ".join(pairs).replace("np.float64(", "").replace(")", ""))
    (folder / "RadiationCoefficients.tec").write_text("\n".join(lines).replace("np.float64(", "").replace(")", ""))
    lines = ['VARIABLES="w (rad/s)"']
    for h in range(3):
        lines.append('Zone t="Diffraction force"')
        for n, w in enumerate(small.omega):
            force = small.excitation[h, n].conj()
            angle = np.angle(force) * (180 / np.pi if degrees else 1.0)
            lines.append(f"{w:.15g} " + " ".join(f"{abs(x):.15g} {a:.15g}" for x, a in zip(force, angle, strict=True)))
    (folder / "ExcitationForce.tec").write_text("\n".join(lines))
    rows = "\n".join(" ".join(f"{value:.15g}" for value in row) for row in small.stiffness)
    (tmp_path / "KH.dat").write_text(rows + "\n")
    (tmp_path / "Hydrostatics.dat").write_text(
        " XF =   0.000 - XG =   0.000\n YF =   0.000 - YG =  0.000\n ZF =  -1.875 - ZG =  0.000\n Displacement = 261.8"
    )
    for given in (tmp_path, tmp_path / "Nemoh.cal"):
        found = read(given)
        same(found, small, limits=False)
        assert found.volume[0] == 261.8
        assert found.centre_of_buoyancy[0, 2] == -1.875
        assert found.depth == math.inf


def capytaine_variables(data: Coefficients) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
    force = np.swapaxes(data.excitation.conj(), 0, 1)
    added = np.concatenate([data.added_mass, data.added_mass_infinite[None], data.added_mass[:1] * np.nan])
    damping = np.concatenate([data.damping, data.damping[:1] * 0, data.damping[:1] * np.nan])
    force = np.concatenate([force, force[:1] * 0, force[:1] * np.nan])
    radiating = ("omega", "radiating_dof", "influenced_dof")
    return {
        "omega": (("omega",), np.concatenate([data.omega, [np.inf, 9.0]])),
        "wave_direction": (("wave_direction",), data.headings),
        "added_mass": (radiating, np.swapaxes(added, 1, 2)),
        "radiation_damping": (radiating, np.swapaxes(damping, 1, 2)),
        "excitation_force": (
            ("complex", "omega", "wave_direction", "influenced_dof"), np.stack([force.real, force.imag]),
        ),
        "hydrostatic_stiffness": (("influenced_dof", "radiating_dof"), data.stiffness),
        "rho": ((), np.array(data.density)),
        "g": ((), np.array(data.gravity)),
        "water_depth": ((), np.array(np.inf)),
    }  # fmt: skip


@pytest.mark.parametrize("version", [3, 4])
def test_capytaine(tmp_path: Path, small: Coefficients, version: int) -> None:
    """Radiating motions first, e^{-iωt}, an infinite frequency among the others and one that was not computed."""
    path, variables = tmp_path / "ball.nc", capytaine_variables(small)
    names = [f"ball__{dof.capitalize()}" for dof in DOFS]
    if version == 3:
        with netcdf_file(path, "w") as file:
            for _, (dims, value) in variables.items():
                for dim, size in zip(dims, value.shape, strict=True):
                    if dim not in file.dimensions:
                        file.createDimension(dim, size)
            file.createDimension("string", 11)
            for name, (dims, value) in variables.items():
                file.createVariable(name, "d", dims)[...] = value
            for name in ("radiating_dof", "influenced_dof"):
                text = np.array([list(one.ljust(11, "\0")) for one in names], "S1")
                file.createVariable(name, "c", (name, "string"))[:] = text
    else:
        with h5py.File(path, "w") as file:
            for name, (_, value) in variables.items():
                file[name] = value
            file["radiating_dof"] = file["influenced_dof"] = names
    found = read(path)
    same(found, replace(small, added_mass_zero=found.added_mass_zero), limits=False)
    np.testing.assert_allclose(found.added_mass_infinite, small.added_mass_infinite)
    assert found.stiffness_has_weight
    assert found.notes == ("1 frequencies that were not computed (NaN) are left out",)


@pytest.mark.parametrize("turned", [False, True])
def test_bemio(tmp_path: Path, small: Coefficients, turned: bool) -> None:
    """Numbers without dimension, arrays as MATLAB writes them or as h5py does."""
    path, rho, g = tmp_path / "ball.h5", small.density, small.gravity

    def put(value: np.ndarray) -> np.ndarray:
        return value.T if turned else value

    with h5py.File(path, "w") as file:
        for name, value in (("w", small.omega), ("wave_dir", np.degrees(small.headings)), ("rho", rho), ("g", g)):
            file[f"simulation_parameters/{name}"] = value
        file["simulation_parameters/water_depth"] = "infinite"
        file["simulation_parameters/scaled"] = 0
        body = file.create_group("body1")
        body["properties/cg"], body["properties/cb"] = [0.0, 0.0, 0.0], [0.0, 0.0, -1.875]
        body["properties/disp_vol"] = 261.8
        of = body.create_group("hydro_coeffs")
        of["added_mass/all"] = put(np.moveaxis(small.added_mass, 0, 2) / rho)
        of["added_mass/inf_freq"] = small.added_mass_infinite / rho
        of["radiation_damping/all"] = put(np.moveaxis(small.damping / small.omega[:, None, None], 0, 2) / rho)
        for name, part in (("re", small.excitation.real), ("im", small.excitation.imag)):
            of[f"excitation/{name}"] = put(np.moveaxis(part, 2, 0) / rho / g)
        of["linear_restoring_stiffness"] = small.stiffness / rho / g
    found = read(path)
    same(found, replace(small, added_mass_zero=found.added_mass_zero), limits=False)
    np.testing.assert_allclose(found.added_mass_infinite, small.added_mass_infinite)
    assert found.volume[0] == 261.8
    assert found.depth == math.inf


def test_a_crest_at_the_origin_of_the_file_is_moved_to_the_reference(tmp_path: Path, small: Coefficients) -> None:
    """A wave along x reaches x = 30 m by k 30 m later: seen from there the force comes as much earlier."""
    write(tmp_path / "far", small)
    near, far = read(tmp_path / "far"), read(tmp_path / "far", reference=(30, 0, 0))
    k = small.omega**2 / small.gravity
    np.testing.assert_allclose(far.excitation[1], near.excitation[1] * np.exp(1j * k * 30)[:, None], rtol=1e-9)
    np.testing.assert_allclose(far.excitation[2], near.excitation[2], rtol=1e-9)


def test_what_is_missing_or_broken_is_named(tmp_path: Path, small: Coefficients) -> None:
    write(tmp_path / "ball", small)
    (tmp_path / "ball.1").rename(tmp_path / "else.1")
    with pytest.raises(CoefficientError, match=r"ball\.1 is not there: without it there is neither added mass"):
        read(tmp_path / "ball.3")
    (tmp_path / "ball.1").write_text("1.0 1 1 2.0 3.0\n1.0 1 1 two 3.0\n")
    with pytest.raises(CoefficientError, match=r"ball\.1:2: holds text where 4 to 5 numbers belong"):
        read(tmp_path / "ball")
    (tmp_path / "ball.1").write_text("7.0 1 1 2.0\n7.5 1 1 2.0 1.0\n")
    with pytest.raises(CoefficientError, match="only the limits"):
        read(tmp_path / "ball")
    write(tmp_path / "ball", replace(small, omega=small.omega * 15))
    (tmp_path / "else.1").rename(tmp_path / "ball.1")
    with pytest.raises(CoefficientError, match=r"excitation from 9 to 81 rad/s: compute both for the same frequencies"):
        read(tmp_path / "ball")
    with pytest.raises(CoefficientError, match=r"nor are hull\.1, \.3 and \.hst"):
        read(tmp_path / "hull")
    (tmp_path / "hull.stl").write_text("solid")
    with pytest.raises(CoefficientError, match=r"is a mesh, not coefficients; 'fairlead floater .* --keep"):
        read(tmp_path / "hull.stl")
    (tmp_path / "lfs.h5").write_text("version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(CoefficientError, match="pointer of Git LFS"):
        read(tmp_path / "lfs.h5")
