"""`fairlead plot` and `fairlead schema`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.mark.usefixtures("toy_formulation")
def test_pictures_are_named_after_the_result_or_put_in_a_folder(fairlead, chain_file):
    fairlead("run", chain_file, "--duration", "1", "--quiet")
    result = fairlead("plot", "chain.nc", "--kind", "tension_history")
    assert result.stdout == "chain_tension_history.png\n"
    assert Path("chain_tension_history.png").exists()
    result = fairlead("plot", "chain.nc", "-o", "pictures", "--kind", "energy", "--format", "svg")
    assert result.stdout == "pictures/energy.svg\n"


@pytest.mark.usefixtures("toy_formulation")
def test_a_name_of_a_picture_is_the_file_that_is_written(fairlead, chain_file):
    fairlead("run", chain_file, "--duration", "1", "--quiet")
    assert fairlead("plot", "chain.nc", "-o", "x.png").stdout == "x.png\n"
    assert Path("x.png").read_bytes().startswith(b"\x89PNG")
    assert fairlead("plot", "chain.nc", "-o", "y.SVG", "--kind", "energy").stdout == "y.SVG\n"
    assert "<svg" in Path("y.SVG").read_text()
    several = fairlead("plot", "chain.nc", "-o", "x.png", "--kind", "energy", "--kind", "geometry")
    assert several.exit_code == 2
    assert "x.png holds one picture, not 2 kinds; name a folder with -o" in several.stderr


def test_a_file_that_is_no_result_is_refused(fairlead, chain_file):
    result = fairlead("plot", "chain.yaml")
    assert result.exit_code == 2
    assert "is not a NetCDF file" in result.stderr


def test_the_schema_is_json(fairlead, tmp_path):
    schema = json.loads(fairlead("schema").stdout)
    assert "cables" in schema["properties"]
    assert fairlead("schema", "-o", tmp_path / "schema.json").stdout == ""
    assert json.loads((tmp_path / "schema.json").read_text()) == schema
