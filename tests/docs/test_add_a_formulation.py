"""The page on adding a formulation is true: what it names is there, and its steps make a formulation that runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_args

from fairlead.formulations import NAMES
from fairlead.formulations.contract import Compiled
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.model import SimulationSettings

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "add_a_formulation.md").read_text(encoding="utf-8")
FOLDERS = ROOT / "src" / "fairlead" / "formulations"
SYSTEM = """
points: {A: {kind: fixed, position: [0, 0, -5]}, B: {kind: controlled, position: [8, 0, -5]}}
types: {wire: {diameter: 0.02, density: 7850, youngs_modulus: 2e11}}
cables: {line: {type: wire, length: 10, elements: 4, start: A, end: B}}
simulation: {formulation: mine, duration: 0.5, step: 0.01, output_every: 0.1}
"""
RUN = """
import fairlead as fl
result = fl.simulate(fl.load("mine.yaml"))
print(result.attrs["formulation"], result.attrs["status"], float(result["tension_effective"].max()) > 0.0)
"""


def lines_of(folder: Path) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in folder.glob("*.py"))


def test_the_formulation_shown_is_the_smallest():
    smallest = min(NAMES, key=lambda name: lines_of(FOLDERS / name))
    assert smallest == "chain"
    files = re.findall(r"^\| `(\w+\.py)` \|", PAGE, re.MULTILINE)
    assert sorted(files) == sorted(path.name for path in (FOLDERS / "chain").glob("*.py"))


def test_files_and_members_that_the_page_names_are_there():
    paths = {path for path in re.findall(r"`((?:src|docs|tests)/[\w/.]+)`", PAGE) if "mine" not in path}
    assert len(paths) >= 7
    for path in [*paths, "pyproject.toml"]:
        assert (ROOT / path).exists(), path
    known = {name for owner in (KernelCompiled, Compiled) for name in (*dir(owner), *owner.__annotations__)}
    for head in ("it gives", "member"):
        table = re.search(rf"\| {head} \|.*?\n\n", PAGE, re.DOTALL)
        assert table
        for cell in re.findall(r"^\| (`.+?`) \|", table.group(), re.MULTILINE):
            for name in re.findall(r"`(\w+)", cell):
                assert name in known, name


def test_every_formulation_went_through_the_steps():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    independent = next(c for c in settings["importlinter"]["contracts"] if c["type"] == "independence")["modules"]
    kernels = [module for rules in settings["mypy"]["overrides"] for module in rules["module"]]
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    which = (ROOT / "docs" / "which_formulation.md").read_text(encoding="utf-8")
    theory = {"reduced": "reduction"}
    assert set(get_args(SimulationSettings.model_fields["formulation"].annotation)) == set(NAMES)
    for name in NAMES:
        assert f"fairlead.formulations.{name}" in independent
        assert f"fairlead.formulations.{name}.*" in kernels
        assert f"theory/{theory.get(name, name)}\n" in index
        assert (ROOT / "docs" / "theory" / f"{theory.get(name, name)}.md").exists()
        assert f"`{name}`" in which
        assert (ROOT / "tests" / "formulations" / name).is_dir()


def test_a_copy_of_the_smallest_made_by_these_steps_runs(tmp_path):
    """Steps 1 and 2, in a copy of the program."""
    package = tmp_path / "src" / "fairlead"
    shutil.copytree(ROOT / "src" / "fairlead", package)
    mine = package / "formulations" / "mine"
    shutil.copytree(package / "formulations" / "chain", mine)

    def change(path: Path, old: str, new: str) -> None:
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{path.name} has no {old}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    change(mine / "compiled_chain.py", 'formulation: ClassVar[str] = "chain"', 'formulation: ClassVar[str] = "mine"')
    change(package / "formulations" / "__init__.py", "NAMES = (", 'NAMES = ("mine", ')
    change(package / "model" / "settings.py", "formulation: Literal[", 'formulation: Literal["mine", ')
    (tmp_path / "mine.yaml").write_text(SYSTEM, encoding="utf-8")
    environment = {"PYTHONPATH": str(tmp_path / "src"), "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PATH": "/usr/bin"}
    environment["NUMBA_OPT"] = "0"  # for a few steps of four elements it need not be quick
    command = [sys.executable, "-c", RUN]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.stdout.split() == ["mine", "complete", "True"], ran.stderr
