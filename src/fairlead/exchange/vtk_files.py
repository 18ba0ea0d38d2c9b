"""Cables as lines for ParaView: one legacy VTK file a sample and a `.series` file that names them with their times.

Open the `.series` file; ParaView plays it. A cable is a polyline, the variables along it are data on its points.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .choice import Choice
from .errors import ExportError

if TYPE_CHECKING:
    import xarray as xr

USUAL = ("tension_effective", "bending_moment", "velocity")
MOST_FILES = 20_000


def write_vtk(dataset: xr.Dataset, path: Path, choice: Choice) -> list[Path]:
    """Write the files beside `path` and return them, the `.series` file first."""
    part = choice.of(dataset)
    if "cable" not in part.dims:
        raise ExportError("the result has no cables, and only cables are drawn as lines; choose csv, xlsx or mat")
    if part.sizes["time"] > MOST_FILES:
        raise ExportError(f"that would be {part.sizes['time']} files, one a sample; thin them with --every")
    if not np.isfinite(part["position"].values).any():
        raise ExportError("no node of the result has a place, so that there is nothing to draw; run it again")
    names = [name for name in choice.names(part, USUAL) if "node" in part[name].dims and name != "position"]
    counts = part["node_count"].values
    digits = len(str(part.sizes["time"] - 1))
    written = []
    for sample in range(part.sizes["time"]):
        file = path.with_name(f"{path.stem}_{sample:0{digits}d}.vtk")
        file.write_bytes(_polylines(part.isel(time=sample), names, counts))
        written.append(file)
    series = path.with_name(f"{path.stem}.vtk.series")
    entries = [{"name": f.name, "time": float(t)} for f, t in zip(written, part["time"].values, strict=True)]
    series.write_text(json.dumps({"file-series-version": "1.0", "files": entries}, indent=1))
    return [series, *written]


def _polylines(sample: xr.Dataset, names: list[str], counts: np.ndarray) -> bytes:
    """One sample. What lies on a drum or is not there (NaN) is left out."""
    position = sample["position"].values
    here = [np.flatnonzero(np.isfinite(position[i, :count]).all(axis=1)) for i, count in enumerate(counts)]
    total = sum(map(len, here))
    title = " ".join(str(sample.attrs.get("title", "")).split()).encode("ascii", "replace")[:200] or b"Fairlead"
    out = [b"# vtk DataFile Version 3.0\n", title + b"\n", b"BINARY\nDATASET POLYDATA\n"]
    out += [f"POINTS {total} double\n".encode(), _gathered(position, here), b"\n"]
    lines, first = [np.empty(0)], 0
    for nodes in here:
        if len(nodes):
            lines.append(np.concatenate(([len(nodes)], first + np.arange(len(nodes)))))
        first += len(nodes)
    out += [f"LINES {len(lines) - 1} {sum(map(len, lines))}\n".encode(), np.concatenate(lines).astype(">i4").tobytes()]
    out.append(f"\nPOINT_DATA {total}\n".encode())
    cable = np.concatenate([np.full(len(nodes), float(i)) for i, nodes in enumerate(here)])
    out += [b"SCALARS cable double 1\nLOOKUP_TABLE default\n", cable.astype(">f8").tobytes(), b"\n"]
    for name in names:
        values = sample[name].values
        head = f"VECTORS {name} double\n" if values.ndim == 3 else f"SCALARS {name} double 1\nLOOKUP_TABLE default\n"
        out += [head.encode(), _gathered(values, here), b"\n"]
    return b"".join(out)


def _gathered(values: np.ndarray, here: list[np.ndarray]) -> bytes:
    return np.concatenate([values[i, nodes] for i, nodes in enumerate(here)]).astype(">f8").tobytes()
