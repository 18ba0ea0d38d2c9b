"""The first shape in C against the first shape in Python: the same nodes and tensions, cable by cable."""

from __future__ import annotations

import ctypes
import subprocess

import numpy as np
import pytest

from fairlead.cosim.fmu import link
from fairlead.shape.chain import Hang
from fairlead.shape.immersed import hang_in_sea
from fairlead.shape.plane import Plane
from fairlead.shape.weight import CableWeight

PLACE = 1e-9
"""m"""


class Cable(ctypes.Structure):
    """`hang_cable` of `hang.h`."""

    _fields_ = (
        ("n", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("lengths", "diameters", "dry", "wet", "stiffness")),
        *((name, ctypes.c_void_p) for name in ("node_dry", "node_wet")),
        ("contact_radius", ctypes.c_double),
        *((name, ctypes.c_void_p) for name in ("start", "end")),
        ("has_bed", ctypes.c_int), ("bed_level", ctypes.c_double), ("bed_slope", ctypes.c_double * 2),
    )  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    made = tmp_path_factory.mktemp("hang") / "hang.so"
    command = [*link._compiler(link.host()), "-std=gnu11", "-O2", "-ffp-contract=off", "-fPIC", "-shared"]
    subprocess.run([*command, str(link.NATIVE / "hang.c"), "-lm", "-o", str(made)], check=True)
    loaded = ctypes.CDLL(str(made))
    loaded.hang_in_sea.restype = ctypes.c_char_p
    return loaded


def native(library, start, end, w: CableWeight, bed: Plane | None) -> tuple[np.ndarray, np.ndarray] | str:
    n = len(w.lengths)
    nodes, tensions = np.zeros((n + 1, 3)), np.zeros(n)
    arrays = [w.lengths, w.diameters, w.dry, w.wet, w.axial_stiffness, w.node_dry, w.node_wet, start, end]
    a = [np.ascontiguousarray(x, dtype=float) for x in arrays]
    p = [x.ctypes.data for x in a]
    level, slope = (0.0, (0.0, 0.0)) if bed is None else (bed.level, bed.slope)
    cable = Cable(n, *p[:7], w.contact_radius, p[7], p[8], bed is not None, level, (ctypes.c_double * 2)(*slope))
    fault = library.hang_in_sea(
        ctypes.byref(cable), ctypes.c_void_p(nodes.ctypes.data), ctypes.c_void_p(tensions.ctypes.data)
    )
    return fault.decode() if fault else (nodes, tensions)


def weight(lengths: np.ndarray, wet: float, attached: float = 0.0) -> CableWeight:
    """`wet` and dry weights of 30 N/m, and an attachment in the middle."""
    n = len(lengths)
    nodes = np.zeros(n + 1)
    nodes[n // 2] = attached
    return CableWeight(
        lengths=lengths, diameters=np.full(n, 0.05), dry=30.0 * lengths, wet=wet * lengths, node_dry=1.5 * nodes,
        node_wet=nodes, axial_stiffness=np.full(n, 1e6), contact_radius=0.025,
    )  # fmt: skip


def assert_same(found: tuple[np.ndarray, np.ndarray] | str, shape: Hang) -> None:
    assert not isinstance(found, str), found
    nodes, tensions = found
    assert np.abs(nodes - shape.nodes).max() <= PLACE
    assert np.abs(tensions - shape.tensions).max() <= 1e-8 * max(1.0, np.abs(shape.tensions).max())


@pytest.mark.parametrize("seed", range(40))
def test_a_cable_in_the_sea_lies_as_python_lays_it(library, seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 30))
    start, end = rng.uniform([0, 0, -30], [2, 2, 6]), rng.uniform([20, 5, -30], [40, 20, 6])
    chord = float(np.linalg.norm(end - start))
    lengths = rng.uniform(0.5, 1.5, n)
    lengths *= chord * rng.choice([0.999, 1.001, 1.01, 1.05, 1.3]) / lengths.sum()
    bed = None if seed % 3 == 0 else Plane(-32.0, tuple(rng.uniform(-0.02, 0.02, 2)) if seed % 3 == 1 else (0.0, 0.0))
    w = weight(lengths, rng.uniform(5.0, 25.0), rng.choice([0.0, 40.0]))
    shape = hang_in_sea(start, end, w, bed)
    found = native(library, start, end, w, bed)
    if isinstance(found, str):
        # said and refused: only what has no pull along the horizontal, or cannot be laid by this construction
        assert shape.state == "resting", (found, shape.state)
        assert shape.horizontal == 0.0 or not shape.balanced, found
    else:
        assert_same(found, shape)


def test_a_mooring_line_touches_down_where_python_has_it(library):
    w = weight(np.full(40, 2.5), 20.0)
    start, end = np.array([0.0, 0.0, -1.0]), np.array([85.0, 10.0, -30.0])
    for bed in (Plane(-30.0), Plane(-30.0, (0.0, 0.001))):
        shape = hang_in_sea(start, end, w, bed)
        assert shape.state == "resting"
        assert_same(native(library, start, end, w, bed), shape)


def test_a_vertical_cable_of_its_own_length_carries_its_weight(library):
    w = weight(np.full(5, 4.0), 12.0)
    start, end = np.array([1.0, 2.0, -5.0]), np.array([1.0, 2.0, -25.0])
    nodes, tensions = native(library, start, end, w, None)
    assert np.allclose(nodes[:, 2], np.linspace(-5, -25, 6))
    assert np.allclose(tensions, 12.0 * 20.0 - 12.0 * (np.arange(5) + 0.5) * 4.0)


def test_what_it_cannot_lay_it_says(library):
    start, end = np.array([0.0, 0.0, -5.0]), np.array([10.0, 0.0, -5.0])
    assert "floats" in native(library, start, end, weight(np.full(5, 4.0), -3.0), None)
    assert "slack" in native(library, start, end, weight(np.full(50, 4.0), 3.0), Plane(-30.0))
    assert "weighs nothing" in native(library, start, end, weight(np.full(5, 4.0), 0.0), None)
