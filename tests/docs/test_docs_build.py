"""The documentation builds without a warning, and says what the program says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fairlead.cli.main import COMMANDS
from fairlead.model import System
from fairlead.studies import verification

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def html(tmp_path_factory) -> Path:
    """The built pages."""
    folder = tmp_path_factory.mktemp("docs")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-d",
        folder / "doctrees",
        DOCS,
        folder / "html",
    ]
    outcome = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=ROOT)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert "WARNING" not in outcome.stderr
    return folder / "html"


def test_every_page_is_built(html):
    pages = {path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md") if "_build" not in path.parts}
    built = {path.relative_to(html).with_suffix("") for path in html.rglob("*.html")}
    assert pages <= built


def test_the_file_reference_comes_from_the_schema(html):
    text = (html / "model_file.html").read_text(encoding="utf-8")
    for key in System.model_fields:
        assert key in text
    assert "generated:" not in text


def test_every_command_is_described(html):
    text = (html / "command_line.html").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"Usage: fairlead {command}" in text


def test_every_example_is_in_the_gallery(html):
    text = (html / "gallery.html").read_text(encoding="utf-8")
    for path in (ROOT / "examples").glob("*.yaml"):
        assert f"examples/{path.name}" in text
        assert (DOCS / "images" / f"{path.stem}.png").exists(), "run `make pictures`"


def test_the_table_of_checks_is_complete():
    kept = json.loads((DOCS / "validation.json").read_text(encoding="utf-8"))
    assert set(kept) == set(verification.names()), "run `make validation`"
    assert all(record["passed"] for records in kept.values() for record in records)


def test_links_of_the_readme_lead_somewhere():
    for page in ("README.md", "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#]+)", (ROOT / page).read_text(encoding="utf-8")):
            assert "://" in target or (ROOT / target).exists(), target
