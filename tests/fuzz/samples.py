"""A sound sample of every file that Fairlead reads, and how it is read."""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from exchange.decks import MOORPY, OLD, PINS, RODS, SPREAD
from floaters.test_readers import NEMOH, capytaine_variables
from model.files import EVERYTHING, SINKING
from model.files import SPREAD as SPREAD_FILE
from study.conftest import LINE, STUDY
from view.spreads import lowered_load

import fairlead as fl
from fairlead.exchange import open_model as open_any
from fairlead.floaters import DOFS, Coefficients, read
from fairlead.floaters.checks import findings
from fairlead.floaters.drift import read_drift
from fairlead.floaters.hemisphere import hemisphere
from fairlead.floaters.writing import write_wamit
from fairlead.formulations.reduced.model_file import ReducedModel
from fairlead.formulations.reduced.model_file import open_model as open_reduced
from fairlead.hydro import hulls
from fairlead.hydro.mesh_files import hull_of, read_mesh
from fairlead.model import load, warnings
from fairlead.results import ResultError
from fairlead.results.hdf5 import write_dataset
from fairlead.study.check import read_ready
from fairlead.study.store import _read as read_batch

from .mutations import damaged


@dataclass(frozen=True)
class Sample:
    """files: those that are damaged, one at a time; beside: those that stay whole; text: whether they are text.

    ending: bytes at the end that stay. Without its checksums a file is first read by another process, which takes long.
    """

    files: dict[str, bytes]
    read: Callable[[Path], Any]
    text: bool = True
    beside: dict[str, bytes] = field(default_factory=dict)
    count: int = 200
    ending: int = 0

    def damaged(self, name: str, seed: int) -> bytes:
        data = self.files[name]
        end = len(data) - self.ending
        return damaged(data[:end], seed, self.text) + data[end:]


def _system(folder: Path, name: str) -> None:
    warnings(load(folder / name))


def _foreign(folder: Path, name: str) -> None:
    warnings(open_any(folder / name)[0])


def _coefficients(folder: Path, name: str, **options: Any) -> None:
    findings(read(folder / name, **options))


def _batch() -> bytes:
    file = io.BytesIO()
    rows = {"numbers": np.arange(3), "digests": np.arange(3), "values": np.ones((3, 2)), "failed_at": np.zeros(3)}
    np.savez(file, identity="0", version="1", status=np.array(["complete"] * 3), seconds=1.0, **rows)
    return file.getvalue()


def _read_batch(path: Path) -> None:
    """A damaged batch counts as missing."""
    if read_batch(path) is None:
        raise ResultError("cannot be read; its scenarios are run again")


def _mesh(folder: Path, name: str) -> None:
    hull_of(read_mesh(folder / name), name, np.array([0.0, 0.0, -5.0]))


def encoded(texts: dict[str, str]) -> dict[str, bytes]:
    return {name: text.encode() for name, text in texts.items()}


def ball() -> Coefficients:
    return hemisphere(5.0, np.linspace(0.3, 5.0, 5), np.radians([-90.0, 0.0, 90.0]))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def nemoh(small: Coefficients) -> dict[str, str]:
    def zones(values: np.ndarray) -> str:
        lines = ['VARIABLES="w (rad/s)"']
        for zone in values:
            lines.append('Zone t="Motion"')
            lines += [f"{w:.6g} " + " ".join(f"{x:.6g}" for x in row) for w, row in zip(small.omega, zone, strict=True)]
        return "\n".join(lines)

    pairs = np.stack([small.added_mass, small.damping], axis=-1)  # (nw, force, motion, 2)
    radiation = np.moveaxis(pairs, 2, 0).reshape(6, len(small.omega), 12)
    force = small.excitation.conj()
    waves = np.stack([np.abs(force), np.angle(force)], axis=-1).reshape(*force.shape[:2], 12)
    return {
        "Nemoh.cal": NEMOH.format(rho=small.density, g=small.gravity),
        "RadiationCoefficients.tec": zones(radiation),
        "ExcitationForce.tec": zones(waves),
        "KH.dat": "\n".join(" ".join(f"{value:.6g}" for value in row) for row in small.stiffness),
        "Hydrostatics.dat": " XF =   0.0 - XG =   0.0\n YF =   0.0 - YG =  0.0\n ZF =  -1.9\n Displacement = 261.8",
    }  # fmt: skip


def drift_file() -> str:
    rows = [
        f"{t:.4g} {b:g} {b:g} {i} {v:.5g} 0 {v:.5g} 0"
        for t in (5, 8, 12)
        for b in (0, 90)
        for i, v in ((1, 0.3), (2, 0.1))
    ]
    return "\n".join(rows) + "\n"


def bemio(path: Path, small: Coefficients) -> None:
    rho, g = small.density, small.gravity
    with h5py.File(path, "w") as file:
        for name, value in (("w", small.omega), ("wave_dir", np.degrees(small.headings)), ("rho", rho), ("g", g)):
            file[f"simulation_parameters/{name}"] = value
        file["simulation_parameters/water_depth"] = "infinite"
        file["simulation_parameters/scaled"] = 0
        body = file.create_group("body1")
        body["properties/cg"], body["properties/cb"] = [0.0, 0.0, 0.0], [0.0, 0.0, -1.875]
        body["properties/disp_vol"] = 261.8
        of = body.create_group("hydro_coeffs")
        of["added_mass/all"] = np.moveaxis(small.added_mass, 0, 2) / rho
        of["added_mass/inf_freq"] = small.added_mass_infinite / rho
        of["radiation_damping/all"] = np.moveaxis(small.damping / small.omega[:, None, None], 0, 2) / rho
        for name, part in (("re", small.excitation.real), ("im", small.excitation.imag)):
            of[f"excitation/{name}"] = np.moveaxis(part, 2, 0) / rho / g
        of["linear_restoring_stiffness"] = small.stiffness / rho / g


def capytaine(path: Path, small: Coefficients, version: int) -> None:
    variables, names = capytaine_variables(small), [f"ball__{dof.capitalize()}" for dof in DOFS]
    if version == 4:
        with h5py.File(path, "w") as file:
            for name, (_, value) in variables.items():
                file[name] = value
            file["radiating_dof"] = file["influenced_dof"] = names
        return
    from scipy.io import netcdf_file

    with netcdf_file(path, "w") as file:
        for dims, value in variables.values():
            for dim, size in zip(dims, value.shape, strict=True):
                if dim not in file.dimensions:
                    file.createDimension(dim, size)
        file.createDimension("string", 11)
        for name, (dims, value) in variables.items():
            file.createVariable(name, "d", dims)[...] = value
        for name in ("radiating_dof", "influenced_dof"):
            text = np.array([list(one.ljust(11, "\0")) for one in names], "S1")
            file.createVariable(name, "c", (name, "string"))[:] = text


SUMS = 64  # bytes of the end of the checksums of a file
SPHERE = hulls.sphere(1.0, 6).rigid
FACES = SPHERE.quads[:, ::-1]


def meshes() -> dict[str, bytes]:
    points = SPHERE.vertices
    corners = "".join(f"v {x:.6g} {y:.6g} {z:.6g}\n" for x, y, z in points)
    obj = corners + "".join("f " + " ".join(str(c + 1) for c in quad) + "\n" for quad in FACES)
    dat = "2 0\n" + "".join(f"{k + 1} {x:.6g} {y:.6g} {z:.6g}\n" for k, (x, y, z) in enumerate(points)) + "0 0 0 0\n"
    dat += "".join(" ".join(str(c + 1) for c in quad) + "\n" for quad in FACES) + "0 0 0 0\n"
    quads = points[FACES]
    rows = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]).astype("<f4")
    stl = bytes(80) + struct.pack("<I", len(rows)) + b"".join(bytes(12) + r.tobytes() + bytes(2) for r in rows)
    text = "solid s\n" + "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x:.6g} {y:.6g} {z:.6g}\n" for x, y, z in row)
        + "endloop\nendfacet\n" for row in rows.reshape(-1, 3, 3).tolist()
    )  # fmt: skip
    return {"hull.obj": obj.encode(), "hull.dat": dat.encode(), "text.stl": text.encode(), "hull.stl": stl,
            "hull.ply": ply(), "text.ply": text_ply()}  # fmt: skip


def _ply_head(form: str) -> str:
    return (
        f"ply\nformat {form} 1.0\ncomment a ball\nelement vertex {len(SPHERE.vertices)}\nproperty float x\n"
        f"property float y\nproperty float z\nelement face {len(FACES)}\nproperty list uchar int vertex_indices\n"
        "end_header\n"
    )


def text_ply() -> bytes:
    body = "".join(f"{x:.6g} {y:.6g} {z:.6g}\n" for x, y, z in SPHERE.vertices)
    return (_ply_head("ascii") + body + "".join("4 " + " ".join(map(str, quad)) + "\n" for quad in FACES)).encode()


def ply() -> bytes:
    faces = b"".join(struct.pack("<B4i", 4, *map(int, quad)) for quad in FACES)
    return _ply_head("binary_little_endian").encode() + SPHERE.vertices.astype("<f4").tobytes() + faces


def reduced(path: Path) -> None:
    numbers = {
        "along": np.linspace(0.0, 1.0, 3), "mean": np.zeros((3, 3)), "modes": np.ones((3, 3, 2)),
        "tensions": np.ones((2, 1)), "singular_values": np.ones(2), "tension_values": np.ones(1),
    }  # fmt: skip
    ReducedModel(cables=("line",), source="lumped", element="straight", identity={}, **numbers).save(path)


def result(path: Path) -> None:
    write_dataset(lowered_load(samples=3), path)


CATALOGUE = """\
environment: {seabed: {depth: 80}}
types:
  chain: {catalogue: chain_studless, nominal_diameter: 0.1, grade: R4, corrosion: 0.004}
points:
  anchor: {kind: anchor, position: [0, 0]}
  fairlead: {kind: controlled, position: [365, 0, -10]}
cables:
  line: {type: chain, length: 385, elements: 9, start: anchor, end: fairlead}
simulation: {duration: 120, step: 0.04}
"""
DRIVEN = """\
environment:
  seabed: {bathymetry: {soundings: {file: soundings.csv}}}
  waves: {kind: record, csv: {file: waves.csv, columns: [eta]}}
  current_field: {file: current.csv}
types:
  chain: {diameter: 0.1, mass_per_length: 60, axial_stiffness: 2e8}
points:
  anchor: {kind: anchor, position: [60, 0]}
  top: {kind: controlled, position: [0, 0, -1]}
cables:
  line: {type: chain, length: 75, elements: 5, start: anchor, end: top}
inputs:
  top.velocity: {csv: {file: motion.csv, columns: [u, v, w]}}
simulation: {formulation: lumped, duration: 4, step: 0.05}
"""
TIMES = np.linspace(0.0, 4.0, 21)
TABLES = {
    "motion.csv": "time,u,v,w\n" + "".join(f"{t:.3f},{math.cos(t):.4f},0,{math.sin(t):.4f}\n" for t in TIMES),
    "waves.csv": "time,eta\n" + "".join(f"{t:.3f},{math.sin(t):.4f}\n" for t in TIMES),
    "soundings.csv": "x,y,depth\n"
    + "".join(f"{x},{y},{40 + 0.1 * x}\n" for x in (-100, 0, 100) for y in (-100, 0, 100)),
    "current.csv": "t,z,vx,vy,vz\n" + "".join(f"{t},{z},0.5,0.1,0\n" for t in (0, 10) for z in (-40, 0)),
}
GRID = DRIVEN.replace("{soundings: {file: soundings.csv}}", "{file: depths.txt}")
DEPTHS = "3 2\n-100 0 100\n-100 100\n" + "".join(
    f"{x} {y} {40 + 0.1 * x}\n" for x in (-100, 0, 100) for y in (-100, 100)
)


def samples(folder: Path) -> dict[str, Sample]:
    """All of them; `folder` is free for making some."""
    small = ball()
    write_wamit(folder / "wamit" / "ball" if (folder / "wamit").mkdir() is None else folder, small)
    wamit = contents(folder / "wamit")
    for name, make in (
        ("three.nc", lambda path: capytaine(path, small, 3)), ("four.nc", lambda path: capytaine(path, small, 4)),
        ("ball.h5", lambda path: bemio(path, small)), ("line.rom.nc", reduced), ("run.nc", result),
    ):  # fmt: skip
        make(folder / name)

    def whole(name: str) -> dict[str, bytes]:
        return {name: (folder / name).read_bytes()}

    models = {"catalogue": CATALOGUE, "sinking": SINKING, "everything": EVERYTHING, "spread": SPREAD_FILE, "line": LINE}
    decks = {"spread": SPREAD, "old": OLD, "rods": RODS, "pins": PINS}
    hams = {f"Output/Wamit_format/{name}": data for name, data in wamit.items()}
    control = b"   Waterdepth  -1.0D0\n   Output_frequency_type    4\n"
    found = {
        "MoorPy": Sample({"a.yaml": MOORPY.encode()}, lambda f: _foreign(f, "a.yaml")),
        "WAMIT": Sample(wamit, lambda f: _coefficients(f, "ball")),
        "drift": Sample({"ball.9": drift_file().encode()}, lambda f: read_drift(f / "ball.9")),
        "HAMS": Sample({**hams, "Input/ControlFile.in": control}, lambda f: _coefficients(f, "Input/ControlFile.in")),
        "NEMOH": Sample(encoded(nemoh(small)), lambda f: _coefficients(f, "Nemoh.cal")),
        "Capytaine, NetCDF-3": Sample(whole("three.nc"), lambda f: _coefficients(f, "three.nc"), text=False),
        "Capytaine, NetCDF-4": Sample(whole("four.nc"), lambda f: _coefficients(f, "four.nc"), text=False, count=3),
        "BEMIO": Sample(whole("ball.h5"), lambda f: _coefficients(f, "ball.h5"), text=False, count=3),
        "result": Sample(whole("run.nc"), lambda f: fl.open_result(f / "run.nc"), text=False, ending=SUMS),
        "reduced model": Sample(
            whole("line.rom.nc"), lambda f: open_reduced(f / "line.rom.nc"), text=False, ending=SUMS
        ),
        "batches of a study": Sample(
            {"batch_000001.npz": _batch()}, lambda f: _read_batch(f / "batch_000001.npz"), text=False
        ),
    }  # fmt: skip
    line, tables = {"line.yaml": LINE.encode()}, encoded(TABLES)
    found["study"] = Sample({"s.yaml": STUDY.encode()}, lambda f: read_ready(f / "s.yaml"), beside=line, count=80)
    own = {"a.yaml": DRIVEN.encode()}
    found["tables"] = Sample(tables, lambda f: _system(f, "a.yaml"), beside=own, count=100)
    own = {"a.yaml": GRID.encode(), **tables}
    found["depths"] = Sample({"depths.txt": DEPTHS.encode()}, lambda f: _system(f, "a.yaml"), beside=own, count=100)
    for name, text in models.items():
        found[f"model {name}"] = Sample({"a.yaml": text.encode()}, lambda f: _system(f, "a.yaml"), count=60)
    for name, text in decks.items():
        found[f"MoorDyn {name}"] = Sample({"a.txt": text.encode()}, lambda f: _foreign(f, "a.txt"), count=100)
    for name, data in meshes().items():
        binary = name in ("hull.stl", "hull.ply")
        found[f"mesh {name}"] = Sample({name: data}, lambda f, name=name: _mesh(f, name), text=not binary, count=80)
    return found
