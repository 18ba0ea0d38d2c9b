"""Coefficients from a mesh: what is asked of Capytaine, what is made of its answers, and a hemisphere by it."""

from __future__ import annotations

import logging
import math
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from test_mesh_files import as_obj, as_text_stl

from fairlead.cli.main import main
from fairlead.floaters import DOFS, CoefficientError, read
from fairlead.floaters.hemisphere import hemisphere
from fairlead.hydro import hulls
from fairlead.hydro.by_capytaine import coefficients_of

RADIUS = 5.0
OMEGA = (0.6, 1.2)


def sphere(folder: Path, panels: int = 16, kind: str = "obj") -> Path:
    """A sphere about the origin: half in the water."""
    path = folder / f"hull.{kind}"
    path.write_text({"obj": as_obj, "stl": as_text_stl}[kind](hulls.sphere(RADIUS, panels).rigid))
    return path


class Mesh:
    """Panels as Capytaine takes them: normals into the fluid, triangles that end where they begin."""

    def __init__(self, vertices: np.ndarray, faces: np.ndarray, name: str) -> None:
        corners = vertices[faces]
        self.vectors = 0.5 * np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
        ends = faces[:, 0] == faces[:, 3]
        self.vectors[ends] = 0.5 * np.cross(corners[ends, 1] - corners[ends, 0], corners[ends, 2] - corners[ends, 0])
        self.centres = np.where(ends[:, None], corners[:, :3].mean(axis=1), corners.mean(axis=1))

    def generate_lid(self) -> str:
        return "lid"


class Body:
    def __init__(self, mesh: Mesh, lid_mesh: object, dofs: Any, name: str) -> None:
        self.mesh, self.lid = mesh, lid_mesh
        moves = [*np.eye(3), *np.eye(3)]
        self.dofs = {}
        for k, (dof, axis) in enumerate(zip(DOFS, moves, strict=True)):
            arm = np.cross(axis, mesh.centres - np.array(dofs))
            self.dofs[dof.capitalize()] = np.sum((axis if k < 3 else arm) * mesh.vectors, axis=1)


class Solver:
    """Stands for Capytaine: not its physics, but its names, order and signs of time.

    Added mass is Σ of what a motion pushes out, by the panels alone; a long wave presses ρ g a (1 + iks) e^{-iωt}.
    """

    def solve(self, problem: Any, keep_details: bool) -> Any:
        body, records = problem.body, []
        for name, pushed in body.dofs.items():
            row: dict[str, Any] = {"influenced_dof": name}
            if problem.kind == "radiation":
                moved = body.dofs[problem.radiating_dof]
                row["added_mass"] = problem.rho * float(pushed @ moved) + (name == "Surge") * 7.0
                row["radiation_damping"] = problem.omega
            else:
                s = body.mesh.centres[:, :2] @ [math.cos(problem.wave_direction), math.sin(problem.wave_direction)]
                k, weight = problem.omega**2 / problem.g, problem.rho * problem.g
                row["Froude_Krylov_force"] = -weight * pushed.sum()
                row["diffraction_force"] = -1j * weight * k * (pushed @ s)
            records.append(row)
        return SimpleNamespace(records=records)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module: Any = ModuleType("capytaine")
    module.Mesh, module.FloatingBody, module.BEMSolver = Mesh, Body, Solver
    module.rigid_body_dofs = lambda rotation_center: rotation_center
    module.RadiationProblem = lambda **given: SimpleNamespace(kind="radiation", **given)
    module.DiffractionProblem = lambda **given: SimpleNamespace(kind="diffraction", **given)
    monkeypatch.setitem(sys.modules, "capytaine", module)
    return module


@pytest.mark.parametrize("kind", ["obj", "stl"])
def test_hull_and_answers_are_handed_over_the_right_way_round(kind: str, stand_in: ModuleType, tmp_path: Path) -> None:
    """Long waves: heave is ρ g A, surge leads by a quarter period, both as the signs of e^{+iωt} have them."""
    found = coefficients_of(sphere(tmp_path, 24, kind), omega=(0.2, 0.3))
    area = math.pi * RADIUS**2
    assert found.stiffness[2, 2] == pytest.approx(1025.0 * 9.80665 * area, rel=0.02)
    assert found.volume[0] == pytest.approx(2.0 / 3.0 * math.pi * RADIUS**3, rel=0.03)
    ahead = int(np.argmin(np.abs(found.headings)))
    heave, surge = found.excitation[ahead, 0, 2], found.excitation[ahead, 0, 0]
    assert heave == pytest.approx(found.stiffness[2, 2], rel=0.01)
    assert math.degrees(np.angle(surge)) == pytest.approx(90.0, abs=0.1)
    assert found.added_mass[0, 0, 2] == pytest.approx(7.0, abs=1.0)  # (force, motion): surge by heave
    assert found.added_mass[0, 2, 0] == pytest.approx(0.0, abs=1.0)
    assert found.damping[1, 3, 4] == 0.3
    assert found.added_mass_infinite is not None
    assert found.added_mass_infinite[2, 2] > 0.0


def test_floater_computes_them_and_keeps_them(stand_in: ModuleType, tmp_path: Path) -> None:
    mesh = sphere(tmp_path)
    words = ["floater", str(mesh), "--keep", str(tmp_path / "kept"), "--depth", "200", "--json"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    kept = read(tmp_path / "kept", depth=200.0)
    assert kept.headings.size == 25
    assert kept.stiffness[2, 2] == pytest.approx(1025.0 * 9.80665 * math.pi * RADIUS**2, rel=0.06)


def test_it_is_heard_of_errors_alone(
    stand_in: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A real run told of deep water 250 times; what it logs otherwise is as it was."""
    log, solve = logging.getLogger("capytaine"), Solver.solve

    def loud(self: Solver, *what: Any, **more: Any) -> Any:
        log.warning("deep water")
        return solve(self, *what, **more)

    monkeypatch.setattr(Solver, "solve", loud)
    level = log.level
    coefficients_of(sphere(tmp_path), omega=OMEGA)
    assert not caplog.records
    assert log.level == level


def test_without_capytaine_it_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "capytaine", None)
    with pytest.raises(CoefficientError, match=r"hull\.obj is a mesh.*fairlead\[capytaine\].*ARM there is no wheel"):
        coefficients_of(sphere(tmp_path))


def test_a_hull_above_the_water_is_refused(stand_in: ModuleType, tmp_path: Path) -> None:
    path = sphere(tmp_path)
    lifted = [f"v {x} {y} {float(z) + 9.0}" if v == "v" else " ".join([v, x, y, z, *more])
              for v, x, y, z, *more in map(str.split, path.read_text().splitlines())]  # fmt: skip
    path.write_text("\n".join(lifted))
    with pytest.raises(CoefficientError, match=r"the whole hull is above z = 0.*move it down"):
        coefficients_of(path)


def test_a_hemisphere_has_hulmes_coefficients(tmp_path: Path) -> None:
    """Where Capytaine is installed: its error falls as the size of the panels does (6.6 and 4.3 % of added mass with 32
    and 48 around), so that two meshes together give the closed solution within 1 %."""
    pytest.importorskip("capytaine", reason="computes coefficients from meshes; there is no wheel for Linux on ARM")
    coarse, fine = (coefficients_of(sphere(tmp_path, panels), omega=OMEGA) for panels in (32, 48))
    known = hemisphere(RADIUS, np.array(OMEGA), fine.headings)
    for i in (0, 2):
        for name in ("added_mass", "damping"):
            two, one, truth = (getattr(found, name)[:, i, i] for found in (coarse, fine, known))
            assert np.abs(one / truth - 1.0).max() < 0.07
            np.testing.assert_allclose(3.0 * one - 2.0 * two, truth, rtol=0.01)
        size = np.abs(known.excitation[:, :, i]).max()
        np.testing.assert_allclose(fine.excitation[:, :, i], known.excitation[:, :, i], atol=0.02 * size)
