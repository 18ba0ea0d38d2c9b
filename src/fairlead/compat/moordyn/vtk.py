"""Lines as VTK's XML polylines for ParaView, with the tension of each segment."""

from __future__ import annotations

from pathlib import Path

import numpy as np

HEAD = '<?xml version="1.0"?>\n<VTKFile type="{}" version="1.0" byte_order="LittleEndian">\n'


def vtk_files(path: Path, lines: list[tuple[np.ndarray, np.ndarray]]) -> list[tuple[Path, bytes]]:
    """Files to write: places (nodes, 3) and tensions (segments,) of each line; a `.vtm` names a `.vtp` beside it."""
    if path.suffix.lower() != ".vtm":
        return [(path, _polylines(lines))]
    part = path.with_suffix(".vtp")
    index = f'<vtkMultiBlockDataSet>\n<DataSet index="0" file="{part.name}"/>\n</vtkMultiBlockDataSet>\n</VTKFile>\n'
    return [(part, _polylines(lines)), (path, (HEAD.format("vtkMultiBlockDataSet") + index).encode())]


def _polylines(lines: list[tuple[np.ndarray, np.ndarray]]) -> bytes:
    """Every segment is a line of two points, so that it can carry its tension."""
    places = np.concatenate([nodes for nodes, _ in lines])
    ends, first = [], 0
    for nodes, _ in lines:
        k = first + np.arange(len(nodes) - 1)
        ends.append(np.stack([k, k + 1], axis=1))
        first += len(nodes)
    pairs = np.concatenate(ends)
    tension = np.concatenate([values for _, values in lines])
    text = HEAD.format("PolyData")
    text += f'<PolyData>\n<Piece NumberOfPoints="{len(places)}" NumberOfLines="{len(pairs)}">\n'
    text += f"<Points>\n{_array('Float64', '', places, 3)}</Points>\n"
    offsets = 2 * np.arange(1, len(pairs) + 1)
    text += f"<Lines>\n{_array('Int64', 'connectivity', pairs)}{_array('Int64', 'offsets', offsets)}</Lines>\n"
    text += f'<CellData Scalars="tension">\n{_array("Float64", "tension", tension)}</CellData>\n'
    return (text + "</Piece>\n</PolyData>\n</VTKFile>\n").encode()


def _array(kind: str, name: str, values: np.ndarray, components: int = 1) -> str:
    numbers = " ".join(f"{value:.9g}" for value in values.ravel())
    head = f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="ascii">'
    return f"{head}{numbers}</DataArray>\n"
