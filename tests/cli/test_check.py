"""`fairlead check`."""

from __future__ import annotations

import json
import os

import pytest

pytestmark = pytest.mark.usefixtures("toy_formulation")


def test_a_good_file_is_counted(fairlead, chain_file):
    result = fairlead("check", chain_file)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:7] == [
        "a toy chain",
        "bars               8",
        "points             2",
        "junctions          0",
        "cables             1",
        "states           131",
        "state vector      44   numbers that 'toy' keeps",
    ]
    assert "no mistakes, " in result.stdout
    assert "warning: toy: the step is 0.01 s" in result.stderr


def test_json_gives_the_counts_and_the_warnings(fairlead, chain_file):
    report = json.loads(fairlead("check", chain_file, "--json").stdout)
    assert report["ok"] is True
    counts = {name: report[name] for name in ("bars", "points", "junctions", "cables", "states")}
    assert counts == {"bars": 8, "points": 2, "junctions": 0, "cables": 1, "states": 13 * 10 + 1}
    assert report["state_vector"] == 3 * 7 + 3 * 7 + 2, "positions, velocities, steps and the adaptive step of a toy"
    assert "toy: the step is 0.01 s" in report["warnings"]


def test_json_gives_every_mistake_with_its_place(fairlead, chain_file):
    text = chain_file.read_text().replace("diameter", "diametr").replace("elements", "element")
    chain_file.write_text(text)
    result = fairlead("check", chain_file, "--json")
    assert result.exit_code == 2
    report = json.loads(result.stdout)
    assert report["ok"] is False
    places = {problem["path"]: problem for problem in report["problems"]}
    assert {"types.cord.diametr", "cables.chain.element"} <= set(places)
    line = text.splitlines()[places["types.cord.diametr"]["line"] - 1]
    assert "diametr" in line


def test_a_file_that_is_not_there(fairlead, chain_file):
    result = fairlead("check", "chian.yaml")
    assert result.exit_code == 2
    assert "chian.yaml: there is no such file; did you mean 'chain.yaml'?" in result.stderr


@pytest.mark.parametrize("command", ["check", "run", "statics", "compare", "converge", "cosim"])
def test_a_pipe_nobody_writes_to_is_no_model(fairlead, command, tmp_path):
    """The command says so at once, and does not wait."""
    os.mkfifo(tmp_path / "pipe.yaml")
    done = fairlead(command, tmp_path / "pipe.yaml")
    assert done.exit_code == 2
    assert done.stderr == f"{tmp_path / 'pipe.yaml'}: is a pipe or a device; save its text as a file\n"
