"""A file to run, and the command to run it with."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
from click.testing import CliRunner
from simulate.toy import Toy, chain

from fairlead.cli.main import main
from fairlead.model.needs import FEATURES


@pytest.fixture
def toy_formulation(monkeypatch):
    """Has the formulation `bars` replaced by the toy."""
    stand_in = ModuleType("fairlead.formulations.bars")
    stand_in.compile_system = lambda system, geometry: Toy(system)
    stand_in.SUPPORTS = frozenset(FEATURES)
    monkeypatch.setitem(sys.modules, "fairlead.formulations.bars", stand_in)


@pytest.fixture
def chain_file(tmp_path, monkeypatch):
    """A model file in an empty folder, which is the working folder."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "chain.yaml"
    file.write_text(chain().to_yaml())
    return file


@pytest.fixture
def fairlead():
    """`fairlead("run", "chain.yaml")` in this process: exit_code, stdout, stderr."""

    def call(*arguments: object):
        result = CliRunner().invoke(main, [str(argument) for argument in arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call
