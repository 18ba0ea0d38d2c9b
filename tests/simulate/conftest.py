"""Simulations of the toy formulation."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from fairlead.model.needs import FEATURES

from .toy import Toy


@pytest.fixture
def toy_formulation(monkeypatch):
    """Has the formulation `bars` replaced by the toy, for everything that compiles a system by name."""
    stand_in = ModuleType("fairlead.formulations.bars")
    stand_in.compile_system = lambda system, geometry: Toy(system)
    stand_in.SUPPORTS = frozenset(FEATURES)
    monkeypatch.setitem(sys.modules, "fairlead.formulations.bars", stand_in)
