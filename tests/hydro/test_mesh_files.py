"""Meshes from files: read, turned the right way round, cut at the water, and refused when they are no hull."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import numpy as np
import pytest

from fairlead.hydro import hulls
from fairlead.hydro.hydrostatics import hydrostatics
from fairlead.hydro.mesh_checks import MeshError, check_closed
from fairlead.hydro.mesh_files import cut, hull_of, read_mesh, waterlines
from fairlead.hydro.panels import Panels

SPHERE = hulls.sphere(1.0, 32).rigid


def outward(panels: Panels) -> np.ndarray:
    return panels.quads[:, ::-1]


def as_obj(panels: Panels) -> str:
    corners = "".join(f"v {x:.17g} {y:.17g} {z:.17g}\n" for x, y, z in panels.vertices)
    return corners + "".join(f"f {a + 1}/1 {b + 1}/1 {c + 1}/1 {d + 1}/1\n" for a, b, c, d in outward(panels))


def as_nemoh(panels: Panels) -> str:
    corners = "".join(f"{k + 1} {x:.17g} {y:.17g} {z:.17g}\n" for k, (x, y, z) in enumerate(panels.vertices))
    quads = "".join(" ".join(str(c + 1) for c in quad) + "\n" for quad in outward(panels))
    return f"2 0\n{corners}0 0. 0. 0.\n{quads}0 0 0 0\n"


def triangles(panels: Panels) -> np.ndarray:
    quads = panels.vertices[outward(panels)]
    return np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def as_binary_stl(panels: Panels) -> bytes:
    rows = triangles(panels).astype("<f4")
    return bytes(80) + struct.pack("<I", len(rows)) + b"".join(bytes(12) + row.tobytes() + bytes(2) for row in rows)


def as_text_stl(panels: Panels) -> str:
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in row)
        + "endloop\nendfacet\n" for row in triangles(panels)
    )  # fmt: skip
    return f"solid s\n{facets}endsolid s\n"


@pytest.mark.parametrize("kind", ["obj", "dat", "binary.stl", "text.stl"])
def test_a_sphere_read_from_a_file_is_a_sphere(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"hull.{kind}"
    content = {"obj": as_obj, "dat": as_nemoh, "binary.stl": as_binary_stl, "text.stl": as_text_stl}[kind](SPHERE)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    panels = read_mesh(path, scale=2.0)
    check_closed(panels, "hull")
    assert panels.volume == pytest.approx(8.0 * SPHERE.volume, rel=1e-5)


def test_an_inverted_file_is_refused_unless_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "hull.obj"
    path.write_text(as_obj(Panels(SPHERE.vertices, SPHERE.quads[:, ::-1])))
    with pytest.raises(MeshError, match="inside out"):
        check_closed(read_mesh(path), "hull")
    check_closed(read_mesh(path, inverted=True), "hull")


def test_a_sphere_cut_at_its_middle_is_half_of_it() -> None:
    wet = cut(SPHERE)
    check_closed(wet, "hull", open_at=0.0)
    assert hydrostatics(wet).volume == pytest.approx(0.5 * SPHERE.volume, rel=1e-9)
    (line,) = waterlines(wet)
    area = 0.5 * np.sum(line[:, 0] * np.roll(line[:, 1], -1) - np.roll(line[:, 0], -1) * line[:, 1])
    assert area == pytest.approx(hydrostatics(wet).waterplane_area, rel=1e-12)


@pytest.mark.parametrize("height", [-0.3, 0.0, 0.55])
def test_a_cut_sphere_displaces_the_cap_below_the_water(height: float) -> None:
    hull = hull_of(SPHERE, "hull", np.array([0.0, 0.0, height]))
    d = 1.0 - height
    assert hydrostatics(hull.wetted(np.array([0.0, 0.0, height]))).volume == pytest.approx(
        math.pi * d**2 * (3.0 - d) / 3.0, rel=0.01
    )


def test_a_body_above_the_water_is_refused() -> None:
    with pytest.raises(MeshError, match=r"above the water.*lowest point is at z = 0\.99"):
        hull_of(SPHERE, "hull", np.array([0.0, 0.0, 2.0]))


def test_files_that_are_no_meshes(tmp_path: Path) -> None:
    with pytest.raises(MeshError, match="no such mesh file"):
        read_mesh(tmp_path / "missing.obj")
    bad = tmp_path / "bad.obj"
    bad.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
    with pytest.raises(MeshError, match="names corner 9, but there are 3"):
        read_mesh(bad)
    bad.write_text("v 0 zero 0\n")
    with pytest.raises(MeshError, match="cannot be read as a mesh"):
        read_mesh(bad)
    short = tmp_path / "short.stl"
    short.write_bytes(bytes(80) + struct.pack("<I", 5))
    with pytest.raises(MeshError, match="shorter than it says"):
        read_mesh(short)
