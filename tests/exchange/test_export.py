"""What another program reads back is what the result holds."""

from __future__ import annotations

import base64
import csv
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import xarray as xr
from openpyxl import load_workbook
from scipy.io import loadmat

from fairlead.exchange import Choice, ExportError, export


def _read_csv(path: Path) -> dict[str, np.ndarray]:
    with path.open(newline="") as stream:
        head, *rows = csv.reader(stream)
    values = np.array([[float(text) if text else np.nan for text in row] for row in rows])
    return dict(zip(head, values.T, strict=True))


def test_a_table_holds_every_digit_under_names_with_units(dataset: xr.Dataset, tmp_path: Path) -> None:
    table = _read_csv(export(dataset, tmp_path / "run.csv")[0])
    assert np.array_equal(table["time [s]"], dataset["time"].values)
    cable = str(dataset["cable"].values[1])
    count = int(dataset["node_count"].values[1])
    arc = float(dataset["arc_length"].values[1, count - 1])
    tension = dataset["tension_effective"].values[:, 1, count - 1]
    assert np.array_equal(table[f"{cable}.tension_effective@{arc:.6g} m [N]"], tension)
    assert np.array_equal(table[f"{cable}.force_end.z [N]"], dataset["force_end"].values[:, 1, 1, 2])
    assert np.array_equal(table[f"{cable}.force_start.x [N]"], dataset["force_end"].values[:, 1, 0, 0])
    point = str(dataset["point"].values[0])
    assert np.array_equal(table[f"{point}.position.y [m]"], dataset["point_position"].values[:, 0, 1])


def test_line_on_a_drum_is_named_from_where_it_leaves_the_drum(dataset: xr.Dataset, tmp_path: Path) -> None:
    """Not from the far end of what lies on it: of 1501 m with 30 m out the last node is 30 m off."""
    cable, count = str(dataset["cable"].values[0]), int(dataset["node_count"].values[0])
    spooled = dataset.assign({f"{cable}.winch.length": ("time", np.full(dataset.sizes["time"], 30.0))})
    table = _read_csv(export(spooled, tmp_path / "run.csv")[0])
    tension = dataset["tension_effective"].values[:, 0]
    assert np.array_equal(table[f"{cable}.tension_effective@30 m from its drum [N]"], tension[:, count - 1])
    assert np.array_equal(table[f"{cable}.tension_effective@drum [N]"], tension[:, 0])
    assert np.array_equal(table[f"{cable}.winch.length [m]"], np.full(dataset.sizes["time"], 30.0))


def test_the_tension_at_a_drum_is_that_of_the_first_node_off_it(dataset: xr.Dataset, tmp_path: Path) -> None:
    """Nodes on the drum have no tension; the column of the drum is full all the same."""
    cable = str(dataset["cable"].values[0])
    spooled = dataset.copy(deep=True).assign({f"{cable}.winch.length": ("time", np.full(dataset.sizes["time"], 30.0))})
    spooled["tension_effective"].values[:3, 0, :4] = np.nan
    table = _read_csv(export(spooled, tmp_path / "run.csv")[0])
    tension = dataset["tension_effective"].values[:, 0]
    assert np.array_equal(table[f"{cable}.tension_effective@drum [N]"], [*tension[:3, 4], *tension[3:, 0]])


def test_angles_of_bodies_are_in_degrees(dataset: xr.Dataset, tmp_path: Path) -> None:
    point = str(dataset["point"].values[0])
    turned = dataset.assign({f"{point}.pitch": ("time", np.full(dataset.sizes["time"], np.pi / 6))})
    table = _read_csv(export(turned, tmp_path / "run.csv")[0])
    assert np.allclose(table[f"{point}.pitch [deg]"], 30.0)


def test_chosen_variables_come_with_every_node_of_chosen_cables(dataset: xr.Dataset, tmp_path: Path) -> None:
    cable = str(dataset["cable"].values[0])
    choice = Choice(cables=[cable], variables=["position"], every=60.0)
    table = _read_csv(export(dataset, tmp_path / "run.csv", choice)[0])
    assert len(table) == 1 + 3 * int(dataset["node_count"].values[0])
    assert np.array_equal(table["time [s]"], np.arange(0.0, 601.0, 60.0))
    assert np.array_equal(table[f"{cable}.position@0 m.z [m]"], dataset["position"].values[::6, 0, 0, 2])


@pytest.mark.parametrize("every", [1e-3, 25.0, 1e9])
def test_thinning_takes_each_sample_once_and_the_nearest(dataset: xr.Dataset, every: float) -> None:
    thin = Choice(every=every).of(dataset)["time"].values
    assert np.all(np.diff(thin) > 0.0)
    assert thin[0] == 0.0
    wanted = np.arange(0.0, 600.0 + 0.5 * every, every)
    if every >= 10.0:
        assert all(np.min(np.abs(thin - t)) <= 5.0 for t in wanted)
    else:
        assert len(thin) == 61


def test_excel_has_a_sheet_a_cable(dataset: xr.Dataset, tmp_path: Path) -> None:
    (path,) = export(dataset, tmp_path / "run.xlsx")
    book = load_workbook(path, read_only=True)
    assert book.sheetnames == [*map(str, dataset["cable"].values), "points"]
    rows = list(book[str(dataset["cable"].values[0])].values)
    assert rows[0][0] == "time [s]"
    assert rows[-1][0] == 600.0
    assert rows[-1][1] == dataset["tension_effective"].values[-1, 0, 0]


def test_matlab_gets_arrays_labels_and_units(dataset: xr.Dataset, tmp_path: Path) -> None:
    (path,) = export(dataset, tmp_path / "run.mat")
    content = loadmat(path, squeeze_me=True)
    assert np.array_equal(content["position"], dataset["position"].values, equal_nan=True)
    assert [str(name) for name in content["cable"]] == list(map(str, dataset["cable"].values))
    assert str(content["units"]["tension_effective"]) == "N"


def read_piece(file: Path) -> tuple[ElementTree.Element, dict[str, np.ndarray]]:
    """The piece of a file of VTK's XML polylines, and its arrays by name."""
    piece = ElementTree.parse(file).getroot().find("PolyData/Piece")
    assert piece is not None
    arrays = {}
    for array in piece.iter("DataArray"):
        raw = base64.b64decode(array.text or "")
        size = int(np.frombuffer(raw, "<u4", 1)[0])
        assert len(raw) == 4 + size
        values = np.frombuffer(raw[4:], {"Float64": "<f8", "Int64": "<i8"}[array.attrib["type"]])
        parts = int(array.attrib["NumberOfComponents"])
        arrays[array.attrib["Name"]] = values.reshape(-1, parts) if parts > 1 else values
    return piece, arrays


@pytest.mark.parametrize("ending", ["vtk", "pvd"])
def test_paraview_gets_lines_with_their_tension(dataset: xr.Dataset, tmp_path: Path, ending: str) -> None:
    collection, *files = export(dataset, tmp_path / f"run.{ending}", Choice(every=300.0))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run", "run.pvd"], "one file and one folder"
    named = ElementTree.parse(collection).getroot().findall("Collection/DataSet")
    assert [float(entry.attrib["timestep"]) for entry in named] == [0.0, 300.0, 600.0]
    assert [tmp_path / entry.attrib["file"] for entry in named] == files
    piece, arrays = read_piece(files[-1])
    counts = dataset["node_count"].values
    assert int(piece.attrib["NumberOfPoints"]) == counts.sum()
    expected = np.concatenate([dataset["position"].values[-1, i, :n] for i, n in enumerate(counts)])
    assert np.array_equal(arrays["position"], expected)
    assert np.array_equal(arrays["offsets"], np.cumsum(counts)), "a line a cable"
    assert np.array_equal(arrays["connectivity"], np.arange(counts.sum()))
    assert arrays["tension_effective"][-1] == dataset["tension_effective"].values[-1, 1, counts[1] - 1]
    assert np.array_equal(np.unique(arrays["cable"]), np.arange(len(counts)))


def test_a_folder_for_paraview_holds_the_last_export_alone(dataset: xr.Dataset, tmp_path: Path) -> None:
    export(dataset, tmp_path / "run.pvd")
    mine = [tmp_path / "run" / name for name in ("run_notes.txt", "run_7777.vtp")]
    for file in mine:
        file.write_text("mine")
    _, *files = export(dataset, tmp_path / "run.pvd", Choice(every=300.0))
    assert sorted((tmp_path / "run").iterdir()) == sorted([*files, *mine])
    (tmp_path / "other").write_text("a file")
    with pytest.raises(ExportError, match=r"other, where samples go, is there and no folder; choose another name"):
        export(dataset, tmp_path / "other.vtk")


@pytest.mark.parametrize(
    ("name", "choice", "sentence"),
    [
        ("run.doc", Choice(), "is written as .csv, .xlsx, .mat, .vtk"),
        ("run.csv", Choice(cables=["lefd"]), "no cable 'lefd'; did you mean 'left'"),
        ("run.csv", Choice(variables=["tension"]), "no variable 'tension'; did you mean"),
        ("run.csv", Choice(every=0.0), "give a positive number"),
        ("nowhere/run.csv", Choice(), "cannot be written"),
    ],
)
def test_what_cannot_be_written_is_told(
    dataset: xr.Dataset, tmp_path: Path, name: str, choice: Choice, sentence: str
) -> None:
    with pytest.raises(ExportError) as caught:
        export(dataset, tmp_path / name, choice)
    assert sentence in str(caught.value)
