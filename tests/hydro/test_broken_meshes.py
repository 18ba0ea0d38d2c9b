"""Every broken mesh file is one clear sentence: which file, what is wrong, what to do."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fairlead.hydro import hulls
from fairlead.hydro.mesh_checks import MeshError
from fairlead.hydro.mesh_files import MOST_PANELS
from fairlead.hydro.panels import Panels
from fairlead.hydro.setup import hull_in_body
from fairlead.model.hydro import HullShape

SPHERE = hulls.sphere(1.0, 8).rigid
OUTWARD = SPHERE.quads[:, ::-1]


def obj(points: np.ndarray = SPHERE.vertices, quads: np.ndarray = OUTWARD) -> str:
    corners = "".join(f"v {x} {y} {z}\n" for x, y, z in points)
    return corners + "".join("f " + " ".join(str(c + 1) for c in quad) + "\n" for quad in quads)


def dat(points: np.ndarray = SPHERE.vertices, quads: np.ndarray = OUTWARD) -> str:
    corners = "".join(f"{k + 1} {x} {y} {z}\n" for k, (x, y, z) in enumerate(points))
    return f"2 0\n{corners}0 0. 0. 0.\n" + "".join(" ".join(str(c + 1) for c in quad) + "\n" for quad in quads)


def stl(panels: Panels = SPHERE) -> bytes:
    quads = panels.vertices[panels.quads[:, ::-1]]
    rows = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]).astype("<f4")
    return bytes(80) + struct.pack("<I", len(rows)) + b"".join(bytes(12) + row.tobytes() + bytes(2) for row in rows)


def text_stl() -> str:
    return "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"


def with_corner(value: object) -> np.ndarray:
    points = SPHERE.vertices.astype(object)
    points[3, 1] = value
    return points


def hull(folder: Path, name: str, content: str | bytes, depth: float = 5.0) -> hulls.Hull:
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    shape = HullShape.model_validate({"mesh": {"file": name}})
    return hull_in_body(shape, "buoy", -depth, folder)


GARBAGE = np.random.default_rng(0).bytes(400)
ONE_TURNED = OUTWARD.copy()
ONE_TURNED[0] = ONE_TURNED[0][::-1]
FLAT = SPHERE.vertices.copy()
FLAT[:, 2] = 0.0

BROKEN: dict[str, tuple[str, str | bytes, str]] = {
    "empty obj": ("a.obj", "", "the file is empty"),
    "empty stl": ("a.stl", b"", "the file is empty"),
    "empty dat": ("a.dat", "", "the file is empty"),
    "a head and no more": ("a.dat", "2 0\n", "line of zeros"),
    "truncated stl": ("a.stl", stl()[:-70], "shorter than it says"),
    "the head of an stl": ("a.stl", stl()[:60], "ends within its head"),
    "truncated text stl": ("a.stl", text_stl().replace("vertex 0 1 0\n", ""), "within a triangle"),
    "truncated dat": ("a.dat", dat()[:300], "a corner needs 4 numbers|line of zeros"),
    "garbage as obj": ("a.obj", GARBAGE, "binary data"),
    "garbage as stl": ("a.stl", GARBAGE, "shorter than it says"),
    "garbage as dat": ("a.dat", GARBAGE, "binary data"),
    "words for numbers": ("a.obj", obj().replace("v ", "v x", 1), "is not made of numbers"),
    "two coordinates": ("a.obj", "v 0 0\n" + obj(), "line 1: a corner needs 3 numbers"),
    "NaN": ("a.obj", obj(with_corner("nan")), "corner 4 of .* is not a finite number"),
    "infinity": ("a.dat", dat(with_corner("inf")), "corner 4 of .* is not a finite number"),
    "far away": ("a.obj", obj(with_corner(1e200)), "check the file's unit and 'scale'"),
    "a corner that is not there": ("a.obj", obj(quads=OUTWARD + 50), "names corner .*, but there are"),
    "a corner before the first": ("a.dat", dat(quads=OUTWARD - 3), "names corner -?\\d+, but there are"),
    "counted from 0": ("a.obj", obj(quads=OUTWARD - 1), "counted from 1, not 0"),
    "half a corner": ("a.obj", "v 0 0 0\nf 1 1.5 2\n", "is no number of a corner"),
    "five corners": ("a.obj", obj() + "f 1 2 3 4 5\n", "a panel with 5 corners"),
    "no panels": ("a.obj", obj(quads=OUTWARD[:0]), "has no panels"),
    "huge count": ("a.stl", bytes(80) + struct.pack("<I", 2**32 - 1) + bytes(50), "4294967295 triangles"),
    "far too many": ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + "f 1 2 3\n" * (MOST_PANELS + 1), "use a coarser mesh"),
    "a hole": ("a.obj", obj(quads=OUTWARD[1:]), "the mesh is open"),
    "a panel twice": ("a.obj", obj(quads=np.concatenate([OUTWARD, OUTWARD[:1]])), "more than two panels"),
    "one panel turned": ("a.obj", obj(quads=ONE_TURNED), "disagree on which side is outside"),
    "inside out": ("a.obj", obj(quads=OUTWARD[:, ::-1]), "inside out .*`inverted: true`"),
    "no area": ("a.obj", obj() + "v 0 0 0\n" + "f -1 -1 -1\n", "has no area"),
    "all in a plane": ("a.obj", obj(FLAT), "has no area|inside out|more than two panels|disagree"),
    "wrong extension": ("a.obj", stl(), "binary data"),
    "another format's extension": ("a.obj", dat(), "no line begins with 'v'"),
    "unknown extension": ("a.xyz", obj(), "meshio"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_mesh_is_one_sentence_with_file_cause_and_cure(tmp_path: Path, kind: str) -> None:
    name, content, cause = BROKEN[kind]
    with pytest.raises(MeshError, match=cause) as told:
        hull(tmp_path, name, content)
    text = str(told.value)
    assert name in text
    assert "\n" not in text
    assert "; " in text, "a cure is missing"


@pytest.mark.parametrize(
    "read",
    [
        lambda: obj().encode("utf-16"),
        lambda: b"\xef\xbb\xbf" + obj().encode(),
        lambda: ("# Schiffsk\xf6rper\n" + obj()).encode("latin-1"),
        lambda: obj().replace("\n", "\r\n").encode(),
    ],
    ids=["utf-16", "byte-order mark", "latin-1", "windows"],
)
def test_a_text_may_be_written_in_any_encoding(tmp_path: Path, read: Callable[[], bytes]) -> None:
    assert hull(tmp_path, "a.obj", read()).rigid.volume == pytest.approx(SPHERE.volume)


def test_a_file_that_may_not_be_read_and_a_folder_are_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "folder.obj").mkdir()
    with pytest.raises(MeshError, match="no such mesh file"):
        hull_in_body(HullShape.model_validate({"mesh": {"file": "folder.obj"}}), "buoy", -5.0, tmp_path)
    monkeypatch.setattr(Path, "read_bytes", refused)
    with pytest.raises(MeshError, match="Permission denied"):
        hull(tmp_path, "a.obj", obj())
