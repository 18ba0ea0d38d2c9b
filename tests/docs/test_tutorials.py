"""What the tutorials and the page on looking show is right: files load, Python runs, numbers are the program's."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import fairlead as fl
from fairlead import view
from fairlead.cli.main import COMMANDS, main
from fairlead.twin import load_twin, read_twin
from fairlead.view.catalogue import LIFT, OWN

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "looking.md", "tutorial_mooring.md", "tutorial_tow.md", "tutorial_floater.md", "tutorial_live_twin.md",
    "tutorial_reduction.md",
)  # fmt: skip


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page(name), re.DOTALL)


@pytest.fixture(scope="module")
def buoy() -> fl.System:
    return fl.load_text(blocks("tutorial_mooring.md", "yaml")[0])


@pytest.mark.parametrize("name", PAGES)
def test_the_commands_shown_exist_with_their_options(name):
    shown = [line for block in blocks(name, "console") for line in block.replace("\\\n", " ").splitlines()]
    calls = [call.split() for line in shown for call in line.removeprefix("$ ").split("&&")]
    assert calls
    for words in calls:
        if words[0] == "python":
            assert (ROOT / words[1]).exists() or (ROOT / "examples" / words[1]).exists()
            continue
        assert words[0] == "fairlead"
        assert words[1] in COMMANDS
        told = CliRunner().invoke(main, [words[1], "--help"]).output
        for option in (word for word in words if word.startswith("-")):
            assert option in told, (words[1], option)


def test_the_mooring_rests_as_the_tutorial_says(buoy):
    out = fl.Simulation(buoy).outputs()
    pulls = [np.linalg.norm(out[f"leg_{name}.force_end"]) / 1e3 for name in ("north", "west", "east")]
    assert pulls == pytest.approx([14.0, 16.7, 16.7], abs=0.05)
    assert out["buoy.position"][0] == pytest.approx(1.9, abs=0.05)


def test_the_boat_pulls_as_the_tutorial_says(buoy):
    result = fl.simulate(buoy, duration=35.0)
    tension = result["tension_effective"]
    assert float(tension.max()) / 1e3 == pytest.approx(36.7, rel=0.01)
    assert str(tension.max(("time", "node")).idxmax("cable").values) in ("leg_west", "leg_east")
    assert float(tension.sel(cable="leg_north").min()) < 0.02 * float(tension.max()), "the northern leg goes slack"


def test_the_tow_runs_as_the_tutorial_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "examples" / "towed_cable.yaml", tmp_path)
    (block,) = blocks("tutorial_tow.md", "python")
    exec(compile(block, "tutorial_tow.md", "exec"), {})
    said = re.findall(r"(\d) m/s: (\d+) m deep, ([\d.]+) kN", capsys.readouterr().out)
    table = re.findall(r"\| (\d) m/s \| (\d+) m \| ([\d.]+) kN \|", page("tutorial_tow.md"))
    assert said == table
    assert len(said) == 3


def test_the_python_of_looking_runs(tmp_path, monkeypatch, buoy):
    monkeypatch.chdir(tmp_path)
    result = fl.simulate(buoy, duration=30.0)
    result = result.assign_coords(cable=["line", "leg_west", "leg_east"])
    names = {"result": result}
    for block in blocks("looking.md", "python"):
        exec(compile(block, "looking.md", "exec"), names)
    assert (tmp_path / "envelopes.pdf").exists()


def test_every_kind_of_figure_is_described():
    (table,) = re.findall(r"\| kind \| shows \|\n(.*?)\n\n", page("looking.md"), re.DOTALL)
    kinds = [kind for row in table.splitlines()[1:] for kind in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert set(kinds) == {*view.KINDS, LIFT, *OWN}


def test_the_twin_of_the_tutorial_runs_and_its_file_is_that_of_the_example(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples" / "twin_mooring", tmp_path / "twin_mooring")
    (shown,) = blocks("tutorial_live_twin.md", "yaml")
    ours, file = read_twin(shown), load_twin(tmp_path / "twin_mooring" / "twin.yaml")
    assert (ours.drive, ours.sensors) == (file.drive, file.sensors)
    assert ours.estimate.parameters == file.estimate.parameters
    names: dict = {}
    for block in blocks("tutorial_live_twin.md", "python"):
        exec(compile(block, "tutorial_live_twin.md", "exec"), names)
    assert np.linalg.norm(names["pull"]) < np.linalg.norm(names["now"].mean["chain.force_end"]), "the seabed holds some"
    assert names["forecast"].mean("chain.tension")[-1] > 1.08 * names["forecast"].mean("chain.tension")[0]
