"""Warnings are yellow on a terminal and plain in a pipe; `NO_COLOR` keeps them plain everywhere."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from fairlead.cli.main import main

YELLOW = "\x1b[33m\x1b[1mwarning:\x1b[0m "
LEAD = """
types: {lead: {diameter: 0.1, density: 20000, axial_stiffness: 1 MN}}
points: {A: {kind: fixed, position: [0, 0, 0]}, B: {kind: fixed, position: [1.5, 0, 0]}}
cables: {line: {type: lead, length: 2, elements: 2, start: A, end: B}}
simulation: {duration: 1, step: 0.01}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "lead.yaml"
    path.write_text(LEAD)
    return path


def test_a_person_sees_them_in_colour_and_a_pipe_does_not(file):
    """One process with a terminal for its errors and a pipe for the rest."""
    ours, theirs = os.openpty()
    program = [sys.executable, "-c", "from fairlead.cli.main import main; main()", "check", str(file)]
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    done = subprocess.run(program, stdout=subprocess.PIPE, stderr=theirs, env=environment, check=True, timeout=120)
    os.close(theirs)
    seen = os.read(ours, 100_000).decode()
    os.close(ours)
    assert YELLOW in seen
    assert b"\x1b" not in done.stdout
    assert b"no mistakes" in done.stdout
    piped = CliRunner().invoke(main, ["check", str(file)])
    assert "warning: " in piped.stderr
    assert "\x1b" not in piped.output


def test_who_wants_no_colour_gets_none(file, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert YELLOW in CliRunner().invoke(main, ["check", str(file)], color=True).stderr
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in CliRunner().invoke(main, ["check", str(file)], color=True).output
