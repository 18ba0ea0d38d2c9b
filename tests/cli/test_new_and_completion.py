"""`fairlead new` and `fairlead completion`: a file to start from, and a shell that helps."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

import fairlead as fl
from fairlead.cli.main import main
from fairlead.cli.new import KINDS, STARTERS
from fairlead.shape.layout import first_geometry


@pytest.mark.parametrize("kind", KINDS)
def test_a_starter_is_right_without_a_warning(fairlead, kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert fairlead("new", kind).stdout == f"{kind}.yaml   (try: fairlead run {kind}.yaml)\n"
    system = fl.load(f"{kind}.yaml")
    assert fl.warnings(system) == ()
    assert all(kind.breaking_load for kind in system.types.values())
    assert first_geometry(system).notes == ()


def test_a_starter_begins_at_rest_where_its_file_says(tmp_path):
    """The steady tow of the spread: its heads are led there by their deflectors, and nothing is left to tell."""
    simulation = fl.Simulation(STARTERS / "spread.yaml", formulation="lumped", step=0.01)
    assert simulation.statics is not None
    assert simulation.warnings == []


def test_a_starter_names_its_schema_for_the_editor(fairlead, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fairlead("new", "tow", "-o", "sonar.yaml", "--schema")
    line = Path("sonar.yaml").read_text().splitlines()[0]
    assert line == "# yaml-language-server: $schema=fairlead.schema.json"
    schema = json.loads(Path("fairlead.schema.json").read_text())
    assert schema == fl.json_schema()
    assert schema["$id"] == "urn:fairlead:schema:model-file", "editors and stores of schemas know it by this name"
    fl.load("sonar.yaml")


def test_nothing_is_replaced_unless_it_is_said(fairlead, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("tow.yaml").write_text("mine")
    refused = fairlead("new", "tow")
    assert refused.exit_code == 2
    assert "tow.yaml is there already; name another with -o, or replace it with --force" in refused.stderr
    assert Path("tow.yaml").read_text() == "mine"
    assert fairlead("new", "tow", "--force").exit_code == 0
    assert "there is no folder missing" in fairlead("new", "tow", "-o", "missing/tow.yaml").stderr


@pytest.fixture
def clean_home(tmp_path, monkeypatch):
    """A home folder that holds nothing."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("shell", "place", "read_by"),
    [
        ("bash", ".local/share/bash-completion/completions/fairlead", ".bashrc"),
        ("zsh", ".zfunc/_fairlead", ".zshrc"),
        ("fish", ".config/fish/completions/fairlead.fish", None),
    ],
)
def test_completion_is_installed_by_one_command(fairlead, clean_home, shell, place, read_by, monkeypatch):
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    done = fairlead("completion")
    script = clean_home / place
    assert done.stdout.splitlines()[0] == str(script)
    assert script.read_text().strip() == fairlead("completion", shell, "--print").stdout.strip()
    assert "_FAIRLEAD_COMPLETE" in script.read_text()
    if read_by is not None:
        assert f"{clean_home / read_by}: its last line reads it" in done.stdout
        assert (clean_home / read_by).read_text().endswith(f"[ ! -f {script} ] || source {script}\n")


def test_a_bash_that_opens_in_a_clean_home_completes(fairlead, clean_home):
    """Where no other package loads completions: the start-up file does, with its own lines kept and none twice."""
    settings = clean_home / ".bashrc"
    settings.write_text("alias ll='ls -l'")
    fairlead("completion", "bash")
    assert "reads it" not in fairlead("completion", "bash").stdout
    assert settings.read_text().splitlines()[:1] == ["alias ll='ls -l'"]
    assert len(settings.read_text().splitlines()) == 2
    asked = subprocess.run(["bash", "-ic", "complete -p fairlead"], env=os.environ, capture_output=True, text=True)
    assert asked.stdout == "complete -o nosort -F _fairlead_completion fairlead\n"


@pytest.mark.parametrize(("shell", "read_by"), [("bash", ".bashrc"), ("zsh", ".zshrc")])
def test_a_start_up_file_that_only_mentions_the_script_gets_its_line_and_an_old_line_is_renewed(
    fairlead, clean_home, shell, read_by
):
    settings = clean_home / read_by
    fairlead("completion", shell)
    line = settings.read_text()
    settings.write_text(f"# {line}")
    assert "its last line reads it" in fairlead("completion", shell).stdout
    assert settings.read_text() == f"# {line}{line}"
    old = line.replace(line[line.index("[ ! -f") : line.index("source")], "")
    settings.write_bytes(f"alias a=b\r\n{old}alias c=".encode() + b"\xff\n")
    assert "its line that reads it is renewed" in fairlead("completion", shell).stdout
    assert settings.read_bytes() == f"alias a=b\r\n{line}alias c=".encode() + b"\xff\n"


def test_a_bash_whose_script_or_program_is_gone_says_nothing(fairlead, clean_home):
    fairlead("completion", "bash")
    quiet = {"PATH": "/usr/bin:/bin", "HOME": str(clean_home)}
    ask = "COMP_WORDS=(fairlead r) COMP_CWORD=1; _fairlead_completion ./no_such_program"
    asked = subprocess.run(["bash", "-c", f". ~/.bashrc; {ask}"], env=quiet, capture_output=True, text=True)
    assert (asked.stdout, asked.stderr) == ("", "")
    (clean_home / ".local/share/bash-completion/completions/fairlead").unlink()
    opened = subprocess.run(["bash", "-c", ". ~/.bashrc"], env=quiet, capture_output=True, text=True)
    assert (opened.returncode, opened.stderr) == (0, "")


def test_a_shell_without_completion_is_told(fairlead, monkeypatch):
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    done = fairlead("completion")
    assert done.exit_code == 2
    assert "completion is there for bash, zsh, fish" in done.stderr


def test_the_shell_gets_commands_and_choices():
    """What the installed script asks the program while one types `fairlead new t`."""
    code = "import sys; sys.argv = ['fairlead']; from fairlead.cli.main import main; main(prog_name='fairlead')"
    asked = {"_FAIRLEAD_COMPLETE": "bash_complete", "COMP_WORDS": "fairlead new t", "COMP_CWORD": "2"}
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | asked, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["plain,tow", "plain,tether"]


@pytest.mark.parametrize(
    ("words", "begun", "expected"),
    [
        (["examples", "copy"], "three", ["three_line_mooring"]),
        (["run", "--formulation"], "l", ["lumped", "links"]),
        (["plot", "run.nc", "--kind"], "geo", ["geometry"]),
        (["verify"], "discrete_cat", ["discrete_catenary"]),
        (["types"], "poly", ["polyester"]),
        (["bench"], "twin", ["twin"]),
    ],
)
def test_the_shell_gets_names_that_the_program_knows(words, begun, expected):
    found = ShellComplete(main, {}, "fairlead", "_FAIRLEAD_COMPLETE").get_completions(words, begun)
    assert [item.value for item in found] == expected
