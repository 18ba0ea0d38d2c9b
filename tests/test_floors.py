"""Imports stand on floors: every part of the package has its floor, and none reaches up.

The floors themselves are the contracts of import-linter in `pyproject.toml`.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "fairlead"
PARTS = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists())
FORMULATIONS = sorted(path.parent.name for path in (PACKAGE / "formulations").glob("*/__init__.py"))


def contracts() -> dict[str, dict[str, object]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {contract["type"]: contract for contract in settings["tool"]["importlinter"]["contracts"]}


def imported_by_file(file: Path) -> set[str]:
    """Dotted names of our own modules that a file imports, wherever in it."""
    found = set()
    package = ["fairlead", *file.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            found |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith("fairlead.")}


def imported_by(folder: Path) -> set[str]:
    """The same of all files of a folder."""
    return set().union(*map(imported_by_file, folder.rglob("*.py")))


def test_all_contracts_are_kept():
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache"]
    outcome = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_a_floor(part):
    floors = " ".join(contracts()["layers"]["layers"])
    assert f"fairlead.{part}" in floors.replace("(", "").replace(")", "").split()


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_formulation_is_independent_and_unknown_to_co_simulation(formulation):
    module = f"fairlead.formulations.{formulation}"
    assert module in contracts()["independence"]["modules"]
    assert not any(name.startswith(module) for name in imported_by(PACKAGE / "cosim"))


@pytest.mark.parametrize("file", sorted((PACKAGE / "formulations").glob("*.py")), ids=lambda file: file.stem)
def test_beside_the_formulations_stands_only_what_is_made_of_their_contract(file):
    parts = {"__init__", "contract", "first_state", "phases"}  # the contract itself, and what it speaks of
    made_of = ("fairlead.formulations.contract", "fairlead.formulations.kernel_compiled")
    assert file.stem in parts or any(name.startswith(made_of) for name in imported_by_file(file))


@pytest.mark.parametrize("part", ["algebra", "results"])
def test_the_ground_floor_knows_no_model(part):
    assert not [name for name in imported_by(PACKAGE / part) if name.startswith("fairlead.model")]


def test_pictures_use_only_the_ground_floor():
    allowed = ("fairlead.model", "fairlead.results", "fairlead.algebra", "fairlead.view", "fairlead.words")
    assert not [name for name in imported_by(PACKAGE / "view") if not name.startswith(allowed)]
