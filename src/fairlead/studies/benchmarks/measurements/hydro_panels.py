"""Constant beside linear panels: error of a sphere's added mass in unbounded fluid, for as many unknowns.

The solver has constant panels. A prototype with φ linear over triangles, collocated at their corners, is here beside
it on the same surface. Linear panels are not more accurate for as many unknowns on a sphere (0.88 % beside 0.66 % with
600), since the error is that of the flat facets; and they need two unknowns at every edge of a hull and along the
waterline, where the normal jumps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fairlead.hydro import hulls
from fairlead.hydro.influence import influence
from fairlead.hydro.panels import Floats, Panels
from fairlead.studies.benchmarks.record import Record

AROUND = (16, 24, 32, 40)


def measure() -> Iterator[Record]:
    """Errors in per cent of ½ of the displaced mass."""
    for around in AROUND:
        body = hulls.sphere(1.0, around).rigid
        nodes, triangles = as_triangles(body)
        constant, linear = by_constant_panels(body), by_linear_panels(nodes, triangles)
        name = f"hydro, sphere, error of the added mass, {len(body)} constant panels"
        peer = f"{len(nodes)} corners of linear panels"
        yield Record(name, 100.0 * abs(2.0 * constant - 1.0), "%", peer, 100.0 * abs(2.0 * linear - 1.0))


def by_constant_panels(body: Panels) -> float:
    """Added mass in heave, of the displaced mass, as the solver has it."""
    S, D = influence(body)
    along = body.normals[:, 2]
    phi = np.linalg.solve(D + 2.0 * math.pi * np.eye(len(body)), S @ along)
    return float(phi @ (along * body.areas)) / body.volume


def as_triangles(body: Panels) -> tuple[Floats, np.ndarray]:
    """Corners without doubles (n, 3), and triangles (m, 3) over them."""
    nodes, number = np.unique(np.round(body.vertices, 12), axis=0, return_inverse=True)
    quads = np.ravel(number)[body.quads]
    return nodes, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def by_linear_panels(nodes: Floats, triangles: np.ndarray) -> float:
    """The same with φ linear over each triangle, φ_n constant over it."""
    flat = Panels(nodes, np.column_stack([triangles, triangles[:, 2]]))
    S, _ = influence(flat, points=nodes)
    D = np.zeros((len(nodes), len(nodes)))
    shares = barycentric(4)
    for shape in shares:
        place = np.einsum("k,mkc->mc", shape, nodes[triangles])
        away = nodes[:, None, :] - place
        square = np.einsum("imc,imc->im", away, away)
        kernel = np.einsum("imc,mc->im", away, flat.normals) / square**1.5 * flat.areas / len(shares)
        for k in range(3):
            touching = triangles[None, :, :] == np.arange(len(nodes))[:, None, None]
            np.add.at(D.T, triangles[:, k], shape[k] * np.where(touching.any(axis=2), 0.0, kernel).T)
    D[np.diag_indices(len(D))] += 4.0 * math.pi - D.sum(axis=1)
    along = flat.normals[:, 2]
    phi = np.linalg.solve(D, S @ along)
    return float(phi[triangles].mean(axis=1) @ (along * flat.areas)) / flat.volume


def barycentric(n: int) -> Floats:
    """Middles of the n² triangles a triangle is cut into, in shares of its corners (n², 3)."""
    up = [(i + 1 / 3, j + 1 / 3) for i in range(n) for j in range(n - i)]
    down = [(i + 2 / 3, j + 2 / 3) for i in range(n) for j in range(n - i - 1)]
    a, b = np.array(up + down).T / n
    return np.column_stack([a, b, 1.0 - a - b])
