"""The code the README and the guide show runs as it stands, only for a shorter time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fairlead
from fairlead.model import load_text
from fairlead.words import NOTE

ROOT = Path(__file__).resolve().parents[2]
BLOCK = {language: re.compile(rf"```{language}\n(.*?)```", re.DOTALL) for language in ("python", "yaml")}
SHORTER = (
    ("duration=3600", "duration=3"),
    ("duration=7200", "duration=6"),
    ("duration=120", "duration=3"),
    ("sim.time < 60", "sim.time < 1"),
    ('"mooring.mp4", view="side"', '"mooring.gif", view="side", rate=1, size=(160, 120)'),
)


def blocks(page: str, language: str) -> list[str]:
    """The blocks of a language on a page; of YAML, those that are whole model files."""
    found = BLOCK[language].findall((ROOT / page).read_text(encoding="utf-8"))
    return [block for block in found if language != "yaml" or "cables:" in block]


@pytest.fixture
def mooring(tmp_path, monkeypatch) -> None:
    """The file of the quick start in an empty working folder."""
    monkeypatch.chdir(tmp_path)
    text = blocks("docs/quick_start.md", "yaml")[0].replace("duration: 60", "duration: 3")
    (tmp_path / "mooring.yaml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("page", ["README.md", "docs/quick_start.md"])
def test_the_files_shown_are_right(page):
    files = blocks(page, "yaml")
    assert files
    for text in files:
        load_text(text, page)


@pytest.mark.parametrize("page", ["README.md", "docs/quick_start.md"])
def test_the_first_file_shown_runs_without_a_warning(page):
    result = fairlead.simulate(load_text(blocks(page, "yaml")[0], page))
    assert [line for line in result.attrs["warnings"].splitlines() if not line.startswith(NOTE)] == []


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "docs/quick_start.md", "docs/vary.md"])
@pytest.mark.usefixtures("mooring")
def test_the_python_shown_runs(page, monkeypatch):
    monkeypatch.setattr("fairlead.view.report.report.FIGURES", ())  # figures have tests of their own
    monkeypatch.setattr("fairlead.pages.has_display", lambda: False)  # no window opens
    names = {"position_of_my_vessel": lambda time: (365.0, 0.0, -10.0)}
    for block in blocks(page, "python"):
        for long, short in SHORTER:
            block = block.replace(long, short)
        exec(compile(block, page, "exec"), names)


def test_the_vehicle_of_its_page_sails(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (text,) = blocks("docs/vehicles.md", "yaml")
    (tmp_path / "vehicle.yaml").write_text(text, encoding="utf-8")
    names = {}
    for block in blocks("docs/vehicles.md", "python"):
        exec(compile(block.replace("sim.time < 10", "sim.time < 2"), "docs/vehicles.md", "exec"), names)
    assert names["out"]["rov.position"][0] > 15.2
    assert names["out"]["rov.yaw"] > 0.0


def test_the_results_page_names_what_exists():
    for block in blocks("docs/results.md", "python"):
        compile(block, "docs/results.md", "exec")
        for name in re.findall(r"\bfl\.(\w+)", block):
            assert hasattr(fairlead, name), name


def test_the_page_on_python_lists_every_public_name():
    table = (ROOT / "docs/python.md").read_text(encoding="utf-8").partition("## Every name")[2]
    rows = "".join(line.rpartition("| ")[2] for line in table.splitlines() if line.startswith("| "))
    listed = re.findall(r"`(\w+)`", rows.replace("`fairlead`", ""))
    assert sorted(listed) == sorted({*fairlead.__all__} - {"__version__"})
