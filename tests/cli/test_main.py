"""The command as a whole: help, version, wrong usage, start-up."""

from __future__ import annotations

import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from fairlead import __version__
from fairlead.cli.main import COMMANDS, main
from fairlead.cli.notes import warn

DROP = """
types: {rope: {diameter: 0.05, mass_per_length: 5, axial_stiffness: 0.5 MN}}
points:
  A: {kind: fixed, position: [0, 0, -20]}
  B: {kind: fixed, position: [55, 0, -10]}
cables: {line: {type: rope, length: 60, elements: 6, start: A, end: B}}
simulation: {formulation: lumped, duration: 0.2, step: 0.01}
"""


def test_help_names_every_command_and_the_exit_codes(fairlead):
    page = fairlead("--help").stdout
    for name in COMMANDS:
        assert f"\n  {name} " in page
    assert "130  interrupted" in page


def test_python_runs_it_as_a_module(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "fairlead", "check", "nowhere.yaml"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "nowhere.yaml: there is no such file" in done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_with_examples_and_exit_codes(fairlead, name):
    page = fairlead(name, "--help").stdout
    assert "Example" in page
    assert "Exit codes:" in page
    assert "\x08" not in page


def test_the_command_alone_shows_its_help_and_is_no_mistake(fairlead):
    result = fairlead()
    assert result.exit_code == 0
    assert "examples copy" in result.output


def test_version(fairlead):
    assert fairlead("--version").stdout == f"fairlead {__version__}\n"


def test_a_mistyped_command_gets_the_nearest_name(fairlead):
    result = fairlead("rnu")
    assert result.exit_code == 2
    assert "Did you mean 'run'?" in result.stderr


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["study", "rum", "storm.yaml"], "Did you mean 'run'?"),
        (["study", "storm.yaml"], "study run storm.yaml"),
        (["mooring.yml"], "run mooring.yml"),
        (["examples", "copi"], "Did you mean 'copy'?"),
    ],
)
def test_what_is_no_command_is_answered_by_the_one_that_was_meant(fairlead, words, hint):
    result = fairlead(*words)
    assert result.exit_code == 2
    assert hint in result.stderr
    assert "No such command" in result.stderr


def test_the_package_and_the_help_page_load_nothing_heavy():
    code = (
        "import sys, fairlead\n"
        "from fairlead.cli.main import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "print([name for name in ('numba', 'numpy', 'xarray', 'pydantic', 'scipy', 'rich') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


@pytest.mark.parametrize(
    ("no_colour", "shown"), [("", "\x1b[33m\x1b[1mwarning:\x1b[0m slack"), ("1", "warning: slack")]
)
def test_warnings_are_coloured_for_a_person_alone(capsys, monkeypatch, no_colour, shown):
    """Each once. Where standard error is no terminal the colour is taken out again."""
    monkeypatch.setenv("NO_COLOR", no_colour)
    warn(["slack", "slack"])
    assert capsys.readouterr().err == "warning: slack\n"
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)
    warn(["slack"])
    assert capsys.readouterr().err == shown + "\n"


def test_a_plain_run_and_its_summary_load_neither_xarray_nor_pictures_nor_readers_of_other_files(tmp_path):
    code = (
        "import sys\n"
        "from fairlead.cli.main import program\n"
        "heavy = ('xarray', 'pandas', 'matplotlib', 'scipy', 'fairlead.view', 'fairlead.exchange.moordyn',\n"
        "         'fairlead.floaters', 'numpy.ma')\n"
        "try: program()\n"
        "finally: print([name for name in heavy if name in sys.modules])\n"
    )
    (tmp_path / "drop.yaml").write_text(DROP)
    done = subprocess.run(
        [sys.executable, "-c", code, "run", "drop.yaml"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "largest tension" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_public_names_are_fetched_when_they_are_used():
    code = (
        "import fairlead as fl\n"
        "assert set(fl.__all__) <= set(dir(fl))\n"
        "for name in fl.__all__: getattr(fl, name)\n"
        "import fairlead.simulate.schedule\n"
        "import types, fairlead.view.style, fairlead.statics.report\n"
        "assert type(fl.simulate) is types.FunctionType, 'the folder of that name must not hide the function'\n"
        "from fairlead import Simulation, simulate\n"
        "import inspect\n"
        "assert 'formulation' in inspect.signature(simulate).parameters\n"
        "assert list(inspect.signature(fl.statics).parameters) == ['system']\n"
        "assert 'path' in inspect.signature(fl.view).parameters and fl.view.save_all is fl.plot.save_all\n"
        "try: fl.no_such_name\n"
        "except AttributeError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "module 'fairlead' has no attribute 'no_such_name'\n"


def every_command(command=main, words=()):
    """A command and all below it, each with the words that call it."""
    yield words
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from every_command(command.get_command(context, name), (*words, name))


@pytest.mark.parametrize("width", [60, 80, 100])
def test_help_fits_the_terminal(width):
    for words in every_command():
        told = CliRunner().invoke(main, [*words, "--help"], terminal_width=width)
        assert told.exit_code == 0
        wide = [line for line in told.output.splitlines() if len(line) > width]
        assert not wide, f"{' '.join(words)}: {wide}"


def test_examples_in_help_may_be_copied():
    """Folded lines of a command end as a shell wants it, and no option is parted from its value."""
    told = CliRunner().invoke(main, ["run", "--help"], terminal_width=60).output
    whole = re.sub(r" \\\n\s+", " ", told)
    assert "fairlead run mooring.yaml -o stiff.nc --set types.chain.axial_stiffness=500MN\n" in whole
    assert "fairlead run mooring.yaml --after 60\n        leaves the start-up out of the summary\n" in told
    assert not re.search(r"-o \\$|--set \\$", told, re.MULTILINE)
