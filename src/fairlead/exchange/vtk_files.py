"""Cables as lines for ParaView: one file a sample in a folder, and a collection (.pvd) beside it with their times.

Open the collection; ParaView plays it. A cable is a polyline, the variables along it are data on its points.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .choice import Choice
from .errors import ExportError

if TYPE_CHECKING:
    import xarray as xr

USUAL = ("tension_effective", "bending_moment", "velocity")
MOST_FILES = 20_000
HEAD = '<?xml version="1.0"?>\n<VTKFile type="{}" version="1.0" byte_order="LittleEndian" header_type="UInt32">\n'
END = "</VTKFile>\n"


def write_vtk(dataset: xr.Dataset, path: Path, choice: Choice) -> list[Path]:
    """Write the collection `run.pvd` and the folder `run` for `run.pvd` or `run.vtk`; the collection is the first."""
    part = choice.of(dataset)
    if "cable" not in part.dims:
        raise ExportError("the result has no cables, and only cables are drawn as lines; choose csv, xlsx or mat")
    if part.sizes["time"] > MOST_FILES:
        raise ExportError(f"that would be {part.sizes['time']} files, one a sample; thin them with --every")
    if not np.isfinite(part["position"].values).any():
        raise ExportError("no node of the result has a place, so that there is nothing to draw; run it again")
    names = [name for name in choice.names(part, USUAL) if "node" in part[name].dims and name != "position"]
    counts = part["node_count"].values
    folder, collection = path.with_suffix(""), path.with_suffix(".pvd")
    if folder.exists() and not folder.is_dir():
        raise ExportError(f"{folder}, where samples go, is there and no folder; choose another name with -o")
    folder.mkdir(exist_ok=True)
    before = _named(collection, folder)
    digits = len(str(part.sizes["time"] - 1))
    files, entries = [], []
    for sample, time in enumerate(part["time"].values):
        file = folder / f"{folder.name}_{sample:0{digits}d}.vtp"
        file.write_text(_polylines(part.isel(time=sample), names, counts), encoding="ascii")
        files.append(file)
        entries.append(f'<DataSet timestep="{float(time)!r}" file="{_escaped(f"{folder.name}/{file.name}")}"/>\n')
    text = HEAD.format("Collection") + "<Collection>\n" + "".join(entries) + "</Collection>\n" + END
    collection.write_text(text, encoding="utf-8")
    for file in before - set(files):
        file.unlink(missing_ok=True)
    return [collection, *files]


def _named(collection: Path, folder: Path) -> set[Path]:
    """Samples in the folder that an earlier collection of this name has."""
    if not collection.is_file():
        return set()
    sample = re.escape(_escaped(folder.name))
    text = collection.read_text(encoding="utf-8", errors="replace")
    found = re.findall(rf'file="{sample}/({sample}_\d+\.vtp)"', text)
    return {folder / name.replace("&quot;", '"').replace("&lt;", "<").replace("&amp;", "&") for name in found}


def _polylines(sample: xr.Dataset, names: list[str], counts: NDArray[np.int64]) -> str:
    """One sample. What lies on a drum or is not there (NaN) is left out."""
    position = sample["position"].values
    here = [np.flatnonzero(np.isfinite(position[i, :count]).all(axis=1)) for i, count in enumerate(counts)]
    sizes = np.array([len(nodes) for nodes in here])
    ends, total = np.cumsum(sizes)[sizes > 0], int(sizes.sum())
    cable = np.repeat(np.arange(len(here)), sizes)
    data = [_array(name, _gathered(sample[name].values, here)) for name in names]
    return "".join(
        [
            HEAD.format("PolyData"),
            f'<PolyData>\n<Piece NumberOfPoints="{total}" NumberOfLines="{len(ends)}">\n',
            "<Points>\n", _array("position", _gathered(position, here)), "</Points>\n",
            "<Lines>\n", _array("connectivity", np.arange(total)), _array("offsets", ends), "</Lines>\n",
            "<PointData>\n", _array("cable", cable), *data, "</PointData>\n",
            "</Piece>\n</PolyData>\n", END,
        ]
    )  # fmt: skip


def _array(name: str, values: NDArray[np.generic]) -> str:
    """An array (point,) or (point, 3) in base 64: every digit is kept, and text would be three times as long."""
    kind, numbers = ("Float64", "<f8") if values.dtype.kind == "f" else ("Int64", "<i8")
    data = values.astype(numbers).tobytes()
    coded = base64.b64encode(np.array(len(data), dtype="<u4").tobytes() + data).decode()
    parts = values.shape[1] if values.ndim == 2 else 1
    head = f'<DataArray type="{kind}" Name="{_escaped(name)}" NumberOfComponents="{parts}" format="binary">'
    return f"{head}{coded}</DataArray>\n"


def _gathered(values: NDArray[np.float64], here: list[NDArray[np.int64]]) -> NDArray[np.float64]:
    return np.concatenate([values[i, nodes] for i, nodes in enumerate(here)]).astype(np.float64)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
