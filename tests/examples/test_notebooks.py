"""The notebooks that ship run as they are, and show what they are for: tables, bars, figures, the replay."""

from __future__ import annotations

import json

import nbformat
import pytest
from nbclient import NotebookClient

from .files import FOLDER

SHOWN = {
    "mooring_varied": ("table", "table", "table", "text", "bar figure", "table", "figure"),
    "tow_looked_at": ("table", "table", "bar table", "figure", "figure", "replay", "text", "text"),
}
"""What each cell of code leaves under it, in order."""


def kind(output: nbformat.NotebookNode) -> str:
    """What a reader sees of an output."""
    data = output.get("data", {})
    html = data.get("text/html", "")
    if output["output_type"] == "display_data" and '<progress value="1.0000" max="1"' in html:
        return "bar"
    if "image/png" in data:
        return "figure"
    if html.startswith("<iframe srcdoc="):
        return "replay"
    if "<table" in html or "xr-wrap" in html:
        return "table"
    return "text" if output.get("name") != "stderr" else f"stderr: {output['text']}"


def test_every_notebook_is_tried_and_listed_on_the_page_on_python():
    assert {path.stem for path in FOLDER.glob("notebooks/*.ipynb")} == set(SHOWN)
    page = (FOLDER.parent / "docs" / "python.md").read_text(encoding="utf-8")
    assert all(f"(../examples/notebooks/{name}.ipynb)" in page for name in SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_runs_and_shows_itself(name, tmp_path, monkeypatch):
    monkeypatch.delenv("MPLBACKEND", raising=False)  # as a person's kernel begins
    book = nbformat.read(FOLDER / "notebooks" / f"{name}.ipynb", as_version=4)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code), "kept without what it printed"
    assert not any(line.startswith(("%", "!")) for cell in code for line in cell.source.splitlines()), "no magic"
    NotebookClient(book, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert tuple(" ".join(map(kind, cell.outputs)) for cell in code) == SHOWN[name], json.dumps(
        [[str(output)[:300] for output in cell.outputs] for cell in code], indent=1
    )
    assert list(tmp_path.iterdir()) == [], "a notebook leaves nothing behind"
